"""Reports at the left, and of the chosen one the reported line with those around it at the right."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from client.model.session import ClientSession
from client.text.days import time_of
from client.text.phrases import named, phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect, on_grid
from client.views.moderator_form import ModeratorForm, Subject, on_person
from protocol.wire.order import ReportRow

ROW, GAP, FOOT, PAD = 32, 4, 32, 8
MOST_REPORTS = 10
MOST_WORDS = 4
"""Lines of the words of who reports that are drawn at most."""
BEFORE = 4
"""Lines before the reported one that are in sight at first, where there is room."""


class ReportedLines:
    """Part of the page of moderators. `form`: opened to act."""

    def __init__(self, session: ClientSession, form: ModeratorForm) -> None:
        self.session = session
        self.form = form
        self._chosen = 0
        self._first: int | None = None
        """Line that is in sight at the top; None: a few before the reported one."""

    def forget(self) -> None:
        """Choose the first report of the page that comes next."""
        self._chosen, self._first = 0, None

    def draw(self, ui: Ui, page: Rect, rows: Sequence[ReportRow]) -> None:
        list_, detail = page.cut_left(min(ui.px(300), on_grid(page.w * 0.34)), ui.px(12))
        self._chosen = min(self._chosen, len(rows) - 1)
        for number, (box, row) in enumerate(zip(list_.share(MOST_REPORTS, ui.px(ROW), ui.px(GAP)), rows, strict=False)):
            words = phrase("order.report", name=row.name, reason=named("report.reason", row.reason))
            name = phrase("order.report.of", name=row.name, time=time_of(row.at))
            act, chosen = partial(self._choose, number), number == self._chosen
            ui.button(box, words, act, name=name, tip=name, left=True, chosen=chosen, listed=True)
        self._draw_report(ui, detail, rows[self._chosen])

    def _choose(self, number: int) -> None:
        self._chosen, self._first = number, None

    def _draw_report(self, ui: Ui, room: Rect, row: ReportRow) -> None:
        foot, room = room.cut_bottom(ui.px(FOOT), ui.px(8))
        reason = named("report.reason", row.reason)
        head = phrase("order.report.head", by=row.by_name, name=row.name, reason=reason, time=time_of(row.at))
        room = _draw_words(ui, head, room, most=2, bold=True)
        where = "person" if row.place < 0 else "table" if row.table else "lobby"
        about = phrase(f"order.reported.{where}")
        if row.words:
            below = ui.lines_height(about, room.w, size=theme.SMALL) + ui.line_height(theme.SMALL) + ui.px(GAP + PAD)
            fitting = int((room.h - below) // ui.line_height(theme.BODY))
            room = _draw_words(ui, f"“{row.words}”", room, most=min(max(fitting, 1), MOST_WORDS))
        room = ui.lines(about, room, colour=theme.MUTED, size=theme.SMALL, gap=GAP)
        self._draw_lines(ui, room, row)
        buttons = foot.columns(3, ui.px(8))
        for box, who, name in ((buttons[0], row.who, row.name), (buttons[1], row.by, row.by_name)):
            if who != self.session.conversation.you:
                words = phrase("order.on_person", name=name)
                ui.button(box, words, partial(self.form.open, on_person(who, name)), listed=True)
        if row.table:
            lobby = self.session.conversation.lobby
            known = next((one.name for one in lobby.tables if one.id == row.table), "") if lobby is not None else ""
            act = partial(self.form.open, Subject(("close",), row.table, known or row.table))
            ui.button(buttons[2], phrase("order.close_table"), act, listed=True)

    def _draw_lines(self, ui: Ui, room: Rect, row: ReportRow) -> None:
        """Draw the lines from the first in sight on, that one as far as there is room; the reported one stands out."""
        pad = ui.px(PAD)
        said = [phrase("order.report.line", time=time_of(one.at), name=one.name, words=one.text) for one in row.lines]
        heights = [
            ui.lines_height(words, room.w - 2 * pad, size=theme.SMALL, bold=number == row.place) + pad
            for number, words in enumerate(said)
        ]
        first = self._first_of(row, heights, room.h, ui.px(GAP))
        ui.scrolls(room, partial(self._turn, first, len(said)))
        for number, (words, whole) in enumerate(zip(said[first:], heights[first:], strict=True), start=first):
            is_meant = number == row.place
            height = min(whole, room.h) if number == first else whole
            if height > room.h or height < ui.line_height(theme.SMALL) + pad:
                return
            box, room = room.cut_top(height, ui.px(GAP))
            if is_meant:
                ui.painter.box(box, theme.RAISED, 2, theme.WARN, 5)
            inside = box.inset(pad / 2)
            ui.lines(words, Rect(box.x + pad, inside.y, box.w - 2 * pad, inside.h), size=theme.SMALL, bold=is_meant)
            ui.tag(box, words, words if height < whole else "")

    def _first_of(self, row: ReportRow, heights: Sequence[float], room: float, gap: float) -> int:
        """Return the line in sight at the top: at first one so far before the reported one that this is in sight."""
        last = max(len(heights) - 1, 0)
        if self._first is not None:
            return min(self._first, last)
        first = min(max(row.place, 0), last)
        while first > max(row.place - BEFORE, 0) and sum(heights[first - 1 : row.place + 1], gap * BEFORE) <= room:
            first -= 1
        return first

    def _turn(self, first: int, count: int, steps: int) -> None:
        self._first = min(max(first - steps, 0), max(count - 1, 0))


def _draw_words(ui: Ui, words: str, room: Rect, *, most: int, bold: bool = False) -> Rect:
    """Draw words in so many lines at most; what is cut off is read whole in their tip. Return the room below."""
    below = ui.lines(words, room, bold=bold, most=most, gap=GAP)
    box = room.cut_top(room.h - below.h)[0]
    ui.tag(box, words, words if box.h < ui.lines_height(words, room.w, bold=bold) else "")
    return below
