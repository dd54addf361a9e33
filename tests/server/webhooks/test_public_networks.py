"""Which addresses a webhook may reach: one of each kind that is not public, at both ends of its range."""

from __future__ import annotations

import pytest

from server.webhooks.public_networks import is_public


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0",
        "0.255.255.255",
        "10.0.0.1",
        "10.255.255.255",
        "100.64.0.0",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.255.255",
        "169.254.0.1",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.9",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.0.1",
        "192.168.255.255",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
    ],
)
def test_no_ipv4_address_that_is_not_public(address: str) -> None:
    assert not is_public(address)
    # nor one that carries it
    assert not is_public(f"::ffff:{address}")
    assert not is_public(f"64:ff9b::{address}")
    assert not is_public(f"::{address}")


@pytest.mark.parametrize(
    "address",
    [
        "::",
        "::1",
        "::ffff:1.1.1.1",
        "::ffff:0:1.1.1.1",
        "64:ff9b::1.1.1.1",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:2::1",
        "2001:10::1",
        "2001:20::1",
        "2001:db8::1",
        "2002:7f00:1::1",
        "3fff::1",
        "4000::1",
        "5f00::1",
        "fc00::1",
        "fd12:3456::1",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "ff02::1",
        "2606:4700::1%eth0",
    ],
)
def test_no_ipv6_address_that_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "words", ["", "localhost", "1.1.1", "0x7f.1", "2130706433", "1.1.1.1:443", "[::1]", "01.1.1.1"]
)
def test_words_that_are_no_address_are_not_public(words: str) -> None:
    assert not is_public(words)


@pytest.mark.parametrize(
    "address",
    [
        "1.1.1.1",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "192.0.1.0",
        "192.167.255.255",
        "198.17.255.255",
        "198.20.0.0",
        "223.255.255.255",
        "2001:200::1",
        "2606:4700::1111",
        "2a00:1450::1",
    ],
)
def test_public_addresses_beside_them(address: str) -> None:
    assert is_public(address)
