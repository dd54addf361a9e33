"""Benchmark of what space answers beside lines of sight: `python -m bench.space`.

The tables are those of `bench.sight`: 72 x 48 inches, 24 groups of ten figures, 20 features. On each table every
question is asked once, of places drawn by its seed; nothing of it is known before its clock starts. The clock is the
thread's CPU time.
"""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Callable
from time import thread_time_ns
from typing import Final

from bench.sight import HEIGHT, RADIUS, WIDTH, microseconds, random_table
from engine.space.movement.ways import ground_cost, nearest_cover
from engine.space.placement.stands import nearest_stand
from engine.space.sight.cover import shelters
from engine.space.sight.cuts import Foliage, Smoke
from engine.space.sight.first_seen import first_seen
from engine.space.sight.lines import Formation, SightLines
from engine.space.terrain.contact import Base
from engine.space.terrain.features import Scenery
from engine.space.terrain.footprints import BoxBase
from engine.space.terrain.templates import Disc, Template, cone, strip, touched
from engine.space.vectors.headings import ANGLES
from engine.space.vectors.points import Point
from protocol.ids import FigureId

TABLES: Final = 400
BEHIND: Final = 200
LIMITS: Final = {
    "first place of a path seen": 5_000,
    "sight with foliage and smoke": 2_000,
    "cover of ten from ten": 5_000,
    "cost of three pieces of way": 500,
    "nearest cover": 5_000,
    "nearest place of a vehicle": 10_000,
    "figures under a template": 1_000,
}
"""Most microseconds at the 99th percentile."""

Questions = dict[str, Callable[[], object]]


def place(dice: random.Random) -> Point:
    return dice.randrange(600, WIDTH - 600), dice.randrange(600, HEIGHT - 600)


def questions(dice: random.Random, ground: Scenery, groups: list[Formation]) -> Questions:
    """Return one question of each kind about a table."""
    shooters, targets, *others = groups
    path = [targets.centres[0]]
    for _ in range(3):
        path.append((path[-1][0] + dice.randrange(-400, 401), path[-1][1] + dice.randrange(-400, 401)))
    mover = targets.figures[0]
    woods = ground.areas[10:]
    foliage, smoke = Foliage("woods", woods, 300), Smoke("smoke", place(dice), 400)
    truck = BoxBase(place(dice), dice.choice(ANGLES), 400, 200, FigureId("truck"))
    figures: list[Base] = [base for group in groups for base in group.figures]
    at, facing = place(dice), dice.choice(ANGLES)
    templates: list[Template] = [Disc(at, 300), strip(at, facing, 1_600, 400), cone(at, facing, 800, 60)]
    return {
        "first place of a path seen": lambda: first_seen(path, shooters, mover, ground, others, reach=2_400),
        "sight with foliage and smoke": lambda: SightLines(
            ground, shooters, targets, groups, cuts=(foliage, smoke)
        ).first(),
        "cover of ten from ten": lambda: [
            shelters(ground, one, other, BEHIND) for one in shooters.figures for other in targets.figures
        ],
        "cost of three pieces of way": lambda: ground_cost(ground, path, lambda area: area in woods, lambda _: 200),
        "nearest cover": lambda: nearest_cover(at, ground.areas, lambda p: p[0] > RADIUS, 600),
        "nearest place of a vehicle": lambda: nearest_stand(truck, ground, figures, 600, 50, 100),
        "figures under a template": lambda: [touched(template, figures) for template in templates],
    }


def measure(tables: int) -> dict[str, list[int]]:
    """Return the nanoseconds of each question."""
    times: dict[str, list[int]] = {name: [] for name in LIMITS}
    gc.disable()
    for seed in range(tables):
        dice = random.Random(seed)
        ground, groups = random_table(dice)
        for name, ask in questions(dice, ground, groups).items():
            start = thread_time_ns()
            ask()
            times[name].append(thread_time_ns() - start)
        if seed % 100 == 0:
            gc.collect()
    gc.enable()
    return times


def main() -> int:
    good = True
    for name, times in measure(TABLES).items():
        median, p99 = microseconds(times, 0.5), microseconds(times, 0.99)
        print(f"{name:30} median {median:8.1f} us   p99 {p99:8.1f} us   limit {LIMITS[name]:5} us")
        good = good and p99 <= LIMITS[name]
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
