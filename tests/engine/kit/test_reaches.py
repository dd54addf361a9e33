"""Regions of moves that are carried from one arrangement to the next are those worked out afresh."""

from __future__ import annotations

from hypothesis import given, strategies as st

from engine.core.rules.memo import Memo
from engine.kit.board.reaches import Exits, regions, regions_afresh
from engine.space.movement.moves import Way
from engine.space.terrain.contact import Base
from engine.space.terrain.features import Area, scenery
from engine.space.vectors.points import Point
from protocol.ids import FigureId

LEAD, MOVE = FigureId("a/1"), 800
GROUND = scenery(
    4000,
    4000,
    [
        Area("pond", ((2300, 1800), (2600, 1800), (2600, 2600), (2300, 2600)), impassable=True),
        Area("hut", ((500, 500), (900, 500), (900, 900), (500, 900))),
    ],
    [],
)
PLACES = st.tuples(st.integers(2, 30), st.integers(2, 30)).map(lambda cell: (cell[0] * 120, cell[1] * 120))
TURNS = st.lists(st.tuples(st.sampled_from([(2000, 2000), (700, 700)]), st.lists(PLACES, max_size=4)), max_size=4)


def exits_at(start: Point) -> Exits:
    """Return all edges of the area that holds a place, and one door."""
    return tuple([(area, (*area.edges, ((900, 700), (900, 700)))) for area in GROUND.areas if area.holds(start)])


@given(TURNS)
def test_kept_regions_are_those_worked_out_afresh(turns: list[tuple[Point, list[Point]]]) -> None:
    memo = Memo()
    for start, places in turns:
        met = tuple([Base(FigureId(f"b/{n}"), at, 60) for n, at in enumerate(places)])
        way, exits = Way(GROUND, 50, 100, met[::2], met[1::2]), exits_at(start)
        found = regions(memo, way, start, MOVE, exits, LEAD, "side")
        assert found == tuple(regions_afresh(way, start, MOVE, exits))
        assert regions(memo, way, start, MOVE, exits, LEAD, "side") is found
