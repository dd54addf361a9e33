"""English texts of the core: refusals, undo, what the table waits for, kinds of bots. Systems add their own."""

from __future__ import annotations

from typing import Final

from protocol.words import words_of

ENGLISH: Final = words_of(__package__, "english")
