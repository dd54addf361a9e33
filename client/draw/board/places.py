"""Places in the window of things on the board."""

from __future__ import annotations

from client.draw.board.groups import AROUND
from client.draw.board.tokens import LEAST
from client.model.table.tabletop import Tabletop
from client.ui.camera import Camera, Spot
from client.ui.layout import Rect
from client.ui.painter import circle
from protocol.ids import NodeId


def box_of(camera: Camera, top: Tabletop, thing: NodeId) -> Rect | None:
    """Return the rectangle of the window that a group or a piece covers, None where it is not on the table."""
    if thing in top.pieces:
        piece = top.pieces[thing]
        (x, y), r = camera.to_window(*piece.at), max(piece.radius * camera.scale, LEAST / 2)
        return Rect(x - r, y - r, 2 * r, 2 * r)
    if not top.pieces_of(thing):
        return None
    points = camera.outline(top.group_outline(thing, AROUND))
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def outline_of_thing(camera: Camera, top: Tabletop, thing: NodeId, margin: float) -> tuple[Spot, ...]:
    """Return the outline in the window at a distance `margin`, in hundredths, around a group's bases or around a
    piece."""
    if thing not in top.pieces:
        return camera.outline(top.group_outline(thing, margin))
    piece = top.pieces[thing]
    radius = max(piece.radius * camera.scale, LEAST / 2) + margin * camera.scale
    return tuple(circle(*camera.to_window(*piece.at), radius))
