"""Lines of sight between figures, and distances to and from buildings (AE-FIRE-08, AE-GEN-01)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Final, NamedTuple

from engine.core.rules.implements import implements
from engine.kit.board import lookouts as kit
from engine.kit.board.board import kept
from engine.rulesets.apocalypse_earth.rules.table import ground, traits
from engine.rulesets.apocalypse_earth.state import names
from engine.rulesets.apocalypse_earth.state.state import TABLE, Battle, Figure, Unit
from engine.space.sight.cover import shelters
from engine.space.sight.cuts import Cut, Foliage, Low, Smoke
from engine.space.sight.lines import SightLines, formation
from engine.space.sight.visible import visible_ground
from engine.space.terrain.contact import Base
from engine.space.terrain.features import PreparedArea, Scenery, with_areas
from engine.space.terrain.footprints import BoxBase, Footprint, as_area, eyes_of
from engine.space.terrain.gaps import Shape, shape_gap, shapes_gap
from engine.space.vectors.hulls import edges_of
from engine.space.vectors.outlines import Outline
from engine.space.vectors.points import Point
from protocol.ids import NO_FIGURE, NO_GROUP, FigureId, NodeId

THROUGH: Final = 600
"""AE-FIRE-08: how much dense foliage is seen through."""
BEHIND: Final = 200
"""AE-FIRE-06, -08: so close behind something a base is sheltered by it."""


class Lookout(NamedTuple):
    """Figures that look out from the same places: one by itself, or all in one building. `seat`: where their fire comes
    from, and to where distances are measured."""

    eyes: tuple[Base, ...]
    figures: tuple[Figure, ...]
    seat: Shape


@implements("AE-BLD-01", "AE-GEN-01")
def lookouts_of(state: Battle, unit: Unit) -> list[Lookout]:
    """Return the places from which the figures of a unit see and are seen: of those in a building its corners and the
    middles of its sides, of a vehicle its centre and corners."""
    table = ground.scenery_of(state)
    members = tuple(state.members(unit))
    return state.resolved.memo.get("lookouts", (table, *members), _lookouts, state, members)


def _lookouts(state: Battle, members: Iterable[Figure]) -> list[Lookout]:
    found: list[Lookout] = []
    inside: dict[str, list[Figure]] = {}
    for figure in members:
        house = ground.house_at(state, figure.at)
        if house is not None:
            inside.setdefault(str(house.id), []).append(figure)
        else:
            found.append(Lookout(eyes_of(traits.base(state, figure)), (figure,), traits.shape(state, figure)))
    for id, figures in inside.items():
        outline = ground.scenery_of(state).area(id).outline
        found.append(Lookout(openings(outline, figures[0].id), tuple(figures), outline))
    return found


@implements("AE-BLD-01")
def openings(outline: Outline, id: FigureId = NO_FIGURE) -> tuple[Base, ...]:
    """Return the places from which a building is looked out of, and into: its corners and the middles of its sides."""
    middles = [((a[0] + b[0]) // 2, (a[1] + b[1]) // 2) for a, b in edges_of(outline)]
    return tuple([Base(id, at, 1) for at in (*outline, *middles)])


@kept(attrgetter("resolved.memo"), "features", "fires", "clouds")
@implements("AE-FIRE-08")
def cuts(state: Battle) -> tuple[Cut, ...]:
    """Return what ends lines of sight beside buildings and hills: foliage, smoke, and burning ground."""
    table = ground.scenery_of(state)
    woods = tuple([area for area in table.areas if ground.terrain(state, area.id).foliage])
    hills = tuple([area for area in table.areas if ground.terrain(state, area.id).hill])
    low = [Low(area.id, area, hills) for area in ground.flames(state)]
    smoke = [Smoke(cloud.id, cloud.at, cloud.radius) for cloud in state.clouds]
    return (*([Foliage("foliage", woods, THROUGH)] if woods else []), *low, *smoke)


@kept(attrgetter("board"))
@implements("AE-FIRE-08")
def hulls(state: Battle) -> Scenery:
    """Return a table with the vehicles on it alone: the same object while none of them moves."""
    bases = [traits.bases(state, unit) for unit in state.standing() if traits.drives(state, unit)]
    return state.resolved.memo.get("hulls", tuple(bases), _boxed, state, bases)


def _boxed(state: Battle, bases: Iterable[tuple[Footprint, ...]]) -> Scenery:
    boxes = [base for own in bases for base in own if isinstance(base, BoxBase)]
    return with_areas(Scenery(*state.resolved.scenario.size, (), ()), map(as_area, boxes))


Sight = tuple[Lookout, Lookout, Base]
"""Figures that see others, with the eye from which they do."""


def view(state: Battle, unit: Unit, target: Unit) -> tuple[Sight, ...]:
    """Return the sight of a unit on another: pairs of lookouts of which the first sees the second. It is worked out
    anew only where one of the two, a vehicle or what ends lines of sight has changed."""
    watching, watched = lookouts_of(state, unit), lookouts_of(state, target)
    of = (watching, watched, cuts(state), hulls(state))
    return state.resolved.memo.get("view", of, _view, state, watching, watched)


@implements("AE-FIRE-08")
def _view(state: Battle, watching: Sequence[Lookout], watched: Sequence[Lookout]) -> tuple[Sight, ...]:
    ones = [(one, eye) for one in watching for eye in one.eyes]
    others = [(one, eye) for one in watched for eye in one.eyes]
    lines = _lines(state, [eye for _, eye in ones], [eye for _, eye in others])
    vehicles = hulls(state)
    found: dict[tuple[int, int], Sight] = {}
    for shooter, (one, eye) in enumerate(ones):
        for number, (other, seen) in enumerate(others):
            pair = (id(one), id(other))
            if pair not in found and lines.sees(shooter, number):
                # no vehicle stands directly before the target
                own = {figure.id for figure in (*one.figures, *other.figures)}
                if not vehicles.areas or not shelters(vehicles, eye, seen, BEHIND, without=own):
                    found[pair] = (one, other, eye)
    return tuple(found.values())


def _lines(state: Battle, eyes: Sequence[Base], spots: Sequence[Base]) -> SightLines:
    table = ground.scenery_of(state)
    return SightLines(table, formation(NO_GROUP, eyes), formation(NO_GROUP, spots), (), cuts=cuts(state))


def sees(state: Battle, unit: Unit, target: Unit) -> bool:
    """Tell if any figure of a unit sees any figure of another."""
    return bool(view(state, unit, target))


@implements("AE-FIRE-08")
def sees_point(state: Battle, figure: Figure, at: Point) -> bool:
    """Tell if a figure would see another that stands at a place in the open."""
    return _sees_any(state, figure, (Base(figure.id, at, traits.RADIUS),))


@implements("AE-BLD-02", "AE-FIRE-08")
def sees_house(state: Battle, figure: Figure, house: PreparedArea) -> bool:
    """Tell if a figure sees a building."""
    return _sees_any(state, figure, openings(house.outline))


def _sees_any(state: Battle, figure: Figure, spots: Sequence[Base]) -> bool:
    all_eyes = [(one, eye) for one in lookouts_of(state, state.unit_of(figure.id)) for eye in one.eyes]
    eyes = [eye for one, eye in all_eyes if figure in one.figures]
    lines = _lines(state, eyes, spots)
    return any(lines.sees(eye, spot) for eye in range(len(eyes)) for spot in range(len(spots)))


@implements("AE-GEN-01")
def shape(state: Battle, figure: Figure) -> Shape:
    """Return what is measured to and from: the base of a figure, or the outline of the building that it is inside."""
    house = ground.house_at(state, figure.at)
    return house.outline if house is not None else traits.shape(state, figure)


@implements("AE-GEN-01")
def gap_to_point(state: Battle, figure: Figure, at: Point) -> int:
    """Return the distance of a figure to a point."""
    return shape_gap(shape(state, figure), Base(NO_FIGURE, at, 0))


@implements("AE-GEN-01")
def distance(state: Battle, unit: Unit, target: Unit) -> int:
    """Return the distance from the nearest figure of a unit to the nearest of another."""
    ones, others = lookouts_of(state, unit), lookouts_of(state, target)
    return state.resolved.memo.get("distance", (ones, others), _distance, ones, others)


def _distance(ones: Sequence[Lookout], others: Sequence[Lookout]) -> int:
    return shapes_gap([one.seat for one in ones], [other.seat for other in others])


def lookouts(state: Battle, subject: NodeId) -> tuple[Point, ...]:
    """Return the places from which a unit looks out, its leader's first; none of one that is not on the table."""
    unit = state.units.get(names.group_of(subject))
    if unit is None or unit.where != TABLE or any(figure.at[0] < 0 for figure in state.members(unit)):
        return ()
    return kit.lookouts([eye.at for one in lookouts_of(state, unit) for eye in one.eyes])


def seen_from(state: Battle, subject: NodeId, at: Point) -> Outline:
    """Return the ground that a unit sees from one of its lookouts."""
    unit = state.units[names.group_of(subject)]
    eye = next(eye for one in lookouts_of(state, unit) for eye in one.eyes if eye.at == at)
    return visible_ground(ground.scenery_of(state), eye, [])
