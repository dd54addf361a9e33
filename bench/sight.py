"""Benchmark of sight between two groups of ten on crowded random tables: `python -m bench.sight`.

1,000 tables of 72 x 48 inches, each with 24 groups of ten figures and 20 features (ten blocking and four other areas,
six blocking barriers). Warm, as on a table in play: the features and every group are prepared. Cold: the pair of
groups, of which nothing is known before the clock starts; each pair is asked once, so nothing is reused.
Timed: making the view and finding the nearest pair of figures that see each other, or that there is none. The clock is
the thread's CPU time: what other programs do meanwhile does not count.
"""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Sequence
from time import thread_time_ns
from typing import Final

from engine.space.sight.lines import Formation, SightLines, formation
from engine.space.terrain.contact import Base, first_overlapped
from engine.space.terrain.features import Area, Barrier, Scenery, scenery
from engine.space.vectors.hulls import hull_of
from protocol.ids import FigureId, GroupId

TABLES: Final = 1_000
WIDTH, HEIGHT = 7_200, 4_800
GROUPS, FIGURES, RADIUS = 24, 10, 50
BLOCKING_AREAS, OTHER_AREAS, BARRIERS = 10, 4, 6
MEDIAN_LIMIT: Final = 200
P99_LIMIT: Final = 1_000


def random_area(dice: random.Random, name: str, *, blocks: bool) -> Area:
    """Make a convex patch three to six inches across."""
    x, y, size = dice.randrange(400, WIDTH - 400), dice.randrange(400, HEIGHT - 400), dice.randrange(150, 300)
    corners = hull_of([(x + dice.randrange(-size, size), y + dice.randrange(-size, size)) for _ in range(12)])
    return Area(name, corners, blocks_sight=blocks)


def random_barrier(dice: random.Random, name: str) -> Barrier:
    """Make a wall with one bend, four to ten inches long."""
    x, y = dice.randrange(600, WIDTH - 600), dice.randrange(600, HEIGHT - 600)
    dx, dy = dice.choice([(1, 0), (0, 1), (1, 1), (1, -1)])
    length = dice.randrange(200, 500)
    bend = (x + dx * length, y + dy * length)
    return Barrier(name, ((x, y), bend, (bend[0] - dy * length, bend[1] + dx * length)), blocks_sight=True)


def random_group(dice: random.Random, name: GroupId) -> Formation:
    """Make ten figures within three inches, edge to edge, of the first."""
    x, y = dice.randrange(400, WIDTH - 400), dice.randrange(400, HEIGHT - 400)
    figures = [Base(FigureId(f"{name}-0"), (x, y), RADIUS)]
    while len(figures) < FIGURES:
        at = (x + dice.randrange(-400, 401), y + dice.randrange(-400, 401))
        base = Base(FigureId(f"{name}-{len(figures)}"), at, RADIUS)
        if (at[0] - x) ** 2 + (at[1] - y) ** 2 <= 400 * 400 and first_overlapped(base, figures) is None:
            figures.append(base)
    return formation(name, figures)


def random_table(dice: random.Random) -> tuple[Scenery, list[Formation]]:
    areas = [random_area(dice, f"area-{n}", blocks=n < BLOCKING_AREAS) for n in range(BLOCKING_AREAS + OTHER_AREAS)]
    barriers = [random_barrier(dice, f"barrier-{n}") for n in range(BARRIERS)]
    return scenery(WIDTH, HEIGHT, areas, barriers), [random_group(dice, GroupId(f"group-{n}")) for n in range(GROUPS)]


def measure(tables: int) -> tuple[list[int], int]:
    """Return the nanoseconds of each question, and the number of pairs of groups that see each other."""
    times, seen = [], 0
    gc.disable()
    for seed in range(tables):
        ground, groups = random_table(random.Random(seed))
        start = thread_time_ns()
        sighting = SightLines(ground, groups[0], groups[1], groups).first()
        times.append(thread_time_ns() - start)
        seen += sighting is not None
        if seed % 100 == 0:
            gc.collect()
    gc.enable()
    return times, seen


def microseconds(times: Sequence[int], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * share))] / 1_000


def main() -> int:
    times, seen = measure(TABLES)
    median, p99 = microseconds(times, 0.5), microseconds(times, 0.99)
    print(
        f"sight of two groups of {FIGURES}, {GROUPS} groups, {BLOCKING_AREAS + OTHER_AREAS + BARRIERS} features,",
        end=" ",
    )
    print(f"{TABLES} tables; {100 * seen // TABLES} % of the pairs see")
    print(f"median {median:7.1f} us   limit {MEDIAN_LIMIT:5} us   ratio {median / MEDIAN_LIMIT:.2f}")
    print(f"p99    {p99:7.1f} us   limit {P99_LIMIT:5} us   ratio {p99 / P99_LIMIT:.2f}")
    return 0 if median <= MEDIAN_LIMIT and p99 <= P99_LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
