"""Lanes of vehicles: the ground that a base covers as it goes straight, what bars it, and who steps aside
(AE-OPEN-16)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from engine.kit.rules import Game, implements
from engine.rulesets.apocalypse_earth.rules import ground, hiding, hulls, stands, traits
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.state import Battle, Figure, Unit
from engine.rulesets.apocalypse_earth.state.turn_events import FiguresMoved
from engine.rulesets.apocalypse_earth.state.vehicle_events import VehicleDriven
from engine.space.terrain.contact import Base
from engine.space.terrain.features import PreparedArea
from engine.space.vectors.bisection import first_met
from engine.space.vectors.headings import ahead, rectangle
from engine.space.vectors.outlines import Outline, outlines_overlap, place_near_outline
from engine.space.vectors.points import Point
from protocol.ids import FigureId, GroupId

ASIDE: Final = 600
"""Greatest distance by which a figure steps aside."""
SHORT: Final = 100
"""A vehicle stops so far from engaged figures."""
WATER: Final = "water"


def lane(state: Battle, unit: Unit, at: Point, facing: int, distance: int) -> Outline:
    """Return the ground that a vehicle covers on a straight way from a place; backwards below 0."""
    profile = hulls.vehicle(state, unit)
    half = profile.length // 2
    return rectangle(at, facing, half - min(0, distance), half + max(0, distance), profile.width)


@implements("AE-OPEN-16", "AE-OPEN-18", "AE-MOVE-03")
def may_enter(state: Battle, unit: Unit, area: PreparedArea) -> bool:
    """Tell if the centre of a vehicle may enter a piece of terrain: not what its class does not enter, what is closed
    to all, or what burns."""
    kind = ground.terrain(state, area.id)
    own = state.resolved.classes[hulls.vehicle(state, unit).kind]
    if area.id in ground.burning(state) or kind.id in own.bars:
        return False
    swims = kind.id == WATER and hulls.has(state, unit, profiles.AMPHIBIOUS)
    return not kind.impassable or kind.id in own.crosses or swims


class Lanes:
    """Obstacles in the lanes of a vehicle, as its seat knows the table; of one that is out of control (`loose`) only
    what is impassable."""

    def __init__(self, state: Battle, unit: Unit, *, loose: bool = False) -> None:
        self.state = state
        self.unit = unit
        self.table = ground.scenery_of(state)
        self.solid = [area for area in self.table.areas if _is_solid(state, area)]
        shut = [area for area in self.table.areas if not may_enter(state, unit, area)]
        self.shut = [area for area in shut if area.impassable or not loose]
        bars = () if loose else state.resolved.classes[hulls.vehicle(state, unit).kind].bars
        self.walls = [one for one in self.table.barriers if ground.terrain(state, one.id).id in bars]
        self.hulls: list[Outline] = []
        self.figures: list[tuple[Unit, Base]] = []
        for other in state.seen(unit.owner):
            for base in traits.bases(state, other) if other.id != unit.id else ():
                if isinstance(base, Base):
                    self.figures.append((other, base))
                else:
                    self.hulls.append(base.outline())

    @implements("AE-OPEN-16", "AE-BLD-01")
    def fault(self, at: Point, facing: int, distance: int) -> str:
        """Return the code of what bars a straight way, "" where nothing does."""
        covered = lane(self.state, self.unit, at, facing, distance)
        if not all(0 <= x <= self.table.width and 0 <= y <= self.table.height for x, y in covered):
            return "off-table"
        if any(outlines_overlap(covered, area.outline) for area in self.solid):
            return "impassable"
        if any(outlines_overlap(covered, outline) for outline in self.hulls):
            return "vehicle"
        end = ahead(at, facing, distance)
        if any(one.pierced_by(at, end) for one in self.shut) or any(one.crossed_by(at, end) for one in self.walls):
            return "ground"
        return "figures" if any(True for _ in self._standing_fast(covered)) else ""

    @implements("AE-OPEN-16")
    def _standing_fast(self, covered: Outline) -> Iterator[Base]:
        """Yield the figures in a lane, or near it, that do not step aside: engaged ones and those in cover."""
        for unit, base in self.figures:
            engaged = self.state.combat_of(unit.id) is not None
            reach = base.radius + (SHORT if engaged else 0)
            if place_near_outline(base.at, covered, reach) and (engaged or hiding.is_covered(self.state, base.at)):
                yield base

    def stepping(self, covered: Outline) -> list[FigureId]:
        """Return the figures in a lane that step aside."""
        fast = {base.id for base in self._standing_fast(covered)}
        inside = [base for _, base in self.figures if place_near_outline(base.at, covered, base.radius)]
        return [base.id for base in inside if base.id not in fast]


def _is_solid(state: Battle, area: PreparedArea) -> bool:
    """Tell if no part of a vehicle may be over a piece of terrain: a building or a wreck."""
    kind = ground.terrain(state, area.id)
    return kind.building or (kind.impassable and kind.cover != "open")


@implements("AE-OPEN-16")
def asides(state: Battle, figures: Iterable[FigureId], covered: Sequence[Outline]) -> dict[FigureId, Point] | None:
    """Return the nearest free places outside some lanes for figures that step aside; None where one finds none near
    enough."""
    found: dict[FigureId, Point] = {}
    for id in figures:
        figure = state.figures[id]
        at = _aside(state, figure, covered, [*found.values()])
        if at is None:
            return None
        found[id] = at
    return found


def _aside(state: Battle, figure: Figure, covered: Sequence[Outline], taken: Sequence[Point]) -> Point | None:
    unit = state.unit_of(figure.id)
    room = stands.StandRoom(state, unit, [other.id for other in state.standing()])

    def is_aside(at: Point) -> bool:
        return not any(place_near_outline(at, outline, traits.RADIUS) for outline in covered)

    return stands.free_place(state, unit, figure.id, is_aside, ASIDE, taken, room)


@implements("AE-OPEN-16")
def make_way(game: Game[Battle], id: GroupId, passed: Sequence[Outline], coming: Sequence[Outline]) -> bool:
    """Let figures in the lanes that a vehicle passes step aside, out of those to come too; return False where one
    cannot."""
    around = Lanes(game.state, game.state.units[id])
    inside = dict.fromkeys(figure for covered in passed for figure in around.stepping(covered))
    found = asides(game.state, inside, (*passed, *coming))
    if found is None:
        return False
    by_unit: dict[GroupId, dict[FigureId, Point]] = {}
    for figure, at in found.items():
        by_unit.setdefault(game.state.unit_of(figure).id, {})[figure] = at
    game.emit(*[FiguresMoved(unit, places, "aside") for unit, places in by_unit.items()])
    return True


@implements("AE-OPEN-19", "AE-OPEN-16")
def run_on(game: Game[Battle], id: GroupId, distance: int) -> int:
    """Let a vehicle roll straight ahead, out of control: over infantry, and up to what bars it. Return how far."""
    unit = game.state.units[id]
    own = game.state.leader(unit)
    around = Lanes(game.state, unit, loose=True)

    def is_barred(far: int) -> bool:
        covered = lane(game.state, unit, own.at, own.facing, far)
        stuck = asides(game.state, around.stepping(covered), [covered]) is None
        return stuck or bool(around.fault(own.at, own.facing, far))

    far = max(0, first_met(lambda far: far > distance or is_barred(far), distance + 1) - 1)
    if far:
        make_way(game, id, [lane(game.state, unit, own.at, own.facing, far)], ())
        game.emit(VehicleDriven(id, ahead(own.at, own.facing, far), own.facing))
    return far
