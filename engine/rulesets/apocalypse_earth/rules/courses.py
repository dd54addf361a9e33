"""Courses of vehicles: straight pieces and turns on the spot, with what they cost (AE-OPEN-16, AE-OPEN-18)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from engine.kit.rules import IllegalIntent, forbid, implements
from engine.rulesets.apocalypse_earth.rules import ground, hulls, lanes, ways
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.state import Battle, Unit
from engine.space.movement.steering import Course, Leg, turned
from engine.space.terrain.features import PreparedArea, PreparedBarrier
from engine.space.terrain.stretches import length_inside
from engine.space.vectors.headings import ANGLES, ahead
from engine.space.vectors.outlines import Outline
from engine.space.vectors.points import Point, box_between, floor_sqrt, squared

TURN: Final = 45
TURN_COST: Final = 300
MOST_TURNS: Final = 3
WHEELED: Final = "wheeled"
WALKER: Final = "walker"
ROAD: Final = "road"


def covered(state: Battle, unit: Unit, course: Course, start: int, end: int) -> list[Outline]:
    """Return the lanes of a course between two distances along it."""
    return [lanes.lane(state, unit, at, *leg) for at, leg in course.pieces(start, end)]


@implements("AE-OPEN-16", "AE-VEH-04")
def plan(state: Battle, unit: Unit, legs: Sequence[Leg], facing: int) -> Course:
    """Return the course of these pieces that ends with this heading. Raises IllegalIntent where it turns too often or
    too far, where something bars it, or beyond the vehicle's movement."""
    own = state.leader(unit)
    around, at, old = lanes.Lanes(state, unit), own.at, own.facing
    way, headings, turns, cost = [at], [], 0, 0
    for heading, distance in (*legs, Leg(facing, 0)):
        forbid(heading not in ANGLES or turned(old, heading) > TURN, "move/turn", at)
        turns += heading != old
        fault = around.fault(at, heading, distance)
        end = ahead(at, heading, distance)
        if fault:
            raise IllegalIntent(f"drive/{fault}").showing(at=end)
        cost += piece_cost(state, unit, at, end, abs(distance)) * (2 if distance < 0 else 1)
        old, at = heading, end
        way.append(end)
        headings.append(heading)
    forbid(turns > MOST_TURNS, "drive/turns")
    if hulls.vehicle(state, unit).kind != WALKER:
        cost += turns * TURN_COST
    most = limit(state, unit, way)
    if cost > most:
        raise IllegalIntent("move/too-far", cost=-(-cost // 100), most=most // 100).showing(at=at)
    return Course(tuple(way[:-1]), tuple(headings[:-1]), facing, cost)


@implements("AE-OPEN-16", "AE-OPEN-28")
def limit(state: Battle, unit: Unit, way: Sequence[Point]) -> int:
    """Return the movement of a vehicle: more where the whole way is on road."""
    bonus = hulls.class_of(state, unit).road
    roads = [area for area in ground.scenery_of(state).areas if ground.terrain(state, area.id).id == ROAD]
    on_road = bonus and all(_on_road(roads, a, b) for a, b in pairwise(way))
    return hulls.allowance(state, unit) + (bonus if on_road else 0)


def _on_road(roads: Sequence[PreparedArea], a: Point, b: Point) -> bool:
    inside = sum(length_inside(a, b, road) for road in roads)
    return any(road.holds(a) for road in roads) if a == b else inside >= floor_sqrt(squared(a, b))


@implements("AE-OPEN-16", "AE-OPEN-18", "AE-MOVE-03")
def piece_cost(state: Battle, unit: Unit, a: Point, b: Point, length: int) -> int:
    """Return what a straight piece of a length costs ahead: more in difficult ground by the vehicle's class, at
    crossings, and twice as much in water that it swims."""
    table, box = ground.scenery_of(state), box_between(a, b)
    own = hulls.class_of(state, unit)
    cost = length + ways.tolls(state, a, b)
    for area in table.areas_near(box):
        kind = ground.terrain(state, area.id)
        percent = _percent(state, unit) if kind.difficult else 100
        if kind.id == lanes.WATER and kind.id not in own.crosses:
            percent = 200
        cost += length_inside(a, b, area) * (percent - 100) // 100
    return cost + sum(_toll(state, unit, one) for one in table.barriers_near(box) if one.crossed_by(a, b))


@implements("AE-OPEN-16", "AE-OPEN-18", "AE-OPEN-19")
def _percent(state: Battle, unit: Unit) -> int:
    """Return what a vehicle pays for difficult ground, in percent: with a failing lift as a wheeled one."""
    if unit.hull.count("lift"):
        return state.resolved.classes[WHEELED].difficult
    if hulls.has(state, unit, profiles.HOVER):
        return 100
    own = hulls.class_of(state, unit)
    return own.heavy if hulls.has(state, unit, profiles.HEAVY) else own.difficult


@implements("AE-OPEN-16", "AE-OPEN-28")
def _toll(state: Battle, unit: Unit, barrier: PreparedBarrier) -> int:
    """Return what a vehicle pays at a hedge, fence or wall: a wall that it flattens has a price of its own."""
    kind, flattens = ground.terrain(state, barrier.id), hulls.class_of(state, unit).flattens
    return flattens if flattens and kind.wall else kind.toll
