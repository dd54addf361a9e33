"""Walled-off and barred places: the quick test never claims too much."""

from __future__ import annotations

from random import Random

from engine.space.movement.moves import Way, clip_move, straight_move_fault
from engine.space.movement.walled import is_barred, is_walled_off
from engine.space.terrain.contact import Base
from engine.space.vectors.points import squared, towards
from protocol.ids import FigureId
from tests.support.faults.crowded_tables import bases, ground, place
from tests.support.reference.small_tables import OPEN, WALL, table, way_on

BEHIND_WALL = way_on(table(WALL))


def test_far_behind_a_wall_is_walled_off() -> None:
    assert is_walled_off(BEHIND_WALL, (1700, 1000), (2500, 1000))
    assert is_walled_off(BEHIND_WALL, (2500, 1000), (1700, 1000))
    assert not is_walled_off(way_on(OPEN), (1700, 1000), (2500, 1000))


def test_just_behind_a_wall_one_may_stand() -> None:
    """The wall is passed by 100 at most; a little more is not certain."""
    assert not is_walled_off(BEHIND_WALL, (1700, 1000), (2100, 1000))
    assert not is_walled_off(BEHIND_WALL, (1700, 1000), (2105, 1000))
    assert is_walled_off(BEHIND_WALL, (1700, 1000), (2106, 1000))


def test_a_way_past_the_end_of_a_wall_is_not_certain() -> None:
    assert not is_walled_off(BEHIND_WALL, (1700, 1510), (2500, 1510))
    assert not is_walled_off(BEHIND_WALL, (1700, 1497), (2500, 1497))
    assert is_walled_off(BEHIND_WALL, (1700, 1495), (2500, 1495))


def test_who_stands_on_a_wall_leaves_it_freely() -> None:
    assert not is_walled_off(BEHIND_WALL, (2000, 1000), (2500, 1000))
    assert not is_walled_off(BEHIND_WALL, (1700, 1000), (1750, 1000)), "shorter than a base"


def test_a_base_in_the_way_bars_it() -> None:
    def barred(y: int) -> bool:
        return is_barred(way_on(OPEN, (Base(FigureId("foe"), (2000, y), 50),)), (1700, 1000), (2500, 1000))

    assert barred(1099)
    assert not barred(1100), "it is touched, not overlapped"
    assert not is_barred(way_on(OPEN, (), (Base(FigureId("friend"), (2000, 1000), 50),)), (1700, 1000), (2500, 1000))
    assert is_barred(BEHIND_WALL, (1700, 1000), (2500, 1000))


def test_an_end_that_is_walled_off_is_at_fault() -> None:
    random, off = Random(7), 0
    for _ in range(400):
        way = Way(ground(random), 50, 100, bases(random, 2))
        for _ in range(40):
            start, end = place(random), place(random)
            if is_walled_off(way, start, end):
                off += 1
                assert straight_move_fault(way, start, end, 10_000) is not None
    assert off > 1_000


def test_a_way_that_is_barred_leads_not_so_far() -> None:
    random, off = Random(11), 0
    for _ in range(400):
        way = Way(ground(random), 50, 100, bases(random, 8))
        for _ in range(20):
            start, goal = place(random), place(random)
            length, allowance = random.randrange(100, 700), random.randrange(700, 2_000)
            end = towards(start, goal, length)
            is_free = not any(squared(start, b.at) < (way.radius + b.radius) ** 2 for b in way.stopping)
            if is_free and is_barred(way, start, end):
                off += 1
                assert squared(start, clip_move(way, start, goal, allowance).point) < squared(start, end)
    assert off > 300
