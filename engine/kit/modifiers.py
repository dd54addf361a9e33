"""Modifiers of a number: named, in order, each with its rule and its words, as the log and the dice pool show them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from protocol.text import Text

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
