"""Paths: lengths along bends, and places at distances and shares of them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from engine.space.vectors.paths import (
    all_at_share,
    at_share,
    breached,
    path_between,
    path_length,
    path_until,
    point_at,
)
from engine.space.vectors.points import Point, floor_sqrt, squared, towards

BENT = ((0, 0), (300, 0), (300, 400))


def test_a_path_is_measured_along_its_bends() -> None:
    assert path_length(BENT) == 700
    assert path_length(BENT[:1]) == 0
    assert [point_at(BENT, d) for d in (0, 299, 300, 500, 700, 900)] == [
        *((0, 0), (299, 0), (300, 0)),
        *((300, 200), (300, 400), (300, 400)),
    ]
    with pytest.raises(ValueError, match="point"):
        point_at((), 1)


def test_all_have_covered_the_same_share() -> None:
    places = all_at_share({"lead": BENT, "man": ((0, 100), (0, 500))}, 1, 2)
    assert places == {"lead": (300, 50), "man": (0, 300)}
    assert at_share(BENT, 0, 5) == (0, 0)
    assert at_share(BENT, 5, 5) == (300, 400)


def test_a_path_ends_where_it_is_cut_off() -> None:
    assert path_until(BENT, 0) == ((0, 0), (0, 0))
    assert path_until(BENT, 300) == ((0, 0), (300, 0))
    assert path_until(BENT, 500) == ((0, 0), (300, 0), (300, 200))
    assert path_until(BENT, 900) == BENT


def test_a_path_between_two_distances() -> None:
    assert path_between(BENT, 0, 200) == ((0, 0), (200, 0))
    assert path_between(BENT, 100, 500) == ((100, 0), (300, 0), (300, 200))
    assert path_between(BENT, 400, 500) == ((300, 100), (300, 200))
    assert path_between(BENT, 500, 900) == ((300, 200), (300, 400))


def slow_point(path: list[Point], distance: int) -> Point:
    """Walk a path hundredth by hundredth."""
    places = [path[0]]
    for n in range(1, len(path)):
        whole = floor_sqrt(squared(path[n - 1], path[n]))
        places += [towards(path[n - 1], path[n], d) for d in range(1, whole)]
        if whole:
            places.append(path[n])
    return path[-1] if distance >= len(places) - 1 else places[distance]


spots = st.tuples(st.integers(0, 60), st.integers(0, 60))


@given(st.lists(spots, min_size=1, max_size=5), st.integers(0, 300))
@settings(max_examples=200, deadline=None)
def test_a_place_is_the_one_walked_to(path: list[Point], distance: int) -> None:
    assert point_at(path, distance) == slow_point(path, distance)
    assert at_share(path, distance, 300) == slow_point(path, path_length(path) * distance // 300)


@pytest.mark.parametrize(
    ("line", "left"),
    [
        (((0, 0), (1000, 0)), [((0, 0), (400, 0)), ((600, 0), (1000, 0))]),
        (((0, 0), (1000, 0), (1000, 900)), [((0, 0), (400, 0)), ((600, 0), (1000, 0), (1000, 900))]),
        (((500, 0), (500, 0)), []),
        (((0, 50), (400, 50)), [((0, 50), (400, 50))]),
    ],
)
def test_a_line_is_breached_where_something_goes_through_it(
    line: tuple[Point, ...], left: list[tuple[Point, ...]]
) -> None:
    assert breached(line, (500, -100), (500, 100), (500, 0), 100) == left
