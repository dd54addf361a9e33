"""Randomly crowded tables, to compare quick algorithms with plain ones."""

from __future__ import annotations

from random import Random

from engine.space.terrain.contact import Base
from engine.space.terrain.features import Area, Barrier, Scenery, scenery
from engine.space.vectors.headings import ANGLES, rectangle
from engine.space.vectors.points import Point
from protocol.ids import FigureId

SIDE = 4000


def place(random: Random) -> Point:
    return random.randrange(SIDE), random.randrange(SIDE)


def box(random: Random) -> tuple[Point, ...]:
    half = random.randrange(50, 400)
    return rectangle(place(random), random.choice(ANGLES), half, half, random.randrange(100, 600))


def fence(random: Random) -> tuple[Point, ...]:
    x, y = place(random)
    return (x, y), (x + random.randrange(-600, 600), y + random.randrange(1, 600))


def ground(random: Random) -> Scenery:
    areas = [Area(f"area/{n}", box(random), True) for n in range(5)]
    return scenery(SIDE, SIDE, areas, [Barrier(f"barrier/{n}", fence(random), True) for n in range(4)])


def bases(random: Random, count: int) -> tuple[Base, ...]:
    return tuple(Base(FigureId(str(n)), place(random), random.choice((50, 100))) for n in range(count))
