"""Dice-v1: how every roll and every deck follows from one secret of the match (design: "Fair dice").

All hashed input is fixed-width or length-prefixed, so that no two inputs collide. `lp(x)` is a 4-byte big-endian
length followed by x; `u4`, `u8` are big-endian numbers of 4 and 8 bytes; H is SHA-256, M is HMAC-SHA256(key, data).

- round chain:  s_N = secret;  s_(r-1) = H("eschaton/dice-v1/seed" + lp(match) + u4(r) + s_r);  commitment = s_0
- round key:    K_r = M(s_r, "eschaton/dice-v1/round" + lp(match) + u4(r) + u4(count) + lp(link) of each seat in order)
- roll n:       bytes = M(K_r, "roll" + u4(n) + u4(block)) for block 0, 1, ...; a byte b gives b % sides + 1, refused
                where b >= 256 - 256 % sides
- order n:      Fisher-Yates from the top down; an index below k comes from the next 4 bytes u of the same stream (tag
                "perm" in place of "roll"), refused where u >= 2^32 - 2^32 % k
- deck epoch:   the same Fisher-Yates, keyed M(deck secret, "eschaton/dice-v1/deck" + lp(match) + lp(deck) + u4(epoch) +
                u4(count) + lp(link) ...), n = 0
- derived:      deck secret = M(secret, "eschaton/dice-v1/decks"), hidden secret = M(secret, "eschaton/dice-v1/hidden"),
                salt = first 16 bytes of M(secret, "eschaton/dice-v1/salt" + lp(match) + lp(label))
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Final

ROUNDS: Final = 4_096
"""Rounds that one match may have: the length of the seed chain."""

_TAG: Final = b"eschaton/dice-v1/"


class SeedChain:
    """The seeds of a match's rounds. 4,096 hashes (a few milliseconds) when made."""

    def __init__(self, secret: bytes, match: str, rounds: int = ROUNDS) -> None:
        seeds = [secret]
        head = _TAG + b"seed" + _lp(match.encode())
        for round in range(rounds, 0, -1):
            seeds.append(sha256(head + _u4(round) + seeds[-1]).digest())
        self._seeds = tuple(reversed(seeds))

    @property
    def commitment(self) -> bytes:
        """s_0: published before anything else."""
        return self._seeds[0]

    def seed(self, round: int) -> bytes:
        """s_r for rounds 1 to 4,096. Round 0 (before any round has begun) uses s_1 too: nothing is rolled in it."""
        return self._seeds[max(round, 1)]


def deck_secret(secret: bytes) -> bytes:
    """What the orders of decks follow from."""
    return hmac.digest(secret, _TAG + b"decks", "sha256")


def hidden_secret(secret: bytes) -> bytes:
    """What the chain of hidden rolls follows from."""
    return hmac.digest(secret, _TAG + b"hidden", "sha256")


def salt(secret: bytes, match: str, label: str) -> bytes:
    """16 bytes that nobody without the secret can guess."""
    return hmac.digest(secret, _TAG + b"salt" + _lp(match.encode()) + _lp(label.encode()), "sha256")[:16]


def round_key(seed: bytes, match: str, round: int, links: Sequence[bytes]) -> bytes:
    """K_r."""
    return hmac.digest(seed, _TAG + b"round" + _lp(match.encode()) + _u4(round) + _links(links), "sha256")


def faces(key: bytes, n: int, sides: int, count: int) -> tuple[int, ...]:
    """Roll `n` of a round: `count` dice of 2 to 256 sides, in order."""
    refused = 256 - 256 % sides
    shown: list[int] = []
    for byte in _stream(key, b"roll", n):
        if len(shown) == count:
            break
        if byte < refused:
            shown.append(byte % sides + 1)
    return tuple(shown)


def shuffled(key: bytes, n: int, size: int) -> tuple[int, ...]:
    """A permutation of range(size) as roll `n` of a round."""
    stream = _stream(key, b"perm", n)
    items = list(range(size))
    for last in range(size - 1, 0, -1):
        chosen = _below(stream, last + 1)
        items[last], items[chosen] = items[chosen], items[last]
    return tuple(items)


def order(secret: bytes, match: str, deck: str, epoch: int, links: Sequence[bytes], size: int) -> tuple[int, ...]:
    """Which of a deck's sorted cards lies at each place from the top, in this epoch. `secret`: the deck secret."""
    place = _lp(match.encode()) + _lp(deck.encode()) + _u4(epoch) + _links(links)
    return shuffled(hmac.digest(secret, _TAG + b"deck" + place, "sha256"), 0, size)


def _stream(key: bytes, tag: bytes, n: int) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(key, tag + _u4(n) + _u4(block), "sha256")
        block += 1


def _below(stream: Iterator[int], limit: int) -> int:
    refused = 2**32 - 2**32 % limit
    while True:
        number = int.from_bytes(bytes(next(stream) for _ in range(4)), "big")
        if number < refused:
            return number % limit


def _links(links: Sequence[bytes]) -> bytes:
    return _u4(len(links)) + b"".join(_lp(link) for link in links)


def _lp(data: bytes) -> bytes:
    return _u4(len(data)) + data


def _u4(number: int) -> bytes:
    return number.to_bytes(4, "big")
