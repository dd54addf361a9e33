"""The door by which the host's commands reach a running server: a socket on loopback that a word opens.

The word stands with the port in a file of the data folder for its owner alone, and is another one at each start. One
line of JSON is heard and one answered on each connection.
"""

from __future__ import annotations

import asyncio
import hmac
import os
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import msgspec

from server.order.host_requests import AnyHostRequest, HostAnswer, decode_host_request
from server.runtime.tasks import TaskSupervisor, stop

DOOR: Final = "admin.json"
LOOPBACK: Final = "127.0.0.1"
MOST_BYTES: Final = 8192
"""Of a request, with the word before it."""
MOST_VISITORS: Final = 4
"""Connections at once; further ones are closed."""
HEARING_SECONDS: Final = 2.0
"""In which a request must have come whole."""


class DoorPlace(msgspec.Struct, frozen=True):
    """Port of a door and the word that opens it."""

    port: int
    word: str


class HostDoor:
    """The door of one server. `answer` carries out a request."""

    def __init__(
        self, data: Path, tasks: TaskSupervisor, answer: Callable[[AnyHostRequest], Awaitable[HostAnswer]]
    ) -> None:
        self._path = data / DOOR
        self._tasks = tasks
        self._answer = answer
        self._word = secrets.token_hex(32)
        self._visits: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        """Listen, and write where. Raises OSError."""
        self._server = await asyncio.start_server(self._let_in, LOOPBACK, 0, limit=MOST_BYTES)
        place = DoorPlace(self._server.sockets[0].getsockname()[1], self._word)
        fresh = self._path.with_suffix(f".{secrets.token_hex(4)}")
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(msgspec.json.encode(place))
        fresh.replace(self._path)

    async def close(self) -> None:
        """Listen no more. An act that is being stored then may be found done."""
        if self._server is None:
            return
        self._server.close()
        self._server = None
        # another server on the folder may have taken the place over
        if (place := read_place(self._path.parent)) is not None and place.word == self._word:
            self._path.unlink(missing_ok=True)
        await stop(self._visits)

    def _let_in(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._visits) >= MOST_VISITORS:
            writer.close()
            return
        visit = self._tasks.begin(self._visit(reader, writer), "host-door")
        self._visits.add(visit)
        visit.add_done_callback(self._visits.discard)

    async def _visit(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer a request that the word stands before; say nothing to any other."""
        try:
            async with asyncio.timeout(HEARING_SECONDS):
                word, _, request = (await reader.readuntil(b"\n")).partition(b" ")
            if hmac.compare_digest(word, self._word.encode()):
                writer.write(msgspec.json.encode(await self._answered(request)) + b"\n")
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # they have gone, or are none of ours
        finally:
            writer.close()

    async def _answered(self, request: bytes) -> HostAnswer:
        try:
            asked = decode_host_request(request)
        except msgspec.MsgspecError as problem:
            return HostAnswer(refused=str(problem))
        return await self._answer(asked)


def read_place(data: Path) -> DoorPlace | None:
    """Return where the door of the server with this data folder is, None where none runs."""
    try:
        return msgspec.json.decode((data / DOOR).read_bytes(), type=DoorPlace)
    except (OSError, msgspec.MsgspecError):
        return None
