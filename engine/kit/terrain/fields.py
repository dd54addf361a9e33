"""Terrain laid by the dice in fields: the table is divided, and each piece goes into a field of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from engine.core.rules.game import Game
from engine.space.vectors.headings import heading
from engine.space.vectors.outlines import Outline, outline_of
from engine.space.vectors.points import Point, box_of, boxes_meet, divide, within

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


class SquareFields(NamedTuple):
    """Whole square fields of a `side` in the middle of a table of this size, row by row from the lower left."""

    size: Point
    side: int

    @property
    def middles(self) -> list[Point]:
        """The middle of each field."""
        (columns, left), (rows, bottom) = (divmod(length, self.side) for length in self.size)
        across = [left // 2 + self.side // 2 + column * self.side for column in range(columns)]
        up = [bottom // 2 + self.side // 2 + row * self.side for row in range(rows)]
        return [(x, y) for y in up for x in across]

    def free(self, keep: Iterable[Point], clear: int, taken: Iterable[Outline]) -> list[Point]:
        """Return the middles of those that no outline taken touches, and more than `clear` from each place to keep."""
        places, boxes, half = list(keep), list(map(box_of, taken)), self.side // 2 - 1
        return [
            (x, y)
            for x, y in self.middles
            if not any(within((x, y), place, clear) for place in places)
            and not any(boxes_meet((x - half, y - half, x + half, y + half), box) for box in boxes)
        ]


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
