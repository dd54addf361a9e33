"""Aims: which figures of a unit see which of another, how far off and in what cover (AE-FIRE-01, AE-FIRE-07)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from engine.core.rules.implements import implements
from engine.rulesets.apocalypse_earth.rules import cover, sighting
from engine.rulesets.apocalypse_earth.state.profiles import COVERS, Cover, Weapon
from engine.rulesets.apocalypse_earth.state.state import Battle, Unit
from engine.space.terrain.gaps import shape_gap
from protocol.ids import FigureId


class Aim(NamedTuple):
    """A figure that sees another one: the gap between them, in hundredths, and the cover of the second."""

    figure: FigureId
    target: FigureId
    gap: int
    cover: Cover


def aims(state: Battle, unit: Unit, target: Unit) -> tuple[Aim, ...]:
    """Return every pair of figures of two units of which the first sees the second."""
    found: tuple[Aim, ...] = state.board.get(("aims", unit.id, target.id), (), partial(_aims, state, unit, target))
    return found


@implements("AE-FIRE-01", "AE-FIRE-06")
def _aims(state: Battle, unit: Unit, target: Unit) -> tuple[Aim, ...]:
    found: list[Aim] = []
    for one, other, eye in sighting.view(state, unit, target).pairs:
        gap = shape_gap(one.seat, other.seat)
        for seen in other.figures:
            shelter = cover.cover_of(state, eye, seen)
            found += [Aim(figure.id, seen.id, gap, shelter) for figure in one.figures]
    return tuple(found)


@implements("AE-FIRE-07")
def within(found: Iterable[Aim], weapon: Weapon) -> list[Aim]:
    """Return the aims that are within a weapon's range."""
    return [aim for aim in found if weapon.least <= aim.gap <= weapon.range]


@implements("AE-FIRE-07", "AE-OVER-02")
def classes(found: Iterable[Aim]) -> dict[Cover, list[FigureId]]:
    """Return the visible figures by their cover, the least first."""
    by_cover: dict[Cover, dict[FigureId, None]] = {}
    for aim in found:
        by_cover.setdefault(aim.cover, {})[aim.target] = None
    return {cover: list(by_cover[cover]) for cover in COVERS if cover in by_cover}
