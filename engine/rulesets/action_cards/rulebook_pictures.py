"""The rulebook's pictures: small tables laid out by hand, in tenths of an inch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal

from protocol.diagrams import Arrow, Diagram
from protocol.scene import AnyNode, Card, Feature, Group, Piece, Point, Row, SeatNode, Table, Zone
from protocol.text import Text

NAMES: Final = ("Iron Levy", "Marsh Rats", "Kites", "Tithe")
SIZE: Final = (2400, 1200)
TENTH: Final = 10


def _at(place: Point) -> Point:
    return place[0] * TENTH, place[1] * TENTH


class Layout:
    """A table that is being laid."""

    def __init__(self, *seats: int) -> None:
        self.nodes: dict[str, AnyNode] = {"table": Table(SIZE)}
        self.nodes |= {f"seat/{seat}": SeatNode(Text(NAMES[seat]), seat) for seat in seats}
        self.arrows: list[Arrow] = []

    @property
    def diagram(self) -> Diagram:
        return Diagram(self.nodes, tuple(self.arrows))

    def group(self, seat: int, name: str, *places: Point) -> None:
        id = f"{seat}.{len(self.nodes)}"
        pieces = {
            f"piece/{id}-{number}": Piece(_at(place), 50, seat, f"group/{id}") for number, place in enumerate(places)
        }
        self.nodes |= pieces
        self.nodes[f"group/{id}"] = Group(seat, Text(name), tuple(pieces))

    def vehicle(self, seat: int, name: str, place: Point, facing: int) -> None:
        id = f"{seat}.{len(self.nodes)}"
        self.nodes[f"piece/{id}"] = Piece(_at(place), 125, seat, f"group/{id}", facing=facing, box=(500, 250))
        self.nodes[f"group/{id}"] = Group(seat, Text(name), (f"piece/{id}",))

    def house(self, left: int, bottom: int, width: int, height: int) -> None:
        right, top = left + width, bottom + height
        self._feature("building", ((left, bottom), (right, bottom), (right, top), (left, top)))

    def patch(self, kind: str, x: int, y: int, wide: int, high: int) -> None:
        """Eight corners around a middle."""
        w, h = wide * 2 // 5, high * 2 // 5
        right, left = ((x + wide, y - h), (x + wide, y + h)), ((x - wide, y + h), (x - wide, y - h))
        self._feature(kind, ((x - w, y - high), (x + w, y - high), *right, (x + w, y + high), (x - w, y + high), *left))

    def wall(self, *places: Point) -> None:
        self._feature("wall", places, line=True)

    def _feature(self, kind: str, outline: tuple[Point, ...], line: bool = False) -> None:
        self.nodes[f"feature/{len(self.nodes)}"] = Feature(tuple(map(_at, outline)), kind, Text(kind), line=line)

    def arrow(self, start: Point, end: Point, kind: Literal["way", "clear", "blocked"] = "way", word: str = "") -> None:
        self.arrows.append(Arrow(_at(start), _at(end), kind, word))


def row() -> Diagram:
    """A row of five cards, the second being played."""
    layout = Layout(0, 1, 2, 3)
    cards = (
        Card("1", Text("Single"), 1, "single", 1, "done"),
        Card("2", Text("Triple"), 0, "triple", 3, "current"),
        Card("3", Text("Special Event"), -1, "event", 0),
        Card("4", Text("Double"), 3, "double", 2),
        Card("5", Text("Single"), 2, "single", 1),
    )
    layout.nodes["row"] = Row(cards, 3, 2)
    return layout.diagram


def move() -> Diagram:
    """A group before and after its move."""
    layout = Layout(0)
    layout.patch("scrub", 195, 90, 25, 20)
    layout.group(0, "before", (40, 52), (53, 50), (46, 65), (58, 67))
    layout.group(0, "after", (133, 50), (120, 57), (125, 37), (114, 42))
    layout.arrow((53, 50), (133, 50), word="8\u2033")
    return layout.diagram


def vehicle() -> Diagram:
    """A way straight ahead and a turn; a blast."""
    layout = Layout(0, 1)
    layout.vehicle(0, "before", (40, 34), 0)
    layout.vehicle(0, "after", (120, 34), 60)
    layout.arrow((66, 34), (102, 34), word="8\u2033")
    layout.group(1, "Marsh Rats", (180, 80), (193, 83), (186, 69), (199, 71))
    layout.nodes["zone/blast"] = Zone("blast", at=(1880, 770), radius=300)
    return layout.diagram


def sight() -> Diagram:
    """One line of sight that is free, one that a group is in."""
    layout = Layout(0, 1, 2)
    layout.patch("trees", 110, 91, 20, 18)
    layout.group(0, "A", (30, 40), (42, 44), (35, 54))
    layout.group(1, "B", (190, 80), (202, 84), (195, 94))
    layout.group(1, "C", (200, 26), (212, 30), (204, 15))
    layout.group(2, "Kites", (120, 26), (124, 44))
    layout.arrow((42, 44), (190, 80), "clear")
    layout.arrow((42, 44), (116, 37), "blocked")
    return layout.diagram


def cover() -> Diagram:
    """The same group in every kind of cover."""
    layout = Layout(0)
    layout.patch("scrub", 95, 60, 25, 25)
    layout.wall((133, 62), (164, 62))
    layout.house(180, 30, 50, 54)
    for name, x, y in (("open", 30, 56), ("cover", 95, 56), ("behind the wall", 148, 39), ("hard cover", 205, 56)):
        layout.group(0, name, (x - 8, y), (x + 6, y), (x - 1, y + 13))
    return layout.diagram


def combat() -> Diagram:
    """A charge over a wall."""
    layout = Layout(0, 1)
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
