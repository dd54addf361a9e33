"""Plane geometry for drawing and hints."""

from __future__ import annotations

from client.model.table.shapes import contains, hull, nearest_allowed


def test_a_click_too_far_away_means_the_furthest_place_there() -> None:
    assert nearest_allowed((1000, 0), (0, 0), 800, ()) == (800, 0)
    assert nearest_allowed((300, 0), (0, 0), 800, ()) == (300, 0)
    square = ((100, -50), (200, -50), (200, 50), (100, 50))
    place = nearest_allowed((600, 0), (0, 0), 800, (square,))
    assert contains(square, place)
    assert place[0] > 190


def test_a_click_where_nothing_is_allowed_on_the_way_means_the_start() -> None:
    shut = ((0, 0), (0, 0), (-50, 10), (-50, -10))
    assert nearest_allowed((900, 0), (0, 0), 600, [shut]) == (0, 0)
    assert nearest_allowed((-900, 0), (0, 0), 600, [shut])[0] < 0


def test_hull_has_the_outermost_places() -> None:
    assert hull([(0, 0), (10, 0), (10, 10), (0, 10), (5, 5)]) == [(0, 0), (10, 0), (10, 10), (0, 10)]
