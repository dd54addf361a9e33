"""Words around the rulebook."""

from __future__ import annotations

from typing import Final

ENGLISH: Final[dict[str, str]] = {
    "book.title": "Rules",
    "book.close": "Back",
    "book.help": "What the rules say about this (H)",
    "book.open": "Rules",
    "book.keys": "Left and Right: another section. Up and Down, the wheel: on and back.",
}
