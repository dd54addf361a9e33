"""A connected client: the conversation with its bounded queue, and the pump that empties it into the socket."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

from websockets.frames import CloseCode

from protocol.wire.codec import encode
from protocol.wire.server_conversation import ServerConversation
from server.runtime.bounds import Asker

if TYPE_CHECKING:
    from protocol.wire.from_server import Problem
    from protocol.wire.server_message import ServerMessage
    from server.accounts.identities import Account, Login
    from server.lobby.table.live_table import LiveTable
    from server.runtime.clock import Clock
    from server.runtime.metrics import Metrics
    from server.runtime.tasks import TaskSupervisor


SILENT: Final = "session/silent"


class Socket(Protocol):
    """The part of a WebSocket that a session needs."""

    def send_now(self, parts: tuple[bytes, ...]) -> bool:
        """Send these messages, with what else is sent in this turn of the loop and without waiting, if little enough
        waits before them. Return False, and send none, where that is not so."""
        ...

    @property
    def latency(self) -> float:
        """Seconds that a message takes to the other side and back, as last measured; 0: not yet."""
        ...

    async def send(self, data: bytes) -> None:
        """Return when the data is on its way; wait while the other side does not read."""
        ...

    async def close(self, code: int, reason: str) -> None:
        """Close with a status of RFC 6455."""
        ...


class Session:
    """Connection of one client. All messages to it are queued; a slow reader delays only itself.

    One that has filled its queue and takes nothing more for `patience` seconds is closed. `address`: where it comes
    from.
    """

    def __init__(
        self,
        conversation: ServerConversation,
        socket: Socket,
        clock: Clock,
        metrics: Metrics,
        patience: float,
        address: str,
        tasks: TaskSupervisor,
    ) -> None:
        self.conversation = conversation
        self.address = address
        self._socket = socket
        self._clock = clock
        self._tasks = tasks
        self._metrics = metrics
        self._queued_at: float | None = None
        self._patience = patience
        self._sent = 0
        self._is_idle = True
        """Nothing waits and nothing is being sent: what is said now may go out at once, past the queue. Whatever the
        conversation has to send, or is over for, it is woken for."""
        self._watch: asyncio.Task[None] | None = None
        self.account: Account | None = None
        self._asker = Asker("", address)
        self.login: Login | None = None
        """The token that was given, until the client is known to have it."""
        self.device = ""
        """The hash of that token."""
        self.pinged = False
        self.spoke_at = clock.now()
        """When its person last did something, in the clock's time; what programs say by themselves does not count."""
        self.language = "en"
        self.adds = False
        """Its program adds to dice."""
        self.table: LiveTable | None = None
        self.has_asked_for_lobby = False
        """Since it came to its table, or last acted there."""
        self.follows_people = False
        """It has asked for lists of people, and knows what is told of them."""
        self.follows_lobby_chat = False
        """It has asked for the chat of the lobby, and knows what is told of it."""
        self.follows_invitations = False
        """It has asked for invitations, and knows what is told of them."""
        self.moderates = False
        """It has been told that it is a moderator's."""
        self.follows_webhook = False
        """It has asked for the person's webhook, and knows what is told of it."""
        self.doomed: Callable[[], None] | None = None
        """Called once, when the connection is to end as soon as what is queued is sent."""
        self.silent_since: float | None = None
        """Where the link is dead: since when nothing has come, in the clock's time."""
        self._wake = asyncio.Event()
        self._drained = asyncio.Event()
        self._closing: tuple[int, str] | None = None

    @property
    def who(self) -> str:
        """Id of the person, empty before the login."""
        return self.account.id if self.account is not None else ""

    @property
    def name(self) -> str:
        """Name of the person."""
        return self.account.name if self.account is not None else ""

    @property
    def asker(self) -> Asker:
        """Person and address by which the requests of this connection are counted."""
        who = self.who
        if self._asker.person != who:
            self._asker = Asker(who, self.address)
        return self._asker

    @property
    def sees_lobby(self) -> bool:
        """True while the list of tables is kept up: at no table, or looking at the list beside one."""
        return self.table is None or self.has_asked_for_lobby

    @property
    def trip(self) -> int:
        """Milliseconds that a message takes to the client and back, as last measured; -1: not yet."""
        return round(self._socket.latency * 1000) if self._socket.latency else -1

    @property
    def closing(self) -> tuple[int, str] | None:
        """Status and code with which the connection is being closed from here."""
        return self._closing or self.conversation.closing

    @property
    def is_closing(self) -> bool:
        """True once nothing that the client says counts any more."""
        return self._closing is not None or self.conversation.closing is not None

    def measured(self) -> None:
        """Tell the table that the round trip has been measured anew."""
        if self.table is not None:
            self.table.link_measured(self)

    def say(self, message: ServerMessage) -> None:
        """Queue a message."""
        self.offer(encode(message))

    def offer(self, *parts: bytes, droppable: bool = False) -> None:
        """Queue encoded messages; scene frames are `droppable`: a snapshot makes up for them. Where nothing waits, all
        of them go out with what else is sent in this turn of the loop."""
        if self._is_idle and self._socket.send_now(parts):
            self._metrics.sent_seconds.least += len(parts)
            return
        for data in parts:
            self.conversation.offer(data, droppable=droppable)
        if self._queued_at is None:
            self._queued_at = self._clock.now()
        self._drained.clear()
        self.wake()
        if self.conversation.overflowed and self._watch is None:
            self._watch = self._tasks.begin(self._lose_patience(), "patience")

    def end(self, problem: Problem, status: CloseCode = CloseCode.POLICY_VIOLATION) -> None:
        """Say why, then close."""
        if self._closing is None:
            self.say(problem)
            self.hang_up(problem.code, status)

    def hang_up(self, code: str, status: CloseCode) -> None:
        """Close once all that has been said is sent. `code`: the reason, which has been said."""
        if self._closing is None:
            self._closing = (status, code)
            self.wake()

    def give_up(self, since: float) -> None:
        """Cut the connection, whose link is dead: nothing has come since then, and nothing more is said."""
        self.silent_since = since
        if self._closing is None:
            self._closing = (CloseCode.ABNORMAL_CLOSURE, SILENT)

    def take_over(self) -> None:
        """End the connection: the same person has connected elsewhere."""
        self.conversation.take_over()
        self.wake()

    def end_flood(self) -> None:
        """End the connection: far more comes than can be read."""
        self.conversation.end_flood()
        self.wake()

    def wake(self) -> None:
        """Look whether the conversation has something to send, or is over."""
        self._is_idle = False
        self._wake.set()
        if self.doomed is not None and self.is_closing:
            doomed, self.doomed = self.doomed, None
            doomed()

    async def drained(self) -> None:
        """Wait until all that was queued is on its way."""
        self._wake.set()
        await self._drained.wait()

    async def pump(self) -> None:
        """Send what is queued, for ever; return when the connection has been closed from here."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            await self._flush()
            self._is_idle = True
            if self.closing is not None:
                await self._socket.close(*self.closing)
                return
            self._drained.set()

    async def _flush(self) -> None:
        """Send one message after another, so that what waits is in the queue, where it is bounded."""
        while True:
            data = self.conversation.next()
            if data is not None:
                await self._socket.send(data)
                self._sent += 1
                continue
            if self._queued_at is not None:
                self._metrics.sent_seconds.add(self._clock.now() - self._queued_at)
                self._queued_at = None
            if self.conversation.overflowed and not self.is_closing:
                self._recover()
            else:
                return

    def _recover(self) -> None:
        """Show the table anew by one snapshot, in place of what was dropped while the connection was behind."""
        self.conversation.overflowed = False
        self._is_idle = True
        self._sent += 1
        self._metrics.drifts.add("queue")
        if self.table is not None:
            self.table.show_all(self)

    async def _lose_patience(self) -> None:
        """Close the connection if nothing gets through while it is behind."""
        sent = -1
        while self.conversation.overflowed and self._sent != sent:
            sent = self._sent
            await self._clock.sleep(self._patience)
        self._watch = None
        if self.conversation.overflowed:
            self.conversation.too_slow()
            self.wake()

    def close(self) -> None:
        """Clean up after the connection has gone."""
        if self._watch is not None:
            self._watch.cancel()
