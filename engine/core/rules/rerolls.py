"""Dice that are rolled again: all at once, each at most once, and the others stay as they lie."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from engine.core.rules.audience import Seat
from engine.core.rules.dice import Pool
from engine.core.rules.game import Game

S = TypeVar("S")


def reroll(
    game: Game[S], seat: Seat, faces: tuple[int, ...], which: Callable[[int], bool], purpose: str, sides: int = 6
) -> tuple[int, ...]:
    """Return the faces that count once the dice for which `which` holds are rolled again; without such dice no roll is
    made. The result is no roll of its own: what is shown are the rolls that were made, each by its number."""
    places = [place for place, face in enumerate(faces) if which(face)]
    if not places:
        return faces
    fresh = game.roll(Pool(len(places), sides), purpose, seat).faces
    final = list(faces)
    for place, face in zip(places, fresh, strict=True):
        final[place] = face
    return tuple(final)
