"""Addresses at which no server lets one in: told plainly, at the address field, and not remembered."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from client.net.address import Address
from client.net.connection import Down, ReconnectingSocket
from client.net.unreached import why_unreached
from client.views.lobby.connect_screen import ConnectScreen
from client.views.lobby.lobby_screen import LobbyScreen
from protocol.text import text
from protocol.version import SUBPROTOCOL
from protocol.wire.from_server import Problem, Welcome
from protocol.wire.table_lists import Lobby
from tests.support.clients.programs import until
from tests.support.clients.sessions import Table, Wire
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.systems.hand import Hand

pytestmark = pytest.mark.waits

Listening = Callable[[], Awaitable[int]]


async def why_not(port: int, host: str = "127.0.0.1") -> str:
    """Return the first reason that a link to this port gives."""
    link = ReconnectingSocket(Address(host, port, secure=False))
    link.start()
    found: list[object] = []

    def has_news() -> bool:
        found.extend(link.news())
        return bool(found)

    try:
        await until(has_news)
    finally:
        await asyncio.to_thread(link.close)
    assert isinstance(found[0], Down)
    return found[0].why


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
    return port


@asynccontextmanager
async def speaking(words: bytes) -> AsyncIterator[int]:
    """Run a program that answers with these bytes, whatever it is told."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(10)
        writer.write(words)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]


async def test_a_name_that_nobody_has() -> None:
    assert await why_not(8440, "no-such-host.invalid") == "no computer of that name is known"


async def test_a_port_where_nobody_listens() -> None:
    assert (await why_not(free_port())).startswith("nobody listens there")


@pytest.mark.parametrize("words", [b"", b"SSH-2.0-OpenSSH_9.6\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"])
async def test_another_program(words: bytes) -> None:
    async with speaking(words) as port:
        assert (await why_not(port)).startswith("another program answers there")


@pytest.mark.parametrize(
    ("protocol", "status", "why"),
    [
        ("eschaton.v9+msgpack", 0, "the table server there is of another version than this program"),
        ("chat", 0, "another program answers there, no table server"),
        (SUBPROTOCOL, 403, "it lets nobody in from here"),
    ],
)
async def test_a_server_that_lets_nobody_in(protocol: str, status: int, why: str) -> None:
    def refuse(connection: ServerConnection, _: Request) -> Response | None:
        return connection.respond(status, "") if status else None

    async def nothing(connection: ServerConnection) -> None:
        await connection.wait_closed()

    protocols = [Subprotocol(protocol)]
    async with serve(nothing, "127.0.0.1", 0, subprotocols=protocols, process_request=refuse) as server:
        assert await why_not(next(iter(server.sockets)).getsockname()[1]) == why


def test_a_program_that_does_not_encrypt_is_another_one() -> None:
    error = ssl.SSLError(1, "wrong version number")
    error.reason = "WRONG_VERSION_NUMBER"
    assert why_unreached(error) == "another program answers there, no table server"


@pytest.fixture
def connecting(app: ReadableApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A window that is about to reach a server for the first time."""
    monkeypatch.setattr("client.app.own_session.ReconnectingSocket", lambda address, wake: Wire(address))
    table = Table(app, tmp_path, [])
    table.navigator.disconnect()
    app.show(ConnectScreen(app, table.navigator))
    return table


def connect(table: Table, hand: Hand) -> None:
    hand.click_on("Address, such as example.org")
    hand.type("exmaple.org")
    hand.click_on("Connect")
    assert isinstance(table.app.front, LobbyScreen)
    assert table.navigator.session is not None
    table.session = table.navigator.session


def test_a_wrong_address_is_told_where_it_was_written_and_not_remembered(connecting: Table, hand: Hand) -> None:
    connect(connecting, hand)
    connecting.wire.waiting = [Down("no computer of that name is known", 0)]
    connecting.app.step(0.1)
    front = connecting.app.front
    assert isinstance(front, ConnectScreen)
    assert front.note == "exmaple.org:8440: no computer of that name is known."
    assert front.address.text == "exmaple.org:8440"
    assert connecting.profile.servers == []
    assert connecting.navigator.session is None


def test_another_version_is_told_there_too(connecting: Table, hand: Hand) -> None:
    connect(connecting, hand)
    connecting.say(Problem("frame/wrong-version", text("frame.wrong_version", wanted=9), fatal=True))
    connecting.wire.waiting.append(Down("bye", 1002))
    connecting.app.step(0.1)
    front = connecting.app.front
    assert isinstance(front, ConnectScreen)
    assert "version" in front.note


def test_a_server_that_has_let_one_in_is_remembered_and_reached_again(connecting: Table, hand: Hand) -> None:
    connect(connecting, hand)
    connecting.say(Welcome("me", "Bertram", "token", "test", "0.1"), Lobby(()))
    assert connecting.profile.servers == ["exmaple.org:8440"]
    connecting.wire.waiting.append(Down("the connection was lost", 1006))
    connecting.app.step(0.1)
    assert isinstance(connecting.app.front, LobbyScreen)
