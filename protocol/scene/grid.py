"""Grid of hexagons: the places of its cells in whole hundredths, the same for server and client.

Corners point up; cell (column, row) counts from the lower left, odd rows are shifted half a cell to the right.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

Cell = tuple[int, int]
Point = tuple[int, int]


class Grid(msgspec.Struct, frozen=True, omit_defaults=True):
    """Hexagons in rows and columns."""

    size: int
    columns: int
    rows: int
    origin: Point = (0, 0)

    def holds(self, cell: Cell) -> bool:
        """Return True where there is such a cell."""
        return 0 <= cell[0] < self.columns and 0 <= cell[1] < self.rows

    def centre(self, cell: Cell) -> Point:
        """Return the middle of a cell, on the grid or not."""
        column, row = cell
        across = self.size * column + (self.size // 2 if row % 2 else 0)
        return (self.origin[0] + across, self.origin[1] + self.size * row * 866 // 1000)

    def corners(self, cell: Cell) -> tuple[Point, ...]:
        """Return the six corners of a cell, anticlockwise from the upper right."""
        x, y = self.centre(cell)
        half, short, long = self.size // 2, self.size * 289 // 1000, self.size * 577 // 1000
        return (
            (x + half, y + short),
            (x, y + long),
            (x - half, y + short),
            (x - half, y - short),
            (x, y - long),
            (x + half, y - short),
        )

    def nearest(self, point: Point) -> Cell:
        """Return the cell of this grid whose middle is nearest to a point."""
        # from beyond the edge the second row may be nearer than the first: it reaches half a cell further
        row = min(max(round((point[1] - self.origin[1]) * 1000 / (self.size * 866)), 0), self.rows - 1)
        column = min(max(round((point[0] - self.origin[0]) / self.size), 0), self.columns - 1)
        around = [(column + dc, row + dr) for dc in (-1, 0, 1) for dr in (-1, 0, 1)]
        return min(filter(self.holds, around), key=lambda cell: (_square(self.centre(cell), point), cell))

    def cells(self) -> Iterator[Cell]:
        """Yield all cells, row by row."""
        return ((column, row) for row in range(self.rows) for column in range(self.columns))


def _square(one: Point, other: Point) -> int:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2
