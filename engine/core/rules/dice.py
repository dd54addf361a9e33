"""Sources of chance. Rolls are derived (protocol/proof/dice.py), numbered in their round, and never asked for twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import msgspec

import protocol.proof.dice as derivation
from protocol.ids import MatchId
from protocol.proof.dice import RoundEntropy
from protocol.proof.leaves import Tree, card_leaf
from protocol.scene.nodes import RollId


@dataclass(frozen=True)
class Pool:
    """A pool of `count` dice with faces 1 to `sides`. `low`, `high`: the least and the greatest face that count, 0
    where the dice are added or read; they are shown, and change no die."""

    count: int
    sides: int = 6
    low: int = 0
    high: int = 0


class Roll(msgspec.Struct, frozen=True):
    """The faces of a pool in the order rolled, with the number of the roll: the log stores the faces under it, and
    events and cues carry `id` in their place."""

    faces: tuple[int, ...]
    round: int
    n: int
    hidden: bool = False

    @property
    def id(self) -> RollId:
        """The number of the roll, for events and cues."""
        return RollId(self.round, self.n, self.hidden)

    @property
    def total(self) -> int:
        """The sum of all faces."""
        return sum(self.faces)


class DiceSource(Protocol):
    """The source of all chance of one match. Pure: the same arguments give the same result, so that a crash never
    re-rolls."""

    @property
    def commitment(self) -> bytes:
        """The 32 bytes of event 0 that bind the host to its secret."""

    def faces(self, round: int, entropy: RoundEntropy, n: int, pool: Pool, *, hidden: bool) -> tuple[int, ...]:
        """Return the faces of roll `n` of the round, or of the round's hidden chain."""

    def order(self, round: int, entropy: RoundEntropy, n: int, size: int) -> tuple[int, ...]:
        """Return a permutation of range(size) as roll `n` of the round."""

    def deck(self, name: str, epoch: int, entropy: RoundEntropy, size: int) -> tuple[int, ...]:
        """Return the order of an epoch of a deck: the index of the sorted card at each place from the top."""

    def tree(self, name: str, epoch: int, entropy: RoundEntropy, cards: tuple[str, ...]) -> Tree:
        """Return the tree over the salted cards of an epoch, from the top; `cards` are sorted."""

    def seed(self, round: int) -> bytes:
        """Return the seed of a round (32 bytes), published when the round ends so that its open rolls can be
        checked."""

    def salt(self, label: str) -> bytes:
        """Return the salt of a label: 16 bytes that cannot be guessed without the secret."""

    def salts(self, first: bytes, names: Sequence[bytes]) -> list[bytes]:
        """Return the salts of several labels, each `first` followed by a name."""

    def pieces(self, step: int, count: int) -> list[bytes]:
        """Return the first `count` pieces (32 bytes each) of the block that salts a step's leaves."""


def card_salt(dice: DiceSource, name: str, epoch: int, place: int) -> bytes:
    """Return the salt of the card at this place from the top."""
    return dice.salt(f"deck/{name}/{epoch}/{place}")


def tree_of(dice: DiceSource, name: str, epoch: int, entropy: RoundEntropy, cards: tuple[str, ...]) -> Tree:
    """Compute the tree over the salted cards of an epoch, from the top; `cards` are sorted."""
    order = dice.deck(name, epoch, entropy, len(cards))
    return Tree([card_leaf(n, card_salt(dice, name, epoch, n), cards[place]) for n, place in enumerate(order)])


class MatchDice:
    """The dice of a real match: everything follows from one secret of 32 bytes and the match's id."""

    def __init__(self, secret: bytes, match: MatchId) -> None:
        self._match = match
        salts = derivation.Salts(derivation.salt_secret(secret), match)
        self.salt, self.salts, self.pieces = salts.one, salts.all, salts.pieces
        secret = derivation.dice_secret(secret)
        self._chain = derivation.SeedChain(secret, match)
        self._decks = derivation.deck_secret(secret)
        self._hidden = derivation.SeedChain(derivation.hidden_secret(secret), match)
        self._last_key: tuple[tuple[int, RoundEntropy, bool], bytes] = (-1, (), False), b""
        self._rolls = derivation.Rolls(b"")
        self._orders: dict[tuple[str, int, RoundEntropy, int], tuple[int, ...]] = {}
        self._trees: dict[str, tuple[tuple[object, ...], Tree]] = {}

    @property
    def commitment(self) -> bytes:
        return self._chain.commitment

    def _key(self, round: int, entropy: RoundEntropy, *, hidden: bool) -> bytes:
        place = (round, entropy, hidden)
        if self._last_key[0] != place:
            chain = self._hidden if hidden else self._chain
            key = derivation.round_key(chain.seed(round), self._match, round, entropy)
            self._last_key, self._rolls = (place, key), derivation.Rolls(key)
        return self._last_key[1]

    def faces(self, round: int, entropy: RoundEntropy, n: int, pool: Pool, *, hidden: bool) -> tuple[int, ...]:
        self._key(round, entropy, hidden=hidden)
        return self._rolls.faces(n, pool.sides, pool.count)

    def order(self, round: int, entropy: RoundEntropy, n: int, size: int) -> tuple[int, ...]:
        return derivation.shuffled(self._key(round, entropy, hidden=False), n, size)

    def deck(self, name: str, epoch: int, entropy: RoundEntropy, size: int) -> tuple[int, ...]:
        place = (name, epoch, entropy, size)
        if place not in self._orders:
            self._orders = {place: derivation.order(self._decks, self._match, name, epoch, entropy, size)}
        return self._orders[place]

    def tree(self, name: str, epoch: int, entropy: RoundEntropy, cards: tuple[str, ...]) -> Tree:
        known = self._trees.get(name)
        place = (epoch, entropy, cards)
        if known is None or known[0] != place:
            known = self._trees[name] = place, tree_of(self, name, epoch, entropy, cards)
        return known[1]

    def seed(self, round: int) -> bytes:
        return self._chain.seed(round)
