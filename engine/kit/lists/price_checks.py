"""Checks of printed prices against the formula that they are made by."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.core.content.content_files import ContentFault
from engine.core.content.toml_source import Loc


def price_faults(
    loc: Loc, told: int, price: Callable[[], tuple[int, str]], *, blind: bool = False
) -> Iterator[ContentFault]:
    """Yield the fault of points that the formula does not make: `price` gives those, and words for them, or raises
    KeyError for what the formula has no number for, which is a fault unless the content is `blind`."""
    try:
        points, words = price()
    except KeyError as unknown:
        if not blind:
            yield ContentFault(loc, f"the points formula has no number for {unknown.args[0]}")
        return
    if points != told:
        yield ContentFault(loc, f"the points formula makes {words}")
