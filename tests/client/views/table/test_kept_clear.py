"""Buttons of a bar beside a group give way to a place that is kept clear; those at the foot stay."""

from __future__ import annotations

from client.draw.board.verb_bar import BarButton
from client.ui.layout import Rect
from client.views.table.kept_clear import folded

LEFT, RIGHT = Rect(100, 100, 80, 26), Rect(200, 100, 80, 26)
FOOT = [(LEFT, BarButton("End", None))]
BESIDE = [(LEFT, BarButton("Move", None)), (RIGHT, BarButton("Shoot", None))]


def test_only_what_would_cover_a_clear_place_is_folded_away() -> None:
    assert folded([FOOT, BESIDE], [Rect(90, 90, 50, 50)]) == [FOOT, BESIDE[1:]]
    assert folded([FOOT, BESIDE], []) == [FOOT, BESIDE]
    assert folded([], [LEFT]) == [[]]
