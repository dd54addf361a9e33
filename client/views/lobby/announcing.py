"""Announcements on the page of moderators: those that stand, and a new one."""

from __future__ import annotations

from functools import partial
from typing import Final

from client.model.session import ClientSession
from client.model.words.notice_words import span_of
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.ui.text_input import TextInput
from protocol.limits import Limits

ROW, GAP = 40, 4
COUNTDOWNS: Final = {"none": 0, "five": 300, "ten": 600, "thirty": 1800, "hour": 3600, "day": 24 * 3600}
"""Seconds to the moment that an announcement is about, by their names."""


class Announcing:
    """Part of the page of moderators."""

    def __init__(self, session: ClientSession) -> None:
        self.session = session
        self.words = TextInput(most=Limits().announcement_length, enter=self._announce)
        self._countdown = next(iter(COUNTDOWNS))

    def draw(self, ui: Ui, page: Rect) -> None:
        most = Limits().announcements
        rows = page.share(5 + most, ui.px(ROW), ui.px(GAP))
        ui.input(next(rows), self.words, phrase("order.words"))
        for box, name in zip(next(rows).columns(len(COUNTDOWNS), 8), COUNTDOWNS, strict=True):
            chosen, act = name == self._countdown, partial(self._choose, name)
            ui.button(box, phrase(f"order.countdown.{name}"), act, chosen=chosen, listed=True)
        standing = self.session.announcements.rows
        why_not = self._why_not()
        send = next(rows).cut_left(ui.px(200))[0]
        ui.button(send, phrase("order.announce"), None if why_not else self._announce, primary=not why_not, tip=why_not)
        ui.lines(phrase("order.announce.about"), next(rows), colour=theme.MUTED, size=theme.SMALL)
        if not standing:
            ui.line(phrase("order.empty.announcements"), next(rows), colour=theme.MUTED)
        for box, row in zip(rows, standing, strict=False):
            left = self.session.announcements.left(row)
            words = phrase("order.standing", words=row.text, left=span_of(left)) if left else row.text
            ui.painter.rect(box, theme.RAISED, 5)
            button, room = box.inset(ui.px(4)).cut_right(ui.px(128), ui.px(8))
            name = phrase("order.take_back.of", words=row.text)
            ui.button(button, phrase("order.take_back"), partial(self._take_back, row.id), name=name, listed=True)
            ui.line(words, Rect(room.x + ui.px(8), room.y, room.w - ui.px(8), room.h))
            ui.tag(room, words, words)

    def _choose(self, name: str) -> None:
        self._countdown = name

    def _why_not(self) -> str:
        """Return the reason why nothing can be announced, empty where it can."""
        most = Limits().announcements
        if len(self.session.announcements.rows) >= most:
            return phrase("order.announce.full", most=most)
        return "" if self.words.text.strip() else phrase("order.announce.first")

    def _announce(self) -> None:
        if not self._why_not():
            self.session.notice = ""
            self.session.moderation.announce(self.words.text.strip(), COUNTDOWNS[self._countdown])
            self.words.set("")

    def _take_back(self, id: str) -> None:
        self.session.notice = ""
        self.session.moderation.take_back(id)
