"""Drawing of the order of play, always in one place: who is on, who is next, what is left in the deck, what is out."""

from __future__ import annotations

from client.draw.panels.activations import counts_activations, draw_activations
from client.draw.panels.word_tags import tag_words
from client.model.view_model import ViewModel
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect


def draw_order(ui: Ui, rect: Rect, model: ViewModel) -> None:
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


def turn_words(model: ViewModel) -> list[str]:
    """Return who is on, and whose card comes next where cards lay down the order."""
    top = model.top
    if top.result is not None:
        return []
    on = ", ".join(model.seat_name(seat) for seat in (top.waits.seats if top.waits is not None else ()))
    words = [phrase("order.on", who=on)] if on else []
    if top.row is None:
        following = [model.seat_name(seat) for seat, node in top.seats.items() if node.next]
        return [*words, *(phrase("order.next", who=who) for who in following)]
    coming = next((card for card in top.row.cards if card.state == "waiting"), None)
    if coming is None:
        return [*words, phrase("order.last")] if top.row.cards else words
    who = model.seat_name(coming.owner) if coming.owner >= 0 else model.texts.say(coming.name)
    return [*words, phrase("order.next", who=who)]


def count_words(model: ViewModel) -> list[str]:
    """Return the numbers of the table, those that have an end first, and how many cards lie in each of its piles."""
    say = model.texts.say
    counters = sorted(model.top.counters.values(), key=lambda counter: not counter.most)
    return [
        *(f"{say(one.name)} {one.value}" + (f"/{one.most}" if one.most else "") for one in counters),
        *(f"{say(pile.name)} {pile.count}" for pile in model.top.piles.values()),
    ]
