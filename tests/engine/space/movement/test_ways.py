"""Ways of many figures: their cost by ground, who follows whom, the nearest cover."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings, strategies as st

from engine.space.movement.ways import all_following, following, ground_cost, nearest_cover
from engine.space.terrain.features import Area, Barrier, Scenery, scenery
from engine.space.vectors.outlines import outline_of
from engine.space.vectors.paths import path_length
from engine.space.vectors.points import Point, squared, towards, within

WOOD = Area("wood", outline_of((600, 0, 800, 1_000)))
HEDGE = Barrier("hedge", ((1_000, 0), (1_000, 1_000)))
GROUND = scenery(7_200, 4_800, [WOOD, Area("road", outline_of((0, 400, 2_000, 600)))], [HEDGE])


def cost(ground: Scenery, *path: Point) -> int:
    return ground_cost(ground, path, lambda area: str(area.id).startswith("wood"), lambda _: 200)


def test_foliage_costs_twice_and_a_wall_its_toll() -> None:
    """Infantry with 12: 6 cm open (6), 2 cm foliage (4), 2 cm open to a wall (2): 12."""
    assert cost(GROUND, (0, 500), (999, 500)) == 999 + 200
    assert cost(GROUND, (0, 500), (1_001, 500)) == 1_001 + 200 + 200
    assert cost(GROUND, (0, 1_100), (2_000, 1_100)) == 2_000


def test_every_piece_of_a_bent_way_is_split_at_the_outlines() -> None:
    assert cost(GROUND, (500, 500), (700, 500), (700, 900), (500, 900)) == 800 + 100 + 400 + 100
    assert cost(GROUND, (900, 500), (1_100, 500), (1_100, 700), (900, 700)) == 600 + 2 * 200


def test_a_figure_that_cannot_go_straight_goes_by_the_leads_corners() -> None:
    lead = ((0, 0), (0, 1_200), (2_000, 1_200), (2_000, 0))
    wall = GROUND.barrier("hedge")

    def is_free(a: Point, b: Point) -> bool:
        return not wall.crossed_by(a, b)

    assert following(lead, (100, 0), (900, 0), is_free) == ((100, 0), (900, 0))
    assert following(lead, (100, 0), (1_900, 0), is_free) == ((100, 0), (0, 1_200), (2_000, 1_200), (1_900, 0))
    assert following(((0, 0), (2_000, 0)), (100, 0), (1_900, 0), is_free) is None, "no corner to go by"
    assert all_following(lead, {"a": ((100, 0), (200, 0))}, is_free) == {"a": ((100, 0), (200, 0))}


def test_the_nearest_cover_is_the_nearest_place_in_it() -> None:
    areas = GROUND.areas[:1]
    assert nearest_cover((500, 500), areas, lambda _: True, 600) == (600, 500)
    assert nearest_cover((500, 500), areas, lambda p: p[0] > 650, 600) == (675, 500)
    assert nearest_cover((500, 500), areas, lambda _: True, 99) is None
    assert nearest_cover((650, 500), areas, lambda _: True, 600) == (650, 500), "it stands in it"
    beside = scenery(2_000, 2_000, [Area(1, outline_of((0, 0, 100, 400))), Area(2, outline_of((300, 0, 400, 400)))], [])
    assert nearest_cover((200, 200), beside.areas, lambda _: True, 600) == (100, 200), "of equals the lowest x"


spots = st.tuples(st.integers(0, 40), st.integers(0, 40))


def slow_cost(path: list[Point], woods: Scenery) -> int:
    """Count the wooded hundredths of each piece one by one, at their middles."""
    total = path_length(path)
    for a, b in pairwise(path):
        length = path_length((a, b))
        for wood in woods.areas:
            wide = 1_000
            far = [(x * wide, y * wide) for x, y in (a, b)]
            steps = [towards(far[0], far[1], n * wide + wide // 2) for n in range(length)]
            big = scenery(10**6, 10**6, [Area(0, tuple((x * wide, y * wide) for x, y in wood.outline))], []).areas[0]
            total += sum(big.holds(p) for p in steps)
    return total


@given(st.lists(spots, min_size=2, max_size=4), st.lists(spots, min_size=2, max_size=2, unique_by=(lambda p: p[0],)))
@settings(max_examples=150, deadline=None)
def test_the_cost_is_that_of_the_hundredths_walked(path: list[Point], corners: list[Point]) -> None:
    (a, b), (c, d) = corners
    ground = scenery(100, 100, [Area("wood", outline_of((min(a, c), min(b, d), max(a, c), max(b, d) + 1)))], [])
    edges = 2 * (len(path) - 1)
    assert abs(cost(ground, *path) - slow_cost(path, ground)) <= edges, "each end of a stretch is rounded"


@given(spots, st.integers(0, 30), spots)
@settings(max_examples=100, deadline=None)
def test_no_place_in_cover_is_nearer(start: Point, reach: int, foe: Point) -> None:
    ground = scenery(100, 100, [Area("wood", ((5, 5), (30, 8), (12, 35)))], [])

    def accepts(p: Point) -> bool:
        return squared(p, foe) >= squared(start, foe)

    found = nearest_cover(start, ground.areas, accepts, reach, step=1)
    every = [(x, y) for x in range(-40, 90) for y in range(-40, 90) if within(start, (x, y), reach)]
    fit = [p for p in every if ground.areas[0].holds(p) and accepts(p)]
    assert found == min(fit, key=lambda p: (squared(start, p), p), default=None)
