"""Page of moderators above the lobby: reports, bans and mutes, tables, announcements, and what was done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from client.model.lobby.moderation import SANCTIONS, TABS, ModerationTab
from client.model.session import ClientSession
from client.text.days import time_of
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Act, Ui
from client.ui.layout import Rect, on_grid
from client.ui.scrolled_rows import ScrolledRows
from client.views.lobby.announcing import Announcing
from client.views.lobby.reported_lines import ReportedLines
from client.views.moderator_form import ModeratorForm, Subject
from protocol.wire.order import AuditRow, SanctionRow
from protocol.wire.table_lists import TableRow

WIDE, FOOT, TAB, GAP, BUTTON = 1000, 32, 32, 4, 160
ROW: Final = 44


class ModerationPage:
    """Popup of the lobby, for moderators alone."""

    def __init__(self, session: ClientSession) -> None:
        self.session = session
        self.form = ModeratorForm(session)
        self._opened = False
        self._lines = ReportedLines(session, self.form)
        self._announcing = Announcing(session)
        self._scrolled = ScrolledRows()

    @property
    def is_open(self) -> bool:
        return self._opened and self.session.moderation.moderates

    @property
    def counts_down(self) -> bool:
        """True while it shows announcements, which change by the second."""
        return self.is_open and self.session.moderation.tab == "announcements"

    def draw_button(self, ui: Ui, rect: Rect) -> None:
        """Draw the button that opens it."""
        ui.button(rect, phrase("order.open"), self.open, tip=phrase("order.open.tip"))

    def open(self) -> None:
        """Open it where it was left."""
        self._opened, self.session.notice = True, ""
        self._show(self.session.moderation.tab)

    def close(self) -> None:
        """Go back from a form to the page, else close the page."""
        if self.form.is_open:
            self.form.close()
        else:
            self._opened = False

    def _show(self, tab: ModerationTab, place: int = 0) -> None:
        self._lines.forget()
        self._scrolled.first = 0
        self.session.moderation.show(tab, place)

    def draw(self, ui: Ui) -> None:
        if self.form.is_open:
            self.form.draw(ui)
            return
        inside = ui.popup(ui.px(WIDE), ui.size[1] * 0.92, phrase("order.title"))
        head, inside = inside.cut_top(ui.px(TAB), ui.px(8))
        tab = self.session.moderation.tab
        for box, name in zip(head.columns(len(TABS), ui.px(GAP)), TABS, strict=True):
            ui.button(box, phrase(f"order.tab.{name}"), partial(self._show, name), chosen=name == tab)
        foot, inside = inside.cut_bottom(ui.px(FOOT), ui.px(8))
        close, foot = foot.cut_right(ui.px(140), 8)
        ui.button(close, phrase("order.close"), self.close, primary=True, key=ui.keys.shown("back"))
        pages, note = foot.cut_left(min(ui.px(300), on_grid(foot.w * 0.55)), ui.px(8))
        ui.line(self.session.notice, note, colour=theme.WARN, size=theme.SMALL)
        draw: Mapping[ModerationTab, Callable[[Ui, Rect, Rect], None]] = {
            "reports": self._reports,
            "sanctions": self._sanctions,
            "tables": self._tables,
            "announcements": lambda ui, page, _: self._announcing.draw(ui, page),
            "audit": self._audit,
        }
        draw[tab](ui, inside, pages)

    def _reports(self, ui: Ui, page: Rect, pages: Rect) -> None:
        found = self.session.moderation.reports
        if found is None or not found.rows:
            _say_empty(ui, page, "reports", is_known=found is not None)
        else:
            self._lines.draw(ui, page, found.rows)
        self._draw_older(ui, pages, found.older if found is not None else 0)

    def _sanctions(self, ui: Ui, page: Rect, pages: Rect) -> None:
        found = self.session.moderation.sanctions
        if found is None or not found.rows:
            _say_empty(ui, page, "sanctions", is_known=found is not None)
            return
        for box, row in self._scrolled.fitting(ui, page, found.rows, ui.px(ROW), ui.px(GAP)):
            what = sanction_in_words(row)
            subject = Subject(("lift",), row.id, what)
            name = phrase("order.lift.of", what=what)
            rest = _row(ui, box, phrase("order.lift"), name, partial(self.form.open, subject))
            by, also = row.by_name or phrase("order.host"), _also(", ".join(row.also))
            about = phrase("order.sanction_about", time=time_of(row.at), by=by, also=also, reason=row.reason)
            _two_lines(ui, rest, what, about)
        back, words, on = pages.columns(3, ui.px(GAP))
        last = found.first + len(found.rows)
        counted = phrase("order.pages", first=found.first + 1, last=last, total=found.total)
        ui.line(counted, words, size=theme.SMALL, anchor="center")
        earlier = partial(self._show, "sanctions", max(found.first - SANCTIONS, 0)) if found.first else None
        ui.button(back, phrase("people.earlier"), earlier)
        ui.button(on, phrase("people.more"), partial(self._show, "sanctions", last) if last < found.total else None)

    def _tables(self, ui: Ui, page: Rect, _: Rect) -> None:
        lobby = self.session.conversation.lobby
        rows = [row for row in lobby.tables if row.state != "finished"] if lobby is not None else []
        if not rows:
            _say_empty(ui, page, "tables", is_known=lobby is not None)
        for box, row in self._scrolled.fitting(ui, page, rows, ui.px(ROW), ui.px(GAP)):
            act = partial(self.form.open, Subject(("close",), row.id, row.name))
            name = phrase("order.close_table.of", table=row.name)
            rest = _row(ui, box, phrase("order.close_table"), name, act)
            scenario = self.session.texts.say(row.scenario)
            _two_lines(ui, rest, phrase("order.table", table=row.name, scenario=scenario), _state(row))

    def _audit(self, ui: Ui, page: Rect, pages: Rect) -> None:
        found = self.session.moderation.audit
        if found is None or not found.rows:
            _say_empty(ui, page, "audit", is_known=found is not None)
        else:
            for box, row in self._scrolled.fitting(ui, page, found.rows, ui.px(ROW), ui.px(GAP)):
                ui.painter.rect(box, theme.RAISED, 5)
                words = Rect(box.x + ui.px(8), box.y, box.w - ui.px(16), box.h)
                _two_lines(ui, words, phrase("order.deed", time=time_of(row.at), deed=deed_in_words(row)), row.reason)
        self._draw_older(ui, pages, found.older if found is not None else 0)

    def _draw_older(self, ui: Ui, pages: Rect, older: int) -> None:
        """Draw the ways to the page before, and to the newest."""
        tab = self.session.moderation.tab
        before, newest = pages.columns(2, ui.px(GAP))
        ui.button(before, phrase("order.older"), partial(self._show, tab, older) if older else None)
        ui.button(newest, phrase("order.newest"), partial(self._show, tab))


def _say_empty(ui: Ui, page: Rect, tab: ModerationTab, *, is_known: bool) -> None:
    ui.lines(phrase(f"order.empty.{tab}" if is_known else "order.asking"), page, colour=theme.MUTED)


def _row(ui: Ui, box: Rect, label: str, name: str, act: Act) -> Rect:
    """Draw the ground of a row and its button; return the room for its words."""
    ui.painter.rect(box, theme.RAISED, 5)
    button, words = box.inset(ui.px(8)).cut_right(ui.px(BUTTON), ui.px(8))
    ui.button(button.middle(button.w, ui.px(TAB)), label, act, name=name, listed=True)
    return words


def _two_lines(ui: Ui, box: Rect, head: str, about: str) -> None:
    """Draw a line above a smaller one; both are read whole in their tip."""
    top, below = box.cut_top(on_grid(box.h * 0.52) if about else box.h)
    ui.line(head, top, bold=True)
    ui.line(about, below, size=theme.SMALL, colour=theme.MUTED)
    ui.tag(box, head, "\n".join(filter(None, (head, about))))


def _state(row: TableRow) -> str:
    if row.state == "live":
        return phrase("order.table.live")
    return phrase("order.table.open", taken=row.taken, seats=row.seats)


def until_in_words(until: int) -> str:
    """Return the end of a ban or mute in words."""
    return phrase("order.until", time=time_of(until)) if until else phrase("order.for_ever")


def sanction_in_words(row: SanctionRow) -> str:
    """Return whom a ban or mute holds for, and until when."""
    what = "mute" if row.what == "mute" else "ban"
    return phrase(f"order.sanction.{what}", name=row.name, until=until_in_words(row.until))


def _also(included: str) -> str:
    """Return what a ban includes in words, which come from the server, empty where that is nothing more."""
    return phrase("order.sanction_also", also=included) if included else ""


def deed_in_words(row: AuditRow) -> str:
    """Return who did what in a line of the audit list."""
    by, name = row.by_name or phrase("order.the_host"), row.name
    match row.act:
        case "ban" | "mute":
            also = _also(row.detail)
            return phrase(f"order.did_until.{row.act}", by=by, name=name, until=until_in_words(row.until), also=also)
        case "lift":
            return phrase("order.lifted_mute" if row.detail == "mute" else "order.lifted_ban", by=by, name=name)
        case "remove" | "appoint" | "dismiss":
            return phrase(f"order.did_to.{row.act}", by=by, name=name)
        case "rename":
            return phrase("order.renamed", by=by, name=name, fresh=row.detail)
        case "close" | "announce" | "take_back":
            return phrase(f"order.did.{row.act}", by=by, detail=row.detail)
        case _:
            return phrase("order.did_unknown", by=by)
