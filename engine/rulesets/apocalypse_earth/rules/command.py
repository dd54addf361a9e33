"""Distances of command: teams to their squad, squads to their platoon, platoons to the company (AE-COH-02, -03)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.core.rules.implements import implements
from engine.rulesets.apocalypse_earth.rules import traits
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.state import TABLE, Battle, Unit
from engine.space.vectors.points import Point, ceil_sqrt, squared

TEAM: Final = 1200
SQUAD: Final = 2400
PLATOON: Final = 3600
FREE: Final = (profiles.GUERRILLA, profiles.INFILTRATE)
"""Abilities that free a unit from any headquarters."""


@implements("AE-COH-02")
def superiors(state: Battle, unit: Unit) -> tuple[int, list[Unit]]:
    """Return how far a unit may be from the nearest of some units of its seat, and these; none where it is free."""
    if traits.drives(state, unit) or any(traits.all_have(state, unit, ability) for ability in FREE):
        return 0, []
    role = traits.infantry(state, unit).role
    own = [one for one in state.own(unit.owner) if one.where == TABLE and one.id != unit.id]
    if role in ("company", "cell"):
        return 0, []
    if role == "platoon":
        return PLATOON, _of(state, own, "company")
    squads = [one for one in own if _commands_teams(state, one)] if role == "fireteam" and unit.team else []
    return (TEAM, squads) if squads else (SQUAD, _of(state, own, "platoon"))


def _of(state: Battle, units: Iterable[Unit], role: str) -> list[Unit]:
    return [one for one in units if not traits.drives(state, one) and traits.infantry(state, one).role == role]


def _commands_teams(state: Battle, unit: Unit) -> bool:
    """Tell if teams are measured to a unit: a squad, or the team split from one that has its leader."""
    return not traits.drives(state, unit) and (traits.infantry(state, unit).role == "squad" or unit.team == 0)


@implements("AE-COH-02", "AE-COH-03")
def strays(state: Battle, unit: Unit, leader: Point) -> bool:
    """Tell if a unit may not end a move with its leader there: outside the distance that it began inside, or no nearer
    where it was outside."""
    limit, above = superiors(state, unit)
    if not above:
        return False
    now, then = _gap(state, state.leader(unit).at, above), _gap(state, leader, above)
    return then > limit if now <= limit else then >= now and leader != state.leader(unit).at


def _gap(state: Battle, at: Point, above: Iterable[Unit]) -> int:
    """Return the distance from a leader to the nearest figure of some units; of a squad to its leader."""
    return min(
        ceil_sqrt(squared(at, figure.at)) - 2 * traits.RADIUS
        for one in above
        for figure in (state.members(one) if traits.infantry(state, one).headquarters else [state.leader(one)])
    )
