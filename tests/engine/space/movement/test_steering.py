"""Ways with one turn: headings, the drive to a place, its reach, and the first touch on the way."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from engine.space.movement.steering import (
    QUARTER,
    Course,
    Leg,
    Steering,
    drives_into,
    first_touch,
    reach_turning,
    steered,
    touch_of,
    turn_towards,
    turned,
    turns,
)
from engine.space.terrain.contact import TOUCH, Base
from engine.space.vectors.headings import ANGLES, ahead
from engine.space.vectors.outlines import Outline, outline_of
from engine.space.vectors.points import Point, squared
from protocol.ids import FigureId

START = (5000, 5000)
HEADINGS = st.sampled_from(ANGLES)


@pytest.mark.parametrize(("old", "new", "degrees"), [(0, 0, 0), (0, 350, 10), (350, 20, 30), (90, 270, 180)])
def test_headings_differ_by_the_shorter_way_round(old: int, new: int, degrees: int) -> None:
    assert turned(old, new) == turned(new, old) == degrees


@given(HEADINGS)
def test_a_turn_is_of_a_quarter_at_most(old: int) -> None:
    assert sorted(turns(old)) == [angle for angle in ANGLES if turned(old, angle) <= QUARTER]
    assert (turns(old)[0], turns(old)[-1]) == ((old - 90) % 360, (old + 90) % 360)


@pytest.mark.parametrize(
    ("corners", "before", "facing", "after"),
    [
        ([(3000, 2200)], 0, 90, 1200),  # straight on
        ([(4000, 1000)], 0, 0, 1000),  # it turns at the start
        ([(2000, 1000)], 0, 180, 1000),
        ([(2000, 953)], 0, 180, 1000),  # never by more than a right angle
        ([(3000, 600)], 0, 90, -400),  # backwards
        ([(3300, 700)], 0, 135, -425),
        ([(3000, 1500), (3700, 1500)], 500, 0, 700),  # on, then a turn
        ([(3000, 800), (3700, 800)], -200, 0, 700),
        ([(3050, 1503), (3700, 1503)], 505, 0, 700),  # the corner is the nearest place ahead
    ],
)
def test_a_way_says_where_a_turn_is_made_and_how_far_it_goes(
    corners: list[tuple[int, int]], before: int, facing: int, after: int
) -> None:
    assert steered((3000, 1000), 90, corners) == (before, facing, after)


@given(HEADINGS, st.integers(-1500, 1500), st.integers(-1500, 1500))
def test_the_drive_ends_where_it_was_told_to_but_for_headings_that_nobody_knows(old: int, dx: int, dy: int) -> None:
    goal = (START[0] + dx, START[1] + dy)
    before, facing, after = steered(START, old, [goal])
    assert before == 0
    assert turned(old, facing) <= QUARTER
    off = squared(ahead(START, facing, after), goal)
    assert off * 400 <= squared(START, goal) + 400 * 25


def test_of_the_headings_within_a_turn_the_nearest_is_taken() -> None:
    assert turn_towards(START, (6000, 5990), 0) == 45
    assert turn_towards(START, (4000, 5100), 0) == 90


def test_the_reach_goes_round_ahead_and_behind() -> None:
    reach = reach_turning(START, 90, 1000, 500)
    assert reach[0] == (6000, 5000)
    assert reach[len(reach) // 2] == (4500, 5000)
    assert len(reach) == 2 * len(turns(90))


@pytest.mark.parametrize(("limit", "gap", "met"), [(1000, 0, 733), (1000, 700, 733), (733, 0, None), (750, 0, 733)])
def test_a_touch_is_found_to_the_hundredth(limit: int, gap: int, met: int | None) -> None:
    assert first_touch(START, 0, limit, gap, lambda p: p[0] >= 5733) == met


@pytest.mark.parametrize("outline", [None, outline_of((6050, 4900, 6200, 5100))])
def test_a_drive_ends_where_it_touches_a_base_or_an_outline(outline: Outline | None) -> None:
    touch = touch_of([Base(FigureId("1"), (6100, 5000), 50)], outline, 100)
    edge = 6050 - 100 - TOUCH + 1
    assert (touch.holds((edge, 5000)), touch.holds((edge - 1, 5000))) == (True, False)
    assert 0 <= touch.gap((5000, 5000)) <= edge - 5000
    drives = [*drives_into(START, 0, 1000, (6100, 5000), touch, 400)]
    assert drives[0] == Steering(0, 0, edge - 5000)
    assert all(drive.before + drive.after == edge - 5000 for drive in drives)
    assert [drive.before for drive in drives] == [0, 400, 800]
    assert not [*drives_into(START, 0, 500, (6100, 5000), touch, 400)], "too far"


COURSE = Course((START, (6000, 5000), (6000, 5500)), (0, 270), 180, 1500)


@pytest.mark.parametrize(
    ("distance", "pose"),
    [(0, (START, 0)), (999, ((5999, 5000), 0)), (1000, ((6000, 5000), 270)), (1500, ((6000, 5500), 180))],
)
def test_a_course_has_a_place_and_a_heading_all_along(distance: int, pose: tuple[Point, int]) -> None:
    assert (COURSE.length, COURSE.pose(distance)) == (1500, pose)


def test_a_course_is_cut_into_pieces_backwards_ones_among_them() -> None:
    ahead_of, behind = (START, Leg(0, 1000)), ((6000, 5000), Leg(270, -500))
    assert [*COURSE.pieces(0, 1500)] == [ahead_of, behind, ((6000, 5500), Leg(180, 0))]
    assert [*COURSE.pieces(400, 1200)] == [((5400, 5000), Leg(0, 600)), ((6000, 5000), Leg(270, -200))]
