"""Files that are sent in parts: replays, and what is kept of a person, one at a time on each connection."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Coroutine
from typing import TYPE_CHECKING, Final

from protocol.wire.from_server import FilePart
from protocol.wire.own_data import OwnDataPart
from server.lobby.personal_data import personal_data
from server.runtime.refusals import Refused
from server.store.port import StoreError

if TYPE_CHECKING:
    from pathlib import Path

    from protocol.wire import from_client as said
    from server.lobby.lobby import Lobby
    from server.lobby.services import Services
    from server.lobby.sessions import Session

MEGABYTE: Final = 1_000_000


class SentFiles:
    """The files on their way to people."""

    def __init__(self, services: Services, lobby: Lobby) -> None:
        self._services = services
        self._lobby = lobby
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
        task = self._begin(session, self._send_replay(session, path, size))
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

    async def _send_replay(self, session: Session, path: Path, size: int) -> None:
        """Send a file part by part, each read when the one before it has left the session's queue; until cancelled
        where the connection has gone, since the queue then never empties."""
        part = self._services.limits.file_part
        count = -(-size // part)
        try:
            for number in range(count):
                data = await asyncio.to_thread(_read_part, path, number * part, part)
                await session.drained()
                session.say(FilePart(path.name, number, count, data))
        except OSError as problem:
            self._services.log.error("replay", file=path.name, problem=str(problem))
            session.say(Refused("replay/unreadable").problem())

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


def _read_part(path: Path, start: int, size: int) -> bytes:
    """Read at most `size` bytes of a file from byte `start` on. The file is opened and closed in one call, since a
    caller that is cancelled while it waits for the thread cannot close it."""
    with path.open("rb") as file:
        file.seek(start)
        return file.read(size)
