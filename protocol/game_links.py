"""Links to a table or a replay of a server, as people click them: eschaton://HOST[:PORT]/CODE[/ACT], nothing else."""

from __future__ import annotations

import re
from ipaddress import AddressValueError, IPv6Address
from typing import Final, NamedTuple

from protocol.version import DEFAULT_PORT

SCHEME: Final = "eschaton"
CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRTUVWXYZ2346789"
"""Letters of codes, none of which is read as another one: without 0, O, 1, I, S, 5."""
CODE_LENGTH: Final = 10
MOST_CHARACTERS: Final = 320
_CODE: Final = rf"[A-Z2-9]{{{CODE_LENGTH}}}"
"""Codes are still read by the letters that they were made of before: A to Z, 2 to 7."""
_LABEL: Final = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_HOST: Final = rf"(?P<host>{_LABEL}(?:\.{_LABEL})*|\[[0-9a-f:.]{{2,45}}\])"
_LINK: Final = re.compile(
    rf"{SCHEME}://{_HOST}(?::(?P<port>[1-9][0-9]{{0,4}}))?/(?P<code>{_CODE})(?:/(?P<act>[1-9][0-9]{{0,8}}))?"
)


class GameLink(NamedTuple):
    """Link to the table or replay of a code. `host`: a name or an IP address, an IPv6 one without brackets; `act`: the
    number of an act of a replay, 0 for none."""

    host: str
    port: int
    code: str
    act: int = 0

    @property
    def place(self) -> str:
        """The server, as people write its address."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORT else f"{host}:{self.port}"

    @property
    def words(self) -> str:
        """The link itself."""
        return f"{SCHEME}://{self.place}/{self.code}" + (f"/{self.act}" if self.act else "")

    @property
    def command(self) -> str:
        """Command line that does the same where no program opens such links."""
        return f"eschaton play {self.place} {self.code}" + (f" {self.act}" if self.act else "")


def read_link(words: str) -> GameLink | None:
    """Return the link that these words are, None where they are not exactly one."""
    found = _LINK.fullmatch(words) if len(words) <= MOST_CHARACTERS else None
    if found is None:
        return None
    host, port = found["host"].strip("[]"), int(found["port"] or DEFAULT_PORT)
    if port > 65535 or len(host) > 253 or (":" in host and not _is_ipv6(host)) or _is_number(host):
        return None
    return GameLink(host, port, found["code"], int(found["act"] or 0))


def _is_ipv6(host: str) -> bool:
    try:
        IPv6Address(host)
    except AddressValueError:
        return False
    return True


def _is_number(host: str) -> bool:
    """Return True for what resolvers take for an IPv4 address though it is not written as one: 2130706433, 0x7f.1."""
    last = host.rpartition(".")[2]
    is_plain = re.fullmatch(r"(?:(?:0|[1-9][0-9]{0,2})\.){3}(?:0|[1-9][0-9]{0,2})", host)
    return bool(re.fullmatch(r"[0-9]+|0x[0-9a-f]*", last)) and not is_plain
