"""Wounds shared out among figures that each take some before they fall, one figure after another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from protocol.ids import FigureId


class Harm(NamedTuple):
    """Wounds that come together. `single`: all of them go to one figure, and what it cannot take is lost."""

    wounds: int
    single: bool = False


class Allotment(NamedTuple):
    """The wounds taken by each figure, the figures that fall (in order), and the number of wounds left over."""

    taken: dict[FigureId, int]
    fallen: tuple[FigureId, ...]
    lost: int


def allot(order: Sequence[tuple[FigureId, int]], harms: Sequence[Harm]) -> Allotment:
    """Share wounds out. `order`: figures and how many more wounds each takes before it falls, one at least.

    A figure takes wounds until it falls; then the next one does.
    """
    queue = list(reversed(order))
    taken: dict[FigureId, int] = {}
    fallen: list[FigureId] = []
    lost = 0
    for harm in harms:
        left = harm.wounds
        while left and queue:
            id, life = queue.pop()
            given = min(left, life)
            taken[id] = taken.get(id, 0) + given
            left -= given
            if given == life:
                fallen.append(id)
            else:
                queue.append((id, life - given))
            if harm.single:
                break
        lost += left
    return Allotment(taken, tuple(fallen), lost)
