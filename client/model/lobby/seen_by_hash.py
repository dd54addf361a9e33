"""Things that a server tells on request and that are the same for everybody: asked for once, and kept by their hash
across links. Needs no window."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar

from protocol.text import Text

RETRY_SECONDS: Final = 10.0
"""After which one that was refused is asked for again: a bound may have passed."""

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class SeenByHash(Generic[K, V]):
    """Things by key. `clock` gives seconds; the newest `most` are kept."""

    def __init__(self, clock: Callable[[], float], most: int) -> None:
        self._clock = clock
        self._most = most
        self._seen: dict[str, V] = {}
        """By hash, the one that came last at the end."""
        self._hash_of: dict[K, str] = {}
        self._fresh: set[K] = set()
        """Those told on this link: another server, or another version, may have another content."""
        self._refused: dict[K, tuple[Text, float]] = {}
        """Why there is none, and when that was told."""
        self._asked: K | None = None

    def begin(self) -> None:
        """Begin on a new link: what was seen before is asked about again, by its hash."""
        self._asked = None
        self._fresh.clear()
        self._refused.clear()

    def wants(self, key: K) -> bool:
        """Tell whether this one is to be asked for now, and take note that it is: not while it is there or on its
        way."""
        if key in (self._asked, *self._fresh):
            return False
        refused = self._refused.get(key)
        if refused is not None and self._clock() - refused[1] <= RETRY_SECONDS:
            return False
        self._asked = key
        return True

    def known(self, key: K) -> str | None:
        """Return the hash of what was seen under a key, None where nothing was."""
        return self._hash_of.get(key)

    def of(self, key: K) -> V | None:
        """Return what was told under a key, None where it is not there."""
        return self._seen.get(self._hash_of.get(key, ""))

    def why_not(self, key: K) -> Text | None:
        """Return why there is nothing, None where there is something or it is on its way."""
        refused = self._refused.get(key)
        return refused[0] if refused is not None else None

    def refuse(self, key: K, why: Text) -> None:
        """Take note that there is none."""
        self._answered(key)
        self._refused[key] = why, self._clock()

    def same(self, key: K, name: str) -> None:
        """Take in that what is known under this hash still stands."""
        self._answered(key)
        if name in self._seen:
            self._hash_of[key] = name
            self._fresh.add(key)
        else:
            # it has been forgotten meanwhile
            self._hash_of.pop(key, None)

    def keep(self, key: K, name: str, value: V) -> None:
        """Take in what was told, under its hash."""
        self._answered(key)
        self._seen.pop(name, None)
        self._seen[name] = value
        self._hash_of[key] = name
        self._fresh.add(key)
        while len(self._seen) > self._most:
            gone = next(iter(self._seen))
            del self._seen[gone]
            for other in [other for other, named in self._hash_of.items() if named == gone]:
                del self._hash_of[other]
                self._fresh.discard(other)

    def _answered(self, key: K) -> None:
        if key == self._asked:
            self._asked = None
        self._refused.pop(key, None)
