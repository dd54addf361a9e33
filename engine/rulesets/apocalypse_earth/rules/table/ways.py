"""Ways of figures: doors and room of buildings, and what a way costs (AE-BLD-01, AE-MOVE-02, AE-MOVE-03)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from engine.core.rules.implements import implements
from engine.rulesets.apocalypse_earth.rules.table import ground, hulls, traits
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.state import Battle, Unit
from engine.space.movement.ways import ground_cost
from engine.space.terrain.features import PreparedArea, meeting
from engine.space.terrain.stretches import stretches
from engine.space.vectors.outlines import segment_near_outline
from engine.space.vectors.points import Id, Point, box_between, floor_sqrt, squared
from protocol.ids import FigureId

TOLL: Final = 200
"""AE-BLD-01: what a way in or out costs."""


def house_of(state: Battle, at: Point) -> Id | None:
    """Return the building that a place is in, its doors included; None outside."""
    return ground.layout(state).room_of(at)


@implements("AE-BLD-01")
def routed(state: Battle, path: Sequence[Point]) -> tuple[Point, ...]:
    """Return a way with the doors put in by which it leads in and out of buildings: of those that are in view from
    outside the nearest."""
    found, room_of = [path[0]], ground.layout(state).room_of
    for a, b in pairwise(path):
        left, entered = room_of(a), room_of(b)
        if left != entered:
            found += [*_door(state, left, a, b), *_door(state, entered, b, a)]
        found.append(b)
    return tuple(found)


def _door(state: Battle, house: Id | None, inner: Point, outer: Point) -> list[Point]:
    """Return the door of a building for a way between a place in it and one outside; none where it begins or ends in
    one, or no door is in view."""
    if house is None or inner in ground.layout(state).doors:
        return []
    area = ground.scenery_of(state).area(house)
    seen = [door for door in ground.doors_of(area) if not area.pierced_by(outer, door)]
    return [min(seen, key=lambda door: squared(door, outer))] if seen else []


@implements("AE-BLD-01")
def bars(state: Battle, house: PreparedArea, a: Point, b: Point, radius: int) -> bool:
    """Tell if the walls of a building bar a straight piece of a way: all but what lies inside, or leads straight off a
    door."""
    inner = [house_of(state, at) == house.id for at in (a, b)]
    if all(inner):
        return False
    if any(inner):
        return (a if inner[0] else b) not in ground.layout(state).doors or house.pierced_by(a, b)
    return segment_near_outline(a, b, house.outline, radius)


@implements("AE-BLD-01")
def room_in(state: Battle, unit: Unit) -> dict[Id, int]:
    """Return for how many figures of a unit there is room in each building, as its seat knows the table: none where an
    enemy is inside."""
    laid = ground.layout(state)
    found = {house.id: laid.kinds[house.id].room for house in laid.buildings}
    for other in state.seen(unit.owner) if found else ():
        if other.id != unit.id:
            for figure in state.members(other):
                house = laid.house_at(figure.at)
                if house is not None:
                    taken = found[house.id] if state.hostile(other.owner, unit.owner) else 1
                    found[house.id] = max(0, found[house.id] - taken)
    return found


@implements("AE-BLD-01")
def overfull(state: Battle, room: Mapping[Id, int], places: Iterable[Point]) -> bool:
    """Tell if more figures would be in a building than it has room for."""
    house_at = ground.layout(state).house_at
    inside = [house.id for at in places if (house := house_at(at)) is not None]
    return any(inside.count(id) > room[id] for id in set(inside))


def left(state: Battle, unit: Unit, figure: FigureId) -> int:
    """Return what a figure of a unit, or a vehicle, has left of its movement."""
    most = hulls.allowance(state, unit) if traits.drives(state, unit) else traits.allowance(state, unit)
    return most - state.spent_by(unit).get(figure, 0)


@implements("AE-MOVE-02", "AE-MOVE-03")
def cost(state: Battle, unit: Unit, path: Sequence[Point]) -> int:
    """Return what a path costs a figure of a unit, in hundredths: difficult ground counts twice unless it has
    Fieldcraft, each crossing and each door has its toll, the floor of a building costs nothing."""
    laid = ground.layout(state)

    def slowed(area: PreparedArea) -> bool:
        return laid.kinds[area.id].difficult and not traits.all_have(state, unit, profiles.FIELDCRAFT)

    total = 0
    for a, b in pairwise(path):
        if not laid.is_within(a, b):
            total += ground_cost(laid.scenery, (a, b), slowed, lambda barrier: laid.kinds[barrier.id].toll)
            total += tolls(state, a, b) + TOLL * sum([laid.room_of(at) is not None for at in (a, b)])
    return total


@implements("AE-MOVE-02")
def tolls(state: Battle, a: Point, b: Point) -> int:
    """Return the tolls for going in and out of areas on a straight piece. Who stands on an outline is in the area."""
    laid = ground.layout(state)
    near = meeting(box_between(a, b), laid.tolled) if a != b else ()
    return sum([laid.kinds[area.id].toll * _crossings(a, b, area) for area in near])


def _crossings(a: Point, b: Point, area: PreparedArea) -> int:
    """Return how often a straight piece goes into an area or out of it: each stretch in it has two ends, one fewer
    where the piece begins or ends within."""
    inside, length = stretches(a, b, area), floor_sqrt(squared(a, b))
    held = [area.holds(a), area.holds(b)]
    # an end on the outline from where the piece leads outside is a stretch without a length
    touched = [held[0] and (not inside or inside[0][0] > 0), held[1] and (not inside or inside[-1][1] < length)]
    return 2 * (len(inside) + sum(touched)) - sum(held)
