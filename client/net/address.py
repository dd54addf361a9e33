"""Addresses of servers as people write them: HOST, HOST:PORT, [IPv6]:PORT, ws:// or wss:// in front."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from client.errors import BadAddress
from client.text.phrases import phrase
from protocol.host_addresses import is_loopback
from protocol.version import DEFAULT_PORT


@dataclass(frozen=True)
class Address:
    """Place of a server. `secure`: wss. `name`: what it is called where its port changes with every start."""

    host: str
    port: int
    secure: bool
    name: str = ""

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'wss' if self.secure else 'ws'}://{host}:{self.port}"

    @property
    def key(self) -> str:
        """Name of the server in a profile."""
        return self.name or f"{self.host}:{self.port}"


def parse_address(words: str) -> Address:
    """Read an address. Without a scheme a server on this computer is spoken to in the clear, any other through TLS;
    in the clear to another computer is refused, since the token would travel readably. Raises BadAddress."""
    words = words.strip()
    scheme, found, rest = words.partition("://")
    if not found:
        scheme, rest = "", words
    if scheme not in ("", "ws", "wss"):
        raise BadAddress(phrase("address.scheme", scheme=scheme))
    host, port = _split(rest)
    if not host:
        raise BadAddress(phrase("address.bad", words=words, port=DEFAULT_PORT))
    secure = scheme == "wss" or (not scheme and not is_loopback(host))
    if not secure and not is_loopback(host):
        raise BadAddress(phrase("address.plain"))
    return Address(host, port or DEFAULT_PORT, secure)


def _split(rest: str) -> tuple[str, int | None]:
    """Return host and port of what stands behind the scheme; no host if it is malformed."""
    try:
        parts = urlsplit(f"//{rest}")
        host, port = parts.hostname, parts.port
    except ValueError:
        return "", None
    if any(c.isspace() for c in rest) or parts.path not in ("", "/") or parts.username is not None:
        return "", None
    return host or "", port
