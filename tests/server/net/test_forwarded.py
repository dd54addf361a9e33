"""The visitor that headers of a proxy name."""

from __future__ import annotations

import ipaddress
from contextlib import suppress

import pytest
from hypothesis import given, strategies as some

from server.net.forwarded import MOST_CHARACTERS, BadForwarded, visitor_in
from server.net.proxies import TrustedProxies

PROXIES = TrustedProxies.parse(["10.0.0.0/8", "2001:db8:ffff::/48"])
ADDRESSES = some.ip_addresses().filter(lambda address: getattr(address, "scope_id", None) is None).map(str)
LINES = some.lists(
    some.one_of(
        some.text(alphabet='for=;,"\\[]:. \t0123456789abcdefFOR_unknown-%', max_size=60),
        some.text(max_size=40),
        ADDRESSES,
        ADDRESSES.map(lambda address: f'for="[{address}]:80"'),
    ),
    max_size=4,
)


def visitor(forwarded: list[str], listed: list[str] | None = None) -> str | None:
    return visitor_in(forwarded, listed or [], PROXIES.__contains__)


@pytest.mark.parametrize(
    ("lines", "who"),
    [
        (["192.0.2.7"], "192.0.2.7"),
        (["192.0.2.7:4711"], "192.0.2.7"),
        (["2001:DB8::7"], "2001:db8::7"),
        (["[2001:db8::7]:4711"], "2001:db8::7"),
        (["6.6.6.6, 192.0.2.7"], "192.0.2.7"),
        (["not an address, 192.0.2.7, 10.1.2.3"], "192.0.2.7"),
        (["6.6.6.6", "192.0.2.7, ", "2001:db8:ffff::1,10.0.0.1"], "192.0.2.7"),
        (["10.0.0.9, 10.0.0.1"], "10.0.0.9"),
    ],
)
def test_the_right_most_address_that_is_no_proxys_is_the_visitors(lines: list[str], who: str) -> None:
    assert visitor([], lines) == who


@pytest.mark.parametrize(
    ("line", "who"),
    [
        ("for=192.0.2.7", "192.0.2.7"),
        ('For="[2001:db8::7]:4711"', "2001:db8::7"),
        ('by=10.0.0.1;FOR="192.0.2.7:80" ; proto=https', "192.0.2.7"),
        ('for=_hidden, for=6.6.6.6;host="a,b;for=9.9.9.9" , for="192.0.2.7", for=10.0.0.3', "192.0.2.7"),
        (r'for="192\.0.2.7"', "192.0.2.7"),
    ],
)
def test_forwarded_is_read_as_rfc_7239_says(line: str, who: str) -> None:
    assert visitor([line]) == who


@pytest.mark.parametrize(
    ("forwarded", "listed", "why"),
    [
        ([], [""], "without an address"),
        ([], ["unknown"], "without an address"),
        ([], ["192.0.2.7, 10.0.0.1:x"], "without an address"),
        ([], ["192.0.2.7, fe80::1%eth0"], "without an address"),
        ([], ["192.0.2.7," * 300], "more than"),
        (["for=unknown"], [], "without an address"),
        (["proto=https"], [], "without an address"),
        (["for=192.0.2.7;for=6.6.6.6"], [], "two visitors"),
        (["for=2001:db8::7"], [], "not well formed"),
        ([""], [], "not well formed"),
        # a visitor's own quote, left open over what the proxy has added
        (['for=6.6.6.6;x="', "for=192.0.2.7"], [], "not well formed"),
        (['for=6.6.6.6;x="', 'for="192.0.2.7:80"'], [], "not well formed"),
        (["for=6.6.6.6"], ["192.0.2.7"], "differ"),
    ],
)
def test_headers_that_name_nobody_for_certain_are_refused(forwarded: list[str], listed: list[str], why: str) -> None:
    with pytest.raises(BadForwarded, match=why):
        visitor(forwarded, listed)


def test_both_headers_may_be_there_where_they_agree_and_none_names_nobody() -> None:
    assert visitor(["for=192.0.2.7"], ["192.0.2.7"]) == "192.0.2.7"
    assert visitor([]) is None


@given(LINES, LINES)
def test_whatever_comes_an_address_or_a_refusal_comes_of_it(forwarded: list[str], listed: list[str]) -> None:
    with suppress(BadForwarded):
        who = visitor(forwarded, listed)
        assert (who is None) == (not forwarded and not listed)
        assert who is None or str(ipaddress.ip_address(who)) == who


@given(some.text(max_size=200), ADDRESSES.filter(lambda address: address not in PROXIES))
def test_what_a_visitor_sends_along_never_moves_what_the_proxy_adds(invented: str, truth: str) -> None:
    assert visitor([], [invented, truth]) == truth
    with suppress(BadForwarded):
        node = f'"[{truth}]:80"' if ":" in truth else truth
        assert visitor([invented, f"for={node}"]) == truth


def test_a_long_header_is_refused_before_it_is_read() -> None:
    with pytest.raises(BadForwarded, match="more than"):
        visitor(["for=" + "a" * MOST_CHARACTERS])
