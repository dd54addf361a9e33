"""Drawing of the activations of a round, seat by seat: who is on, who is next, how many groups have not acted yet."""

from __future__ import annotations

from client.draw.emblem import draw_emblem
from client.model.table.view_model import ViewModel
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect, on_grid

WIDE = 112
"""Width in pixels of a seat at most."""


def counts_activations(model: ViewModel) -> bool:
    """Return True where the scene says how many groups of each seat have not acted yet."""
    return model.top.result is None and any(node.left >= 0 for node in model.top.seats.values())


def draw_activations(ui: Ui, rect: Rect, model: ViewModel) -> Rect:
    """Draw a field for each seat, always in the same place, over two thirds of `rect` at most; return the room at its
    right."""
    seats = sorted(model.top.seats)
    width = min(ui.px(WIDE), on_grid(rect.w * 0.66 / len(seats)) - theme.GAP)
    for seat in seats:
        box, rect = rect.cut_left(width, theme.GAP)
        _draw_seat(ui, box, model, seat)
    return rect.cut_left(theme.GAP)[1]


def _draw_seat(ui: Ui, box: Rect, model: ViewModel, seat: int) -> None:
    node, waits = model.top.seats[seat], model.top.waits
    is_on = waits is not None and seat in waits.seats
    ui.painter.rect(box, theme.RAISED if is_on else theme.FIELD, 5)
    if is_on:
        ui.painter.frame(box, 2, theme.WARN, 5)
    y, r = box.centre[1], min(ui.px(8), box.h / 3)
    draw_emblem(ui.painter, node.colour, box.x + ui.px(8) + r, y, r, faint=not node.alive)
    x, right = box.x + 2 * r + ui.px(12), box.right - ui.px(8)
    is_next = node.next and not is_on
    words = phrase("order.left.next" if is_next else "order.left", left=max(node.left, 0))
    if ui.width(words, size=theme.SMALL, bold=True) > right - x:
        words = f"{max(node.left, 0)}"
    tone = theme.WARN if is_on else theme.TEXT if is_next else theme.MUTED
    ui.label(words, x, y, size=theme.SMALL, bold=is_on or is_next, colour=tone, room=right - x)
    name = model.seat_name(seat)
    parts = [phrase("order.left.tip", name=name, left=max(node.left, 0))]
    parts += [phrase("order.left.on")] if is_on else [phrase("order.left.follows")] if is_next else []
    ui.tag(box, phrase("order.left.tag", name=name), tip="\n".join(parts))
