"""Drawing of rolls with their purpose: the last one with its dice, those before it as lines."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from client.draw.die import dice_rows, draw_dice_rows
from client.draw.panels.strictness import draw_strictness
from client.draw.panels.word_tags import tag_words
from client.model.table.view_model import ViewModel
from client.model.words.dice_words import strict_words, told_of
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.ui.theme import Colour
from protocol.scene.nodes import Dice

SIDES = (32, 28, 24, 20, 16, 12)
"""Pixels a side of the dice, the best first."""
TOTAL_LINES = 36
"""Height in pixels kept free below the dice for their total."""


def draw_dice(ui: Ui, rect: Rect, model: ViewModel, tumble: int = 0) -> None:
    """Draw the panel of rolls: a part of the frame. While `tumble` is above 0 the newest dice show passing faces,
    different for each number."""
    rolls = tuple(model.dice)
    given = rect, rolls, tuple(model.strictness(roll.roll) for roll in rolls), tumble, model.top.seats, model.words
    ui.part("dice", given, partial(_draw_rolls, ui, rect, model, rolls, tumble))


def _draw_rolls(ui: Ui, rect: Rect, model: ViewModel, rolls: Sequence[Dice], tumble: int) -> None:
    if not rolls:
        ui.label(phrase("dice.none"), rect.x, rect.top - ui.px(10), colour=theme.MUTED, room=rect.w)
        return
    last = rolls[-1]
    colour = theme.seat_colour(model.top.colour_of(last.seat))
    rest = ui.lines(_title(model, last), rect, bold=True, most=2, gap=4)
    tag_words(ui, Rect(rect.x, rest.top, rect.w, rect.top - rest.top), model.texts, last.purpose, *last.reasons)
    rest = _faces(ui, rest, last, colour, tumble)
    rest = draw_strictness(ui, rest, model, last) if not tumble else rest
    if not tumble and rest.h > ui.px(16):
        rest = ui.lines(" · ".join(told_of(last, model.texts)), rest, size=theme.SMALL, colour=theme.MUTED, gap=4)
    for old in reversed(rolls[:-1]):
        if rest.h < ui.px(16):
            break
        line, rest = rest.cut_top(ui.px(16))
        faces = " ".join(str(face) for face in old.faces)
        words = " · ".join(filter(None, (f"{_title(model, old)}: {faces}", strict_words(model, old))))
        ui.line(words, line, size=theme.SMALL, colour=theme.FAINT)


def _title(model: ViewModel, dice: Dice) -> str:
    """Return the seat and the purpose of a roll; the purpose alone for a roll of no seat."""
    purpose = model.texts.say(dice.purpose)
    return f"{model.seat_name(dice.seat)}: {purpose}" if dice.seat >= 0 else purpose


def _faces(ui: Ui, rect: Rect, dice: Dice, colour: Colour, tumble: int) -> Rect:
    """Draw the dice in rows, smaller when there are many; return the room below them."""
    room, gap = rect.h - ui.px(TOTAL_LINES), ui.px(4)
    sizes = [(side, dice_rows(len(dice.faces), rect.w, side, gap) * (side + gap)) for side in map(ui.px, SIDES)]
    side, height = next((size for size in sizes if size[1] <= room), sizes[-1])
    draw_dice_rows(ui, rect, dice, colour, side=side, gap=gap, tumble=tumble)
    return rect.cut_top(min(height + gap, rect.h))[1]
