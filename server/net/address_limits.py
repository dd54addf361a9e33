"""Per-address limits on connections and handshakes, counted from the first byte of a connection."""

from __future__ import annotations

import asyncio
import ipaddress
from collections import Counter
from collections.abc import Callable
from typing import Final

from protocol.limits import Bucket, Limits
from protocol.token_buckets import bucket_per_key
from server.net.inbound_throttle import InboundThrottle
from server.net.paced_jobs import PacedJobs
from server.runtime.clock import Clock

POLITE: Final = 2
"""Times the limit: so many connections of an address are told why they are refused, further ones are aborted."""

SLOW_SECONDS: Final = 0.001
"""Pause between two turns of the jobs of all connections that send too much."""


class AddressLimits:
    """Limits on what one address can cost. A connection counts from its first byte, even without a handshake."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self._most = limits.sockets_per_address
        self._open: Counter[str] = Counter()
        self._handshakes = bucket_per_key(Bucket(limits.handshakes_per_second, limits.handshakes_per_second))
        self._clock = clock
        self._limits = limits
        self.jobs = PacedJobs()
        self._slow_jobs = PacedJobs(SLOW_SECONDS)

    def throttle(self, transport: asyncio.Transport, parse: Callable[[bytes], None]) -> InboundThrottle:
        """Make the inbound throttle of a connection, which is aborted when it floods unless its user says otherwise."""
        return InboundThrottle(self._limits, self._clock, self.jobs, self._slow_jobs, transport, parse, transport.abort)

    def connection_opened(self, address: str) -> bool:
        """Count a connection; return False where it must be aborted at once."""
        self._open[address] += 1
        return self._open[address] <= self._most * POLITE

    def connection_closed(self, address: str) -> None:
        """Count a connection no more."""
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]

    def connection_named(self, former: str, address: str) -> None:
        """Count a connection as this address's from now on."""
        self._open[address] += 1
        self.connection_closed(former)

    def refusal_reason(self, address: str) -> str:
        """Count a handshake; return why it is refused ("rate", "sockets", "full"), empty where it is not."""
        now = self._clock.now()
        if not self._handshakes.of(address, now).take(now):
            return "rate"
        if self._open[address] > self._most:
            return "sockets"
        return "full" if self._open.total() > self._limits.sockets else ""


def counted_address(address: str) -> str:
    """Return what counts as one address: of IPv6 the first 64 bits, since whoever has one of these has all others."""
    found = parse_peer(address)
    if isinstance(found, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((found, 64), strict=False))
    return address if found is None else str(found)


def parse_peer(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Parse the address of a peer, of IPv4 also where it is written as one of IPv6; return None for what is none."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return mapped or found
