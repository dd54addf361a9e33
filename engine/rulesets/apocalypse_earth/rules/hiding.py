"""Hidden units: which may hide, where, and how they come to light (AE-SETUP-04)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from engine.core.rules.audience import ALL, Audience, only
from engine.core.rules.sides import allies_of
from engine.kit.rules import Game, Seat, implements
from engine.rulesets.apocalypse_earth.rules import ground, traits
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.setup_events import HidingPlace, UnitHid, UnitRevealed
from engine.rulesets.apocalypse_earth.state.state import Battle, Unit
from engine.space.terrain.contact import Base
from engine.space.terrain.gaps import point_gap
from engine.space.vectors.points import Point, within
from protocol.ids import FigureId, GroupId

BESIDE: Final = 200
"""Greatest distance of a base from a hedge, fence or wall that hides it."""
MET: Final = 300
"""An enemy figure that comes so near reveals a hidden one."""


@implements("AE-SETUP-04")
def may_hide(state: Battle, unit: Unit) -> bool:
    """Tell if a unit may be set up hidden at all: all infantry may."""
    return not traits.drives(state, unit) and state.resolved.scenario.seats[unit.owner].hides


@implements("AE-SETUP-04")
def hides_at(state: Battle, unit: Unit, places: Mapping[FigureId, Point]) -> bool:
    """Tell if a unit is hidden at these places: each figure in soft or hard cover, in the open only with Camouflage."""
    return all(
        traits.figure_has(state, state.figures[figure], profiles.CAMOUFLAGE) or is_covered(state, at)
        for figure, at in places.items()
    )


@implements("AE-SETUP-04")
def is_covered(state: Battle, at: Point) -> bool:
    """Tell if a place hides a figure: in a feature or building that gives cover, or beside a line that does."""
    table = ground.scenery_of(state)
    if any(_covers(state, area) for area in table.areas_at(at)):
        return True
    return any(
        barrier.near(at, traits.RADIUS + BESIDE + 1) and _covers(state, barrier.id) for barrier in table.barriers
    )


def _covers(state: Battle, feature: str | int) -> bool:
    kind = ground.terrain(state, feature)
    return kind.building or kind.cover != "open"


def hide(game: Game[Battle], id: GroupId, places: dict[FigureId, Point]) -> None:
    """Put a unit on the table at places that its side alone knows."""
    seat = Seat(game.state.units[id].owner)
    game.emit_split(UnitHid(id), {seat: HidingPlace(seat, places)})


@implements("AE-SETUP-04")
def reveal(game: Game[Battle], id: GroupId, why: str) -> None:
    """Reveal a hidden unit; nothing happens to one that is not."""
    unit = game.state.units[id]
    if unit.hidden:
        places = {figure.id: figure.at for figure in game.state.members(unit)}
        game.emit(UnitRevealed(id, places, why, unit.overwatch))


@implements("AE-GEN-06")
def audience(unit: Unit) -> Audience:
    """Return those who may know of the dice for a unit under a template: of a hidden one its side alone."""
    return only(Seat(unit.owner)) if unit.hidden else ALL


@implements("AE-SETUP-04", "AE-GEN-01")
def met_by(state: Battle, seat: int, bases: Iterable[Base]) -> list[GroupId]:
    """Return the hidden enemy units that figures of a seat come too near to at these places, in the order of play."""
    movers, own = list(bases), allies_of(state.sides, seat)
    hidden = [unit for unit in state.in_order() if unit.hidden and unit.owner not in own]
    return [unit.id for unit in hidden if any(_is_met(state, unit, base) for base in movers)]


def _is_met(state: Battle, unit: Unit, base: Base) -> bool:
    reach = base.radius + traits.RADIUS + MET
    houses = [ground.house_at(state, figure.at) for figure in state.members(unit)]
    if any(house is not None and point_gap(base.at, house.outline) <= base.radius + MET for house in houses):
        return True
    return any(within(figure.at, base.at, reach) for figure in state.members(unit))
