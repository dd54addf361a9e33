"""Trusted proxies: which peers may name the visitor of a connection, how they do it, and how failures are told."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from websockets.datastructures import Headers

from protocol.limits import Bucket
from protocol.token_buckets import PerKey, TokenBucket, bucket_per_key
from server.lobby.services import Services
from server.net.address_limits import counted_address, parse_peer
from server.net.forwarded import BadForwarded, visitor_in

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
ONCE_A_MINUTE: Final = Bucket(1 / 60, 1)


@dataclass(frozen=True)
class TrustedProxies:
    """Networks whose connections may name a visitor: by the PROXY protocol where `speak_proxy` is set, else by
    headers."""

    networks: tuple[Network, ...] = ()
    speak_proxy: bool = False

    @classmethod
    def parse(cls, networks: Iterable[str], *, speak_proxy: bool = False) -> TrustedProxies:
        """Return proxies of these networks or addresses. Raises ValueError with a sentence."""
        return cls(tuple(_network(text) for text in networks), speak_proxy)

    def __contains__(self, address: str) -> bool:
        """Return True for the IP address of a trusted proxy."""
        if not self.networks:
            return False
        found = parse_peer(address)
        return found is not None and any(found in network for network in self.networks)


NO_PROXIES: Final = TrustedProxies()


def _network(text: str) -> Network:
    try:
        found = ipaddress.ip_network(text)
    except ValueError as problem:
        raise ValueError(f"{text!r} is no network. Write 10.0.0.0/8, 192.0.2.7 or 2001:db8::/32.") from problem
    if not found.prefixlen:
        raise ValueError(f"{text} is everybody: then each visitor could choose their own address.")
    return found


def _nearness(peer: str) -> str:
    found = parse_peer(peer)
    if found is None or found.is_loopback:
        return "loopback"  # a socket of this computer has no address
    return "private" if found.is_private else "public"


class VisitorNames:
    """The names that proxies give: asked for each connection. Refusals are logged once a minute for each peer."""

    def __init__(self, services: Services, proxies: TrustedProxies) -> None:
        self.proxies = proxies
        self._services = services
        self._refusals = bucket_per_key(ONCE_A_MINUTE)
        self._silences = bucket_per_key(ONCE_A_MINUTE)

    def named_by_headers(self, peer: str) -> bool:
        """Return True where a connection of this peer is nobody's before its headers have come."""
        return not self.proxies.speak_proxy and peer in self.proxies

    def visitor(self, peer: str, headers: Headers) -> str:
        """Return the IP address of the visitor behind this peer, which is named by headers: the peer's own where there
        are none. Raises BadForwarded."""
        forwarded, listed = headers.get_all("Forwarded"), headers.get_all("X-Forwarded-For")
        try:
            visitor = visitor_in(forwarded, listed, self.proxies.__contains__)
        except BadForwarded as problem:
            self.refused(peer, str(problem))
            raise
        if visitor is None and self._is_due(self._silences, peer):
            why = "a connection without Forwarded or X-Forwarded-For counts as this proxy's own"
            self._services.log.warning("proxy-silent", address=counted_address(peer), why=why)
        return visitor or peer

    def note_untrusted(self, peer: str, headers: Headers) -> None:
        """Count a connection that names its visitor by a header and comes from a peer that may not: from nearby that is
        most likely a proxy that the host has not named."""
        if peer not in self.proxies and ("X-Forwarded-For" in headers or "Forwarded" in headers):
            self._services.metrics.untrusted_forwards.add(_nearness(peer))

    def refused(self, peer: str, why: str) -> None:
        """Count and log that a connection of this peer is refused for how it named its visitor."""
        self._services.metrics.handshakes_refused.add("proxy")
        if self._is_due(self._refusals, peer):
            address, trusted = counted_address(peer), peer in self.proxies
            self._services.log.warning("proxy-refused", address=address, trusted=trusted, why=why)

    def _is_due(self, buckets: PerKey[TokenBucket], peer: str) -> bool:
        now = self._services.clock.now()
        return buckets.of(counted_address(peer), now).take(now)
