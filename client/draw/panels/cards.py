"""Drawing of the row of cards: in the order of play, in the faction's colour, with the actions they give."""

from __future__ import annotations

from functools import partial

from client.draw.emblem import draw_emblem
from client.draw.panels.playing_cards import draw_face
from client.model.table.view_model import ViewModel
from client.text.phrases import named, phrase
from client.text.word_help import helps_in
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect, on_grid
from protocol.scene.nodes import Card

FACE, LEAST = 28, 64
"""Pixels across of the face of a playing card, and least ones of what stands beside it."""
LEAST_STATE = 32
"""Pixels across from which the state of a card has its words beside the pips."""
SPENT = 128
"""Opacity of the colour of a card that has been played."""


def draw_row(ui: Ui, rect: Rect, model: ViewModel) -> None:
    """Draw the cards side by side, each as wide as there is room; the current one is raised."""
    row = model.top.row
    if row is None or not row.cards:
        ui.line(phrase("cards.none"), rect, colour=theme.MUTED)
        return
    width = min(ui.px(168), on_grid((rect.w + theme.GAP) / len(row.cards)) - theme.GAP)
    for i, card in enumerate(row.cards):
        box = Rect(rect.x + i * (width + theme.GAP), rect.y, width, rect.h - 4)
        if card.state == "current":
            box = Rect(box.x, box.y + 4, box.w, box.h)
        left = row.left if card.state == "current" else -1
        given = box, card, left, model.top.seats, model.words
        ui.part(("card", i), given, partial(_card, ui, box, card, model, left))


def _card(ui: Ui, box: Rect, card: Card, model: ViewModel, left: int) -> None:
    paper = theme.CARD_STATES.get(card.state, theme.PAPER)
    colour = theme.seat_colour(model.top.colour_of(card.owner) if card.owner >= 0 else -1)
    over = card.state in ("done", "passed")
    ui.painter.rect(box, paper, 6)
    ui.painter.rect(Rect(box.x, box.y, 7, box.h), theme.faded(colour, SPENT) if over else colour)
    if card.state == "current":
        ui.painter.frame(Rect(box.x - 2, box.y - 2, box.w + 4, box.h + 4), 3, theme.FOCUS, 7)
    inside = Rect(box.x + ui.px(16), box.y + ui.px(8), box.w - ui.px(20), box.h - ui.px(12))
    head, rest = inside.cut_top(ui.px(20))
    if theme.CARD_FACES == "playing" and inside.w > ui.px(FACE + LEAST):
        face, rest = rest.cut_right(ui.px(FACE), ui.px(4))
        draw_face(ui, model.top, card, *face.centre)
    side = ui.px(8)
    draw_emblem(ui.painter, model.top.colour_of(card.owner), head.x + side, head.centre[1], side, faint=over)
    who = model.seat_name(card.owner) if card.owner >= 0 else phrase("cards.event")
    ui.label(who, head.x + 2.5 * side, head.centre[1], bold=True, colour=theme.INK, room=head.w - 2.5 * side)
    title, foot = rest.cut_top(ui.px(20))
    name = model.texts.say(card.name)
    ui.line(name, title, size=theme.SMALL, colour=theme.INK)
    hint = model.texts.say(card.hint) if card.hint is not None else ""
    meant = next((told for _, told in helps_in(model.texts, card.name)), None)
    tip = _tip(card, f"{who}: {name}", hint) + (f"\n{meant.words}" if meant is not None else "")
    ui.tag(box, phrase("cards.tag", who=who, name=name), tip=tip, rule=meant.rule if meant is not None else "")
    if hint:
        ui.lines(hint, foot, size=theme.SMALL, colour=theme.INK, most=3)
        return
    y = foot.centre[1]
    for i in range(min(card.pips, 6, int(foot.w // ui.px(16)))):
        spent = over or (left >= 0 and i >= left)
        x = foot.x + ui.px(8) + i * ui.px(16)
        if spent:
            ui.painter.ring(x, y, ui.px(5), 1.5, theme.INK)
        else:
            ui.painter.disc(x, y, ui.px(5), theme.INK)
    state = phrase("cards.left", left=left) if left >= 0 else named("cards.state", card.state)
    room = foot.w - ui.px(16) * min(card.pips, 6)
    if room >= ui.px(LEAST_STATE):
        ui.label(state, foot.right, y, size=theme.SMALL, colour=theme.INK, anchor="right", room=room)


def _tip(card: Card, title: str, hint: str) -> str:
    """Return a card's tooltip: its title, and its hint or its number of actions."""
    more = hint or (phrase("cards.actions", actions=card.pips) if card.pips > 1 else "")
    return f"{title}\n{more}" if more else title
