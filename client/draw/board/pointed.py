"""Drawing of the marks by which players point at the table: rings in the colour of the seat, with its player's name."""

from __future__ import annotations

from client.draw.plate import draw_plate
from client.model.table.pointed import PointedMark
from client.model.table.view_model import ViewModel
from client.ui import theme
from client.ui.camera import Camera
from client.ui.frame import Ui

RADIUS, RING = 20, 5
"""Pixels of the outer ring, and between the rings."""


def draw_pointed(ui: Ui, camera: Camera, model: ViewModel, marks: list[PointedMark]) -> None:
    """Draw each mark above the figures; one outside the view stands at its edge."""
    board = camera.board.inset(ui.px(RADIUS + 4))
    for mark in marks:
        ui.on("marks")
        x, y = camera.to_window(*mark.at)
        x, y = min(max(x, board.x), board.right), min(max(y, board.y), board.top)
        colour = theme.seat_colour(model.top.colour_of(mark.seat))
        for number, (wide, tone) in enumerate(((6, theme.CASING), (3, colour), (3, colour))):
            ui.painter.ring(x, y, ui.px(RADIUS - RING * max(number - 1, 0)), wide, tone)
        name = model.player_name(mark.seat) or model.seat_name(mark.seat)
        draw_plate(ui, name, x, y + ui.px(RADIUS + 14))
