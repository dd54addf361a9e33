"""Coherency of a unit's figures, its distances of command, and steps of single figures by the rules (AE-COH-02,
AE-COH-03, AE-FIRES-03)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from engine.kit.rules import Game, IllegalIntent, implements
from engine.rulesets.apocalypse_earth.rules.table import ground, meetings, stands, traits
from engine.rulesets.apocalypse_earth.rules.turns import morale, surrender
from engine.rulesets.apocalypse_earth.state import names, profiles
from engine.rulesets.apocalypse_earth.state.state import TABLE, Battle, Unit
from engine.rulesets.apocalypse_earth.state.turn_events import MarchEnded
from engine.space.terrain.contact import Base, gap
from engine.space.vectors.points import Point, ceil_sqrt, floor_sqrt, squared, within
from protocol.ids import FigureId, GroupId

TEAM: Final = 1200
SQUAD: Final = 2400
PLATOON: Final = 3600
FREE: Final = (profiles.GUERRILLA, profiles.INFILTRATE)
"""Abilities that free a unit from any headquarters."""


@implements("AE-COH-02")
def superiors(state: Battle, unit: Unit) -> tuple[int, list[Unit]]:
    """Return how far a unit may be from the nearest of some units of its seat, and these; none where it is free."""
    if any(traits.all_have(state, unit, ability) for ability in FREE):
        return 0, []
    others = [one for one in state.own(unit.owner) if one.where == TABLE and one.id != unit.id]
    own = [one for one in others if not traits.drives(state, one)]
    role = traits.infantry(state, unit).role
    if role in ("company", "cell"):
        return 0, []
    if role == "platoon":
        return PLATOON, [one for one in own if traits.infantry(state, one).role == "company"]
    # a team split from a squad is measured to a squad, or to the team that has its squad's leader
    squads = [one for one in own if traits.infantry(state, one).role == "squad" or one.team == 0]
    if role == "fireteam" and unit.team and squads:
        return TEAM, squads
    return SQUAD, [one for one in own if traits.infantry(state, one).role == "platoon"]


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


@implements("AE-COH-03")
def check_move(state: Battle, unit: Unit, places: Mapping[FigureId, Point]) -> None:
    """Check the end of a move: within the distances of command where the unit began so, and, of troops that do not
    check, each figure in coherency or nearer to its chain. Raises IllegalIntent."""
    if strays(state, unit, places[unit.leader]):
        raise IllegalIntent("move/command").showing(at=places[unit.leader])
    if morale.checks_coherency(state, unit):
        return
    now = set(stands.loose(state, unit))
    for figure in stands.loose(state, unit, places):
        if figure not in now or not _comes_nearer(state, unit, places, figure):
            raise IllegalIntent("place/chain", figure=names.figure(state, figure)).showing(at=places[figure])


def _comes_nearer(state: Battle, unit: Unit, places: Mapping[FigureId, Point], figure: FigureId) -> bool:
    """Tell if a figure that is out of coherency ends its move nearer to the rest of its unit."""

    def nearest(at: Mapping[FigureId, Point]) -> int:
        own = Base(figure, at[figure], traits.RADIUS)
        return min(gap(own, Base(id, at[id], traits.RADIUS)) for id in unit.figures if id != figure)

    return nearest(places) < nearest({one.id: one.at for one in state.members(unit)})


@implements("AE-COH-03", "AE-MOR-02")
def check_figures(game: Game[Battle], id: GroupId) -> None:
    """Check the morale of each figure that is out of coherency at the end of its unit's move, unless all of it is
    suppressed."""
    unit = game.state.units[id]
    if unit.figures and not unit.suppressed and morale.checks_coherency(game.state, unit):
        for figure in stands.loose(game.state, unit):
            if not game.state.figures[figure].shaken:
                morale.check_figure(game, figure)


@implements("AE-ASLT-10")
def close_ranks(game: Game[Battle], id: GroupId) -> None:
    """Bring figures of a unit that are out of coherency to the nearest free places in it, at no cost."""
    unit = game.state.units[id]
    reach = stands.link(game.state, unit) + 2 * traits.RADIUS
    for figure in stands.loose(game.state, unit) if unit.where == TABLE else ():
        out = stands.loose(game.state, unit)
        chain = [one.at for one in game.state.members(unit) if one.id not in out]
        at = stands.free_place(game.state, unit, figure, lambda at: any(within(at, one, reach) for one in chain))  # noqa: B023 - called at once
        if at is not None:
            meetings.move(game, id, {figure: (game.state.figures[figure].at, at)}, "ranks")


@implements("AE-FIRES-03")
def must_leave(state: Battle, unit: Unit) -> bool:
    """Tell if a unit has to get out of a fire before anything else: infantry that is caught in one, unless it is
    engaged."""
    if not state.fires or unit.where != TABLE or traits.drives(state, unit) or state.combat_of(unit.id) is not None:
        return False
    return bool(ground.in_fire(state, unit))


@implements("AE-TURN-02", "AE-MOR-03")
def is_free(state: Battle, unit: Unit) -> bool:
    """Tell if a unit may act as it likes: it is not suppressed, not engaged, and not caught in a fire."""
    return not unit.suppressed and state.combat_of(unit.id) is None and not must_leave(state, unit)


@implements("AE-FIRES-03")
def leave(game: Game[Battle], id: GroupId) -> None:
    """Move the figures of a unit that are caught in a fire to the nearest free places outside; one that a hidden enemy
    stops makes for another from there."""
    unit, spent = game.state.units[id], dict.fromkeys(game.state.units[id].figures, 0)
    for figure in ground.in_fire(game.state, unit):
        came = False
        while not came and (at := stands.free_place(game.state, unit, figure)) is not None:
            start = game.state.figures[figure].at
            came = meetings.move(game, id, {figure: (start, at)}, "fire")
            spent[figure] += floor_sqrt(squared(start, game.state.figures[figure].at))
    game.emit(MarchEnded(id, spent))
    surrender.look(game)
