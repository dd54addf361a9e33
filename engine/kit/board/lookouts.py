"""Places from which a group looks out: a few that stand for all of its bases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.space.vectors.points import Point, squared

MOST: Final = 4
"""Each costs the working out of what it sees."""


def lookouts(eyes: Sequence[Point]) -> tuple[Point, ...]:
    """Return the first of a group's eyes, and up to three others, each the farthest from those before it: what two
    bases see that stand side by side differs little."""
    chosen = [*eyes[:1]]
    while 0 < len(chosen) < MOST:
        far = max(eyes, key=lambda eye: min(squared(eye, other) for other in chosen))
        if far in chosen:
            break
        chosen.append(far)
    return tuple(chosen)
