"""Tables laid out by hand: tenths of an inch become hundredths, and every node has an id of its own."""

from __future__ import annotations

from engine.core.view.diagrams import SIZE, Layout, at
from protocol.scene.diagrams import Arrow, packed, unpacked
from protocol.scene.nodes import Feature, Group, Piece, SeatNode, Table
from protocol.text import Text


def test_places_are_in_tenths() -> None:
    assert at((3, 40)) == (30, 400)


def test_a_table_begins_with_the_seats_that_are_to_be_seen() -> None:
    assert Layout({1: "Red"}).diagram.nodes == {"table": Table(SIZE), "seat/1": SeatNode(Text("Red"), 1)}


def test_groups_and_vehicles_have_their_pieces() -> None:
    layout = Layout({})
    layout.group(0, "Guards", (10, 20), (12, 20))
    layout.vehicle(1, "Tank", (50, 60), 90)
    nodes = layout.diagram.nodes
    guards, tank = (node for node in nodes.values() if isinstance(node, Group))
    assert (guards.owner, guards.name) == (0, Text("Guards"))
    assert (tank.owner, tank.name) == (1, Text("Tank"))
    first, second = (nodes[id] for id in guards.pieces)
    (hull,) = (nodes[id] for id in tank.pieces)
    assert isinstance(first, Piece)
    assert isinstance(second, Piece)
    assert isinstance(hull, Piece)
    assert (first.at, second.at, first.radius, first.owner) == ((100, 200), (120, 200), 50, 0)
    assert (hull.at, hull.box, hull.facing, hull.owner) == ((500, 600), (500, 250), 90, 1)
    assert nodes[first.group] is guards
    assert nodes[hull.group] is tank


def test_features_have_outlines() -> None:
    layout = Layout({})
    layout.house(10, 20, 30, 40)
    layout.patch("wood", 100, 100, 10, 5)
    layout.wall((0, 0), (5, 5), kind="hedge")
    house, wood, hedge = (node for node in layout.nodes.values() if isinstance(node, Feature))
    assert (house.kind, house.outline) == ("building", ((100, 200), (400, 200), (400, 600), (100, 600)))
    assert (wood.kind, len(set(wood.outline)), wood.line) == ("wood", 8, False)
    assert {abs(x - 1000) for x, _ in wood.outline} == {40, 100}
    assert {abs(y - 1000) for _, y in wood.outline} == {20, 50}
    assert (hedge.kind, hedge.line, hedge.outline) == ("hedge", True, ((0, 0), (50, 50)))


def test_a_diagram_is_the_table_as_it_was_then() -> None:
    layout = Layout({0: "Red"})
    layout.way((0, 0), (6, 0), "6 inches")
    layout.sight((0, 0), (0, 6), "blocked")
    before = layout.diagram
    layout.way((1, 1), (2, 2))
    assert before.arrows == (Arrow((0, 0), (60, 0), word="6 inches"), Arrow((0, 0), (0, 60), "blocked"))
    assert unpacked(packed(before)) == before
