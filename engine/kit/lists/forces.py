"""Forces of seats: each brings a list, or has the ready one of its faction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from engine.core.rules.errors import ListRefused, SetupRefused
from engine.kit.lists.list_texts import read_list
from engine.kit.lists.page_rules import ArmyList, B, E, PageRules
from protocol.text import Text


class AnyForce(Protocol):
    """A force of so many points."""

    @property
    def points(self) -> int: ...


F = TypeVar("F", bound=AnyForce)


def force_of(
    rules: PageRules[B, E], book: B, faction: str, limit: int, written: str, muster: Callable[[B, ArmyList[E]], F]
) -> F:
    """Return the force of a seat: of the list that it brings as it is `written`, or, without one, the ready one of its
    faction. `muster`: makes it of a list, or raises ListRefused. Raises SetupRefused."""
    if faction not in rules.pages(book):
        raise SetupRefused(Text(f"{rules.words}setup.no-army", {"army": faction}))
    try:
        own = muster(book, read_list(rules, book, written) if written else rules.ready(book, faction, limit))
    except ListRefused as refused:
        raise SetupRefused(refused.faults[0]) from refused
    if own.points > limit:
        raise SetupRefused(Text(f"{rules.words}setup.points", {"points": own.points, "limit": limit}))
    return own
