"""The sending of one message to a webhook: an HTTPS request whose answer is read as far as its status, and no further.

Streams of asyncio do this in a page, and a library for HTTP would have to be kept from what it does by itself:
redirects, proxies of the environment, a pool of connections, a second look-up of the name.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Callable
from typing import Final, Literal, NamedTuple

from server.runtime.clock import Clock
from server.runtime.tasks import first_of
from server.webhooks.address import WebhookAddress
from server.webhooks.public_networks import is_public
from server.webhooks.resolver import Resolve

SECONDS: Final = 3.0
"""For all of it, from the look-up of the name to the status."""
MOST_STATUS: Final = 512
"""Bytes of a status line."""
_STATUS: Final = re.compile(rb"HTTP/1\.[01] ([1-5][0-9]{2})(?: [^\r\n]*)?\r?\n")

Reason = Literal["", "name", "private", "connection", "certificate", "slow", "answer", "redirect", "status", "host"]
"""The reason why a message did not arrive, empty where it did: the name is not found, or leads to an address that is
not public; there is no connection, or no certificate that holds; it takes too long; the answer is no HTTP, a redirect,
or no success; the server's host does not name this host (any more)."""


class SendOutcome(NamedTuple):
    """The outcome of a sending. `status`: that of the answer, 0 where there was none."""

    reason: Reason = ""
    status: int = 0


class WebhookSender:
    """Sender of messages. `resolve` looks names up, `is_allowed` tells the IP addresses that may be connected to, and
    `trust` checks certificates."""

    def __init__(
        self, clock: Clock, resolve: Resolve, trust: ssl.SSLContext, is_allowed: Callable[[str], bool] = is_public
    ) -> None:
        self._clock = clock
        self._resolve = resolve
        self._trust = trust
        self._is_allowed = is_allowed

    async def send(self, to: WebhookAddress, body: bytes) -> SendOutcome:
        """Send a body of JSON, and return what came of it after SECONDS at most. When cancelled, nothing goes on."""
        found = SendOutcome("slow")

        async def attempt() -> None:
            nonlocal found
            found = await self._attempt(to, body)

        await first_of(attempt(), self._clock.sleep(SECONDS))
        return found

    async def _attempt(self, to: WebhookAddress, body: bytes) -> SendOutcome:
        try:
            endpoints = await self._resolve(to.host)
        except (OSError, UnicodeError):
            return SendOutcome("name")
        if not endpoints:
            return SendOutcome("name")
        # one that leads elsewhere, too, is not taken for the rest of it
        if not all(self._is_allowed(endpoint.address) for endpoint in endpoints):
            return SendOutcome("private")
        address, port = endpoints[0]
        try:
            reader, writer = await asyncio.open_connection(
                address, port, ssl=self._trust, server_hostname=to.host, limit=MOST_STATUS
            )
        except ssl.SSLError:
            return SendOutcome("certificate")
        except OSError:
            return SendOutcome("connection")
        try:
            writer.write(_request(to, body))
            return _outcome_of(await reader.readline())
        except ValueError:
            # the line is longer than MOST_STATUS
            return SendOutcome("answer")
        except OSError:
            return SendOutcome("connection")
        finally:
            # nothing that comes now is read, nor waited for
            writer.transport.abort()


def _request(to: WebhookAddress, body: bytes) -> bytes:
    head = (
        f"POST {to.path} HTTP/1.1",
        f"Host: {to.host}",
        "User-Agent: Eschaton",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        "Connection: close",
    )
    return "\r\n".join([*head, "", ""]).encode("ascii") + body


def _outcome_of(line: bytes) -> SendOutcome:
    found = _STATUS.fullmatch(line)
    if found is None:
        return SendOutcome("answer")
    status = int(found[1])
    if 200 <= status < 300:
        return SendOutcome("", status)
    return SendOutcome("redirect" if 300 <= status < 400 else "status", status)
