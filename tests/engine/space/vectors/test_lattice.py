"""Lattices of offsets: their order, their bounds, the nearest place on one."""

from __future__ import annotations

import gc
import sys
from collections import deque

from engine.space.vectors.lattice import LARGEST, nearest_place, offsets, ring
from engine.space.vectors.points import Point


def test_lattices_are_bounded_and_ordered() -> None:
    assert tuple(offsets(10, 10)) == ((0, 0), (-10, 0), (0, -10), (0, 10), (10, 0))
    assert tuple(offsets(10, 9)) == ((0, 0),)
    assert LARGEST < max(len(tuple(offsets(step, 5_900))) for step in (1, 25)) <= LARGEST * 11 // 10
    for step, radius in ((7, 300), (10, 0), (20, 1_639), (25, 2_024), (25, 2_049), (40, 3_279)):
        grid = range(-(radius // step) * step, radius + 1, step)
        plain = [(x * x + y * y, x, y) for x in grid for y in grid if x * x + y * y <= radius * radius]
        assert tuple(offsets(step, radius)) == tuple((x, y) for _, x, y in sorted(plain))


def test_a_fine_lattice_is_widened_but_still_reaches_out() -> None:
    fine = list(offsets(1, 7_200))
    assert len(fine) > LARGEST // 2
    assert max(x for x, _ in fine) > 7_000
    steps = {abs(x) for x, y in fine if y == 0 and x}
    assert all(x % min(steps) == 0 for x, _ in fine)


def test_lattices_are_as_far_from_the_middle_as_asked_and_none_is_kept() -> None:
    assert list(ring(10, 20, 20)) == [(-20, 0), (0, -20), (0, 20), (20, 0)]
    assert list(ring(10, 21, 20)) == []
    for step, inner, radius in ((1, 3, 9), (7, 20, 60), (10, 100, 320)):
        far = [(x, y) for x, y in offsets(step, radius) if x * x + y * y >= inner * inner]
        assert list(ring(step, inner, radius)) == far
    gc.collect()
    before = sys.getallocatedblocks()
    for radius in range(3_000, 3_010):
        deque(offsets(50, radius), maxlen=0)
    # each has some ten thousand points
    assert sys.getallocatedblocks() - before < 5_000


def test_the_nearest_place_that_is_accepted() -> None:
    assert nearest_place((100, 100), lambda p: p[0] >= 150, 25, 400) == (150, 100)
    assert nearest_place((100, 100), lambda p: p[0] >= 500, 25, 400) == (500, 100)
    assert nearest_place((100, 100), lambda p: p[0] >= 501, 25, 400) is None
    assert nearest_place((101, 99), lambda p: True, 25, 400) == (101, 99)


def test_of_places_as_near_the_one_of_least_x_is_taken() -> None:
    def is_aside(p: Point) -> bool:
        return p != (100, 100)

    assert nearest_place((100, 100), is_aside, 25, 400) == (75, 100)
