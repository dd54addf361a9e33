"""Getting out of transports: by the doors (AC-MOVE-02), and out of a wreck by dice (AC-OPEN-01)."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace

from engine.core.rules.errors import first_passing, is_legal
from engine.core.rules.steps import Steps
from engine.kit.blanks import places, point
from engine.kit.board.board import kept_steps
from engine.kit.rules import Game, Gesture, IllegalIntent, Intent, Label, Pool, Seat, Verb, forbid, implements
from engine.rulesets.action_cards.rules.board import casualties, followers, table
from engine.rulesets.action_cards.rules.cards.actions import Choosing, acting, check_actions
from engine.rulesets.action_cards.rules.movement import moves
from engine.rulesets.action_cards.rules.movement.moves import DOORSTEP, LeadMove
from engine.rulesets.action_cards.rules.special_events import event_strikes
from engine.rulesets.action_cards.rules.vehicles.boarding import NEXT_TO, doors_of
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.events import FiguresRemoved
from engine.rulesets.action_cards.state.model import Point
from engine.rulesets.action_cards.state.state import Ride, Skirmish
from engine.rulesets.action_cards.state.vehicle_events import GroupDisembarked, put_out
from engine.space.movement.moves import Way, straight_move_fault
from engine.space.movement.reach import door_region
from engine.space.terrain.contact import TOUCH, Base, first_touched
from engine.space.vectors.lattice import nearest_place
from engine.space.vectors.outlines import Outline, place_near_outline, through_interior
from engine.space.vectors.points import squared, towards
from protocol.ids import FigureId, GroupId
from protocol.scene.fields import PickPoint, Placement

PURPOSE: Final = "dice.bail_out"
WORST: Final = 2
"""Highest face with which a passenger does not get out of a wreck."""
FARTHEST: Final = 600
STEP: Final = 25


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
        forbid(squared(door, to) > allowance * allowance, "move/too-far", to)
        return _from_door(state, ride, lead, door, to)

    doors = sorted(doors_of(state, state.figures[ride.vehicle]), key=lambda door: squared(door, to))
    return first_passing(doors, check, "move/too-far")


def _from_door(state: Skirmish, ride: Ride, lead: FigureId, door: Point, to: Point) -> LeadMove:
    hull = table.board(state).scenery.area(ride.vehicle)
    radius = state.profile(ride.figures[0]).radius
    forbid(through_interior(towards(door, to, DOORSTEP), to, hull.outline), "disembark/through-vehicle", to)
    forbid(place_near_outline(to, hull.outline, radius), "move/no-room", to)
    fault = straight_move_fault(way_out(state, ride), door, to, moves.allowance_of(state, ride.group))
    if fault is not None:
        raise moves.refusal(state, fault)
    return LeadMove(ride.group.id, lead, door, to)


def _exit(draft: Choosing, field: PickPoint) -> Steps[PickPoint]:
    """Fill in the region of the first figure from the doors; the default has room for all."""
    state, group_id = draft.state, draft.group("group")
    ride = check_rider(state, draft.seat, group_id)
    regions, default = yield from _outside(state, draft.seat, group_id, moves.allowance_of(state, ride.group))
    radius = way_out(state, ride).radius
    return replace(field, regions=regions, start=state.figures[ride.vehicle].at, radius=radius, default=default)


@kept_steps(table.board, "aboard", "free_moves")
def _outside(
    state: Skirmish, seat: int, group_id: GroupId, allowance: int
) -> Steps[tuple[tuple[Outline, ...], Point | None]]:
    """Work out the region of the first figure from each door, and the first place next to one with room for all: at
    each step one door."""
    ride = state.aboard[group_id]
    vehicle, way = state.figures[ride.vehicle], way_out(state, ride)

    def has_room(place: Point) -> bool:
        def stand() -> None:
            lead_move = check_disembark(state, seat, group_id, place)
            followers.check_places(staged(state, lead_move), lead_move)

        return is_legal(stand)

    regions: list[Outline] = []
    for door in doors_of(state, vehicle):
        regions.append(door_region(way, door, allowance))
        yield
    for place in doors_of(state, vehicle, way.radius + NEXT_TO):
        if has_room(place):
            return tuple(regions), place
        yield
    return tuple(regions), None


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
    """Return the state with the group on the table where its move begins, once for the same state and move: what is
    then worked out about it is found again."""
    return table.board(state).get(("staged", lead_move), (state,), _staged, state, lead_move)


def _staged(state: Skirmish, lead_move: LeadMove) -> Skirmish:
    ride = state.aboard[lead_move.group]
    places = {figure.id: lead_move.origin for figure in ride.figures}
    return put_out(state, ride, lead_move.lead, lead_move.origin, places)


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
        return followers.check_places(out, LeadMove(ride.group.id, lead, place, place))
    except IllegalIntent:
        return None
