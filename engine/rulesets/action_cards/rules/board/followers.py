"""Places of a moving group's other figures beside its lead, chosen by hand or by default (AC-MOVE-01)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import msgspec

from engine.kit.board.formations import Member, stood_in, with_fringes
from engine.kit.rules import IllegalIntent, forbid, implements
from engine.rulesets.action_cards.rules.board import combats, table
from engine.rulesets.action_cards.state import names
from engine.space.placement.figures import Misplaced, Misplacement, Room, check_placement
from engine.space.terrain.contact import Base, overlaps
from protocol.ids import FigureId, GroupId

if TYPE_CHECKING:
    from engine.rulesets.action_cards.rules.movement.moves import LeadMove
    from engine.rulesets.action_cards.state.model import Point
    from engine.rulesets.action_cards.state.state import Skirmish
    from protocol.scene.fields import Placement

SPREAD: Final = 200
WIDE_SPREAD: Final = 300
MOST_AT_SPREAD: Final = 8
"""Figures stand within `SPREAD` of their lead, those of a larger group within `WIDE_SPREAD`."""
FARTHER: Final = (2, 4, 8, 16)
"""Multiples of the spread tried for a group that finds no room around its lead."""


@implements("AC-MOVE-01")
def check_places(
    state: Skirmish, lead_move: LeadMove, wished: Mapping[FigureId, Point] = MappingProxyType({})
) -> dict[FigureId, Point]:
    """Return the place of every figure of the group: as wished, the others by default. Raises IllegalIntent."""
    if wished:
        return _places(state, lead_move, wished)
    # an intent usually follows the detail that showed it
    return table.board(state).get(("places", lead_move), (), lambda: _places(state, lead_move, {}))


def _places(state: Skirmish, lead_move: LeadMove, wished: Mapping[FigureId, Point]) -> dict[FigureId, Point]:
    group = state.groups[lead_move.group]
    forbid(not wished.keys() <= set(group.figures), "place/not-in-group")
    room = room_of(state, lead_move)
    by_hand: dict[FigureId, Base] = {}
    for body in _followers(state, lead_move):
        named = {wished[figure] for figure in body if figure in wished}
        forbid(len(named) > 1, "place/shared-base")
        if named:
            by_hand[body[0]] = Base(body[0], named.pop(), table.radius(state, body[0]))
    lead_body = next(body for body in table.bodies(state, group) if lead_move.lead in body)
    forbid(any(wished.get(figure, lead_move.to) != lead_move.to for figure in lead_body), "place/lead")
    placed = _checked(state, lead_move, room, by_hand) if by_hand else {}
    placed |= _default(state, lead_move, room, placed)
    return places_of_all(state, lead_move, placed)


def places_of_all(state: Skirmish, lead_move: LeadMove, placed: Mapping[FigureId, Base]) -> dict[FigureId, Point]:
    """Return the place of every figure of the group: on its lead's base at the end of the move, or on one `placed`."""
    bodies = table.bodies(state, state.groups[lead_move.group])
    return {
        figure: lead_move.to if lead_move.lead in body else placed[body[0]].at for body in bodies for figure in body
    }


def places_field(state: Skirmish, lead_move: LeadMove, field: Placement) -> Placement:
    """Fill in one figure of each body but the lead's, with its default place. Raises IllegalIntent."""
    standing = check_places(state, lead_move)
    others = [body[0] for body in _followers(state, lead_move)]
    return msgspec.structs.replace(
        field,
        around=lead_move.to,
        radius=table.radius(state, lead_move.lead),
        within=spread_of(len(standing)),
        pieces=tuple(map(names.piece_node, others)),
        default={names.piece_node(id): standing[id] for id in others},
    )


@implements("AC-MOVE-01")
def room_of(state: Skirmish, lead_move: LeadMove) -> Room:
    """Build the room for the rest of the group: next to the lead, touching only enemies that the lead touches."""
    group = state.groups[lead_move.group]
    lead = Base(lead_move.lead, lead_move.to, table.radius(state, lead_move.lead))
    touched = touched_by_lead(state, lead_move)
    board = table.board(state)
    bases: list[Base] = []
    shunned: list[Base] = []
    for other in state.groups.values():
        if other.id != group.id:
            enemy = state.hostile(other.owner, group.owner) and other.id not in touched
            (shunned if enemy else bases).extend(board.bases(other.id))
    return Room(
        table.board(state).scenery, lead, spread_of(len(group.figures)), lead_move.heading, tuple(bases), tuple(shunned)
    )


def spread_of(figures: int) -> int:
    """Return the greatest distance from lead to figure, edge to edge, in a group of so many figures."""
    return WIDE_SPREAD if figures > MOST_AT_SPREAD else SPREAD


def touched_by_lead(state: Skirmish, lead_move: LeadMove) -> tuple[GroupId, ...]:
    """Return the enemy groups that the lead touches at the end of its move."""
    arrived = Base(lead_move.lead, lead_move.to, table.radius(state, lead_move.lead))
    return combats.touched_at(state, state.groups[lead_move.group].owner, arrived, state.figures[lead_move.lead].at)


def members(state: Skirmish, lead_move: LeadMove) -> list[Member]:
    """Return the bases that are to stand beside the lead's, each by the first of its figures."""
    return [(body[0], table.radius(state, body[0])) for body in _followers(state, lead_move)]


def _followers(state: Skirmish, lead_move: LeadMove) -> list[tuple[FigureId, ...]]:
    """List the bodies (figures that share a base) of the group, except the lead's."""
    return [body for body in table.bodies(state, state.groups[lead_move.group]) if lead_move.lead not in body]


def _checked(state: Skirmish, lead_move: LeadMove, room: Room, by_hand: dict[FigureId, Base]) -> dict[FigureId, Base]:
    """Return the figures placed by hand; as many may stand outside the room as must. Raises IllegalIntent."""
    usual = _default(state, lead_move, room, {})
    own = [base for id, base in by_hand.items() if usual[id].at != base.at]
    fault = check_placement(room, own)
    outside = [base for base in usual.values() if check_placement(room, [base]) is not None]
    if fault is not None and outside:
        misfits = [base for base in own if check_placement(room, [base]) is not None]
        if len(misfits) <= len(outside):
            fault = check_placement(room, [base for base in own if base not in misfits]) or _fringe_fault(room, misfits)
    fault = fault or _overlap(list(by_hand.values()))
    if fault is not None:
        by = table.in_the_way(state, fault.what)
        raise IllegalIntent(f"place/{fault.reason.value}").showing(by, by_hand[fault.figure].at)
    return by_hand


def _fringe_fault(room: Room, misfits: list[Base]) -> Misplacement | None:
    """Return the fault of figures outside the lead's feature, placed there for want of room in it; None without one."""
    first: Misplacement | None = None
    for outside in with_fringes(room)[1:]:
        fault = check_placement(outside, misfits)
        if fault is None:
            return None
        first = first or fault
    return first or check_placement(room, misfits)


def _overlap(bases: list[Base]) -> Misplacement | None:
    return next(
        (
            Misplacement(one.id, Misplaced.OVERLAP, other.id)
            for number, one in enumerate(bases)
            for other in bases[:number]
            if overlaps(one, other)
        ),
        None,
    )


@implements("AC-MOVE-01")
def _default(state: Skirmish, lead_move: LeadMove, room: Room, placed: Mapping[FigureId, Base]) -> dict[FigureId, Base]:
    """Place the rest: in the room, else outside the lead's feature, else farther off. Raises IllegalIntent."""
    waiting = [member for member in members(state, lead_move) if member[0] not in placed]
    return stood((*with_fringes(room), *farther(room)), waiting, tuple(placed.values()))


@implements("AC-MOVE-01")
def stood(rooms: Iterable[Room], waiting: Sequence[Member], placed: Sequence[Base] = ()) -> dict[FigureId, Base]:
    """Stand figures in the first room where each finds a place, beside those that are placed. Raises IllegalIntent."""
    found = stood_in(rooms, waiting, placed)
    forbid(len(found) < len(waiting), "place/no-room")
    return found


def farther(room: Room) -> list[Room]:
    """Return wider and wider rooms for figures that find no place near their lead."""
    return [msgspec.structs.replace(room, spread=room.spread * times, heading=(0, 0)) for times in FARTHER]
