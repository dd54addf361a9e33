"""English catalogue: all words of the system by key."""

from __future__ import annotations

from typing import Final

from protocol.words import words_of

ARMY_LISTS: Final = words_of(__package__, "army_lists", "content")
"""Words of army lists, of weapons, men, vehicles and cards: those that a list as a file may need."""
ENGLISH: Final = {**ARMY_LISTS, **words_of(__package__, "play", "tables", "vehicles", "support", "powers", "captives")}
