"""Queue of people who look for players: the longest waiting whose wishes agree, and who have blocked nobody among
them, make a group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

ANCHORS: Final = 20
"""People around whom a group of one kind is tried at a time, the longest waiting first."""


class GameKind(NamedTuple):
    """Kind of match that one wishes for. `ranked`: under the terms of a ranked table."""

    system: str
    seats: int
    mail: bool
    rated: bool
    ranked: bool = False


class Wish(NamedTuple):
    """Wish of a person for a match of one of these kinds. `since`: seconds of the clock."""

    who: str
    since: float
    kinds: tuple[GameKind, ...]


class Group(NamedTuple):
    """People for a match, the longest waiting first."""

    kind: GameKind
    people: tuple[str, ...]


def groups(wishes: Iterable[Wish], may_meet: Callable[[str, str], bool]) -> Iterator[Group]:
    """Yield the groups that these wishes come to, nobody in two of them, those of the longest waiting first."""
    waiting = sorted(wishes, key=lambda wish: wish.since)
    by_kind: dict[GameKind, list[str]] = {}
    for wish in waiting:
        for kind in wish.kinds:
            by_kind.setdefault(kind, []).append(wish.who)
    taken: set[str] = set()
    tried: set[GameKind] = set()
    for wish in waiting:
        for kind in wish.kinds:
            if wish.who in taken or kind in tried:
                continue
            group = _group(kind, [who for who in by_kind[kind] if who not in taken], may_meet)
            if group is None:
                # with fewer people it would not come about either
                tried.add(kind)
            elif wish.who in group.people:
                taken.update(group.people)
                yield group


def _group(kind: GameKind, waiting: list[str], may_meet: Callable[[str, str], bool]) -> Group | None:
    """Return a group of this kind around the longest waiting for whom there is one."""
    if len(waiting) < kind.seats:
        return None
    for anchor in waiting[:ANCHORS]:
        chosen = [anchor]
        for who in waiting:
            if len(chosen) == kind.seats:
                break
            if who not in chosen and all(may_meet(who, other) for other in chosen):
                chosen.append(who)
        if len(chosen) == kind.seats:
            return Group(kind, tuple(sorted(chosen, key=waiting.index)))
    return None
