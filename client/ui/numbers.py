"""Numbers of the rows of lists, and the mark of the keyboard, drawn over a screen when it has been described."""

from __future__ import annotations

from client.ui import theme
from client.ui.frame import Ui
from client.ui.hotspots import give_numbers, same_as


def draw_keyboard_marks(ui: Ui) -> None:
    """Draw the numbers of all rows of lists on the topmost page, and a frame around what the keyboard has marked."""
    spots = ui.front_spots
    ui.on(ui.front)
    digits = give_numbers(spots)
    for spot in spots:
        if not spot.listed or not spot.can:
            continue
        number = f"{spot.number:0{digits}}"
        tone = theme.CHOSEN if ui.typed and number.startswith(ui.typed) else theme.MUTED
        ui.label(number, spot.rect.right - ui.px(9), spot.rect.centre[1], size=theme.SMALL, colour=tone, anchor="right")
    ui.marked = same_as(spots, ui.marked) if ui.marked is not None else None
    if ui.marked is not None:
        ui.painter.frame(ui.marked.rect.inset(-ui.px(2)), 3, theme.CHOSEN, 6)
