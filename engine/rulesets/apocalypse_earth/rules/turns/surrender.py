"""Surrender of suppressed units and figures (AE-MOR-04)."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from engine.kit.rules import Game, implements
from engine.rulesets.apocalypse_earth.rules.table import sighting, traits
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
def captor_of(state: Battle, unit: Unit, figure: Figure | None = None) -> Unit | None:
    """Return the enemy unit to which a suppressed unit, or one of its figures, surrenders: the nearest visible one,
    nearer than any visible friend; None where they do not."""
    near = [(gap, other) for other in state.standing() if (gap := _gap(state, unit, other, figure)) is not None]
    least = min([gap for gap, _ in near], default=0)
    nearest = [other for gap, other in near if gap == least]
    if any(not state.hostile(other.owner, unit.owner) for other in nearest):
        return None
    return min(nearest, key=attrgetter("owner", "number"), default=None)


def _gap(state: Battle, unit: Unit, other: Unit, figure: Figure | None) -> int | None:
    """Return the distance to another unit that may fight, is near enough and seen; None of any other."""
    if not can_fight(state, other) or (other.id == unit.id and figure is None):
        return None
    if figure is None:
        gap = sighting.distance(state, unit, other)
        return gap if gap <= REACH and sighting.sees(state, unit, other) else None
    own = sighting.shape(state, figure)
    theirs = [one for one in state.members(other) if one.id != figure.id and not one.shaken]
    gap = min([shape_gap(own, sighting.shape(state, one)) for one in theirs], default=REACH + 1)
    if gap > REACH:
        return None
    sees = unit.id == other.id or any(figure in ours.figures for ours, _, _ in sighting.view(state, unit, other))
    return gap if sees else None


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
    unit, taken = game.state.units[id], False
    if unit.where != TABLE or traits.drives(game.state, unit):
        return False
    shaken = [figure for figure in game.state.members(unit) if figure.shaken]
    for figure in (None,) if unit.suppressed else shaken:
        captor = captor_of(game.state, game.state.units[id], figure)
        if captor is not None:
            give_up(game, id, captor.id, (figure.id,) if figure is not None else ())
            taken = True
    return taken
