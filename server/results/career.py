"""The matches of a person against other people, counted: by system, and the newest if they were played to the end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec.structs import replace

from server.results.match_result import MatchResult

STAYING_MATCHES: Final = 50
"""The newest matches of a person, by which their staying power is counted."""

STAYING_LEAST: Final = 5
"""Matches from which on a table may turn a person away by their staying power."""


class MatchCount(msgspec.Struct, frozen=True, array_like=True):
    """Matches of a person at one system, and those that they won."""

    matches: int = 0
    won: int = 0


class Career(msgspec.Struct, frozen=True, omit_defaults=True):
    """All matches of the person `who` against other people. `played`: by system; `stayed`: of the newest
    STAYING_MATCHES, the newest last, True for each that they began and played to its end."""

    who: str
    played: dict[str, MatchCount] = {}
    stayed: tuple[bool, ...] = ()

    @property
    def staying(self) -> int:
        """Staying power: the share of those matches that were played to the end, in percent; 100 without any."""
        return 100 * sum(self.stayed) // len(self.stayed) if self.stayed else 100


def counted(career: Career, result: MatchResult) -> Career:
    """Return a career with one result more. A match against bots alone counts nothing."""
    if len(result.people) < 2:
        return career
    seats = [player for player in result.players if player.who == career.who]
    before = career.played.get(result.system, MatchCount())
    played = MatchCount(before.matches + 1, before.won + any(seat.won and not seat.gone for seat in seats))
    stayed = not any(seat.gone for seat in seats)
    return replace(
        career,
        played={**career.played, result.system: played},
        stayed=(*career.stayed, stayed)[-STAYING_MATCHES:],
    )


def careers_of(results: Iterable[MatchResult]) -> dict[str, Career]:
    """Count the careers of all people anew from the results that are kept, whatever order they come in."""
    careers: dict[str, Career] = {}
    for result in sorted(results, key=lambda result: result.number):
        for who in result.people:
            careers[who] = counted(careers.get(who, Career(who)), result)
    return careers
