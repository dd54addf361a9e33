"""First screen: the player's name, language and size of text, a first lesson, and where to play."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from client.text.phrases import phrase
from client.text.texts import Texts
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.ui.text_input import TextInput
from client.views.screen import Screen
from client.views.settings import settings_of
from protocol.limits import Limits
from protocol.text import text

if TYPE_CHECKING:
    from client.app.navigator import Navigator
    from client.app.window import App

FIELDS = 10
"""Rows besides those of servers."""
FIRST = ("language", "size")
"""Settings that stand here, too."""
MOST_SERVERS = 4
LEAST_ROW = 24
"""Pixels of a row at text scale 1, below which servers are left out instead."""


class ConnectScreen(Screen):
    """Name, language and size of text, the server on this computer, an address, and the last servers."""

    def __init__(self, app: App, navigator: Navigator) -> None:
        super().__init__(app)
        self.navigator = navigator
        self.note = ""
        texts = Texts()
        self.say: Callable[[str], str] = lambda key: texts.say(text(key))
        self.name = TextInput(navigator.profile.name, most=Limits().name_length, changed=self._rename)
        last = navigator.profile.servers[0] if navigator.profile.servers else ""
        self.address = TextInput(last, most=200, enter=self._connect)
        self.password = TextInput(most=Limits().password_most, enter=self._sign_in, hidden=True)

    def build(self, ui: Ui) -> None:
        servers = self.navigator.profile.servers[:MOST_SERVERS]
        width = min(ui.px(520), ui.window.w)
        note = ui.lines_height(self.note, width - ui.px(20)) if self.note else 0
        box = ui.window.middle(width, ui.px(436) + ui.px(36) * len(servers) + max(note, ui.px(40)))
        inside = ui.panel(box.inset(0))
        say = self.say
        head, inside = inside.cut_top(ui.px(48))
        foot, inside = inside.cut_bottom(note, ui.px(4))
        ui.lines(self.note, foot, colour=theme.BAD)
        servers = servers[: max(int(inside.h // ui.px(LEAST_ROW + 6)) - FIELDS, 0)]
        ui.label(phrase("connect.title"), *head.centre, size=theme.TITLE, bold=True, anchor="center")
        rows = inside.share(FIELDS + len(servers), ui.px(32), ui.px(4))
        ui.label(phrase("connect.your_name"), (row := next(rows)).x, row.centre[1], colour=theme.MUTED)
        ui.input(next(rows), self.name, phrase("connect.name"))
        self._settings(ui, next(rows))
        learn, quick = next(rows).columns(2, ui.px(8))
        is_new = not self.navigator.profile.taught
        ui.button(learn, phrase("lesson.learn"), self._learn, primary=is_new, tip=phrase("connect.learn.tip"))
        ui.button(quick, phrase("quick_start"), self._quick, primary=not is_new)
        ui.button(next(rows), phrase("connect.local"), self._here)
        ui.label(phrase("connect.friend"), (row := next(rows)).x, row.centre[1], colour=theme.MUTED)
        field, go = next(rows).cut_left(inside.w - ui.px(120), 8)
        ui.input(field, self.address, phrase("connect.address"))
        ui.button(go, phrase("connect.connect"), self._connect)
        ui.line(say("name.sign_in.why"), next(rows), colour=theme.MUTED)
        field, go = next(rows).cut_left(inside.w - ui.px(120), 8)
        ui.input(field, self.password, say("name.password"))
        ready = bool(self.name.text.strip() and self.address.text.strip() and self.password.text)
        tip = say("name.sign_in.tip" if ready else "name.sign_in.first")
        ui.button(go, say("name.sign_in"), self._sign_in if ready else None, tip=tip)
        for server in servers:
            ui.button(next(rows), server, partial(self._to, server), left=True, listed=True)
        ui.button(next(rows), phrase("quit"), self.navigator.quit)

    def _settings(self, ui: Ui, row: Rect) -> None:
        """Draw the settings that a newcomer needs to read on; all others are on the page of settings."""
        settings = {one.id: one for one in settings_of(self.navigator)}
        first = [settings[id] for id in FIRST]
        for box, one in zip(row.columns(len(first), ui.px(8)), first, strict=True):
            words = phrase("connect.setting", name=one.name, value=one.value)
            ui.button(box, words, one.change, left=True, name=one.name, tip=one.about)

    def _rename(self) -> None:
        self.navigator.profile.name = self.name.text.strip()
        self.navigator.keep()

    def _connect(self) -> None:
        self._to(self.address.text)

    def _sign_in(self) -> None:
        if self.name.text.strip() and self.address.text.strip() and self.password.text:
            self.note = self.navigator.connect_to(self.address.text, self.password.text)

    def _to(self, words: str) -> None:
        self.note = self.navigator.connect_to(words)

    def _here(self) -> None:
        self.note = self.navigator.play_here()

    def _learn(self) -> None:
        self.note = self.navigator.play_here(learn=True)

    def _quick(self) -> None:
        self.note = self.navigator.play_here(quick=True)

    def escape(self) -> None:
        self.navigator.quit()
