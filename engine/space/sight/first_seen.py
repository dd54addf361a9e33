"""Sight along a path: where a moving figure first comes into view."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from engine.space.sight.cuts import Cut
from engine.space.sight.lines import Formation, SightLines, formation
from engine.space.terrain.contact import Base
from engine.space.terrain.features import Scenery
from engine.space.vectors.paths import path_length, point_at
from engine.space.vectors.points import Point, within
from protocol.ids import GroupId

_MOVER: Final = GroupId("moving")
STEP: Final = 25
"""Hundredths between the places of a path that are looked at first: a shorter glimpse may be missed."""


class Seen(NamedTuple):
    """The place at which a figure is first seen: how far along its path, where, and by which of the observers."""

    distance: int
    at: Point
    observer: int


def first_seen(
    path: Sequence[Point],
    observers: Formation,
    mover: Base,
    scenery: Scenery,
    others: Iterable[Formation] = (),
    *,
    reach: int | None = None,
    cuts: Iterable[Cut] = (),
) -> Seen | None:
    """Return the first place on a path at which a figure that moves along it is seen by one of the observers; None
    where it is not.

    The path is looked at every STEP hundredths, at its corners and at its end; before the first of these places that is
    seen, every hundredth back to the one before. `others` are the groups that may stand in the way: not the mover's
    own, which is taken along. `reach`: no farther than that from an observer, centre to centre.
    """
    line, groups, lasting = tuple(path), tuple(others), tuple(cuts)

    def look(distances: Iterable[int]) -> Seen | None:
        found = [(distance, point_at(line, distance)) for distance in distances]
        near = [(d, at) for d, at in found if reach is None or any(within(eye, at, reach) for eye in observers.centres)]
        if not near:
            return None
        moving = formation(_MOVER, [Base(mover.id, at, mover.radius) for _, at in near])
        view = SightLines(scenery, observers, moving, groups, cuts=lasting)
        for n, (distance, at) in enumerate(near):
            for observer, eye in enumerate(observers.centres):
                if (reach is None or within(eye, at, reach)) and view.sees(observer, n):
                    return Seen(distance, at, observer)
        return None

    marks = _marks(line)
    coarse = look(marks)
    if coarse is None or coarse.distance == 0:
        return coarse
    before = marks[marks.index(coarse.distance) - 1]
    return look(range(before + 1, coarse.distance)) or coarse


def _marks(path: Sequence[Point]) -> list[int]:
    """Return the distances that are looked at first: the start, the corners, the end, and every STEP between."""
    corners = [path_length(path[: n + 1]) for n in range(len(path))]
    return sorted({*corners, *range(0, corners[-1], STEP)})
