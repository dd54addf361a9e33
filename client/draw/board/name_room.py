"""Room for names on the board, with all that takes some of it. Needs no window."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from client.ui.layout import Rect

CELL: Final = 64
"""Pixels a side of the cells in which bases are looked for."""


class NameRoom:
    """Room on the board, with all that takes some of it."""

    def __init__(self, board: Rect, bases: Sequence[Rect], covered: Sequence[Rect]) -> None:
        self.board = board
        self.covered = covered
        self.names: list[Rect] = []
        self._cells: dict[tuple[int, int], list[Rect]] = {}
        for base in bases:
            for cell in _cells(base):
                self._cells.setdefault(cell, []).append(base)

    def is_free(self, box: Rect) -> bool:
        """Return True if a name may stand here as far as the board and what stands on it are concerned."""
        board = self.board
        if box.x < board.x or box.y < board.y or box.right > board.right or box.top > board.top:
            return False
        if any(box.overlaps(other) for other in self.covered):
            return False
        return not any(box.overlaps(base) for cell in _cells(box) for base in self._cells.get(cell, ()))

    def is_apart(self, box: Rect) -> bool:
        """Return True if no name stands here."""
        return not any(box.overlaps(other) for other in self.names)

    def take(self, box: Rect) -> None:
        self.names.append(box)

    def give_back(self, box: Rect) -> None:
        self.names.remove(box)


def _cells(box: Rect) -> Iterator[tuple[int, int]]:
    for column in range(int(box.x // CELL), int(box.right // CELL) + 1):
        for row in range(int(box.y // CELL), int(box.top // CELL) + 1):
            yield column, row
