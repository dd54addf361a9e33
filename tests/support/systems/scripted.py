"""Scripted dice: every roll finds its faces in the script, and every face of the script is rolled.

The second half is checked once a test has passed (tests/conftest.py): a missing roll shows there, an extra roll at
once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from engine.core.rules.dice import Pool, tree_of
from protocol.proof.dice import RoundEntropy
from protocol.proof.leaves import Tree

_made: Final[list[ScriptedDice]] = []


class ScriptedDice:
    """Dice with faces and orders in the order given, remembered by roll so that a rebuild repeats them.

    Rolls and orders beyond the script raise AssertionError. Where no order is scripted at all, orders and decks are
    sorted: a deck in a known order is a table like any other, an unscripted face would be a result.
    """

    def __init__(self, faces: Iterable[int] = (), orders: Iterable[tuple[int, ...]] = ()) -> None:
        self._faces = list(faces)
        self._orders = list(orders)
        self._are_orders_scripted = bool(self._orders)
        self._rolled: dict[tuple[object, ...], tuple[int, ...]] = {}
        _made.append(self)

    @property
    def commitment(self) -> bytes:
        return bytes(32)

    def faces(self, round: int, entropy: RoundEntropy, n: int, pool: Pool, *, hidden: bool) -> tuple[int, ...]:
        place = ("roll", round, n, hidden)
        if place not in self._rolled:
            left = len(self._faces)
            assert pool.count <= left, f"{pool.count} dice are rolled, and the script has {left} faces left"
            self._rolled[place], self._faces = tuple(self._faces[: pool.count]), self._faces[pool.count :]
        return self._rolled[place]

    def order(self, round: int, entropy: RoundEntropy, n: int, size: int) -> tuple[int, ...]:
        return self._order_of(("order", round, n), size)

    def deck(self, name: str, epoch: int, entropy: RoundEntropy, size: int) -> tuple[int, ...]:
        return self._order_of(("deck", name, epoch), size)

    def tree(self, name: str, epoch: int, entropy: RoundEntropy, cards: tuple[str, ...]) -> Tree:
        return tree_of(self, name, epoch, entropy, cards)

    def seed(self, round: int) -> bytes:
        return bytes(32)

    def salt(self, label: str) -> bytes:
        return bytes(16)

    def salts(self, first: bytes, names: Sequence[bytes]) -> list[bytes]:
        return [self.salt("")] * len(names)

    def pieces(self, step: int, count: int) -> list[bytes]:
        return [bytes(32)] * count

    def push(self, *faces: int) -> None:
        """Add faces to the end of the script."""
        self._faces.extend(faces)

    def check_used(self) -> None:
        """Raise AssertionError where a part of the script is left."""
        assert not self._faces, f"faces of the script that were never rolled: {self._faces}"
        assert not self._orders, f"orders of the script that were never asked for: {self._orders}"

    def _order_of(self, place: tuple[object, ...], size: int) -> tuple[int, ...]:
        if place not in self._rolled:
            assert self._orders or not self._are_orders_scripted, "the script has no order left"
            order = self._orders.pop(0) if self._orders else tuple(range(size))
            assert sorted(order) == list(range(size)), f"the scripted order {order} is not one of {size}"
            self._rolled[place] = order
        return self._rolled[place]


def forget() -> None:
    """Leave the dice made so far unchecked: their test is over."""
    _made.clear()


def check_all_used() -> None:
    """Raise AssertionError where a part of the script is left of any dice made since `forget`."""
    for dice in _made:
        dice.check_used()
