"""Acts about order as they reach those who are connected: bans, mutes, rights of moderators and announcements."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from protocol.wire.codec import encode
from protocol.wire.order import AnnouncementRow, Announcements, Moderating
from server.runtime.clock import set_or_due
from server.runtime.refusals import Refused

if TYPE_CHECKING:
    from server.lobby.lobby import Lobby
    from server.lobby.services import Services
    from server.lobby.sessions import Session
    from server.order.announcements import StoredAnnouncement

LOOK_SECONDS: Final = 60
"""After which the wall clock is looked at again: it may have been set."""


class OrderNews:
    """News about order for all connections of a lobby."""

    def __init__(self, services: Services, lobby: Lobby) -> None:
        self._services = services
        self._order = services.order
        self._lobby = lobby
        self._told: list[str] = []
        """Ids of the announcements that all connections know of."""
        self._changed = asyncio.Event()

    def greet(self, session: Session) -> None:
        """Tell a connection that has just come in of the announcements that stand."""
        session.moderates = self.is_moderator(session)
        standing = self._order.announcements.standing()
        if standing:
            session.say(self._announcements(standing))

    def is_moderator(self, session: Session) -> bool:
        """Return True for a connection of a moderator."""
        return session.account is not None and self._order.moderators.includes(session.account)

    def tell(self) -> None:
        """Tell all connections soon what has changed for them."""
        self._changed.set()

    def tell_person(self, who: str) -> None:
        """Tell the connections of a person at once what has changed for them, and all others soon."""
        for session in self._lobby.connections(who):
            self._tell_one(session)
        self.tell()

    def _tell_one(self, session: Session) -> None:
        """End a connection that a ban reaches, else say whether it is a moderator's now."""
        if session.account is None or session.is_closing:
            return
        try:
            self._order.check(session.account, session.address)
        except Refused as banned:
            self._lobby.end_all([session], banned)
        else:
            self.tell_rights(session)

    async def _tell_all(self) -> None:
        """Tell each connection what has changed for it, a slice at a time: whoever comes meanwhile has been checked."""
        standing = self._order.announcements.standing()
        ids = [one.id for one in standing]
        news = encode(self._announcements(standing)) if ids != self._told else None
        turns = self._services.turns
        for session in self._lobby.sessions():
            if turns.is_long():
                await turns.wait()
            self._tell_one(session)
            if news is not None and not session.is_closing:
                session.offer(news)
        self._told = ids

    def tell_rights(self, session: Session) -> None:
        """Tell a connection whether it is a moderator's, where that has changed."""
        moderates = self.is_moderator(session)
        if moderates != session.moderates:
            session.moderates = moderates
            session.say(Moderating(moderates))

    def tell_muted(self, who: str) -> None:
        """Tell a person that they are muted."""
        for session in self._lobby.connections(who):
            try:
                self._order.check_talk(who)
            except Refused as muted:
                session.say(muted.problem())

    async def watch(self) -> None:
        """Tell what changes, and take announcements down when they end, until cancelled."""
        clock = self._services.clock
        while True:
            self._changed.clear()
            await self._tell_all()
            standing = self._order.announcements.standing()
            if standing:
                seconds = min(LOOK_SECONDS, min(one.until for one in standing) - clock.wall())
                await set_or_due(self._changed, clock, clock.now() + seconds)
            else:
                await self._changed.wait()

    def _announcements(self, standing: Sequence[StoredAnnouncement]) -> Announcements:
        now = self._services.clock.wall()
        rows = [
            AnnouncementRow(one.id, one.text, one.at, max(one.due - now, 0) * 1000 if one.due else -1)
            for one in standing
        ]
        return Announcements(tuple(rows))
