"""Panel of the lobby's chat: its lines with the newest at the foot, and the field to write in."""

from __future__ import annotations

from client.draw.panels.log import draw_chat
from client.model.session import ClientSession
from client.model.table.view_model import ChatEntry
from client.text.days import day_of
from client.text.phrases import phrase
from client.text.spoken import SPOKEN
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect, on_grid
from client.ui.text_input import TextInput
from client.views.board.table_panels import ScrollPosition
from client.views.people_popup import PeoplePopup
from protocol.limits import Limits

HIGH, SHARE = 192, 0.34
"""Height in pixels, and the most of the room that it takes."""


class LobbyTalkPanel:
    """Panel of one session. `people` opens the card of who said a line."""

    def __init__(self, session: ClientSession, people: PeoplePopup) -> None:
        self.session = session
        self.people = people
        self.box = TextInput(most=Limits().chat_length, enter=self._speak)
        self._scroll = ScrollPosition()

    def cut(self, ui: Ui, rect: Rect) -> Rect:
        """Draw the panel at the foot of `rect`, where the server has such a chat, and return the rest of it."""
        if not self.session.lobby_feed.is_kept:
            return rect
        panel, rest = rect.cut_bottom(min(ui.px(HIGH), on_grid(rect.h * SHARE)), ui.px(8))
        self._draw(ui, panel)
        return rest

    def _draw(self, ui: Ui, rect: Rect) -> None:
        feed = self.session.lobby_feed
        line, inside = ui.panel(rect).cut_bottom(ui.px(28), ui.px(4))
        ui.input(line, self.box, phrase("lobby.say", pressed=ui.keys.shown("talk")))
        lines = feed.lines
        self._scroll.follow([id(entry) for entry in lines], least=2)
        if lines:
            today = SPOKEN.day(self.session.today())
            said = ((entry, _words(entry, today), theme.MUTED) for entry in reversed(lines))
            if draw_chat(ui, inside, said, self.people.of_line, self._scroll.back) and self._scroll.back:
                feed.ask_older()
        elif feed.has_come:
            ui.lines(phrase("lobby.say.none"), inside, size=theme.SMALL, colour=theme.FAINT)
        ui.scrolls(rect, self._scroll.turn)

    def _speak(self) -> None:
        self.session.lobby_feed.speak(self.box.text)
        self.box.set("")


def _words(entry: ChatEntry, today: str) -> str:
    """Return a line with its speaker, and with its day where that is not today."""
    day = day_of(entry.at)
    if day == today:
        return f"{entry.name}: {entry.text}"
    return phrase("lobby.said.before", name=entry.name, day=day, words=entry.text)
