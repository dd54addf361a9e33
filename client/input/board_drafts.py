"""Drafts of fields that are filled in on the board: places, cells, points of a path, facings, templates."""

from __future__ import annotations

from typing import TypeVar

from client.input.field_draft import F, FieldDraft
from client.model.table.shapes import nearest_allowed, nearest_angle
from client.text.phrases import phrase
from protocol.ids import NodeId
from protocol.scene.fields import Facing, PathPoint, PickCell, PickPoint, Placement, Template
from protocol.scene.nodes import NO_NODE, Point

P = TypeVar("P", bound=PickPoint | Template)


class BoardDraft(FieldDraft[F]):
    """Draft that the mouse over the board fills in: there it shows where something would go."""


class _Spot(BoardDraft[P]):
    """Draft of a point in hundredths: the allowed place nearest to the click; it may be moved until it is accepted."""

    def __init__(self, field: P) -> None:
        super().__init__(field)
        self.point = field.default

    def put(self, point: Point) -> None:
        self.touched, self.point = True, point

    def aim(self, point: Point) -> bool:
        self.put(self.meant(point))
        return True

    def nudge(self, dx: int, dy: int) -> bool:
        x, y = self.point or self.field.start or (0, 0)
        return self.aim((x + dx, y + dy))

    def meant(self, point: Point) -> Point:
        """Return the place that a click at a point means."""
        return nearest_allowed(point, self.field.start, self.field.reach, self.field.regions)

    def is_open(self) -> bool:
        """Return True while a place is still needed."""
        return self.point is None and not self.field.auto

    def wire(self) -> object:
        assert self.point is not None
        return list(self.point)


class PointDraft(_Spot[PickPoint]):
    """Draft of a place that a thing goes to or an act is aimed at."""

    def missing(self) -> str:
        return phrase("drafts.point") if self.is_open() else ""


class TemplateDraft(_Spot[Template]):
    """Draft of the place of a template."""

    def missing(self) -> str:
        return phrase("drafts.template") if self.is_open() else ""


class PlacementDraft(BoardDraft[Placement]):
    """Draft of places for all pieces, the default's until dragged. `held` is the piece being dragged."""

    def __init__(self, field: Placement) -> None:
        super().__init__(field)
        self.places: dict[NodeId, Point] = dict(field.default)
        self.held = NO_NODE

    def holdable(self) -> tuple[NodeId, ...]:
        return self.field.pieces

    def hold(self, node_id: NodeId) -> None:
        self.held = node_id

    def nudge(self, dx: int, dy: int) -> bool:
        x, y = self.places.get(self.held, self.field.around or (0, 0))
        self.put(self.held, (x + dx, y + dy))
        return bool(self.held)

    def put(self, piece: NodeId, point: Point) -> None:
        if piece in self.field.pieces:
            self.touched = True
            self.places[piece] = point

    def missing(self) -> str:
        without = [piece for piece in self.field.pieces if piece not in self.places]
        if not without or (self.field.auto and not self.touched):
            return ""
        return phrase("drafts.places", left=len(without))

    def wire(self) -> object:
        return {piece: list(self.places[piece]) for piece in self.field.pieces}


class CellDraft(BoardDraft[PickCell]):
    """Draft of a cell; clicking one that can be picked settles the field."""

    def __init__(self, field: PickCell) -> None:
        super().__init__(field)
        self.cell = field.default
        self.settled = False

    def aim(self, point: Point) -> bool:
        cell = self.meant(point)
        if cell is not None:
            self.touched, self.cell, self.settled = True, cell, True
        return True

    def meant(self, point: Point) -> tuple[int, int] | None:
        """Return the cell that a click at a point means, if it can be picked."""
        cell = self.field.grid.nearest(point) if self.field.grid is not None else None
        return cell if cell in self.field.options else None

    def step(self, by: int) -> bool:
        if self.field.options:
            at = self.field.options.index(self.cell) + by if self.cell in self.field.options else 0
            self.touched, self.cell = True, self.field.options[at % len(self.field.options)]
        return True

    def complete_by_pick(self) -> bool:
        return self.settled

    def missing(self) -> str:
        return "" if self.cell is not None or self.field.auto else phrase("drafts.cell")

    def wire(self) -> object:
        assert self.cell is not None
        return list(self.cell)


class PathDraft(BoardDraft[PathPoint]):
    """Draft of a corner of a path; clicking near one settles the field."""

    def __init__(self, field: PathPoint) -> None:
        super().__init__(field)
        self.number = min(max(field.default, field.least), max(len(field.path) - 1, 0))
        self.settled = False

    def aim(self, point: Point) -> bool:
        self.touched, self.number, self.settled = True, self.meant(point), True
        return True

    def meant(self, point: Point) -> int:
        """Return the corner that a click at a point means."""
        known = range(self.field.least, len(self.field.path))
        corners = self.field.path
        return min(known, key=lambda i: (corners[i][0] - point[0]) ** 2 + (corners[i][1] - point[1]) ** 2, default=0)

    def step(self, by: int) -> bool:
        self.touched = True
        self.number = min(max(self.number + by, self.field.least), max(len(self.field.path) - 1, 0))
        return True

    def complete_by_pick(self) -> bool:
        return self.settled

    def wire(self) -> object:
        return self.number


class FacingDraft(BoardDraft[Facing]):
    """Draft of an angle: the allowed one that points most towards the click; it can be changed until accepted."""

    def __init__(self, field: Facing) -> None:
        super().__init__(field)
        self.angle = field.default

    def aim(self, point: Point) -> bool:
        self.touched, self.angle = True, self.meant(point)
        return True

    def meant(self, point: Point) -> int:
        """Return the angle that a click at a point means."""
        return nearest_angle(self.field.at, point, self.field.angles, self.angle)

    def step(self, by: int) -> bool:
        angles = self.field.angles
        if angles:
            at = angles.index(self.angle) + by if self.angle in angles else 0
            self.touched, self.angle = True, angles[at % len(angles)]
        return True

    def wire(self) -> object:
        return self.angle
