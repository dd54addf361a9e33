"""Dice, shuffles and decks derived from one secret and the programs' entropy, so that anyone can check them later.

Everything is SHA-256 or HMAC-SHA256 over `joined(...)`: every part is preceded by its length as 4 bytes big-endian,
so that no two different inputs give the same bytes. `u64` is 8 bytes big-endian; texts are UTF-8; a tag is one of the
texts below. `M` is the match secret (32 bytes). Source: the design's "Fair dice".

    dice secret   S = HMAC(M, joined("eschaton/dice-v1/dice"))
    salt secret   Z = HMAC(M, joined("eschaton/dice-v1/salts"))

    chain         s_N = S;  s_(r-1) = SHA-256(joined("eschaton/dice-v1/chain", match, u64(r), s_r)),  N = 4096
    commitment    s_0 (so that round 0, before the first round is opened, uses s_1)
    round key     K_r = HMAC(s_r, joined("eschaton/dice-v2/round", match, u64(r), a_r))
                  in dice 1 HMAC(s_r, joined("eschaton/dice-v1/round", match, u64(r), u64(links), link, ...))
    roll n        bytes of HMAC(K_r, joined("eschaton/dice-v1/roll", u64(n), u64(block))), block = 0, 1, ...
                  a byte b below floor(256 / sides) * sides gives the face b mod sides + 1, others are skipped
    order n       key HMAC(K_r, joined("eschaton/dice-v1/order", u64(n))), then as a deck
    deck          key HMAC(D, joined("eschaton/dice-v1/epoch", match, deck, u64(epoch), a_r)),
                  in dice 1 u64(links), link, ... in place of a_r;  D = HMAC(S, joined("eschaton/dice-v1/decks"))
                  numbers of 2 bytes big-endian from HMAC(key, joined("eschaton/dice-v1/cards", u64(block)));
                  for i = size - 1 down to 1: the next number below floor(65536 / (i + 1)) * (i + 1), mod (i + 1),
                  is the place that place i changes with, in the list 0, 1, ..., size - 1
    hidden rolls  the same with H = HMAC(S, joined("eschaton/dice-v1/hidden")) in place of S
    salt          first 16 bytes of HMAC(Z, joined("eschaton/dice-v1/salt", match, label))
    block v       as many bytes as are asked for of SHAKE-128(joined("eschaton/log-v2/block", Z, match, u64(v)))

a_r is the mix of all parts so far (protocol/fairness/entropy_chain.py). Dice 1 took the links of the round, in seat
order, that of an absent seat empty. docs/dice.md has the whole scheme.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from hashlib import sha256, shake_128
from struct import Struct
from typing import Final

from protocol.ids import MatchId

RoundEntropy = bytes | tuple[bytes, ...]
"""The programs' part in a round's key: the mix a_r (32 bytes), or under dice 1 the round's links."""
ROUNDS: Final = 4096
"""Length of every chain: the most rounds that a match may have."""
DICE: Final = 2
"""The scheme of the dice of new matches (docs/dice.md); 1, the one before, bound a host to less."""
MOST_DICE: Final = 65_536
MOST_CARDS: Final = 65_536

_DICE: Final = b"eschaton/dice-v1/dice"
_SALTS: Final = b"eschaton/dice-v1/salts"
_CHAIN: Final = b"eschaton/dice-v1/chain"
_ROUND: Final = b"eschaton/dice-v1/round"
_MIXED_ROUND: Final = b"eschaton/dice-v2/round"
_ROLL: Final = b"eschaton/dice-v1/roll"
_ORDER: Final = b"eschaton/dice-v1/order"
_DECKS: Final = b"eschaton/dice-v1/decks"
_EPOCH: Final = b"eschaton/dice-v1/epoch"
_CARDS: Final = b"eschaton/dice-v1/cards"
_HIDDEN: Final = b"eschaton/dice-v1/hidden"
_SALT: Final = b"eschaton/dice-v1/salt"
_BLOCK_TAG: Final = b"eschaton/log-v2/block"

_KEPT_EVERY: Final = 64
_BLOCK: Final = 64
PIECE: Final = 32
"""Bytes of a step's block that salt one leaf."""
_EIGHT: Final = (8).to_bytes(4, "big")
_SEED: Final = (32).to_bytes(4, "big")
_INNER: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER: Final = bytes(byte ^ 0x5C for byte in range(256))


class _Sizes(dict[int, bytes]):
    """Lengths in 4 bytes big-endian; those of most parts are made once."""

    def __missing__(self, size: int) -> bytes:
        return size.to_bytes(4, "big")


_SIZES: Final = _Sizes({size: size.to_bytes(4, "big") for size in range(512)})


def joined(*parts: bytes) -> bytes:
    """Return all parts, each after its length in 4 bytes big-endian."""
    return b"".join([_SIZES[len(part)] + part for part in parts])


def u64(number: int) -> bytes:
    """Return a number as 8 bytes big-endian. Raises OverflowError outside 0 to 2**64 - 1."""
    return number.to_bytes(8, "big")


def mac(key: bytes, data: bytes) -> bytes:
    """Compute HMAC-SHA256 (RFC 2104). Spelled out, since hmac.digest takes three times as long, and every step needs
    ten."""
    outer, inner = _pads(key)
    return sha256(outer + sha256(inner + data).digest()).digest()


def _pads(key: bytes) -> tuple[bytes, bytes]:
    """Return the blocks that stand before the inner and the outer hash of an HMAC, the outer one first."""
    block = (key if len(key) <= _BLOCK else sha256(key).digest()).ljust(_BLOCK, b"\0")
    return block.translate(_OUTER), block.translate(_INNER)


def _mac(key: bytes, *parts: bytes) -> bytes:
    return mac(key, joined(*parts))


def seed_before(seed: bytes, match: MatchId, round: int) -> bytes:
    """Return s_(r-1), which anyone can make of s_r."""
    return sha256(joined(_CHAIN, match.encode(), u64(round), seed)).digest()


class SeedChain:
    """Chain of seeds of one match. It is walked when a seed is first asked for (about 3 ms); every 64th seed is
    kept."""

    def __init__(self, secret: bytes, match: MatchId, rounds: int = ROUNDS) -> None:
        self._match = match
        self._rounds = rounds
        self._kept = {rounds: secret}
        self._walked: dict[int, bytes] = {}
        """The seeds below the last one kept, down to the one asked for: the next rounds are mostly among them."""

    @property
    def commitment(self) -> bytes:
        """s_0, 32 bytes: says nothing about any other, and fits no other secret."""
        return self._at(0)

    def seed(self, round: int) -> bytes:
        """Return s_r of a round, counted from 1. Raises ValueError beyond the chain.

        Rolls made before the first round opens are those of round 0: it has no links, and s_1 is its seed too (the
        round's number is in the key).
        """
        if not 0 <= round <= self._rounds:
            raise ValueError(f"no round {round} in a chain of {self._rounds}")
        return self._at(max(round, 1))

    def _at(self, round: int) -> bytes:
        if round in self._walked:
            return self._walked[round]
        place = min(known for known in self._kept if known >= round)
        seed = self._kept[place]
        walked: dict[int, bytes] = {}
        head = joined(_CHAIN, self._match.encode()) + _EIGHT
        while place > round:
            # `seed_before`, whose parts but two are the same for all: a match begins with 4,096 of them
            seed = sha256(b"".join((head, place.to_bytes(8, "big"), _SEED, seed))).digest()
            place -= 1
            if place % _KEPT_EVERY == 0:
                self._kept[place] = seed
                walked = {}
            walked[place] = seed
        self._walked = walked
        return seed


def round_key(seed: bytes, match: MatchId, round: int, entropy: RoundEntropy) -> bytes:
    """Return K_r: fixed once the parts of the round are open."""
    if isinstance(entropy, bytes):
        return _mac(seed, _MIXED_ROUND, match.encode(), u64(round), entropy)
    return _mac(seed, _ROUND, match.encode(), u64(round), u64(len(entropy)), *entropy)


@cache
def _faces_of(sides: int) -> tuple[bytes, bytes]:
    """Return the face less one that each byte stands for, and the bytes that stand for none."""
    below = 256 // sides * sides
    return bytes(byte % sides for byte in range(256)), bytes(range(below, 256))


class Rolls:
    """Rolls of one round; the bytes that they share are made once."""

    def __init__(self, key: bytes) -> None:
        self._outer, inner = _pads(key)
        self._first = inner + joined(_ROLL) + _EIGHT

    def faces(self, n: int, sides: int, count: int) -> tuple[int, ...]:
        """Return the faces of roll `n` of the round: `count` dice (at most MOST_DICE) of 1 to 256 sides, in the order
        rolled. Raises ValueError for other numbers."""
        if not (1 <= sides <= 256 and 0 <= count <= MOST_DICE):
            raise ValueError(f"cannot roll {count} dice of {sides} sides")
        face, beyond = _faces_of(sides)
        first, found, block = self._first + u64(n) + _EIGHT, b"", 0
        while len(found) < count:
            inside = sha256(first + block.to_bytes(8, "big")).digest()
            found += sha256(self._outer + inside).digest().translate(face, beyond)
            block += 1
        return tuple([byte + 1 for byte in found[:count]])


def faces(key: bytes, n: int, sides: int, count: int) -> tuple[int, ...]:
    """Return the faces of roll `n` of the round with this key. Raises ValueError for dice that do not exist."""
    return Rolls(key).faces(n, sides, count)


def dice_secret(match_secret: bytes) -> bytes:
    """Return S, from which all chance of a match follows."""
    return _mac(match_secret, _DICE)


def salt_secret(match_secret: bytes) -> bytes:
    """Return Z, from which all salts of a match follow, and no roll does."""
    return _mac(match_secret, _SALTS)


def deck_secret(secret: bytes) -> bytes:
    """Return D, by which all decks of a match are shuffled."""
    return _mac(secret, _DECKS)


def hidden_secret(secret: bytes) -> bytes:
    """Return the secret of the second chain, for rolls whose result is hidden."""
    return _mac(secret, _HIDDEN)


def salt(secret: bytes, match: MatchId, label: str) -> bytes:
    """Return 16 bytes that cannot be guessed without the secret."""
    return _mac(secret, _SALT, match.encode(), label.encode())[:16]


@cache
def _cut(count: int) -> Callable[[bytes], tuple[bytes, ...]]:
    """Return a function that cuts a block into so many pieces."""
    return Struct(f"{PIECE}s" * count).unpack


class Salts:
    """Salts of the labels of one match, as `salt` gives them; the bytes that they share are made once."""

    def __init__(self, secret: bytes, match: MatchId) -> None:
        self._outer, inner = _pads(secret)
        self._first = inner + joined(_SALT, match.encode())
        self._block_first = joined(_BLOCK_TAG, secret, match.encode()) + _EIGHT

    def one(self, label: str) -> bytes:
        """Return the salt of this label."""
        return self.all(b"", (label.encode(),))[0]

    def all(self, first: bytes, names: Sequence[bytes]) -> list[bytes]:
        """Return the salts of the labels that begin with `first` and end with a name."""
        outer, found = self._outer, []
        start, size = b"", -1
        for name in names:
            if len(name) != size:
                size = len(name)
                start = self._first + (len(first) + size).to_bytes(4, "big") + first
            found.append(sha256(outer + sha256(start + name).digest()).digest()[:16])
        return found

    def pieces(self, step: int, count: int) -> list[bytes]:
        """Return the block of a step in pieces of 32 bytes: the salts of all its leaves, in one hash."""
        block = shake_128(self._block_first + u64(step)).digest(PIECE * count)
        return list(_cut(count)(block))


def order(
    deck_secret: bytes, match: MatchId, deck: str, epoch: int, entropy: RoundEntropy, size: int
) -> tuple[int, ...]:
    """Return the order of a deck's epoch: which of the sorted cards lies at each place, from the top."""
    parts = (entropy,) if isinstance(entropy, bytes) else (u64(len(entropy)), *entropy)
    return _permutation(_mac(deck_secret, _EPOCH, match.encode(), deck.encode(), u64(epoch), *parts), size)


def shuffled(key: bytes, n: int, size: int) -> tuple[int, ...]:
    """Return a permutation of range(size) as roll `n` of a round."""
    return _permutation(_mac(key, _ORDER, u64(n)), size)


def _permutation(key: bytes, size: int) -> tuple[int, ...]:
    if not 0 <= size <= MOST_CARDS:
        raise ValueError(f"cannot shuffle {size} cards")
    numbers = _numbers(key)
    places = list(range(size))
    for last in range(size - 1, 0, -1):
        below = 65_536 // (last + 1) * (last + 1)
        number = next(numbers)
        while number >= below:
            number = next(numbers)
        other = number % (last + 1)
        places[last], places[other] = places[other], places[last]
    return tuple(places)


def _numbers(key: bytes) -> Iterator[int]:
    block = 0
    while True:
        data = _mac(key, _CARDS, u64(block))
        for start in range(0, len(data), 2):
            yield data[start] << 8 | data[start + 1]
        block += 1
