"""Weapons that figures may fire now, crews, and the shots that stand best (AE-FIRE-01, AE-FIRE-03, AE-OPEN-02)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from operator import itemgetter
from typing import Final

from engine.core.rules.implements import implements
from engine.rulesets.apocalypse_earth.rules.harm import damage, hits
from engine.rulesets.apocalypse_earth.rules.table import aims, hulls, sighting, traits
from engine.rulesets.apocalypse_earth.rules.table.aims import Aim
from engine.rulesets.apocalypse_earth.rules.turns import officers
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.lasting import Shot
from engine.rulesets.apocalypse_earth.state.profiles import Weapon
from engine.rulesets.apocalypse_earth.state.state import ABOARD, TABLE, Battle, Figure, Unit
from engine.space.terrain.gaps import shape_gap
from engine.space.vectors.points import Point
from protocol.ids import NO_FIGURE, FigureId

CREW_REACH: Final = 300
"""AE-OPEN-02: greatest distance of a figure that is counted as crew."""
SPOTS: Final = 1200
"""AE-OPEN-02: greatest distance of a friend without a radio who directs an indirect weapon."""
BLAST_WORTH: Final = 2
"""Figures that a circle is taken to touch, where shots are weighed."""


@implements("AE-OPEN-16", "AE-FIRE-01")
def is_in_place(state: Battle, unit: Unit) -> bool:
    """Tell if a unit is where it can fire: on the table, or in a truck."""
    return unit.where == TABLE or (unit.where == ABOARD and bool(hulls.fires_out(state, unit)))


@implements("AE-CAS-01", "AE-FIRE-01")
def has_hands_free(state: Battle, figure: Figure) -> bool:
    """Tell if a figure can use a weapon now: it is neither shaken nor stunned, and does nothing else in this action."""
    return not (figure.shaken or figure.stunned or figure.id in state.busy)


@implements("AE-OPEN-02", "AE-FIRE-01")
def may_fire(state: Battle, unit: Unit, figure: Figure, weapon: Weapon) -> bool:
    """Tell if a figure may fire a weapon now: what is not used in contact, a support weapon only after half a move at
    most, one of a single shot that lacks crew every second turn."""
    if weapon.contact or not has_hands_free(state, figure):
        return False
    if traits.drives(state, unit):
        return hulls.may_fire(state, unit, weapon)
    if unit.where == ABOARD and figure.id not in hulls.fires_out(state, unit):
        return False
    spent = state.active.spent if state.active is not None else {}
    if weapon.has(profiles.SUPPORT) and 2 * spent.get(figure.id, 0) > traits.allowance(state, unit):
        return False
    lacks = weapon.shots == 1 and figure.shot and figure.shot >= state.turn - 1
    return not lacks or len(crew_near(state, unit, figure)) + 1 >= weapon.crew


@implements("AE-OPEN-02")
def crew_near(state: Battle, unit: Unit, gunner: Figure) -> list[FigureId]:
    """Return the other figures of a unit near enough to a gunner to be crew: those with the least weapons first."""
    own = traits.base(state, gunner)
    others = [one for one in state.members(unit) if one.id != gunner.id and not one.shaken]
    near = [one for one in others if shape_gap(own, traits.base(state, one)) <= CREW_REACH]  # type: ignore[arg-type]  # infantry
    return [one.id for one in sorted(near, key=lambda one: sum(arm.price for arm in state.weapons_of(one)))]


@implements("AE-OPEN-02", "AE-FIRE-01")
def crews(state: Battle, unit: Unit, shots: Sequence[Shot]) -> dict[FigureId, list[FigureId]]:
    """Return the crew of each weapon among some shots that needs one, gunner left out: figures that serve no other
    weapon and fire nothing that needs a crew. They do not fire."""
    if traits.drives(state, unit):
        return {}
    needing = [shot for shot in shots if state.resolved.weapons[shot.weapon].crew]
    taken = {shot.figure for shot in needing}
    found: dict[FigureId, list[FigureId]] = {}
    for shot in needing:
        free = [id for id in crew_near(state, unit, state.figures[shot.figure]) if id not in taken]
        found[shot.figure] = free[: state.resolved.weapons[shot.weapon].crew - 1]
        taken.update(found[shot.figure])
    return found


@implements("AE-FIRE-03", "AE-OPEN-02")
def rate(weapon: Weapon, crew: int) -> int:
    """Return the shots of a weapon served by so many, its gunner included: half, rounded up, where that is too few."""
    return -(-weapon.shots // 2) if crew < weapon.crew else weapon.shots


@implements("AE-OPEN-02", "AE-OPEN-16")
def shots_with(state: Battle, unit: Unit, weapon: Weapon, crew: Collection[FigureId]) -> int:
    """Return the shots of a unit's weapon with this crew, its gunner left out: what is mounted on a vehicle needs
    none."""
    return weapon.shots if traits.drives(state, unit) else rate(weapon, 1 + len(crew))


def weapons_of(state: Battle, unit: Unit, figure: Figure, *, reacting: bool = False) -> Iterator[Weapon]:
    """Yield the weapons that a figure may fire at what it sees: no grenades or what is used up in a reaction."""
    for weapon in state.weapons_of(figure):
        is_kept = reacting and (weapon.has(profiles.THROWN) or weapon.has(profiles.ONCE))
        if not is_kept and may_fire(state, unit, figure, weapon):
            yield weapon


@implements("AE-OVER-02", "AE-FIRE-01")
def best(state: Battle, unit: Unit, target: Unit, *, reacting: bool = False) -> tuple[Shot, ...]:
    """Return what every figure of a unit fires best at another unit: at the class of figures that needs the lowest
    number, of equals the larger one. Crews fire nothing."""
    found: list[tuple[Fraction, Shot]] = []
    every = aims.aims(state, unit, target)
    for figure in state.members(unit):
        seen = [aim for aim in every if aim.figure == figure.id]
        arms = [one for one in weapons_of(state, unit, figure, reacting=reacting) if not one.has(profiles.THROWN)]
        shots_of = [_best_shot(state, unit, target, figure, weapon, seen) for weapon in arms]
        options = [option for option in shots_of if option is not None]
        found += options if traits.drives(state, unit) else sorted(options, key=itemgetter(0), reverse=True)[:1]
    shots = [shot for _, shot in found]
    serving = {id for crew in crews(state, unit, shots).values() for id in crew}
    return tuple([shot for shot in shots if shot.figure not in serving])


def bears(state: Battle, unit: Unit, weapon: Weapon, at: Point) -> bool:
    """Tell if a weapon can be turned on a place: of infantry always."""
    return not traits.drives(state, unit) or hulls.bears(state, unit, weapon, at)


@implements("AE-FIRE-07", "AE-OPEN-19")
def in_reach(state: Battle, unit: Unit, weapon: Weapon, found: Iterable[Aim]) -> list[Aim]:
    """Return the aims that are within a weapon's range, at figures on which it can be turned."""
    near = aims.within(found, weapon)
    return [aim for aim in near if bears(state, unit, weapon, state.figures[aim.target].at)]


def shots_at(
    state: Battle, unit: Unit, target: Unit, figure: Figure, weapon: Weapon, seen: Sequence[Aim] | None = None
) -> Iterator[tuple[str, Shot]]:
    """Yield the shots of one weapon of a figure at a target, by slot ("TARGET/WEAPON/COVER"): one for each cover in
    which it sees any, what burns or is lobbed at the nearest. `seen`: the figure's aims, where they are known."""
    if seen is None:
        seen = [aim for aim in aims.aims(state, unit, target) if aim.figure == figure.id]
    near = in_reach(state, unit, weapon, seen)
    if near and (weapon.burns or weapon.has(profiles.INDIRECT)):
        nearest = min(near, key=lambda aim: aim.gap)
        at = state.figures[nearest.target].at
        yield f"{target.id}/{weapon.id}/at", Shot(figure.id, weapon.id, target.id, nearest.cover, at=at)
        return
    for shelter, there in aims.classes(near).items():
        if hits.need(state, unit, weapon, shelter) <= hits.MOST:
            victim = picked(state, figure, weapon, there)
            yield f"{target.id}/{weapon.id}/{shelter}", Shot(figure.id, weapon.id, target.id, shelter, victim)


def _best_shot(
    state: Battle, unit: Unit, target: Unit, figure: Figure, weapon: Weapon, seen: Sequence[Aim]
) -> tuple[Fraction, Shot] | None:
    """Return the best shot of one weapon at a target, with what it is worth; None out of range."""
    found = [shot for _, shot in shots_at(state, unit, target, figure, weapon, seen)]
    if not found:
        return None
    if found[0].at is not None:
        return Fraction(BLAST_WORTH), found[0]
    groups = aims.classes(in_reach(state, unit, weapon, seen))
    shot = min(found, key=lambda one: (hits.need(state, unit, weapon, one.cover), -len(groups[one.cover])))
    worth = hits.chance(hits.need(state, unit, weapon, shot.cover)) * weapon.shots
    if traits.drives(state, target):
        through = damage.chance(state, target, weapon, figure.at)
        return (worth * through, shot) if through else None
    return worth * (BLAST_WORTH if weapon.template is not None else 1), shot


@implements("AE-OPEN-02")
def is_spotted(state: Battle, unit: Unit, at: Point) -> bool:
    """Tell if a friendly unit that sees a point can direct an indirect weapon at it: one with a radio operator, or near
    the weapon."""
    for friend in state.friends(unit.owner):
        has_radio = hulls.is_radio(state, friend) or bool(officers.radios(state, friend))
        near = has_radio or sighting.distance(state, unit, friend) <= SPOTS
        if friend.id != unit.id and near and any(sighting.sees_point(state, one, at) for one in state.members(friend)):
            return True
    return False


@implements("AE-OPEN-02", "AE-OPEN-07")
def picks(state: Battle, figure: Figure, weapon: Weapon) -> bool:
    """Tell if a figure picks whom its weapon hits: nobody does with what is aimed at the ground."""
    if weapon.spreads:
        return False
    return weapon.has(profiles.PICK) or traits.figure_has(state, figure, profiles.ASSASSIN)


def picked(state: Battle, figure: Figure, weapon: Weapon, among: Collection[FigureId]) -> FigureId:
    """Return the figure that is picked without a word of the firer: the dearest; NO_FIGURE where chance has it."""
    if not picks(state, figure, weapon):
        return NO_FIGURE
    return max(among, key=lambda id: (state.points_of(state.figures[id]), id))
