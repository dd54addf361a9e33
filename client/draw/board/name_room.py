"""Room for names on the board, with all that takes some of it. Needs no window.

Thousands of places are tried for the names of one picture: rectangles are compared by their edges, in plain loops.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from client.ui.layout import Rect

CELL: Final = 64
"""Pixels a side of the cells in which bases are looked for."""
Edges = tuple[float, float, float, float]
"""Left, bottom, right and top of a rectangle."""


class NameRoom:
    """Room on the board, with all that takes some of it."""

    def __init__(self, board: Rect, bases: Sequence[Rect], covered: Sequence[Rect]) -> None:
        self.board = board
        self.covered = covered
        self._names: list[Edges] = []
        self._board = edges_of(board)
        self._covered = [edges_of(other) for other in covered]
        self._cells: dict[tuple[int, int], list[Edges]] = {}
        for base in bases:
            edges = edges_of(base)
            for cell in _cells(edges):
                self._cells.setdefault(cell, []).append(edges)

    def is_free(self, box: Rect) -> bool:
        """Return True if a name may stand here as far as the board and what stands on it are concerned."""
        edges = left, bottom, right, top = edges_of(box)
        least_left, least_bottom, most_right, most_top = self._board
        if left < least_left or bottom < least_bottom or right > most_right or top > most_top:
            return False
        if self._covered and _overlaps_one_of(edges, self._covered):
            return False
        for cell in _cells(edges):
            others = self._cells.get(cell)
            if others is not None and _overlaps_one_of(edges, others):
                return False
        return True

    def is_apart(self, box: Rect) -> bool:
        """Return True if no name stands here."""
        return not _overlaps_one_of(edges_of(box), self._names)

    def take(self, box: Rect) -> None:
        self._names.append(edges_of(box))

    def give_back(self, box: Rect) -> None:
        self._names.remove(edges_of(box))


def edges_of(box: Rect) -> Edges:
    """Return the edges of a rectangle."""
    x, y = box.x, box.y
    return x, y, x + box.w, y + box.h


def _overlaps_one_of(edges: Edges, others: Iterable[Edges]) -> bool:
    """Return True if the rectangle of these edges shares some area with another; touching edges do not."""
    left, bottom, right, top = edges
    for other_left, other_bottom, other_right, other_top in others:
        if left < other_right and other_left < right and bottom < other_top and other_bottom < top:
            return True
    return False


def _cells(edges: Edges) -> Iterator[tuple[int, int]]:
    left, bottom, right, top = edges
    for column in range(int(left // CELL), int(right // CELL) + 1):
        for row in range(int(bottom // CELL), int(top // CELL) + 1):
            yield column, row
