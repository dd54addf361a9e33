"""Lines of a page that can be longer than the page: drawn from the first one in sight, moved by wheel and keys."""

from __future__ import annotations

from collections.abc import Sequence

from client.draw.fairness.mark import draw_mark
from client.fairness.dice_page import PageLine
from client.input.key_table import KeyPress
from client.text.texts import Texts
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect

BAR = 8
GAP = 4
"""Gap in pixels above a line that belongs to the one before."""
PAGE = 8
"""Lines by which Page Up and Page Down scroll."""


class ScrolledLines:
    """Scroll position: `first` lines are out of sight, `last` at most, as they were last drawn."""

    def __init__(self) -> None:
        self.first = 0
        self.last = 0
        self._known: tuple[object, list[float]] = (None, [])

    def heights(self, ui: Ui, width: float, lines: Sequence[PageLine], texts: Texts) -> list[float]:
        """Return the height of each line in a page of this width."""
        asked = (width, ui.scale, [*lines])
        if self._known[0] != asked:
            room = width - 2 * ui.px(BAR)
            self._known = asked, [_height(ui, room, line, texts) for line in lines]
        return self._known[1]

    def draw(self, ui: Ui, rect: Rect, lines: Sequence[PageLine], texts: Texts) -> None:
        """Draw the lines that fit, with a bar at the right where some are out of sight."""
        bar = ui.px(BAR)
        heights = self.heights(ui, rect.w, lines, texts)
        self.last = _last_start(heights, rect.h)
        self.first = min(self.first, self.last)
        ui.scrolls(rect, lambda steps: self.scroll(-steps))
        room = rect.cut_right(2 * bar)[1]
        for line, height in zip(lines[self.first :], heights[self.first :], strict=True):
            if height > room.h + 0.5:
                break
            row, room = room.cut_top(height)
            _draw_line(ui, row, line, texts)
        if self.last:
            share = rect.h / (rect.h + sum(heights[: self.last]))
            top = rect.top - (rect.h * (1 - share)) * self.first / self.last
            ui.painter.rect(Rect(rect.right - bar, top - rect.h * share, bar, rect.h * share), theme.PANEL_EDGE, 3)

    def scroll(self, steps: int) -> None:
        """Scroll on by a number of lines."""
        self.first = min(max(self.first + steps, 0), self.last)

    def key(self, press: KeyPress) -> bool:
        """Scroll by a key of pages; return False for any other key."""
        for action, by in (("lines", 1), ("turn", PAGE)):
            down = press.which(action)
            if down is not None:
                self.scroll(by if down else -by)
                return True
        return False


def _last_start(heights: Sequence[float], room: float) -> int:
    """Return the number of lines out of sight when the last one is in sight."""
    left, start = room, len(heights)
    while start and heights[start - 1] <= left + 0.5:
        left -= heights[start - 1]
        start -= 1
    return start


def _edge(ui: Ui, line: PageLine) -> float:
    """Return the place at which the words of a line begin, from the left."""
    return float(ui.px(24)) if line.sign is not None or line.is_below else 0.0


def _height(ui: Ui, width: float, line: PageLine, texts: Texts) -> float:
    words = texts.say(line.words)
    gap = 0 if line.is_below else ui.px(GAP)
    return ui.lines_height(words, _room(ui, width, line), size=theme.SMALL) + gap


def _room(ui: Ui, width: float, line: PageLine) -> float:
    right = ui.width(line.right, size=theme.SMALL, bold=True) + ui.px(8) if line.right else 0
    return max(width - _edge(ui, line) - right, 40)


def _draw_line(ui: Ui, row: Rect, line: PageLine, texts: Texts) -> None:
    words = texts.say(line.words)
    body = row.cut_top(0 if line.is_below else ui.px(GAP))[1]
    y = body.top - ui.line_height(theme.SMALL) / 2
    if line.sign is not None:
        r = ui.px(8)
        draw_mark(ui, row.x + r, y, r, line.sign)
    edge = _edge(ui, line)
    room = Rect(body.x + edge, body.y - 2, _room(ui, body.w, line), body.h + 2)
    tone = theme.WARN if line.is_loud else theme.MUTED if line.is_quiet or line.is_below else theme.TEXT
    ui.lines(words, room, size=theme.SMALL, colour=tone)
    if line.right:
        ui.label(line.right, row.right, y, size=theme.SMALL, bold=True, anchor="right")
    ui.tag(row, words)
