"""Terrain laid in fields: one piece to a field, apart from the others."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from engine.core.rules.game import Game
from engine.core.rules.record import Record
from engine.kit.terrain.fields import FieldGrid, SquareFields, bent_line, blob, block
from engine.space.vectors.outlines import checked
from engine.space.vectors.points import box_of
from tests.support.systems.haggle import HAGGLE
from tests.support.systems.scripted import ScriptedDice

FIELDS = FieldGrid((6000, 4000), 6, 4, 300)
percent = st.integers(1, 100)


@given(st.integers(0, 23), st.integers(100, 700), percent, percent)
def test_a_piece_stays_in_its_field_and_off_its_edge(field: int, across: int, x: int, y: int) -> None:
    at = FIELDS.place(field, across, (x, y))
    column, row = field % 6, field // 6
    half = across // 2
    assert column * 1000 + 149 <= at[0] - half
    assert at[0] + half <= column * 1000 + 851
    assert row * 1000 + 149 <= at[1] - half
    assert at[1] + half <= row * 1000 + 851


@pytest.mark.parametrize(
    ("pieces", "dealt"), [("ab", [(3, "a"), (0, "b")]), ("abcdef", [(3, "a"), (0, "b"), (1, "c"), (2, "d")])]
)
def test_each_piece_has_a_field_of_its_own(pieces: str, dealt: list[tuple[int, str]]) -> None:
    game = Game(HAGGLE.start(b"", 3), Record(), ScriptedDice([], [(3, 0, 1, 2)]))
    assert FieldGrid((2000, 2000), 2, 2, 100).dealt(game, pieces, "fields") == dealt


@given(st.integers(100, 700), st.lists(percent, min_size=8, max_size=8))
def test_pieces_are_simple_outlines_no_wider_than_they_should_be(across: int, shares: list[int]) -> None:
    for outline in (blob((0, 0), across, shares), block((0, 0), across // 2, across // 3, along=True)):
        assert checked(outline) == outline, "counter-clockwise, and no corner twice"
        assert all(abs(side) <= across // 2 + 1 for side in box_of(outline))


def test_lines_and_blocks_lie_along_the_table_or_across_it() -> None:
    assert bent_line((0, 0), 80, along=True) == ((-40, 0), (0, 10), (40, 0))
    assert bent_line((0, 0), 80, along=False) == ((0, -40), (10, 0), (0, 40))
    assert box_of(block((5, 5), 10, 3, along=True)) == (-5, 2, 15, 8)
    assert box_of(block((5, 5), 10, 3, along=False)) == (2, -5, 8, 15)


def test_square_fields_lie_whole_in_the_middle_of_the_table() -> None:
    fields = SquareFields((7000, 4000), 3000)
    assert fields.middles == [(2000, 2000), (5000, 2000)]
    assert SquareFields((6000, 6000), 3000).middles == [(1500, 1500), (4500, 1500), (1500, 4500), (4500, 4500)]


def test_square_fields_are_free_where_nothing_lies_and_no_place_is_near() -> None:
    fields = SquareFields((9000, 3000), 3000)
    assert fields.free([], 0, []) == [(1500, 1500), (4500, 1500), (7500, 1500)]
    assert fields.free([(4500, 2700)], 1200, []) == [(1500, 1500), (7500, 1500)]
    assert fields.free([(4500, 2701)], 1200, []) == fields.middles
    touching, inside = ((3000, 0), (3000, 3000)), ((2999, 0), (2999, 3000))
    assert fields.free([], 0, [touching]) == fields.middles
    assert fields.free([], 0, [inside]) == [(4500, 1500), (7500, 1500)]
