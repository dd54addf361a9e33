"""Moves of Vehicles: straight ahead or in reverse, one turn a move, and terrain that may stop them (OP-VEH-02, -03)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import pairwise
from typing import Final, NamedTuple

from engine.core.rules.audience import Seat
from engine.core.rules.dice import Pool
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.game import Game
from engine.core.rules.implements import implements
from engine.rulesets.one_page.rules import activations, ground, moving, traits
from engine.rulesets.one_page.state import profiles as rules
from engine.rulesets.one_page.state.events import Tracked, UnitMoved
from engine.rulesets.one_page.state.intents import Drive, Hold
from engine.rulesets.one_page.state.state import Battle, Unit
from engine.space.terrain.features import PreparedArea, PreparedBarrier
from engine.space.vectors.bisection import first_met
from engine.space.vectors.headings import STEP, ahead
from engine.space.vectors.points import Point, floor_sqrt, squared, towards
from protocol.ids import GroupId

QUARTER: Final = 90
TERRAIN: Final = "op.dice.terrain"


class VehiclePath(NamedTuple):
    """A Vehicle's move: the places at which it begins, turns and ends, and its facing at the end."""

    way: tuple[Point, ...]
    facing: int


def turned(old: int, new: int) -> int:
    """Return by how many degrees two headings differ, 180 at most."""
    return abs((new - old + 180) % 360 - 180)


@implements("OP-VEH-03")
async def hold(game: Game[Battle], seat: Seat, hold: Hold) -> None:
    """Hold with a unit; a Vehicle may turn by up to 180 degrees."""
    unit = activations.check_action(game.state, seat, hold.unit)
    if hold.facing >= 0:
        if not traits.is_vehicle(game.state, unit) or hold.facing % STEP or hold.facing >= 360:
            raise IllegalIntent("move/turn")
        moving.check_free(unit)
    activations.begin(game, unit.id, "hold")
    if hold.facing >= 0:
        at = game.state.leader(unit).at
        game.emit(UnitMoved(unit.id, "turn", (at, at), {unit.leader: at}, hold.facing))


@implements("OP-VEH-03")
def path_of(state: Battle, unit: Unit, facing: int, before: int, after: int) -> VehiclePath:
    """Return the way of a Vehicle for these distances and this facing. Raises IllegalIntent where it turns too far."""
    figure = state.leader(unit)
    if facing % STEP or not 0 <= facing < 360 or turned(figure.facing, facing) > QUARTER:
        raise IllegalIntent("move/turn")
    corner = ahead(figure.at, figure.facing, before)
    return VehiclePath((figure.at, corner, ahead(corner, facing, after)), facing)


@implements("OP-VEH-02", "OP-VEH-03")
def check_path(
    state: Battle, unit: Unit, path: VehiclePath, before: int, after: int, limit: int, contact: Collection[str] = ()
) -> None:
    """Check that a Vehicle may drive this way: in reverse every inch counts double. Raises IllegalIntent."""
    reverse = sum(max(0, -part) for part in (before, after))
    moving.check_way(state, unit, path.way, limit - reverse, contact)


@implements("OP-VEH-02", "OP-VEH-03")
async def drive(game: Game[Battle], seat: Seat, drive: Drive) -> None:
    """Drive a Vehicle as its Walk or Run."""
    state = game.state
    unit = activations.check_action(state, seat, drive.unit)
    moving.check_free(unit)
    if not traits.is_vehicle(state, unit):
        raise IllegalIntent("move/walks")
    action = "run" if drive.run else "walk"
    driven = path_of(state, unit, drive.facing, drive.before, drive.ahead)
    check_path(state, unit, driven, drive.before, drive.ahead, moving.allowance(state, unit, action))
    activations.begin(game, unit.id, action)
    await go(game, unit.id, driven, action)


@implements("OP-OPEN-15", "OP-SR-06")
async def go(game: Game[Battle], id: GroupId, path: VehiclePath, how: str) -> bool:
    """Drive a Vehicle, rolling for swamps that it enters and barriers that it crosses. Return True if it reached its
    end."""
    state = game.state
    unit = state.units[id]
    way, bogged, facing = path.way, False, path.facing
    if not traits.has(state, unit, rules.FLYING):
        for number, (a, b) in enumerate(pairwise(path.way)):
            stop = _stop(game, id, a, b)
            if stop is not None:
                way, bogged = (*path.way[: number + 1], stop[0]), stop[1]
                facing = state.leader(unit).facing if number == 0 else path.facing
                break
    game.emit(UnitMoved(id, how, way, {unit.leader: way[-1]}, facing))
    if bogged:
        game.emit(Tracked(id))
    await moving.cross_mines(game, id, way)
    return way[-1] == path.way[-1]


def _stop(game: Game[Battle], id: GroupId, a: Point, b: Point) -> tuple[Point, bool] | None:
    """Return the place at which the dice stop a Vehicle on a straight way, and True if it is stuck there; None where
    they let it pass."""
    state = game.state
    met: list[tuple[int, bool]] = []
    for area in ground.crossed(state, a, b):
        if ground.terrain(state, area.id).bogs:
            met.append((_first(a, b, area), True))
    for barrier in ground.barriers_crossed(state, a, b):
        if ground.terrain(state, barrier.id).trips:
            met.append((_before(a, b, barrier), False))
    for distance, bogs in sorted(met):
        if game.roll(Pool(1), TERRAIN, Seat(state.units[id].owner)).total == 1:
            return towards(a, b, distance), bogs
    return None


def _first(a: Point, b: Point, area: PreparedArea) -> int:
    """Return the distance along a way at which the area begins."""
    return _first_met(a, b, lambda p: area.holds(p) or area.pierced_by(a, p))


def _before(a: Point, b: Point, barrier: PreparedBarrier) -> int:
    """Return the last distance, in hundredths, before a barrier."""
    return max(0, _first_met(a, b, lambda p: barrier.crossed_by(a, p)) - 2)


def _first_met(a: Point, b: Point, met: Callable[[Point], bool]) -> int:
    return first_met(lambda distance: met(towards(a, b, distance)), floor_sqrt(squared(a, b)))
