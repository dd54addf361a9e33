"""The rulebook's pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from engine.core.rules.node_ids import zone_node
from engine.core.view.diagrams import SIZE, Layout
from protocol.scene.diagrams import Diagram
from protocol.scene.nodes import Piece, Point, Zone
from protocol.text import Text

ARMIES: Final = {0: "Iron Marches", 1: "Brood of Ossa"}
LEADER: Final = ("leader",)


def _unit(layout: Layout, seat: int, name: str, *places: Point) -> None:
    """Draw models, the first of which leads."""
    before = set(layout.nodes)
    layout.group(seat, name, *places)
    leader = next(id for id, node in layout.nodes.items() if id not in before and isinstance(node, Piece))
    piece = layout.nodes[leader]
    assert isinstance(piece, Piece)
    layout.nodes[leader] = Piece(piece.at, piece.radius, piece.owner, piece.group, glyph="leader", status=LEADER)


def deploy() -> Diagram:
    """Draw a zone 12 inches deep, and a unit in it."""
    layout = Layout(ARMIES)
    edge = ((0, 0), (SIZE[0], 0), (SIZE[0], 480), (0, 480))
    layout.nodes[zone_node("start")] = Zone("deployment", edge, owner=0, name=Text("within 12\u2033 of the edge"))
    layout.patch("forest", 190, 84, 24, 20)
    _unit(layout, 0, "one big unit", *((60 + 12 * (n % 5), 36 - 12 * (n // 5)) for n in range(10)))
    _unit(layout, 0, "Marshal", (170, 24))
    return layout.diagram


def walk() -> Diagram:
    """Draw a leader's way, and the unit around its end."""
    layout = Layout({0: ARMIES[0]})
    layout.patch("forest", 84, 92, 26, 20)
    _unit(layout, 0, "before", (60, 50), (48, 56), (48, 44), (36, 50), (38, 62))
    _unit(layout, 0, "after", (120, 42), (132, 50), (120, 56), (107, 48), (110, 30))
    layout.arrow((60, 50), (120, 42), word="6\u2033")
    return layout.diagram


def shoot() -> Diagram:
    """Draw a leader's lines of sight: one enemy in sight, in cover, and one behind a hill."""
    layout = Layout(ARMIES)
    layout.patch("ruins", 190, 82, 30, 22)
    layout.patch("hill", 116, 30, 20, 16)
    _unit(layout, 0, "Line Infantry", (40, 52), (28, 58), (30, 44))
    _unit(layout, 1, "in cover", (184, 84), (196, 88), (190, 74))
    _unit(layout, 1, "not seen", (196, 20), (208, 26), (200, 34))
    layout.arrow((40, 52), (184, 84), "clear")
    layout.arrow((40, 52), (98, 36), "blocked")
    return layout.diagram


def melee() -> Diagram:
    """Draw an assault: the leader in contact, the others beside it."""
    layout = Layout(ARMIES)
    _unit(layout, 0, "Line Infantry", (150, 60), (148, 72), (148, 48), (160, 66), (160, 54))
    _unit(layout, 1, "Skitterlings", (140, 60), (138, 71), (138, 49), (128, 64), (127, 53), (118, 58))
    layout.arrow((46, 60), (112, 60), word="up to 12\u2033")
    return layout.diagram


def facing() -> Diagram:
    """Draw the quarters of a vehicle, and the dice that count from each."""
    layout = Layout(ARMIES)
    layout.vehicle(0, "March Tank", (120, 60), 0)
    for name, at, start, end in (
        ("lower of 2 dice", (206, 60), (196, 60), (152, 60)),
        ("one die", (120, 104), (120, 87), (120, 77)),
        ("higher of 2 dice", (34, 60), (44, 60), (90, 60)),
    ):
        _unit(layout, 1, name, at)
        layout.arrow(start, end)
    return layout.diagram


PICTURES: Final[Mapping[str, Callable[[], Diagram]]] = {
    "deploy": deploy,
    "walk": walk,
    "shoot": shoot,
    "melee": melee,
    "facing": facing,
}
