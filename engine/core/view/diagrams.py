"""Small tables laid out by hand, in tenths of an inch: pictures of rulebooks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec

from engine.core.rules.node_ids import feature_node, group_node, piece_node, seat_node
from engine.space.vectors.outlines import octagon, outline_of
from protocol.ids import FigureId, GroupId, NodeId
from protocol.scene.diagrams import Arrow, Diagram
from protocol.scene.nodes import TABLE_NODE, AnyNode, Feature, Group, Piece, Point, SeatNode, Table
from protocol.text import Text
from protocol.words import read_toml

SIZE: Final = (2400, 1200)
TENTH: Final = 10


def at(place: Point) -> Point:
    """Convert a place from tenths of an inch to hundredths."""
    return place[0] * TENTH, place[1] * TENTH


class Layout:
    """A table in the course of being laid out."""

    def __init__(self, names: Mapping[int, str]) -> None:
        """Begin an empty table; `names`: of those seats that are to be seen."""
        self.nodes: dict[NodeId, AnyNode] = {TABLE_NODE: Table(SIZE)}
        self.nodes |= {seat_node(seat): SeatNode(Text(name), seat) for seat, name in names.items()}
        self.arrows: list[Arrow] = []

    @property
    def diagram(self) -> Diagram:
        """The table as it is now."""
        return Diagram(self.nodes, tuple(self.arrows))

    def node(self, id: str, node: Mapping[str, Any]) -> None:
        """Lay any node of a scene, given as on the wire. Raises msgspec.ValidationError."""
        self.nodes[NodeId(id)] = msgspec.convert(node, AnyNode)

    def group(self, seat: int, name: str, *places: Point) -> tuple[NodeId, ...]:
        """Lay a group of figures on bases of an inch, and return the figures."""
        id = GroupId(f"{seat}.{len(self.nodes)}")
        pieces = {
            piece_node(FigureId(f"{id}-{number}")): Piece(at(place), 50, seat, group_node(id))
            for number, place in enumerate(places)
        }
        self.nodes |= pieces
        self.nodes[group_node(id)] = Group(seat, Text(name), tuple(pieces))
        return tuple(pieces)

    def unit(self, seat: int, name: str, *places: Point) -> None:
        """Lay a group whose first figure leads."""
        leader, *_ = self.group(seat, name, *places)
        self.nodes[leader] = msgspec.structs.replace(self.nodes[leader], glyph="leader", status=("leader",))

    def vehicle(self, seat: int, name: str, place: Point, facing: int) -> None:
        """Lay a vehicle on a base of 5 by 2.5 inches."""
        own = f"{seat}.{len(self.nodes)}"
        piece, group = piece_node(FigureId(own)), group_node(GroupId(own))
        self.nodes[piece] = Piece(at(place), 125, seat, group, facing=facing, box=(500, 250))
        self.nodes[group] = Group(seat, Text(name), (piece,))

    def house(self, left: int, bottom: int, width: int, height: int) -> None:
        """Lay a rectangular building."""
        self._feature("building", outline_of((left, bottom, left + width, bottom + height)))

    def patch(self, kind: str, x: int, y: int, wide: int, high: int) -> None:
        """Lay an area of eight corners around a middle."""
        self._feature(kind, octagon((x, y), wide, high))

    def wall(self, *places: Point, kind: str = "wall") -> None:
        """Lay a line of terrain."""
        self._feature(kind, places, line=True)

    def _feature(self, kind: str, outline: tuple[Point, ...], *, line: bool = False) -> None:
        self.nodes[feature_node(str(len(self.nodes)))] = Feature(tuple(map(at, outline)), kind, Text(kind), line=line)

    def way(self, start: Point, end: Point, word: str = "") -> None:
        """Draw a way; `word`: its length."""
        self.arrows.append(Arrow(at(start), at(end), word=word))

    def sight(self, start: Point, end: Point, kind: Literal["clear", "blocked"]) -> None:
        """Draw a line of sight."""
        self.arrows.append(Arrow(at(start), at(end), kind))


def pictures_of(package: str) -> dict[str, Diagram]:
    """Lay out the pictures that rulebook_pictures.toml of a package holds: `seats` are seen, and `lay` calls methods of
    Layout."""
    told = read_toml(package, "rulebook_pictures")
    names = told.pop("names")
    pictures: dict[str, Diagram] = {}
    for picture, about in told.items():
        layout = Layout({seat: names[seat] for seat in about["seats"]})
        for brush, *arguments in about["lay"]:
            getattr(layout, brush)(*arguments)
        pictures[picture] = layout.diagram
    return pictures
