"""Regions in which a lead may end a straight move, carried from one arrangement of a match to the next.

They depend on the scenery, on the edges and doors by which the lead leaves what it stands in, and on the bases within
reach: they hold while all of these are the same. Where only bases have come or gone, only the directions in which they
may be met are worked out again. `regions_afresh` works without a memo.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from engine.core.rules.memo import Memo
from engine.space.movement.moves import Way, nearby
from engine.space.movement.reach import (
    DIRECTIONS,
    OF_SEVERAL,
    Departures,
    departure_region,
    departures,
    joined,
    reach_ends,
    reach_region,
    renewed_ends,
)
from engine.space.terrain.contact import Base
from engine.space.terrain.features import PreparedArea, Scenery
from engine.space.vectors.outlines import Outline
from engine.space.vectors.points import Point, Segment, box_of, ceil_sqrt, middle_of, squared, widened
from protocol.ids import FigureId

Exits = tuple[tuple[PreparedArea, tuple[Segment, ...]], ...]
"""Areas with the edges and doors (edges of no length) by which they may be left."""


class _Question(NamedTuple):
    """Inputs of the regions: the ways out of what holds the start, and what may be met from there."""

    scenery: Scenery
    start: Point | None
    """None where the lead stands in something: then only the ways out count."""
    allowance: int
    exits: Exits
    radius: int
    stopping: tuple[Base, ...]
    passing: tuple[Base, ...]

    def bases(self) -> frozenset[Base]:
        """Return all bases in reach; a group does not change sides."""
        return frozenset((*self.stopping, *self.passing))


class _Known(NamedTuple):
    """Regions found, with the end in each direction: from open ground, or for each way out."""

    question: _Question
    ends: tuple[Point, ...]
    departures: tuple[Departures, ...]
    regions: tuple[Outline, ...]


def regions(
    memo: Memo, way: Way, start: Point, allowance: int, exits: Exits, lead: FigureId, side: Hashable
) -> tuple[Outline, ...]:
    """Return the regions in which the lead may end: straight from open ground; or what it stands in, and all in reach
    of its exits. `side`: whose leads leave the same thing by the same ways."""
    origins = [p for _, edges in exits for edge in edges for p in edge] or [start]
    near = nearby(way, widened(box_of(origins), allowance))
    place = None if exits else start
    question = _Question(way.scenery, place, allowance, exits, near.radius, near.stopping, near.passing)
    key: Hashable = (side, near.radius, exits) if exits else lead
    known: _Known = memo.renew(("reach", key), partial(_renewed, question, near))
    return known.regions


def _renewed(question: _Question, way: Way, known: _Known | None) -> _Known:
    if known is not None and known.question == question:
        return known
    changed: frozenset[Base] = frozenset()
    if known is not None and known.question[:-2] == question[:-2]:
        changed = question.bases() ^ known.question.bases()
    else:
        known = None
    start, allowance = question.start, question.allowance
    if start is None:
        out = _ways_out(question.exits)
        before = known.departures if known is not None else (None,) * len(out)
        found = tuple(
            [
                departures(way, one.edges, one.middle, allowance, one.size, _directions(out), old, changed)
                for one, old in zip(out, before, strict=True)
            ]
        )
        outlines = [area.outline for area, _ in question.exits]
        return _Known(question, (), found, (*outlines, *[joined(one.ends) for one in found]))
    if known is not None:
        ends = renewed_ends(way, start, allowance, known.ends, changed)
    else:
        ends = reach_ends(way, start, allowance)
    return _Known(question, ends, (), (joined(ends),))


class _WayOut(NamedTuple):
    """Door, or all edges by which something can be left: a point in it, and how far its edges are from there."""

    edges: tuple[Segment, ...]
    middle: Point
    size: int


def _ways_out(exits: Exits) -> list[_WayOut]:
    doors = [edge for _, ways_out in exits for edge in ways_out if edge[0] == edge[1]]
    found = [_WayOut((door,), door[0], 0) for door in doors]
    edges = tuple([edge for _, ways_out in exits for edge in ways_out if edge[0] != edge[1]])
    if edges:
        box = box_of([p for edge in edges for p in edge])
        middle = middle_of(box)
        found.append(_WayOut(edges, middle, ceil_sqrt(squared(middle, box[2:]))))
    return found


def _directions(out: Sequence[_WayOut]) -> Sequence[Point]:
    return DIRECTIONS if len(out) == 1 else OF_SEVERAL


def regions_afresh(way: Way, start: Point, allowance: int, exits: Exits) -> Iterator[Outline]:
    """Yield the regions from a start within some areas, each with its exits, without a memo."""
    if not exits:
        yield reach_region(way, start, allowance)
        return
    for area, _ in exits:
        yield area.outline
    out = _ways_out(exits)
    for one in out:
        yield departure_region(way, one.edges, one.middle, allowance, one.size, _directions(out))
