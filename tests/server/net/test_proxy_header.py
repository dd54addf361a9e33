"""The header of the PROXY protocol, read in pieces."""

from __future__ import annotations

import ipaddress
import struct

import pytest
from hypothesis import given, strategies as some

from server.net.proxy_header import (
    BEGIN_2,
    LOCAL,
    MOST_1,
    MOST_2,
    PROXY,
    TCP4,
    TCP6,
    UNIX,
    UNSPECIFIED,
    BadProxyHeader,
    NoProxyHeader,
    ProxyHeader,
)

REST = b"\x16\x03\x01GET / HTTP/1.1\r\n\r\n" * 200


def read(stream: bytes) -> tuple[str, bytes]:
    """Read a header as an opening does; return its address, and what follows it."""
    header, at = ProxyHeader(), 0
    while header.missing:
        piece = stream[at : at + header.missing]
        assert piece, "more is missing than there is"
        header.put(piece)
        at += len(piece)
    return header.address, stream[at:]


def version_2(command: int, family: int, block: bytes) -> bytes:
    return BEGIN_2 + bytes((command, family)) + len(block).to_bytes(2, "big") + block


def block_of(source: str, more: bytes = b"") -> bytes:
    packed = ipaddress.ip_address(source).packed
    return packed + packed + struct.pack("!HH", 4711, 443) + more


@pytest.mark.parametrize(
    ("header", "address"),
    [
        (b"PROXY TCP4 192.0.2.7 10.0.0.1 4711 443\r\n", "192.0.2.7"),
        (b"PROXY TCP4 255.255.255.255 255.255.255.255 65535 65535\r\n", "255.255.255.255"),
        (b"PROXY TCP6 2001:DB8::7 ::1 0 443\r\n", "2001:db8::7"),
        (b"PROXY TCP6 " + b" ".join([b"ffff:" * 7 + b"ffff"] * 2) + b" 65535 65535\r\n", "ffff:" * 7 + "ffff"),
        (b"PROXY UNKNOWN\r\n", ""),
        (b"PROXY UNKNOWN anything at all\r\n", ""),
        (version_2(PROXY, TCP4, block_of("192.0.2.7")), "192.0.2.7"),
        (version_2(PROXY, TCP6, block_of("2001:db8::7", b"\x04\x00\x02ab")), "2001:db8::7"),
        (version_2(PROXY, UNIX, bytes(216)), ""),
        (version_2(PROXY, UNSPECIFIED, b""), ""),
        (version_2(LOCAL, UNSPECIFIED, b""), ""),
        (version_2(LOCAL, TCP4, block_of("192.0.2.7")), ""),
    ],
)
def test_headers_of_both_versions(header: bytes, address: str) -> None:
    assert read(header + REST) == (address, REST)


@pytest.mark.parametrize(
    "header",
    [
        b"PROXY TCP4 192.0.2.7 10.0.0.1 4711\r\n",
        b"PROXY TCP4  192.0.2.7 10.0.0.1 4711 443\r\n",
        b"PROXY TCP4 192.0.2.7 10.0.0.1 4711 443 \r\n",
        b"PROXY TCP4 192.0.2.7 10.0.0.1 4711 65536\r\n",
        b"PROXY TCP4 192.0.2.7 10.0.0.1 04711 443\r\n",
        b"PROXY TCP4 192.0.2.07 10.0.0.1 4711 443\r\n",
        b"PROXY TCP4 2001:db8::7 ::1 4711 443\r\n",
        b"PROXY TCP4 192.0.2.7 nowhere 4711 443\r\n",
        b"PROXY TCP6 fe80::1%eth0 ::1 4711 443\r\n",
        b"PROXY TCP5 192.0.2.7 10.0.0.1 4711 443\r\n",
        b"PROXY UDP4 192.0.2.7 10.0.0.1 4711 443\r\n",
        b"PROXY TCP4 192.0.2.7 \xff0.0.0.1 4711 443\r\n",
        b"PROXY TCP4 192.0.2.7\r10.0.0.1 4711 443\r\n",
        b"PROXY TCP4 " + b"1" * MOST_1 + b"\r\n",
        version_2(0x31, TCP4, block_of("192.0.2.7")),
        version_2(0x22, TCP4, block_of("192.0.2.7")),
        version_2(PROXY, 0x12, block_of("192.0.2.7")),
        version_2(PROXY, TCP4, block_of("192.0.2.7")[:-1]),
        version_2(PROXY, TCP6, block_of("192.0.2.7")),
        version_2(PROXY, UNIX, bytes(215)),
        version_2(PROXY, TCP4, bytes(MOST_2)),
    ],
)
def test_headers_that_break_the_protocol_are_refused(header: bytes) -> None:
    with pytest.raises(BadProxyHeader, match="the PROXY header holds"):
        read(header + REST)


@pytest.mark.parametrize("start", [b"GET / HTTP/1.1\r\n", b"PUT /", b"POST / H", b"\x16\x03\x01\x02", b"\r\n\r\nPROXY"])
def test_what_is_no_header_is_told_by_its_first_bytes(start: bytes) -> None:
    header = ProxyHeader()
    with pytest.raises(NoProxyHeader):
        header.put(start[: header.missing])
    assert not header.has_begun


@given(
    some.binary(max_size=40),
    some.sampled_from([b"", b"PROXY ", b"PROXY TCP4 1.2.3.4 ", BEGIN_2, BEGIN_2 + b"\x21\x11"]),
)
def test_whatever_comes_it_ends_within_its_bounds(noise: bytes, start: bytes) -> None:
    stream = start + noise + bytes(2 * MOST_2)
    try:
        address, rest = read(stream)
    except (BadProxyHeader, NoProxyHeader):
        return
    assert len(stream) - len(rest) <= MOST_2
    assert not address or str(ipaddress.ip_address(address)) == address


@given(some.ip_addresses(), some.integers(0, 65535), some.binary(max_size=60), some.data())
def test_every_address_comes_through_however_its_bytes_are_cut(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address, port: int, more: bytes, data: some.DataObject
) -> None:
    plain = ipaddress.ip_address(address.packed)
    family = "TCP4" if plain.version == 4 else "TCP6"
    line = f"PROXY {family} {plain} {plain} {port} {port}\r\n".encode()
    binary = version_2(PROXY, TCP4 if plain.version == 4 else TCP6, block_of(str(plain), more))
    for stream in (line, binary):
        header, at = ProxyHeader(), 0
        while header.missing:
            size = data.draw(some.integers(1, header.missing))
            header.put(stream[at : at + size])
            at += size
        assert (at, header.address) == (len(stream), str(plain))
