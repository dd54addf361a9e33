"""Tables with one feature or none, and the ways of bases on them."""

from __future__ import annotations

from engine.space.movement.moves import Way
from engine.space.sight.lines import Formation, formation
from engine.space.terrain.contact import Base
from engine.space.terrain.features import Area, Barrier, Scenery, scenery
from engine.space.vectors.points import Point
from protocol.ids import FigureId, GroupId

OPEN = scenery(7_200, 4_800, [], [])
WOOD = Area("wood", ((2000, 500), (2600, 500), (2600, 1500), (2000, 1500)), blocks_sight=True)
LAKE = Area("lake", WOOD.outline, impassable=True)
WALL = Barrier("wall", ((2000, 500), (2000, 1500)))


def table(*features: Area | Barrier) -> Scenery:
    areas = [f for f in features if isinstance(f, Area)]
    return scenery(7_200, 4_800, areas, [f for f in features if isinstance(f, Barrier)])


def way_on(ground: Scenery, stopping: tuple[Base, ...] = (), passing: tuple[Base, ...] = ()) -> Way:
    return Way(ground, radius=50, beyond=100, stopping=stopping, passing=passing)


def group(id: GroupId, *centres: Point, radius: int = 50) -> Formation:
    return formation(id, [Base(FigureId(f"{id}{n}"), at, radius) for n, at in enumerate(centres)])
