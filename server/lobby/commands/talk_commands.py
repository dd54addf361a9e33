"""The commands of people who talk: chat in the lobby and at tables, words and offers between two, marks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from protocol.text_cleaning import clean_line
from server.lobby.lobby_talk import LobbyTalk
from server.lobby.table.marks import point_at
from server.lobby.table.table_chat import TO_ALL, WATCHERS
from server.runtime.refusals import Refused

if TYPE_CHECKING:
    from protocol.wire import from_client as said
    from server.accounts.identities import Identities
    from server.lobby.lobby import Lobby
    from server.lobby.services import Services
    from server.lobby.sessions import Session


class TalkCommands:
    """Methods, one for each message, called for the session that has sent it. One that raises Refused or StoreError has
    said nothing."""

    def __init__(self, services: Services, lobby: Lobby, identities: Identities) -> None:
        self._services = services
        self._lobby = lobby
        self._lobby_talk = LobbyTalk(services, identities, lobby.sessions)

    async def chat(self, session: Session, chat: said.Chat) -> None:
        # normalising may make more of a character than one
        text = clean_line(chat.text)[: self._services.limits.chat_length].rstrip()
        if not text:
            raise Refused("chat/empty")
        if chat.where == "lobby":
            self._services.order.check_talk(session.who)
            await self._lobby_talk.say(session, text)
            return
        live = self._lobby.mine(session)
        if chat.where == "side":
            self._unseen(session, lambda: live.diplomacy.speak_to_side(session, text))
        elif chat.to is not None:
            try:
                await live.diplomacy.whisper(session, chat.to, text)
            except Refused as refused:
                session.say(refused.problem())
        else:
            self._services.order.check_talk(session.who)
            live.acted(session)
            line = live.broadcast.chat(session, text)
            live.past.keep_chat(line, WATCHERS if line.role == "watcher" else TO_ALL)

    async def lobby_page(self, session: Session, asked: said.GetLobbyChat) -> None:
        await self._lobby_talk.show(session, asked)

    async def offer(self, session: Session, offer: said.Offer) -> None:
        live = self._lobby.mine(session)
        if offer.open:
            self._services.order.check_talk(session.who)
        self._unseen(session, lambda: live.diplomacy.offer(session, offer))

    async def answer_offer(self, session: Session, answer: said.AnswerOffer) -> None:
        live = self._lobby.mine(session)
        self._unseen(session, lambda: live.diplomacy.answer(session, answer))

    async def point_at(self, session: Session, asked: said.PointAt) -> None:
        live = self._lobby.mine(session)
        self._unseen(session, lambda: point_at(live, session, asked))

    def _unseen(self, session: Session, act: Callable[[], None]) -> None:
        """Carry out an act that only some people may know of: a refusal is not counted, and nothing shows that they are
        active."""
        try:
            act()
        except Refused as refused:
            session.say(refused.problem())
