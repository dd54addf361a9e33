"""The panels around the board that the live table and the replay have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from client.draw.fairness.mark import draw_fairness
from client.draw.panels.cards import draw_row
from client.draw.panels.dice import draw_dice
from client.draw.panels.log import chat_entries, draw_entries, log_entries
from client.model.view_model import Shown
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Act, Ui
from client.ui.layout import Rect
from protocol.wire.from_server import TableView


@dataclass
class Scrolled:
    """How far a list is scrolled back."""

    back: int = 0

    def turn(self, steps: int) -> None:
        self.back = max(self.back + steps, 0)


def draw_top(ui: Ui, rect: Rect, shown: Shown) -> None:
    """The row of cards, and how the link is; a game without such a row has one line instead."""
    ui.painter.rect(rect, theme.PANEL)
    ui.painter.frame(rect, 1, theme.PANEL_EDGE)
    inside = rect.inset(ui.px(7))
    if shown.top.row is None:
        _draw_line(ui, inside, shown)
        return
    side, cards = inside.cut_right(ui.px(170), ui.px(8))
    draw_row(ui, cards, shown)
    if shown.link:
        lines = ui.lines_height(shown.link, side.w - ui.px(14), size=theme.SMALL)
        _draw_light(ui, side.x + ui.px(5), side.top - ui.px(9), shown)
        text = Rect(side.x + ui.px(14), side.top - lines - 4, side.w - ui.px(14), lines + 4)
        ui.lines(shown.link, text, size=theme.SMALL, colour=_tone(shown))
    if shown.view is not None:
        y = side.y + ui.px(8)
        ui.label(shown.view.name, side.x, y + ui.px(17), size=theme.SMALL, bold=True, room=side.w)
        ui.label(_watching(shown.view), side.x, y, size=theme.SMALL, colour=theme.MUTED, room=side.w)


def _draw_line(ui: Ui, inside: Rect, shown: Shown) -> None:
    """The table's name, who watches, how the link is."""
    name, watching, link = inside.columns(3)
    y = inside.centre[1]
    if shown.view is not None:
        ui.label(shown.view.name, name.x, y, size=theme.SMALL, bold=True, room=name.w)
        ui.label(_watching(shown.view), watching.x, y, size=theme.SMALL, colour=theme.MUTED, room=watching.w)
    if shown.link:
        _draw_light(ui, link.x + ui.px(5), y, shown)
        x = link.x + ui.px(14)
        ui.label(shown.link, x, y, size=theme.SMALL, colour=_tone(shown), room=link.right - x)


def _draw_light(ui: Ui, x: float, y: float, shown: Shown) -> None:
    ui.painter.disc(x, y, ui.px(4), _tone(shown))


def _tone(shown: Shown) -> theme.Colour:
    return theme.GOOD if shown.link_good else theme.WARN


def _watching(view: TableView) -> str:
    count = max(view.watching, len(view.watchers))
    return phrase("watching.count", count=count) if count else phrase("watching.nobody")


def draw_bottom(
    ui: Ui,
    rect: Rect,
    shown: Shown,
    log: Scrolled,
    chat: Scrolled,
    say: Callable[[Rect], None] | None,
    tumble: int = 0,
    ask_fairness: Act = lambda: None,
    of_rule: Callable[[str], Act | None] = lambda rule: None,
) -> None:
    """Log, dice with the mark of their check, chat. `say` draws the line to write in, where something can be said."""
    left, rest = rect.cut_left(rect.w * 0.42)
    middle, right = rest.cut_left(rest.w * 0.46)
    entries = log_entries(shown)
    inside = ui.panel(left)
    log.back = min(log.back, max(len(entries) - 3, 0))
    draw_entries(ui, inside, entries, log.back, of_rule)
    ui.scrolls(left, log.turn)
    inside = ui.panel(middle)
    if shown.fairness is not None:
        line, inside = inside.cut_bottom(ui.px(18), ui.px(4))
        draw_fairness(ui, line, shown.fairness, shown.texts, ask_fairness)
    draw_dice(ui, inside, shown, tumble)
    inside = ui.panel(right)
    if say is not None:
        line, inside = inside.cut_bottom(ui.px(28), ui.px(6))
        say(line)
    said = chat_entries(shown)
    chat.back = min(chat.back, max(len(said) - 2, 0))
    if said:
        draw_entries(ui, inside, said, chat.back)
    else:
        ui.label(phrase("chat.none"), inside.x, inside.top - ui.px(8), colour=theme.FAINT, room=inside.w)
    ui.scrolls(right, chat.turn)
