"""The ground that an eye sees, compared with the slow sight of place after place."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, strategies as st

from bench.sight import HEIGHT, WIDTH, random_area, random_barrier, random_group, random_table
from engine.space.sight.lines import formation
from engine.space.sight.visible import MOST_CORNERS, visible_ground
from engine.space.terrain.contact import Base
from engine.space.terrain.features import Area, Barrier, scenery
from engine.space.vectors.outlines import Outline, contains, is_convex, point_near_outline
from engine.space.vectors.points import Point, within
from protocol.ids import NO_FIGURE, GroupId
from tests.engine.space.sight.test_sight_reference import Table, tables
from tests.support.reference import slow_sight
from tests.support.runs.cases import cases

EDGE = 3
"""Hundredths beside the outline at which nothing is compared: its corners are rounded."""


def at(p: Point, radius: int = 1) -> Base:
    return Base(NO_FIGURE, p, radius)


def is_seen(eye: Base, p: Point, areas: list[Area], barriers: list[Barrier], groups: list[list[Base]]) -> bool:
    """Tell slowly whether a mere point is seen: no base there touches a wall, and the ground of a group is open."""
    start, end = slow_sight.place(*eye.at), slow_sight.place(*p)
    walls = [
        barrier
        for barrier in barriers
        if not any(
            slow_sight.point_to_segment(start, slow_sight.place(*c), slow_sight.place(*d))
            < Fraction(eye.radius + slow_sight.TOUCH) ** 2
            for c, d in zip(barrier.line, barrier.line[1:], strict=False)
        )
    ]
    crossed = any(
        slow_sight.meeting_shares(start, end, slow_sight.place(*c), slow_sight.place(*d))
        for barrier in walls
        if barrier.blocks_sight
        for c, d in zip(barrier.line, barrier.line[1:], strict=False)
    )
    return not crossed and slow_sight.sees(eye, at(p), areas, [], groups)


def stands_in(p: Point, group: list[Base]) -> bool:
    """Tell slowly whether a point is in the ground of a group."""
    place = slow_sight.place(*p)
    span = max(base.radius for base in group) + EDGE
    return slow_sight.segment_to_hull(place, place, [slow_sight.place(*base.at) for base in group]) <= span * span


def outlined(ground: Outline, p: Point) -> bool | None:
    """Tell whether a point is in the outline; None beside its edge."""
    return None if point_near_outline(p, ground, EDGE) else contains(p, ground)


@given(st.integers(0, 10**6))
@cases(5, 200)
def test_on_tables_of_true_size_just_what_the_rules_see_is_in_the_outline(seed: int) -> None:
    dice = Random(seed)
    areas = [random_area(dice, f"area-{n}", blocks=n < 4) for n in range(5)]
    barriers = [random_barrier(dice, f"wall-{n}") for n in range(3)]
    formations = [random_group(dice, GroupId(f"group-{n}")) for n in range(3)]
    groups = [list(group.figures[:3]) for group in formations]
    ground = scenery(WIDTH, HEIGHT, areas, barriers)
    eye = at((dice.randrange(WIDTH), dice.randrange(HEIGHT)), 50)
    blocking = [formation(group.id, few) for group, few in zip(formations, groups, strict=True)]
    hidden_in = [few for few in groups if stands_in(eye.at, few)]
    seen = visible_ground(ground, eye, blocking)
    assert len(seen) <= MOST_CORNERS
    for _ in range(15):
        p = dice.randrange(WIDTH), dice.randrange(HEIGHT)
        if outlined(seen, p) is not None and not any(stands_in(p, few) for few in groups):
            others = [few for few in groups if few not in hidden_in]
            assert outlined(seen, p) is is_seen(eye, p, areas, barriers, others)


@given(tables(6, (1,)), st.tuples(st.integers(0, 6), st.integers(0, 6)), st.integers(0, 10**6))
@cases(30, 200)
def test_on_cramped_tables_full_of_ties_nothing_that_the_rules_hide_is_in_the_outline(
    table: Table, eye: Point, seed: int
) -> None:
    """With areas that have no bays it is just what they see."""
    areas = [Area(a.id, tuple((100 * x, 100 * y) for x, y in a.outline), a.blocks_sight) for a in table.areas]
    walls = [Barrier(b.id, tuple((100 * x, 100 * y) for x, y in b.line), b.blocks_sight) for b in table.barriers]
    base, dice = at((100 * eye[0], 100 * eye[1])), Random(seed)
    ground = scenery(600, 600, areas, walls)
    seen = visible_ground(ground, base, ())
    for _ in range(12):
        p = dice.randrange(600), dice.randrange(600)
        inside = outlined(seen, p)
        if inside is None:
            continue
        expected = is_seen(base, p, areas, walls, [])
        if all(is_convex(area.outline) for area in ground.areas):
            assert inside is expected
        else:
            assert expected or not inside


def test_an_empty_table_is_seen_whole_and_no_farther_than_the_limit() -> None:
    ground = scenery(1000, 800, [], [])
    assert set(visible_ground(ground, at((300, 300)), ())) == {(0, 0), (1000, 0), (1000, 800), (0, 800)}
    corner = visible_ground(ground, at((0, 0)), ())
    assert set(corner) >= {(1000, 0), (1000, 800), (0, 800)}
    near = visible_ground(ground, at((500, 400)), (), limit=200)
    assert all(within(p, (500, 400), 200) for p in near)
    assert contains((695, 400), near)


def test_a_wood_shows_its_own_ground_and_hides_what_is_behind() -> None:
    wood = Area("wood", ((400, 300), (600, 300), (600, 500), (400, 500)), blocks_sight=True)
    seen = visible_ground(scenery(1000, 800, [wood], []), at((100, 400)), ())
    assert contains((590, 400), seen)
    assert not contains((610, 400), seen)


@pytest.mark.parametrize("seed", [0, 2])
def test_an_outline_has_a_bounded_number_of_corners(seed: int) -> None:
    """Many small things: the least corners are left out, and no more."""
    dice = Random(seed)
    ground, groups = random_table(dice)
    crowd = [random_group(dice, GroupId(f"more-{n}")) for n in range(60)]
    seen = visible_ground(ground, groups[0].figures[0], [*groups[1:], *crowd])
    assert len(seen) == MOST_CORNERS
