"""The chat of the lobby: told to all who follow it and look at the lobby, and kept for those who come later."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from protocol.limits import LOBBY_LINES
from protocol.wire.codec import encode
from protocol.wire.from_server import ChatLine, LobbyChat
from server.accounts.current_names import CurrentNames
from server.match.spectator_queue import Backlog, SpectatorGate, SpectatorQueue

if TYPE_CHECKING:
    from protocol.wire import from_client as said
    from server.accounts.identities import Identities
    from server.lobby.services import Services
    from server.lobby.sessions import Session
    from server.talk.lobby_lines import LobbyLine


class _Spoken(NamedTuple):
    """An encoded line with its speaker."""

    data: bytes
    who: str


class LobbyTalk:
    """The chat of the lobby for all connections, which `sessions` returns."""

    def __init__(self, services: Services, identities: Identities, sessions: Callable[[], Sequence[Session]]) -> None:
        self._services = services
        self._identities = identities
        self._sessions = sessions
        self._lines: Backlog[_Spoken] = Backlog(SpectatorQueue(SpectatorGate(services.tasks)))

    async def say(self, session: Session, text: str) -> None:
        """Store a line, then tell it. Raises Refused where too much is said, StoreError."""
        self._services.bounds.spend("words", session.asker)
        line = await self._services.lobby_lines.add(session.who, text)
        self._lines.add(_Spoken(encode(line_of_lobby(line, session.name)), session.who), self._tell)

    async def show(self, session: Session, asked: said.GetLobbyChat) -> None:
        """Send a page, without the lines of those who are gone, or whom the reader does not hear. Raises StoreError."""
        session.follows_lobby_chat = True
        lines = await self._services.lobby_lines.page(asked.before, LOBBY_LINES)
        names, hears = CurrentNames(self._identities), self._services.people.hears
        heard = [one for one in reversed(lines) if hears(session.who, one.line.who)]
        told = [line_of_lobby(one, name) for one in heard if (name := await names.of(one.line.who))]
        session.say(LobbyChat(tuple(told), lines[-1].number if len(lines) == LOBBY_LINES else 0))

    def _tell(self, gathered: list[_Spoken]) -> Iterator[None]:
        for session in self._sessions():
            if session.follows_lobby_chat and session.sees_lobby:
                for words in gathered:
                    if self._services.people.hears(session.who, words.who):
                        session.offer(words.data)
                yield


def line_of_lobby(one: LobbyLine, name: str) -> ChatLine:
    """Return a line of the lobby as it is told, under this name of its speaker."""
    line = one.line
    return ChatLine(line.who, name, "player", line.text, line.at, where="lobby", number=one.number)
