"""Lanes of vehicles: the ground that a base covers as it goes straight, what bars it, and who steps aside
(AE-OPEN-16)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from engine.kit.rules import Game, implements
from engine.rulesets.apocalypse_earth.rules import ground, hiding, hulls, stands, traits
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.state import Battle, Unit
from engine.rulesets.apocalypse_earth.state.turn_events import FiguresMoved
from engine.rulesets.apocalypse_earth.state.vehicle_events import VehicleDriven
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
    own = hulls.class_of(state, unit)
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
        bars = () if loose else hulls.class_of(state, unit).bars
        self.walls = [one for one in self.table.barriers if ground.terrain(state, one.id).id in bars]
        others = [one for one in state.seen(unit.owner) if one.id != unit.id]
        self.hulls = [hulls.base_of(state, one).outline() for one in others if traits.drives(state, one)]
        self.figures = [
            (one, figure) for one in others if not traits.drives(state, one) for figure in state.members(one)
        ]

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
    def _standing_fast(self, covered: Outline) -> Iterator[FigureId]:
        """Yield the figures in a lane, or near it, that do not step aside: engaged ones and those in cover."""
        for unit, figure in self.figures:
            engaged = self.state.combat_of(unit.id) is not None
            is_near = place_near_outline(figure.at, covered, traits.RADIUS + (SHORT if engaged else 0))
            if is_near and (engaged or hiding.is_covered(self.state, figure.at)):
                yield figure.id

    @implements("AE-OPEN-16")
    def asides(self, covered: Sequence[Outline], coming: Sequence[Outline] = ()) -> dict[FigureId, Point] | None:
        """Return the nearest free places outside some lanes, and outside those to come, for the figures in them that
        step aside; None where one finds none near enough."""
        found: dict[FigureId, Point] = {}
        for lane in covered:
            fast = {*self._standing_fast(lane), *found}
            inside = [(unit, one) for unit, one in self.figures if place_near_outline(one.at, lane, traits.RADIUS)]
            for unit, figure in inside:
                if figure.id not in fast:
                    at = _aside(self.state, unit, figure.id, [*covered, *coming], [*found.values()])
                    if at is None:
                        return None
                    found[figure.id] = at
        return found


def _is_solid(state: Battle, area: PreparedArea) -> bool:
    """Tell if no part of a vehicle may be over a piece of terrain: a building or a wreck."""
    kind = ground.terrain(state, area.id)
    return kind.building or (kind.impassable and kind.cover != "open")


def _aside(
    state: Battle, unit: Unit, figure: FigureId, lanes: Sequence[Outline], taken: Collection[Point]
) -> Point | None:
    foes = frozenset([other.id for other in state.standing() if state.hostile(other.owner, unit.owner)])

    def is_out(at: Point) -> bool:
        return not any(place_near_outline(at, outline, traits.RADIUS) for outline in lanes)

    return stands.free_place(state, unit, figure, is_out, ASIDE, taken, stands.StandRoom(state, unit, foes))


@implements("AE-OPEN-16")
def make_way(game: Game[Battle], id: GroupId, passed: Sequence[Outline], coming: Sequence[Outline] = ()) -> None:
    """Let figures in the lanes that a vehicle passes step aside, out of those to come too."""
    found = Lanes(game.state, game.state.units[id]).asides(passed, coming) or {}
    by_unit: dict[GroupId, dict[FigureId, Point]] = {}
    for figure, at in found.items():
        by_unit.setdefault(game.state.unit_of(figure).id, {})[figure] = at
    game.emit(*[FiguresMoved(unit, places, "aside") for unit, places in by_unit.items()])


@implements("AE-OPEN-19", "AE-OPEN-16")
def run_on(game: Game[Battle], id: GroupId, distance: int) -> int:
    """Let a vehicle roll straight ahead, out of control: over infantry, and up to what bars it. Return how far."""
    unit = game.state.units[id]
    own = game.state.leader(unit)
    around = Lanes(game.state, unit, loose=True)

    def is_barred(far: int) -> bool:
        stuck = around.asides([lane(game.state, unit, own.at, own.facing, far)]) is None
        return stuck or bool(around.fault(own.at, own.facing, far))

    far = max(0, first_met(lambda far: far > distance or is_barred(far), distance + 1) - 1)
    if far:
        make_way(game, id, [lane(game.state, unit, own.at, own.facing, far)])
        game.emit(VehicleDriven(id, ahead(own.at, own.facing, far), own.facing))
    return far
