"""Popup of the matches that are on: seats with their scores, the round, who watches, and a click to watch as well."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from client.model.session import ClientSession
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect, on_grid
from client.ui.scrolled_rows import ScrolledRows
from protocol.ids import TableId
from protocol.wire.on_now import GetOnNow, OnNowRow

if TYPE_CHECKING:
    from client.app.navigator import Navigator

WIDE, ROW, GAP, FOOT = 864, 60, 4, 32
REFRESH_SECONDS: Final = 5.0
"""After which an open popup asks anew."""


class OnNowPopup:
    """Popup over the lobby; while it is open it is kept up to date."""

    def __init__(self, session: ClientSession, navigator: Navigator) -> None:
        self.session = session
        self.navigator = navigator
        self.is_open = False
        self._asked_at = 0.0
        self._rows = ScrolledRows()

    def draw_button(self, ui: Ui, rect: Rect) -> None:
        """Draw the button that opens it."""
        is_known = self.session.invitations.is_known
        tip = phrase("on_now.open.tip") if is_known else phrase("on_now.none_here")
        ui.button(rect, phrase("on_now.open"), self.open if is_known else None, tip=tip)

    def open(self) -> None:
        self.is_open, self.session.on_now = True, None
        self._ask()

    def close(self) -> None:
        self.is_open = False

    def tick(self) -> None:
        """Ask again from time to time, while there is a link."""
        is_due = self.session.clock() - self._asked_at > REFRESH_SECONDS
        if self.is_open and is_due and self.session.is_connected:
            self._ask()

    def _ask(self) -> None:
        self._asked_at = self.session.clock()
        self.session.say(GetOnNow())

    def draw(self, ui: Ui) -> None:
        inside = ui.popup(ui.px(WIDE), ui.size[1] * 0.9, phrase("on_now.title"))
        foot, inside = inside.cut_bottom(ui.px(FOOT), ui.px(8))
        busiest, close = foot.columns(2, 8)
        found = self.session.on_now
        rows = found.rows if found is not None else ()
        most = max(rows, key=lambda row: row.watching, default=None)
        act = partial(self._watch, most.table) if most is not None else None
        ui.button(busiest, phrase("on_now.busiest"), act, tip=phrase("on_now.busiest.tip"), primary=act is not None)
        ui.button(close, phrase("results.close"), self.close, key=ui.keys.shown("back"))
        if not rows:
            words = phrase("on_now.asking") if found is None else phrase("on_now.none")
            ui.lines(words, inside, colour=theme.MUTED)
        for box, row in self._rows.fitting(ui, inside, rows, ui.px(ROW), ui.px(GAP)):
            self._row(ui, box, row)

    def _row(self, ui: Ui, box: Rect, row: OnNowRow) -> None:
        """Draw a match: its name and how far it has come, then its seats with their scores."""
        ui.painter.rect(box, theme.RAISED, 5)
        if row.friends:
            ui.painter.frame(box, 2, theme.FOCUS, 5)
        watch, text = box.inset(ui.px(8)).cut_right(ui.px(120), ui.px(8))
        ui.button(
            watch.middle(watch.w, ui.px(32)),
            phrase("row.watch"),
            partial(self._watch, row.table),
            name=phrase("row.watch.of", table=row.name),
            primary=bool(row.friends),
            listed=True,
        )
        top, below = text.cut_top(on_grid(text.h / 2))
        ui.label(self._about(row), top.right, top.centre[1], size=theme.SMALL, anchor="right", room=top.w * 0.48)
        title = phrase("on_now.match", table=row.name, scenario=self.session.texts.say(row.scenario))
        ui.label(title, top.x, top.centre[1], bold=True, room=top.w * 0.5)
        ui.line(_standing(row), below, size=theme.SMALL, colour=theme.MUTED)

    def _about(self, row: OnNowRow) -> str:
        """Return how far a match has come, who of the friends is there, and how many watch."""
        say = self.session.texts.say
        counters = [f"{say(one.name)} {one.value}" + (f"/{one.most}" if one.most else "") for one in row.counters]
        friends = [phrase("on_now.friends", names=", ".join(row.friends))] if row.friends else []
        return " · ".join((*friends, *counters, phrase("watching.count", count=row.watching)))

    def _watch(self, table: TableId) -> None:
        self.close()
        self.navigator.watch(table=table)


def _standing(row: OnNowRow) -> str:
    """Return the seats in order, with their scores where any has one; those of another side after a "v"."""
    has_scores = any(seat.score for seat in row.seats)
    found: list[str] = []
    for number, seat in enumerate(row.seats):
        if found:
            is_ally = seat.side >= 0 and seat.side == row.seats[number - 1].side
            found.append(", " if is_ally else phrase("players.against"))
        name = phrase("setup.bot", name=seat.name) if seat.bot else seat.name
        found.append(phrase("on_now.seat", name=name, score=seat.score) if has_scores else name)
    return "".join(found)
