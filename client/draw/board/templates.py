"""Drawing of templates: their shape, and rings around what they touch."""

from __future__ import annotations

from client.input.gestures.templates import HangingTemplate
from client.model.table.tabletop import Tabletop
from client.ui import theme
from client.ui.camera import Camera
from client.ui.frame import Ui
from client.ui.painter import circle
from protocol.scene.fields import Template
from protocol.scene.nodes import Point


def draw_template(ui: Ui, camera: Camera, field: Template, at: Point) -> None:
    """Draw a template with its middle at a place."""
    x, y = camera.to_window(*at)
    size = max(field.size * camera.scale, 4)
    square = [(x - size, y - size), (x + size, y - size), (x + size, y + size), (x - size, y + size)]
    outline = square if field.shape == "square" else circle(x, y, size)
    ui.painter.fill(outline, theme.REACH)
    ui.painter.cased(outline, 2, theme.SELECT, closed=True)


def draw_hanging(ui: Ui, camera: Camera, top: Tabletop, template: HangingTemplate, owner: int) -> None:
    """Draw a template with rings around the pieces that it touches, those of `owner` as a warning."""
    ui.on("marks")
    draw_template(ui, camera, template.field, template.at)
    for piece in template.pieces(top.pieces).values():
        colour = theme.MARK_BAD if piece.owner == owner else theme.TARGET
        ui.painter.cased_ring(*camera.to_window(*piece.at), max(piece.radius * camera.scale, 5) + 3, 3, colour)
