"""The addresses of the public Internet, told from all others: no webhook may reach what only this server can."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Network, ip_address
from typing import Final

_NOT_PUBLIC_4: Final = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",  # this network
            "10.0.0.0/8",  # private
            "100.64.0.0/10",  # shared, behind carriers
            "127.0.0.0/8",  # loopback
            "169.254.0.0/16",  # link-local, and the metadata of clouds
            "172.16.0.0/12",  # private
            "192.0.0.0/24",  # protocol assignments
            "192.0.2.0/24",  # documentation
            "192.88.99.0/24",  # former 6to4 relays
            "192.168.0.0/16",  # private
            "198.18.0.0/15",  # benchmarks
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, and broadcast
        ),
    )
)
_UNICAST_6: Final = IPv6Network("2000::/3")
"""All that is given out to be reached from everywhere. Outside stand loopback, link-local, unique local, site-local and
multicast addresses, and those that carry an IPv4 one: mapped, compatible, translated (64:ff9b::)."""
_NOT_PUBLIC_6: Final = tuple(
    map(
        IPv6Network,
        (
            "2001::/23",  # protocol assignments: Teredo, benchmarks, ORCHID
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4, which carries an IPv4 address
            "3fff::/20",  # documentation
        ),
    )
)


def is_public(address: str) -> bool:
    """Return True for an IP address that is one host of the public Internet; False for words that are none.

    The tables are those of the special-purpose registries of IANA, and not those of the interpreter, which differ from
    one release to the next.
    """
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv4Address):
        return not any(found in network for network in _NOT_PUBLIC_4)
    if found.scope_id is not None or found not in _UNICAST_6:
        return False
    return not any(found in network for network in _NOT_PUBLIC_6)
