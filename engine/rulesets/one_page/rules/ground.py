"""Terrain: pieces, cover, the cost of a way, and closed ground (OP-TERR, OP-OPEN-15)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from engine.core.rules.implements import implements
from engine.kit.board.lead_reach import Slowing
from engine.kit.terrain.ground import prepared
from engine.rulesets.one_page.rules import traits
from engine.rulesets.one_page.state import profiles as rules
from engine.rulesets.one_page.state.model import Terrain
from engine.rulesets.one_page.state.state import TABLE, Battle, Unit
from engine.space.terrain.features import PreparedArea, PreparedBarrier, Scenery, crosses_within
from engine.space.terrain.stretches import length_inside
from engine.space.vectors.outlines import Outline
from engine.space.vectors.points import Point

SHELTER: Final = 100
"""Greatest distance of a base that a barrier protects."""


def scenery_of(state: Battle) -> Scenery:
    """Return the table's terrain as geometry."""
    kinds, size = state.resolved.terrain, state.resolved.scenario.size
    laid = state.features
    return state.resolved.memo.get("scenery", (laid,), lambda: prepared(size, [(f, kinds[f.kind]) for f in laid]))


def terrain(state: Battle, feature: str | int) -> Terrain:
    """Return the kind of a piece of terrain."""
    return state.resolved.terrain[next(f.kind for f in state.features if f.id == feature)]


@implements("OP-TERR-01")
def cover_at(state: Battle, p: Point) -> PreparedArea | None:
    """Return the piece of cover terrain that a centre at p is in, if any."""
    areas = scenery_of(state).areas
    return next((area for area in areas if area.holds(p) and terrain(state, area.id).cover), None)


@implements("OP-TERR-02", "OP-TERR-03")
def piece_of(state: Battle, unit: Unit) -> PreparedArea | None:
    """Return the piece of cover terrain that a unit is in, if any: its leader and at least half of its models are."""
    if unit.where != TABLE:
        return None
    models = state.members(unit)

    def piece() -> PreparedArea | None:
        area = cover_at(state, models[0].at)
        return area if area is not None and 2 * sum(area.holds(model.at) for model in models) >= len(models) else None

    return state.resolved.memo.get("piece", (state.features, *models), piece)


@implements("OP-TERR-03")
def footprint(state: Battle, unit: Unit) -> Outline | None:
    """Return the outline that counts as the unit in measuring: all of the piece of cover that it is in, if any."""
    area = piece_of(state, unit)
    return area.outline if area is not None else None


@implements("OP-TERR-02", "OP-OPEN-15")
def is_covered(state: Battle, unit: Unit, shooter: Point) -> bool:
    """Tell if a unit has cover against shots from a point: it is in a piece of cover, or behind a barrier that its
    leader and at least half of its models are within 1 inch of."""
    if traits.COVERED in unit.effects or piece_of(state, unit) is not None:
        return True
    return any(_shelters(state, barrier, unit, shooter) for barrier in scenery_of(state).barriers)


def _shelters(state: Battle, barrier: PreparedBarrier, unit: Unit, shooter: Point) -> bool:
    if not terrain(state, barrier.id).cover:
        return False
    safe = [
        barrier.near(base.at, base.radius + SHELTER + 1)
        and crosses_within(shooter, base.at, barrier.edges, base.at, base.radius + SHELTER)
        for base in traits.bases(state, unit)
    ]
    return safe[0] and 2 * sum(safe) >= len(safe)


@implements("OP-OPEN-15", "OP-SR-19")
def cost(state: Battle, unit: Unit, start: Point, end: Point) -> int:
    """Return what a straight way costs of a unit's allowance, in hundredths: difficult terrain counts twice, barriers
    have their toll; Strider and Flying ignore both."""
    return slowing(state, unit).cost(scenery_of(state), start, end)


@implements("OP-OPEN-15")
def slowing(state: Battle, unit: Unit) -> Slowing:
    """Return how terrain slows a unit down."""
    return Slowing(
        lambda area: terrain(state, area.id).difficult,
        lambda barrier: terrain(state, barrier.id).toll,
        traits.has(state, unit, rules.STRIDER) or traits.has(state, unit, rules.FLYING),
    )


def cost_inside(state: Battle, unit: Unit, way: Sequence[Point], area: PreparedArea) -> int:
    """Return how much of what a way costs a unit is for its stretches inside a piece."""
    length = sum(length_inside(a, b, area) for a, b in pairwise(way))
    return length if slowing(state, unit).is_eased or not terrain(state, area.id).difficult else 2 * length
