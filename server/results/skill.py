"""The skill of people, by the model of Plackett and Luce (Weng and Lin, 2011, algorithm 4, as openskill has it)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

import msgspec
from openskill.models import PlackettLuce

POINTS: Final = 40
"""Points that are shown for one unit of the model."""
_MODEL: Final = PlackettLuce()


class Skill(msgspec.Struct, frozen=True, array_like=True):
    """The skill of a person at one system: its mean `mu` and deviation `sigma`, in units of the model."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma

    @property
    def points(self) -> int:
        """Rating as it is shown: a skill that the person has in five cases of six."""
        return round(POINTS * (self.mu - self.sigma))

    @property
    def spread(self) -> int:
        """Deviation as it is shown beside the rating."""
        return round(POINTS * self.sigma)


NEW: Final = Skill()


class Team(NamedTuple):
    """People who share an outcome. `rank`: 1 for the best; equal ones are a draw."""

    rank: int
    people: tuple[str, ...]


def rate(teams: Collection[Team], skills: Mapping[str, Skill]) -> dict[str, Skill]:
    """Return the new skills of all people of a match of two teams at least. `skills`: those of before; whoever has none
    is NEW.

    The same teams give the same bits in whatever order they and their people stand.
    """
    ordered = sorted(Team(team.rank, tuple(sorted(team.people))) for team in teams)
    before = [[skills.get(who, NEW) for who in team.people] for team in ordered]
    entered = [[_MODEL.rating(skill.mu, skill.sigma) for skill in of_team] for of_team in before]
    after = _MODEL.rate(entered, ranks=[float(team.rank) for team in ordered])
    people = [who for team in ordered for who in team.people]
    return dict(zip(people, [Skill(one.mu, one.sigma) for of_team in after for one in of_team], strict=True))
