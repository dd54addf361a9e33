"""Addresses of webhooks as people give them: https on port 443, at a host that the server's host has named."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from server.runtime.refusals import Refused

MOST_HOST: Final = 253
_LABEL: Final = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_HOST: Final = re.compile(rf"{_LABEL}(?:\.{_LABEL})+")
_ADDRESS: Final = re.compile(r"https://(?P<host>[A-Za-z0-9.-]+)(?::443)?(?P<path>/[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*)")
"""No user, no other port, no fragment, and no sign that could end the line of a request."""
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")


class WebhookAddress(NamedTuple):
    """An address that may be sent to. `path`: with the query, as it stands in a request; whoever knows it may write
    there, so that it is shown to nobody."""

    host: str
    path: str

    def __repr__(self) -> str:
        return f"WebhookAddress(host={self.host!r})"


def read_address(words: str, hosts: Iterable[str]) -> WebhookAddress:
    """Return the address that these words are. Raises Refused where they are none, or the host is not among `hosts`."""
    found = _ADDRESS.fullmatch(words)
    if found is None:
        raise Refused("webhook/address")
    host = found["host"].lower()
    if host not in hosts:
        raise Refused("webhook/host", host=host[:MOST_HOST])
    return WebhookAddress(host, found["path"])


def is_host_name(words: str) -> bool:
    """Return True for the name of a host, in small letters, that no resolver takes for an IP address."""
    return len(words) <= MOST_HOST and bool(_HOST.fullmatch(words)) and not _NUMBER.fullmatch(words.rpartition(".")[2])
