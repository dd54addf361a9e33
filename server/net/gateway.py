"""The gateway: accepts WebSockets, with limits on addresses, origins, handshakes and sizes, and runs their sessions."""

from __future__ import annotations

import asyncio
import json
import secrets
import socket as sockets
import ssl
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Final, cast

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from protocol.version import SUBPROTOCOL
from protocol.wire.from_client import FromClient, Intent
from protocol.wire.server_conversation import ServerConversation
from server.lobby.services import Services
from server.lobby.sessions import Session
from server.net.address_limits import AddressLimits
from server.net.forwarded import BadForwarded
from server.net.gateway_connection import GatewayConnection
from server.net.idle_time import IdleTime
from server.net.inbound_throttle import PARSED
from server.net.liveness import LivenessCheck
from server.net.message_router import MessageRouter
from server.net.outbox import OutboundSocket, Outbox
from server.net.proxies import NO_PROXIES, TrustedProxies, VisitorNames
from server.net.proxy_opening import ProxyOpenings
from server.net.sent_bytes import SentBytes
from server.runtime.logs import library_logger
from server.runtime.refusals import Refused
from server.runtime.tasks import stop

CLOSE_SECONDS: Final = 0.7
FAREWELL_SECONDS: Final = 3.0
CONNECTION_KILOBYTES: Final = 15
"""Garbage in cycles that an ended connection leaves, about."""
INTENT: Final = b"\xa1t\xa6intent"
"""Stands behind the first byte of an intent, as programs that put its tag first write it."""
OF_BROWSERS: Final = ("Cookie", "Sec-Fetch-Site", "Sec-Fetch-Mode")
"""Headers that our own programs never send: a web page that hides its Origin still shows one of these."""


class Gateway:
    """A listener on one address and port. `origins`: those of web pages that may connect, compared to the letter;
    `proxies`: those that may name the visitors."""

    def __init__(
        self,
        services: Services,
        router: MessageRouter,
        origins: Collection[str] = (),
        proxies: TrustedProxies = NO_PROXIES,
    ) -> None:
        self._services = services
        self._router = router
        self._origins = frozenset(origins)
        sent = SentBytes()
        services.metrics.observe(sent.gauges)
        # an answer is signed when what it answers to is to be told, and goes out in one piece with it
        self._outbox = Outbox(services.receipts.sign_now, sent.add)
        self._address_limits = AddressLimits(services.limits, services.clock)
        self._names = VisitorNames(services, proxies)
        self._openings: ProxyOpenings | None = None
        self._server: Server | None = None
        self._links: dict[Session, GatewayConnection] = {}
        self.idle = IdleTime(services.clock, self._links)
        self._liveness = LivenessCheck(services, self._links)
        self._stopping = False
        self._has_told = False
        self._measuring: set[asyncio.Task[None]] = set()

    async def open(self, host: str, port: int, tls: ssl.SSLContext | None) -> int:
        """Listen, and return the port. Raises OSError where the address cannot be had."""
        limits = self._services.limits
        make: Callable[..., GatewayConnection] = GatewayConnection.limited_by(self._address_limits, self._names)
        proxies = self._names.proxies
        if proxies.speak_proxy or (proxies.networks and tls is None):
            openings = ProxyOpenings(
                self._names, self._address_limits, self._services.tasks, tls, limits.handshake_seconds, CLOSE_SECONDS
            )
            self._openings, make, tls = openings, openings.before(make), None
        self._server = await serve(
            self._serve,
            host,
            port,
            ssl=tls,
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            process_request=self._admit,
            compression=None,
            max_size=limits.inbound_bytes * PARSED,
            max_queue=None,  # the throttle bounds what waits
            write_limit=limits.transport_bytes,
            open_timeout=limits.handshake_seconds,
            ping_interval=limits.ping_seconds,
            ping_timeout=limits.ping_seconds,
            close_timeout=CLOSE_SECONDS,
            server_header=None,
            logger=library_logger(self._services.log),
            # the library allows for a wrapper, its type does not
            create_connection=cast("type[GatewayConnection]", make),
        )
        for listening in self._server.sockets:
            # connections inherit it; otherwise the kernel keeps up to megabytes for each that does not read
            listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, limits.kernel_bytes)
            # what has come is read in one piece, while all other connections wait
            listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, limits.inbound_bytes)
        self._liveness.begin()
        bound: int = next(iter(self._server.sockets)).getsockname()[1]
        return bound

    def stop(self) -> None:
        """Stop listening, and take no more messages: clients send to the next server whatever is sent from now on."""
        self._stopping = True
        if self._server is not None:
            self._server.close(close_connections=False)

    def tell_end(self) -> None:
        """Take no more messages, and tell all clients that the server restarts, which is told once. What they hear then
        is the outcome of what they have said before."""
        if not self._has_told:
            self.stop()
            self._has_told = True
            for session in self._links:
                session.say(Refused("server/restart").problem())

    async def close(self) -> None:
        """Tell all clients that the server restarts, where they have not been told, and close their connections (status
        1012); takes a few seconds at most."""
        self.tell_end()
        if self._server is None:
            return
        await self._liveness.close()
        for session in self._links:
            session.hang_up("server/restart", CloseCode.SERVICE_RESTART)
        closed = self._services.tasks.begin(self._server.wait_closed(), "closing")
        await asyncio.wait([closed], timeout=FAREWELL_SECONDS)
        if self._openings is not None:
            self._openings.close()
        for connection in self._server.all_connections:
            connection.transport.abort()
        await closed

    # Before a connection is one

    def _admit(self, connection: ServerConnection, request: Request) -> Response | None:
        if request.path == "/healthz":
            return connection.respond(HTTPStatus.OK, json.dumps({"status": "ok"}) + "\n")
        assert isinstance(connection, GatewayConnection)
        try:
            connection.name_visitor(request.headers)
        except BadForwarded:
            return connection.respond(HTTPStatus.BAD_REQUEST, "The proxy in between does not say who you are.\n")
        self._names.note_untrusted(connection.peer, request.headers)
        refused = self._services.metrics.handshakes_refused
        if not self._is_welcome(request):
            refused.add("origin")
            return connection.respond(HTTPStatus.FORBIDDEN, "Connections from other sites are not taken.\n")
        why_not = self._address_limits.refusal_reason(connection.address)
        if why_not:
            refused.add(why_not)
            self._services.log.debug("kept-out", address=connection.address, reason=why_not)
            return connection.respond(HTTPStatus.TOO_MANY_REQUESTS, "Too many connections. Try again in a second.\n")
        return None

    def _is_welcome(self, request: Request) -> bool:
        """Return True for programs, which send no Origin and log in by their first message, and for pages of allowed
        origins."""
        origins = request.headers.get_all("Origin")
        if not origins:
            return not any(name in request.headers for name in OF_BROWSERS)
        return len(origins) == 1 and origins[0] in self._origins

    # A connection

    async def _serve(self, socket: ServerConnection) -> None:
        assert isinstance(socket, GatewayConnection)
        clock, metrics, limits = self._services.clock, self._services.metrics, self._services.limits
        metrics.sockets += 1
        begun = clock.now()
        self._services.log.debug("connected", address=socket.address)
        conversation = ServerConversation(limits, clock.now(), metrics.rejects.add)
        link = OutboundSocket(socket, limits.transport_bytes, self._outbox)
        session = Session(
            conversation, link, clock, metrics, limits.behind_seconds, socket.address, self._services.tasks
        )
        self._links[session] = socket
        socket.inbound.flooded = session.end_flood
        socket.measured = session.measured
        socket.take_now = partial(self._take_intent, socket, session)
        begin = self._services.tasks.begin
        tasks = [begin(self._pump(session, socket), "pump"), begin(self._watch_login(session), "hurry")]
        session.doomed = lambda: tasks.append(begin(self._abort_soon(socket), "bury"))
        try:
            await self._listen(socket, session)
            if session.is_closing:
                self._stop_reading(socket, session)
                # the pump says the last words and closes
                await asyncio.wait(tasks[:1], timeout=CLOSE_SECONDS)
        except ConnectionClosed:
            # very many may close at once
            await self._address_limits.jobs.wait_turn()
        finally:
            session.close()
            session.doomed = None
            await stop(tasks)
            del self._links[session]
            self.idle.connection_closed()
            self._router.session_ended(session)
            metrics.sockets -= 1
            metrics.left_behind += CONNECTION_KILOBYTES
            status, code = session.closing or (socket.close_code or CloseCode.ABNORMAL_CLOSURE, "")
            if code:
                metrics.closed.add(code)
            seconds = round(clock.now() - begun, 1)
            about = {"who": session.who, "address": socket.address, "status": status, "seconds": seconds}
            self._services.log.info("closed", **about, **({"code": code} if code else {}))

    def _fault(self, bug: Exception) -> str:
        """Log a fault on a connection, and return the id by which the log knows it."""
        error = secrets.token_hex(4)
        self._services.log.error("connection", error=error, problem=type(bug).__name__, exc_info=bug)
        return error

    async def _listen(self, socket: GatewayConnection, session: Session) -> None:
        """Handle one message after another, until no more are to be. Raises ConnectionClosed."""
        async for frame in socket:
            if isinstance(frame, str):
                session.end(Refused("frame/text").problem(fatal=True), CloseCode.UNSUPPORTED_DATA)
            else:
                await self._receive(socket, session, frame)
            if session.is_closing:
                return
            await socket.inbound.message_handled()

    async def _receive(self, socket: GatewayConnection, session: Session, frame: bytes) -> None:
        """Decode a frame and carry out its message. A fault ends this connection alone."""
        for message in self._decoded(socket, session, frame):
            await self._router.handle(session, message)
        if session.is_closing:
            self._stop_reading(socket, session)

    def _take_intent(self, socket: GatewayConnection, session: Session, frame: bytes) -> bool:
        """Carry out an intent in the turn in which it came; leave all else, and intents in an unusual form, to the task
        of the connection."""
        if not frame.startswith(INTENT, 1):
            return False
        for message in self._decoded(socket, session, frame):
            assert isinstance(message, Intent)
            self._router.act(session, message)
        if session.is_closing:
            self._stop_reading(socket, session)
        return True

    def _decoded(self, socket: GatewayConnection, session: Session, frame: bytes) -> list[FromClient]:
        """Return the message in a frame as a list of one, or nothing where the conversation has answered it."""
        if self._stopping:
            return []
        try:
            if session.account is not None and not session.pinged:
                self._measure(socket, session)
            heard = session.conversation.receive(frame, self._services.clock.now())
            if not heard:
                # it has answered by itself, or it is over
                session.wake()
        except Exception as bug:  # noqa: BLE001 - a fault ends this connection alone
            error = self._fault(bug)
            session.end(Refused("server/fault", error=error).problem(fatal=True), CloseCode.INTERNAL_ERROR)
            return []
        return heard

    def _stop_reading(self, socket: GatewayConnection, session: Session) -> None:
        """Let no more messages count: after a flood drop what has come, else parse it, to the end."""
        if session.conversation.is_flood:
            socket.inbound.discard()
        else:
            socket.inbound.parse_all()

    def _measure(self, socket: ServerConnection, session: Session) -> None:
        """Measure the latency once, soon after the login; from then on the keepalive measures it again."""
        session.pinged = True
        task = self._services.tasks.begin(self._first_measure(socket), "measure")
        self._measuring.add(task)
        task.add_done_callback(self._measuring.discard)

    async def _first_measure(self, socket: ServerConnection) -> None:
        with suppress(ConnectionClosed):
            await (await socket.ping())

    async def _pump(self, session: Session, socket: ServerConnection) -> None:
        try:
            await session.pump()
        except ConnectionClosed:
            pass
        except Exception as bug:  # noqa: BLE001 - a fault ends this connection alone
            self._fault(bug)
            socket.transport.abort()

    async def _watch_login(self, session: Session) -> None:
        """Close a connection that does not log in in time; check the login of one that does from time to time."""
        clock = self._services.clock
        due = clock.now() + self._services.limits.handshake_seconds
        # a busy loop may wake a sleeper too early: looked at then, and never again, it would stay for a minute
        while (left := due - clock.now()) > 0:
            await clock.sleep(left)
        session.conversation.expire(clock.now())
        session.wake()
        while True:
            await self._services.clock.sleep(self._services.limits.recheck_seconds)
            await self._router.recheck(session)

    async def _abort_soon(self, socket: ServerConnection) -> None:
        """Abort a connection whose client reads no more, and which therefore cannot be closed politely."""
        await self._services.clock.sleep(CLOSE_SECONDS)
        await self._address_limits.jobs.wait_turn()
        socket.transport.abort()
