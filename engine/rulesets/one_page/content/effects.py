"""Kinds of effects of psychic powers (psychic.py carries them out)."""

from typing import Final

EFFECTS: Final = ("hits", "lasting", "haste", "whispers", "clear_mind", "passage")
