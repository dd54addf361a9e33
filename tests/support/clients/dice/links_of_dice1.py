"""Links of dice 1 as programs of its time made them: l_(k-1) = SHA-256(joined("eschaton/dice-v1/link", match, l_k))."""

from __future__ import annotations

import hmac
from hashlib import sha256
from itertools import pairwise
from typing import Final

from protocol.ids import MatchId
from protocol.proof.dice import joined

LINKS: Final = 4096
_LINK: Final = b"eschaton/dice-v1/link"


class LinkChain:
    """Chain of one program for one match, from the program's own secret."""

    def __init__(self, secret: bytes, match: MatchId) -> None:
        links = [hmac.digest(secret, joined(_LINK, match.encode()), "sha256")]
        for _ in range(LINKS):
            links.append(sha256(joined(_LINK, match.encode(), links[-1])).digest())
        links.reverse()
        self.tip = links[0]
        self._next = dict(pairwise(links))

    def after(self, known: bytes) -> bytes | None:
        """Return the link to open when `known` is the last; None where that is not of this chain, or its end."""
        return self._next.get(known)
