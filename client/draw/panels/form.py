"""Drawing of a form from the server as rows: counters, switches, options and buttons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from client.text.texts import Texts
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from protocol.text import Text, text
from protocol.wire.list_form import AnyControl, Button, Count, Pick, Switch

ROW: Final = 28
GAP: Final = 4
INSET: Final = 20
BUTTON: Final = 28
VALUE: Final = 40
NOTE: Final = 96
OPTION: Final = 200

FormLine = Text | AnyControl
"""Heading or row."""
MoveRow = Callable[[str, int], object]
"""Callback with a row's id and the steps by which it is moved."""


def draw_lines(
    ui: Ui,
    rect: Rect,
    lines: Sequence[FormLine],
    first: int,
    texts: Texts,
    step: MoveRow,
    marked: int,
    *,
    numbered: bool,
) -> int:
    """Draw the lines from number `first` on, as many as fit; return how many do.

    Rows that are `numbered` are found by their number too, since several may be called the same. The line `marked` (-1:
    none) is the one that keys move.
    """
    shown = 0
    for place, (number, line) in zip(
        rect.rows(ui.px(ROW), ui.px(GAP)), list(enumerate(lines, 1))[first:], strict=False
    ):
        if number - 1 == marked:
            ui.painter.frame(Rect(place.x - ui.px(5), place.y - 1, place.w + ui.px(8), place.h + 2), 1, theme.HINT, 4)
        where = texts.say(text("lists.place", row=number)) if numbered else ""
        if isinstance(line, Text):
            ui.line(texts.say(line), place, size=theme.LARGE, bold=True)
        else:
            _row(ui, place, line, texts, step, where)
        shown += 1
    return shown


def _row(ui: Ui, rect: Rect, row: AnyControl, texts: Texts, step: MoveRow, where: str) -> None:
    label, note = texts.say(row.label), texts.say(row.note)
    tip = "\n".join(texts.say(line) for line in row.hint)
    rect = rect.cut_left(ui.px(INSET) * min(row.inset, 4))[1]

    def found(key: str) -> str:
        return texts.say(text(key, label=label, place=where))

    if isinstance(row, Button):
        ui.button(rect, label, partial(step, row.id, 1), left=True, name=found("lists.row"), tip=tip)
        return
    control, words = rect.cut_right(ui.px(OPTION if isinstance(row, Pick) else 2 * BUTTON + VALUE), ui.px(8))
    if note:
        side, words = words.cut_right(ui.px(NOTE), ui.px(8))
        ui.line(note, side, colour=theme.MUTED, anchor="right")
    tone = theme.TEXT if not isinstance(row, Count) or row.value or row.inset else theme.MUTED
    ui.line(label, words, colour=tone)
    if tip and isinstance(row, Count):  # other rows have the tooltip on their control
        ui.tag(words, found("lists.row"), tip)
    match row:
        case Count():
            fewer, rest = control.cut_left(ui.px(BUTTON))
            more, value = rest.cut_right(ui.px(BUTTON))
            act = partial(step, row.id, -1) if row.value > row.least else None
            ui.button(fewer, "-", act, name=found("lists.fewer"))
            ui.label(str(row.value), *value.centre, anchor="center", bold=row.value > 0, room=value.w)
            act = partial(step, row.id, 1) if row.value < row.most else None
            ui.button(more, "+", act, name=found("lists.more"))
        case Switch():
            says = texts.say(Text("lists.yes" if row.on else "lists.no"))
            ui.button(control, says, partial(step, row.id, 1), chosen=row.on, name=found("lists.row"), tip=tip)
        case Pick():
            chosen = texts.say(row.options[row.value]) if 0 <= row.value < len(row.options) else ""
            options = "\n".join(texts.say(option) for option in row.options)
            ui.button(control, chosen, partial(step, row.id, 1), name=found("lists.row"), tip=tip or options)
