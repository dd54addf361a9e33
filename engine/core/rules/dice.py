"""The source of chance. Rolls are derived (protocol/proof/dice.py), numbered in their round, and never asked for
twice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import protocol.proof.dice as derivation
from protocol.proof.dice import RoundEntropy
from protocol.proof.leaves import Tree, card_leaf
from protocol.scene.nodes import RollId

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Pool:
    """`count` dice with faces 1 to `sides`."""

    count: int
    sides: int = 6


class Roll(NamedTuple):
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
    """All chance of one match. Pure: the same arguments give the same result, so that a crash never re-rolls."""

    @property
    def commitment(self) -> bytes:
        """What event 0 commits to (32 bytes)."""

    def faces(self, round: int, entropy: RoundEntropy, n: int, pool: Pool, *, hidden: bool) -> tuple[int, ...]:
        """Roll `n` of the round, or of the round's hidden chain."""

    def order(self, round: int, entropy: RoundEntropy, n: int, size: int) -> tuple[int, ...]:
        """A permutation of range(size) as roll `n` of the round."""

    def deck(self, name: str, epoch: int, entropy: RoundEntropy, size: int) -> tuple[int, ...]:
        """The order of an epoch of a deck: which of its sorted cards lies at each place from the top."""

    def tree(self, name: str, epoch: int, entropy: RoundEntropy, cards: tuple[str, ...]) -> Tree:
        """The tree over the salted cards of an epoch, from the top; `cards` are sorted."""

    def seed(self, round: int) -> bytes:
        """The seed of a round (32 bytes): told when the round is over, so that its open rolls can be checked."""

    def salt(self, label: str) -> bytes:
        """16 bytes that nobody without the secret can guess."""

    def salts(self, first: bytes, names: Sequence[bytes]) -> list[bytes]:
        """The salts of several labels, each `first` and a name."""

    def pieces(self, step: int, count: int) -> list[bytes]:
        """The first pieces (32 bytes each) of the block that salts a step's leaves."""


def card_salt(dice: DiceSource, name: str, epoch: int, place: int) -> bytes:
    """The salt of the card at this place from the top."""
    return dice.salt(f"deck/{name}/{epoch}/{place}")


def tree_of(dice: DiceSource, name: str, epoch: int, entropy: RoundEntropy, cards: tuple[str, ...]) -> Tree:
    """The tree of an epoch, made anew."""
    order = dice.deck(name, epoch, entropy, len(cards))
    return Tree([card_leaf(n, card_salt(dice, name, epoch, n), cards[place]) for n, place in enumerate(order)])


class MatchDice:
    """Dice of a real match: everything follows from one secret of 32 bytes and the match's id."""

    def __init__(self, secret: bytes, match: str) -> None:
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
