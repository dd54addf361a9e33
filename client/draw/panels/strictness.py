"""Mark beside the dice of a strict table: a closed lock where nobody could know them before their act was fixed, an
open one where the host could."""

from __future__ import annotations

from client.model.table.view_model import ViewModel
from client.model.words.dice_words import strict_words
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from protocol.scene.nodes import Dice

ROW = 16
"""Height of the mark with its words in pixels."""


def draw_strictness(ui: Ui, rect: Rect, model: ViewModel, dice: Dice) -> Rect:
    """Draw the mark of a roll at the top of `rect`; return the room below. Of a table that is not strict nothing."""
    words, is_strict = strict_words(model, dice), model.strictness(dice.roll)
    if not words or rect.h < ui.px(ROW):
        return rect
    row, rest = rect.cut_top(ui.px(ROW), ui.px(4))
    tone = theme.GOOD if is_strict else theme.WARN
    _draw_lock(ui, row.x + ui.px(6), row.centre[1], ui.px(6), tone, is_closed=bool(is_strict))
    body = row.cut_left(ui.px(20))[1]
    ui.label(words, body.x, row.centre[1], size=theme.SMALL, bold=True, colour=tone, room=body.w)
    ui.tag(row, words, phrase("dice.strict.tip" if is_strict else "dice.not_strict.tip"))
    return rest


def _draw_lock(ui: Ui, x: float, y: float, r: float, tone: theme.Colour, *, is_closed: bool) -> None:
    """Draw a lock; the bow of an open one stands beside it."""
    bow = x if is_closed else x + 0.9 * r
    ui.painter.ring(bow, y + 0.25 * r, 0.55 * r, max(r * 0.22, 1.5), tone)
    ui.painter.rect(Rect(x - 0.8 * r, y - r, 1.6 * r, 1.1 * r), tone, 1)
