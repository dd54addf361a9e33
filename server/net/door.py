"""What each address has open, and how often it knocks: counted from the first byte, before any handshake."""

from __future__ import annotations

import asyncio
import ipaddress
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from websockets.asyncio.server import ServerConnection
from websockets.frames import Frame, Opcode
from websockets.protocol import Event, State

from protocol.limits import Bucket
from protocol.token_buckets import bucket_each
from server.net.hearing import Hearing
from server.net.turns import Turns

if TYPE_CHECKING:
    from protocol.limits import Limits
    from server.runtime.clock import Clock

MESSAGE: Final = (Opcode.TEXT, Opcode.BINARY, Opcode.CONT)
POLITE: Final = 2
"""Times the limit: so many connections of an address are told why they are refused, further ones are hung up on."""

SLOW_SECONDS: Final = 0.001
"""Between the turns of those who say too much, all of them together."""


class Door:
    """Bounds what one address can cost. An address without a handshake counts like any other."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self._most = limits.sockets_per_address
        self._open: Counter[str] = Counter()
        self._knocks = bucket_each(Bucket(limits.handshakes_per_second, limits.handshakes_per_second))
        self._clock = clock
        self._limits = limits
        self.turns = Turns()
        self._slow_turns = Turns(SLOW_SECONDS)

    def hearing(self, connection: DoorConnection, parse: Callable[[bytes], None]) -> Hearing:
        """How this connection is heard; one that floods is hung up on, until somebody says what else to do."""
        transport = connection.transport
        return Hearing(self._limits, self._clock, self.turns, self._slow_turns, transport, parse, transport.abort)

    def come(self, address: str) -> bool:
        """A connection stands; False where it must be hung up on at once."""
        self._open[address] += 1
        return self._open[address] <= self._most * POLITE

    def gone(self, address: str) -> None:
        """It stands no more."""
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]

    def why_not(self, address: str) -> str:
        """Return why a handshake of this address is refused ("rate", "sockets", "full"); empty where it is not."""
        now = self._clock.now()
        if not self._knocks.of(address, now).take(now):
            return "rate"
        if self._open[address] > self._most:
            return "sockets"
        return "full" if self._open.total() > self._limits.sockets else ""


def counted_address(address: str) -> str:
    """What counts as one address: of IPv6 the first 64 bits, since whoever has one of these has all the others."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.IPv6Network((found, 64), strict=False))


class DoorConnection(ServerConnection):
    """A connection that the door knows of from its first byte to its last."""

    door: Door
    hearing: Hearing
    address = ""
    measured: Callable[[], None] | None = None
    """Is told when its latency has been measured anew."""

    @classmethod
    def at(cls, door: Door) -> type[DoorConnection]:
        """The connections of this door."""
        return type("DoorConnection", (cls,), {"door": door})

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.hearing = self.door.hearing(self, super().data_received)
        peer = transport.get_extra_info("peername")
        self.address = counted_address(str(peer[0])) if peer else ""
        if not self.door.come(self.address):
            self.transport.abort()

    def ask_for_life(self) -> None:
        """Send a ping, whose answer nobody waits for: anything that comes is a sign of life. Never waits."""
        if self.protocol.state is State.OPEN and not self.transport.is_closing():
            self.protocol.send_ping(b"")
            self.send_data()

    def data_received(self, data: bytes) -> None:
        self.hearing.come(data)

    def eof_received(self) -> None:
        self.hearing.let_through()
        super().eof_received()

    def process_event(self, event: Event) -> None:
        if isinstance(event, Frame) and event.fin and event.opcode in MESSAGE:
            self.hearing.given()
        before = self.latency
        super().process_event(event)
        if self.latency != before and self.measured is not None:
            self.measured()

    def connection_lost(self, exc: Exception | None) -> None:
        self.door.gone(self.address)
        self.hearing.let_through()
        super().connection_lost(exc)
