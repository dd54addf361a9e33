"""Salted leaves and the tree over them, which bind a host to things that it does not show yet.

leaf   SHA-256(joined("eschaton/log-v1/leaf", salt, content))
card   SHA-256(joined("eschaton/dice-v1/card", u64(j), salt, card)) for the card at place j from the top
node   SHA-256(joined("eschaton/dice-v1/node", left, right)); the last of an odd row moves up as it is
root   the node above all; of no leaves SHA-256(joined("eschaton/dice-v1/node"))
path   the neighbours that a leaf meets on its way to the root, from below (none where it moves up alone)
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from protocol.proof.dice import joined, u64

_LEAF: Final = b"eschaton/log-v1/leaf"
_LEAF_FIRST: Final = joined(_LEAF)
_CARD: Final = b"eschaton/dice-v1/card"
_NODE: Final = b"eschaton/dice-v1/node"
_NODE_FIRST: Final = joined(_NODE)


def leaf(salt: bytes, content: bytes) -> bytes:
    """Return the leaf of a content: it says nothing of it without the salt, and fits no other."""
    # joined(_LEAF, salt, content), with the part that never changes joined once
    return sha256(
        _LEAF_FIRST + len(salt).to_bytes(4, "big") + salt + len(content).to_bytes(4, "big") + content
    ).digest()


def card_leaf(place: int, salt: bytes, card: str) -> bytes:
    """Return the leaf of the card at this place from the top of an epoch."""
    return sha256(joined(_CARD, u64(place), salt, card.encode())).digest()


class Tree:
    """Hash tree over a row of leaves."""

    def __init__(self, leaves: Sequence[bytes]) -> None:
        self._rows = [list(leaves)]
        while len(self._rows[-1]) > 1:
            self._rows.append(_above(self._rows[-1]))

    @property
    def root(self) -> bytes:
        """Root: 32 bytes that bind every leaf at its place."""
        return self._rows[-1][0] if self._rows[-1] else sha256(_NODE_FIRST).digest()

    def path(self, place: int) -> tuple[bytes, ...]:
        """Return the neighbours on the way from this leaf to the root. Raises IndexError where there is no such
        leaf."""
        if not 0 <= place < len(self._rows[0]):
            raise IndexError(place)
        found = []
        for row in self._rows[:-1]:
            if place ^ 1 < len(row):
                found.append(row[place ^ 1])
            place //= 2
        return tuple(found)


def root_of(found: bytes, place: int, count: int, path: Sequence[bytes]) -> bytes | None:
    """Return the root that this leaf leads to at its place among `count`; None where the path has another length."""
    remaining = list(path)
    while count > 1:
        if place ^ 1 < count:
            if not remaining:
                return None
            other = remaining.pop(0)
            found = _node(other, found) if place & 1 else _node(found, other)
        place, count = place // 2, (count + 1) // 2
    return None if remaining else found


def _above(row: Sequence[bytes]) -> list[bytes]:
    return [_node(row[i], row[i + 1]) if i + 1 < len(row) else row[i] for i in range(0, len(row), 2)]


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(_NODE_FIRST + joined(left, right)).digest()
