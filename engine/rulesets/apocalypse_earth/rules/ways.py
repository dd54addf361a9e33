"""Ways of figures: what is in their way, and what they cost by the ground (AE-MOVE-01, AE-MOVE-02, AE-MOVE-03)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Final

from engine.core.rules.implements import implements
from engine.rulesets.apocalypse_earth.rules import doors, ground, traits
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.state import Battle, Unit
from engine.space.movement.ways import ground_cost
from engine.space.terrain.contact import Base
from engine.space.terrain.features import PreparedArea
from engine.space.terrain.stretches import stretches
from engine.space.vectors.outlines import Outline, segment_near_outline
from engine.space.vectors.points import Point, box_between, boxes_meet, floor_sqrt, point_nearer, squared, widened

KEEP: Final = 100
"""AE-MOVE-01: least distance from visible enemies."""


@implements("AE-MOVE-02", "AE-MOVE-03")
def cost(state: Battle, unit: Unit, path: Sequence[Point]) -> int:
    """Return what a path costs a figure of a unit, in hundredths: difficult ground counts twice unless it has
    Fieldcraft, each crossing and each door has its toll, the floor of a building costs nothing."""
    table = ground.scenery_of(state)
    eased = traits.all_have(state, unit, profiles.FIELDCRAFT)
    total = 0
    for a, b in pairwise(path):
        if not doors.is_within(state, a, b):
            total += ground_cost(
                table,
                (a, b),
                lambda area: not eased and ground.terrain(state, area.id).difficult,
                lambda barrier: ground.terrain(state, barrier.id).toll,
            )
            total += tolls(state, a, b) + doors.TOLL * sum(doors.house_of(state, at) is not None for at in (a, b))
    return total


@implements("AE-MOVE-02")
def tolls(state: Battle, a: Point, b: Point) -> int:
    """Return the tolls for going in and out of areas on a straight piece: a crossing at its end counts, not at its
    start."""
    total = 0
    length = floor_sqrt(squared(a, b))
    for area in ground.scenery_of(state).areas_near(box_between(a, b)):
        toll = ground.terrain(state, area.id).toll
        if toll:
            edges = [edge for stretch in stretches(a, b, area) for edge in stretch]
            total += toll * len([edge for edge in edges if 0 < edge < length])
    return total


class Obstacles:
    """Obstacles on the ways of a unit's figures, as its seat knows the table: closed ground, vehicles, and enemies, of
    which those in `contact` may be touched."""

    def __init__(self, state: Battle, unit: Unit, contact: Collection[str] = ()) -> None:
        self.table = ground.scenery_of(state)
        self.state = state
        self.room = doors.room_in(state, unit)
        self.closed: list[PreparedArea] = ground.closed(state)
        self.closed += [house for house in ground.buildings(state) if not self.room[house.id]]
        self.enemies: list[Base] = []
        self.touched: list[Base] = []
        self.hulls: list[tuple[Outline, int]] = []
        for other in state.seen(unit.owner):
            if other.id == unit.id:
                continue
            keep = KEEP if state.hostile(other.owner, unit.owner) and other.id not in contact else 0
            for base in traits.bases(state, other):
                if not isinstance(base, Base):
                    self.hulls.append((base.outline(), keep))
                elif (keep or other.id in contact) and ground.house_at(state, base.at) is None:
                    (self.enemies if keep else self.touched).append(base)

    @implements("AE-MOVE-01")
    def fault(self, a: Point, b: Point, start: Point) -> str:
        """Return the code of what is in the way of a figure from a to b, "" where nothing is. `start`: where its move
        began; nearer to an enemy than there it never comes, if it was too near already."""
        radius = traits.RADIUS
        if not self.table.has_disc(b, radius):
            return "off-table"
        box = widened(box_between(a, b), radius)
        for area in self.closed:
            if boxes_meet(box, area.box) and segment_near_outline(a, b, area.outline, radius):
                return "impassable"
        if doors.is_within(self.state, a, b):
            return ""
        for house in ground.buildings(self.state):
            if boxes_meet(box, house.box) and doors.bars(self.state, house, a, b, radius):
                return "impassable"
        for outline, keep in self.hulls:
            if segment_near_outline(a, b, outline, radius) or (
                keep and segment_near_outline(b, b, outline, radius + keep)
            ):
                return "vehicle"
        if any(point_nearer(base.at, a, b, base.radius + radius) for base in self.touched):
            return "enemy"
        left, bottom, right, top = widened(box, radius + KEEP)
        for enemy in self.enemies:
            x, y = enemy.at
            if left <= x <= right and bottom <= y <= top:
                reach = enemy.radius + radius + KEEP
                far = min(reach, floor_sqrt(squared(start, enemy.at)))
                if point_nearer(enemy.at, a, b, far):
                    return "too-near"
        return ""

    def is_free(self, start: Point, path: Sequence[Point]) -> bool:
        """Tell if a figure that began its move at `start` may go along a path."""
        return not any(self.fault(a, b, start) for a, b in pairwise(path))
