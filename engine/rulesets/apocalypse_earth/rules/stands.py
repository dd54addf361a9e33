"""Places of a unit's figures together: free for their bases, in one chain (AE-COH-02, AE-MOVE-01)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from engine.core.rules.errors import IllegalIntent
from engine.kit.board.formations import Coherency, first_stand
from engine.kit.rules import forbid, implements
from engine.rulesets.apocalypse_earth.rules import doors, ground, traits
from engine.rulesets.apocalypse_earth.state import names, profiles
from engine.rulesets.apocalypse_earth.state.state import Battle, Unit
from engine.space.placement.coherency import Fits, unlinked
from engine.space.placement.stands import covers
from engine.space.terrain.contact import Base
from engine.space.terrain.features import PreparedArea
from engine.space.terrain.footprints import BoxBase, Footprint, box_of_footprint, first_near
from engine.space.terrain.gaps import shape_gap
from engine.space.vectors.lattice import places_near
from engine.space.vectors.outlines import Outline
from engine.space.vectors.points import Box, Point, boxes_meet, squared, widened
from protocol.ids import NO_FIGURE, FigureId

LINK: Final = 600
"""AE-COH-02: greatest distance of a trooper from the next one of its unit."""
LOOSE_LINK: Final = 1200
"""AE-OPEN-07: the same with the ability Loose."""
SPREAD: Final = 3000
"""Places for a unit's figures are looked for up to so far from their lead."""
STEP: Final = 50
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
    """The bases of a unit, how far others stay off them, and a box around all of that."""

    box: Box
    bases: tuple[Footprint, ...]
    keep: int


class StandRoom:
    """Room for the bases of one unit, as its seat knows the table: on it, over nothing closed, clear of all bases but
    its own, and `KEEP` from enemies but those in `contact`."""

    def __init__(self, state: Battle, unit: Unit, contact: frozenset[str] = frozenset()) -> None:
        self.scenery = ground.scenery_of(state)
        self.state = state
        self.room = doors.room_in(state, unit)
        self.closed: list[PreparedArea] = ground.closed(state)
        self.crowds: list[Crowd] = []
        for other in state.seen(unit.owner):
            if other.id != unit.id:
                near = not state.hostile(other.owner, unit.owner) or other.id in contact
                self.crowds.append(_crowd(state, other, 0 if near else KEEP))

    def fault(self, base: Footprint) -> str:
        """Return the code of the reason why a base may not stand where it is; "" where it may."""
        box = box_of_footprint(base)
        if not (box[0] >= 0 and box[1] >= 0 and box[2] <= self.scenery.width and box[3] <= self.scenery.height):
            return "off-table"
        for area in self.closed:
            if boxes_meet(box, area.box) and covers(base, area):
                return "impassable"
        inside = ground.house_at(self.state, base.at) if isinstance(base, Base) else None
        for house in ground.buildings(self.state):
            if boxes_meet(box, house.box) and covers(base, house) and not (house is inside and self.room[house.id]):
                return "impassable"
        for crowd in self.crowds:
            keep = crowd.keep if inside is None else 0
            if boxes_meet(box, crowd.box) and first_near(base, crowd.bases, keep) is not None:
                return "too-near" if keep else "overlap"
        return ""

    def fits(self, admits: Admits = lambda base: True) -> Fits:
        """Return a test of places for round bases, with a further condition."""

        def free(at: Point, radius: int) -> bool:
            base = Base(NO_FIGURE, at, radius)
            return admits(base) and not self.fault(base)

        return free


def _crowd(state: Battle, unit: Unit, keep: int) -> Crowd:
    """Return the bases of a unit with their box, of an enemy those outside of buildings: the same while it stands where
    it does."""
    bases = traits.bases(state, unit)

    def found() -> Crowd:
        own = tuple([base for base in bases if not keep or ground.house_at(state, base.at) is None])
        boxes = [box_of_footprint(base) for base in own] or [NO_BOX]
        left, bottom, right, top = zip(*boxes, strict=True)
        return Crowd(widened((min(left), min(bottom), max(right), max(top)), keep), own, keep)

    return state.resolved.memo.get(("crowd", keep), (bases, ground.scenery_of(state)), found)


def placed_at(state: Battle, unit: Unit, lead: Point, fits: Fits) -> dict[FigureId, Point] | None:
    """Return places for all figures of an infantry unit, its leader at `lead`, in one chain; None without room."""
    first, *others = unit.figures
    members = [(id, traits.RADIUS) for id in others]
    found = Coherency(SPREAD, link(state, unit)).around(Base(first, lead, traits.RADIUS), members, fits)
    full = len(found) < len(unit.figures) or doors.overfull(state, doors.room_in(state, unit), found.values())
    return None if full else found


def nearest(state: Battle, unit: Unit, wish: Point, reach: int, fits: Fits) -> dict[FigureId, Point] | None:
    """Return places for an infantry unit with its leader as near as possible to a wish; None where there are none."""
    free = (at for at in places_near(wish, STEP, reach) if fits(at, traits.RADIUS))
    return first_stand(free, lambda at: placed_at(state, unit, at, fits), MOST_TRIED)


@implements("AE-COH-02", "AE-MOVE-01")
def check_places(
    state: Battle, unit: Unit, places: Mapping[FigureId, Point], room: StandRoom, admits: Admits = lambda base: True
) -> None:
    """Check that the figures of a unit may stand at these places: free, apart from each other. Raises
    IllegalIntent."""
    forbid(set(places) != set(unit.figures), "place/figures")
    stood: list[Base] = []
    for id, at in places.items():
        base = Base(id, at, traits.RADIUS)
        fault = room.fault(base) or ("" if admits(base) else "zone")
        if not fault and any(squared(at, other.at) < (2 * traits.RADIUS) ** 2 for other in stood):
            fault = "overlap"
        if fault:
            raise IllegalIntent(f"place/{fault}", figure=names.figure(state, id)).showing(at=at)
        stood.append(base)
    forbid(doors.overfull(state, room.room, places.values()), "place/full")


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
def loose(state: Battle, unit: Unit, places: Mapping[FigureId, Point]) -> tuple[FigureId, ...]:
    """Return the figures of a unit that no chain of links leads to from its leader: those in a building are linked to
    each other, and others to its outline."""
    lead, *others = [Base(id, places[id], traits.RADIUS) for id in unit.figures]
    houses = {base.id: house.outline for base in (lead, *others) if (house := ground.house_at(state, base.at))}
    reach = link(state, unit)
    return _loose_around(houses, lead, others, reach) if houses else unlinked(lead, others, reach)


@implements("AE-BLD-01")
def _loose_around(
    houses: Mapping[FigureId, Outline], lead: Base, others: Sequence[Base], reach: int
) -> tuple[FigureId, ...]:
    """Return those whom no chain leads to from the lead, where some are inside buildings with these outlines."""
    chain, left = [lead], [*others]
    while chain:
        one = chain.pop()
        own = houses.get(one.id, one)
        near = [base for base in left if shape_gap(own, houses.get(base.id, base)) <= reach]
        chain += near
        left = [base for base in left if base not in near]
    return tuple([base.id for base in left])
