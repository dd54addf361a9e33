"""The player's yes or no, before the start, to spectators who see everything, late."""

from __future__ import annotations

from functools import partial

from client.layout import Rect
from client.phrases import phrase, yes_or_no
from client.session import Session
from client.ui import Ui
from protocol.from_client import SetReady
from protocol.from_server import SeatView, TableView


class DelayedViewChoice:
    """The box beside Ready. Until the player is ready the tick is kept here; with "ready" it goes to the server, and
    from then on the box shows what the server knows."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._is_ticked = False

    def draw(self, ui: Ui, row: Rect, seat: SeatView) -> None:
        """Draw the box for the player's own seat."""
        is_yes = seat.delayed_view if seat.ready else self._is_ticked
        words = phrase("setup.delayed_view", said=yes_or_no(is_yes))
        act = partial(self._say, not is_yes) if seat.ready else self._tick
        ui.button(row, words, act, chosen=is_yes, left=True, tip=phrase("setup.delayed_view.tip"))

    def get_ready(self, table: TableView, seat: SeatView) -> None:
        """Say "ready" with the box as it is ticked, or take "ready" back, and the yes with it."""
        if seat.ready:
            self._session.say(SetReady(ready=False))
        else:
            self._say(table.all_views and self._is_ticked)

    def before_start(self, table: TableView) -> None:
        """Say the owner's yes, whose start stands for "ready"."""
        mine = next((seat for seat in table.seats if seat.seat == table.seat), None)
        if table.all_views and self._is_ticked and mine is not None and not mine.ready:
            self._say(is_yes=True)

    def _tick(self) -> None:
        self._is_ticked = not self._is_ticked

    def _say(self, is_yes: bool) -> None:
        self._is_ticked = False
        self._session.say(SetReady(ready=True, delayed_view=is_yes))
