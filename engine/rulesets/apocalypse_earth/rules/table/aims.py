"""Aims: who of a unit sees whom of another, how far off and in what cover (AE-FIRE-01, -04, -06, -07)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final, NamedTuple

from engine.core.rules.implements import implements
from engine.rulesets.apocalypse_earth.rules.table import ground, sighting, traits
from engine.rulesets.apocalypse_earth.rules.table.sighting import BEHIND
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.profiles import COVERS, Cover, Weapon
from engine.rulesets.apocalypse_earth.state.state import Battle, Figure, Unit
from engine.space.sight.cover import Shelter, shelters
from engine.space.terrain.contact import Base
from engine.space.terrain.features import Scenery
from engine.space.terrain.footprints import Footprint, box_of_footprint
from engine.space.terrain.gaps import shape_gap
from engine.space.vectors.outlines import point_near_outline
from engine.space.vectors.points import Point, squared, widened
from protocol.ids import FigureId

FAR: Final = 2400
"""AE-OPEN-07: beyond this, Camouflage counts as soft cover."""


@implements("AE-FIRE-04")
def worth(cover: Cover) -> int:
    """Return what cover adds to the number to hit."""
    return COVERS.index(cover)


def better(*covers: Cover) -> Cover:
    """Return the best of several covers."""
    return max(covers, key=COVERS.index)


@implements("AE-FIRE-06", "AE-BLD-02")
def cover_of(state: Battle, eye: Base, figure: Figure) -> Cover:
    """Return the cover of a figure or vehicle from fire out of one place: of a figure in a building hard."""
    found: list[Cover] = ["open"]
    if ground.house_at(state, figure.at) is not None:
        found.append("hard")
    else:
        near, own = _near(state, figure), traits.base(state, figure)
        if near.areas or near.barriers:
            found += [_of(state, one, eye.at, own) for one in shelters(near, eye, own, BEHIND, BEHIND)]
        between = [area for area in sighting.hulls(state).areas if area.id != figure.id and not area.holds(eye.at)]
        if any(area.pierced_by(eye.at, figure.at) for area in between):
            found.append("hard")
        if _is_camouflaged(state, eye.at, figure):
            found.append("soft")
    return traits.shrouded(state.unit_of(figure.id), better(*found))


@implements("AE-FIRE-06")
def at_place(state: Battle, eye: Base, at: Point) -> Cover:
    """Return the cover that a figure would have at a place from fire out of another: in a building hard."""
    if ground.house_at(state, at) is not None:
        return "hard"
    own = Base(eye.id, at, traits.RADIUS)
    found = [_of(state, one, eye.at, own) for one in shelters(ground.scenery_of(state), eye, own, BEHIND, BEHIND)]
    return better("open", *found)


def _near(state: Battle, figure: Figure) -> Scenery:
    """Return the terrain that may shelter a figure where it stands: mostly there is none."""
    table = ground.scenery_of(state)

    def found() -> Scenery:
        box = widened(box_of_footprint(traits.base(state, figure)), BEHIND)
        return Scenery(table.width, table.height, table.areas_near(box), table.barriers_near(box))

    return state.resolved.memo.get(("near", figure.id), (table, figure), found)


@implements("AE-FIRE-06")
def _of(state: Battle, shelter: Shelter, eye: Point, own: Footprint) -> Cover:
    """Return what a feature is worth to a figure: a hill shelters those on it near its outline, from fire from off
    it."""
    kind = ground.terrain(state, shelter.id)
    if not kind.hill:
        return kind.cover
    hill = ground.scenery_of(state).area(shelter.id)
    radius = own.radius if isinstance(own, Base) else 0
    is_low = shelter.is_in and not hill.holds(eye) and point_near_outline(own.at, hill.outline, radius + BEHIND + 1)
    return kind.cover if is_low else "open"


@implements("AE-OPEN-07")
def _is_camouflaged(state: Battle, eye: Point, figure: Figure) -> bool:
    if not traits.figure_has(state, figure, profiles.CAMOUFLAGE) or state.unit_of(figure.id).moved:
        return False
    return squared(eye, figure.at) > (FAR + 2 * traits.RADIUS) ** 2


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
    for one, other, eye in sighting.view(state, unit, target):
        gap = shape_gap(one.seat, other.seat)
        for seen in other.figures:
            shelter = cover_of(state, eye, seen)
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
