"""A grid of hexagons in whole hundredths."""

from hypothesis import given, strategies as st

from protocol.scene.grid import Grid
from tests.support.proving.hexes import distance, neighbours

GRID = Grid(300, 9, 7, (300, 300))
CELLS = st.tuples(st.integers(0, 8), st.integers(0, 6))


@given(CELLS)
def test_the_middle_of_a_cell_lies_in_it_and_its_neighbours_are_one_step_away(cell: tuple[int, int]) -> None:
    assert GRID.nearest(GRID.centre(cell)) == cell
    x, y = GRID.centre(cell)
    for other in neighbours(GRID, cell):
        assert distance(cell, other) == 1
        a, b = GRID.centre(other)
        assert abs((x - a) ** 2 + (y - b) ** 2 - GRID.size**2) < GRID.size * 4
        assert len(set(GRID.corners(cell))) == 6


@given(CELLS, CELLS)
def test_distance_is_the_length_of_the_shortest_way(start: tuple[int, int], goal: tuple[int, int]) -> None:
    reached, edge, steps = {start}, {start}, 0
    while goal not in reached:
        edge = {onward for cell in edge for onward in neighbours(GRID, cell)} - reached
        reached |= edge
        steps += 1
    assert distance(start, goal) == steps


@given(st.integers(-500, 4000), st.integers(-500, 3000))
def test_the_nearest_cell_is_the_nearest_of_all(x: int, y: int) -> None:
    def far(cell: tuple[int, int]) -> int:
        a, b = GRID.centre(cell)
        return (x - a) ** 2 + (y - b) ** 2

    assert far(GRID.nearest((x, y))) == min(map(far, GRID.cells()))
