"""Popup by which the owner of a table says when the match is to begin, in the time of where they are."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from client.model.session import ClientSession
from client.text.days import time_of
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from protocol.wire.from_client import ChangeTable
from protocol.wire.from_server import TableView

WIDTH, HEIGHT, ROW, GAP = 460, 272, 32, 4
EVENING: Final = 20
"""Hour that is proposed for tomorrow."""
STEPS: Final = ((7 * 24 * 60, "week"), (24 * 60, "day"), (60, "hour"), (15, "quarter"))
"""Minutes, and the name, of what a click goes forward or back."""


class DatePopup:
    """Popup of a screen. `now` returns the local time."""

    def __init__(self, session: ClientSession, now: Callable[[], datetime] = datetime.now) -> None:
        self.session = session
        self._now = now
        self._chosen: datetime | None = None

    @property
    def is_open(self) -> bool:
        return self._chosen is not None

    def draw_button(self, ui: Ui, rect: Rect, table: TableView, *, owner: bool) -> None:
        """Draw the date of the table, as a button that opens the popup for its owner."""
        words = phrase("date.is", when=time_of(table.begins)) if table.begins else phrase("date.none")
        tip = phrase("date.tip") if owner else phrase("option.owner")
        ui.button(
            rect, words, partial(self.open, table) if owner else None, left=True, name=phrase("date.name"), tip=tip
        )

    def open(self, table: TableView) -> None:
        """Open it at the table's date, else at tomorrow evening."""
        evening = (self._now() + timedelta(days=1)).replace(hour=EVENING, minute=0, second=0, microsecond=0)
        self._chosen = datetime.fromtimestamp(table.begins) if table.begins else evening

    def close(self) -> None:
        self._chosen = None

    def draw(self, ui: Ui, table: TableView) -> None:
        chosen = self._chosen
        if chosen is None:
            return
        inside = ui.popup(ui.px(WIDTH), ui.px(HEIGHT), phrase("date.title"))
        foot, inside = inside.cut_bottom(ui.px(ROW), ui.px(GAP))
        rows = inside.share(len(STEPS) + 1, ui.px(ROW), ui.px(GAP))
        when = round(chosen.timestamp())
        ui.line(phrase("date.when", when=time_of(when)), next(rows), size=theme.LARGE, bold=True)
        for minutes, name in STEPS:
            back, on = next(rows).columns(2, ui.px(GAP))
            ui.button(back, phrase(f"date.back.{name}"), partial(self._step, -minutes), listed=True)
            ui.button(on, phrase(f"date.on.{name}"), partial(self._step, minutes), listed=True)
        take, away, close = foot.columns(3, ui.px(GAP))
        is_ahead = chosen > self._now()
        tip = "" if is_ahead else phrase("date.past")
        ui.button(take, phrase("date.take"), partial(self._say, when) if is_ahead else None, primary=is_ahead, tip=tip)
        ui.button(away, phrase("date.away"), partial(self._say, 0) if table.begins else None)
        ui.button(close, phrase("seat.close"), self.close, key=ui.keys.shown("back"))

    def _step(self, minutes: int) -> None:
        """Go forward or back by the clock on the wall, whatever daylight saving does in between."""
        if self._chosen is not None:
            self._chosen += timedelta(minutes=minutes)

    def _say(self, begins: int) -> None:
        self.close()
        self.session.say(ChangeTable(begins=begins))
