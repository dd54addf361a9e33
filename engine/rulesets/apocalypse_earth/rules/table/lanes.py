"""Courses and lanes of vehicles: straight pieces and turns, what they cost, the ground that is covered, what bars it,
and who steps aside (AE-OPEN-16, AE-OPEN-18)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Final

from engine.kit.rules import Game, IllegalIntent, forbid, implements
from engine.rulesets.apocalypse_earth.rules.table import ground, hiding, hulls, meetings, stands, traits, ways
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.state import Battle, Figure, Unit
from engine.rulesets.apocalypse_earth.state.turn_events import FiguresMoved
from engine.rulesets.apocalypse_earth.state.vehicle_events import VehicleDriven
from engine.space.movement.steering import Course, Leg, turned
from engine.space.terrain.contact import Base
from engine.space.terrain.features import PreparedArea, PreparedBarrier
from engine.space.terrain.stretches import length_inside
from engine.space.vectors.bisection import first_met
from engine.space.vectors.headings import ANGLES, ahead, rectangle
from engine.space.vectors.outlines import Outline, outlines_overlap, place_near_outline
from engine.space.vectors.points import Point, box_between, box_of, floor_sqrt, in_box, squared, widened
from protocol.ids import FigureId, GroupId

ASIDE: Final = 600
"""Greatest distance by which a figure steps aside."""
SHORT: Final = 100
"""A vehicle stops so far from engaged figures."""
WATER: Final = "water"
TURN: Final = 45
TURN_COST: Final = 300
MOST_TURNS: Final = 3
WHEELED: Final = "wheeled"
WALKER: Final = "walker"
ROAD: Final = "road"


def lane(state: Battle, unit: Unit, at: Point, facing: int, distance: int) -> Outline:
    """Return the ground that a vehicle covers on a straight way from a place; backwards below 0."""
    profile = hulls.vehicle(state, unit)
    half = profile.length // 2
    return rectangle(at, facing, half - min(0, distance), half + max(0, distance), profile.width)


@implements("AE-OPEN-16", "AE-OPEN-18", "AE-MOVE-03")
def may_enter(state: Battle, unit: Unit, area: PreparedArea) -> bool:
    """Tell if the centre of a vehicle may enter a piece of terrain: not what its class does not enter, what is closed
    to all, or what burns."""
    kind = ground.terrain(state, area.id)
    own = hulls.class_of(state, unit)
    if area.id in ground.burning(state) or kind.id in own.bars:
        return False
    # what is impassable, and not solid, is water
    return not kind.impassable or kind.id in own.crosses or hulls.has(state, unit, profiles.AMPHIBIOUS)


class Lanes:
    """Obstacles in the lanes of a vehicle, as its seat knows the table; of one that is out of control (`loose`) only
    what is impassable, of one that `leaves` not the end of the table."""

    def __init__(self, state: Battle, unit: Unit, *, loose: bool = False, leaves: bool = False) -> None:
        self.state = state
        self.unit = unit
        self.leaves = leaves
        self.table = ground.scenery_of(state)
        self.solid = [area for area in self.table.areas if _is_solid(state, area)]
        shut = [area for area in self.table.areas if not may_enter(state, unit, area)]
        self.shut = [area for area in shut if area.impassable or not loose]
        bars = () if loose else hulls.class_of(state, unit).bars
        self.walls = [one for one in self.table.barriers if ground.terrain(state, one.id).id in bars]
        others = [one for one in state.seen(unit.owner) if one.id != unit.id]
        self.hulls = [hulls.base_of(state, one).outline() for one in others if traits.drives(state, one)]
        self.figures = [
            (one, figure) for one in others if not traits.drives(state, one) for figure in state.members(one)
        ]

    @implements("AE-OPEN-16")
    def fault(self, at: Point, facing: int, distance: int) -> str:
        """Return the code of what bars a straight way, "" where nothing does."""
        covered, end = lane(self.state, self.unit, at, facing, distance), ahead(at, facing, distance)
        if not self.leaves and not self._has(lane(self.state, self.unit, end, facing, 0)):
            return "off-table"
        if any(outlines_overlap(covered, area.outline) for area in self.solid):
            return "impassable"
        if any(outlines_overlap(covered, outline) for outline in self.hulls):
            return "vehicle"
        shut = any(area.pierced_by(at, end) for area in self._shut_from(at))
        if shut or any(wall.crossed_by(at, end) for wall in self.walls):
            return "ground"
        return "figures" if any(True for _ in self._standing_fast(covered)) else ""

    def _has(self, outline: Outline) -> bool:
        """Tell if an outline lies on the table."""
        return all(0 <= x <= self.table.width and 0 <= y <= self.table.height for x, y in outline)

    @implements("AE-FIRES-03")
    def _shut_from(self, at: Point) -> Iterator[PreparedArea]:
        """Yield the ground that bars a way from a place: out of a fire that has caught the vehicle it may drive."""
        burning = ground.burning(self.state)
        return (area for area in self.shut if not (area.id in burning and area.holds(at)))

    @implements("AE-OPEN-16")
    def _standing_fast(self, covered: Outline) -> Iterator[FigureId]:
        """Yield the figures in a lane, or near it, that do not step aside: engaged ones and those in cover."""
        for unit, figure in self._close_to(covered):
            engaged = self.state.combat_of(unit.id) is not None
            is_near = place_near_outline(figure.at, covered, traits.RADIUS + (SHORT if engaged else 0))
            if is_near and (engaged or hiding.is_covered(self.state, figure.at)):
                yield figure.id

    def _close_to(self, covered: Outline) -> list[tuple[Unit, Figure]]:
        """Return the figures that may be in a lane or near it, by its box: most are far from it."""
        box = widened(box_of(covered), traits.RADIUS + SHORT)
        return [(unit, figure) for unit, figure in self.figures if in_box(figure.at, box)]

    @implements("AE-OPEN-16")
    def asides(self, covered: Sequence[Outline], coming: Sequence[Outline] = ()) -> dict[FigureId, Point] | None:
        """Return the nearest free places outside some lanes, and outside those to come, for the figures in them that
        step aside; None where one finds none near enough."""
        found: dict[FigureId, Point] = {}
        for lane in covered:
            fast = {*self._standing_fast(lane), *found}
            near = self._close_to(lane)
            inside = [(unit, one) for unit, one in near if place_near_outline(one.at, lane, traits.RADIUS)]
            for unit, figure in inside:
                if figure.id not in fast:
                    at = _aside(self.state, unit, figure.id, [*covered, *coming], [*found.values()])
                    if at is None:
                        return None
                    found[figure.id] = at
        return found


def _is_solid(state: Battle, area: PreparedArea) -> bool:
    """Tell if no part of a vehicle may be over a piece of terrain: a building or a wreck."""
    kind = ground.terrain(state, area.id)
    return kind.building or (kind.impassable and kind.cover != "open")


def _aside(
    state: Battle, unit: Unit, figure: FigureId, lanes: Sequence[Outline], taken: Collection[Point]
) -> Point | None:
    foes = frozenset([other.id for other in state.standing() if state.hostile(other.owner, unit.owner)])

    def is_out(at: Point) -> bool:
        return not any(place_near_outline(at, outline, traits.RADIUS) for outline in lanes)

    return stands.free_place(state, unit, figure, is_out, ASIDE, taken, stands.StandRoom(state, unit, foes))


@implements("AE-OPEN-16")
def make_way(game: Game[Battle], id: GroupId, passed: Sequence[Outline], coming: Sequence[Outline] = ()) -> bool:
    """Let figures in the lanes that a vehicle passes step aside, out of those to come too; hidden ones reveal
    themselves. Return False where one of them would have come too near to hidden enemies: these are revealed, and
    nobody has moved yet."""
    found, before = Lanes(game.state, game.state.units[id]).asides(passed, coming) or {}, game.state
    by_unit: dict[GroupId, dict[FigureId, Point]] = {}
    for figure, at in found.items():
        by_unit.setdefault(game.state.unit_of(figure).id, {})[figure] = at
    for unit, places in by_unit.items():
        for met in hiding.met_by(before, before.units[unit].owner, meetings.discs(places)):
            hiding.reveal(game, met, "met")
    if game.state is not before:
        return False
    for unit, places in by_unit.items():
        hiding.reveal(game, unit, "acts")
        game.emit(FiguresMoved(unit, places, "aside"))
    return True


@implements("AE-OPEN-19")
def run_on(game: Game[Battle], id: GroupId, distance: int) -> int:
    """Let a vehicle roll straight ahead, out of control: over infantry, up to what bars it, hidden enemies that it
    meets on its way among that. Return how far."""
    gone = 0
    while far := _comes(game.state, game.state.units[id], distance - gone):
        unit = game.state.units[id]
        own = game.state.leader(unit)
        met = meetings.along(game.state, unit.owner, far, partial(_ahead_of, game.state, unit))
        leg = min(met, default=far)
        if make_way(game, id, [lane(game.state, unit, own.at, own.facing, leg)]):
            game.emit(VehicleDriven(id, ahead(own.at, own.facing, leg), own.facing))
            gone += leg
            for hidden in met.get(leg, ()):
                hiding.reveal(game, hidden, "met")
    return gone


def _comes(state: Battle, unit: Unit, distance: int) -> int:
    """Return how far a vehicle out of control comes straight ahead, as its seat knows the table."""
    own, around = state.leader(unit), Lanes(state, unit, loose=True)

    def is_barred(far: int) -> bool:
        stuck = around.asides([lane(state, unit, own.at, own.facing, far)]) is None
        return stuck or bool(around.fault(own.at, own.facing, far))

    return first_met(is_barred, distance + 1) - 1


def _ahead_of(state: Battle, unit: Unit, far: int) -> list[Base]:
    """Return the disc around a vehicle that has come so far straight ahead."""
    base = hulls.base_of(state, unit)
    return [Base(base.id, ahead(base.at, base.facing, far), base.radius_around)]


def covered(state: Battle, unit: Unit, course: Course, start: int, end: int) -> list[Outline]:
    """Return the lanes of a course between two distances along it."""
    return [lane(state, unit, at, *leg) for at, leg in course.pieces(start, end)]


@implements("AE-OPEN-16")
def check_crowd(state: Battle, unit: Unit, course: Course) -> None:
    """Check that all figures in the lanes of a course find room to step aside. Raises IllegalIntent."""
    found = Lanes(state, unit).asides(covered(state, unit, course, 0, course.length))
    forbid(found is None, "drive/crowd", course.way[-1])


@implements("AE-OPEN-16", "AE-VEH-04")
def plan(state: Battle, unit: Unit, legs: Sequence[Leg], facing: int, *, leaves: bool = False) -> Course:
    """Return the course of these pieces that ends with this heading, off the table where the vehicle `leaves`. Raises
    IllegalIntent where it turns too often or too far, where something bars it, or beyond what is left of the vehicle's
    movement."""
    own = state.leader(unit)
    around, at, old = Lanes(state, unit, leaves=leaves), own.at, own.facing
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
    most = reserve(state, unit, way)
    if cost > most:
        raise IllegalIntent("move/too-far", cost=-(-cost // 100), most=most // 100).showing(at=at)
    return Course(tuple(way[:-1]), tuple(headings[:-1]), facing, cost)


@implements("AE-OPEN-16")
def reserve(state: Battle, unit: Unit, way: Sequence[Point]) -> int:
    """Return what is left of a vehicle's movement for a way; the bonus of a road only where it has been on road from
    the start, as far as what it has spent tells."""
    spent = sum(state.spent_by(unit).values())
    most = hulls.allowance(state, unit)
    return (most if 0 < spent <= most else limit(state, unit, way)) - spent


@implements("AE-OPEN-16")
def limit(state: Battle, unit: Unit, way: Sequence[Point]) -> int:
    """Return the movement of a vehicle: more where the whole way is on road."""
    roads = [area for area in ground.scenery_of(state).areas if ground.terrain(state, area.id).id == ROAD]
    on_road = all(_on_road(roads, a, b) for a, b in pairwise(way))
    return hulls.allowance(state, unit) + (hulls.class_of(state, unit).road if on_road else 0)


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
        if kind.id == WATER and kind.id not in own.crosses:
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


@implements("AE-OPEN-16")
def _toll(state: Battle, unit: Unit, barrier: PreparedBarrier) -> int:
    """Return what a vehicle pays at a hedge, fence or wall: a wall that it flattens has a price of its own."""
    kind, flattens = ground.terrain(state, barrier.id), hulls.class_of(state, unit).flattens
    return flattens if flattens and kind.wall else kind.toll
