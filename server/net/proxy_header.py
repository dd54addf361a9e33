"""PROXY protocol, versions 1 and 2: the header in which a proxy names the visitor, before all else on a connection."""

from __future__ import annotations

import ipaddress
from typing import Final, NoReturn

from protocol.errors import DamageError, RefusedError

BEGIN_1: Final = b"PROXY "
BEGIN_2: Final = b"\r\n\r\n\0\r\nQUIT\n"
LEAST_1: Final = len(b"PROXY UNKNOWN\r\n")
MOST_1: Final = 107
HEAD_2: Final = 16
MOST_2: Final = 2048
"""Most bytes of a header of version 2, with whatever else the proxy tells in it."""
LOCAL: Final = 0x20
PROXY: Final = 0x21
UNSPECIFIED: Final = 0x00
TCP4: Final = 0x11
TCP6: Final = 0x21
UNIX: Final = 0x31
ADDRESSES: Final = {TCP4: 4, TCP6: 16}
"""Bytes of one address; a block holds two of them and two ports."""
PORTS: Final = 4
UNIX_BLOCK: Final = 216
NUMBER_OF: Final = {"TCP4": ipaddress.IPv4Address, "TCP6": ipaddress.IPv6Address}
FIELDS_1: Final = 6
MOST_PORT: Final = 65_535


class BadProxyHeader(DamageError):
    """A header that breaks the protocol, with the reason."""


class NoProxyHeader(RefusedError):
    """A connection that begins with something else."""


class ProxyHeader:
    """A header that is read in pieces, and never beyond its end: what follows belongs to TLS or HTTP."""

    def __init__(self) -> None:
        self.read = bytearray()
        """Bytes so far."""
        self.address = ""
        """The visitor's IP address, once `missing` is 0; empty where the proxy speaks for itself or does not know."""
        self.missing = LEAST_1
        """Bytes that may be read next; at least so many belong to the header."""

    @property
    def has_begun(self) -> bool:
        """True where the bytes so far begin a header and nothing else."""
        return self.read.startswith((BEGIN_1, BEGIN_2))

    def put(self, data: bytes) -> None:
        """Add at most `missing` bytes. Raises BadProxyHeader, NoProxyHeader."""
        self.read += data
        if self.read.startswith(BEGIN_1):
            self._put_line()
        elif self.read.startswith(BEGIN_2):
            self._put_binary()
        elif BEGIN_1.startswith(self.read) or BEGIN_2.startswith(self.read):
            self.missing = LEAST_1 - len(self.read)
        else:
            raise NoProxyHeader

    def _put_line(self) -> None:
        size = len(self.read)
        if self.read.endswith(b"\r\n"):
            self.missing = 0
            self.address = _address_in_line(bytes(self.read[:-2]))
        elif b"\r" in self.read[:-1]:
            _refuse("a carriage return within the line")
        elif size < LEAST_1:
            self.missing = LEAST_1 - size
        else:
            self.missing = 1 if self.read.endswith(b"\r") else 2
            if size + self.missing > MOST_1:
                _refuse(f"a line of more than {MOST_1} bytes")

    def _put_binary(self) -> None:
        size = len(self.read)
        if size < HEAD_2:
            self.missing = HEAD_2 - size
            return
        length = int.from_bytes(self.read[HEAD_2 - 2 : HEAD_2], "big")
        if HEAD_2 + length > MOST_2:
            _refuse(f"a header of more than {MOST_2} bytes")
        self.missing = HEAD_2 + length - size
        if not self.missing:
            self.address = _address_in_block(self.read[12], self.read[13], bytes(self.read[HEAD_2:]))


def _address_in_line(line: bytes) -> str:
    try:
        fields = line.decode("ascii").split(" ")
    except UnicodeDecodeError:
        _refuse("characters that no line has")
    if fields[1] == "UNKNOWN":
        return ""
    number = NUMBER_OF.get(fields[1])
    if number is None or len(fields) != FIELDS_1:
        _refuse("not the six fields of a line")
    try:
        if any("%" in field for field in fields[2:4]):
            _refuse("an address with a zone")
        source, _ = number(fields[2]), number(fields[3])
    except ipaddress.AddressValueError:
        _refuse("no address")
    for port in fields[4:]:
        if not (port.isascii() and port.isdecimal()) or int(port) > MOST_PORT or port != str(int(port)):
            _refuse("no port")
    return str(source)


def _address_in_block(command: int, family: int, block: bytes) -> str:
    if command not in (LOCAL, PROXY):
        _refuse("an unknown version or command")
    if command == LOCAL or family == UNSPECIFIED:
        return ""
    if family == UNIX:
        if len(block) < UNIX_BLOCK:
            _refuse("no address")
        return ""
    width = ADDRESSES.get(family)
    if width is None:
        _refuse("an unknown kind of address")
    if len(block) < 2 * width + PORTS:
        _refuse("no address")
    return str(ipaddress.ip_address(block[:width]))


def _refuse(why: str) -> NoReturn:
    raise BadProxyHeader(f"the PROXY header holds {why}")
