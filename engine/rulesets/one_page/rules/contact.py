"""Assaults: the way into contact, and the places of both units in it (OP-MELEE-01, OP-TERR-01, OP-TERR-03)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from engine.kit.board.board import BOARD, kept
from engine.kit.rules import IllegalIntent, first_passing, forbid, implements
from engine.rulesets.one_page.rules import driving, formations, ground, moving, traits
from engine.rulesets.one_page.state import names, profiles as rules
from engine.rulesets.one_page.state.state import TABLE, Battle, Unit
from engine.space.movement.steering import ROUNDING, Steering, drives_into, touch_of
from engine.space.terrain.contact import TOUCH, Base, contact_point, first_overlapped, first_touched
from engine.space.terrain.features import PreparedArea
from engine.space.vectors.outlines import Outline, contains, nearest_on_edges, point_near_outline
from engine.space.vectors.points import Point, ceil_sqrt, on_ray, squared
from protocol.ids import FigureId, GroupId

STEP_IN: Final = 600
SEARCH: Final = 100
MOST_TRIED: Final = 8
MEET: Final = 3


class Charge(NamedTuple):
    """The way of an assaulting leader, and the places of all models at its end. `path`: of a Vehicle."""

    way: tuple[Point, ...]
    places: dict[FigureId, Point]
    path: driving.VehiclePath | None = None


@implements("OP-ACT-03", "OP-TERR-01")
def check_target(state: Battle, unit: Unit, target: GroupId) -> Unit:
    """Return the target if a unit may assault it. Raises IllegalIntent."""
    found = state.check_foe(unit.owner, target, "assault/no-target")
    forbid(traits.TERROR in unit.effects, "assault/terror")
    inside = unit.where == TABLE and _keeping(state, unit) is not None and shared(state, unit, found) is None
    forbid(inside, "assault/from-cover", names.group_node(target))
    return found


def check_prey(state: Battle, unit: Unit) -> None:
    """Check that some enemy is within the straight distance of an Assault; the ways themselves are checked when one is
    chosen. Raises IllegalIntent."""
    forbid(traits.TERROR in unit.effects, "assault/terror")
    leader, left = state.leader(unit), _left(state, unit)
    limit = moving.allowance(state, unit, "assault")
    reach = limit + traits.radius(state, leader) + _farthest_edge(leader.at, left)
    enemies, pieces = state.enemies(unit.owner), _footprints(state)
    near = [other for other in enemies if _is_in_reach(state, leader.at, reach, other, pieces)]
    if not near:
        raise IllegalIntent("assault/nobody-near", inches=limit // 100)
    inside = _keeping(state, unit) is not None and all(shared(state, unit, other) is None for other in near)
    forbid(inside, "assault/from-cover")


@implements("OP-TERR-01")
def _keeping(state: Battle, unit: Unit) -> PreparedArea | None:
    """Return the piece of cover that a unit must first come out of; None where it may assault from where it is."""
    flies = traits.has(state, unit, rules.FLYING)
    return None if state.resolved.assault_out or flies else ground.cover_at(state, state.leader(unit).at)


@implements("OP-TERR-01")
def _left(state: Battle, unit: Unit) -> PreparedArea | None:
    """Return the piece of cover that a unit assaults out of, where the table allows that: its way is measured from the
    edge."""
    return ground.cover_at(state, state.leader(unit).at) if state.resolved.assault_out else None


def _farthest_edge(at: Point, left: PreparedArea | None) -> int:
    """Return how far it is at most from a place to the edge of the piece that a unit assaults out of; 0 without one."""
    return 0 if left is None else max(ceil_sqrt(squared(at, corner)) for corner in left.outline)


def _is_in_reach(state: Battle, at: Point, reach: int, target: Unit, pieces: Mapping[str, Outline]) -> bool:
    """Tell if some part of a unit is so near. `pieces`: as of `_footprints`."""
    outline = pieces.get(target.id)
    if outline is not None and (contains(at, outline) or point_near_outline(at, outline, reach + MEET)):
        return True
    far = reach + formations.FARTHEST
    if squared(at, state.leader(target).at) > far * far:
        return False
    return any(squared(at, base.at) <= (reach + base.radius + TOUCH) ** 2 for base in traits.bases(state, target))


@kept(BOARD)
def _footprints(state: Battle) -> dict[str, Outline]:
    """Return the outlines of the pieces of cover that units are in, by unit."""
    outlines = {unit.id: ground.footprint(state, unit) for unit in state.standing()}
    return {id: outline for id, outline in outlines.items() if outline is not None}


@implements("OP-TERR-03")
def shared(state: Battle, unit: Unit, target: Unit) -> PreparedArea | None:
    """Return the piece of cover that both units are in, if there is one."""
    own, theirs = ground.piece_of(state, unit), ground.piece_of(state, target)
    return own if own is not None and theirs is not None and own.id == theirs.id else None


@kept(BOARD)
@implements("OP-ACT-03", "OP-MELEE-01")
def check_charge(state: Battle, unit: Unit, target: Unit, via: tuple[Point, ...] = ()) -> Charge:
    """Return the way of a unit into contact with its target; an Assault that cannot reach may not be declared. Raises
    IllegalIntent."""
    at, foes = state.leader(unit).at, traits.bases(state, target)
    if unit.tracked and any(first_touched(base, foes) for base in traits.bases(state, unit)):
        return _stays(state, unit)  # it is in contact already
    moving.check_free(unit)
    limit = moving.allowance(state, unit, "assault")
    if traits.is_vehicle(state, unit):
        return _ram(state, unit, target, limit)
    way = _way(state, unit, target, (at, *via), limit)
    places = around(state, unit, target, way[-1])
    if places is None:
        if shared(state, unit, target) is not None:
            return _stays(state, unit)
        raise IllegalIntent("place/no-room")
    return Charge(way, places)


@implements("OP-MELEE-01", "OP-TERR-03")
def goals(state: Battle, unit: Unit, target: Unit, start: Point) -> list[Point]:
    """Return the leader's possible places in contact, nearest first: at a model, or at the edge of the piece that the
    target is in."""
    leader = state.leader(unit)
    size = traits.radius(state, leader)
    piece = ground.piece_of(state, target)
    if piece is not None and shared(state, unit, target) is None:
        edge = nearest_on_edges(start, piece.edges)
        return [on_ray(edge, start, size + MEET)]
    moving_base = Base(leader.id, start, size)
    bases = sorted(traits.bases(state, target), key=lambda base: squared(base.at, start))
    return [contact_point(moving_base, base) for base in bases[:MOST_TRIED]]


def _stays(state: Battle, unit: Unit) -> Charge:
    at = state.leader(unit).at
    return Charge((at, at), {figure.id: figure.at for figure in state.members(unit)})


def _keeps_dry(state: Battle, unit: Unit, target: Unit) -> bool:
    """Tell if a charge must lead neither into cover nor out of it."""
    return shared(state, unit, target) is None and not traits.has(state, unit, rules.FLYING)


def _way(state: Battle, unit: Unit, target: Unit, begun: tuple[Point, ...], limit: int) -> tuple[Point, ...]:
    dry = _keeps_dry(state, unit, target)
    left = _left(state, unit) if dry else None
    first, *others = goals(state, unit, target, begun[-1])
    # no terrain makes a way shorter, so the others are tried where they are near enough
    tried = [first, *[p for p in others if left is not None or squared(begun[-1], p) < (limit + 1) ** 2]]

    def check(goal: Point) -> tuple[Point, ...]:
        way = (*begun, goal)
        moving.check_way(state, unit, way, limit, {target.id}, dry=dry, left=left)
        return way

    try:
        return first_passing(tried, check, "assault/no-target")
    except IllegalIntent:
        if shared(state, unit, target) is None:
            raise
        return (begun[0], begun[0])  # enemies in one piece are in contact range wherever they stand


@implements("OP-MELEE-01", "OP-MOVE-02")
def around(state: Battle, unit: Unit, target: Unit, lead: Point) -> dict[FigureId, Point] | None:
    """Return the attackers' places around their leader, as near to the enemy as possible; None without room for all."""
    dry = _keeps_dry(state, unit, target)
    room = formations.FormationRoom(state, unit, lead, {target.id}, dry=dry)
    return formations.formed(state, unit, lead, room.fits, [base.at for base in traits.bases(state, target)])


@implements("OP-VEH-03", "OP-MELEE-01")
def _ram(state: Battle, unit: Unit, target: Unit, limit: int) -> Charge:
    """Return a Vehicle's charge: straight on, one turn towards the target, and straight at it. Raises IllegalIntent."""
    figure = state.leader(unit)
    radius, dry = traits.radius(state, figure), _keeps_dry(state, unit, target)
    left = _left(state, unit) if dry else None
    far = limit + _farthest_edge(figure.at, left)
    if not _is_in_reach(state, figure.at, far + radius + ROUNDING, target, _footprints(state)):
        raise IllegalIntent("assault/out-of-reach").showing(at=names.group_node(target.id))
    bases = traits.bases(state, target)
    middle = min((base.at for base in bases), key=lambda at: squared(at, figure.at))
    touch = touch_of(bases, ground.footprint(state, target), radius)

    def check(drive: Steering) -> Charge:
        driven = driving.check_drive(state, unit, drive, limit, {target.id}, dry=dry, left=left)
        end = driven.way[-1]
        forbid(formations.FormationRoom(state, unit, end, {target.id}, dry=dry).fault(end, radius), "move/cover")
        return Charge(driven.way, {figure.id: end}, driven)

    drives = drives_into(figure.at, figure.facing, far, middle, touch, SEARCH)
    return first_passing(drives, check, "assault/out-of-reach")


@implements("OP-MELEE-01")
def step_in(state: Battle, unit: Unit, enemy: Unit) -> dict[FigureId, Point]:
    """Return new places of defending models: in contact if that is within 6 inches and keeps the formation. The leader
    stays, as do models in a piece of cover, single models and Tracked machines."""
    if ground.piece_of(state, unit) is not None:
        return {}
    bases = traits.bases(state, unit)
    room = formations.FormationRoom(state, unit, bases[0].at, {enemy.id})
    return formations.COHERENCY.stepped_in(bases, traits.bases(state, enemy), room.fits, STEP_IN)


@implements("OP-MELEE-05")
def parted(state: Battle, unit: Unit, enemy: Unit) -> dict[FigureId, Point] | None:
    """Return the places of a unit 1 inch from its enemy: unchanged (empty) if it is that far off, else straight back,
    or the nearest free places; None where there are none."""
    foes = traits.bases(state, enemy)
    widened = [Base(base.id, base.at, base.radius + formations.APART) for base in traits.bases(state, unit)]
    if all(first_overlapped(base, foes) is None for base in widened):
        return {}
    leader = state.leader(unit)
    foe = min(foes, key=lambda foe: squared(foe.at, leader.at))
    apart = foe.radius + traits.radius(state, leader) + formations.APART + 1
    wish = on_ray(foe.at, leader.at if leader.at != foe.at else (foe.at[0] + 1, foe.at[1]), apart)
    return formations.nearest_stand(state, unit, wish, STEP_IN, strict=True)
