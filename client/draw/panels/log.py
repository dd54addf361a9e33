"""Drawing of the log and the chat: the newest line at the bottom, older ones above as far as there is room."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice

from client.model.table.folded_log import shown_lines
from client.model.table.view_model import ChatEntry, ViewModel
from client.model.words.dice_words import dice_words, strict_words
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Act, Ui
from client.ui.layout import Rect
from client.ui.theme import Colour

OfPerson = Callable[[str], Act | None]
"""Returns the act that opens the card of a person, by their id; None where there is none."""
OfLine = Callable[[ChatEntry], Act | None]
"""Returns the act that opens the card of who has said a line; None where there is none."""


@dataclass(frozen=True)
class ListRow:
    """Line of a list. `depth`: how far it is indented; `is_open`: it can be opened, and is or is not; `act`: what a
    click on it does, and `tip` says; `is_small`: it is a part of another, in fainter letters; `key`: tells it from the
    others, whatever is added before and behind them."""

    words: str
    colour: Colour
    rule: str = ""
    depth: int = 1
    is_open: bool | None = None
    act: Act | None = None
    tip: str = ""
    is_small: bool = False
    key: Hashable = None


def draw_chat(
    ui: Ui, rect: Rect, lines: Iterable[tuple[ChatEntry, str, Colour]], of_line: OfLine, back: int = 0
) -> bool:
    """Draw lines of chat, the newest first, each with its words and colour, from the bottom up, the first `back` of
    them scrolled out of sight; a click on one calls what `of_line` gives for it. Return True if the oldest of all is in
    sight."""
    rows = (
        ListRow(words, colour, act=of_line(line), tip=phrase("people.about.tip", name=line.name))
        for line, words, colour in lines
    )
    return draw_rows(ui, rect, rows, back, lambda rule: None)


def draw_rows(ui: Ui, rect: Rect, rows: Iterable[ListRow], back: int, of_rule: Callable[[str], Act | None]) -> bool:
    """Draw the rows of a list, the lowest first, from the bottom up, the first `back` of them scrolled out of sight;
    return True if the highest of all is in sight. No more rows are made than are in sight.

    A click on a row that tells of a rule calls what `of_rule` gives.
    """
    step = ui.line_height(theme.SMALL)
    y = rect.y + step / 2
    for row in islice(rows, back, None):
        indent = ui.px(8) * row.depth + (ui.px(12) if row.is_open is not None else 0)
        lines = ui.wrapped(row.words, max(rect.w - indent, 20), size=theme.SMALL)
        if y + step * (len(lines) - 0.5) > rect.top:
            lines = lines[-max(int((rect.top - y + step / 2) // step), 0) :] if y + step / 2 <= rect.top else ()
        if not lines:
            return False
        for line in reversed(lines):
            ui.label(line, rect.x + indent, y, size=theme.SMALL, colour=theme.MUTED if row.is_small else theme.TEXT)
            y += step
        box = Rect(rect.x, y - step * (len(lines) + 0.5), rect.w, step * len(lines))
        _tag_row(ui, box, row, of_rule)
        if row.is_open is not None:
            _draw_fold(ui, rect.x + ui.px(10), box.top - step / 2, ui.px(4), is_open=row.is_open)
        ui.painter.rect(Rect(box.x, box.y + 1, 3, box.h - 2), row.colour)
    return True


def _tag_row(ui: Ui, box: Rect, row: ListRow, of_rule: Callable[[str], Act | None]) -> None:
    """Make a row that tells of a rule, or can be opened, a thing to click."""
    rule = of_rule(row.rule) if row.rule else None
    if rule is not None:
        ui.tag(box, phrase("log.rule", rule=row.rule), tip=phrase("log.rule", rule=row.rule), act=rule)
    elif row.act is not None:
        tip = row.tip or phrase("log.fold" if row.is_open else "log.open")
        ui.tag(box, row.words, tip=tip, act=row.act)


def _draw_fold(ui: Ui, x: float, y: float, by: float, *, is_open: bool) -> None:
    """Draw the sign of a line that can be opened: a triangle to the right, or down."""
    tips = (
        [(x, y + by), (x + 2 * by, y + by), (x + by, y - by)]
        if is_open
        else [(x, y - by), (x, y + by), (x + 2 * by, y)]
    )
    ui.painter.fill(tips, theme.MUTED)


def log_rows(model: ViewModel, toggle: Callable[[Hashable], object]) -> Iterator[ListRow]:
    """Yield the rows of the log, the lowest first, folded by activation; a click on an activation or an act calls
    `toggle` with its key. Rule ids stand behind the lines inside an act alone."""
    for entry, line, depth in shown_lines(model.log, model.opened):
        colour = theme.seat_colour(model.top.colour_of(line.seat)) if line.seat >= 0 else theme.MUTED
        if entry is None:
            words = f"{line.text}  [{line.rule}]" if line.rule else line.text
            if line.dice is not None:
                told, key = dice_words(line.dice, model.texts), ("dice", id(line))
                of_dice = " · ".join(filter(None, (told, strict_words(model, line.dice))))
                yield ListRow(of_dice, colour, depth=depth + 1, is_small=True, key=key)
            yield ListRow(words, colour, line.rule, depth, is_small=True, key=id(line))
        elif entry.key is not None:
            is_open, act = entry.key in model.opened, partial(toggle, entry.key)
            yield ListRow(line.text, colour, depth=depth, is_open=is_open, act=act, key=entry.key)
        else:
            yield ListRow(line.text, colour, line.rule, depth, key=id(line))
