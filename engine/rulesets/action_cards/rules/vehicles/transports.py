"""Transports: groups get in and out by the doors, and out of a wreck by dice (AC-MOVE-02, AC-OPEN-01)."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace

from engine.core.rules.errors import first_passing, is_legal
from engine.kit.blanks import places, point
from engine.kit.rules import Game, Gesture, IllegalIntent, Intent, Label, Pool, Seat, Verb, forbid, implements
from engine.rulesets.action_cards.rules.board import casualties, followers, table
from engine.rulesets.action_cards.rules.cards.actions import (
    Choosing,
    acting,
    any_vehicles,
    check_actions,
    on_foot,
    pick,
)
from engine.rulesets.action_cards.rules.movement import moves
from engine.rulesets.action_cards.rules.movement.moves import DOORSTEP, LeadMove
from engine.rulesets.action_cards.rules.special_events import event_strikes
from engine.rulesets.action_cards.rules.vehicles import driving
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.events import FiguresRemoved
from engine.rulesets.action_cards.state.model import Point
from engine.rulesets.action_cards.state.state import Figure, Group, Ride, Skirmish
from engine.rulesets.action_cards.state.vehicle_events import GroupDisembarked, GroupEmbarked, put_out
from engine.space.movement.moves import Way, straight_move_fault
from engine.space.movement.reach import door_region
from engine.space.terrain.contact import TOUCH, Base, first_touched
from engine.space.vectors.headings import SIDES, ahead, side_middle
from engine.space.vectors.lattice import nearest_place
from engine.space.vectors.outlines import place_near_outline, through_interior
from engine.space.vectors.points import squared, towards
from protocol.ids import FigureId, GroupId
from protocol.scene.fields import PickPoint, Placement

PURPOSE: Final = "dice.bail_out"
WORST: Final = 2
"""Highest face with which a passenger does not get out of a wreck."""
NEXT_TO: Final = 2
"""A base at a door is so far from it, edge to edge: it touches the vehicle and does not overlap it."""
FARTHEST: Final = 600
STEP: Final = 25


class Embark(Intent, frozen=True, tag="embark"):
    """Get a group into a vehicle, named by its group."""

    group: GroupId
    vehicle: GroupId


@implements("AC-MOVE-02")
async def embark(game: Game[Skirmish], seat: Seat, intent: Embark) -> None:
    """Move a group to a door of its own vehicle and put it aboard, all of it."""
    lead_move = check_embark(game.state, seat, intent.group, intent.vehicle)
    vehicle = driving.figure_of(game.state, intent.vehicle).id
    came = game.state.figures[lead_move.lead].at
    moves.spend(game, intent.group)
    group, hull = names.group_node(intent.group), names.group_node(intent.vehicle)
    boarding = game.declare("embark", seat, group=group, vehicle=hull)
    game.emit(GroupEmbarked(intent.group, vehicle, lead_move.lead, came))
    boarding.resolve("done")


@implements("AC-MOVE-02")
def check_embark(state: Skirmish, seat: int, group_id: GroupId, vehicle_id: GroupId) -> LeadMove:
    """Return the move by which the group gets to a door, touching no enemy. Raises IllegalIntent."""
    group = check_boarder(state, seat, group_id)
    check_seats(state, group, vehicle_id)

    def check(lead: FigureId, spot: Point) -> LeadMove:
        lead_move = moves.check_lead(state, seat, group_id, lead, spot)
        forbid(followers.touched_by_lead(state, lead_move), "move/enemy-in-the-way")
        return lead_move

    ways = _ways_in(state, group, driving.figure_of(state, vehicle_id))
    return first_passing(ways, lambda way: check(*way), "embark/no-seats")


@implements("AC-MOVE-02")
def check_boarder(state: Skirmish, seat: int, group_id: GroupId) -> Group:
    """Return the group, if it may get into any vehicle now. Raises IllegalIntent."""
    group = moves.check_ready(state, seat, group_id)
    forbid(table.board(state).vehicle(group_id) is not None, "move/vehicle")
    if not any(rides(state, id) for id, other in state.groups.items() if other.owner == seat):
        raise IllegalIntent("embark/no-transport")
    return group


@implements("AC-MOVE-02", "AC-MOVE-04")
def check_seats(state: Skirmish, group: Group, vehicle_id: GroupId) -> None:
    """Check that the vehicle is the group's own, on the ground, and has room for all of it. Raises IllegalIntent."""
    transport = state.groups.get(vehicle_id)
    forbid(transport is None or transport.owner != group.owner or not rides(state, vehicle_id), "embark/no-transport")
    forbid(table.board(state).is_airborne(vehicle_id), "embark/airborne")
    forbid(len(group.figures) > seats_left(state, vehicle_id), "embark/no-seats")


def rides(state: Skirmish, group_id: GroupId) -> bool:
    """Tell whether this group is a vehicle that carries others."""
    vehicle = table.board(state).vehicle(group_id)
    return vehicle is not None and vehicle.seats > 0


def seats_left(state: Skirmish, vehicle_id: GroupId) -> int:
    """Return the number of figures that a vehicle can still take aboard."""
    vehicle, own = table.board(state).vehicle(vehicle_id), driving.figure_of(state, vehicle_id).id
    taken = sum(len(ride.figures) for ride in state.aboard.values() if ride.vehicle == own)
    return (vehicle.seats if vehicle is not None else 0) - taken


def _boarders(draft: Choosing) -> list[GroupId]:
    """Return the groups on foot that might get in; none where nobody has a transport."""
    return on_foot(draft) if _transports(draft) else []


def _transports(draft: Choosing) -> list[GroupId]:
    """Return the seat's own transports."""
    return [g.id for g in draft.state.groups.values() if g.owner == draft.seat and rides(draft.state, g.id)]


EMBARK: Final = Verb(
    Label("embark", "b", "Embark", "Move up to a door of your own vehicle and get in."),
    embark,
    acting(_boarders, check_boarder),
    pick("vehicle", _transports, lambda draft, id: check_embark(draft.state, draft.seat, draft.group("group"), id)),
    when=any_vehicles,
    gesture=Gesture("group", "vehicle", "group", mark="ride"),
)


def doors_of(state: Skirmish, figure: Figure, out: int = 0) -> tuple[Point, ...]:
    """Return the doors of a vehicle, or the places `out` hundredths of an inch out from them."""
    vehicle = table.profile(state, figure.id).vehicle
    assert vehicle is not None
    doors: list[Point] = []
    for side in vehicle.doors:
        door = side_middle(figure.at, figure.facing, vehicle.length, vehicle.width, side)
        doors.append(ahead(door, (figure.facing + SIDES[side]) % 360, out))
    return tuple(doors)


class Disembark(Intent, frozen=True, tag="disembark"):
    """Get a group out of its vehicle: its first figure to `to`, the others as placed (missing ones: by default)."""

    group: GroupId
    to: Point
    places: dict[FigureId, Point] = msgspec.field(default_factory=dict)


@implements("AC-MOVE-02")
async def disembark(game: Game[Skirmish], seat: Seat, intent: Disembark) -> None:
    """Get a group out and move it, measured from a door; contact locks."""
    lead_move = check_disembark(game.state, seat, intent.group, intent.to)
    places = followers.check_places(staged(game.state, lead_move), lead_move, intent.places)
    moves.check_charge(staged(game.state, lead_move), seat, lead_move)
    vehicle = game.state.aboard[intent.group].vehicle
    moves.spend(game, intent.group)
    moving = game.declare("disembark", seat, group=names.group_node(intent.group))
    game.emit(GroupDisembarked(intent.group, vehicle, lead_move.lead, lead_move.origin, places))
    await event_strikes.arrive(game, intent.group, moving)


@implements("AC-MOVE-02", "AC-MOVE-04")
def check_rider(state: Skirmish, seat: int, group_id: GroupId) -> Ride:
    """Return the group aboard, if it may get out now. Raises IllegalIntent."""
    ride = state.aboard.get(group_id)
    if ride is None or ride.due:
        raise IllegalIntent("group/unknown")
    forbid(ride.group.owner != seat, "group/not-yours")
    if group_id not in state.free_moves:
        check_actions(state)
    forbid(state.figures[ride.vehicle].airborne, "disembark/airborne")
    return ride


@implements("AC-MOVE-02")
def check_disembark(state: Skirmish, seat: int, group_id: GroupId, to: Point) -> LeadMove:
    """Return the straight move from a door, the nearest of those that serve. Raises IllegalIntent."""
    ride = check_rider(state, seat, group_id)
    lead = ride.group.figures[0]
    allowance = moves.allowance_of(state, ride.group)

    def check(door: Point) -> LeadMove:
        forbid(squared(door, to) > allowance * allowance, "move/too-far")
        return _from_door(state, ride, lead, door, to)

    doors = sorted(doors_of(state, state.figures[ride.vehicle]), key=lambda door: squared(door, to))
    return first_passing(doors, check, "move/too-far")


def _from_door(state: Skirmish, ride: Ride, lead: FigureId, door: Point, to: Point) -> LeadMove:
    hull = table.board(state).scenery.area(ride.vehicle)
    radius = table.profile_of(state, ride.figures[0]).radius
    forbid(through_interior(towards(door, to, DOORSTEP), to, hull.outline), "disembark/through-vehicle")
    forbid(place_near_outline(to, hull.outline, radius), "move/no-room")
    fault = straight_move_fault(way_out(state, ride), door, to, moves.allowance_of(state, ride.group))
    if fault is not None:
        raise moves.refusal(state, fault)
    return LeadMove(ride.group.id, lead, door, to)


def _exit(draft: Choosing, field: PickPoint) -> PickPoint:
    """Fill in the region of the first figure from the doors; the default has room for all."""
    state, group_id = draft.state, draft.group("group")
    ride = check_rider(state, draft.seat, group_id)
    allowance, vehicle = moves.allowance_of(state, ride.group), state.figures[ride.vehicle]
    way = way_out(state, ride)
    regions = tuple(door_region(way, door, allowance) for door in doors_of(state, vehicle))

    def has_room(place: Point) -> bool:
        return is_legal(lambda: _default_places(state, draft.seat, group_id, place))

    default = next(filter(has_room, doors_of(state, vehicle, way.radius + NEXT_TO)), None)
    return replace(field, regions=regions, start=vehicle.at, radius=way.radius, default=default)


def _default_places(state: Skirmish, seat: Seat, group_id: GroupId, to: Point) -> dict[FigureId, Point]:
    lead_move = check_disembark(state, seat, group_id, to)
    return followers.default_places(staged(state, lead_move), lead_move)


def _exit_places(draft: Choosing, field: Placement) -> Placement:
    lead_move = check_disembark(draft.state, draft.seat, draft.group("group"), draft.point("to"))
    return followers.places_field(staged(draft.state, lead_move), lead_move, field)


def _riders(draft: Choosing) -> list[GroupId]:
    rides = draft.state.aboard.items()
    return [id for id, ride in rides if ride.group.owner == draft.seat and not ride.due]


DISEMBARK: Final = Verb(
    Label("disembark", "o", "Get out", "Leave the vehicle by a door and move from there."),
    disembark,
    acting(_riders, check_rider),
    point("to", _exit),
    places("places", _exit_places),
    when=lambda state, seat: state.aboard,
    gesture=Gesture("group", "to", "point", mark="move"),
)


def way_out(state: Skirmish, ride: Ride) -> Way:
    """Build what a group meets that comes out of a vehicle: all but the vehicle itself."""
    out = staged(state, LeadMove(ride.group.id, ride.group.figures[0], state.figures[ride.vehicle].at, (0, 0)))
    way = moves.way_of(out, out.groups[ride.group.id], ride.group.figures[0])
    kept = tuple(area for area in way.scenery.areas if area.id != ride.vehicle)
    return replace(way, scenery=replace(way.scenery, areas=kept))


def staged(state: Skirmish, lead_move: LeadMove) -> Skirmish:
    """Return the state with the group on the table where its move begins."""
    ride = state.aboard[lead_move.group]
    places = {figure.id: lead_move.origin for figure in ride.figures}
    return put_out(state, ride, lead_move.lead, lead_move.origin, places)


def _ways_in(state: Skirmish, group: Group, vehicle: Figure) -> list[tuple[FigureId, Point]]:
    """Return figures of the group with places at the doors, the shortest ways first."""
    pairs = [
        (squared(state.figures[figure].at, spot), figure, spot)
        for figure in group.figures
        for spot in doors_of(state, vehicle, table.radius(state, figure) + NEXT_TO)
    ]
    allowance = moves.allowance_of(state, group)
    near = [pair for pair in sorted(pairs) if pair[0] <= allowance * allowance]
    return [(figure, spot) for _, figure, spot in (near or sorted(pairs)[:1])]


def stranded(state: Skirmish) -> tuple[Ride, ...]:
    """Return the groups whose vehicle has been destroyed, in the order they got in."""
    return tuple([ride for ride in state.aboard.values() if ride.wreck is not None])


@implements("AC-OPEN-01", "AC-MOVE-04")
async def bail_out(game: Game[Skirmish]) -> None:
    """Get passengers out of a wreck: in the air all are lost; on the ground each rolls a die and stands beside it."""
    ride = stranded(game.state)[0]
    wreck = ride.wreck
    assert wreck is not None
    figures = tuple(figure.id for figure in ride.figures)
    if wreck.airborne:
        game.emit(FiguresRemoved(wreck.by, figures))
        return
    owner = Seat(ride.group.owner)
    lost = sum(face <= WORST for face in game.roll(Pool(len(figures)), PURPOSE, owner).faces)
    places = _beside_wreck(game.state, ride)
    if lost >= len(figures) or not places:
        game.emit(FiguresRemoved(wreck.by, figures))
        return
    game.emit(GroupDisembarked(ride.group.id, ride.vehicle, figures[0], wreck.at, places, "wreck"))
    if lost:
        await casualties.remove(game, wreck.by, owner, figures, lost)


def _beside_wreck(state: Skirmish, ride: Ride) -> dict[FigureId, Point] | None:
    """Return places around the free place nearest to the wreck that touches nobody; None without room."""
    assert ride.wreck is not None
    lead, at = ride.group.figures[0], ride.wreck.at
    out = staged(state, LeadMove(ride.group.id, lead, at, at))
    scenery, radius = table.board(out).scenery, table.radius(out, lead)
    others = [base for id in out.groups if id != ride.group.id for base in table.board(out).bases(id)]

    def is_free(place: Point) -> bool:
        if not scenery.has_disc(place, radius) or first_touched(Base(lead, place, radius), others) is not None:
            return False
        if any(barrier.near(place, TOUCH) for barrier in scenery.barriers):
            return False
        return not any(area.impassable and place_near_outline(place, area.outline, radius) for area in scenery.areas)

    place = nearest_place(at, is_free, STEP, FARTHEST)
    if place is None:
        return None
    try:
        return followers.check_places(out, LeadMove(ride.group.id, lead, place, place), {})
    except IllegalIntent:
        return None
