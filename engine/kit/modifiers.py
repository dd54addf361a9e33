"""Modifiers of a number: named, in order, each with its rule and its words, as the log and the dice pool show them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Generic, Literal, NamedTuple, TypeVar

import msgspec

from protocol.text import Text

A = TypeVar("A")

How = Literal["add", "percent", "most", "least"]
"""Add the amount, take so many hundredths of the number (rounded down), or hold it to a limit."""


class Modification(NamedTuple):
    """A change of a number, with the words and the rule that are shown for it."""

    words: Text
    amount: int
    how: How = "add"
    rule: str = ""

    def applied(self, number: int) -> int:
        """Return the number after this change."""
        match self.how:
            case "add":
                return number + self.amount
            case "percent":
                return number * self.amount // 100
            case "most":
                return min(number, self.amount)
            case _:
                return max(number, self.amount)


class Modified(NamedTuple):
    """A number after its changes, with those that changed it."""

    number: int
    lines: tuple[Modification, ...]


def apply(number: int, changes: Iterable[Modification]) -> Modified:
    """Apply changes in their order. A change that leaves the number as it is, such as a limit that is not reached, is
    not shown."""
    lines: list[Modification] = []
    for change in changes:
        after = change.applied(number)
        if after != number:
            lines.append(change)
        number = after
    return Modified(number, tuple(lines))


class ModifierEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Modifier as content writes it: `when` names the condition under which it holds; a condition that is a number
    (figures, inches, tech levels) multiplies the amount."""

    id: str
    words: str
    amount: int
    rule: str = ""
    how: How = "add"
    when: str = ""


class _Modifier(NamedTuple, Generic[A]):
    id: str
    changes: Callable[[A], Iterable[Modification]]


class ModifierTable(Generic[A]):
    """Modifiers of one number, in the order in which they count: rows of content and functions of code. `A` is what
    they look at."""

    def __init__(self) -> None:
        self._modifiers: list[_Modifier[A]] = []

    def modifier(
        self, id: str, words: Text, rule: str = "", how: How = "add"
    ) -> Callable[[Callable[[A], int | None]], Callable[[A], int | None]]:
        """Add the decorated function as the next modifier: it returns the amount, or None where it does not apply.
        Raises ValueError for an id that is taken."""

        def add(amount: Callable[[A], int | None]) -> Callable[[A], int | None]:
            def changes(about: A) -> Iterator[Modification]:
                number = amount(about)
                if number is not None:
                    yield Modification(words, number, how, rule)

            self._add(id, changes)
            return amount

        return add

    def load(self, entries: Iterable[ModifierEntry], conditions: Mapping[str, Callable[[A], int]]) -> None:
        """Add rows of content. Raises ValueError for an id that is taken or a condition that nobody knows."""
        for entry in entries:
            if entry.when and entry.when not in conditions:
                raise ValueError(f"modifier {entry.id}: no condition is called {entry.when}")
            self._add(entry.id, _row(entry, conditions.get(entry.when, _always)))

    def of(self, number: int, about: A) -> Modified:
        """Return a number with all modifiers that apply."""
        return apply(number, (change for modifier in self._modifiers for change in modifier.changes(about)))

    def _add(self, id: str, changes: Callable[[A], Iterable[Modification]]) -> None:
        if any(modifier.id == id for modifier in self._modifiers):
            raise ValueError(f"two modifiers are called {id}")
        self._modifiers.append(_Modifier(id, changes))


def _always(about: object) -> int:
    return 1


def _row(entry: ModifierEntry, condition: Callable[[A], int]) -> Callable[[A], Iterator[Modification]]:
    words = Text(entry.words)

    def changes(about: A) -> Iterator[Modification]:
        times = int(condition(about))
        if times:
            amount = entry.amount * times if entry.how == "add" else entry.amount
            yield Modification(words, amount, entry.how, entry.rule)

    return changes
