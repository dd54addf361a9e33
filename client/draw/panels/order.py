"""Drawing of the order of play, always in one place: who is on, who is next, what is left in the deck, what is out."""

from __future__ import annotations

from functools import partial

from client.draw.panels.activations import counts_activations, draw_activations
from client.draw.panels.word_tags import tag_words
from client.model.table.view_model import ViewModel
from client.model.words.turn_words import count_words, turn_words
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect


def draw_order(ui: Ui, rect: Rect, model: ViewModel) -> None:
    """Draw the order of play: a part of the frame."""
    top = model.top
    given = rect, top.counters, top.piles, top.waits, top.seats, top.row, top.result, model.words
    ui.part("order", given, partial(_draw_order, ui, rect, model))


def _draw_order(ui: Ui, rect: Rect, model: ViewModel) -> None:
    """Draw who is on and next, then the numbers of the table and its piles, as lines or, where it is low, as one with
    the activations left of each seat before it, where they are counted."""
    top = model.top
    tags = [counter.name for counter in top.counters.values()] + [pile.name for pile in top.piles.values()]
    if rect.h < ui.px(40):
        has_seats = counts_activations(model)
        rect = draw_activations(ui, rect, model) if has_seats else rect
        words = [*([] if has_seats else turn_words(model)), *count_words(model)]
        ui.line(" · ".join(words), rect, size=theme.SMALL)
        ui.tag(rect, phrase("order.tag"), tip="\n".join(words))
    else:
        rest = rect
        for line in turn_words(model):
            rest = ui.lines(line, rest, size=theme.SMALL, bold=True, most=1)
        ui.lines(" · ".join(count_words(model)), rest, size=theme.SMALL, colour=theme.MUTED)
    tag_words(ui, rect, model.texts, *tags)
