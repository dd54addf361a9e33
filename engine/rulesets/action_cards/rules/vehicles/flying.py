"""Helicopters and VTOL: one action takes off, one travels to any place, one lands (AC-MOVE-04)."""

from __future__ import annotations

from functools import partial
from typing import Final

from msgspec.structs import replace

from engine.kit.blanks import facing, point
from engine.kit.rules import Game, Gesture, Intent, Label, Seat, Verb, forbid, implements
from engine.rulesets.action_cards.rules.board import table
from engine.rulesets.action_cards.rules.board.hulls import base_of
from engine.rulesets.action_cards.rules.cards.actions import Choosing, acting, any_vehicles
from engine.rulesets.action_cards.rules.movement import moves
from engine.rulesets.action_cards.rules.special_events import event_strikes
from engine.rulesets.action_cards.rules.vehicles import driving
from engine.rulesets.action_cards.rules.vehicles.driving import AIR, figure_of, surroundings
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.model import Point
from engine.rulesets.action_cards.state.state import Figure, Skirmish
from engine.rulesets.action_cards.state.vehicle_events import VehicleFlew, VehicleLanded, VehicleRose
from engine.space.movement.drives import KEEP, may_stand
from engine.space.terrain.footprints import moved
from engine.space.vectors.headings import ANGLES
from engine.space.vectors.points import ceil_sqrt
from protocol.ids import GroupId
from protocol.scene.fields import Facing, PickPoint


class TakeOff(Intent, frozen=True, tag="take_off"):
    """Take off with a vehicle that flies."""

    group: GroupId


class Fly(Intent, frozen=True, tag="fly"):
    """Fly a vehicle in the air to a place, and turn it to `facing`."""

    group: GroupId
    to: Point
    facing: int


class Land(Intent, frozen=True, tag="land"):
    """Land a vehicle in the air where it is."""

    group: GroupId


@implements("AC-MOVE-04")
async def take_off(game: Game[Skirmish], seat: Seat, intent: TakeOff) -> None:
    """Take a vehicle off, over the same place."""
    figure = check_pilot(game.state, seat, intent.group, airborne=False)
    moves.spend(game, intent.group)
    rising = game.declare("take_off", seat, group=names.group_node(intent.group))
    game.emit(VehicleRose(intent.group, figure.id))
    rising.resolve("done")


@implements("AC-MOVE-04")
async def fly(game: Game[Skirmish], seat: Seat, intent: Fly) -> None:
    """Fly a vehicle to any place, over whatever is there, with any facing."""
    figure = check_pilot(game.state, seat, intent.group)
    check_flight(game.state, intent.group, intent.to, intent.facing)
    moves.spend(game, intent.group)
    flying = game.declare("fly", seat, group=names.group_node(intent.group))
    game.emit(VehicleFlew(intent.group, figure.id, figure.at, intent.to, intent.facing))
    flying.resolve("done")


@implements("AC-MOVE-04")
async def land(game: Game[Skirmish], seat: Seat, intent: Land) -> None:
    """Land a vehicle on free open ground below."""
    figure = check_landing(game.state, seat, intent.group)
    moves.spend(game, intent.group)
    landing = game.declare("land", seat, group=names.group_node(intent.group))
    game.emit(VehicleLanded(intent.group, figure.id))
    await event_strikes.walked_into(game, intent.group)
    landing.resolve("done")


@implements("AC-MOVE-04")
def check_pilot(state: Skirmish, seat: int, group_id: GroupId, *, airborne: bool = True) -> Figure:
    """Return the vehicle, if it flies, may act, and is in the air (or on the ground). Raises IllegalIntent."""
    moves.check_ready(state, seat, group_id)
    vehicle = table.board(state).vehicle(group_id)
    forbid(vehicle is None or vehicle.travel != AIR, "fly/not-able")
    figure = figure_of(state, group_id)
    forbid(figure.airborne is not airborne, "fly/in-the-air" if figure.airborne else "fly/on-the-ground")
    return figure


@implements("AC-MOVE-04")
def check_flight(state: Skirmish, group_id: GroupId, to: Point, facing: int) -> None:
    """Check that a vehicle may travel to a place and face so. Raises IllegalIntent."""
    forbid(facing not in ANGLES, "drive/no-such-facing")
    forbid(not table.board(state).scenery.has_disc(to, margin_of(state, group_id)), "fly/off-table")


def margin_of(state: Skirmish, group_id: GroupId) -> int:
    """Return the distance that a vehicle keeps from the table's edge, whatever its facing: half its diagonal."""
    length, width = driving.size_of(state, group_id)
    return ceil_sqrt(length**2 + width**2) // 2 + 1


@implements("AC-MOVE-04")
def check_landing(state: Skirmish, seat: int, group_id: GroupId) -> Figure:
    """Return the vehicle, if it may land where it is. Raises IllegalIntent."""
    figure = check_pilot(state, seat, group_id)
    forbid(not can_land(state, group_id, figure.at), "fly/no-room-to-land")
    return figure


@implements("AC-MOVE-04")
def can_land(state: Skirmish, group_id: GroupId, at: Point) -> bool:
    """Tell whether the ground below a place is open and free, an inch around it too."""
    base = base_of(figure_of(state, group_id), driving.vehicle_of(state, group_id))
    return may_stand(moved(base, at), surroundings(state, group_id), KEEP)


def _flyers(draft: Choosing, *, airborne: bool = True) -> list[GroupId]:
    return [id for id in driving.of_travel(draft, air=True) if table.board(draft.state).is_airborne(id) is airborne]


def _table_below(draft: Choosing, field: PickPoint) -> PickPoint:
    """Fill in the places open to a flight: all of the table."""
    state, group_id = draft.state, draft.group("group")
    figure = check_pilot(state, draft.seat, group_id)
    (width, height), margin = state.resolved.scenario.size, margin_of(state, group_id)
    right, top = width - margin, height - margin
    region = ((margin, margin), (right, margin), (right, top), (margin, top))
    radius = table.radius(state, figure.id)
    return replace(field, regions=(region,), start=figure.at, radius=radius, default=figure.at)


def _facing(draft: Choosing, field: Facing) -> Facing:
    """Fill in the facings open to a flight: all, the present one by default."""
    state, group_id = draft.state, draft.group("group")
    figure, box = check_pilot(state, draft.seat, group_id), driving.size_of(state, group_id)
    return replace(field, at=draft.point("to"), angles=ANGLES, default=figure.facing, box=box)


TAKE_OFF: Final = Verb(
    Label("take_off", "t", "Take off", "Go up where it stands. To fly on or to land takes another action."),
    take_off,
    acting(partial(_flyers, airborne=False), partial(check_pilot, airborne=False)),
    when=any_vehicles,
    gesture=Gesture("group", rank=4),
)
FLY: Final = Verb(
    Label("fly", "f", "Fly", "Go anywhere on the table, over everything, and face any way."),
    fly,
    acting(_flyers, check_pilot),
    point("to", _table_below),
    facing("facing", _facing),
    when=any_vehicles,
    gesture=Gesture("group", "to", "point", mark="move"),
)
LAND: Final = Verb(
    Label("land", "n", "Land", "Come down on the open ground below."),
    land,
    acting(_flyers, check_landing),
    when=any_vehicles,
    gesture=Gesture("group", rank=4),
)
