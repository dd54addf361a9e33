"""Terrain as geometry: kinds of pieces, ground that is closed, slow or burning (AE-OPEN-28, AE-MOVE-02)."""

from __future__ import annotations

from engine.core.rules.implements import implements
from engine.kit.terrain.ground import prepared
from engine.rulesets.apocalypse_earth.state.model import Feature, Terrain
from engine.rulesets.apocalypse_earth.state.state import Battle
from engine.space.terrain.features import PreparedArea, Scenery
from engine.space.vectors.points import Id, Point


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


@implements("AE-MOVE-01", "AE-FIRES-03")
def closed(state: Battle) -> list[PreparedArea]:
    """Return the pieces that nobody enters: impassable ones, and those that burn."""
    alight = burning(state)
    return [area for area in scenery_of(state).areas if area.impassable or area.id in alight]
