"""Admission of pages and addresses: origins, numbers and rates of connections, and what is never read."""

import asyncio
import socket
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import msgpack
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidMessage, InvalidStatus
from websockets.typing import Origin, Subprotocol

from protocol.limits import Limits
from protocol.version import SUBPROTOCOL, VERSION
from protocol.wire import from_client as say
from protocol.wire.codec import encode_request
from protocol.wire.from_server import Problem
from server.cli.serving import check_origins
from server.net import gateway
from server.net.address_limits import counted_address
from server.runtime.errors import CommandError
from tests.support.clients.wire import Client, Running, running
from tests.support.doubles.clock import JumpingClock

MINE = [Subprotocol(SUBPROTOCOL)]
PAGE = "https://play.example.org"


async def knock(run: Running, stack: AsyncExitStack, query: str = "", **settings: Any) -> ClientConnection:
    url = f"ws://127.0.0.1:{run.port}/{query}"
    return await stack.enter_async_context(connect(url, subprotocols=MINE, **settings))


async def refused(run: Running, stack: AsyncExitStack, **settings: Any) -> int:
    with pytest.raises(InvalidStatus) as caught:
        await knock(run, stack, **settings)
    return caught.value.response.status_code


NOT_THAT_PAGE = ("http://play.example.org", "https://play.example.org.evil.example", "https://play.example.org:8443")


async def test_a_page_is_let_in_by_its_exact_origin_only(tmp_path: Path) -> None:
    async with running(tmp_path, origins=(PAGE,)) as run, AsyncExitStack() as stack:
        await knock(run, stack, origin=Origin(PAGE))
        for other in (*NOT_THAT_PAGE, "null", PAGE.upper(), f"http://127.0.0.1:{run.port}"):
            assert await refused(run, stack, origin=Origin(other)) == 403
        assert await refused(run, stack, additional_headers=[("Origin", PAGE), ("Origin", PAGE)]) == 403


async def test_without_a_list_no_page_is_let_in_and_one_that_hides_its_origin_neither(tmp_path: Path) -> None:
    async with running(tmp_path) as run, AsyncExitStack() as stack:
        assert await refused(run, stack, origin=Origin(f"http://127.0.0.1:{run.port}")) == 403
        for header in ("Cookie", "Sec-Fetch-Site", "Sec-Fetch-Mode"):
            assert await refused(run, stack, additional_headers={header: "x"}) == 403
        await knock(run, stack)


@pytest.mark.parametrize("origin", ["play.example.org", "https://a.example/", "*", "ftp://a.example", "https://"])
def test_an_origin_that_no_browser_would_send_is_refused_at_the_start(origin: str) -> None:
    check_origins([PAGE, "http://127.0.0.1:8000"])
    with pytest.raises(CommandError, match="is no origin"):
        check_origins([origin])


async def test_another_subprotocol_is_refused(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        with pytest.raises(InvalidStatus, match="400"):
            await connect(f"ws://127.0.0.1:{run.port}/")


async def test_deflate_is_never_agreed_to(tmp_path: Path) -> None:
    async with running(tmp_path) as run, AsyncExitStack() as stack:
        link = await knock(run, stack, compression="deflate")
        assert link.protocol.extensions == []


async def test_a_token_in_the_url_is_neither_read_nor_logged(tmp_path: Path) -> None:
    async with running(tmp_path) as run, AsyncExitStack() as stack:
        ann = await run.client("Ann")
        token = ann.talk.token
        link = await knock(run, stack, f"?token={token}", additional_headers={"Authorization": f"Bearer {token}"})
        await link.send(msgpack.packb({"t": "ping", "n": 1}))
        first = msgpack.unpackb(await link.recv())
        assert first["code"] == "session/hello-first"
        assert token is not None
        assert token not in run.log.getvalue()


async def test_no_more_than_ten_handshakes_a_second(tmp_path: Path) -> None:
    async with running(tmp_path, limits=Limits()) as run, AsyncExitStack() as stack:
        for _ in range(10):
            await knock(run, stack)
        assert await refused(run, stack) == 429
        run.clock.advance(0.1)
        await knock(run, stack)
        assert await refused(run, stack) == 429


async def test_an_address_has_twenty_connections_and_others_are_not_concerned(tmp_path: Path) -> None:
    async with running(tmp_path, limits=Limits(handshakes_per_second=1000)) as run, AsyncExitStack() as stack:
        sockets = [await knock(run, stack) for _ in range(20)]
        assert await refused(run, stack) == 429
        await knock(run, stack, local_addr=("127.0.0.2", 0))
        await sockets[0].close()
        await sockets[0].wait_closed()
        await knock(run, stack)


async def test_connections_that_never_shake_hands_count_and_are_hung_up_on(tmp_path: Path) -> None:
    async with running(tmp_path, limits=Limits(handshakes_per_second=1000)) as run, AsyncExitStack() as stack:
        silent = [stack.enter_context(socket.create_connection(("127.0.0.1", run.port))) for _ in range(100)]
        for each in silent[40:]:
            assert await hung_up(each)
        with pytest.raises((InvalidMessage, ConnectionResetError)):
            await knock(run, stack)
        await knock(run, stack, local_addr=("127.0.0.2", 0))


async def hung_up(silent: socket.socket) -> bool:
    silent.setblocking(False)
    with suppress(ConnectionResetError):
        return await asyncio.get_running_loop().sock_recv(silent, 1) == b""
    return True


def test_of_ipv6_a_whole_network_counts_as_one_address() -> None:
    assert counted_address("2001:db8:1:2:3::4") == counted_address("2001:db8:1:2::9%eth0") == "2001:db8:1:2::/64"
    assert counted_address("::ffff:192.0.2.7") == counted_address("192.0.2.7") == "192.0.2.7"


async def test_an_account_has_five_connections_even_if_it_does_not_let_them_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # real seconds after which a link that cannot be closed politely is cut: none is to be cut meanwhile
    monkeypatch.setattr(gateway, "CLOSE_SECONDS", 60.0)
    async with running(tmp_path) as run, AsyncExitStack() as stack:
        ann = await run.client("Ann")
        token = ann.talk.token
        for _ in range(5):
            link = await knock(run, stack, compression=None, close_timeout=0)
            await link.send(encode_request(say.Hello(version=VERSION, name="Ann", token=token)))
            token = msgpack.unpackb(await link.recv())["token"]
            # it reads no more, so that the server cannot close it politely when the next one takes over
            link.transport.pause_reading()
            stack.callback(link.transport.abort)
        sixth = Client(run.port, "Ann", token)
        run.clients.append(sixth)
        await sixth.connect()
        assert (await sixth.hear(Problem)).code == "session/too-many"


class BreakingClock(JumpingClock):
    """A clock that fails once, at a given call: a fault where none is expected."""

    fails_in = 0

    def now(self) -> float:
        if self.fails_in:
            self.fails_in -= 1
            if not self.fails_in:
                raise RuntimeError("secret detail")
        return super().now()


async def test_a_bug_on_a_connection_closes_that_one_with_an_id_and_no_detail(tmp_path: Path) -> None:
    clock = BreakingClock()
    async with running(tmp_path, clock=clock) as run:
        ann, ben = await run.client("Ann"), await run.client("Ben")
        await ann.pinged()
        await ben.pinged()
        # first it is asked when bytes arrive, then when they are a message
        clock.fails_in = 2
        await ann.say(say.Ping(n=1))
        problem = await ann.hear(Problem)
        await ann.until(lambda: ann.closed == (1011, "server/fault"))
        [line] = [line for line in run.lines if line["event"] == "connection"]
        assert problem.text.a == {"error": line["error"]}
        assert len(line["error"]) == 8
        assert not any(b"secret detail" in frame for frame in ann.frames)
        await ben.say(say.ListTables())
