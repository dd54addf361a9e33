"""Reach of a lead by straight ways: up to bases, closed areas and the edge, shorter over slow ground."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.rules.steps import finished
from engine.kit.board.formations import LeadRoom, cluster
from engine.kit.board.lead_reach import Slowing, farthest, region
from engine.kit.board.lead_ways import LeadWays
from engine.space.movement.reach import DIRECTIONS
from engine.space.terrain.features import Area, Barrier, scenery
from engine.space.vectors.points import Point, box_around

AT, RADIUS, LIMIT = (2000, 2000), 50, 600
SWAMP = Area("swamp", ((2200, 1800), (2900, 1800), (2900, 2200), (2200, 2200)))
POND = Area("pond", ((1800, 2300), (2200, 2300), (2200, 2700), (1800, 2700)))
WALL = Barrier("wall", ((1755, 1700), (1755, 2300)))
TABLE = scenery(4000, 4200, [SWAMP, POND], [WALL])
EAST, NORTH, WEST, SOUTH = 0, 12, 24, 36


def reaches(
    slow: Sequence[str] = (), toll: int = 0, others: Sequence[Point] = (), *, eased: bool = False, flies: bool = False
) -> list[int]:
    closed = [area for area in TABLE.areas if area.id == "pond"]
    ways = LeadWays(box_around(AT, LIMIT), RADIUS, [cluster([(*at, 150)]) for at in others], closed, flies=flies)
    room = LeadRoom(TABLE, AT, closed, [], LIMIT, flies=flies)
    slowing = Slowing(lambda area: area.id in slow, lambda barrier: toll, eased)
    steps = farthest(room, ways, slowing, LIMIT)
    return finished(steps)


def test_the_way_ends_before_what_is_closed_and_before_bases() -> None:
    found = reaches(others=[(2000, 1500)])
    assert (found[EAST], found[NORTH], found[SOUTH]) == (600, 250, 300)


def test_slow_ground_counts_twice_and_a_barrier_has_its_toll() -> None:
    assert reaches(["swamp"])[EAST] == 400
    assert reaches(toll=100)[WEST] == 500
    eased = reaches(["swamp"], 100, eased=True)
    assert (eased[EAST], eased[WEST]) == (600, 600)


def test_who_flies_passes_over_what_is_closed_but_does_not_end_on_it() -> None:
    assert reaches(flies=True)[NORTH] == 250
    assert reaches(["swamp"], 100, flies=True)[EAST] == 600


def test_each_direction_is_a_step() -> None:
    ways = LeadWays(box_around(AT, LIMIT), RADIUS, [], [])
    room = LeadRoom(TABLE, AT, [], [], LIMIT)
    slowing = Slowing(lambda area: False, lambda barrier: 0)
    assert len(list(farthest(room, ways, slowing, LIMIT))) == len(DIRECTIONS)


def test_between_two_directions_the_region_reaches_as_far_as_both() -> None:
    far = region(AT, [600] * len(DIRECTIONS))
    assert len(far) == len(DIRECTIONS)
    assert (2600, 2000) in far
    one_short = region(AT, [100, *[600] * (len(DIRECTIONS) - 1)])
    assert (2600, 2000) not in one_short
    assert (2100, 2000) in one_short
    assert region(AT, [0] * len(DIRECTIONS)) == (AT,)
