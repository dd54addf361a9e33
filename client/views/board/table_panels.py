"""The panels around the board that the live table and the replay share."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

from client.draw.fairness.mark import draw_fairness
from client.draw.panels.cards import draw_row
from client.draw.panels.dice import draw_dice
from client.draw.panels.log import OfLine, draw_chat, draw_rows, log_rows
from client.draw.panels.order import draw_order
from client.model.table.folded_log import OpenEntries
from client.model.table.view_model import ViewModel
from client.model.words.chat_words import chat_words
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Act, Ui
from client.ui.layout import Rect, on_grid
from client.ui.table_layout import CHAT, LOG, NOWHERE, TableLayout
from protocol.wire.from_server import TableView

ONE_LINE = 48
"""Pixels below which the panel at the top has one line in place of cards."""
LINE = 16
"""Pixels from foot to top of a small line."""
DICE, MOST_DICE = 124, 180
"""Least and most pixels from foot to top of the dice over the log."""


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
    if model.top.row is None or rect.h < ui.px(ONE_LINE):
        _draw_line(ui, rect.inset(ui.px(4)), model)
        return
    side, cards = rect.inset(ui.px(8)).cut_right(min(ui.px(200), on_grid(rect.w * 0.3)), ui.px(8))
    draw_row(ui, cards, model)
    link, order = side.cut_bottom(ui.px(LINE))
    draw_order(ui, order, model)
    if model.link_good and model.view is not None:
        _draw_link(ui, link, model, f"{model.view.name} · {_watching(model.view)}", theme.MUTED)
    else:
        _draw_link(ui, link, model, model.link, _tone(model))


def _draw_line(ui: Ui, inside: Rect, model: ViewModel) -> None:
    """Draw one line of the order of play, the table's name with the number of spectators, and the state of the
    link."""
    link, rest = inside.cut_right(on_grid(inside.w * 0.14), ui.px(8))
    name, order = rest.cut_right(on_grid(rest.w * 0.22), ui.px(8))
    if model.view is not None:
        words = f"{model.view.name} · {_watching(model.view)}"
        ui.label(words, name.x, inside.centre[1], size=theme.SMALL, colour=theme.MUTED, room=name.w)
    draw_order(ui, order, model)
    _draw_link(ui, link, model, model.link, _tone(model))


def _draw_link(ui: Ui, line: Rect, model: ViewModel, words: str, tone: theme.Colour) -> None:
    """Draw a light for the state of the link with words beside it; its own words are told whole in a tip."""
    if not model.link:
        return
    ui.painter.disc(line.x + ui.px(4), line.centre[1], ui.px(4), _tone(model))
    ui.line(words, line.cut_left(ui.px(16))[1], size=theme.SMALL, colour=tone)
    ui.tag(line, phrase("link.tag"), tip=model.link)


def _tone(model: ViewModel) -> theme.Colour:
    return theme.GOOD if model.link_good else theme.WARN


def _watching(view: TableView) -> str:
    count = max(view.watching, len(view.watchers))
    return phrase("watching.count", count=count) if count else phrase("watching.nobody")


@dataclass(frozen=True)
class LogActs:
    """Acts of the panel of dice and log. `ask_fairness`: a click on the mark of the check of dice; `of_rule`: returns
    the act of a line that tells of a rule; `at_top` is called while the log is scrolled to its first line."""

    ask_fairness: Act = lambda: None
    of_rule: Callable[[str], Act | None] = lambda rule: None
    at_top: Act = lambda: None


def dice_part(ui: Ui, rect: Rect) -> tuple[Rect, Rect]:
    """Return the part of the panel of dice and log that has the dice, and the part that has the log."""
    return rect.cut_top(on_grid(min(max(rect.h * 0.4, ui.px(DICE)), ui.px(MOST_DICE), rect.h * 0.7)))


def named_parts(ui: Ui, layout: TableLayout) -> dict[str, Rect]:
    """Return the places of the parts of the window by their names; `NOWHERE` for those that are shut."""
    feed = layout.place_of(LOG)
    dice, log = dice_part(ui, feed) if feed.w else (NOWHERE, NOWHERE)
    own = {"row": layout.row, "board": layout.board, "seats": layout.seats, "prompt": layout.prompt}
    return {**own, "dice": dice, "log": log, "chat": layout.place_of(CHAT)}


def draw_log_and_dice(
    ui: Ui, rect: Rect, model: ViewModel, log: ScrollPosition, acts: LogActs | None = None, tumble: int = 0
) -> None:
    """Draw the newest dice with the mark of their check, and below them the log."""
    acts = acts or LogActs()
    dice, lines = dice_part(ui, rect)
    _draw_dice(ui, dice, model, tumble, acts.ask_fairness)
    inside = ui.panel(lines)
    model.opened = log.opened.keys
    rows = log_rows(model, log.opened.toggle)
    if log.back:
        all_rows = list(rows)
        log.follow([row.key for row in reversed(all_rows)], least=3)
        rows = iter(all_rows)
    if draw_rows(ui, inside, rows, log.back, acts.of_rule) and log.back:
        acts.at_top()
    ui.scrolls(lines, log.turn)


def _draw_dice(ui: Ui, rect: Rect, model: ViewModel, tumble: int, ask_fairness: Act) -> None:
    inside = ui.panel(rect)
    if model.fairness is not None:
        line, inside = inside.cut_bottom(ui.px(20))
        draw_fairness(ui, line, model.fairness, model.texts, ask_fairness)
    draw_dice(ui, inside, model, tumble)


def draw_chat_panel(
    ui: Ui,
    rect: Rect,
    model: ViewModel,
    chat: ScrollPosition,
    say: Callable[[Rect], None] | None,
    of_line: OfLine = lambda line: None,
) -> None:
    """Draw the chat. `say` draws the line to write in, where a player may write."""
    inside = ui.panel(rect)
    if say is not None:
        line, inside = inside.cut_bottom(ui.px(28), ui.px(8))
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
    ui.scrolls(rect, chat.turn)
