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

ROW, GAP, FOOT = 32, 4, 32
MOST_REPORTS = 10
BEFORE = 4
"""Lines before the reported one that are in sight at first."""


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
        room = ui.lines(head, room, bold=True, most=2, gap=4)
        if row.words:
            room = ui.lines(f"“{row.words}”", room, most=4, gap=4)
        where = "person" if row.place < 0 else "table" if row.table else "lobby"
        room = ui.lines(phrase(f"order.reported.{where}"), room, colour=theme.MUTED, size=theme.SMALL, gap=4)
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
        """Draw the lines from the first in sight on; the reported one stands out."""
        ui.scrolls(room, partial(self._turn, row))
        pad = ui.px(8)
        for number, line in enumerate(row.lines[self._first_of(row) :], start=self._first_of(row)):
            words = phrase("order.report.line", time=time_of(line.at), name=line.name, words=line.text)
            is_meant = number == row.place
            height = ui.lines_height(words, room.w - 2 * pad, size=theme.SMALL, bold=is_meant) + pad
            if height > room.h:
                return
            box, room = room.cut_top(height, ui.px(4))
            if is_meant:
                ui.painter.box(box, theme.RAISED, 2, theme.WARN, 5)
            inside = box.inset(pad / 2)
            ui.lines(words, Rect(box.x + pad, inside.y, box.w - 2 * pad, inside.h), size=theme.SMALL, bold=is_meant)
            ui.tag(box, words)

    def _first_of(self, row: ReportRow) -> int:
        return max(row.place - BEFORE, 0) if self._first is None else self._first

    def _turn(self, row: ReportRow, steps: int) -> None:
        self._first = min(max(self._first_of(row) - steps, 0), max(len(row.lines) - 1, 0))
