"""Terrain as geometry: kinds of pieces, ground that is closed, slow or burning (AE-OPEN-28, AE-MOVE-02)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from engine.core.rules.implements import implements
from engine.kit.remembered import remembered
from engine.kit.terrain.ground import prepared
from engine.rulesets.apocalypse_earth.state.model import Feature, Resolved, Terrain
from engine.rulesets.apocalypse_earth.state.state import Battle, Unit
from engine.space.terrain.features import Area, PreparedArea, Scenery, with_areas
from engine.space.vectors.bisection import first_met
from engine.space.vectors.headings import ahead
from engine.space.vectors.outlines import Outline
from engine.space.vectors.points import Id, Point, divide, floor_sqrt, squared
from protocol.ids import FigureId

FLAME: Final = 25
"""Half the width of the ground along a line that burns."""


class LaidTerrain(NamedTuple):
    """The pieces of terrain that lie on a table: their geometry, their kinds by id, the areas that take a toll, the
    buildings, their doors, the building that a place is in, and that which it is in or a door of."""

    scenery: Scenery
    kinds: dict[Id, Terrain]
    tolled: tuple[PreparedArea, ...]
    buildings: tuple[PreparedArea, ...]
    doors: dict[Point, Id]
    house_at: Callable[[Point], PreparedArea | None]
    room_of: Callable[[Point], Id | None]

    def is_within(self, a: Point, b: Point) -> bool:
        """Tell if a straight piece of a way lies inside one building: it costs nothing, and nobody is in its way."""
        house = self.room_of(a)
        return house is not None and house == self.room_of(b)


def layout(state: Battle) -> LaidTerrain:
    """Return the terrain of the table: the same object while no piece changes."""
    found: LaidTerrain = state.resolved.memo.get("layout", (state.features,), _laid, state.resolved, state.features)
    return found


def _laid(resolved: Resolved, features: tuple[Feature, ...]) -> LaidTerrain:
    kinds: dict[Id, Terrain] = {piece.id: resolved.terrain[piece.kind] for piece in features}
    scenery = prepared(resolved.scenario.size, [(piece, resolved.terrain[piece.kind]) for piece in features])
    tolled = tuple([area for area in scenery.areas if kinds[area.id].toll])
    houses = tuple([area for area in scenery.areas if kinds[area.id].building])
    doors = {door: house.id for house in houses for door in doors_of(house)}
    # what moves asks for the same few places again and again
    house_at = remembered(partial(_holding, houses))
    return LaidTerrain(scenery, kinds, tolled, houses, doors, house_at, remembered(partial(_room, doors, house_at)))


@implements("AE-BLD-01")
def doors_of(house: PreparedArea) -> list[Point]:
    """Return the doors of a building: one in the middle of each side."""
    return [((a[0] + b[0]) // 2, (a[1] + b[1]) // 2) for a, b in house.edges]


@implements("AE-BLD-01")
def _holding(houses: tuple[PreparedArea, ...], at: Point) -> PreparedArea | None:
    return next((house for house in houses if house.holds(at)), None)


def _room(doors: dict[Point, Id], house_at: Callable[[Point], PreparedArea | None], at: Point) -> Id | None:
    door = doors.get(at)
    house = house_at(at) if door is None else None
    return house.id if house is not None else door


def scenery_of(state: Battle) -> Scenery:
    """Return the table's terrain as geometry."""
    return layout(state).scenery


def terrain(state: Battle, feature: Id) -> Terrain:
    """Return the kind of a piece of terrain."""
    return layout(state).kinds[feature]


def feature(state: Battle, id: Id) -> Feature:
    """Return a piece of terrain."""
    return next(piece for piece in state.features if piece.id == id)


def left_of(state: Battle, id: Id) -> tuple[Feature, ...]:
    """Return what is left of a piece of terrain that collapses or burns out."""
    piece, ruin = feature(state, id), terrain(state, id).ruin
    return (Feature(piece.id, ruin, piece.outline),) if ruin else ()


def buildings(state: Battle) -> tuple[PreparedArea, ...]:
    """Return the buildings that stand."""
    return layout(state).buildings


def house_at(state: Battle, at: Point) -> PreparedArea | None:
    """Return the building that a figure with its centre there is inside."""
    return layout(state).house_at(at)


@implements("AE-BLD-01")
def way_out(house: PreparedArea, at: Point, facing: int) -> Point:
    """Return the place at which a line from inside a building along a heading comes out of it."""
    left, bottom, right, top = house.box
    far = first_met(lambda distance: not house.holds(ahead(at, facing, distance)), right - left + top - bottom)
    return ahead(at, facing, far)


@implements("AE-VEH-01")
def is_on_hill(state: Battle, at: Point) -> bool:
    """Tell if a place is on a hill."""
    return any(terrain(state, id).hill for id in scenery_of(state).areas_at(at))


def burning(state: Battle) -> frozenset[Id]:
    """Return the ids of pieces that burn."""
    return frozenset([fire.feature for fire in state.fires])


@implements("AE-FIRES-03")
def flames(state: Battle) -> tuple[PreparedArea, ...]:
    """Return the ground that burns: areas, and strips along hedges."""
    alight, table = burning(state), scenery_of(state)

    def found() -> tuple[PreparedArea, ...]:
        lines = [Area(one.id, _along(*edge)) for one in table.barriers if one.id in alight for edge in one.edges]
        strips = with_areas(table, lines).areas[len(table.areas) :]
        return (*[area for area in table.areas if area.id in alight], *strips)

    return state.resolved.memo.get("flames", (state.features, state.fires), found)


def _along(a: Point, b: Point) -> Outline:
    """Return the corners of a burning strip along a line."""
    length = floor_sqrt(squared(a, b))
    x, y = divide((a[1] - b[1]) * FLAME, length), divide((b[0] - a[0]) * FLAME, length)
    return (a[0] - x, a[1] - y), (b[0] - x, b[1] - y), (b[0] + x, b[1] + y), (a[0] + x, a[1] + y)


@implements("AE-FIRES-03")
def in_fire(state: Battle, unit: Unit) -> list[FigureId]:
    """Return the figures of a unit that are caught in a fire."""
    burning = flames(state)
    return [figure.id for figure in state.members(unit) if any(area.holds(figure.at) for area in burning)]


@implements("AE-MOVE-01", "AE-FIRES-03")
def closed(state: Battle) -> list[PreparedArea]:
    """Return the pieces that nobody enters: impassable ones, and those that burn."""
    return [*[area for area in scenery_of(state).areas if area.impassable], *flames(state)]
