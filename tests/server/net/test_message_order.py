"""Messages are handled one after another, in order, whichever way they come to the reader."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosedError
from websockets.frames import CloseCode, Frame, Opcode
from websockets.typing import Subprotocol

from protocol.ids import PromptId
from protocol.limits import Bucket, Limits
from protocol.version import SUBPROTOCOL, VERSION
from protocol.wire import from_client as say
from protocol.wire.codec import decode_message, encode_request
from protocol.wire.from_server import FromServer, Pong, Problem, Reject
from server.lobby.sessions import Session
from server.net.message_router import MessageRouter
from tests.support.clients.programs import until
from tests.support.clients.wire import Running, running

LINES = 12
LIMITS = Limits(chat=Bucket(100, 100), handshakes_per_second=1000)


class SlowRouter:
    """A router at which every message takes some turns of the loop; it notes which are handled at the same time."""

    def __init__(self, run: Running) -> None:
        self._router: MessageRouter = run.server._gateway._router
        self.order: list[str] = []
        self.most_at_once = 0
        self._at_once = 0
        run.server._gateway._router = self  # type: ignore[assignment]  # in place of it

    async def handle(self, session: Session, message: say.FromClient) -> None:
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        for _ in range(3):
            await asyncio.sleep(0)
        self.order.append(getattr(message, "text", type(message).__name__.lower()))
        await self._router.handle(session, message)
        self._at_once -= 1

    def act(self, session: Session, intent: say.Intent) -> None:
        assert not self._at_once, "another message of the connection is not dealt with yet"
        self.order.append("at once")
        self._router.act(session, intent)

    def session_ended(self, session: Session) -> None:
        assert not self._at_once, "it has not been dealt with yet"
        self._router.session_ended(session)


def message(told: say.FromClient, cuts: int = 0) -> bytes:
    """Return the bytes of a message as a client sends it: in one frame, or in fragments."""
    data = encode_request(told)
    ends = [len(data) * n // (cuts + 1) for n in range(cuts + 2)]
    parts = [
        Frame(Opcode.BINARY if not n else Opcode.CONT, data[begin:end], fin=n == cuts)
        for n, (begin, end) in enumerate(pairwise(ends))
    ]
    return b"".join(part.serialize(mask=True) for part in parts)


async def greeted(run: Running) -> ClientConnection:
    socket = await connect(f"ws://127.0.0.1:{run.port}/", subprotocols=[Subprotocol(SUBPROTOCOL)])
    await socket.send(encode_request(say.Hello(version=VERSION, name="Ann")))
    return socket


async def heard(socket: ClientConnection, kind: type[FromServer]) -> FromServer:
    while True:
        told = decode_message(await socket.recv(decode=False), Limits())
        if isinstance(told, kind):
            return told


async def test_order_is_kept_whether_a_message_comes_whole_or_in_fragments(tmp_path: Path) -> None:
    async with running(tmp_path, limits=LIMITS) as run:
        router = SlowRouter(run)
        socket = await greeted(run)
        lines = [message(say.Chat(text=f"line {n}"), cuts=n % 3) for n in range(LINES)]
        for line in lines[: LINES // 2]:
            socket.transport.write(line)
        await asyncio.sleep(0)
        socket.transport.write(b"".join(lines[LINES // 2 :]))
        for _ in range(LINES):
            await heard(socket, Problem)
        assert router.order == ["hello", *(f"line {n}" for n in range(LINES))]
        assert router.most_at_once == 1
        await socket.close()


@pytest.mark.waits(times=200)
async def test_what_has_been_said_is_dealt_with_before_a_connection_that_breaks_is_gone(tmp_path: Path) -> None:
    async with running(tmp_path, limits=LIMITS) as run:
        router = SlowRouter(run)
        socket = await greeted(run)
        await socket.send(encode_request(say.Ping(n=1)))
        assert await heard(socket, Pong) == Pong(1)
        socket.transport.write(message(say.Chat(text="last")))
        socket.transport.close()
        await until(lambda: not run.server.lobby.sessions())
        assert router.order[-1] == "last"


async def test_an_intent_alone_is_handled_at_once_and_one_behind_others_after_them(tmp_path: Path) -> None:
    async with running(tmp_path, limits=LIMITS) as run:
        router = SlowRouter(run)
        socket = await greeted(run)
        intent = say.Intent(id=bytes(16), prompt=PromptId(""), choice="c")
        for told in (say.Chat(text="line"), intent):
            await socket.send(encode_request(told))
        await heard(socket, Reject)
        await socket.send(encode_request(intent))
        await heard(socket, Reject)
        assert router.order == ["hello", "line", "intent", "at once"]
        await socket.close()


async def test_an_intent_in_the_midst_of_a_message_in_fragments_is_no_message(tmp_path: Path) -> None:
    async with running(tmp_path, limits=LIMITS) as run:
        router = SlowRouter(run)
        socket = await greeted(run)
        begun = Frame(Opcode.BINARY, encode_request(say.Chat(text="never ended")), fin=False).serialize(mask=True)
        intent = message(say.Intent(id=bytes(16), prompt=PromptId(""), choice="c"))
        await socket.send(encode_request(say.Ping(n=1)))
        assert await heard(socket, Pong) == Pong(1)
        for piece in (begun, intent):
            socket.transport.write(piece)
            await asyncio.sleep(0)
        with pytest.raises(ConnectionClosedError) as closed:
            await heard(socket, Reject)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == CloseCode.PROTOCOL_ERROR
        assert router.order == ["hello"]


async def test_intents_arrive_whatever_pieces_the_network_makes_of_them(tmp_path: Path) -> None:
    async with running(tmp_path, limits=LIMITS) as run:
        router = SlowRouter(run)
        socket = await greeted(run)
        intent = message(say.Intent(id=bytes(16), prompt=PromptId(""), choice="c" * 40))
        for cut in (0, 1, 2, 5, 6, 7, len(intent) - 1):
            for piece in (intent[:cut], intent[cut:]):
                socket.transport.write(piece)
                await asyncio.sleep(0)
            assert isinstance(await heard(socket, Reject), Reject)
        assert len(router.order) == 8
        await socket.close()
