"""Visitors behind proxies: who they are, what a proxy may say, and what happens to everything else that is said."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
import struct
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidMessage, InvalidStatus
from websockets.typing import Subprotocol

from protocol.limits import Limits
from protocol.version import SUBPROTOCOL
from server.net.proxies import TrustedProxies
from server.net.proxy_header import BEGIN_2, LOCAL, PROXY, TCP4, TCP6, UNSPECIFIED
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, Running, running
from tests.support.runs.patience import PATIENCE
from tests.support.servers.certificates import certificate
from tests.support.servers.registration import CHEAP, PASSWORD, cheaply, keeps

LIMITS = Limits(handshakes_per_second=1000)
BY_HEADERS = TrustedProxies.parse(["127.0.0.1"])
BY_PROTOCOL = TrustedProxies.parse(["127.0.0.1", "::1"], speak_proxy=True)
STRANGER = "127.0.0.2"
HALF = Limits(handshakes_per_second=1000, handshake_seconds=0.2)


def version_1(address: str) -> bytes:
    family = "TCP4" if ipaddress.ip_address(address).version == 4 else "TCP6"
    return f"PROXY {family} {address} {address} 4711 443\r\n".encode()


def version_2(address: str) -> bytes:
    packed = ipaddress.ip_address(address).packed
    block = packed + packed + struct.pack("!HH", 4711, 443) + b"\x03\x00\x04\x01\x02\x03\x04"
    return BEGIN_2 + bytes((PROXY, TCP4 if len(packed) == 4 else TCP6)) + len(block).to_bytes(2, "big") + block


def x_forwarded_for(address: str) -> dict[str, Any]:
    return {"headers": {"X-Forwarded-For": f"6.6.6.6, {address}"}}


def forwarded(address: str) -> dict[str, Any]:
    node = f'"[{address}]:4711"' if ":" in address else address
    return {"headers": {"Forwarded": f"for=6.6.6.6;proto=https, for={node}"}}


def line(address: str) -> dict[str, Any]:
    return {"preface": version_1(address)}


def block(address: str) -> dict[str, Any]:
    return {"preface": version_2(address)}


async def knock(
    run: Running,
    stack: AsyncExitStack,
    *,
    preface: bytes = b"",
    headers: dict[str, str] | None = None,
    peer: str = "127.0.0.1",
    tls: ssl.SSLContext | None = None,
) -> ClientConnection:
    """Open a connection as a proxy does. Raises InvalidStatus where it is refused."""
    plain = await asyncio.to_thread(socket.create_connection, ("127.0.0.1", run.port), PATIENCE, (peer, 0))
    plain.sendall(preface)
    plain.setblocking(False)
    url = f"{'wss' if tls else 'ws'}://localhost:{run.port}/"
    link = connect(url, sock=plain, ssl=tls, subprotocols=[Subprotocol(SUBPROTOCOL)], additional_headers=headers)
    return await stack.enter_async_context(link)


async def status(run: Running, **how: Any) -> int:
    """Return the status of the answer to a handshake: 101 where it is let in."""
    async with AsyncExitStack() as stack:
        try:
            await knock(run, stack, **how)
        except InvalidStatus as refused:
            return refused.response.status_code
    return 101


async def answer(run: Running, sent: bytes, peer: str = "127.0.0.1") -> bytes:
    """Return all that comes back for these bytes, until the server hangs up."""
    place = ("127.0.0.1", run.port)
    with await asyncio.to_thread(socket.create_connection, place, PATIENCE, (peer, 0)) as plain:
        plain.sendall(sent)
        heard = b""
        with suppress(ConnectionResetError):
            while piece := await asyncio.to_thread(plain.recv, 4096):
                heard += piece
    return heard


def refusals(run: Running) -> list[str]:
    return [entry["why"] for entry in run.lines if entry["event"] == "proxy-refused"]


@pytest.mark.parametrize(
    ("proxies", "names"),
    [(BY_HEADERS, x_forwarded_for), (BY_HEADERS, forwarded), (BY_PROTOCOL, line), (BY_PROTOCOL, block)],
)
async def test_45_visitors_behind_one_proxy_are_45(
    tmp_path: Path, proxies: TrustedProxies, names: Callable[[str], dict[str, Any]]
) -> None:
    async with running(tmp_path, limits=LIMITS, proxies=proxies) as run, AsyncExitStack() as stack:
        for number in range(45):
            await knock(run, stack, **names(f"192.0.2.{number}"))
        for _ in range(19):
            await knock(run, stack, **names("192.0.2.7"))
        assert await status(run, **names("192.0.2.7")) == 429
        assert await status(run, **names("192.0.2.8")) == 101
        assert await status(run, **names("192.0.2.7")) == 429


@pytest.mark.parametrize(("proxies", "names"), [(BY_HEADERS, x_forwarded_for), (BY_PROTOCOL, block)])
async def test_of_ipv6_a_network_is_one_visitor_here_too(
    tmp_path: Path, proxies: TrustedProxies, names: Callable[[str], dict[str, Any]]
) -> None:
    async with running(tmp_path, limits=LIMITS, proxies=proxies) as run, AsyncExitStack() as stack:
        for number in range(20):
            await knock(run, stack, **names(f"2001:db8:1:2::{number:x}"))
        assert await status(run, **names("2001:db8:1:2:ffff::1")) == 429
        assert await status(run, **names("2001:db8:1:3::1")) == 101


async def test_each_has_their_own_rate_and_their_own_pseudonym(tmp_path: Path) -> None:
    async with running(tmp_path, limits=Limits(), proxies=BY_HEADERS) as run:
        for number in range(45):
            visitor = Client(run.port, f"Visitor {number}", **x_forwarded_for(f"192.0.2.{number}"))
            run.clients.append(visitor)
            await visitor.connect()
        assert len({entry["address"] for entry in run.lines if entry["event"] == "entered"}) == 45
        assert "192.0.2." not in run.log.getvalue()


async def guess(run: Running, address: str, name: str, password: str) -> bool:
    """Return True where a visitor is signed in with this password."""
    visitor = Client(run.port, name, **x_forwarded_for(address))
    visitor.talk.password = password
    run.clients.append(visitor)
    await visitor.connect()
    await visitor.close()
    return visitor.talk.ended is None


async def test_a_lock_out_is_the_visitors_own(tmp_path: Path) -> None:
    async with cheaply(tmp_path, CHEAP, proxies=BY_HEADERS) as run:
        await keeps(await run.client("Ann"))
        for number in range(20):
            assert not await guess(run, "192.0.2.7", f"Somebody {number}", "a wrong password")
        assert not await guess(run, "192.0.2.7", "Ann", PASSWORD)
        assert await guess(run, "192.0.2.8", "Ann", PASSWORD)


async def test_headers_of_others_change_nothing(tmp_path: Path) -> None:
    async with running(tmp_path, limits=LIMITS, proxies=BY_HEADERS) as run, AsyncExitStack() as stack:
        for number in range(20):
            await knock(run, stack, peer=STRANGER, **x_forwarded_for(f"192.0.2.{number}"))
        assert await status(run, peer=STRANGER, **forwarded("192.0.2.99")) == 429
        assert await status(run, peer=STRANGER, headers={"Forwarded": "nonsense"}) == 429
        assert await status(run, **x_forwarded_for("192.0.2.0")) == 101
        assert refusals(run) == []


async def test_without_trusted_proxies_nobody_names_anybody(tmp_path: Path) -> None:
    async with running(tmp_path, limits=LIMITS) as run, AsyncExitStack() as stack:
        for number in range(20):
            await knock(run, stack, **x_forwarded_for(f"192.0.2.{number}"))
        assert await status(run, **x_forwarded_for("192.0.2.99")) == 429


async def test_the_headers_of_a_proxy_that_speaks_the_protocol_are_not_read(tmp_path: Path) -> None:
    async with running(tmp_path, limits=LIMITS, proxies=BY_PROTOCOL) as run, AsyncExitStack() as stack:
        for number in range(20):
            await knock(run, stack, **line("192.0.2.7"), **x_forwarded_for(f"198.51.100.{number}"))
        assert await status(run, **line("192.0.2.7"), **x_forwarded_for("198.51.100.99")) == 429


@pytest.mark.parametrize("preface", [b"PROXY UNKNOWN\r\n", BEGIN_2 + bytes((LOCAL, UNSPECIFIED, 0, 0))])
async def test_a_proxy_that_speaks_for_itself_is_itself(tmp_path: Path, preface: bytes) -> None:
    async with running(tmp_path, limits=LIMITS, proxies=BY_PROTOCOL) as run, AsyncExitStack() as stack:
        for _ in range(20):
            await knock(run, stack, preface=preface)
        assert await status(run, preface=preface) == 429
        assert await status(run, **line("192.0.2.7")) == 101


async def test_a_proxy_that_names_nobody_by_headers_is_itself_and_that_is_told_once_a_minute(tmp_path: Path) -> None:
    async with running(tmp_path, limits=LIMITS, proxies=BY_HEADERS) as run, AsyncExitStack() as stack:
        for _ in range(20):
            await knock(run, stack)
        assert await status(run) == 429
        assert [entry["event"] for entry in run.lines].count("proxy-silent") == 1


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Forwarded-For": "unknown"},
        {"X-Forwarded-For": "192.0.2.7," * 300},
        {"Forwarded": "for=_secret"},
        {"Forwarded": 'for="192.0.2.7'},
        {"Forwarded": "for=6.6.6.6", "X-Forwarded-For": "192.0.2.7"},
    ],
)
async def test_headers_that_name_nobody_are_refused_and_told_once_a_minute(
    tmp_path: Path, headers: dict[str, str]
) -> None:
    async with running(tmp_path, limits=LIMITS, proxies=BY_HEADERS) as run:
        for _ in range(3):
            assert await status(run, headers=headers) == 400
        assert len(refusals(run)) == 1
        assert run.server.metrics.handshakes_refused.get("proxy") == 3
        run.clock.advance(60)
        assert await status(run, headers=headers) == 400
        assert len(refusals(run)) == 2


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        (b"PROXY TCP4 nobody 10.0.0.1 1 2\r\nGET / HTTP/1.1\r\n\r\n", "no address"),
        (b"PROXY " + b"x" * 5000, "more than 107 bytes"),
        (BEGIN_2 + b"\x21\x11\xff\xff" + bytes(5000), "more than 2048 bytes"),
        (b"PROXY TCP4 192.0.2.7 ", "did not end in time"),
        (b"PRO", "did not end in time"),
        (BEGIN_2 + b"\x21", "did not end in time"),
        (b"GET / HTTP/1.1\r\n\r\n", "begins with something else"),
    ],
)
async def test_a_header_of_the_protocol_that_is_none_is_refused(tmp_path: Path, sent: bytes, why: str) -> None:
    async with running(tmp_path, limits=HALF, proxies=BY_PROTOCOL) as run:
        for _ in range(3):
            assert (await answer(run, sent)).startswith(b"HTTP/1.1 400 Bad Request\r\n")
        assert [why in told for told in refusals(run)] == [True]
        assert run.server.metrics.handshakes_refused.get("proxy") == 3


@pytest.mark.parametrize("proxies", [BY_HEADERS, BY_PROTOCOL])
@pytest.mark.parametrize("preface", [version_1("192.0.2.7"), version_2("192.0.2.7")])
async def test_the_protocol_is_not_for_others(tmp_path: Path, proxies: TrustedProxies, preface: bytes) -> None:
    async with running(tmp_path, limits=LIMITS, proxies=proxies) as run:
        assert b"no trusted proxy" in await answer(run, preface + b"GET / HTTP/1.1\r\n\r\n", STRANGER)
        assert len(refusals(run)) == 1
        assert await status(run, peer=STRANGER) == 101


async def test_a_proxy_that_speaks_the_protocol_unasked_is_told_the_option(tmp_path: Path) -> None:
    async with running(tmp_path, limits=LIMITS, proxies=BY_HEADERS) as run:
        assert b"--proxy-protocol" in await answer(run, version_1("192.0.2.7"))


async def test_others_that_say_nothing_count_from_their_first_moment_and_not_after_their_last(tmp_path: Path) -> None:
    async with running(tmp_path, limits=LIMITS, proxies=BY_PROTOCOL) as run, AsyncExitStack() as stack:
        place = ("127.0.0.1", run.port)
        silent = [socket.create_connection(place, PATIENCE, (STRANGER, 0)) for _ in range(45)]
        assert await asyncio.to_thread(silent[-1].recv, 1) == b""
        for each in silent:
            each.close()

        async def is_forgotten() -> bool:
            with suppress(OSError, InvalidMessage):
                return await status(run, peer=STRANGER) == 101
            return False

        await until(is_forgotten)
        for _ in range(20):
            await knock(run, stack, peer=STRANGER)
        assert await status(run, peer=STRANGER) == 429


@pytest.mark.parametrize("peer", ["127.0.0.1", STRANGER])
async def test_whoever_says_nothing_is_hung_up_on(tmp_path: Path, peer: str) -> None:
    async with running(tmp_path, limits=HALF, proxies=BY_PROTOCOL) as run:
        assert await answer(run, b"", peer) == b""
        assert await answer(run, b"P" if peer == STRANGER else b"", peer) == b""
        assert refusals(run) == []


@pytest.mark.slow
@pytest.mark.parametrize("proxies", [BY_HEADERS, BY_PROTOCOL])
async def test_bent_openings_disturb_nobody(tmp_path: Path, proxies: TrustedProxies) -> None:
    chance, faults = Random(7), list[dict[str, Any]]()
    asyncio.get_running_loop().set_exception_handler(lambda _, about: faults.append(about))
    request = b"GET / HTTP/1.1\r\nX-Forwarded-For: 192.0.2.7\r\nForwarded: for=192.0.2.7\r\n\r\n"
    whole = [version_1("192.0.2.7") + request, version_2("2001:db8::7") + request, request]
    async with running(tmp_path, limits=LIMITS, proxies=proxies) as run:
        for number in range(150):
            bent = bytearray(chance.choice(whole))
            for _ in range(chance.randrange(4)):
                bent[chance.randrange(min(60, len(bent)))] = chance.randrange(256)
            del bent[chance.randrange(1, len(bent) + 1) :]
            with await asyncio.to_thread(
                socket.create_connection, ("127.0.0.1", run.port), PATIENCE, (chance.choice(["127.0.0.1", STRANGER]), 0)
            ) as plain:
                plain.sendall(bent)
                if number % 2:
                    plain.shutdown(socket.SHUT_WR)
                    with suppress(ConnectionResetError):
                        await asyncio.to_thread(plain.recv, 4096)
        names = line("192.0.2.9") if proxies.speak_proxy else x_forwarded_for("192.0.2.9")
        assert await status(run, **names) == 101
        assert await status(run, peer="127.0.0.3") == 101
    assert faults == []


async def test_the_header_comes_before_tls(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    mine, theirs = ssl.create_default_context(cafile=cert), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    theirs.load_cert_chain(cert, key)
    mine.check_hostname = False
    async with running(tmp_path, limits=LIMITS, proxies=BY_PROTOCOL, tls=theirs) as run, AsyncExitStack() as stack:
        for names in (line, block):
            for number in range(12):
                await knock(run, stack, **names(f"192.0.2.{number}"), tls=mine)
        await knock(run, stack, tls=mine, peer=STRANGER)
        assert (await answer(run, b"\x16\x03\x01" + bytes(40))).startswith(b"HTTP/1.1 400")
        assert not (await answer(run, version_1("192.0.2.7") + b"no TLS at all", STRANGER)).startswith(b"HTTP")
        assert not (await answer(run, version_1("192.0.2.7") + b"no TLS at all")).startswith(b"HTTP")


@pytest.mark.parametrize("text", ["10.0.0.1/8", "proxy.example.org", "", "0.0.0.0/0", "::/0"])
def test_networks_that_cannot_be_trusted(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no network|is everybody"):
        TrustedProxies.parse([text])


def test_networks() -> None:
    proxies = TrustedProxies.parse(["10.0.0.0/8", "192.0.2.7", "2001:db8::/32"])
    for inside in ("10.9.8.7", "192.0.2.7", "2001:db8::1", "::ffff:10.0.0.1"):
        assert inside in proxies
    for outside in ("192.0.2.8", "fe80::1%eth0", "", "nonsense", "2001:db9::1"):
        assert outside not in proxies
