"""Names in a row, as forms and lists say them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from protocol.text import Text

MOST_NAMES: Final = 9
"""A catalogue has words for so many names in a row."""


def names_of(words: str, names: Sequence[Text]) -> Text:
    """Return names with commas between them, of many the first few: by the entry WORDSnames.N of the catalogue."""
    shown = names[:MOST_NAMES]
    return Text(f"{words}names.{len(shown)}", {f"n{number}": name for number, name in enumerate(shown, 1)})
