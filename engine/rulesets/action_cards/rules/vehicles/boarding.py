"""Getting into transports: up to a door of one's own vehicle, all of a group (AC-MOVE-02)."""

from __future__ import annotations

from typing import Final

from engine.core.rules.errors import first_passing
from engine.kit.rules import Game, Gesture, IllegalIntent, Intent, Label, Seat, Verb, forbid, implements
from engine.rulesets.action_cards.rules.board import followers, table
from engine.rulesets.action_cards.rules.cards.actions import Choosing, acting, any_vehicles, on_foot, own, pick
from engine.rulesets.action_cards.rules.movement import moves
from engine.rulesets.action_cards.rules.movement.moves import LeadMove
from engine.rulesets.action_cards.rules.vehicles import driving
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.model import Point
from engine.rulesets.action_cards.state.state import Figure, Group, Skirmish
from engine.rulesets.action_cards.state.vehicle_events import GroupEmbarked
from engine.space.vectors.headings import SIDES, ahead, side_middle
from engine.space.vectors.points import squared
from protocol.ids import FigureId, GroupId

NEXT_TO: Final = 2
"""A base at a door is so far from it, edge to edge: it touches the vehicle and does not overlap it."""


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
        touched = followers.touched_by_lead(state, lead_move)
        if touched:
            raise IllegalIntent("move/enemy-in-the-way").showing(names.group_node(touched[0]), spot)
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
    transport, at = state.groups.get(vehicle_id), names.group_node(vehicle_id)
    is_own = transport is not None and transport.owner == group.owner and rides(state, vehicle_id)
    forbid(not is_own, "embark/no-transport", at)
    forbid(table.board(state).is_airborne(vehicle_id), "embark/airborne", at)
    forbid(len(group.figures) > seats_left(state, vehicle_id), "embark/no-seats", at)


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
    return [id for id in own(draft) if rides(draft.state, id)]


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
