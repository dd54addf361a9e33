"""Places and ways of figures: free for their bases, in one chain with their unit (AE-COH-02, AE-MOVE-01)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from engine.kit.board.formations import Coherency, first_stand
from engine.kit.rules import IllegalIntent, forbid, implements
from engine.rulesets.apocalypse_earth.rules.table import ground, traits, ways
from engine.rulesets.apocalypse_earth.state import names, profiles
from engine.rulesets.apocalypse_earth.state.state import Battle, Unit
from engine.space.placement.coherency import Fits, unlinked
from engine.space.placement.stands import covers
from engine.space.terrain.contact import Base
from engine.space.terrain.features import meeting
from engine.space.terrain.footprints import BoxBase, Footprint, box_of_footprint, first_near
from engine.space.terrain.gaps import shape_gap
from engine.space.vectors.lattice import nearest_place, places_near
from engine.space.vectors.outlines import Outline, segment_near_outline
from engine.space.vectors.points import Box, Point, box_between, floor_sqrt, point_nearer, squared, widened
from protocol.ids import NO_FIGURE, FigureId

LINK: Final = 600
"""AE-COH-02: greatest distance of a trooper from the next one of its unit."""
LOOSE_LINK: Final = 1200
"""AE-OPEN-07: the same with the ability Loose."""
SPREAD: Final = 3000
"""Places for a unit's figures are looked for up to so far from their lead."""
STEP: Final = 50
FAR: Final = 2000
"""A figure that steps aside finds a place so far away."""
MOST_TRIED: Final = 60
KEEP: Final = 100
"""AE-MOVE-01: least distance from visible enemies."""
NO_BOX: Final[Box] = (-1, -1, -1, -1)
Admits = Callable[[Footprint], bool]
"""A further condition for the place of a base."""


@implements("AE-COH-02")
def link(state: Battle, unit: Unit) -> int:
    """Return the greatest distance between the figures of a unit's chain."""
    return LOOSE_LINK if traits.all_have(state, unit, profiles.LOOSE) else LINK


class Crowd(NamedTuple):
    """The bases of a unit, how far others stay off them, and a box around all of that. `foe`: nobody goes through
    them."""

    box: Box
    bases: tuple[Footprint, ...]
    keep: int
    foe: bool


class StandRoom:
    """Room for the figures of one unit to stand and to go, as its seat knows the table: on it unless it `leaves`, over
    nothing closed, clear of all bases but its own, and `KEEP` from enemies but those in `contact`."""

    def __init__(self, state: Battle, unit: Unit, contact: Collection[str] = (), *, leaves: bool = False) -> None:
        self.state = state
        self.leaves = leaves
        self.laid = ground.layout(state)
        self.room = ways.room_in(state, unit)
        self.closed = ground.closed(state)
        self.shut = [*self.closed, *[house for house in self.laid.buildings if not self.room[house.id]]]
        """Ground that no way of the unit leads over."""
        self.crowds: list[Crowd] = []
        for other in state.seen(unit.owner):
            if other.id != unit.id:
                foe = state.hostile(other.owner, unit.owner)
                self.crowds.append(_crowd(state, other, KEEP if foe and other.id not in contact else 0, foe=foe))

    def fault(self, base: Footprint) -> str:
        """Return the code of the reason why a base may not stand where it is; "" where it may."""
        left, bottom, right, top = box = box_of_footprint(base)
        if left < 0 or bottom < 0 or right > self.laid.scenery.width or top > self.laid.scenery.height:
            return "off-table"
        if any(covers(base, area) for area in meeting(box, self.closed)):
            return "impassable"
        inside = self.laid.house_at(base.at) if isinstance(base, Base) else None
        for house in meeting(box, self.laid.buildings):
            if covers(base, house) and not (house is inside and self.room[house.id]):
                return "impassable"
        for crowd in meeting(box, self.crowds):
            keep = crowd.keep if inside is None else 0
            if first_near(base, crowd.bases, keep) is not None:
                return "too-near" if keep else "overlap"
        return ""

    def fits(self, admits: Admits = lambda base: True) -> Fits:
        """Return a test of places for round bases, with a further condition."""

        def free(at: Point, radius: int) -> bool:
            base = Base(NO_FIGURE, at, radius)
            return admits(base) and not self.fault(base)

        return free

    @implements("AE-MOVE-01")
    def barred(self, a: Point, b: Point, start: Point) -> str:
        """Return the code of what is in the way of a figure from a to b, "" where nothing is. `start`: where its move
        began; nearer to an enemy than there it never comes, if it was too near already."""
        radius = traits.RADIUS
        if not self.leaves and not self.laid.scenery.has_disc(b, radius):
            return "off-table"
        box = widened(box_between(a, b), radius)
        if any(segment_near_outline(a, b, area.outline, radius) for area in meeting(box, self.shut)):
            return "impassable"
        if self.laid.is_within(a, b):
            return ""
        if any(ways.bars(self.state, house, a, b, radius) for house in meeting(box, self.laid.buildings)):
            return "impassable"
        for crowd in meeting(box, self.crowds):
            for base in crowd.bases:
                if not isinstance(base, Base):
                    outline, keep = base.outline(), radius + crowd.keep
                    if segment_near_outline(a, b, outline, radius) or segment_near_outline(b, b, outline, keep):
                        return "vehicle"
                elif crowd.foe:
                    is_near = point_nearer(base.at, a, b, base.radius + radius + crowd.keep)
                    if is_near and point_nearer(base.at, a, b, floor_sqrt(squared(start, base.at))):
                        return "too-near" if crowd.keep else "enemy"
        return ""

    def is_free(self, start: Point, path: Sequence[Point]) -> bool:
        """Tell if a figure that began its move at `start` may go along a path."""
        return not any(self.barred(a, b, start) for a, b in pairwise(path))


def _crowd(state: Battle, unit: Unit, keep: int, *, foe: bool) -> Crowd:
    """Return the bases of a unit with their box, of an enemy those outside of buildings: the same while it stands where
    it does."""
    bases = traits.bases(state, unit)

    def found() -> Crowd:
        own = tuple([base for base in bases if not foe or ground.house_at(state, base.at) is None])
        boxes = [box_of_footprint(base) for base in own] or [NO_BOX]
        left, bottom, right, top = zip(*boxes, strict=True)
        return Crowd(widened((min(left), min(bottom), max(right), max(top)), keep), own, keep, foe)

    return state.resolved.memo.get(("crowd", keep, foe), (bases, ground.scenery_of(state)), found)


def placed_at(state: Battle, unit: Unit, lead: Point, fits: Fits) -> dict[FigureId, Point] | None:
    """Return places for all figures of an infantry unit, its leader at `lead`, in one chain; None without room."""
    first, *others = unit.figures
    members = [(id, traits.RADIUS) for id in others]
    found = Coherency(SPREAD, link(state, unit)).around(Base(first, lead, traits.RADIUS), members, fits)
    full = len(found) < len(unit.figures) or ways.overfull(state, ways.room_in(state, unit), found.values())
    return None if full else found


def nearest(state: Battle, unit: Unit, wish: Point, reach: int, fits: Fits) -> dict[FigureId, Point] | None:
    """Return places for an infantry unit with its leader as near as possible to a wish; None where there are none."""
    free = (at for at in places_near(wish, STEP, reach) if fits(at, traits.RADIUS))
    return first_stand(free, lambda at: placed_at(state, unit, at, fits), MOST_TRIED)


def apart(at: Point, others: Collection[Point]) -> bool:
    """Tell if a figure at a place overlaps none of its own unit at these."""
    return all(squared(at, other) >= (2 * traits.RADIUS) ** 2 for other in others)


def free_place(
    state: Battle,
    unit: Unit,
    figure: FigureId,
    admits: Callable[[Point], bool] = lambda at: True,
    reach: int = FAR,
    others: Collection[Point] = (),
    room: StandRoom | None = None,
) -> Point | None:
    """Return the free place nearest to a figure that a condition admits: clear of the others of its unit, and of some
    more; None without one. `room`: if it is not that of its unit now."""
    around, stood = room or StandRoom(state, unit), [*others, *[f.at for f in state.members(unit) if f.id != figure]]

    def is_free(at: Point) -> bool:
        return apart(at, stood) and admits(at) and not around.fault(Base(figure, at, traits.RADIUS))

    return nearest_place(state.figures[figure].at, is_free, STEP, reach)


@implements("AE-SETUP-03")
def check_places(
    state: Battle, unit: Unit, places: Mapping[FigureId, Point], room: StandRoom, admits: Admits = lambda base: True
) -> None:
    """Check that the figures of a unit may stand at these places: free, apart from each other. Raises
    IllegalIntent."""
    forbid(set(places) != set(unit.figures), "place/figures")
    stood: list[Point] = []
    for id, at in places.items():
        base = Base(id, at, traits.RADIUS)
        fault = room.fault(base) or ("" if admits(base) else "zone") or ("" if apart(at, stood) else "overlap")
        if fault:
            raise IllegalIntent(f"place/{fault}", figure=names.figure(state, id)).showing(at=at)
        stood.append(at)
    forbid(ways.overfull(state, room.room, places.values()), "place/full")


def box_at(state: Battle, unit: Unit, at: Point, facing: int) -> BoxBase:
    """Return the base of a vehicle at a place and facing."""
    profile = state.profile(unit)
    assert traits.is_vehicle(profile)
    return BoxBase(at, facing, profile.length, profile.width, unit.leader)


@implements("AE-COH-02")
def check_chain(state: Battle, unit: Unit, places: Mapping[FigureId, Point]) -> None:
    """Check that the figures of a unit form one chain at these places. Raises IllegalIntent."""
    out = loose(state, unit, places)
    if out:
        raise IllegalIntent("place/chain", figure=names.figure(state, out[0])).showing(at=places[out[0]])


@implements("AE-COH-02")
def loose(state: Battle, unit: Unit, places: Mapping[FigureId, Point] | None = None) -> tuple[FigureId, ...]:
    """Return the figures of a unit that no chain of links leads to from its leader, at these places or where they
    stand: those in a building are linked to each other, and others to its outline."""
    there = places or {figure.id: figure.at for figure in state.members(unit)}
    lead, *others = [Base(id, there[id], traits.RADIUS) for id in unit.figures]
    houses = {base.id: house.outline for base in (lead, *others) if (house := ground.house_at(state, base.at))}
    reach = link(state, unit)
    return _loose_around(houses, lead, others, reach) if houses else unlinked(lead, others, reach)


@implements("AE-BLD-01")
def _loose_around(
    houses: Mapping[FigureId, Outline], lead: Base, others: Sequence[Base], reach: int
) -> tuple[FigureId, ...]:
    """Return those whom no chain leads to from the lead, where some are inside buildings with these outlines."""
    chain, left = [lead], [*others]
    for _ in others:
        shapes = [houses.get(one.id, one) for one in chain]
        chain = [base for base in left if any(shape_gap(one, houses.get(base.id, base)) <= reach for one in shapes)]
        left = [base for base in left if base not in chain]
    return tuple([base.id for base in left])
