"""Lines of the lobby's chat: the newest page, those told since, and older pages as they are asked for. No window."""

from __future__ import annotations

from collections.abc import Callable

from client.model.table.view_model import ChatEntry
from protocol.wire.from_client import Chat, GetLobbyChat, Message
from protocol.wire.from_server import ChatLine, LobbyChat


class LobbyFeed:
    """The lobby's chat of one session. `say` sends a message."""

    def __init__(self, say: Callable[[Message], object]) -> None:
        self._say = say
        self._lines: dict[int, ChatEntry] = {}
        self._asked_before = 0
        self._older = 0
        self.is_kept = False
        """True where the server has such a chat."""
        self.has_come = False
        """True once a page has come."""

    @property
    def lines(self) -> list[ChatEntry]:
        """The lines, oldest first."""
        return [self._lines[number] for number in sorted(self._lines)]

    def begin(self, *, is_kept: bool) -> None:
        """Ask a server that has such a chat for the newest page."""
        self.is_kept = is_kept
        self.ask()

    def ask(self) -> None:
        """Ask for the newest page, which takes the place of all lines that are known."""
        if self.is_kept:
            self._asked_before = 0
            self._say(GetLobbyChat())

    def ask_older(self) -> None:
        """Ask for the page before the oldest line, unless there is none, or it is on its way."""
        if self._older and self._asked_before != self._older:
            self._asked_before = self._older
            self._say(GetLobbyChat(before=self._older))

    def speak(self, words: str) -> None:
        """Say something in the lobby."""
        if words.strip():
            self._say(Chat(text=words.strip(), where="lobby"))

    def take(self, page: LobbyChat) -> None:
        """Take a page."""
        if not self._asked_before:
            self._lines.clear()
        self._older, self.has_come = page.older, True
        for line in page.lines:
            self.add(line)

    def add(self, line: ChatLine) -> None:
        """Take a line; one that is known already changes nothing."""
        self._lines[line.number] = ChatEntry(line.name, line.text, who=line.who, at=line.at, number=line.number)
