"""Vehicle bases as obstacles to others: on the ground a piece of terrain to go round, in the air nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from engine.core.rules.implements import implements
from engine.kit.board.sightlines import Sight
from engine.rulesets.action_cards.state.model import Profile, Resolved, Terrain, Vehicle
from engine.rulesets.action_cards.state.state import Figure
from engine.space.sight.lines import Formation
from engine.space.terrain.footprints import BoxBase
from engine.space.vectors.points import squared
from protocol.ids import FigureId

Hulls = tuple[BoxBase, ...]
"""The bases of vehicles."""
KIND: Final = "vehicle"


@implements("AC-MOVE-02", "AC-TERR-01")
def kind(resolved: Resolved) -> Terrain:
    """Return a vehicle as terrain to others: it shields those behind it; nobody walks through or holds it."""
    found = resolved.terrain.get(KIND, Terrain(KIND, "cover", blocks=False))
    return msgspec.structs.replace(found, position=False, impassable=True, shields=True)


def base_of(figure: Figure, vehicle: Vehicle) -> BoxBase:
    """Return the base of a vehicle."""
    return BoxBase(figure.at, figure.facing, vehicle.length, vehicle.width, figure.id)


@implements("AC-MOVE-04")
def is_down(figure: Figure) -> bool:
    """Tell whether a figure is on the ground: only there is it in anybody's way, and holds anything."""
    return not figure.airborne


def standing(figures: Iterable[Figure], profiles: Sequence[Mapping[str, Profile]]) -> Hulls:
    """List the outlines of all vehicles on the ground. `profiles` by seat and id."""
    found = [
        base_of(figure, vehicle)
        for figure in figures
        if (vehicle := profiles[figure.owner][figure.profile].vehicle) is not None and is_down(figure)
    ]
    return tuple(found)


@implements("AC-MOVE-04")
def sight_from_above(shooters: Formation, target: Formation) -> Sight:
    """Return the lines of sight to or from a group in the air, which nothing blocks."""
    lines: list[tuple[FigureId, FigureId]] = []
    for one in shooters.figures:
        nearest = min(target.figures, key=lambda other: (squared(one.at, other.at), other.id))
        lines.append((one.id, nearest.id))
    return Sight(tuple(lines))
