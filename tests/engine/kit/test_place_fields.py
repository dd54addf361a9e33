"""Fields of places around a lead."""

from __future__ import annotations

from engine.kit.board.place_fields import bend, others_at, reached, turned
from engine.space.vectors.headings import ANGLES
from protocol.ids import FigureId, NodeId
from protocol.scene.fields import Facing, PickPoint, Placement
from protocol.text import text

TO = PickPoint("to", text("to"))


def test_a_place_within_reach_is_shown_by_a_ring() -> None:
    field = reached(TO, (1000, 1000), 600)
    assert (field.start, field.reach, field.default) == ((1000, 1000), 600, (1000, 1000))
    (ring,) = field.regions
    assert len(ring) == 24
    assert (1600, 1000) in ring


def test_a_bend_lies_half_way_by_default() -> None:
    field = bend(TO, (0, 0), (301, 100), 600)
    assert (field.start, field.reach, field.default) == ((0, 0), 600, (150, 50))


def test_a_heading_is_any_and_the_present_one_by_default() -> None:
    field = turned(Facing("facing", text("facing")), (100, 200), 90, (300, 200))
    assert (field.at, field.angles, field.default, field.box) == ((100, 200), ANGLES, 90, (300, 200))


def test_all_but_the_lead_are_placed_around_it() -> None:
    places = {FigureId("a"): (0, 0), FigureId("b"): (100, 0), FigureId("c"): (0, 100)}
    field = others_at(Placement("places", text("places")), FigureId("a"), (0, 0), 50, 600, places)
    assert (field.around, field.radius, field.within) == ((0, 0), 50, 600)
    assert field.pieces == (NodeId("piece/b"), NodeId("piece/c"))
    assert field.default == {"piece/b": (100, 0), "piece/c": (0, 100)}
