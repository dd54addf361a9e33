"""Templates that hang at the pointer while a choice asks for their place, and the pieces that they touch."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple, cast

from client.input.gestures.aims import field_of
from client.input.gestures.controller import GestureController
from client.model.table.shapes import box_corners, contains, distance_to_segment
from protocol.ids import NodeId
from protocol.scene import fields as scene
from protocol.scene.nodes import Piece, Point


class HangingTemplate(NamedTuple):
    """Template at a place. `touched`: the pieces below it as the server says, None before its answer."""

    field: scene.Template
    at: Point
    touched: tuple[NodeId, ...] | None = None

    def pieces(self, pieces: Mapping[NodeId, Piece]) -> dict[NodeId, Piece]:
        """Return the pieces that it touches: before the server's answer, those whose bases lie below it."""
        if self.touched is None:
            return dict(touched_by(self.field, self.at, pieces))
        return {id: pieces[id] for id in self.touched if id in pieces}


def hanging(gestures: GestureController) -> HangingTemplate | None:
    """Return the template whose place is asked for, or waits to be accepted; None where there is none."""
    prompt, aim, pointed = gestures.prompt, gestures.aim, gestures.pointed
    id = aim.choice.id if gestures.held and aim is not None else gestures.armed
    choice = next((choice for choice in prompt.choices if choice.id == id), None) if prompt is not None else None
    if choice is None or choice.gesture is None:
        return None
    key = choice.gesture.object
    field = gestures.fields.get((id, key)) or field_of(choice, key)
    if not isinstance(field, scene.Template) or not field.size:
        return None
    if (
        aim is None
        or aim.choice.id != id
        or not (gestures.held or (pointed is not None and aim.point == pointed.point))
    ):
        return HangingTemplate(field, pointed.point) if pointed is not None else None
    x, y = cast("list[int]", aim.fields[key])
    shown = gestures.proposals.answer_to(id, aim.fields)
    forecast = shown.forecast if shown is not None else None
    return HangingTemplate(field, (x, y), forecast.touched if forecast is not None else None)


def touched_by(field: scene.Template, at: Point, pieces: Mapping[NodeId, Piece]) -> Iterator[tuple[NodeId, Piece]]:
    """Yield the pieces whose bases a template at a place touches, as far as can be seen."""
    for id, piece in pieces.items():
        if piece.box is not None:
            corners = box_corners(piece.at, piece.facing, piece.box)
            edges = zip(corners, [*corners[1:], corners[0]], strict=True)
            is_below = contains(corners, at) or any(distance_to_segment(at, a, b) <= field.size for a, b in edges)
        else:
            is_below = _beyond(field, at, piece.at) <= piece.radius
        if is_below:
            yield id, piece


def _beyond(field: scene.Template, at: Point, point: Point) -> float:
    """Return the distance of a point from a template, 0 inside it."""
    if field.shape == "square":
        return math.hypot(*(max(abs(a - b) - field.size, 0) for a, b in zip(at, point, strict=True)))
    return max(math.dist(at, point) - field.size, 0)
