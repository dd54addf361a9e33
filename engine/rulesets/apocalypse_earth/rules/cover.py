"""Cover of one figure from another, by the ground between them and under it (AE-FIRE-04, AE-FIRE-06)."""

from __future__ import annotations

from functools import partial
from typing import Final

from engine.core.rules.implements import implements
from engine.rulesets.apocalypse_earth.rules import effects, ground, sighting, traits
from engine.rulesets.apocalypse_earth.rules.sighting import BEHIND
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.profiles import COVERS, Cover
from engine.rulesets.apocalypse_earth.state.state import Battle, Figure
from engine.space.sight.cover import Shelter, shelters
from engine.space.terrain.contact import Base
from engine.space.terrain.features import Scenery
from engine.space.terrain.footprints import Footprint, box_of_footprint
from engine.space.vectors.outlines import point_near_outline
from engine.space.vectors.points import Point, squared, widened

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
    return effects.shrouded(state.unit_of(figure.id), _of_place(state, eye, figure))


@implements("AE-FIRE-06", "AE-BLD-02")
def _of_place(state: Battle, eye: Base, figure: Figure) -> Cover:
    if ground.house_at(state, figure.at) is not None:
        return "hard"
    own = traits.base(state, figure)
    near = _near(state, figure, own)
    found: list[Cover] = ["open"]
    if near.areas or near.barriers:
        found += [_of(state, one, eye.at, own) for one in shelters(near, eye, own, BEHIND, BEHIND)]
    vehicles = sighting.hulls(state)
    between = [area for area in vehicles.areas if area.id != figure.id and not area.holds(eye.at)]
    if any(area.pierced_by(eye.at, figure.at) for area in between):
        found.append("hard")
    if _is_camouflaged(state, eye.at, figure):
        found.append("soft")
    return better(*found)


@implements("AE-FIRE-06")
def at_place(state: Battle, eye: Base, at: Point) -> Cover:
    """Return the cover that a figure would have at a place from fire out of another."""
    own = Base(eye.id, at, traits.RADIUS)
    found = [_of(state, one, eye.at, own) for one in shelters(ground.scenery_of(state), eye, own, BEHIND, BEHIND)]
    return better("open", *found)


def _near(state: Battle, figure: Figure, own: Footprint) -> Scenery:
    """Return the terrain that may shelter a figure where it stands: mostly there is none."""
    table = ground.scenery_of(state)
    return state.resolved.memo.get(("near", figure.id), (table, figure), partial(_sorted_out, table, own))


def _sorted_out(table: Scenery, own: Footprint) -> Scenery:
    box = widened(box_of_footprint(own), BEHIND)
    return Scenery(table.width, table.height, table.areas_near(box), table.barriers_near(box))


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
