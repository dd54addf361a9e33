"""A whole server on loopback, and clients that speak the real protocol to it, for tests."""

from __future__ import annotations

import asyncio
import io
import json
import secrets
import ssl
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from protocol.fairness.contributor import MemoryChains
from protocol.fairness.fact_stream import FactStream
from protocol.fairness.proof_client import ProofClient
from protocol.limits import Limits
from protocol.scene.nodes import Prompt, Reply
from protocol.version import SUBPROTOCOL
from protocol.wire import from_client as say
from protocol.wire.client_conversation import ClientConversation
from protocol.wire.from_server import Ack, FromServer, Left, Pong, Problem, Reject
from protocol.wire.scene_model import SceneModel
from server.app import Server
from server.content.systems import Installed, install
from server.net.proxies import NO_PROXIES, TrustedProxies
from server.runtime.logs import make_log
from server.store.port import Store
from server.store.sqlite.store import SqliteStore
from server.webhooks.delivery import WebhookRoutes
from tests.support.clients.programs import until
from tests.support.doubles.clock import JumpingClock
from tests.support.fairness.receipt_keeper import Keeper
from tests.support.runs.patience import PATIENCE
from tests.support.systems.duel import TOML, Duel

M = TypeVar("M")


async def until_put_away(store: Store, left: int = 0, seconds: float = PATIENCE) -> None:
    """Wait until the store holds only this number of matches; with none, no sealed answers either. The server does not
    announce when a finished match's log has left the store."""

    async def is_so() -> bool:
        return len(await store.matches()) <= left and (left > 0 or "answers" not in await store.kinds())

    await until(is_so, seconds)


def duel(*, faulty: bool = False) -> dict[str, Installed]:
    """The test system, installed."""
    return {"duel": install(Duel(faulty=faulty), {"duel.toml": TOML})}


class Log(io.StringIO):
    """Log of a server; `written` is set at each line."""

    def __init__(self) -> None:
        super().__init__()
        self.written = asyncio.Event()

    def write(self, text: str) -> int:
        self.written.set()
        return super().write(text)


@dataclass
class Running:
    """A server under test with its log."""

    server: Server
    port: int
    clock: JumpingClock
    log: Log
    clients: list[Client] = field(default_factory=list)

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The log's lines, each parsed."""
        return [json.loads(line) for line in self.log.getvalue().splitlines()]

    async def logged(self, event: str) -> None:
        """Wait until the log has a line of this event."""
        async with asyncio.timeout(PATIENCE):
            while not any(line["event"] == event for line in self.lines):
                self.log.written.clear()
                await self.log.written.wait()

    async def client(self, name: str = "Ann", token: str | None = None, *, adds: bool = False) -> Client:
        """Return a client that has been let in."""
        client = Client(self.port, name, token, adds=adds)
        await client.connect()
        self.clients.append(client)
        return client


@asynccontextmanager
async def running(
    data: Path,
    *,
    systems: dict[str, Installed] | None = None,
    clock: JumpingClock | None = None,
    limits: Limits | None = None,
    store: Store | None = None,
    origins: tuple[str, ...] = (),
    bots_alone: bool = False,
    moderators: tuple[str, ...] = (),
    proxies: TrustedProxies = NO_PROXIES,
    tls: ssl.SSLContext | None = None,
    webhooks: WebhookRoutes | None = None,
) -> AsyncIterator[Running]:
    """Run a server over a real SQLite file in `data`; leaving stops it and its clients, and fails where a bug has ended
    a background task."""
    clock = clock or JumpingClock()
    log = Log()
    store = store or SqliteStore(data / "eschaton.db")
    generous = limits or Limits(handshakes_per_second=1000, sockets_per_address=1000)
    server = Server(
        systems or duel(),
        store,
        data,
        clock,
        make_log(log, clock.wall),
        generous,
        bot_pause=0.0,
        origins=origins,
        bots_alone=bots_alone,
        moderators=moderators,
        proxies=proxies,
        webhooks=webhooks,
    )
    try:
        run = Running(server, await server.open(tls=tls), clock, log)
        try:
            yield run
        finally:
            for client in run.clients:
                await client.close()
    finally:
        await server.close()
        await store.close()
    assert not [line for line in run.lines if line["event"] == "task"], "a bug ended something in the background"


class Client:
    """A conversation over a socket; `adds`: with a part in the dice. Received messages stay in `heard`, oldest first,
    until they are waited for; `frames` are all bytes that ever came."""

    def __init__(
        self,
        port: int,
        name: str = "Ann",
        token: str | None = None,
        *,
        adds: bool = False,
        address: str = "127.0.0.1",
        headers: Mapping[str, str] | None = None,
        chains: MemoryChains | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.port = port
        self._tls = tls
        self._place = (address, 0)
        self._headers = headers
        self.talk = ClientConversation(name, token, adds=adds)
        self.chains = chains or MemoryChains()
        self.proof = ProofClient(self.talk, FactStream, self.chains, partial(secrets.token_bytes, 32)) if adds else None
        self.heard: list[FromServer] = []
        self.frames: list[bytes] = []
        self.closed: tuple[int, str] | None = None
        self.keeper: Keeper | None = None
        """Keeps what the host signs, where a test wants that."""
        self._pings = 1000
        self._changed = asyncio.Event()
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None

    async def connect(self, *, greet: bool = True) -> None:
        """Open a link, and wait until the lobby has been shown."""
        await self.close()
        self._socket = await connect(
            f"wss://localhost:{self.port}/" if self._tls else f"ws://127.0.0.1:{self.port}/",
            host="127.0.0.1",
            ssl=self._tls,
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            max_size=2**24,
            compression=None,
            local_addr=self._place,
            additional_headers=self._headers,
        )
        self.closed = None
        self._reader = asyncio.create_task(self._read(self._socket))
        if greet:
            self.talk.lobby = None
            self.talk.connected()
            if self.proof is not None:
                self.proof.link_up()
            await self.flush()
            await self.until(lambda: self.talk.lobby is not None or self.closed is not None)

    async def _read(self, socket: ClientConnection) -> None:
        try:
            async for frame in socket:
                assert isinstance(frame, bytes)
                self.frames.append(frame)
                pending = dict(self.talk.pending)
                messages = self.talk.receive(frame)
                self.heard += messages
                for message in messages:
                    if self.proof is not None:
                        self.proof.hear(message)
                if self.keeper is not None:
                    self.keeper.hear(messages, pending)
                for data in self.talk.outgoing():
                    await socket.send(data)
                self._changed.set()
        except ConnectionClosed:
            pass
        finally:
            self.closed = (socket.close_code or 0, socket.close_reason or "")
            self._changed.set()

    async def flush(self) -> None:
        """Send all pending messages of the conversation."""
        assert self._socket is not None
        for data in self.talk.outgoing():
            await self._socket.send(data)

    async def raw(self, frame: bytes | str) -> None:
        """Send a frame as it is."""
        assert self._socket is not None
        await self._socket.send(frame)

    def write(self, data: bytes) -> None:
        """Send bytes below WebSocket, all of them at once."""
        assert self._socket is not None
        self._socket.transport.write(data)

    async def cut(self, last: bytes = b"") -> None:
        """Break the link without a closing message; `last` are bytes below WebSocket that still go out."""
        assert self._socket is not None
        assert self._reader is not None
        self._socket.transport.write(last)
        self._socket.transport.abort()
        await self._reader

    async def say(self, message: say.Message) -> None:
        """Send a message."""
        self.talk.say(message)
        await self.flush()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition holds."""
        async with asyncio.timeout(PATIENCE):
            while not condition():
                await self.changed()

    async def changed(self) -> None:
        """Wait until a further frame comes, or the link ends. Raises what the client's own program has raised at a
        frame."""
        self._changed.clear()
        await self._changed.wait()
        if self._reader is not None and self._reader.done():
            self._reader.result()

    async def hear(self, kind: type[M], fits: Callable[[M], bool] = lambda _: True, *, keep: bool = False) -> M:
        """Return the next message of this kind, removed (unless kept) from the received ones together with all before
        it."""
        found: list[M] = []

        def arrived() -> bool:
            for place, message in enumerate(self.heard):
                if isinstance(message, kind) and fits(message):
                    found.append(message)
                    if not keep:
                        del self.heard[: place + 1]
                    return True
            return self.closed is not None

        await self.until(arrived)
        assert found, f"closed with {self.closed} before a {kind.__name__} came"
        return found[0]

    async def problem(self) -> str:
        """Return the code of the next problem."""
        return (await self.hear(Problem)).code

    async def answer(self, id: bytes) -> Ack | Reject:
        """Return the outcome of an intent."""
        # `hear` takes a tuple of kinds as isinstance does
        found: Ack | Reject = await self.hear((Ack, Reject), lambda message: message.id == id)  # type: ignore[arg-type]
        return found

    async def intend(self, choice: str, **fields: object) -> str:
        """Fill the current prompt in; returns the refusal's code, empty where it was acknowledged."""
        id = self.talk.intend(Reply(choice, fields), secrets.token_bytes(16))
        await self.flush()
        answer = await self.answer(id)
        return answer.code if isinstance(answer, Reject) else ""

    async def my_turn(self, choice: str = "rest") -> None:
        """Wait until this choice is offered."""
        await self.until(lambda: self.offers(choice))

    @property
    def prompt(self) -> Prompt | None:
        """The present prompt."""
        return self.talk.scene.prompt if self.talk.scene is not None else None

    def offers(self, choice: str) -> bool:
        """Tell if the prompt has this choice."""
        prompt = self.prompt
        return prompt is not None and any(c.id == choice for c in prompt.choices)

    async def pinged(self) -> None:
        """Wait until the server has handled all messages sent so far."""
        self._pings += 1
        await self.say(say.Ping(n=self._pings))
        await self.hear(Pong, lambda pong: pong.n == self._pings, keep=True)

    async def close(self) -> None:
        """Drop the link. Raises what the client's own program has raised at a frame."""
        socket, self._socket = self._socket, None
        reader, self._reader = self._reader, None
        if socket is not None:
            await socket.close()
        if reader is not None:
            await reader

    # Shortcuts

    async def create(self, scenario: str = "two", *, private: bool = False) -> str:
        """Open a table and return its invite code."""
        await self.say(say.CreateTable(system="duel", scenario=scenario, name="Duel", private=private))
        await self.until(lambda: self.talk.table is not None)
        assert self.talk.table is not None
        return self.talk.table.code

    async def join(self, code: str) -> None:
        """Take a seat."""
        await self.say(say.JoinTable(code=code))
        await self.until(lambda: self.talk.table is not None)

    async def change(self, **changes: Any) -> None:
        """Change the table and wait until that is done: it takes "ready" back from all."""
        await self.say(say.ChangeTable(**changes))
        await self.pinged()

    async def ready(self, *, delayed_view: bool = False) -> None:
        """Get ready, with or without agreeing to the delayed view."""
        await self.say(say.SetReady(ready=True, delayed_view=delayed_view))

    async def arrived(self) -> None:
        """Wait until the client is at a table."""
        await self.until(lambda: self.talk.table is not None)

    @property
    def scene(self) -> SceneModel:
        """Return the scene of the present table."""
        assert self.talk.scene is not None
        return self.talk.scene

    @property
    def state(self) -> str:
        """The state of the table: open, live or finished."""
        return self.talk.table.state if self.talk.table is not None else ""

    async def left(self) -> str:
        """Return the reason why the table was left."""
        return (await self.hear(Left)).code


async def two_players(
    run: Running, *, adds: bool = False, names: tuple[str, str] = ("Ann", "Ben"), **changes: Any
) -> tuple[Client, Client]:
    """Return Ann and Ben at a duel for two that has started; Ann owns the table and begins. `adds`: with their parts in
    the dice. Without banks, unless told; with the option `all_views` both agree to the delayed view."""
    ann, ben = [await run.client(name, adds=adds) for name in names]
    await ben.join(await ann.create())
    await ann.change(**({"bank": 0} | changes))
    agree = changes.get("all_views", False)
    for client in (ann, ben) if agree else (ben,):
        await client.ready(delayed_view=agree)
    await ann.until(lambda: ann.talk.table is not None and all(s.ready or s.seat == 0 for s in ann.talk.table.seats))
    await ann.say(say.StartMatch())
    await ann.my_turn()
    await ben.until(lambda: ben.talk.scene is not None and ben.talk.scene.is_whole)
    return ann, ben


async def rest_to_the_end(ann: Client, ben: Client) -> None:
    """Let the players of a duel in its first turn rest all their turns, and wait until both see its end."""
    for turn in range(6):
        player = (ann, ben)[turn % 2]
        await player.my_turn()
        assert await player.intend("rest") == ""
    for player in (ann, ben):
        await player.until(lambda player=player: player.state == "finished")  # type: ignore[misc]  # a default has no type
