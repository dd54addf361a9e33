"""Terrain laid by the dice: apart, off start zones, and never across the only way."""

from __future__ import annotations

import random

from hypothesis import given, strategies as st

from engine.kit.terrain.passability import Passability
from engine.kit.terrain.scatter import Bare, LaidPiece, Scatter, chosen, places, shape
from engine.space.vectors.outlines import outline_of
from engine.space.vectors.points import box_of, boxes_meet, widened

SIZE = (4000, 2000)
WHOLE = outline_of((0, 0, *SIZE))
LEFT, GOAL = outline_of((0, 0, 500, 2000)), outline_of((3500, 800, 3800, 1200))
ROCK = Scatter("rock", "rock", "rock", 5, (600, 400), WHOLE, 150, "box")


def bare(*walls: tuple[int, int, int, int]) -> Bare:
    outlines = tuple(map(outline_of, walls))
    return Bare(Passability(SIZE, (LEFT,), (GOAL,), outlines), (GOAL, *outlines), 100)


def test_a_wall_across_the_table_shuts_out_and_a_gap_lets_through() -> None:
    assert bare((1500, 0, 1700, 2000)).ways.shut_out() == [(0, 0)]
    assert bare((1500, 0, 1700, 1700)).ways.shut_out() == []
    assert bare((1500, 0, 1700, 1700)).ways.shut_out([outline_of((1500, 1650, 1700, 2000))]) == [(0, 0)]
    assert bare().ways.shut_out() == []


def test_ground_that_is_worked_on_from_outside_is_reached() -> None:
    walled = bare((3500, 800, 3800, 1200))
    assert walled.ways.shut_out() == [], "150 hundredths from its edge is near enough"
    assert bare((3100, 500, 4000, 1500)).ways.shut_out() == [(0, 0)]


def test_forms_of_a_piece() -> None:
    assert shape(ROCK, (1000, 1000), 600, 400) == outline_of((700, 800, 1300, 1200))
    wall = Scatter("wall", "wall", "wall", 1, (600, 0), WHOLE, form="line")
    assert shape(wall, (1000, 1000), 600, 0) == ((700, 1000), (1300, 1000))
    assert shape(wall, (1000, 1000), 0, 600) == ((1000, 700), (1000, 1300))
    assert len(shape(Scatter("w", "w", "w", 1, (600, 400), WHOLE), (0, 0), 600, 400)) == 8
    assert LaidPiece(LEFT, box_of(LEFT)).side_middles == ((250, 0), (500, 1000), (250, 2000), (0, 1000))


@given(st.integers(0, 1 << 30))
def test_pieces_keep_apart_and_off_what_lies_there(seed: int) -> None:
    table = bare((1900, 0, 2100, 1200))
    order = list(places(table, ROCK))
    random.Random(seed).shuffle(order)
    found = chosen(ROCK, order, (), table.ways)
    assert table.ways.shut_out([piece.outline for piece in found]) == []
    for number, piece in enumerate(found):
        left, bottom, right, top = piece.box
        assert left >= 100
        assert bottom >= 100
        assert right <= 3900
        assert top <= 1900
        assert not boxes_meet(piece.box, widened(box_of(LEFT), 100))
        assert not any(boxes_meet(widened(piece.box, 149), box_of(fixed)) for fixed in table.fixed)
        assert not any(boxes_meet(widened(piece.box, 149), other.box) for other in found[:number])
