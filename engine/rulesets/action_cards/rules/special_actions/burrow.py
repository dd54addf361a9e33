"""Burrowing and leaping: travel of a group under or over the ground (AC-SPEC-01; details in RULINGS.md)."""

from __future__ import annotations

from functools import partial
from typing import Final

from msgspec.structs import replace

from engine.core.rules.errors import IllegalIntent, forbid, is_legal
from engine.core.rules.implements import implements
from engine.kit.board.board import kept
from engine.rulesets.action_cards.rules.board import followers, hulls, table
from engine.rulesets.action_cards.rules.cards.actions import Choosing
from engine.rulesets.action_cards.rules.movement.moves import LeadMove, allowance_of
from engine.rulesets.action_cards.state.events import GroupMoved
from engine.rulesets.action_cards.state.model import Point
from engine.rulesets.action_cards.state.state import Skirmish
from engine.space.movement.reach import DIRECTIONS, along
from engine.space.placement.figures import Room
from engine.space.terrain.contact import Base, first_overlapped
from engine.space.terrain.features import Scenery, with_areas
from engine.space.terrain.footprints import as_area
from engine.space.vectors.outlines import place_near_outline
from engine.space.vectors.points import box_around, on_segment, squared
from protocol.ids import FigureId, GroupId
from protocol.scene.fields import PickPoint

CLEAR: Final = 100
"""Distance from every other base, edge to edge, at which a group comes up."""
STEPS: Final = 6
"""Distances that the hint tries in each direction."""


@implements("AC-SPEC-01")
def check(state: Skirmish, group_id: GroupId, to: Point | None, how: str = "burrow") -> GroupMoved:
    """Return the group's move to `to`, led by its nearest figure, with all places. Raises IllegalIntent."""
    lead_move = check_lead(state, group_id, to)
    return GroupMoved(group_id, lead_move.lead, lead_move.origin, places(state, lead_move), how)


@implements("AC-SPEC-01")
def check_lead(state: Skirmish, group_id: GroupId, to: Point | None) -> LeadMove:
    """Return the way to `to` of the group's figure that is nearest to it. Raises IllegalIntent."""
    if to is None:
        raise IllegalIntent("burrow/no-place")
    group = state.groups[group_id]
    x, y = to
    standing = [state.figures[id] for id in group.figures]
    _, lead = min([((one.at[0] - x) ** 2 + (one.at[1] - y) ** 2, one.id) for one in standing])
    start, allowance = state.figures[lead].at, allowance_of(state, group)
    forbid(squared(start, to) > allowance * allowance, "burrow/too-far")
    scenery = table.board(state).scenery
    base = Base(lead, to, table.radius(state, lead))
    forbid(not scenery.has_disc(to, base.radius), "burrow/off-table")
    near = scenery.areas_near(box_around(to, base.radius))
    on_vehicle = any(area.impassable and place_near_outline(to, area.outline, base.radius) for area in near)
    on_barrier = any(on_segment(to, a, b) for one in scenery.barriers_near(box_around(to, 0)) for a, b in one.edges)
    forbid(on_barrier or on_vehicle or any(area.holds(to) for area in near), "burrow/not-open-ground")
    is_near = any(place_near_outline(to, hull.outline(), base.radius + CLEAR) for hull in _hulls(state))
    forbid(is_near or first_overlapped(base, _kept_clear(state, group_id)) is not None, "burrow/not-clear")
    return LeadMove(group_id, lead, start, to)


@implements("AC-SPEC-01")
def places(state: Skirmish, lead_move: LeadMove) -> dict[FigureId, Point]:
    """Return where the group comes up: next to its lead, clear of every base. Raises IllegalIntent."""
    group = state.groups[lead_move.group]
    lead = Base(lead_move.lead, lead_move.to, table.radius(state, lead_move.lead))
    spread = followers.spread_of(len(group.figures))
    bases = (*_kept_clear(state, lead_move.group), *_kept_clear_corners(state))
    room = Room(_kept_clear_ground(state), lead, spread, lead_move.heading, bases)
    found = followers.stood((room, *followers.farther(room)), followers.members(state, lead_move))
    return followers.places_of_all(state, lead_move, found)


@kept(table.board)
def _kept_clear(state: Skirmish, group_id: GroupId) -> tuple[Base, ...]:
    """Return all round bases but the group's own, each widened by what must stay free around it."""
    others = [base for id in state.groups if id != group_id for base in table.board(state).bases(id)]
    return tuple([Base(other.id, other.at, other.radius + CLEAR) for other in others])


@kept(table.board)
def _kept_clear_ground(state: Skirmish) -> Scenery:
    """Return the ground with every vehicle on it, widened likewise but for its corners."""
    longer = [replace(hull, length=hull.length + 2 * CLEAR) for hull in _hulls(state)]
    wider = [replace(hull, width=hull.width + 2 * CLEAR) for hull in _hulls(state)]
    return with_areas(table.board(state).ground, map(as_area, (*longer, *wider)))


def _kept_clear_corners(state: Skirmish) -> tuple[Base, ...]:
    """Return what must stay free around the corners of vehicles."""
    return tuple([Base(hull.id, corner, CLEAR) for hull in _hulls(state) for corner in hull.outline()])


@kept(table.board)
def _hulls(state: Skirmish) -> hulls.Hulls:
    return hulls.standing(state.figures.values(), table.board(state).content.profiles)


def travel_field(draft: Choosing, field: PickPoint) -> PickPoint:
    """Fill in a ring of the farthest places that a lead can come up at; the default has room for all."""
    state, group_id = draft.state, draft.group("group")
    middle, reach = table.board(state).standing[group_id].centre, allowance_of(state, state.groups[group_id])
    ring = [place for d in DIRECTIONS[::2] if (place := _comes_up(state, group_id, middle, d, reach)) is not None]
    regions = (tuple(ring),) if len(ring) > 2 else ()
    default = next((place for place in ring if is_legal(partial(check, state, group_id, place))), None)
    return replace(field, regions=regions, start=middle, reach=reach, default=default)


def _comes_up(state: Skirmish, group_id: GroupId, middle: Point, direction: Point, reach: int) -> Point | None:
    for step in range(STEPS, 0, -1):
        place = along(middle, direction, reach * step // STEPS)
        if is_legal(partial(check_lead, state, group_id, place)):
            return place
    return None
