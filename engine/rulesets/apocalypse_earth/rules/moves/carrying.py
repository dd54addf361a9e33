"""Units aboard vehicles: they start there, board, and get out (AE-OPEN-16)."""

from __future__ import annotations

from functools import partial
from typing import Final

from msgspec.structs import replace

from engine.kit.blanks import point
from engine.kit.rules import Game, Gesture, IllegalIntent, Label, Seat, Verb, forbid, implements, passing
from engine.kit.units import UnitIntent
from engine.rulesets.apocalypse_earth.rules.harm import damage
from engine.rulesets.apocalypse_earth.rules.moves import marching, planning
from engine.rulesets.apocalypse_earth.rules.table import hulls, meetings, stands, traits, ways
from engine.rulesets.apocalypse_earth.rules.turns import activations, surrender
from engine.rulesets.apocalypse_earth.rules.turns.picking import Choosing, able, pick, unit_of
from engine.rulesets.apocalypse_earth.state import names
from engine.rulesets.apocalypse_earth.state.lasting import March
from engine.rulesets.apocalypse_earth.state.model import Point
from engine.rulesets.apocalypse_earth.state.profiles import VehicleProfile
from engine.rulesets.apocalypse_earth.state.state import ABOARD, MOVE, OVER, TABLE, Battle, Unit
from engine.rulesets.apocalypse_earth.state.vehicle_events import UnitBoarded, UnitLanded
from engine.space.terrain.contact import TOUCH
from engine.space.terrain.gaps import point_gap
from engine.space.vectors.hulls import edges_of
from engine.space.vectors.outlines import nearest_on_edges
from engine.space.vectors.points import floor_sqrt, squared, towards
from protocol.ids import FigureId, GroupId
from protocol.scene.fields import PickPoint


class Load(UnitIntent, frozen=True, tag="ae.load"):
    """Start of a unit aboard a vehicle."""

    vessel: GroupId


class BoardVehicle(UnitIntent, frozen=True, tag="ae.board"):
    """Move of a unit up to a vehicle and aboard."""

    vessel: GroupId


class GetOut(UnitIntent, frozen=True, tag="ae.get_out"):
    """Landing of a unit beside its vehicle, its leader as near as possible to a place."""

    to: Point


@implements("AE-OPEN-16", "AE-SEAT-03")
def check_room(state: Battle, unit: Unit, vessel: GroupId) -> Unit:
    """Return a vehicle if it is the unit's own and has room for all of its figures. Raises IllegalIntent."""
    found, node = state.units.get(vessel), names.group_node(vessel)
    profile = state.profile(found) if found is not None else None
    if found is None or found.where != TABLE or found.owner != unit.owner or not isinstance(profile, VehicleProfile):
        raise IllegalIntent("board/no-vehicle").showing(at=node)
    forbid(traits.drives(state, unit) or not profile.places, "board/no-vehicle", node)
    taken = sum(len(rider.figures) for rider in state.riders(vessel))
    forbid(taken + len(unit.figures) > profile.places, "board/full", node)
    return found


@implements("AE-OPEN-16")
async def load(game: Game[Battle], seat: Seat, load: Load) -> None:
    """Put a unit aboard at the start of the game."""
    unit = game.state.check_placing(seat, load.unit)
    check_room(game.state, unit, load.vessel)
    game.emit(UnitBoarded(unit.id, load.vessel))


@implements("AE-OPEN-16")
def check_boarding(state: Battle, seat: int, id: GroupId) -> Unit:
    """Return a unit that may board a vehicle of its seat with room for it: not one that has got out of one in this
    action. Raises IllegalIntent."""
    unit = activations.check_step(state, seat, id, MOVE)
    forbid(unit.where != TABLE, "act/not-yours")
    forbid(state.active is not None and state.active.landed, "board/landed")
    forbid(not _with_room(state, unit), "board/no-vehicle")
    return unit


def _with_room(state: Battle, unit: Unit) -> list[GroupId]:
    return passing([one.id for one in state.own(unit.owner)], partial(check_room, state, unit))


@implements("AE-OPEN-16")
def check_board(state: Battle, seat: int, board: BoardVehicle) -> March:
    """Return the march that brings every figure of a unit into contact with a vehicle. Raises IllegalIntent."""
    unit = check_boarding(state, seat, board.unit)
    hull = hulls.base_of(state, check_room(state, unit, board.vessel))
    limit, room = traits.allowance(state, unit) - traits.LANDING, stands.StandRoom(state, unit)
    free = planning.able_to_go(state, unit)
    found: dict[FigureId, tuple[Point, ...]] = {}
    for figure in state.members(unit):
        edge = nearest_on_edges(figure.at, edges_of(hull.outline()))
        end = towards(figure.at, edge, max(0, floor_sqrt(squared(figure.at, edge)) - damage.BESIDE))
        fault = end != figure.at and (figure.id not in free or room.barred(figure.at, end, figure.at))
        forbid(fault or ways.cost(state, unit, (figure.at, end)) > limit, "board/too-far", figure.at)
        found[figure.id] = figure.at, end
    return March(unit.id, "board", planning.lead_of(state, unit), found, limit)


@implements("AE-OPEN-16")
async def board(game: Game[Battle], seat: Seat, board: BoardVehicle) -> None:
    """Move a unit up to a vehicle and aboard, if all who are left come there; it has then acted."""
    march = check_board(game.state, seat, board)
    boarding = activations.start(game, "board", board.unit, board.vessel)
    arrived = await marching.carry_out(game, march)
    aboard = arrived and game.state.units[board.vessel].where == TABLE
    if aboard:
        hull = hulls.base_of(game.state, game.state.units[board.vessel]).outline()
        members = game.state.members(game.state.units[board.unit])
        aboard = all(point_gap(figure.at, hull) - traits.RADIUS < TOUCH for figure in members)
    if aboard:
        game.emit(UnitBoarded(board.unit, board.vessel))
    activations.take(game, OVER)
    boarding.resolve("done" if aboard else "stopped")


@implements("AE-OPEN-16")
def check_rider(state: Battle, seat: int, id: GroupId) -> Unit:
    """Return a unit aboard that may get out now. Raises IllegalIntent."""
    unit = activations.check_step(state, seat, id, MOVE)
    forbid(unit.where != ABOARD, "board/not-aboard")
    return unit


@implements("AE-OPEN-16")
async def get_out(game: Game[Battle], seat: Seat, landing: GetOut) -> None:
    """Put a unit beside its vehicle; it may go on with what is left of its movement, and fire."""
    unit = check_rider(game.state, seat, landing.unit)
    places = damage.beside(game.state, unit, hulls.base_of(game.state, game.state.units[unit.vessel]), landing.to)
    forbid(len(places) < len(unit.figures), "place/no-room", landing.to)
    leaving = activations.start(game, "get_out", landing.unit)
    game.emit(UnitLanded(landing.unit, places))
    meetings.look(game, landing.unit)
    surrender.look(game)
    leaving.resolve("done")


def _vehicles(draft: Choosing) -> list[Unit]:
    """Return the other vehicles of the picked unit's seat on the table."""
    state = draft.state
    return [unit for unit in state.own(draft.seat) if unit.where == TABLE and traits.drives(state, unit)]


def _beside(draft: Choosing, field: PickPoint) -> PickPoint:
    """Return a field of a place beside the vehicle, by default the nearest one that is free."""
    state, unit = draft.state, unit_of(draft)
    hull = hulls.base_of(state, state.units[unit.vessel])
    places = [*damage.beside(state, unit, hull).values(), hull.at]
    return replace(field, regions=(hull.outline(),), radius=traits.RADIUS, default=places[0])


LOAD: Final = Verb(
    Label("load", "l", "Start aboard", "The unit begins the battle inside a vehicle."),
    load,
    pick("unit", lambda draft: [unit for unit in draft.state.to_place() if _with_room(draft.state, unit)]),
    pick("vessel", _vehicles, lambda draft, vessel: check_room(draft.state, unit_of(draft), vessel.id)),
    gesture=Gesture("unit", "vessel", "group", mark="ride"),
)
BOARD: Final = Verb(
    Label("board", "n", "Board", "Up to a vehicle and in. That is the whole action."),
    board,
    pick("unit", able(check_boarding, MOVE)),
    pick(
        "vessel",
        _vehicles,
        lambda draft, v: check_board(draft.state, draft.seat, BoardVehicle(draft.group("unit"), v.id)),
    ),
    gesture=Gesture("unit", "vessel", "group", mark="ride", ends=True),
)
GET_OUT: Final = Verb(
    Label("get_out", "o", "Get out", "Beside the vehicle, for 3 cm. Then move on and fire, but no charge."),
    get_out,
    pick("unit", able(check_rider, MOVE)),
    point("to", _beside),
    gesture=Gesture("unit", "to", "point", mark="move"),
)
