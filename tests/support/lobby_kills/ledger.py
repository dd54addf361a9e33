"""What people were told by a server that was killed, and what they had asked for and heard no more of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Key = tuple[str, ...]
"""Kind of a thing that is kept, and what names it."""
Kept = Callable[[Key], Any]
"""What a store holds of a thing."""


@dataclass(frozen=True)
class Fitting:
    """A value of which more than one is right."""

    fits: Callable[[Any], bool]

    def __eq__(self, other: object) -> bool:
        return self.fits(other)

    __hash__ = None  # type: ignore[assignment]  # values are compared alone


@dataclass
class Ledger:
    """The value of each thing as its people know it.

    Whoever changes things says so before (`begin`), and after they have been told that it is done (`end`), or refused
    (`drop`). What has begun when the server dies is done wholly or not at all.
    """

    known: dict[Key, Any] = field(default_factory=dict)
    acknowledged: int = 0
    _open: list[Mapping[Key, Any]] = field(default_factory=list)

    def begin(self, changes: Mapping[Key, Any]) -> Mapping[Key, Any]:
        """Note that these things are about to have these values."""
        self._open.append(changes)
        return changes

    def end(self, changes: Mapping[Key, Any]) -> None:
        """Note that what had begun was acknowledged."""
        self.drop(changes)
        self.known.update(changes)
        self.acknowledged += 1

    def drop(self, changes: Mapping[Key, Any]) -> None:
        """Note that what had begun was refused."""
        self._open = [one for one in self._open if one is not changes]

    def forget(self, key: Key) -> None:
        """Let a thing have any value from now on."""
        self.known.pop(key, None)

    def settle(self, kept: Kept) -> int:
        """Compare everything with what a store holds, and take from it what had begun; return how much of that was
        done. Raises AssertionError where something acknowledged is not there, or half of something was done."""
        begun = {key for changes in self._open for key in changes}
        for key, value in self.known.items():
            if key not in begun:
                assert value == kept(key), f"{key}: acknowledged was {value}, kept is {kept(key)}"
        done = 0
        for changes in self._open:
            is_done = all(value == kept(key) for key, value in changes.items())
            is_as_before = all(key not in self.known or self.known[key] == kept(key) for key in changes)
            assert is_done or is_as_before, f"half done: {changes}, kept is { {key: kept(key) for key in changes} }"
            done += is_done
            self.known.update({key: kept(key) for key in changes})
        self._open.clear()
        return done
