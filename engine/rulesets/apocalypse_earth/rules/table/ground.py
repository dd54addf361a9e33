"""Terrain as geometry: kinds of pieces, ground that is closed, slow or burning (AE-OPEN-28, AE-MOVE-02)."""

from __future__ import annotations

from typing import Final

from engine.core.rules.implements import implements
from engine.kit.terrain.ground import prepared
from engine.rulesets.apocalypse_earth.state.model import Feature, Terrain
from engine.rulesets.apocalypse_earth.state.state import Battle, Unit
from engine.space.terrain.features import Area, PreparedArea, Scenery, with_areas
from engine.space.vectors.outlines import Outline
from engine.space.vectors.points import Id, Point, divide, floor_sqrt, squared
from protocol.ids import FigureId

FLAME: Final = 25
"""Half the width of the ground along a line that burns."""


def scenery_of(state: Battle) -> Scenery:
    """Return the table's terrain as geometry."""
    kinds, size, laid = state.resolved.terrain, state.resolved.scenario.size, state.features
    return state.resolved.memo.get("scenery", (laid,), lambda: prepared(size, [(f, kinds[f.kind]) for f in laid]))


def kinds_of(state: Battle) -> dict[Id, Terrain]:
    """Return the kind of each piece of terrain by the id of the piece."""
    kinds, laid = state.resolved.terrain, state.features
    return state.resolved.memo.get("kinds", (laid,), lambda: {piece.id: kinds[piece.kind] for piece in laid})


def terrain(state: Battle, feature: Id) -> Terrain:
    """Return the kind of a piece of terrain."""
    return kinds_of(state)[feature]


def feature(state: Battle, id: Id) -> Feature:
    """Return a piece of terrain."""
    return next(piece for piece in state.features if piece.id == id)


def left_of(state: Battle, id: Id) -> tuple[Feature, ...]:
    """Return what is left of a piece of terrain that collapses or burns out."""
    piece, ruin = feature(state, id), terrain(state, id).ruin
    return (Feature(piece.id, ruin, piece.outline),) if ruin else ()


def buildings(state: Battle) -> list[PreparedArea]:
    """Return the buildings that stand."""
    kinds, table = kinds_of(state), scenery_of(state)
    return state.resolved.memo.get("buildings", (table,), lambda: [a for a in table.areas if kinds[a.id].building])


@implements("AE-BLD-01")
def house_at(state: Battle, at: Point) -> PreparedArea | None:
    """Return the building that a figure with its centre there is inside."""
    return next((area for area in buildings(state) if area.holds(at)), None)


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

    return state.resolved.memo.get("flames", (state.features, state.fires), found) if alight else ()


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
