"""Features that the steps of a lesson lead to: who stands in them."""

from __future__ import annotations

from collections.abc import Sequence

from client.model.table.shapes import contains
from client.model.table.tabletop import Tabletop
from protocol.ids import NodeId
from protocol.scene.nodes import Point
from protocol.wire.lessons import LessonStep


def outline_of(feature: NodeId, top: Tabletop) -> Sequence[Point]:
    """Return the outline of a feature that can be stood in, empty where there is none of this name."""
    known = top.features.get(feature)
    return known.outline if known is not None and not known.line else ()


def owners_in(outline: Sequence[Point], top: Tabletop) -> set[int]:
    """Return the owners of the figures within an outline."""
    return {piece.owner for piece in top.pieces.values() if outline and contains(outline, piece.at)}


def stands_in(outline: Sequence[Point], group: NodeId, top: Tabletop) -> bool:
    """Tell whether a figure of the group stands within an outline."""
    return any(contains(outline, piece.at) for _, piece in top.pieces_of(group))


def is_due(step: LessonStep, top: Tabletop, seat: int) -> bool:
    """Tell whether the features that a step names are held by the seat's groups, or are not, as the step wants it."""
    held, unheld = (owners_in(outline_of(feature, top), top) == {seat} for feature in (step.held, step.unheld))
    is_taken = step.inside and seat in owners_in(outline_of(step.object, top), top)
    return (held or not step.held) and not unheld and not is_taken
