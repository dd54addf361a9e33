"""Alternative dice of a match: values unknown to all, or to all but one seat, are different."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from engine.core.rules.dice import DiceSource, Pool
from protocol.proof.dice import RoundEntropy
from tests.support.faults.interference import OtherOrder

FAR: Final = 1_000
"""So many numbers of a round are never rolled: what they would show stands for another future."""


class Past(NamedTuple):
    """Known dice of a match: its rolls (round, number, hidden), and of each deck the present epoch with how many cards
    of it are drawn."""

    rolls: frozenset[tuple[int, int, bool]]
    decks: Mapping[str, tuple[int, int]]


class OtherFuture(OtherOrder):
    """Dice with this past and other rolls and cards to come."""

    def __init__(self, dice: DiceSource, past: Past, turn: int) -> None:
        super().__init__(dice, "", 0, 0, turn)
        self._past = past

    def _number(self, round: int, n: int, *, hidden: bool) -> int:
        return n if (round, n, hidden) in self._past.rolls else n + FAR

    def faces(self, round: int, entropy: RoundEntropy, n: int, pool: Pool, *, hidden: bool) -> tuple[int, ...]:
        return super().faces(round, entropy, self._number(round, n, hidden=hidden), pool, hidden=hidden)

    def order(self, round: int, entropy: RoundEntropy, n: int, size: int) -> tuple[int, ...]:
        return super().order(round, entropy, self._number(round, n, hidden=False), size)

    def deck(self, name: str, epoch: int, entropy: RoundEntropy, size: int) -> tuple[int, ...]:
        now, drawn = self._past.decks.get(name, (-1, 0))
        return OtherOrder(self._dice, name, now, drawn, self._turn).deck(name, epoch, entropy, size)


class Exchanged(OtherOrder):
    """Dice like `dice`, but in the first epoch of a deck the card at a place is exchanged for the last card that
    differs, counted by its number in the sorted deck: of the other parity."""

    def __init__(self, dice: DiceSource, deck: str, place: int) -> None:
        super().__init__(dice, "", 0, 0, 0)
        self._deck, self._at = deck, place

    def deck(self, name: str, epoch: int, entropy: RoundEntropy, size: int) -> tuple[int, ...]:
        order = list(self._dice.deck(name, epoch, entropy, size))
        if (name, epoch) == (self._deck, 0):
            mine = order[self._at]
            there = next(p for p in range(size - 1, self._at, -1) if _unlike(mine, order[p], size))
            order[self._at], order[there] = order[there], mine
        return tuple(order)


def _unlike(one: int, other: int, size: int) -> bool:
    """Tell if two cards are of another parity, and from another half of the sorted deck: cards of the same name lie
    next to each other."""
    return one % 2 != other % 2 and (one < size // 2) != (other < size // 2)
