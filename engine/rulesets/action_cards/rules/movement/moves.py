"""Moves on foot: a straight move of one figure, the rest of its group placed next to it (AC-MOVE-01, AC-MOVE-02).

A move is checked in two parts, which a client asks for one after the other: the lead's move (`check_lead`), then the
places of the others (`followers.check_places`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import msgspec

from engine.kit.blanks import places, point
from engine.kit.board import reaches
from engine.kit.board.board import kept
from engine.kit.rules import Game, Gesture, IllegalIntent, Intent, Label, Seat, Verb, forbid, implements
from engine.rulesets.action_cards.rules.board import followers, table, weather
from engine.rulesets.action_cards.rules.cards.actions import (
    Choosing,
    acting,
    check_actions,
    check_free,
    figures,
    on_foot,
    take_action,
)
from engine.rulesets.action_cards.rules.special_events import event_strikes
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.events import FreeMoveUsed, GroupMoved
from engine.rulesets.action_cards.state.model import Point
from engine.rulesets.action_cards.state.state import Group, Skirmish
from engine.space.movement.departures import clip_departure, departure_origin
from engine.space.movement.moves import EndCause, MoveEnd, Way, straight_move_fault
from engine.space.terrain.contact import Base
from engine.space.terrain.features import PreparedArea
from engine.space.terrain.sections import edges_held
from engine.space.vectors.outlines import Outline, through_interior
from engine.space.vectors.points import Segment, towards
from protocol.ids import FigureId, GroupId
from protocol.scene.fields import PickPoint, Placement

LONGEST: Final = 1200
SECTION: Final = 600
"""AC-MOVE-02: a feature longer than `LONGEST` is left by the edges of its sections, each so long."""

DOORSTEP: Final = 25
"""A door may lie so far inside its outline."""

REFUSALS: Final[Mapping[EndCause, str]] = {
    EndCause.ALLOWANCE: "move/too-far",
    EndCause.TABLE_EDGE: "move/off-table",
    EndCause.OVERLAP: "move/no-room",
    EndCause.CONTACT: "move/enemy-in-the-way",
    EndCause.AREA: "move/ends-at-feature",
    EndCause.BARRIER: "move/ends-at-barrier",
    EndCause.IMPASSABLE: "move/impassable",
}


class LeadMove(NamedTuple):
    """Legal move of a lead: straight to `to`, from `origin` (where it stood, or an edge of what it leaves)."""

    group: GroupId
    lead: FigureId
    origin: Point
    to: Point

    @property
    def heading(self) -> Point:
        """Direction of the move."""
        return self.to[0] - self.origin[0], self.to[1] - self.origin[1]


@implements("AC-MOVE-01", "AC-MOVE-02")
def check_lead(state: Skirmish, seat: int, group_id: GroupId, lead: FigureId, to: Point) -> LeadMove:
    """Return the straight move of this figure of the group to `to`. Raises IllegalIntent."""
    check_mover(state, seat, group_id, lead)
    return _lead_move(state, group_id, lead, to)


@kept(table.board, "lasting", "opened")  # an intent usually follows the detail that showed it
def _lead_move(state: Skirmish, group_id: GroupId, lead: FigureId, to: Point) -> LeadMove:
    group = state.groups[group_id]
    way, allowance = way_of(state, group, lead), allowance_of(state, group)
    left = areas_left(state, lead, to)
    if left:
        edges = [edge for area in left for edge in exits(state, group, area) if _leads_out(area, edge, to)]
        forbid(not edges, "move/no-door", to)
        origin = departure_origin(way, edges, to, allowance)
        if origin is None:
            raise refusal(state, clip_departure(way, edges, to, allowance).end)
        return LeadMove(group_id, lead, origin, to)
    start = state.figures[lead].at
    fault = straight_move_fault(way, start, to, allowance)
    if fault is not None:
        raise refusal(state, fault)
    return LeadMove(group_id, lead, start, to)


def spend(game: Game[Skirmish], group: GroupId) -> None:
    """Use up a move of the group: a free one, if it has any on this card, else an action."""
    if group in game.state.free_moves:
        game.emit(FreeMoveUsed(group))
    else:
        take_action(game, group, "move")


def check_ready(state: Skirmish, seat: int, group_id: GroupId) -> Group:
    """Return the group if it may move now: it is free, and an action or a free move is left. Raises IllegalIntent."""
    if group_id not in state.free_moves:
        check_actions(state)
    return check_free(state, seat, group_id)


@implements("AC-MOVE-01")
def check_mover(state: Skirmish, seat: int, group_id: GroupId, lead: FigureId) -> Group:
    """Return the group if it may move now on foot, measured from this figure. Raises IllegalIntent."""
    group = check_ready(state, seat, group_id)
    forbid(table.board(state).vehicle(group_id) is not None, "move/vehicle")
    forbid(lead not in group.figures, "move/lead-not-in-group")
    return group


@implements("AC-SETUP-02")
def allowance_of(state: Skirmish, group: Group) -> int:
    """Return the group's Move under the weather, in hundredths of an inch."""
    return weather.moved(state, table.move_of(state, group))


@implements("AC-MOVE-01")
def way_of(state: Skirmish, group: Group, lead: FigureId) -> Way:
    """Build what the lead meets on its way: it passes friends, not enemies; its own group moves with it."""
    board = table.board(state)
    friends: list[Base] = []
    enemies: list[Base] = []
    for other in state.groups.values():
        if state.hostile(other.owner, group.owner):
            enemies.extend(board.bases(other.id))
        elif other.id != group.id:
            friends.extend(board.bases(other.id))
    radius = table.radius(state, lead)
    return Way(table.board(state).scenery, radius, 2 * radius, tuple(enemies), tuple(friends))


@implements("AC-MOVE-02")
def areas_left(state: Skirmish, lead: FigureId, to: Point) -> tuple[PreparedArea, ...]:
    """Return the areas that a move to `to` leaves: its length is measured from their exits."""
    start = state.figures[lead].at
    return tuple([area for area in table.board(state).scenery.areas if area.holds(start) and not area.holds(to)])


@implements("AC-MOVE-02")
def exits(state: Skirmish, group: Group, area: PreparedArea) -> tuple[Segment, ...]:
    """Return the edges by which figures of the group may leave an area: its doors, each an edge of no length, or, where
    it has none or was opened, the edges of the sections that hold them."""
    id = str(area.id)
    doors = table.feature(state, id).doors
    if doors and id not in state.opened and id not in state.ruined:
        return tuple((door, door) for door in doors)
    return edges_held(area, [state.figures[figure].at for figure in group.figures], LONGEST, SECTION)


def regions(state: Skirmish, group_id: GroupId, lead: FigureId) -> tuple[Outline, ...]:
    """Return where the lead may end: straight from open ground, or in what it stands in and in reach of its exits."""
    group, start = state.groups[group_id], state.figures[lead].at
    ways_out = tuple(
        [(area, exits(state, group, area)) for area in table.board(state).scenery.areas if area.holds(start)]
    )
    way, allowance = way_of(state, group, lead), allowance_of(state, group)
    return reaches.regions(state.resolved.memo, way, start, allowance, ways_out, lead, group.owner)


def check_charge(state: Skirmish, seat: int, lead_move: LeadMove) -> None:
    """Check that the move touches nobody with whom the seat keeps a cease-fire. Raises IllegalIntent."""
    if any(seat in one.truce for one in state.lasting):
        for touched in followers.touched_by_lead(state, lead_move):
            weather.check_truce(state, seat, state.groups[touched].owner)


def _leads_out(area: PreparedArea, edge: Segment, to: Point) -> bool:
    """Tell whether an exit is an edge, or a door from which the way to `to` does not lead back through the area."""
    return edge[0] != edge[1] or not through_interior(towards(edge[0], to, DOORSTEP), to, area.outline)


def refusal(state: Skirmish, end: MoveEnd) -> IllegalIntent:
    """Build the refusal of a move that ends so."""
    code, by = REFUSALS.get(end.cause, "move/too-far"), table.in_the_way(state, end.what)
    if end.cause in (EndCause.AREA, EndCause.BARRIER, EndCause.IMPASSABLE):
        return IllegalIntent(code, feature=names.feature(state, str(end.what))).showing(by, end.point)
    return IllegalIntent(code).showing(by, end.point)


class Move(Intent, frozen=True, tag="move"):
    """Move a group: its `lead` figure in a straight line to `to`, the others as placed (missing ones: by default)."""

    group: GroupId
    lead: FigureId
    to: Point
    places: dict[FigureId, Point] = msgspec.field(default_factory=dict)


@implements("AC-MOVE-01")
async def move(game: Game[Skirmish], seat: Seat, intent: Move) -> None:
    """Carry out a move: the lead goes straight, the rest of its group is placed next to it; contact locks."""
    lead_move = check_lead(game.state, seat, intent.group, intent.lead, intent.to)
    places = followers.check_places(game.state, lead_move, intent.places)
    check_charge(game.state, seat, lead_move)
    came = game.state.figures[lead_move.lead].at
    spend(game, lead_move.group)
    moving = game.declare("move", seat, group=names.group_node(lead_move.group))
    game.emit(GroupMoved(lead_move.group, lead_move.lead, came, places))
    await event_strikes.arrive(game, lead_move.group, moving)


def _reach(draft: Choosing, field: PickPoint) -> PickPoint:
    state, group_id, lead = draft.state, draft.group("group"), draft.figure("lead")
    group = check_mover(state, draft.seat, group_id, lead)
    return msgspec.structs.replace(
        field,
        regions=regions(state, group_id, lead),
        start=state.figures[lead].at,
        reach=allowance_of(state, group),
        radius=table.radius(state, lead),
    )


def _places(draft: Choosing, field: Placement) -> Placement:
    state, to = draft.state, draft.point("to")
    lead_move = check_lead(state, draft.seat, draft.group("group"), draft.figure("lead"), to)
    return followers.places_field(state, lead_move, field)


MOVE: Final = Verb(
    Label("move", "m", "Move", "One figure leads in a straight line; the rest of its group forms up around it."),
    move,
    acting(on_foot, check_ready),
    figures("lead", lambda draft: draft.state.groups[draft.group("group")].figures),
    point("to", _reach),
    places("places", _places),
    gesture=Gesture("group", "to", "point", mark="move"),
)
