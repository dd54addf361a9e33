"""Headers in which a proxy names the visitor: Forwarded (RFC 7239) and X-Forwarded-For."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Sequence
from typing import Final

from protocol.errors import DamageError

MOST_CHARACTERS: Final = 2048
"""Of all lines of one header."""
TOKEN: Final = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
QUOTED: Final = r'"(?:[^"\\]|\\.)*"'
PAIR: Final = re.compile(rf"[ \t]*({TOKEN})=({TOKEN}|{QUOTED})[ \t]*(;|,|\Z)")
ESCAPED: Final = re.compile(r"\\(.)")
NODE: Final = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([0-9.]+))(?::[0-9]{1,5})?|([0-9A-Fa-f:.]+)")
"""An address: IPv6 in brackets or IPv4, with or without a port, or IPv6 alone."""


class BadForwarded(DamageError):
    """Headers that name no visitor, with the reason."""


def visitor_in(
    forwarded: Sequence[str], x_forwarded_for: Sequence[str], is_trusted: Callable[[str], bool]
) -> str | None:
    """Return the visitor's IP address by the lines of these headers; None where there are none. Raises BadForwarded.

    It is the right-most address that is no trusted proxy's, or the left-most one where all are. What stands further
    left is anybody's invention. A proxy writes one of the headers and passes the other on as it came: both may be
    there only where they agree.
    """
    found = {
        _visitor(_addresses(lines, kind), is_trusted)
        for lines, kind in ((forwarded, _forwarded_nodes), (x_forwarded_for, _listed_nodes))
        if lines
    }
    if len(found) > 1:
        raise BadForwarded("Forwarded and X-Forwarded-For differ: let the proxy remove the one that it does not write")
    return next(iter(found), None)


def _addresses(lines: Sequence[str], nodes: Callable[[str], list[str]]) -> list[str]:
    value = ",".join(lines)
    if len(value) > MOST_CHARACTERS:
        raise BadForwarded(f"a header of more than {MOST_CHARACTERS} characters")
    return nodes(value)


def _visitor(nodes: list[str], is_trusted: Callable[[str], bool]) -> str:
    address = ""
    for node in reversed(nodes):
        address = _address(node)
        if not is_trusted(address):
            break
    if not address:
        raise BadForwarded("a header without an address")
    return address


def _listed_nodes(value: str) -> list[str]:
    return [node.strip(" \t") for node in value.split(",") if node.strip(" \t")]


def _forwarded_nodes(value: str) -> list[str]:
    """Return the `for` of each element, empty where it has none. All of it must be well formed: a quote that a visitor
    has left open would hide what the proxy has added."""
    nodes, node, at, separator = [], "", 0, ","
    while separator:
        found = PAIR.match(value, at)
        if found is None:
            raise BadForwarded("a Forwarded header that is not well formed")
        name, given, separator = found.groups()
        if name.lower() == "for":
            if node:
                raise BadForwarded("a Forwarded header that names two visitors at once")
            node = ESCAPED.sub(r"\1", given[1:-1]) if given.startswith('"') else given
        if separator != ";":
            nodes.append(node)
            node = ""
        at = found.end()
    return nodes


def _address(node: str) -> str:
    found = NODE.fullmatch(node)
    try:
        if found is None:
            raise ValueError
        return str(ipaddress.ip_address(found[1] or found[2] or found[3]))
    except ValueError:
        raise BadForwarded("a header without an address where the visitor's should be") from None
