"""Ratings: the skill of a person at one system with the matches that it rests on, and their change by a result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from server.results.match_result import DAY, MatchResult, teams_of
from server.results.skill import NEW, Skill, rate

SETTLED: Final = 10
"""Rated matches from which on a rating is shown."""
LEADING_SECONDS: Final = 90 * DAY
"""Whoever leads has ended SETTLED rated matches in this time."""


class Rating(msgspec.Struct, frozen=True, omit_defaults=True):
    """The rating of the person `who` at `system` after so many rated `matches`. `newest`: when the last SETTLED of them
    ended, in unix seconds."""

    who: str
    system: str
    skill: Skill = NEW
    matches: int = 0
    newest: tuple[int, ...] = ()

    @property
    def is_new(self) -> bool:
        """True where too few matches have been rated for it to be shown."""
        return self.matches < SETTLED

    @property
    def leads_until(self) -> int:
        """Unix seconds until which the person is among those who lead; 0 where they are not."""
        return 0 if self.is_new else self.newest[0] + LEADING_SECONDS


class CountedResult(NamedTuple):
    """A result that says what it changed, and the ratings of its people after it."""

    result: MatchResult
    ratings: dict[str, Rating]


def count(result: MatchResult, before: Mapping[str, Rating]) -> CountedResult:
    """Count a result. `before`: the ratings of its people."""
    skills = {who: rating.skill for who, rating in before.items()}
    after = rate(teams_of(result.players), skills)
    players = [replace(player, before=skills[player.who], after=after[player.who]) for player in result.players]
    ratings = {
        who: replace(
            rating,
            skill=after[who],
            matches=rating.matches + 1,
            newest=(*rating.newest, result.ended)[-SETTLED:],
        )
        for who, rating in before.items()
    }
    return CountedResult(replace(result, players=tuple(players)), ratings)


def worked_out(results: Iterable[MatchResult]) -> dict[tuple[str, str], Rating]:
    """Work all ratings out anew from the results that are kept, whatever order they come in. Returned by person and
    system."""
    ratings: dict[tuple[str, str], Rating] = {}
    for result in sorted(results, key=lambda result: result.number):
        if not result.unrated:
            places = {who: (who, result.system) for who in result.people}
            before = {who: ratings.get(place, Rating(*place)) for who, place in places.items()}
            ratings |= {places[who]: rating for who, rating in count(result, before).ratings.items()}
    return ratings
