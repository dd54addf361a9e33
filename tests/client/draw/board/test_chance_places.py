"""Chances beside those that can be met stand apart from names and from each other, as far as there is room near by."""

from __future__ import annotations

from itertools import combinations

from client.draw.board.gestures import chance_place
from client.ui.layout import Rect
from tests.support.clients.windows.readable_app import ReadableApp

CROWD = [Rect(400 + 3 * number, 300, 40, 40) for number in range(6)]
"""Places of groups that stand over each other."""
BOARD = Rect(0, 0, 800, 600)


def test_chances_of_a_crowd_do_not_meet(app: ReadableApp) -> None:
    taken: list[Rect] = []
    for group in CROWD:
        taken.append(chance_place(app.ui, "33 % · 0.3", group, taken, BOARD))
    assert not [pair for pair in combinations(taken, 2) if pair[0].overlaps(pair[1])]


def test_a_chance_stands_above_its_thing_where_there_is_room(app: ReadableApp) -> None:
    assert chance_place(app.ui, "33 %", CROWD[0], [], BOARD).y == CROWD[0].top


def test_a_chance_at_the_edge_of_the_board_stands_on_it(app: ReadableApp) -> None:
    low = Rect(0, 0, 800, CROWD[0].top + 4)
    place = chance_place(app.ui, "33 %", CROWD[0], [], low)
    assert place.top == CROWD[0].y
