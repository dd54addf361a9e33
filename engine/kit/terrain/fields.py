"""Terrain laid by the dice in fields: the table is divided, and each piece goes into a field of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeVar

from engine.core.rules.game import Game
from engine.space.vectors.headings import heading
from engine.space.vectors.outlines import Outline, outline_of
from engine.space.vectors.points import Point, divide

T = TypeVar("T")
PERCENT: Final = 100
UNIT: Final = 10_000
"""Length of the directions that `heading` gives."""


class FieldGrid(NamedTuple):
    """The fields of a table of this size, row by row from its lower left corner; pieces keep `apart`."""

    size: Point
    columns: int
    rows: int
    apart: int

    @property
    def room(self) -> Point:
        """Greatest width and height of a piece."""
        return self.size[0] // self.columns - self.apart, self.size[1] // self.rows - self.apart

    def dealt(self, game: Game[Any], pieces: Sequence[T], purpose: str) -> list[tuple[int, T]]:
        """Give each piece a field, by a shuffle that everyone sees; those for which there is none are left out."""
        return list(zip(game.shuffle(self.columns * self.rows, purpose), pieces, strict=False))

    def place(self, field: int, across: int, percent: tuple[int, int]) -> Point:
        """Return the middle of a piece so wide and high in its field: at so many percent of its room."""
        room = self.room
        wide, high = room[0] + self.apart, room[1] + self.apart
        x, y = [divide((room[n] - across) * (2 * percent[n] - PERCENT), 2 * PERCENT) for n in (0, 1)]
        return field % self.columns * wide + wide // 2 + x, field // self.columns * high + high // 2 + y


def bent_line(middle: Point, length: int, *, along: bool) -> Outline:
    """Return a barrier along the table or across it, bent in its middle."""
    half, bend = length // 2, length // 8
    x, y = middle
    if along:
        return ((x - half, y), (x, y + bend), (x + half, y))
    return ((x, y - half), (x + bend, y), (x, y + half))


def block(middle: Point, length: int, width: int, *, along: bool) -> Outline:
    """Return a rectangle along the table or across it, from half its length and width."""
    wide, high = (length, width) if along else (width, length)
    x, y = middle
    return outline_of((x - wide, y - high, x + wide, y + high))


def blob(middle: Point, across: int, percent: Sequence[int]) -> Outline:
    """Return eight corners, each between two thirds and all of the way out by its percentage."""
    found: list[Point] = []
    for corner, share in zip(range(8), percent, strict=True):
        x, y = heading(corner * 45)
        reach = across // 3 + across * share // (6 * PERCENT)
        found.append((middle[0] + divide(x * reach, UNIT), middle[1] + divide(y * reach, UNIT)))
    return tuple(found)
