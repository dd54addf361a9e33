"""Registration of a name: a password typed twice, and for a change the old one."""

from __future__ import annotations

from client.model.session import ClientSession
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.ui.text_input import TextInput
from protocol.limits import Limits
from protocol.text import text
from protocol.wire.from_client import KeepName

LEAST = Limits().password_least
MOST = Limits().password_most


class NameRegistration:
    """Popup above the screen. It closes when the server has taken the password, and forgets what was typed."""

    def __init__(self, session: ClientSession) -> None:
        self.session = session
        self.is_open = False
        self._fields = self.old, self.new, self.again = [
            TextInput(most=MOST, enter=self._send, hidden=True) for _ in range(3)
        ]
        self._answers = -1

    @property
    def title(self) -> str:
        """Words of the button that opens the popup."""
        return self._say("name.change" if self.session.registered_name else "name.keep")

    def draw_button(self, ui: Ui, rect: Rect) -> None:
        ui.button(rect, self.title, self.open, tip=self._say("name.keep.tip"))

    def open(self) -> None:
        self.is_open, self.session.problem = True, ""

    def close(self) -> None:
        self.is_open, self._answers = False, -1
        for field in self._fields:
            field.set("")

    def sync(self) -> None:
        """Close the popup once the server has taken the password; while it is open, it alone tells what is wrong."""
        if self.is_open and self.session.notice == self.session.problem:
            self.session.notice = ""
        if 0 <= self._answers < self.session.names_registered:
            self.close()

    def draw(self, ui: Ui) -> None:
        kept = self.session.registered_name
        inside = ui.popup(ui.px(460), ui.px(290 if kept else 254), self.title)
        key, name = ("name.change.about", kept) if kept else ("name.keep.about", self.session.own_name)
        inside = ui.lines(self._say(key, name=name), inside, colour=theme.MUTED, gap=8)
        rows = inside.share(5 if kept else 4, ui.px(32), ui.px(4))
        if kept:
            ui.input(next(rows), self.old, self._say("name.old"))
        ui.input(next(rows), self.new, self._say("name.new", least=LEAST))
        ui.input(next(rows), self.again, self._say("name.again"))
        back, send = next(rows).columns(2)
        why_not = self._why_not()
        ui.button(back, self._say("name.cancel"), self.close, key=ui.keys.shown("back"))
        act, name = None if why_not else self._send, phrase("keep_name.now", title=self.title)
        ui.button(send, self.title, act, primary=not why_not, tip=why_not, name=name)
        note = self.session.problem or (why_not if self.again.text else "")
        rest = next(rows)
        ui.lines(note, Rect(rest.x, inside.y, rest.w, rest.top - inside.y), colour=theme.WARN, size=theme.SMALL)

    def _why_not(self) -> str:
        if self.session.registered_name and not self.old.text:
            return self._say("name.no_old")
        if len(self.new.text) < LEAST:
            return self._say("name.short", least=LEAST)
        return "" if self.new.text == self.again.text else self._say("name.differ")

    def _send(self) -> None:
        if self._why_not():
            return
        self._answers, self.session.problem = self.session.names_registered, ""
        old = self.old.text if self.session.registered_name else None
        self.session.say(KeepName(password=self.new.text, old=old))

    def _say(self, key: str, **arguments: str | int) -> str:
        return self.session.texts.say(text(key, **arguments))
