"""Drawing of the head of the prompt panel: whether the viewer is to act, and what happened last."""

from __future__ import annotations

from client.draw.emblem import draw_emblem
from client.model.table.view_model import ViewModel
from client.model.words.act_words import act_words
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from protocol.scene.nodes import TURN

ROW = 20
LEAST, ROOMY = 240, 320
"""Pixels from foot to top of the panel's room, below which the head has the last act alone, and from which that has
all its lines."""
MOST_LINES, FEW_LINES = 3, 2
"""Of the last act, and where there is little room."""


def draw_turn_head(ui: Ui, rect: Rect, model: ViewModel) -> Rect:
    """Draw who is to act, where that is the viewer, and the last act; return the room below."""
    if model.top.result is not None:
        return rect
    waits, most = model.top.waits, MOST_LINES if rect.h >= ui.px(ROOMY) else FEW_LINES
    if waits is not None and model.seat in waits.seats and rect.h >= ui.px(LEAST):
        row, rect = rect.cut_top(ui.px(ROW), ui.px(4))
        r = ui.px(8)
        draw_emblem(ui.painter, model.top.colour_of(model.seat), row.x + r, row.centre[1], r)
        who, name = model.player_name(model.seat), model.seat_name(model.seat)
        is_turn = waits.window == TURN
        words = phrase("turn.you", who=who, name=name) if is_turn else phrase("turn.asked", who=who, name=name)
        _, text = row.cut_left(2 * r + ui.px(8))
        ui.line(words, text, size=theme.SMALL, bold=True, colour=theme.WARN)
        ui.tag(row, words)
    return _draw_last(ui, rect, model, most)


def _draw_last(ui: Ui, rect: Rect, model: ViewModel, most: int) -> Rect:
    """Draw the last act in `most` lines, with the colour of its seat; return the room below."""
    last = model.last
    if last is None:
        return rect
    words = phrase("turn.last", words=act_words(last, model))
    if last.seat >= 0:
        words = phrase("turn.last.of", name=model.seat_name(last.seat), words=act_words(last, model))
    _, text = rect.cut_left(ui.px(12))
    rest = ui.lines(words, text, size=theme.SMALL, colour=theme.MUTED, most=most, gap=8)
    box = Rect(rect.x, rest.top + ui.px(8), rect.w, rect.top - rest.top - ui.px(8))
    tone = theme.seat_colour(model.top.colour_of(last.seat) if last.seat >= 0 else -1)
    ui.painter.rect(Rect(box.x, box.y, 3, box.h), tone)
    ui.tag(box, words, tip=words)
    return Rect(rect.x, rect.y, rect.w, rest.h)
