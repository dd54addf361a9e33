"""Ways over a grid of hexagons: the cells around one, and how far it is from one to another."""

from __future__ import annotations

from protocol.scene.grid import Cell, Grid


def neighbours(grid: Grid, cell: Cell) -> tuple[Cell, ...]:
    """Return the cells of a grid that touch a cell, anticlockwise from the right (0, 60, ... 300 degrees)."""
    column, row = cell
    shift = row % 2
    around = (
        (column + 1, row),
        (column + shift, row + 1),
        (column + shift - 1, row + 1),
        (column - 1, row),
        (column + shift - 1, row - 1),
        (column + shift, row - 1),
    )
    return tuple(found for found in around if grid.holds(found))


def distance(one: Cell, other: Cell) -> int:
    """Return the number of steps from cell to cell."""
    (aq, ar), (bq, br) = _axial(one), _axial(other)
    dq, dr = aq - bq, ar - br
    return max(abs(dq), abs(dr), abs(dq + dr))


def _axial(cell: Cell) -> Cell:
    return (cell[0] - (cell[1] - cell[1] % 2) // 2, cell[1])
