"""Ends of vehicles: explosions, fires, crashes, and what becomes of those aboard (AE-OPEN-19)."""

from __future__ import annotations

from typing import Final

from engine.kit.pools import DieTest
from engine.kit.rules import Game, Pool, Seat, implements
from engine.rulesets.apocalypse_earth.rules import casualties, hulls, lanes, stands, traits
from engine.rulesets.apocalypse_earth.state.model import Feature
from engine.rulesets.apocalypse_earth.state.state import Battle, Unit
from engine.rulesets.apocalypse_earth.state.vehicle_events import DamageTaken, UnitLanded, VehicleDestroyed
from engine.space.terrain.contact import Base
from engine.space.terrain.footprints import BoxBase
from engine.space.vectors.paths import path_length, point_at
from engine.space.vectors.points import Point, squared
from protocol.ids import NO_FIGURE, FigureId, GroupId

ABOARD: Final = "ae.dice.aboard"
RUN: Final = "ae.dice.run"
BURNT, CRUSHED = 2, 1
"""Each man aboard falls on this or less, in a fire and in a crash."""
WRECK: Final = "wreck"
BESIDE: Final = traits.RADIUS + 1
"""Distance of a figure's centre from a hull that it is in contact with."""
ROW: Final = 2 * traits.RADIUS
ROWS: Final = 4
SPACING: Final = 50
CENTIMETRE: Final = 100


@implements("AE-OPEN-19", "AE-OPEN-28")
def destroy(game: Game[Battle], id: GroupId, how: str, by: int) -> None:
    """Destroy a vehicle: an explosion kills all aboard, out of a fire those get who do not fall; a wreck stays, but of
    a bomb nothing."""
    state = game.state
    unit = state.units[id]
    hull = hulls.base_of(state, unit)
    riders = [rider.id for rider in state.riders(id)]
    for rider in riders:
        _hurt(game, rider, BURNT if how == "fire" else 0, by)
    wreck = Feature(f"{WRECK}.{id}", WRECK, hull.outline()) if how != "bomb" else None
    game.emit(VehicleDestroyed(id, how, by, wreck))
    for rider in riders:
        left = game.state.units[rider]
        places = beside(game.state, left, hull)
        casualties.fall(game, rider, [figure for figure in left.figures if figure not in places], by, "crew")
        if places:
            game.emit(UnitLanded(rider, places))


@implements("AE-OPEN-19")
def crash(game: Game[Battle], id: GroupId, by: int) -> None:
    """Let a vehicle run out of control, if it moves, and stop for good without weapons."""
    unit = game.state.units[id]
    if hulls.is_moving(game.state, unit):
        lanes.run_on(game, id, CENTIMETRE * game.roll(Pool(2), RUN, Seat(unit.owner)).total)
    for rider in game.state.riders(id):
        _hurt(game, rider.id, CRUSHED, by)
    left = game.state.weapons_of(game.state.leader(game.state.units[id]))
    game.emit(DamageTaken(id, "crash", tuple([weapon.id for weapon in left])))


@implements("AE-OPEN-19")
def _hurt(game: Game[Battle], rider: GroupId, falls: int, by: int) -> None:
    """Roll for each man of a unit aboard, who falls on this or less; 0 kills all without dice."""
    unit = game.state.units[rider]
    fallen = list(unit.figures)
    if falls:
        alive = DieTest(falls + 1).passing(game, Seat(unit.owner), fallen, ABOARD)
        fallen = [figure for figure in fallen if figure not in alive]
    casualties.fall(game, rider, fallen, by, "crew")


@implements("AE-OPEN-16", "AE-OPEN-19")
def beside(state: Battle, unit: Unit, hull: BoxBase, wish: Point | None = None) -> dict[FigureId, Point]:
    """Return places for a unit's figures at a vehicle: in contact with it as long as there is room, then in rows
    behind; those nearest to a wish first. Where there is no room at all, a figure is left out."""
    room, found, spots = stands.StandRoom(state, unit), dict[FigureId, Point](), list[Point]()
    for row in range(ROWS):
        corners = hull.outline(BESIDE + row * ROW)
        ring = (*corners, corners[0])
        around = [point_at(ring, along) for along in range(0, path_length(ring), SPACING)]
        spots += around if wish is None else sorted(around, key=lambda at: squared(at, wish))
    free = [at for at in spots if not room.fault(Base(NO_FIGURE, at, traits.RADIUS))]
    for figure in unit.figures:
        at = next((at for at in free if all(squared(at, other) >= ROW * ROW for other in found.values())), None)
        if at is not None:
            found[figure] = at
    return found
