"""Listening to one connection: one message after another, most of them in the turn of the loop in which they came."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from websockets.frames import CloseCode
from websockets.protocol import OPEN

from server.runtime.refusals import Refused
from server.runtime.tasks import begin

if TYPE_CHECKING:
    from server.lobby.sessions import Session
    from server.net.gateway_connection import GatewayConnection

Take = Callable[["GatewayConnection", "Session", bytes], Coroutine[Any, Any, None]]


class MessageReader:
    """Gives what a connection says to `take`, one message after another, each when the one before it has been dealt
    with. A message that comes in one frame, while nothing else is to be heard, is taken at once; whatever else comes
    (text, fragments, what came while another was being dealt with) goes through the library's parser and its queue,
    which ask the loop for two more turns and cost as much as an intent in all the rest of the server."""

    def __init__(self, socket: GatewayConnection, session: Session, take: Take) -> None:
        self._socket = socket
        self._session = session
        self._take = take
        self._is_busy = False
        self._task: asyncio.Task[None] | None = None

    async def listen(self) -> None:
        """Until nothing more is to be heard. Raises ConnectionClosed, and whatever `take` raises."""
        self._socket.inbound.take_message = self._hear
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
        """Wait until what has been heard is dealt with. Raises what `take` raises."""
        task = self._task
        if task is not None:
            try:
                await task
            finally:
                if self._task is task:
                    self._task = None

    def _hear(self, message: bytes) -> bool:
        """Take this message now; whether that can be."""
        if self._is_busy or self._socket.protocol.state is not OPEN or self._session.is_closing:
            return False
        if self._task is not None and not self._task.done():
            return False
        self._task = begin(self._take(self._socket, self._session, message))
        return True
