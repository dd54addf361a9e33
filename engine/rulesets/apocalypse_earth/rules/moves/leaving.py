"""Departures from the table, as moves under the eyes of the enemy: of units by an edge that the scenario names, and of
prisoners with their escort by the friendly one (AE-SCEN-04, AE-POW-02)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from engine.kit.rules import Game, Gesture, IllegalIntent, Label, Seat, Verb, forbid, implements
from engine.kit.units import UnitIntent
from engine.rulesets.apocalypse_earth.rules.moves import aftermath, captives, driving, marching, planning
from engine.rulesets.apocalypse_earth.rules.table import hulls, lanes, stands, traits, ways, zones
from engine.rulesets.apocalypse_earth.rules.turns import activations, coherency
from engine.rulesets.apocalypse_earth.rules.turns.picking import able, pick
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.captive_events import PrisonersOut
from engine.rulesets.apocalypse_earth.state.lasting import LEAVES, March, Prisoners
from engine.rulesets.apocalypse_earth.state.state import OVER, POWERS, TABLE, Battle, Earned, Figure, Unit
from engine.rulesets.apocalypse_earth.state.turn_events import PointsEarned, UnitLeft
from engine.space.movement.steering import Course, Leg, turned
from engine.space.vectors.headings import ANGLES, UNIT, ahead, heading
from engine.space.vectors.points import Point, ceil_sqrt, nearest_on_segment, squared
from protocol.ids import FigureId, GroupId

EACH: Final = 5
"""Prisoners that one figure takes off the table."""
WORTH: Final = 8
DEAR: Final = 25
"""AE-OPEN-27: points for a prisoner, and for an officer or psychic."""
NEAR: Final = 10
"""So near to its end a stretch of edge is reached: the place at a distance along a heading is rounded."""
Edge = tuple[Point, Point]
"""A stretch of the edge, from one end to the other."""


class Leave(UnitIntent, frozen=True, tag="ae.leave"):
    """Departure of a unit, with what is left of its move."""


class LeadOff(UnitIntent, frozen=True, tag="ae.lead_off"):
    """Departure of an escort from the table with its prisoners."""


def gap(edge: Edge, places: Iterable[Point]) -> int:
    """Return the distance from the farthest of some places to a stretch of the edge."""
    return max(ceil_sqrt(squared(at, nearest_on_segment(at, *edge))) for at in places)


@implements("AE-SCEN-04", "AE-POW-02")
def departure(state: Battle, unit: Unit, edge: Edge) -> March | Course:
    """Return the way of a unit off the table, by a stretch of the edge. Raises IllegalIntent."""
    return _drive_off(state, unit, edge) if traits.drives(state, unit) else _march_off(state, unit, edge)


@implements("AE-SCEN-04")
def _march_off(state: Battle, unit: Unit, edge: Edge) -> March:
    """Return the way of infantry off the table: each figure goes straight to the nearest point of the edge, until its
    centre is there. Raises IllegalIntent."""
    most = {figure.id: ways.left(state, unit, figure.id) for figure in state.members(unit)}
    free = planning.able_to_go(state, unit)
    for figure in state.members(unit):
        forbid(figure.id not in free or gap(edge, [figure.at]) > most[figure.id], "leave/far", figure.at)
    room, found = stands.StandRoom(state, unit, leaves=True), dict[FigureId, tuple[Point, ...]]()
    for figure in state.members(unit):
        path = ways.routed(state, (figure.at, nearest_on_segment(figure.at, *edge)))
        forbid(ways.cost(state, unit, path) > most[figure.id], "leave/far", figure.at)
        forbid(not room.is_free(figure.at, path), "leave/barred", figure.at)
        found[figure.id] = path
    lead = planning.lead_of(state, unit)
    return March(unit.id, LEAVES, lead, found, most[lead])


@implements("AE-SCEN-04", "AE-OPEN-16")
def _drive_off(state: Battle, unit: Unit, edge: Edge) -> Course:
    """Return the way of a vehicle off the table: it turns on the spot and drives straight on, ahead or back, until its
    centre is at the edge, for as little as it can. Raises IllegalIntent."""
    own = state.leader(unit)
    forbid(not hulls.can_move(unit), "drive/immobile")
    forbid(gap(edge, [own.at]) > ways.left(state, unit, own.id) + hulls.class_of(state, unit).road, "leave/far", own.at)
    barred: IllegalIntent | None = None
    for legs in sorted(_courses(own, edge), key=partial(_price, own.facing)):
        try:
            course = lanes.plan(state, unit, legs, legs[-1].facing, leaves=True)
            lanes.check_crowd(state, unit, course)
        except IllegalIntent as refused:
            barred = barred or refused
        else:
            return course
    raise barred or IllegalIntent("leave/far").showing(at=own.at)


def _courses(own: Figure, edge: Edge) -> Iterator[tuple[Leg, ...]]:
    """Yield the ways of a vehicle whose centre comes to a stretch of the edge by turns on the spot and one straight
    piece."""
    (ax, ay), (bx, by) = edge
    most = lanes.MOST_TURNS * lanes.TURN
    for facing in (one for one in ANGLES if turned(own.facing, one) <= most):
        x, y = heading(facing)
        across = x * (by - ay) - y * (bx - ax)
        along = ((ax - own.at[0]) * (by - ay) - (ay - own.at[1]) * (bx - ax)) * UNIT
        if across:
            far = -(-abs(along) // abs(across)) * (1 if along * across >= 0 else -1)
            end = ahead(own.at, facing, far)
            if squared(end, nearest_on_segment(end, *edge)) <= NEAR * NEAR:
                yield (*_turns(own.facing, facing), Leg(facing, far))


def _turns(old: int, facing: int) -> Iterator[Leg]:
    """Yield the turns on the spot that come before the last one to a heading, the shorter way round."""
    sign = 1 if (facing - old) % 360 <= 180 else -1
    while turned(old, facing) > lanes.TURN:
        old = (old + sign * lanes.TURN) % 360
        yield Leg(old, 0)


def _price(old: int, legs: tuple[Leg, ...]) -> int:
    """Return what a way costs a vehicle with a heading in the open, on wheels or tracks."""
    far = legs[-1].distance
    return (len(legs) - (legs[0].facing == old)) * lanes.TURN_COST + (far if far >= 0 else -2 * far)


async def _go_off(game: Game[Battle], id: GroupId, way: March | Course) -> bool:
    """Move a unit to the edge, as far as the enemy and the ground let it. Return True where it came there."""
    if isinstance(way, Course):
        return await driving.carry_out(game, id, way, how=LEAVES)
    return await marching.carry_out(game, way)


def _gone(game: Game[Battle], id: GroupId) -> None:
    """Take a unit off the table that has come to its edge, with all aboard."""
    game.emit(UnitLeft(id), *[UnitLeft(rider.id) for rider in game.state.riders(id)])


def _stay(game: Game[Battle], id: GroupId) -> None:
    """Leave a unit on the table that has been stopped on its way off it: that was its move."""
    if not traits.drives(game.state, game.state.units[id]):
        coherency.check_figures(game, id)
    aftermath.after_move(game, id)
    activations.take(game, OVER if game.state.units[id].suppressed else POWERS)


@implements("AE-SCEN-04")
def check_leave(state: Battle, seat: int, id: GroupId) -> March | Course:
    """Return the way by which a unit may leave the table now. Raises IllegalIntent."""
    unit = activations.check_step(state, seat, id, POWERS)
    leaves = state.resolved.scenario.seats[unit.owner].leaves
    forbid(not leaves or unit.where != TABLE, "leave/far")
    return departure(state, unit, (leaves[0], leaves[1]))


@implements("AE-SCEN-04", "AE-TURN-02", "AE-OVER-02")
async def leave(game: Game[Battle], seat: Seat, leave: Leave) -> None:
    """Move a unit off the table with all aboard, safe and out of the game, which ends its action, unless it is stopped
    on the way."""
    way = check_leave(game.state, seat, leave.unit)
    leaving = activations.start(game, "leave", leave.unit)
    if await _go_off(game, leave.unit, way):
        _gone(game, leave.unit)
        leaving.resolve("done")
    else:
        _stay(game, leave.unit)
        leaving.resolve("stopped")


@implements("AE-POW-02")
def check_lead_off(state: Battle, seat: int, id: GroupId) -> tuple[list[Prisoners], March | Course]:
    """Return the prisoners that a unit takes off the table, and its way: all are near it, it has figures enough, and
    everybody reaches the friendly edge. Raises IllegalIntent."""
    unit = activations.check_step(state, seat, id, POWERS)
    groups = [group for group in state.prisoners if group.escort == id]
    forbid(not groups or unit.where != TABLE, "escort/none")
    forbid(not all(captives.is_by(state, group, unit) for group in groups), "escort/far")
    held = [state.figures[id].at for group in groups for id in group.figures]
    forbid(EACH * len(unit.figures) < len(held), "escort/few")
    least = min(ways.left(state, unit, figure) for figure in unit.figures)
    edge = zones.edge_of(state, seat)
    forbid(gap(edge, held) > min(least, captives.WALK), "leave/far")
    return groups, departure(state, unit, edge)


@implements("AE-POW-02", "AE-TURN-02")
async def lead_off(game: Game[Battle], seat: Seat, leading: LeadOff) -> None:
    """Take prisoners off the table for their points, unless their escort is stopped on the way; the escort is out of
    the game, unharmed, which ends its action."""
    groups, way = check_lead_off(game.state, seat, leading.unit)
    leaving = activations.start(game, "lead_off", leading.unit)
    if await _go_off(game, leading.unit, way):
        _take_out(game, seat, groups)
        _gone(game, leading.unit)
        leaving.resolve("done")
    else:
        _stay(game, leading.unit)
        leaving.resolve("stopped")


@implements("AE-OPEN-27")
def _take_out(game: Game[Battle], seat: Seat, groups: Iterable[Prisoners]) -> None:
    """Take prisoners off the table, and pay for them."""
    for group in groups:
        points = sum(worth(game.state, game.state.figures[id]) for id in group.figures)
        game.emit(PrisonersOut(group.unit), PointsEarned(Earned(game.state.side(seat), "prisoners", points)))


@implements("AE-OPEN-27")
def worth(state: Battle, figure: Figure) -> int:
    """Return the points that a prisoner brings."""
    own = state.figure_profile(figure)
    return DEAR if own is not None and (own.psi or own.has(profiles.OFFICER)) else WORTH


LEAVE: Final = Verb(
    Label(
        "leave",
        "l",
        "Leave the table",
        "Straight to the edge: out of the game, and safe. Enemies on overwatch may fire.",
        "Take this unit off the table?",
    ),
    leave,
    pick("unit", able(check_leave, POWERS)),
    asks=lambda state, seat: True,
    gesture=Gesture("unit", rank=4, ends=True),
)
LEAD_OFF: Final = Verb(
    Label("lead_off", "x", "Lead prisoners off", "Off your own edge, for points. The unit leaves with them.", "Leave?"),
    lead_off,
    pick("unit", able(check_lead_off, POWERS)),
    gesture=Gesture("unit", rank=8, ends=True),
    asks=lambda state, seat: True,
)
