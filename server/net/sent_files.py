"""Files that are sent in parts: replays, and what is kept of a person, one at a time on each connection."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Coroutine
from typing import TYPE_CHECKING, Final

from protocol.wire.from_server import FilePart
from protocol.wire.own_data import OwnDataPart
from server.accounts.current_names import CurrentNames
from server.lobby.matches.replay_names import names_beside
from server.lobby.personal_data import personal_data
from server.match.sent_replays import with_names
from server.runtime.long_threads import in_thread
from server.runtime.refusals import Refused
from server.store.port import StoreError

if TYPE_CHECKING:
    from pathlib import Path

    from protocol.wire import from_client as said
    from server.accounts.identities import Identities
    from server.lobby.lobby import Lobby
    from server.lobby.services import Services
    from server.lobby.sessions import Session
    from server.lobby.table.table_record import TableRecord

MEGABYTE: Final = 1_000_000


class SentFiles:
    """The files on their way to people."""

    def __init__(self, services: Services, lobby: Lobby, identities: Identities) -> None:
        self._services = services
        self._lobby = lobby
        self._identities = identities
        self._sending: dict[Session, asyncio.Task[None]] = {}

    def tasks(self) -> Collection[asyncio.Task[None]]:
        """Return the tasks that send."""
        return self._sending.values()

    def leave(self, session: Session) -> None:
        """Send nothing more on a connection that has ended."""
        if session in self._sending:
            self._sending[session].cancel()

    async def send_replay(self, session: Session, asked: said.GetReplay) -> None:
        """Begin to send a replay. Raises Refused."""
        live = self._lobby.by_id(session, asked.table)
        if not live.record.replay:
            raise Refused("replay/coming" if live.is_over else "replay/none")
        if live.record.replay_dropped:
            raise Refused("replay/dropped")
        self._check_idle(session)
        path = self._services.replays / live.record.replay
        try:
            size = path.stat().st_size
        except OSError as problem:
            self._services.log.error("replay", table=live.record.id, problem=str(problem))
            raise Refused("replay/unreadable") from problem
        self._services.bounds.spend("replays", session.asker, size / MEGABYTE)
        kept, name = self._lobby.replays, live.record.replay
        kept.begin_reading(name)
        task = self._begin(session, self._send_replay(session, path, live.record))
        task.add_done_callback(lambda _: kept.end_reading(name))

    async def send_own_data(self, session: Session) -> None:
        """Begin to send all that is kept of a person. Raises Refused."""
        self._check_idle(session)
        self._services.bounds.spend("exports", session.asker)
        self._services.log.info("own-data", who=session.who)
        _ = self._begin(session, self._send_own_data(session))

    def _check_idle(self, session: Session) -> None:
        if session in self._sending:
            raise Refused("replay/busy")

    def _begin(self, session: Session, sending: Coroutine[object, object, None]) -> asyncio.Task[None]:
        task = self._sending[session] = self._services.tasks.begin(sending, "file")
        task.add_done_callback(lambda _: self._sending.pop(session))
        return task

    async def _send_replay(self, session: Session, path: Path, table: TableRecord) -> None:
        """Send a file part by part, each read when the one before it has left the session's queue; until cancelled
        where the connection has gone, since the queue then never empties."""
        limits = self._services.limits
        part = limits.file_part
        try:
            names = await names_beside(table, CurrentNames(self._identities).of, limits.name_length)
            sent = await in_thread(with_names, path, names)
            count = -(-sent.size // part)
            for number in range(count):
                data = await asyncio.to_thread(sent.part, number * part, part)
                await session.drained()
                session.say(FilePart(path.name, number, count, data))
        except OSError as problem:
            self._services.log.error("replay", file=path.name, problem=str(problem))
            session.say(Refused("replay/unreadable").problem())
        except StoreError as problem:
            self._services.log.error("store", problem=str(problem))
            session.say(Refused("store/unavailable").problem())

    async def _send_own_data(self, session: Session) -> None:
        """Gather what is kept, and send it part by part, as a replay is sent."""
        services = self._services
        try:
            data = await personal_data(services.store, services.sealing_key, session.who, services.clock.wall())
        except StoreError as problem:
            services.log.error("store", problem=str(problem))
            session.say(Refused("store/unavailable").problem())
            return
        part = services.limits.file_part
        count = -(-len(data) // part)
        for number in range(count):
            await session.drained()
            session.say(OwnDataPart(number, count, data[number * part :][:part]))
