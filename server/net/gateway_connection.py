"""The server's side of one WebSocket: the library's connection, limited by address and throttled before parsing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers
from websockets.frames import Frame, Opcode, apply_mask  # type: ignore[attr-defined]  # the faster of its two
from websockets.protocol import Event, State

from server.net.address_limits import AddressLimits, counted_address
from server.net.frame_counter import HEAD, IS_MASKED, LENGTH, MASK
from server.net.inbound_throttle import InboundThrottle
from server.net.outbox import BINARY
from server.net.proxies import VisitorNames

MASKED: Final = HEAD + MASK
"""Bytes before the content of a short frame from a client."""
SHORT: Final = 125
BEHIND: Final = "behind "
"""Begins what connections of a proxy count as before they are named."""


class GatewayConnection(ServerConnection):
    """A connection that counts against its address from its first byte to its last."""

    address_limits: AddressLimits
    names: VisitorNames
    inbound: InboundThrottle
    peer = ""
    """IP address at the other end of the socket."""
    visitor = ""
    """IP address that the PROXY protocol has given, empty without it."""
    address = ""
    """What counts as the visitor's address; until the headers of a proxy have named one, nobody's."""
    take_now: Callable[[bytes], bool] | None = None
    """Is offered each whole message that nothing else waits before, and returns True where it has handled it."""
    measured: Callable[[], None] | None = None
    """Called when the latency has been measured anew."""

    @classmethod
    def limited_by(cls, address_limits: AddressLimits, names: VisitorNames) -> type[GatewayConnection]:
        """Return a class of connections that all count against these limits."""
        return type("GatewayConnection", (cls,), {"address_limits": address_limits, "names": names})

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.inbound = self.address_limits.throttle(self.transport, self._parse)
        peer = transport.get_extra_info("peername")
        self.peer = str(peer[0]) if peer else ""
        is_nameless = self.names.named_by_headers(self.peer)
        self.address = f"{BEHIND}{self.peer}" if is_nameless else counted_address(self.visitor or self.peer)
        if not self.address_limits.connection_opened(self.address) and not is_nameless:
            self.transport.abort()

    def name_visitor(self, headers: Headers) -> None:
        """Count as the visitor's whom the headers of a trusted proxy name. Raises BadForwarded."""
        if self.names.named_by_headers(self.peer):
            former, self.address = self.address, counted_address(self.names.visitor(self.peer, headers))
            self.address_limits.connection_named(former, self.address)

    def send_liveness_ping(self) -> None:
        """Send a ping without waiting for its pong: any data that come show that the client is there. Never waits."""
        if self.protocol.state is State.OPEN and not self.transport.is_closing():
            self.protocol.send_ping(b"")
            self.send_data()

    def data_received(self, data: bytes) -> None:
        self.inbound.receive(data)

    def _parse(self, data: bytes) -> None:
        """Parse bytes that have been read; a short message alone is not shown to the library, whose way is longer."""
        is_plain = self.inbound.is_one and self._is_plain(data)
        if not (is_plain and self._is_taken(apply_mask(data[MASKED:], data[HEAD:MASKED]))):
            super().data_received(data)

    def _is_plain(self, frame: bytes) -> bool:
        """Tell if this frame is a short message by itself, at which the library would do nothing but give it out."""
        if frame[0] != BINARY or frame[1] & LENGTH > SHORT or not frame[1] & IS_MASKED:
            return False
        return self.protocol.state is State.OPEN and self.protocol.current_size is None

    def _is_taken(self, message: bytes) -> bool:
        """Have a message handled past the library's queue and the task of the connection, if nothing waits before it:
        the shorter way saves some 2 % of the CPU of an intent."""
        if self.take_now is None or not self.inbound.is_alone or not self.take_now(message):
            return False
        self.inbound.alone_handled()
        return True

    def eof_received(self) -> None:
        self.inbound.parse_all()
        super().eof_received()

    def process_event(self, event: Event) -> None:
        if type(event) is Frame and event.opcode is Opcode.BINARY and event.fin and self._is_taken(bytes(event.data)):
            return
        before = self.latency
        super().process_event(event)
        if self.latency != before and self.measured is not None:
            self.measured()

    def connection_lost(self, exc: Exception | None) -> None:
        self.address_limits.connection_closed(self.address)
        self.inbound.parse_all()
        super().connection_lost(exc)
