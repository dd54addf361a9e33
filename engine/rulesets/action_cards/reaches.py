"""Where a lead may end its move, as regions to draw, kept from one arrangement of a match to the next.

They depend on the scenery, on the edges and doors by which the lead leaves what it stands in, and on the bases within
reach: they still hold while all of these are the same. Where only bases have come or gone, only the directions in
which they may be met are looked at again. The plain way is `worked_out`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.rulesets.action_cards import moves, table
from engine.space.moves import nearby
from engine.space.outlines import Outline
from engine.space.reach import departure_region, joined, reach_ends, reach_region, renewed_ends
from engine.space.vectors import box_of, ceil_sqrt, squared, widened

if TYPE_CHECKING:
    from engine.rulesets.action_cards.model import Point
    from engine.rulesets.action_cards.state import Skirmish
    from engine.space.contact import Base
    from engine.space.features import PreparedArea, Scenery
    from engine.space.moves import Way
    from engine.space.vectors import Segment

MOST_KEPT: Final = 256


class _Question(NamedTuple):
    """All that the regions depend on: the ways out of what holds the start, and what may be met from there."""

    scenery: Scenery
    start: Point
    allowance: int
    exits: tuple[tuple[PreparedArea, tuple[Segment, ...]], ...]
    radius: int
    stopping: tuple[Base, ...]
    passing: tuple[Base, ...]

    def bases(self) -> frozenset[Base]:
        """All that stand in reach; a group does not change sides."""
        return frozenset((*self.stopping, *self.passing))


class _Known(NamedTuple):
    """The regions that were found, and (from open ground) the end in each direction."""

    question: _Question
    ends: tuple[Point, ...]
    regions: tuple[Outline, ...]


def regions(state: Skirmish, group_id: str, lead: str) -> tuple[Outline, ...]:
    """Where the lead may end: reached straight; or from the edges or doors of what it stands in, and within that."""
    question, way = _question(state, group_id, lead)
    kept: dict[str, _Known] = table.kept_reaches(state)
    known = kept.get(lead)
    if known is not None and known.question == question:
        return known.regions
    if len(kept) >= MOST_KEPT:
        kept.clear()
    start, allowance = question.start, question.allowance
    if question.exits:
        made = _Known(question, (), tuple(worked_out(way, start, allowance, question.exits)))
    else:
        if known is not None and known.question[:-2] == question[:-2]:
            ends = renewed_ends(way, start, allowance, known.ends, question.bases() ^ known.question.bases())
        else:
            ends = reach_ends(way, start, allowance)
        made = _Known(question, ends, (joined(ends),))
    kept[lead] = made
    return made.regions


def _question(state: Skirmish, group_id: str, lead: str) -> tuple[_Question, Way]:
    group, scenery = state.groups[group_id], table.scenery_of(state)
    start, allowance = table.at(state, lead), moves.allowance_of(state, group)
    exits = tuple([(area, moves.exits(state, group, area)) for area in scenery.areas if area.holds(start)])
    origins = [start, *[p for _, edges in exits for edge in edges for p in edge]]
    way = nearby(moves.way_of(state, group, lead), widened(box_of(origins), allowance))
    return _Question(scenery, start, allowance, exits, way.radius, way.stopping, way.passing), way


def worked_out(
    way: Way, start: Point, allowance: int, exits: tuple[tuple[PreparedArea, tuple[Segment, ...]], ...]
) -> Iterator[Outline]:
    """The regions from a start within some areas, each with its edges and doors (edges of no length)."""
    if not exits:
        yield reach_region(way, start, allowance)
        return
    for area, ways_out in exits:
        yield area.outline
        for door in [(edge,) for edge in ways_out if edge[0] == edge[1]]:
            yield departure_region(way, door, door[0][0], allowance, 0)
    edges = tuple([edge for _, ways_out in exits for edge in ways_out if edge[0] != edge[1]])
    if edges:
        left, bottom, right, top = box_of([p for edge in edges for p in edge])
        middle = ((left + right) // 2, (bottom + top) // 2)
        yield departure_region(way, edges, middle, allowance, ceil_sqrt(squared(middle, (right, top))))
