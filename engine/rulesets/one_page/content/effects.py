"""The kinds of effects that powers may have (psychic.py carries them out)."""

from typing import Final

EFFECTS: Final = ("hits", "lasting", "haste", "whispers", "clear_mind", "passage")
