"""A server that times itself: `python -m tests.support.clients.watched_server DATA REPORT`.

REPORT gets a line of JSON for each step of a match, {"step": seconds from durable to the last player's write of its
frames}, and for each spectator that is gone, {"gone": seconds since its queue was full, 0 where it never was}. Players
are those who connect from 127.0.0.1.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import TextIO

from protocol.limits import Bucket, Limits
from server.cli.serving import run_loop, serve
from server.content.systems import install
from server.lobby.sessions import Session
from server.net.gateway_connection import GatewayConnection
from server.net.outbox import OutboundSocket
from server.runtime.crash_points import CrashPoint
from server.store.sqlite.store import SqliteStore
from tests.support.servers.limits import FREE
from tests.support.systems.duel import TOML, Duel

PLAYERS = "127.0.0.1"
IMPATIENT = -10
CROWDED = """
[scenario.crowded]
seats = 6
turns = 100000
vote_seconds = 0
"""
LIMITS = Limits(**FREE, intents=Bucket(1e6, 1_000_000), frames=Bucket(1e6, 1_000_000), seats=6)
"""The limits on spectators, addresses, queues and times are the real ones."""


class Times:
    """Recorder of the times when a step is durable and when players are written to."""

    def __init__(self, report: TextIO) -> None:
        self._report = report
        self._committed = 0.0
        self._durable = 0.0
        self._written = 0.0
        self._full: dict[Session, float] = {}

    def mark(self, point: CrashPoint) -> None:
        if point == "committed":
            self._committed = perf_counter()
        elif point == "appended":
            self._durable, self._written = self._committed, 0.0
        elif point == "received" and self._written:
            self._tell({"step": self._written - self._durable})
            self._written = 0.0

    def written(self) -> None:
        if self._durable:
            self._written = perf_counter()

    def full(self, session: Session) -> None:
        self._full.setdefault(session, perf_counter())

    def gone(self, session: Session) -> None:
        if session.address != PLAYERS:
            now = perf_counter()
            self._tell({"gone": now - self._full.pop(session, now)})

    def _tell(self, line: dict[str, float]) -> None:
        self._report.write(json.dumps(line) + "\n")
        self._report.flush()


def watch(times: Times) -> None:
    """Record writes to players, and the ends of spectators that do not read."""
    send, write, lose, close = OutboundSocket.send, OutboundSocket.write, Session._lose_patience, Session.close

    def note(link: OutboundSocket, data: bytes) -> None:
        is_frame = b"delta" in data[:16]
        if is_frame and isinstance(link._socket, GatewayConnection) and link._socket.address == PLAYERS:
            times.written()

    async def timed_send(self: OutboundSocket, data: bytes) -> None:
        await send(self, data)
        note(self, data)

    def timed_write(self: OutboundSocket, frames: bytes) -> None:
        write(self, frames)
        note(self, frames)

    async def timed_lose(self: Session) -> None:
        times.full(self)
        await lose(self)

    def timed_close(self: Session) -> None:
        times.gone(self)
        close(self)

    # the process is the watched server alone: nobody else has these classes
    OutboundSocket.send = timed_send  # type: ignore[method-assign]
    OutboundSocket.write = timed_write  # type: ignore[method-assign]
    Session._lose_patience = timed_lose  # type: ignore[method-assign]
    Session.close = timed_close  # type: ignore[method-assign]


def main(data: Path, report: Path) -> int:
    systems = {"duel": install(Duel(), {"duel.toml": TOML, "crowded.toml": CROWDED})}
    # other programs shall not disturb the measurement; without the permission, they do
    with suppress(PermissionError):
        os.nice(IMPATIENT)
    with report.open("w") as file:
        times = Times(file)
        watch(times)
        store = SqliteStore(data / "eschaton.db", mark=times.mark)
        return run_loop(serve(systems, store, data, PLAYERS, 0, limits=LIMITS, mark=times.mark))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
