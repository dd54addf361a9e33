"""Links: what each seat's program adds to the dice, so that the host alone cannot choose them.

A chain has 4,096 links over a secret l_N of its own: l_(k-1) = SHA-256(joined("eschaton/dice-v1/link", match, l_k)).
Its tip l_0 is logged before any link is opened; for each round in which the seat is there, the next link is opened.
"""

from __future__ import annotations

import hmac
from hashlib import sha256
from itertools import pairwise
from typing import Final

from protocol.dice import joined

LINKS: Final = 4096
_LINK: Final = b"eschaton/dice-v1/link"


def before(match: str, link: bytes) -> bytes:
    """The link that must have been known before this one is opened."""
    return sha256(joined(_LINK, match.encode(), link)).digest()


class LinkChain:
    """The chain of one program for one match, from the program's own secret (about 5 ms to make)."""

    def __init__(self, secret: bytes, match: str) -> None:
        links = [hmac.digest(secret, joined(_LINK, match.encode()), "sha256")]
        for _ in range(LINKS):
            links.append(before(match, links[-1]))
        links.reverse()
        self.tip = links[0]
        self._next = dict(pairwise(links))
        self._last = links[-1:]

    def after(self, known: bytes) -> bytes | None:
        """The link to open when `known` is the last; None where that is not of this chain, or its end."""
        return self._next.get(known)

    def holds(self, link: bytes) -> bool:
        """Whether this is a link of the chain, or its tip."""
        return link in self._next or link in self._last
