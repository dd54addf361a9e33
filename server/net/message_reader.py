"""Reading of one connection: one message after another, most of them without the library's queue."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from websockets.frames import CloseCode
from websockets.protocol import OPEN

from server.runtime.refusals import Refused

if TYPE_CHECKING:
    from server.lobby.sessions import Session
    from server.net.gateway_connection import GatewayConnection
    from server.runtime.tasks import TaskSupervisor

Take = Callable[["GatewayConnection", "Session", bytes], Coroutine[Any, Any, None]]


class MessageReader:
    """A reader that gives the messages of a connection to `take`, each when the one before it has been handled.

    A message that comes in one frame, while no other one is being handled, goes to a task of its own at once. All
    others (text, fragments, what comes while a message is being handled) go through the library's parser and its queue,
    which take two more turns of the loop.
    """

    def __init__(self, socket: GatewayConnection, session: Session, take: Take, tasks: TaskSupervisor) -> None:
        self._socket = socket
        self._tasks = tasks
        self._session = session
        self._take = take
        self._is_busy = False
        self._task: asyncio.Task[None] | None = None

    async def listen(self) -> None:
        """Read until no more messages are to be taken. Raises ConnectionClosed, and whatever `take` raises."""
        self._socket.inbound.take_message = self._take_now
        async for frame in self._socket:
            await self.rest()
            self._socket.inbound.message_handled()
            if isinstance(frame, str):
                self._session.end(Refused("frame/text").problem(fatal=True), CloseCode.UNSUPPORTED_DATA)
            else:
                self._is_busy = True
                try:
                    await self._take(self._socket, self._session, frame)
                finally:
                    self._is_busy = False
            if self._session.is_closing:
                return

    async def rest(self) -> None:
        """Wait until the message that is being handled is done. Raises what `take` raises."""
        task = self._task
        if task is not None:
            try:
                await task
            finally:
                if self._task is task:
                    self._task = None

    def _take_now(self, message: bytes) -> bool:
        """Begin to take this message; return False where that cannot be."""
        if self._is_busy or self._socket.protocol.state is not OPEN or self._session.is_closing:
            return False
        if self._task is not None and not self._task.done():
            return False
        self._task = self._tasks.begin(self._take(self._socket, self._session, message), "reader")
        return True
