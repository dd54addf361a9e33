"""What was prepared for an immutable object, remembered by its identity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class IdentityMemo(Generic[K, V]):
    """Calls `make` once for an object, as long as it is remembered: for states that share what did not change.

    Objects are told apart by identity, without hashing or comparing them, and are kept alive while remembered. At
    most `size` are; then the oldest goes. `make` must depend on its argument alone.
    """

    __slots__ = ("_made", "make", "size")

    def __init__(self, make: Callable[[K], V], size: int) -> None:
        self.make = make
        self.size = size
        self._made: dict[int, tuple[K, V]] = {}

    def __call__(self, key: K) -> V:
        kept = self._made.get(id(key))
        if kept is not None:
            return kept[1]
        made = self.make(key)
        while len(self._made) >= self.size:
            self._made.pop(next(iter(self._made)), None)
        self._made[id(key)] = (key, made)
        return made
