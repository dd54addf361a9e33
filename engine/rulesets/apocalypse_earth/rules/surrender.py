"""Surrender of suppressed units and figures (AE-MOR-04)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.kit.rules import Game, implements
from engine.rulesets.apocalypse_earth.rules import sighting, traits
from engine.rulesets.apocalypse_earth.state.fire_events import Surrendered
from engine.rulesets.apocalypse_earth.state.state import TABLE, Battle, Figure, Unit
from engine.space.terrain.gaps import shape_gap
from protocol.ids import FigureId, GroupId

REACH: Final = 1200
"""AE-MOR-04: greatest distance of the enemy to whom a unit surrenders."""


@implements("AE-MOR-04")
def can_fight(state: Battle, unit: Unit) -> bool:
    """Tell if others may surrender to a unit, or are saved by it: not to one that is suppressed, hidden, or a vehicle
    that can fire nothing."""
    if unit.where != TABLE or unit.suppressed or unit.hidden:
        return False
    return not traits.drives(state, unit) or any(weapon.shots for weapon in state.weapons_of(state.leader(unit)))


@implements("AE-MOR-04", "AE-SEAT-03")
def captor_of(state: Battle, unit: Unit, figures: Sequence[Figure] = ()) -> Unit | None:
    """Return the enemy unit to which a suppressed unit, or some of its figures, surrender: the nearest visible one,
    nearer than any visible friend; None where they do not."""
    near = [(gap, other) for other in state.standing() if (gap := _gap(state, unit, other, figures)) is not None]
    foes = [
        (gap, other.owner, n, other) for n, (gap, other) in enumerate(near) if state.hostile(other.owner, unit.owner)
    ]
    if not foes:
        return None
    nearest = min(foes, key=lambda foe: foe[:3])
    friends = [gap for gap, other in near if not state.hostile(other.owner, unit.owner)]
    return nearest[3] if not any(gap <= nearest[0] for gap in friends) else None


def _gap(state: Battle, unit: Unit, other: Unit, figures: Sequence[Figure]) -> int | None:
    """Return the distance to another unit that may fight, is near enough and seen; None of any other."""
    if other.id == unit.id and not figures:
        return None
    if not can_fight(state, other):
        return None
    if not figures:
        gap = sighting.distance(state, unit, other)
        return gap if gap <= REACH and sighting.sees(state, unit, other) else None
    ours = {figure.id for figure in figures}
    theirs = [figure for figure in state.members(other) if figure.id not in ours and not figure.shaken]
    gaps = [
        shape_gap(sighting.shape(state, one), sighting.shape(state, figure)) for one in figures for figure in theirs
    ]
    if not gaps or min(gaps) > REACH or not any(_sees(state, unit, other, figure.id) for figure in figures):
        return None
    return min(gaps)


def _sees(state: Battle, unit: Unit, other: Unit, figure: FigureId) -> bool:
    if unit.id == other.id:
        return True
    return any(figure == one.id for ours, _, _ in sighting.view(state, unit, other) for one in ours.figures)


@implements("AE-MOR-04")
def give_up(game: Game[Battle], id: GroupId, captor: GroupId, figures: Sequence[FigureId] = ()) -> None:
    """Make a unit, or some of its figures, prisoners of another."""
    game.emit(Surrendered(id, captor, tuple(figures) or game.state.units[id].figures))


@implements("AE-MOR-04", "AE-GEN-04")
def look(game: Game[Battle]) -> None:
    """Let all surrender who must, in unit order; one that goes may uncover the next."""
    while any(_look_at(game, unit.id) for unit in game.state.in_order()):
        pass


def _look_at(game: Game[Battle], id: GroupId) -> bool:
    state = game.state
    unit = state.units[id]
    if unit.where != TABLE or traits.drives(state, unit):
        return False
    if unit.suppressed:
        captor = captor_of(state, unit)
        if captor is not None:
            give_up(game, id, captor.id)
        return captor is not None
    shaken = [figure for figure in state.members(unit) if figure.shaken]
    taken = False
    for figure in shaken:
        captor = captor_of(game.state, game.state.units[id], [figure])
        if captor is not None:
            give_up(game, id, captor.id, [figure.id])
            taken = True
    return taken
