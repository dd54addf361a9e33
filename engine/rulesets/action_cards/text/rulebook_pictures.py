"""Pictures of the rulebook."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from engine.core.rules.node_ids import zone_node
from engine.core.view.diagrams import Layout
from protocol.scene.diagrams import Diagram
from protocol.scene.nodes import ROW_NODE, Card, Row, Zone
from protocol.text import Text

NAMES: Final = ("Iron Levy", "Marsh Rats", "Kites", "Tithe")


def _table(*seats: int) -> Layout:
    return Layout({seat: NAMES[seat] for seat in seats})


def row() -> Diagram:
    """Draw a row of five cards, the second being played."""
    layout = _table(0, 1, 2, 3)
    cards = (
        Card("1", Text("Single"), 1, "single", 1, "done"),
        Card("2", Text("Triple"), 0, "triple", 3, "current"),
        Card("3", Text("Special Event"), -1, "event", 0),
        Card("4", Text("Double"), 3, "double", 2),
        Card("5", Text("Single"), 2, "single", 1),
    )
    layout.nodes[ROW_NODE] = Row(cards, 3, 2)
    return layout.diagram


def move() -> Diagram:
    """Draw a group before and after its move."""
    layout = _table(0)
    layout.patch("scrub", 195, 90, 25, 20)
    layout.group(0, "before", (40, 52), (53, 50), (46, 65), (58, 67))
    layout.group(0, "after", (133, 50), (120, 57), (125, 37), (114, 42))
    layout.arrow((53, 50), (133, 50), word="8\u2033")
    return layout.diagram


def vehicle() -> Diagram:
    """Draw a way straight ahead with a turn, and a blast."""
    layout = _table(0, 1)
    layout.vehicle(0, "before", (40, 34), 0)
    layout.vehicle(0, "after", (120, 34), 60)
    layout.arrow((66, 34), (102, 34), word="8\u2033")
    layout.group(1, "Marsh Rats", (180, 80), (193, 83), (186, 69), (199, 71))
    layout.nodes[zone_node("blast")] = Zone("blast", at=(1880, 770), radius=300)
    return layout.diagram


def sight() -> Diagram:
    """Draw a free line of sight, and one blocked by a group."""
    layout = _table(0, 1, 2)
    layout.patch("trees", 110, 91, 20, 18)
    layout.group(0, "A", (30, 40), (42, 44), (35, 54))
    layout.group(1, "B", (190, 80), (202, 84), (195, 94))
    layout.group(1, "C", (200, 26), (212, 30), (204, 15))
    layout.group(2, "Kites", (120, 26), (124, 44))
    layout.arrow((42, 44), (190, 80), "clear")
    layout.arrow((42, 44), (116, 37), "blocked")
    return layout.diagram


def cover() -> Diagram:
    """Draw the same group in every kind of cover."""
    layout = _table(0)
    layout.patch("scrub", 95, 60, 25, 25)
    layout.wall((133, 62), (164, 62))
    layout.house(180, 30, 50, 54)
    for name, x, y in (("open", 30, 56), ("cover", 95, 56), ("behind the wall", 148, 39), ("hard cover", 205, 56)):
        layout.group(0, name, (x - 8, y), (x + 6, y), (x - 1, y + 13))
    return layout.diagram


def combat() -> Diagram:
    """Draw a charge over a wall."""
    layout = _table(0, 1)
    layout.wall((130, 15), (130, 105))
    layout.group(1, "Marsh Rats", (138, 60), (144, 72), (142, 48))
    layout.group(0, "Iron Levy", (122, 60), (110, 70), (109, 52), (100, 61))
    layout.arrow((50, 60), (92, 60))
    return layout.diagram


PICTURES: Final[Mapping[str, Callable[[], Diagram]]] = {
    "row": row,
    "move": move,
    "vehicle": vehicle,
    "sight": sight,
    "cover": cover,
    "combat": combat,
}
