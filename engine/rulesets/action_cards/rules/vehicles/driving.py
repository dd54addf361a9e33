"""Ground vehicles: straight ahead, as far as they are able, then a turn (AC-MOVE-03)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from engine.kit.blanks import along, facing
from engine.kit.board.board import kept
from engine.kit.rules import Game, Gesture, IllegalIntent, Intent, Label, Seat, Verb, forbid, implements
from engine.rulesets.action_cards.rules.board import table, weather
from engine.rulesets.action_cards.rules.board.hulls import base_of
from engine.rulesets.action_cards.rules.cards.actions import Choosing, acting, any_vehicles, own
from engine.rulesets.action_cards.rules.movement import moves
from engine.rulesets.action_cards.rules.special_events import event_strikes
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.model import Point, Vehicle
from engine.rulesets.action_cards.state.state import Figure, Skirmish
from engine.rulesets.action_cards.state.vehicle_events import VehicleDriven
from engine.space.movement.drives import Surroundings, farthest, is_clear_around, may_stand, met_at, stopped_by
from engine.space.terrain.footprints import moved
from engine.space.vectors.headings import ANGLES, ahead
from engine.space.vectors.points import box_around
from protocol.ids import GroupId
from protocol.scene.fields import Facing, PathPoint

INCH: Final = 100
ROUNDING: Final = 10
AIR: Final = "air"


class Drive(Intent, frozen=True, tag="drive"):
    """Drive a ground vehicle so many inches straight ahead (at most as far as it is able), then turn it to `facing`."""

    group: GroupId
    inches: int
    facing: int


@implements("AC-MOVE-03")
async def drive(game: Game[Skirmish], seat: Seat, intent: Drive) -> None:
    """Drive a vehicle so many inches straight ahead, at most as far as it is able, and turn it."""
    figure = check_driver(game.state, seat, intent.group)
    to = check_drive(game.state, intent.group, intent.inches, intent.facing)
    moves.spend(game, intent.group)
    moving = game.declare("drive", seat, group=names.group_node(intent.group))
    game.emit(VehicleDriven(intent.group, figure.id, figure.at, to, intent.facing))
    await event_strikes.walked_into(game, intent.group)
    moving.resolve("done")


@implements("AC-MOVE-03")
def check_driver(state: Skirmish, seat: int, group_id: GroupId) -> Figure:
    """Return the vehicle, if it may drive now. Raises IllegalIntent."""
    moves.check_ready(state, seat, group_id)
    vehicle = table.board(state).vehicle(group_id)
    forbid(vehicle is None or vehicle.travel == AIR, "drive/not-able")
    return figure_of(state, group_id)


@implements("AC-MOVE-03")
def check_drive(state: Skirmish, group_id: GroupId, inches: int, facing: int) -> Point:
    """Return the vehicle's place after a drive of so many inches. Raises IllegalIntent."""
    figure = figure_of(state, group_id)
    far, goal = able(state, group_id), ahead(figure.at, figure.facing, inches * INCH)
    base, around = base_of(figure, vehicle_of(state, group_id)), surroundings(state, group_id)
    forbid(inches < 0, "drive/too-far", goal)
    if inches * INCH >= far + INCH:
        raise IllegalIntent("drive/too-far").showing(table.in_the_way(state, stopped_by(base, around, far + 1)), goal)
    to = place_after(state, group_id, inches)
    forbid(facing not in ANGLES, "drive/no-such-facing", to)
    if (to, facing) != (figure.at, figure.facing) and facing not in facings(state, group_id, to):
        turned = replace(moved(base, to), facing=facing)
        raise IllegalIntent("drive/no-room-to-turn").showing(table.in_the_way(state, met_at(turned, around)), to)
    return to


@kept(table.board, "lasting")
@implements("AC-MOVE-03")
def able(state: Skirmish, group_id: GroupId) -> int:
    """Return the distance that a vehicle can go straight ahead now, in hundredths of an inch."""
    vehicle, figure = vehicle_of(state, group_id), figure_of(state, group_id)
    return farthest(base_of(figure, vehicle), surroundings(state, group_id), weather.moved(state, vehicle.move))


def place_after(state: Skirmish, group_id: GroupId, inches: int) -> Point:
    """Return a vehicle's centre after so many inches, at most as far as it is able.

    Corners are rounded: where that would put one of them a hundredth into something beside the way, it stops a little
    sooner, so that it never overlaps anything and is caught.
    """
    figure, vehicle = figure_of(state, group_id), vehicle_of(state, group_id)
    distance = min(inches * INCH, able(state, group_id))
    base, around = base_of(figure, vehicle), surroundings(state, group_id)
    for sooner in range(min(distance, ROUNDING)):
        at = ahead(figure.at, figure.facing, distance - sooner)
        if may_stand(moved(base, at), around):
            return at
    return figure.at


@implements("AC-MOVE-03")
def facings(state: Skirmish, group_id: GroupId, at: Point) -> tuple[int, ...]:
    """Return the angles in which it may face at a place: wherever it has room; always its present one."""
    vehicle, figure = vehicle_of(state, group_id), figure_of(state, group_id)
    around = surroundings(state, group_id).near(box_around(at, vehicle.length + vehicle.width))
    own = moved(base_of(figure, vehicle), at)
    if is_clear_around(own, around):
        return ANGLES
    return tuple([a for a in ANGLES if a == figure.facing or may_stand(replace(own, facing=a), around)])


@kept(table.board)
@implements("AC-MOVE-03")
def surroundings(state: Skirmish, group_id: GroupId) -> Surroundings:
    """Return what a vehicle meets: terrain that does not suit it is barred; who flies stands on open ground only."""
    vehicle = vehicle_of(state, group_id)
    suits = () if vehicle.travel == AIR else state.resolved.scenario.travel.suits(vehicle.travel)
    board = table.board(state)
    own = figure_of(state, group_id).id
    features = [str(area.id) for area in board.ground.areas] + [str(barrier.id) for barrier in board.ground.barriers]
    barred = frozenset(id for id in features if table.kind(state, id).id not in suits)
    hulls = frozenset(area.id for area in board.scenery.areas[len(board.ground.areas) :] if area.id != own)
    bases = tuple(base for id in state.groups for base in board.bases(id))
    return Surroundings(board.scenery, barred, hulls, bases)


def of_travel(draft: Choosing, *, air: bool) -> list[GroupId]:
    """Return the seat's own vehicles that fly, or those that drive."""
    board = table.board(draft.state)
    found = [(id, board.vehicle(id)) for id in own(draft)]
    return [id for id, vehicle in found if vehicle is not None and (vehicle.travel == AIR) is air]


def size_of(state: Skirmish, group_id: GroupId) -> Point:
    """Return the length and width of a vehicle."""
    vehicle = vehicle_of(state, group_id)
    return vehicle.length, vehicle.width


def _way(draft: Choosing, field: PathPoint) -> PathPoint:
    """Fill in the way straight ahead, a corner every inch, the last one as far as the vehicle is able."""
    state, group_id = draft.state, draft.group("group")
    check_driver(state, draft.seat, group_id)
    inches = range(-(-able(state, group_id) // INCH) + 1)
    path = tuple(place_after(state, group_id, inch) for inch in inches)
    return replace(field, path=path, default=len(path) - 1)


def _turn(draft: Choosing, field: Facing) -> Facing:
    state, group_id, inches = draft.state, draft.group("group"), draft.number("way")
    figure = check_driver(state, draft.seat, group_id)
    forbid(inches < 0, "drive/too-far")
    at = place_after(state, group_id, inches)
    angles = facings(state, group_id, at)
    return replace(field, at=at, angles=angles, default=figure.facing, box=size_of(state, group_id))


DRIVE: Final = Verb(
    Label("drive", "d", "Drive", "A ground vehicle goes straight ahead, then turns."),
    drive,
    acting(lambda draft: of_travel(draft, air=False), check_driver),
    along("way", _way),
    facing("facing", _turn),
    make=lambda draft: Drive(draft.group("group"), draft.number("way"), draft.number("facing")),
    when=any_vehicles,
    gesture=Gesture("group", "way", "point", mark="move"),
)


def figure_of(state: Skirmish, group_id: GroupId) -> Figure:
    """Return the only figure of a vehicle's group."""
    return state.figures[state.groups[group_id].figures[0]]


def vehicle_of(state: Skirmish, group_id: GroupId) -> Vehicle:
    """Return the vehicle that a group certainly is."""
    vehicle = table.board(state).vehicle(group_id)
    assert vehicle is not None
    return vehicle
