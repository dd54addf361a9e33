"""Sending to a real HTTPS server on loopback: what arrives there, and every way in which it does not."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from server.webhooks.address import WebhookAddress
from server.webhooks.public_networks import is_public
from server.webhooks.resolver import Endpoint, SystemResolver
from server.webhooks.sending import MOST_STATUS, SECONDS, SendOutcome, WebhookSender
from tests.support.doubles.clock import JumpingClock
from tests.support.servers.webhook_host import DONE, HOST, SILENCE, WebhookHost, webhook_host

pytestmark = pytest.mark.waits

TO = WebhookAddress(HOST, "/api/9?wait=1")
BODY = json.dumps({"content": "Your turn", "text": "Your turn"}).encode()


@pytest.fixture
async def host(tmp_path: Path) -> AsyncIterator[WebhookHost]:
    async with webhook_host(tmp_path / "host") as running:
        yield running


def sender(host: WebhookHost, clock: JumpingClock | None = None) -> WebhookSender:
    routes = host.routes
    return WebhookSender(clock or JumpingClock(), routes.resolve, routes.trust, routes.is_allowed)


async def test_one_request_with_the_body_goes_to_the_address_and_the_name_is_looked_up_once(host: WebhookHost) -> None:
    assert await sender(host).send(TO, BODY) == SendOutcome("", 204)
    assert host.looked_up == [HOST]
    [(head, body)] = host.requests
    assert head == [
        "POST /api/9?wait=1 HTTP/1.1",
        f"Host: {HOST}",
        "User-Agent: Eschaton",
        "Content-Type: application/json",
        f"Content-Length: {len(BODY)}",
        "Connection: close",
    ]
    assert body == BODY


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", SendOutcome("", 200)),
        (b"HTTP/1.0 299\n", SendOutcome("", 299)),
        (b"HTTP/1.1 404 Not Found\r\n\r\n", SendOutcome("status", 404)),
        (b"HTTP/1.1 500 Oh\r\n\r\n", SendOutcome("status", 500)),
        (b"HTTP/1.1 100 Continue\r\n\r\n" + DONE, SendOutcome("status", 100)),
        (b"HTTP/1.1 302 Found\r\nLocation: https://hooks.localhost/other\r\n\r\n", SendOutcome("redirect", 302)),
        (b"HTTP/1.1 999 Odd\r\n", SendOutcome("answer")),
        (b"HTTP/1.1 2000\r\n", SendOutcome("answer")),
        (b"HTTP/2 200\r\n", SendOutcome("answer")),
        (b"SSH-2.0-OpenSSH\r\n", SendOutcome("answer")),
        (b"HTTP/1.1 200 " + b"k" * MOST_STATUS * 8 + b"\r\n", SendOutcome("answer")),
    ],
)
async def test_the_status_alone_decides_and_no_redirect_is_followed(
    host: WebhookHost, answer: bytes, outcome: SendOutcome
) -> None:
    host.answer = answer
    assert await sender(host).send(TO, BODY) == outcome
    assert len(host.requests) == 1
    assert host.looked_up == [HOST]


async def test_no_more_than_the_status_is_read_however_much_comes(host: WebhookHost) -> None:
    host.answer = b"HTTP/1.1 200 OK\r\n" + b"x" * (8 << 20)
    assert await sender(host).send(TO, BODY) == SendOutcome("", 200)
    # the sender hangs up: the host could not write all of it
    await host.left.wait()


async def test_who_answers_nothing_is_left_after_three_seconds(host: WebhookHost) -> None:
    host.answer, clock = SILENCE, JumpingClock()
    sending = asyncio.create_task(sender(host, clock).send(TO, BODY))
    await host.told(1)
    clock.advance(SECONDS - 0.1)
    await asyncio.sleep(0)
    assert not sending.done()
    clock.advance(0.1)
    assert await sending == SendOutcome("slow")
    await host.left.wait()


async def test_who_accepts_a_connection_and_never_shakes_hands_is_left_after_three_seconds(host: WebhookHost) -> None:
    accepted, left, clock = asyncio.Event(), asyncio.Event(), JumpingClock()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted.set()
        with suppress(OSError):
            while await reader.read(1024):
                pass
        left.set()
        writer.transport.abort()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        host.port = int(server.sockets[0].getsockname()[1])
        sending = asyncio.create_task(sender(host, clock).send(TO, BODY))
        await accepted.wait()
        clock.advance(SECONDS)
        assert await sending == SendOutcome("slow")
        await left.wait()


async def test_a_name_server_that_is_silent_counts_into_the_three_seconds(host: WebhookHost) -> None:
    clock, asked = JumpingClock(), asyncio.Event()

    async def silent(_: str) -> Sequence[Endpoint]:
        asked.set()
        await asyncio.Event().wait()
        return []

    sending = asyncio.create_task(WebhookSender(clock, silent, host.routes.trust).send(TO, BODY))
    await asked.wait()
    clock.advance(SECONDS)
    assert await sending == SendOutcome("slow")


@pytest.mark.parametrize("answer", [OSError("no such name"), UnicodeError("label too long"), []])
async def test_a_name_that_leads_nowhere(host: WebhookHost, answer: Exception | list[Endpoint]) -> None:
    async def resolve(_: str) -> Sequence[Endpoint]:
        if isinstance(answer, Exception):
            raise answer
        return answer

    assert await WebhookSender(JumpingClock(), resolve, host.routes.trust).send(TO, BODY) == SendOutcome("name")


@pytest.mark.parametrize(
    "addresses",
    [
        ["127.0.0.1"],
        ["::1"],
        ["10.0.0.1"],
        ["169.254.169.254"],
        ["100.64.0.1"],
        ["fe80::1"],
        ["fd00::1"],
        ["224.0.0.1"],
        ["::ffff:127.0.0.1"],
        ["64:ff9b::7f00:1"],
        ["2002:7f00:1::"],
        ["0.0.0.0"],
        ["1.1.1.1", "127.0.0.1"],
        ["127.0.0.1", "1.1.1.1"],
    ],
)
async def test_a_name_that_leads_to_what_is_not_public_is_not_connected_to(
    host: WebhookHost, addresses: list[str]
) -> None:
    async def resolve(_: str) -> Sequence[Endpoint]:
        return [Endpoint(address, host.port) for address in addresses]

    found = await WebhookSender(JumpingClock(), resolve, host.routes.trust, is_public).send(TO, BODY)
    assert found == SendOutcome("private")
    assert not host.requests
    assert not host.left.is_set()


async def test_a_certificate_of_another_name_or_of_nobody_known_is_refused(host: WebhookHost) -> None:
    other = WebhookAddress("other.example.org", "/x")
    assert await sender(host).send(other, BODY) == SendOutcome("certificate")
    stranger = WebhookSender(JumpingClock(), host.routes.resolve, ssl.create_default_context(), host.routes.is_allowed)
    assert await stranger.send(TO, BODY) == SendOutcome("certificate")
    assert not host.requests


async def test_a_port_where_nobody_listens_and_a_host_that_hangs_up(host: WebhookHost) -> None:
    sending = asyncio.create_task(sender(host).send(TO, BODY))
    host.answer = SILENCE
    await host.told(1)
    host.hang_up()
    assert await sending in (SendOutcome("connection"), SendOutcome("answer"))
    routes = host.routes

    async def closed(_: str) -> Sequence[Endpoint]:
        server = await asyncio.start_server(host.serve, "127.0.0.1", 0)
        port = int(server.sockets[0].getsockname()[1])
        server.close()
        await server.wait_closed()
        return [Endpoint("127.0.0.1", port)]

    assert await WebhookSender(JumpingClock(), closed, routes.trust, routes.is_allowed).send(TO, BODY) == SendOutcome(
        "connection"
    )


async def test_a_sending_that_is_cancelled_leaves_nothing_behind(host: WebhookHost) -> None:
    host.answer = SILENCE
    sending = asyncio.create_task(sender(host).send(TO, BODY))
    await host.told(1)
    sending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sending
    await host.left.wait()


async def test_this_computer_looks_names_up_for_port_443() -> None:
    resolver = SystemResolver()
    try:
        assert {(one.port, is_public(one.address)) for one in await resolver("localhost")} == {(443, False)}
        with pytest.raises(socket.gaierror):
            await resolver("no-such-name.invalid")
    finally:
        resolver._threads.shutdown()
