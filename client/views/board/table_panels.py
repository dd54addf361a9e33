"""The panels around the board that the live table and the replay share."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

from client.draw.fairness.mark import draw_fairness
from client.draw.panels.cards import draw_row
from client.draw.panels.dice import draw_dice
from client.draw.panels.log import OfLine, draw_chat, draw_rows, log_rows
from client.draw.panels.order import draw_order
from client.model.chat_words import chat_words
from client.model.folded_log import OpenEntries
from client.model.view_model import ViewModel
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Act, Ui
from client.ui.layout import Rect
from protocol.wire.from_server import TableView

ONE_LINE = 48
"""Pixels below which the panel at the top has one line in place of cards."""


@dataclass
class ScrollPosition:
    """Number of newest entries of a list that are scrolled out of sight. `opened`: what of the log a person has
    opened; `lowest`: the entry at the foot, where that is not the newest."""

    back: int = 0
    lowest: Hashable = None
    opened: OpenEntries = field(default_factory=OpenEntries)

    def turn(self, steps: int) -> None:
        self.back, self.lowest = max(self.back + steps, 0), None

    def follow(self, keys: Sequence[Hashable], least: int) -> None:
        """Go with new entries at the end of the list, unless it is scrolled back: then it stays where it is. `keys`
        tell its entries apart; at least so many stay in sight."""
        if self.back and self.lowest is not None and self.lowest in keys:
            self.back = len(keys) - 1 - keys.index(self.lowest)
        self.back = min(self.back, max(len(keys) - least, 0))
        self.lowest = keys[-1 - self.back] if self.back else None


def draw_top(ui: Ui, rect: Rect, model: ViewModel) -> None:
    """Draw the row of cards and the state of the link; a game without such a row has one line instead,
    and so has a panel that is no higher."""
    ui.painter.box(rect, theme.PANEL, 1, theme.PANEL_EDGE)
    inside = rect.inset(ui.px(7))
    if model.top.row is None or rect.h < ui.px(ONE_LINE):
        _draw_line(ui, inside, model)
        return
    side, cards = inside.cut_right(ui.px(170), ui.px(8))
    order, cards = cards.cut_right(ui.px(200), ui.px(10))
    draw_row(ui, cards, model)
    draw_order(ui, order, model)
    if model.link:
        lines = ui.lines_height(model.link, side.w - ui.px(14), size=theme.SMALL)
        _draw_light(ui, side.x + ui.px(5), side.top - ui.px(9), model)
        text = Rect(side.x + ui.px(14), side.top - lines - 4, side.w - ui.px(14), lines + 4)
        ui.lines(model.link, text, size=theme.SMALL, colour=_tone(model))
    if model.view is not None:
        y = side.y + ui.px(8)
        ui.label(model.view.name, side.x, y + ui.px(17), size=theme.SMALL, bold=True, room=side.w)
        ui.label(_watching(model.view), side.x, y, size=theme.SMALL, colour=theme.MUTED, room=side.w)


def _draw_line(ui: Ui, inside: Rect, model: ViewModel) -> None:
    """Draw one line of the table's name with the number of spectators, the order of play, and the state of the link."""
    name, rest = inside.cut_left(inside.w * 0.25, theme.GAP)
    link, order = rest.cut_right(inside.w * 0.2, theme.GAP)
    y = inside.centre[1]
    if model.view is not None:
        words = f"{model.view.name} · {_watching(model.view)}"
        ui.label(words, name.x, y, size=theme.SMALL, bold=True, room=name.w)
    draw_order(ui, order, model)
    if model.link:
        _draw_light(ui, link.x + ui.px(5), y, model)
        x = link.x + ui.px(14)
        ui.label(model.link, x, y, size=theme.SMALL, colour=_tone(model), room=link.right - x)


def _draw_light(ui: Ui, x: float, y: float, model: ViewModel) -> None:
    ui.painter.disc(x, y, ui.px(4), _tone(model))


def _tone(model: ViewModel) -> theme.Colour:
    return theme.GOOD if model.link_good else theme.WARN


def _watching(view: TableView) -> str:
    count = max(view.watching, len(view.watchers))
    return phrase("watching.count", count=count) if count else phrase("watching.nobody")


def chat_width(rect: Rect) -> float:
    """Return the width of the chat, beside log and dice."""
    return rect.w * 0.313


def draw_bottom(
    ui: Ui,
    rect: Rect,
    model: ViewModel,
    log: ScrollPosition,
    chat: ScrollPosition,
    say: Callable[[Rect], None] | None,
    tumble: int = 0,
    ask_fairness: Act = lambda: None,
    of_rule: Callable[[str], Act | None] = lambda rule: None,
    at_top: Act = lambda: None,
    instead: Callable[[Rect], object] | None = None,
    of_line: OfLine = lambda line: None,
) -> None:
    """Draw log, dice with the mark of their check, and chat. `say` draws the line to write in, where a player may
    write; `at_top` is called while the log is scrolled to its first line; `instead` draws something in the place of log
    and dice."""
    right, past = rect.cut_right(chat_width(rect))
    left, middle = past.cut_left(rect.w * 0.42)
    if instead is not None:
        instead(past)
    else:
        _draw_log(ui, left, model, log, of_rule, at_top)
        _draw_dice(ui, middle, model, tumble, ask_fairness)
    inside = ui.panel(right)
    if say is not None:
        line, inside = inside.cut_bottom(ui.px(28), ui.px(6))
        say(line)
    said = (
        (line, chat_words(line, model.view, model.texts), theme.seat_colour(model.top.colour_of(line.seat)))
        for line in reversed(model.chat)
    )
    chat.follow([id(line) for line in model.chat], least=2)
    if model.chat:
        draw_chat(ui, inside, said, of_line, chat.back)
    else:
        ui.label(phrase("chat.none"), inside.x, inside.top - ui.px(8), colour=theme.FAINT, room=inside.w)
    ui.scrolls(right, chat.turn)


def _draw_log(
    ui: Ui,
    rect: Rect,
    model: ViewModel,
    log: ScrollPosition,
    of_rule: Callable[[str], Act | None],
    at_top: Act,
) -> None:
    inside = ui.panel(rect)
    model.opened = log.opened.keys
    rows = log_rows(model, log.opened.toggle)
    if log.back:
        all_rows = list(rows)
        log.follow([row.key for row in reversed(all_rows)], least=3)
        rows = iter(all_rows)
    if draw_rows(ui, inside, rows, log.back, of_rule) and log.back:
        at_top()
    ui.scrolls(rect, log.turn)


def _draw_dice(ui: Ui, rect: Rect, model: ViewModel, tumble: int, ask_fairness: Act) -> None:
    inside = ui.panel(rect)
    if model.fairness is not None:
        line, inside = inside.cut_bottom(ui.px(18), ui.px(4))
        draw_fairness(ui, line, model.fairness, model.texts, ask_fairness)
    draw_dice(ui, inside, model, tumble)
