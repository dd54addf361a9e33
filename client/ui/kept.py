"""Results that stay for as long as what they are made of does, so that the work of a frame grows with what changed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Final, NamedTuple, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
R = TypeVar("R")
MOST_KEPT: Final = 2000
"""Results beyond which all are forgotten, and made again where they are asked for."""


class _Made(NamedTuple):
    given: object
    result: Any


class Kept:
    """Results by name. Each is handed out again as it is while what it is made of equals what it was: nothing that
    steers it may be left out of that, and nothing of that may change in itself."""

    def __init__(self) -> None:
        self._made: dict[Hashable, _Made] = {}

    def forget(self) -> None:
        """Forget all results."""
        self._made.clear()

    def one(self, name: Hashable, given: object, make: Callable[[], R]) -> R:
        """Return the result of a name, made anew where `given` is not what it was."""
        made = self._made.get(name)
        if made is None or made.given != given:
            made = self._keep(name, given, make())
        result: R = made.result
        return result

    def each(self, name: Hashable, things: Mapping[K, V], given: object, make: Callable[[V], R]) -> Mapping[K, R]:
        """Return the result of each thing, made anew where the thing, or what is `given` for all, is not what it
        was."""
        made = self._made.get(name)
        before: tuple[Mapping[K, V], Mapping[K, R]] = ({}, {})
        if made is not None and made.given == given:
            before = made.result
        was, results = before
        if was is not things:
            missing = object()
            results = {
                key: results[key] if (old := was.get(key, missing)) is thing or old == thing else make(thing)
                for key, thing in things.items()
            }
            self._keep(name, given, (things, results))
        return results

    def _keep(self, name: Hashable, given: object, result: object) -> _Made:
        if len(self._made) >= MOST_KEPT:
            self.forget()
        made = self._made[name] = _Made(given, result)
        return made
