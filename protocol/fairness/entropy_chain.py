"""Entropy chains: the parts that one program adds to the dice of one match, and the mix of all parts (docs/dice.md).

    chain  l_4096 = 32 random bytes;  l_(k-1) = SHA-256(joined("eschaton/dice-v2/link", match, H_1, l_k));  tip = l_0
    proof  Ed25519 over joined("eschaton/dice-v2/open", match, u64(r), u64(version), head, l_r)
    mix    a_0 = 32 zero bytes
           a_r = SHA-256(joined("eschaton/dice-v2/mix", match, u64(r), a_(r-1), link of seat 0, ..., link of the last))
           where the link of a seat without a part is empty

H_1 is the log's head after step 1: a chain is of one match with one beginning.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Final

from protocol.ids import MatchId
from protocol.proof.dice import joined, u64

LINKS: Final = 4096
"""Links of a chain, and so the rounds of a match that a program can add to."""
LINK_BYTES: Final = 32
NO_MIX: Final = bytes(32)
"""a_0, the mix of the dice before the first round, to which no program adds."""
_LINK: Final = b"eschaton/dice-v2/link"
_LINK_SIZE: Final = LINK_BYTES.to_bytes(4, "big")
_OPEN: Final = b"eschaton/dice-v2/open"
_MIX: Final = b"eschaton/dice-v2/mix"


def link_before(match: MatchId, origin: bytes, link: bytes) -> bytes:
    """Return l_(k-1), which everyone can make of l_k. `origin`: H_1."""
    return sha256(joined(_LINK, match.encode(), origin, link)).digest()


def leads_to(match: MatchId, origin: bytes, link: bytes, known: bytes, steps: int) -> bool:
    """Return True where `link`, hashed exactly `steps` times (1 to LINKS), gives `known`."""
    if len(link) != LINK_BYTES or not 1 <= steps <= LINKS:
        return False
    *_, last = _links_before(match, origin, link, steps)
    return last == known


def _links_before(match: MatchId, origin: bytes, link: bytes, steps: int) -> Iterator[bytes]:
    """Yield so many links before one of LINK_BYTES bytes, the nearest first, as `link_before` makes each."""
    # all parts of what is hashed but the last are the same
    head = joined(_LINK, match.encode(), origin) + _LINK_SIZE
    for _ in range(steps):
        link = sha256(head + link).digest()
        yield link


def opening_text(match: MatchId, round: int, version: int, head: bytes, link: bytes) -> bytes:
    """Return the bytes that a program signs when it opens `link` for the call of this round, made in step `version`."""
    return joined(_OPEN, match.encode(), u64(round), u64(version), head, link)


def mixed(before: bytes, match: MatchId, round: int, links: Sequence[bytes]) -> bytes:
    """Return a_r, where `before` is a_(r-1) and `links` has one entry for each seat of the match, empty where none."""
    return sha256(joined(_MIX, match.encode(), u64(round), before, *links)).digest()


class EntropyChain:
    """Chain of 4,096 links over a seed of 32 bytes. Its links are made when the first is asked for (about 2 ms)."""

    def __init__(self, seed: bytes, match: MatchId, origin: bytes) -> None:
        self._seed = seed
        self._match = match
        self._origin = origin

    @cached_property
    def _links(self) -> list[bytes]:
        links = [self._seed, *_links_before(self._match, self._origin, self._seed, LINKS)]
        return links[::-1]

    @property
    def tip(self) -> bytes:
        """l_0, the tip: binds the program to all other links and says nothing about them."""
        return self._links[0]

    def link(self, round: int) -> bytes:
        """Return l_r. Raises ValueError outside 1 to LINKS."""
        if not 1 <= round <= LINKS:
            raise ValueError(f"no link for round {round}")
        return self._links[round]
