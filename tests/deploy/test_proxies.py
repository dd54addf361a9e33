"""The configurations of proxies in deploy/: what they say, and a server behind nginx."""

from __future__ import annotations

import re
from contextlib import AsyncExitStack
from dataclasses import fields
from pathlib import Path

import pytest

from protocol.limits import Limits
from server.cli.settings.settings import ServerSettings
from server.net.address_limits import POLITE
from tests.support.clients.programs import DEPLOY
from tests.support.servers.proxies import CADDY, KINDS, NGINX, Kind
from tests.support.servers.visitors import behind, each_is_themselves

OPTIONS = {"--" + field.name.replace("_", "-") for field in fields(ServerSettings)}
OPEN = re.compile(r"^(?:proxy_(?:read_|send_)?timeout|timeout (?:client|server|tunnel)) +(\d+)s;?$")
OPENING = re.compile(r"^(?:client_header_timeout|ssl_handshake_timeout|timeout http-request|read_header) +(\d+)s;?$")
EACH = pytest.mark.parametrize("kind", KINDS, ids=[kind.file for kind in KINDS])


def lines(kind: Kind) -> list[str]:
    return [line.strip() for line in (DEPLOY / kind.file).read_text("utf-8").splitlines()]


def seconds(kind: Kind, pattern: re.Pattern[str]) -> list[int]:
    return [int(found[1]) for line in lines(kind) if (found := pattern.match(line))]


@EACH
def test_each_file_names_the_options_of_its_server_and_no_others(kind: Kind) -> None:
    assert f"#     eschaton-server serve --listen 127.0.0.1:8440 {' '.join(kind.options)}" in lines(kind)
    named = set(re.findall(r"(?<=[ (])--[a-z][a-z-]+", " ".join(lines(kind))))
    assert named - {"--listen", "--metrics"} == {word for word in kind.options if word.startswith("--")}
    assert named <= OPTIONS


@EACH
def test_a_quiet_connection_is_given_up_by_the_server_and_not_by_the_proxy(kind: Kind) -> None:
    limits = Limits()
    kept_open = [timeout for timeout in seconds(kind, OPEN) if timeout != limits.handshake_seconds]
    assert kept_open or kind is CADDY
    assert all(2 * limits.ping_seconds < timeout < 3 * limits.ping_seconds + 1 for timeout in kept_open)
    assert set(seconds(kind, OPENING)) <= {limits.handshake_seconds}


@EACH
def test_an_address_may_hold_as_many_connections_as_the_server_answers(kind: Kind) -> None:
    answered = Limits().sockets_per_address * POLITE
    held = [int(found) for line in lines(kind) for found in re.findall(r"(?:conn_cur gt|limit_conn \w+) (\d+)", line)]
    assert held == ([] if kind is CADDY else [answered])
    said = [int(found) for line in lines(kind) for found in re.findall(r"lets (\d+) of them in", line)]
    assert set(said) <= {Limits().sockets_per_address}


@pytest.mark.skipif(bool(NGINX.why_not), reason=NGINX.why_not)
async def test_behind_nginx_each_visitor_is_themselves(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        site = await behind(NGINX, tmp_path, stack)
        await each_is_themselves(site)
        assert await site.status("/healthz") == 200
        assert await site.status("/metrics") == 404
        assert await site.status("/", body=bytes(5000)) == 413
        assert await site.status("/", headers={"X-Long": "x" * 20_000}) == 400
