"""The first bytes of a connection where proxies are trusted: the header of the PROXY protocol, or its refusal."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final, cast

from server.net.address_limits import AddressLimits, counted_address
from server.net.gateway_connection import GatewayConnection
from server.net.proxies import VisitorNames
from server.net.proxy_header import BadProxyHeader, NoProxyHeader, ProxyHeader
from server.runtime.tasks import TaskSupervisor

FAREWELL_SECONDS: Final = 0.5
OPENING: Final = "opening of "
"""Begins what openings of a proxy count as: without a limit."""
DROPPED: Final = 4096
"""Bytes that are read at once from one who has been refused, and dropped."""


@dataclass
class ProxyOpenings:
    """The openings that are under way, each of a connection that begins when it is done."""

    names: VisitorNames
    address_limits: AddressLimits
    tasks: TaskSupervisor
    tls: ssl.SSLContext | None
    seconds: float
    closing_seconds: float
    handshakes: set[asyncio.Task[None]] = field(default_factory=set)
    waiting: set[asyncio.Transport] = field(default_factory=set)

    def before(self, make: Callable[..., GatewayConnection]) -> Callable[..., GatewayConnection]:
        """Return a factory of openings in place of the connections that `make` makes: protocols, as a loop wants
        them."""

        def opening(*args: object, **more: object) -> GatewayConnection:
            return cast("GatewayConnection", ProxyOpening(self, make(*args, **more)))

        return opening

    def close(self) -> None:
        """Abort all of them."""
        for transport in list(self.waiting):
            transport.abort()
        for task in list(self.handshakes):
            task.cancel()


class ProxyOpening(asyncio.BufferedProtocol):
    """A protocol that reads the PROXY header, to its last byte and no further, and hands the rest to the connection.

    A trusted peer must send the header where it is to speak PROXY; nobody else may. A peer that does neither right is
    refused, and so is one that is not done in time.
    """

    def __init__(self, openings: ProxyOpenings, connection: GatewayConnection) -> None:
        self._openings = openings
        self._connection = connection
        self._header = ProxyHeader()
        self._buffer = bytearray(DROPPED)
        self._is_refused = False
        self._peer = ""
        self._must_name = False
        self._counts_as = ""
        self._transport: asyncio.Transport | None = None
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        peer = transport.get_extra_info("peername")
        self._peer = str(peer[0]) if peer else ""
        proxies = self._openings.names.proxies
        is_trusted = self._peer in proxies
        self._must_name = proxies.speak_proxy and is_trusted
        self._counts_as = f"{OPENING}{self._peer}" if is_trusted else counted_address(self._peer)
        self._openings.waiting.add(self._transport)
        self._timer = asyncio.get_running_loop().call_later(self._openings.seconds, self._time_is_up)
        if not self._openings.address_limits.connection_opened(self._counts_as) and not is_trusted:
            self._transport.abort()
        elif self._openings.tls is not None and not self._must_name:
            # what others send first is a greeting of TLS, which cannot be looked at and put back
            self._hand_on("")

    def get_buffer(self, sizehint: int) -> memoryview:
        return memoryview(self._buffer)[: DROPPED if self._is_refused else self._header.missing]

    def buffer_updated(self, nbytes: int) -> None:
        if self._is_refused:
            return
        try:
            self._header.put(bytes(self._buffer[:nbytes]))
        except NoProxyHeader:
            if self._must_name:
                self._refuse("the connection of a proxy that is to speak the PROXY protocol begins with something else")
            else:
                self._hand_on("")
        except BadProxyHeader as problem:
            self._refuse(str(problem))
        else:
            if self._header.has_begun and not self._must_name:
                self._refuse_stranger()
            elif not self._header.missing:
                self._hand_on(self._header.address or self._peer)

    def eof_received(self) -> None:
        """End the connection: half a header is none."""

    def connection_lost(self, exc: Exception | None) -> None:
        self._rest()
        self._count_no_more()

    def _refuse_stranger(self) -> None:
        if self._peer in self._openings.names.proxies:
            self._refuse("this proxy speaks the PROXY protocol: say so with --proxy-protocol")
        else:
            self._refuse("a PROXY header from a peer that is no trusted proxy: name it with --trusted-proxy")

    def _time_is_up(self) -> None:
        assert self._transport is not None
        if self._must_name and self._header.read:
            self._refuse("the PROXY header did not end in time")
        else:
            self._transport.abort()

    def _refuse(self, why: str) -> None:
        """Answer in HTTP, which whoever looks at the connection can read, and end it."""
        assert self._transport is not None
        self._is_refused = True
        self._openings.names.refused(self._peer, why)
        status, text = HTTPStatus.BAD_REQUEST, f"{why[0].upper()}{why[1:]}.\n"
        head = f"HTTP/1.1 {status} {status.phrase}\r\nConnection: close\r\nContent-Type: text/plain\r\n"
        self._transport.write(f"{head}Content-Length: {len(text)}\r\n\r\n{text}".encode())
        if self._transport.can_write_eof():
            self._transport.write_eof()
        # closed with bytes unread the system would take the answer back
        self._rest()
        self._openings.waiting.add(self._transport)
        self._timer = asyncio.get_running_loop().call_later(FAREWELL_SECONDS, self._transport.abort)

    def _hand_on(self, visitor: str) -> None:
        assert self._transport is not None
        self._rest()
        self._count_no_more()
        self._connection.visitor = visitor
        self._transport.pause_reading()
        if self._openings.tls is not None:
            task = self._openings.tasks.begin(self._shake_hands(self._openings.tls), "tls")
            self._openings.handshakes.add(task)
            task.add_done_callback(self._openings.handshakes.discard)
            return
        self._transport.set_protocol(self._connection)
        self._connection.connection_made(self._transport)
        if not visitor and self._header.read:
            self._connection.data_received(bytes(self._header.read))
        if not self._transport.is_closing():
            self._transport.resume_reading()

    async def _shake_hands(self, tls: ssl.SSLContext) -> None:
        """Go over to TLS. Whoever fails at it is hung up on, as on a listener of TLS alone."""
        assert self._transport is not None
        if self._transport.is_closing():
            return
        early = _EarlyBytes()
        try:
            secured = await asyncio.get_running_loop().start_tls(
                self._transport,
                early,
                tls,
                server_side=True,
                ssl_handshake_timeout=self._openings.seconds,
                ssl_shutdown_timeout=self._openings.closing_seconds,
            )
        except (OSError, asyncio.CancelledError):
            self._transport.abort()
            return
        if secured is None or early.is_lost:
            return
        secured.set_protocol(self._connection)
        self._connection.connection_made(secured)
        if early.data:
            self._connection.data_received(bytes(early.data))

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._transport is not None:
            self._openings.waiting.discard(self._transport)

    def _count_no_more(self) -> None:
        if self._counts_as:
            self._openings.address_limits.connection_closed(self._counts_as)
            self._counts_as = ""


class _EarlyBytes(asyncio.Protocol):
    """What comes between the end of a TLS handshake and the turn of the loop in which the connection learns of it."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.is_lost = False

    def data_received(self, data: bytes) -> None:
        self.data += data

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_lost = True
