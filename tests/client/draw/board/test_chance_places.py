"""Chances beside those that can be met stand apart from names and from each other, as far as there is room near by."""

from __future__ import annotations

import math
from itertools import combinations

import pytest

from client.draw.board.chance_labels import TOUCHING, ChanceLabel, chance_place, draw_labels, leader
from client.ui import theme
from client.ui.layout import Rect
from tests.support.clients.windows.readable_app import ReadableApp

CROWD = [Rect(400 + 3 * number, 300, 40, 40) for number in range(6)]
"""Places of groups that stand over each other."""
BOARD = Rect(0, 0, 800, 600)


def test_chances_of_a_crowd_do_not_meet(app: ReadableApp) -> None:
    taken: list[Rect] = []
    for group in CROWD:
        taken.append(chance_place(app.ui, "33 % · \N{MINUS SIGN}0.3", group, taken, BOARD))
    assert not [pair for pair in combinations(taken, 2) if pair[0].overlaps(pair[1])]


def test_a_chance_stands_above_its_thing_where_there_is_room(app: ReadableApp) -> None:
    assert chance_place(app.ui, "33 %", CROWD[0], [], BOARD).y == CROWD[0].top


def test_a_chance_at_the_edge_of_the_board_stands_on_it(app: ReadableApp) -> None:
    low = Rect(0, 0, 800, CROWD[0].top + 4)
    place = chance_place(app.ui, "33 %", CROWD[0], [], low)
    assert place.top == CROWD[0].y


def test_a_chance_covers_no_other_thing_where_there_is_a_free_place(app: ReadableApp) -> None:
    thing, neighbour = Rect(400, 300, 40, 40), Rect(380, 342, 80, 40)
    assert chance_place(app.ui, "33 %", thing, [], BOARD).overlaps(neighbour)
    assert not chance_place(app.ui, "33 %", thing, [], BOARD, [neighbour]).overlaps(neighbour)


SQUARE = ((100.0, 100.0), (140.0, 100.0), (140.0, 140.0), (100.0, 140.0))


@pytest.mark.parametrize(
    ("label", "line"),
    [
        (Rect(90, 180, 60, 18), 40),
        (Rect(140 + TOUCHING, 110, 60, 18), None),
        (Rect(120, 110, 60, 18), None),
        (Rect(143, 143, 60, 18), None),
        (Rect(20, 112, 60, 18), 20),
    ],
    ids=["above", "beside", "across", "at a corner", "at the left"],
)
def test_a_label_away_from_its_group_is_joined_to_the_outline_by_the_shortest_line(
    label: Rect, line: float | None
) -> None:
    ends = leader(label, SQUARE)
    assert (None if ends is None else math.dist(*ends)) == line


def test_the_line_of_a_label_is_drawn_with_a_dark_edge_below_all_labels(app: ReadableApp) -> None:
    app.ui.begin((1280, 800))
    places = [Rect(90, 142, 60, 18), Rect(90, 180, 60, 18)]
    draw_labels(app.ui, [ChanceLabel("33 % · \N{MINUS SIGN}0.3", place, SQUARE, theme.TARGET) for place in places])
    kinds = [(kind, width, colour) for (kind, _, width, colour), _ in app.ui.layers["marks"].painter.shapes]
    app.ui.end()
    assert kinds[:2] == [("open", 3, theme.CASING), ("open", 1, theme.TARGET)]
    assert [kind for kind, _, _ in kinds[2:]] == ["fill", "fill"]
