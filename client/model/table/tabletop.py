"""The scene's nodes, sorted for drawing and for finding what lies under the mouse. Needs no window."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from functools import lru_cache
from itertools import pairwise
from typing import Any, Self, TypeVar

from msgspec.structs import replace

from client.model.table.shapes import box_corners, contains, distance_to_segment, hull, outline_around
from protocol.ids import NodeId
from protocol.scene import nodes as scene

N = TypeVar("N", bound=scene.AnyNode)
Nodes = dict[NodeId, scene.AnyNode]


class Tabletop:
    """Index of one scene. Missing nodes have default stand-ins, so that any part of a scene can be drawn.

    Made from the one `before` it, it has the same dictionary of each kind in which no node has changed.
    """

    def __init__(self, nodes: Mapping[NodeId, scene.AnyNode], before: Tabletop | None = None) -> None:
        was: Nodes = before.nodes if before is not None else {}
        order = was if was.keys() >= nodes.keys() else sorted(nodes, key=_natural)
        self.nodes: Nodes = {node_id: nodes[node_id] for node_id in order if node_id in nodes}
        self._of_kind: dict[type, dict[NodeId, Any]] = _by_kind(
            self.nodes, was, before._of_kind if before is not None else {}
        )
        self.table = self._only(scene.Table) or scene.Table((7200, 4800))
        self.row = self._only(scene.Row)
        self.waits = self._only(scene.Waits)
        self.prompt = self._only(scene.Prompt)
        self.result = self._only(scene.Result)
        self.features = self._all(scene.Feature)
        self.pieces = self._all(scene.Piece)
        self.groups = self._all(scene.Group)
        self.zones = self._all(scene.Zone)
        self.piles = self._all(scene.Pile)
        self.sheets = self._all(scene.Sheet)
        seats = ((node_id.partition("/")[2], node) for node_id, node in self._all(scene.SeatNode).items())
        self.seats = {int(number): node for number, node in seats if number.isdecimal()}
        self.objectives = self._all(scene.Objective)
        goals = {id for objective in self.objectives.values() for id in objective.about}
        self.goal_features = {id: feature for id, feature in self.features.items() if id in goals}
        self.counters = self._all(scene.Counter)
        self.stack = sorted(self._all(scene.StackItem).items(), key=lambda item: item[1].order)
        self.group_of = {piece: name for name, group in self.groups.items() for piece in group.pieces}

    def moved_on(self, nodes: Mapping[NodeId, scene.AnyNode]) -> Tabletop:
        """Return the index of the scene as it is now, with all of this one that has not changed."""
        return self if self.nodes == nodes else Tabletop(nodes, self)

    @property
    def resolved(self) -> frozenset[NodeId]:
        """Things that all that is being resolved is about."""
        return frozenset(thing for _, item in self.stack for thing in item.about)

    def _all(self, kind: type[N]) -> dict[NodeId, N]:
        """Return the nodes of a kind, in the order of their ids."""
        return self._of_kind.get(kind, {})

    def _only(self, kind: type[N]) -> N | None:
        """Return the node of a kind that stands once in a scene, if it has one."""
        return next(reversed(self._all(kind).values()), None)

    def with_pieces_at(self, places: Mapping[NodeId, tuple[float, float]]) -> Self:
        """Return the same table with its pieces at other places, in hundredths; pieces that are not named stay."""
        if not places:
            return self
        other = copy(self)
        moved = {name: (round(x), round(y)) for name, (x, y) in places.items() if name in self.pieces}
        other.pieces = self.pieces | {name: replace(self.pieces[name], at=at) for name, at in moved.items()}
        return other

    def colour_of(self, seat: int) -> int:
        """Return the palette index of a seat, -1 for nobody's."""
        node = self.seats.get(seat)
        return node.colour if node is not None else seat

    def pieces_of(self, group_id: NodeId) -> list[tuple[NodeId, scene.Piece]]:
        """Return the pieces of a group that are on the table."""
        group = self.groups.get(group_id)
        names = group.pieces if group is not None else ()
        return [(name, self.pieces[name]) for name in names if name in self.pieces]

    def group_outline(self, group_id: NodeId, margin: float) -> tuple[tuple[float, float], ...]:
        """Return the outline at a distance `margin` around a group's bases."""
        reach = max((0 if piece.box else piece.radius for _, piece in self.pieces_of(group_id)), default=50)
        points = [point for _, piece in self.pieces_of(group_id) for point in outline_of(piece)]
        return _around(tuple(points), reach + margin)

    def sheet_of(self, node_id: NodeId) -> scene.Sheet | None:
        """Return the unit card of a group, or of a figure's group."""
        group = self.groups.get(self.group_of.get(node_id, node_id))
        return self.sheets.get(group.sheet) if group is not None else None

    def place_of(self, at: scene.Point | NodeId) -> scene.Point | None:
        """Return a place that is given by itself, or by the thing that is pointed at there."""
        return at if isinstance(at, tuple) else self.centre_of(at)

    def centre_of(self, node_id: NodeId) -> scene.Point | None:
        """Return the place by which a thing is pointed at: a piece's own, a group's first piece's, the middle of an
        outline."""
        node = self.nodes.get(node_id)
        match node:
            case scene.Piece():
                return node.at
            case scene.Group():
                pieces = self.pieces_of(node_id)
                return pieces[0][1].at if pieces else None
            case scene.Feature() if node.outline:
                corners = node.outline[:2] if node.line else node.outline
                xs, ys = [x for x, _ in corners], [y for _, y in corners]
                return ((min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2)
            case scene.Zone():
                return node.at or (node.points[0] if node.points else None)
        return None

    def piece_at(self, point: scene.Point, slack: int = 20) -> NodeId:
        """Return the piece under a point: the nearest of several, rectangular ones last; "" if none.

        `slack` in hundredths widens small bases.
        """
        best, best_distance = scene.NO_NODE, float("inf")
        for name, piece in self.pieces.items():
            distance = ((piece.at[0] - point[0]) ** 2 + (piece.at[1] - point[1]) ** 2) ** 0.5
            if piece.box is None and distance <= piece.radius + slack and distance < best_distance:
                best, best_distance = name, distance
        boxes = (name for name, piece in self.pieces.items() if piece.box and contains(outline_of(piece), point))
        return best or next(boxes, scene.NO_NODE)

    def feature_at(self, point: scene.Point, slack: int = 30) -> NodeId:
        """Return the feature under a point, "" if none; lines are met within `slack` hundredths."""
        for name, feature in self.features.items():
            if feature.line:
                pairs = pairwise(feature.outline)
                if any(distance_to_segment(point, a, b) <= slack for a, b in pairs):
                    return name
            elif contains(feature.outline, point):
                return name
        return scene.NO_NODE

    def things_at(self, point: scene.Point, slack: int = 20) -> tuple[NodeId, ...]:
        """Return the node ids under a point: the piece, its group, the feature."""
        piece = self.piece_at(point, slack)
        found = (piece, self.group_of.get(piece, scene.NO_NODE), self.feature_at(point))
        return tuple(name for name in found if name)


def _by_kind(nodes: Nodes, was: Nodes, known: Mapping[type, dict[NodeId, Any]]) -> dict[type, dict[NodeId, Any]]:
    """Return the nodes of each kind: where none differs from what it `was`, the dictionary that is `known`."""
    others = [node_id for node_id in was.keys() | nodes.keys() if was.get(node_id) is not nodes.get(node_id)]
    changed = {type(some[node_id]) for some in (was, nodes) for node_id in others if node_id in some}
    found = {kind: same for kind, same in known.items() if kind not in changed}
    for node_id, node in nodes.items() if changed else ():
        if type(node) in changed:
            found.setdefault(type(node), {})[node_id] = node
    return found


@lru_cache(maxsize=512)
def _around(points: tuple[scene.Point, ...], by: float) -> tuple[tuple[float, float], ...]:
    """Return the outline at a distance around all of these points; cached, since most groups seldom move."""
    return tuple(outline_around(hull(points), by))


def outline_of(piece: scene.Piece) -> list[scene.Point]:
    """Return the corners of a rectangular base; of a round one, its middle."""
    return [piece.at] if piece.box is None else box_corners(piece.at, piece.facing, piece.box)


@lru_cache(maxsize=4096)
def _natural(node_id: NodeId) -> tuple[str, int, str]:
    """Return a sort key that puts piece/2 before piece/10."""
    kind, _, name = node_id.partition("/")
    return (kind, int(name) if name.isdecimal() else -1, name)
