"""Host names and IP addresses, as far as both server and client tell them apart."""

from __future__ import annotations

import ipaddress


def is_loopback(host: str) -> bool:
    """Return True where a host name or IP address is this computer's own (loopback). Nothing is looked up."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
