"""The memo of a match: results worked out of immutable values, found again by the identity of those values."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from operator import is_
from typing import Any, Final, ParamSpec, TypeVar

import msgspec

from engine.core.rules.implements import RULES

P = ParamSpec("P")
T = TypeVar("T")
M = TypeVar("M", bound="Memo")

Found = tuple[tuple[object, ...], Any]
"""A result, after the objects that it was made of."""
MOST_RESULTS: Final = 4096
MOST_ARRANGEMENTS: Final = 8


class Memo:
    """At most `most` results, of which half go at once, those that were not asked for in the longest time; and as many
    last ones by name, of which the oldest goes first.

    It keeps the objects that a result was made of alive, so that their identities cannot be used again; they must never
    be changed in place. Neither they nor the results may lead back to the memo: in a cycle, an ended match would stay
    in memory. Several threads may ask at once: at worst a result is made twice. Results made under other rules
    (`RULES`) are forgotten.

    A result may be a memo itself: of what holds only while its `parts` are together.
    """

    def __init__(self, parts: tuple[object, ...] = (), most: int = MOST_RESULTS) -> None:
        self.parts = parts
        self._most = most
        self.rules = RULES.now
        """Those under which all of it was made."""
        self._results: dict[Hashable, Found] = {}
        self._older: dict[Hashable, Found] = {}
        """Those that were in `_results` when it was full; one that is asked for goes back there."""
        self._latest: dict[Hashable, Any] = {}
        self.newest: Any = None
        """The memo of the newest arrangement (`about`), None before the first."""

    def get(self, name: Hashable, of: tuple[object, ...], make: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """Return the result of `make`, called with what is given once for the same name and the same objects `of`."""
        key = (name, *map(id, of)) if of else name
        found = self._results.get(key)
        if found is None or self.rules is not RULES.now:
            found = self._again(key) or self._keep(key, (of, make(*given, **named)))
        known: T = found[1]
        return known

    def recall(self, name: Hashable, of: tuple[object, ...]) -> Any:
        """Return the result of this name and these objects; None where there is none."""
        key = (name, *map(id, of)) if of else name
        found = self._again(key) or self._results.get(key)
        return found[1] if found is not None and self.rules is RULES.now else None

    def last(self, name: Hashable) -> Any:
        """Return the last result that `renew` made under this name; None before the first."""
        return self._latest.get(name) if self.rules is RULES.now else None

    def renew(self, name: Hashable, make: Callable[[T | None], T]) -> T:
        """Return what `make` makes of its last result under this name (None at first), which it may return again."""
        last = self.last(name)
        made = make(last)
        if made is not last:
            self._note_rules()
            self._latest[name] = made
            if len(self._latest) > self._most:
                self._latest.pop(next(iter(self._latest)), None)
        return made

    def about(self, parts: tuple[object, ...], make: Callable[..., M], *given: object) -> M:
        """Return the memo, made of its parts and what is given, of what holds only while these very parts are together,
        such as the places of all figures. Kept are those of the latest few arrangements, with parts of the same
        kinds."""
        newest = self.newest  # nearly all calls are about the newest arrangement
        if newest is None or newest.rules is not RULES.now or not all(map(is_, newest.parts, parts)):
            arrangements = self.get("arrangements", (), Memo, (), MOST_ARRANGEMENTS)
            newest = self.newest = arrangements.get("arrangement", parts, make, parts, *given)
        found: M = newest
        return found

    def _again(self, key: Hashable) -> Found | None:
        """Return an older result, which counts as new from now on; None where there is none under these rules."""
        found = self._older.get(key)
        if found is None or self.rules is not RULES.now:
            return None
        return self._keep(key, found)

    def _keep(self, key: Hashable, found: Found) -> Found:
        self._note_rules()
        if len(self._results) >= self._most // 2:
            self._older, self._results = self._results, {}
        self._results[key] = found
        return found

    def _note_rules(self) -> None:
        if self.rules is not RULES.now:
            self.rules = RULES.now
            self._results.clear()
            self._older.clear()
            self._latest.clear()


def are_same(one: Sequence[object], other: Sequence[object]) -> bool:
    """Tell whether two sequences hold the very same objects, in the same order."""
    return len(one) == len(other) and all(map(is_, one, other))


class MatchContent(msgspec.Struct, frozen=True, dict=True):
    """Base of the content of one match, which every state of the match carries: it owns the match's memo.

    The memo is no part of its value: it is neither compared nor encoded nor copied, and is freed with the content.
    """

    @cached_property
    def memo(self) -> Memo:
        """The memo of this match."""
        return Memo()
