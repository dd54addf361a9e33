"""A cache of results worked out of immutable values, found again by the identity of those values."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar, cast

T = TypeVar("T")


class Memo:
    """A cache of at most `most` results, the oldest of which goes first. It keeps the objects that a result was made of
    alive, so that their identities cannot be used again; they must never be changed in place."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._results: OrderedDict[Hashable, tuple[tuple[object, ...], Any]] = OrderedDict()

    def get(self, name: Hashable, of: tuple[object, ...], make: Callable[[], T]) -> T:
        """Return the result of `make`, called once for the same name and the same objects `of`."""
        key = (name, *map(id, of))
        found = self._results.get(key)
        if found is not None:
            return cast("T", found[1])
        made = make()
        self._results[key] = (of, made)
        if len(self._results) > self._most:
            self._results.popitem(last=False)
        return made
