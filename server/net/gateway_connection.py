"""The server's side of one WebSocket: the library's connection, limited by address and throttled before parsing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from websockets.asyncio.server import ServerConnection
from websockets.protocol import Event, State

from server.net.address_limits import counted_address

if TYPE_CHECKING:
    from server.net.address_limits import AddressLimits
    from server.net.inbound_throttle import InboundThrottle


class GatewayConnection(ServerConnection):
    """A connection that counts against its address from its first byte to its last."""

    address_limits: AddressLimits
    inbound: InboundThrottle
    address = ""
    measured: Callable[[], None] | None = None
    """Called when the latency has been measured anew."""

    @classmethod
    def limited_by(cls, address_limits: AddressLimits) -> type[GatewayConnection]:
        """Return a class of connections that all count against these limits."""
        return type("GatewayConnection", (cls,), {"address_limits": address_limits})

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.inbound = self.address_limits.throttle(self.transport, super().data_received)
        peer = transport.get_extra_info("peername")
        self.address = counted_address(str(peer[0])) if peer else ""
        if not self.address_limits.connection_opened(self.address):
            self.transport.abort()

    def send_liveness_ping(self) -> None:
        """Send a ping without waiting for its pong: any data that come show that the client is there. Never waits."""
        if self.protocol.state is State.OPEN and not self.transport.is_closing():
            self.protocol.send_ping(b"")
            self.send_data()

    def data_received(self, data: bytes) -> None:
        self.inbound.receive(data)

    def eof_received(self) -> None:
        self.inbound.parse_all()
        super().eof_received()

    def process_event(self, event: Event) -> None:
        before = self.latency
        super().process_event(event)
        if self.latency != before and self.measured is not None:
            self.measured()

    def connection_lost(self, exc: Exception | None) -> None:
        self.address_limits.connection_closed(self.address)
        self.inbound.parse_all()
        super().connection_lost(exc)
