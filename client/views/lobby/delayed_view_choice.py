"""A player's consent, before the start, to the delayed view: spectators who see everything, late."""

from __future__ import annotations

from functools import partial

from client.model.session import ClientSession
from client.text.phrases import phrase, yes_or_no
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from protocol.wire.from_client import SetReady
from protocol.wire.from_server import SeatView, TableView


class DelayedViewChoice:
    """The box beside Ready. Until the player is ready the tick is held here; with "ready" it goes to the server, and
    from then on the box shows the server's state."""

    def __init__(self, session: ClientSession) -> None:
        self._session = session
        self._is_ticked = False

    def draw(self, ui: Ui, row: Rect, seat: SeatView) -> None:
        """Draw the box for the player's own seat."""
        is_yes = seat.delayed_view if seat.ready else self._is_ticked
        act = partial(self._say, is_yes=not is_yes) if seat.ready else self._tick
        name = phrase("setup.delayed_view.said", said=yes_or_no(is_so=is_yes))
        ui.button(row, "", act, name=name, tip=phrase("setup.delayed_view.tip"))
        inside = row.inset(ui.px(8))
        box, words = inside.cut_left(inside.h, ui.px(8))
        ui.painter.box(box, theme.FIELD, 1, theme.CHOSEN if is_yes else theme.MUTED)
        if is_yes:
            x, y, r = *box.centre, box.h * 0.3
            ui.painter.stroke([(x - r, y), (x - r * 0.3, y - r * 0.8), (x + r, y + r)], 2, theme.GOOD)
        ui.line(phrase("setup.delayed_view"), words)

    def get_ready(self, table: TableView, seat: SeatView) -> None:
        """Say "ready" with the box as it is ticked, or withdraw "ready" and the consent with it."""
        if seat.ready:
            self._session.say(SetReady(ready=False))
        else:
            self._say(is_yes=table.all_views and self._is_ticked)

    def _tick(self) -> None:
        self._is_ticked = not self._is_ticked

    def _say(self, *, is_yes: bool) -> None:
        self._is_ticked = False
        self._session.say(SetReady(ready=True, delayed_view=is_yes))
