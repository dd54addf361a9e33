"""Popups around the password of a table: one in which whoever comes says it, and one in which the owner sets it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from client.model.session import ClientSession
from client.text.phrases import phrase, yes_or_no
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.ui.text_input import TextInput
from protocol.wire.client_message import MOST_PASSWORD
from protocol.wire.from_client import ChangeTable
from protocol.wire.from_server import TableView

if TYPE_CHECKING:
    from client.app.navigator import Navigator

WIDTH, HEIGHT, ROW, GAP = 460, 192, 32, 4


class DoorPopup:
    """Popup of the lobby; it opens by itself where a table asks for its password."""

    def __init__(self, session: ClientSession, navigator: Navigator) -> None:
        self.session = session
        self.navigator = navigator
        self.password = TextInput(most=MOST_PASSWORD, enter=self._knock)

    @property
    def is_open(self) -> bool:
        return self.session.door.is_shut

    def close(self) -> None:
        self.session.door.leave()
        self.password.set("")

    def draw(self, ui: Ui) -> None:
        inside = ui.popup(ui.px(WIDTH), ui.px(HEIGHT), phrase("door.title"))
        foot, inside = inside.cut_bottom(ui.px(ROW), ui.px(GAP))
        rows = inside.share(3, ui.px(ROW), ui.px(GAP))
        ui.line(self.session.notice, next(rows), colour=theme.WARN, size=theme.SMALL)
        ui.input(next(rows), self.password, phrase("door.password"))
        come, back = foot.columns(2, ui.px(GAP))
        can = bool(self.password.text)
        ui.button(come, phrase("door.come"), self._knock if can else None, primary=can)
        ui.button(back, phrase("order.back"), self.close, key=ui.keys.shown("back"))

    def _knock(self) -> None:
        message = self.session.door.knock(self.password.text)
        if message is not None and self.password.text:
            self.password.set("")
            self.navigator.go(message)


class PasswordPopup:
    """Popup of the screen before the start, for the owner of the table."""

    def __init__(self, session: ClientSession) -> None:
        self.session = session
        self.is_open = False
        self.password = TextInput(most=MOST_PASSWORD, enter=self._set)

    def draw_button(self, ui: Ui, rect: Rect, table: TableView, *, owner: bool) -> None:
        """Draw whether there is a password, as a button that opens the popup for the owner."""
        words = phrase("door.is", guarded=yes_or_no(is_so=table.guarded))
        tip = phrase("door.tip" if owner else "option.owner")
        ui.button(rect, words, self.open if owner else None, left=True, name=phrase("door.name"), tip=tip)

    def open(self) -> None:
        self.is_open = True
        self.password.set("")

    def close(self) -> None:
        self.is_open = False

    def draw(self, ui: Ui, table: TableView) -> None:
        inside = ui.popup(ui.px(WIDTH), ui.px(HEIGHT), phrase("door.set.title"))
        foot, inside = inside.cut_bottom(ui.px(ROW), ui.px(GAP))
        field, inside = inside.cut_bottom(ui.px(ROW), ui.px(GAP))
        ui.lines(phrase("door.about"), inside, colour=theme.MUTED, size=theme.SMALL)
        ui.input(field, self.password, phrase("door.new"))
        take, away, close = foot.columns(3, ui.px(GAP))
        can = bool(self.password.text)
        ui.button(take, phrase("door.set"), self._set if can else None, primary=can)
        ui.button(away, phrase("door.away"), self._take_away if table.guarded else None)
        ui.button(close, phrase("seat.close"), self.close, key=ui.keys.shown("back"))

    def _set(self) -> None:
        if self.password.text:
            self._say(self.password.text)

    def _take_away(self) -> None:
        self._say("")

    def _say(self, password: str) -> None:
        self.close()
        self.session.say(ChangeTable(password=password))
