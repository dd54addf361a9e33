"""The gateway: WebSockets in and out, with limits on addresses, origins, greetings and sizes."""

from __future__ import annotations

import asyncio
import json
import socket as sockets
import ssl
from collections import Counter
from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from protocol.buckets import TokenBucket
from protocol.limits import SUBPROTOCOL, Bucket
from protocol.server_conversation import ServerConversation
from server.logs import library_logger
from server.refusals import Refused
from server.sessions import Session

if TYPE_CHECKING:
    from server.desk import Desk
    from server.services import Services

TEXT_FRAME: Final = 1003
RESTART: Final = 1012
CLOSE_SECONDS: Final = 0.9
FAREWELL_SECONDS: Final = 3.0
ADDRESSES: Final = 10_000


class Link:
    """A WebSocket as a session wants it: what is sent into a closed one is lost, without a word."""

    def __init__(self, socket: ServerConnection) -> None:
        self._socket = socket

    async def send(self, data: bytes) -> None:
        await self._socket.send(data)

    async def close(self, code: int, reason: str) -> None:
        await self._socket.close(code, reason)


class Gateway:
    """Accepts connections on one address and port."""

    def __init__(self, services: Services, desk: Desk) -> None:
        self._services = services
        self._desk = desk
        self._open: Counter[str] = Counter()
        self._handshakes: dict[str, TokenBucket] = {}
        self._server: Server | None = None
        self._sessions: set[Session] = set()
        self._stopping = False

    async def open(self, host: str, port: int, tls: ssl.SSLContext | None) -> int:
        """Listen; returns the port. Raises OSError where the address cannot be had."""
        limits = self._services.limits
        self._server = await serve(
            self._serve,
            host,
            port,
            ssl=tls,
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            process_request=self._admit,
            compression=None,
            # somewhat larger frames are read, so that they can be answered
            max_size=limits.inbound_bytes * 4,
            max_queue=4,
            write_limit=limits.transport_bytes,
            open_timeout=limits.handshake_seconds,
            ping_interval=limits.ping_seconds,
            ping_timeout=limits.ping_seconds,
            close_timeout=CLOSE_SECONDS,
            server_header=None,
            logger=library_logger(self._services.log),
        )
        for listening in self._server.sockets:
            # connections inherit it; otherwise the kernel keeps up to megabytes for each that does not read
            listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, limits.kernel_bytes)
        bound: int = next(iter(self._server.sockets)).getsockname()[1]
        return bound

    def stop(self) -> None:
        """Stop listening, and hear nothing more: what is said from now on is said again to the next server."""
        self._stopping = True
        if self._server is not None:
            self._server.close(close_connections=False)

    async def close(self) -> None:
        """Tell everyone that the server restarts, and close all connections (status 1012); a few seconds at most."""
        self.stop()
        if self._server is None:
            return
        for session in self._sessions:
            session.end(Refused("server/restart").problem(), RESTART)
        closed = asyncio.create_task(self._server.wait_closed())
        await asyncio.wait([closed], timeout=FAREWELL_SECONDS)
        for connection in self._server.all_connections:
            connection.transport.abort()
        await closed

    # Before a connection is one

    def _admit(self, connection: ServerConnection, request: Request) -> Response | None:
        if request.path == "/healthz":
            return connection.respond(HTTPStatus.OK, json.dumps({"status": "ok"}) + "\n")
        address = _address(connection)
        if not _same_origin(request):
            self._services.metrics.handshakes_refused.add("origin")
            return connection.respond(HTTPStatus.FORBIDDEN, "Connections from other sites are not taken.\n")
        crowded = self._open[address] >= self._services.limits.sockets_per_address
        if not self._may_knock(address) or crowded:
            self._services.metrics.handshakes_refused.add("sockets" if crowded else "rate")
            return connection.respond(HTTPStatus.TOO_MANY_REQUESTS, "Too many connections. Try again in a second.\n")
        return None

    def _may_knock(self, address: str) -> bool:
        now = self._services.clock.now()
        if len(self._handshakes) >= ADDRESSES:
            self._handshakes.clear()
        rate = self._services.limits.handshakes_per_second
        return self._handshakes.setdefault(address, TokenBucket(Bucket(rate, rate * 2), now)).take(now)

    # A connection

    async def _serve(self, socket: ServerConnection) -> None:
        address = _address(socket)
        self._open[address] += 1
        clock, metrics, limits = self._services.clock, self._services.metrics, self._services.limits
        metrics.sockets += 1
        conversation = ServerConversation(limits, clock.now(), metrics.rejects.add)
        session = Session(conversation, Link(socket), clock, metrics, limits.behind_seconds, address)
        self._sessions.add(session)
        tasks = [
            asyncio.create_task(work)
            for work in (self._pump(session), self._hurry(session), self._bury(session, socket))
        ]
        try:
            await self._listen(socket, session)
            if session.is_closing:
                # the pump says the last words and closes
                await asyncio.wait(tasks[:1], timeout=CLOSE_SECONDS)
        except ConnectionClosed:
            pass
        except Exception as bug:
            self._services.log.error("connection", problem=str(bug), exc_info=bug)
        finally:
            session.close()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._sessions.discard(session)
            self._desk.gone(session)
            metrics.sockets -= 1
            if session.closing is not None:
                metrics.closed.add(session.closing[1])
                self._services.log.info("closed", who=session.who, status=session.closing[0], code=session.closing[1])
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    async def _listen(self, socket: ServerConnection, session: Session) -> None:
        async for frame in socket:
            if isinstance(frame, str):
                session.end(Refused("frame/text").problem(fatal=True), TEXT_FRAME)
                return
            if self._stopping:
                continue
            for message in session.conversation.receive(frame, self._services.clock.now()):
                await self._desk.handle(session, message)
                if session.is_closing:
                    break
            session.wake()
            if session.is_closing:
                return

    async def _pump(self, session: Session) -> None:
        with suppress(ConnectionClosed):
            await session.pump()

    async def _hurry(self, session: Session) -> None:
        """A connection that does not greet is closed."""
        await self._services.clock.sleep(self._services.limits.handshake_seconds)
        session.conversation.expire(self._services.clock.now())
        session.wake()

    async def _bury(self, session: Session, socket: ServerConnection) -> None:
        """A connection whose other side reads no more cannot be closed politely."""
        await session.doomed.wait()
        await self._services.clock.sleep(CLOSE_SECONDS)
        socket.transport.abort()


def _address(connection: ServerConnection) -> str:
    remote = connection.remote_address
    return str(remote[0]) if remote else ""


def _same_origin(request: Request) -> bool:
    """Programs send no Origin; a page may only come from this very host and port."""
    origin = request.headers.get("Origin")
    return origin is None or urlsplit(origin).netloc == request.headers.get("Host")
