"""Emblems of the seats in the zones where they start, for tables that nobody has set up yet."""

from __future__ import annotations

from typing import Final

from client.draw.emblem import draw_emblem
from client.model.table.start_zones import middle_of, starts_of
from client.model.table.tabletop import Tabletop
from client.ui.camera import Camera
from client.ui.frame import Ui

APART: Final = 2.3
"""Distance of the emblems of seats that start in one zone, in radii."""


def draw_start_marks(ui: Ui, top: Tabletop, camera: Camera, radius: float) -> None:
    """Draw an emblem of so many pixels for each seat whose start zone is known."""
    ui.on("marks")
    for outline, seats in starts_of(top).items():
        x, y = camera.to_window(*middle_of(outline))
        for number, seat in enumerate(seats):
            aside = (number - (len(seats) - 1) / 2) * APART * radius
            draw_emblem(ui.painter, top.colour_of(seat), x + aside, y, radius)
