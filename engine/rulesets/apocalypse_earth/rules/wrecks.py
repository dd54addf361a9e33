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
from engine.space.vectors.hulls import edges_of
from engine.space.vectors.outlines import Outline
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
    outline = stands.box_at(state, unit, state.leader(unit).at, state.leader(unit).facing).outline()
    riders = [rider.id for rider in state.riders(id)]
    for rider in riders:
        _hurt(game, rider, BURNT if how == "fire" else 0, by)
    wreck = Feature(f"{WRECK}.{id}", WRECK, outline) if how != "bomb" else None
    game.emit(VehicleDestroyed(id, how, by, wreck))
    for rider in riders:
        left = game.state.units[rider]
        places = beside(game.state, left, outline)
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
        test = DieTest(falls + 1)
        faces = game.roll(test.pool(len(fallen)), ABOARD, Seat(unit.owner)).faces
        fallen = [figure for figure, face in zip(fallen, faces, strict=True) if not test.passed(face)]
    casualties.fall(game, rider, fallen, by, "crew")


@implements("AE-OPEN-16", "AE-OPEN-19")
def beside(state: Battle, unit: Unit, outline: Outline, wish: Point | None = None) -> dict[FigureId, Point]:
    """Return places for a unit's figures at an outline: in contact with it as long as there is room, then in rows
    behind; those nearest to a wish first. Where there is no room at all, a figure is left out."""
    room = stands.StandRoom(state, unit)
    found: dict[FigureId, Point] = {}
    spots = [spot for row in range(ROWS) for spot in _around(outline, BESIDE + row * ROW, wish)]
    free = [at for at in spots if not room.fault(Base(NO_FIGURE, at, traits.RADIUS))]
    for figure in unit.figures:
        at = next((at for at in free if all(squared(at, other) >= ROW * ROW for other in found.values())), None)
        if at is not None:
            found[figure] = at
    return found


def _around(outline: Outline, distance: int, wish: Point | None) -> list[Point]:
    """Return places at a distance around a rectangle, those nearest to a wish first."""
    corners = _widened(outline, distance)
    ring = (*corners, corners[0])
    spots = [point_at(ring, along) for along in range(0, path_length(ring), SPACING)]
    return spots if wish is None else sorted(spots, key=lambda at: squared(at, wish))


def _widened(outline: Outline, distance: int) -> Outline:
    """Return the corners of a rectangle so much wider on all sides."""
    (ax, ay), _, (cx, cy), _ = outline
    middle = ((ax + cx) // 2, (ay + cy) // 2)
    (first, *_) = edges_of(outline)
    length, width = (path_length(edge) for edge in (first, outline[1:3]))
    dx, dy = first[1][0] - first[0][0], first[1][1] - first[0][1]
    long, wide = length // 2 + distance, width // 2 + distance
    return tuple(
        [
            (
                middle[0] + (along * dx - aside * dy) // max(1, length),
                middle[1] + (along * dy + aside * dx) // max(1, length),
            )
            for along, aside in ((-long, -wide), (long, -wide), (long, wide), (-long, wide))
        ]
    )
