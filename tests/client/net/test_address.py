"""Addresses of servers as people write them."""

from __future__ import annotations

import pytest

from client.errors import BadAddress
from client.net.address import parse_address


@pytest.mark.parametrize(
    ("words", "url"),
    [
        ("localhost", "ws://localhost:8440"),
        ("127.0.0.1:9000", "ws://127.0.0.1:9000"),
        ("example.org", "wss://example.org:8440"),
        ("wss://example.org:443", "wss://example.org:443"),
        ("[::1]:9000", "ws://[::1]:9000"),
    ],
)
def test_addresses(words: str, url: str) -> None:
    assert parse_address(words).url == url


@pytest.mark.parametrize("words", ["", "ws://example.org", "http://x", "a b", "host:port", "a/path", "u@host", "[::1"])
def test_addresses_that_are_none(words: str) -> None:
    with pytest.raises(BadAddress):
        parse_address(words)
