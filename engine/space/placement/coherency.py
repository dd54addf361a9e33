"""Coherency: groups whose members keep near a lead and near one another, in one connected chain.

`spread`: how far from the lead any member may stand; `link`: how far from the nearest other member of the chain; both
edge to edge.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

from engine.space.terrain.contact import Base, gap_at_most
from engine.space.vectors.lattice import ring
from engine.space.vectors.points import Point, squared
from protocol.ids import FigureId

Fits = Callable[[Point, int], bool]
"""A test whether a base of some radius may stand at a place, apart from the members of its own group."""
GAP: Final = 10
"""Hundredths between members where there is room."""
PASSES: Final = 3
"""The number of times that all places are tried: one too far from the chain may be linked later on."""


def unlinked(lead: Base, members: Sequence[Base], link: int) -> tuple[FigureId, ...]:
    """Return the members that no chain of links leads to from the lead."""
    chain, loose = [lead], list(members)
    while chain and loose:
        linking = chain.pop()
        near = [member for member in loose if gap_at_most(linking, member, link)]
        chain += near
        loose = [member for member in loose if member not in near]
    return tuple([member.id for member in loose])


def strayed(lead: Base, members: Sequence[Base], spread: int, link: int) -> FigureId | None:
    """Return the first member that is too far from the lead, or that no chain leads to; None where all keep
    together."""
    far = next((member.id for member in members if not gap_at_most(lead, member, spread)), None)
    return far if far is not None else next(iter(unlinked(lead, members, link)), None)


def gather(
    lead: Base,
    members: Sequence[tuple[FigureId, int]],
    fits: Fits,
    spread: int,
    link: int,
    standing: Sequence[Base] = (),
    pull: Collection[Point] = (),
) -> tuple[Base, ...]:
    """Stand members (id and radius) around their lead in a chain, on the nearest places that fit, in the order given.

    Nearest to the lead, or, where `pull` names points, to the nearest of those. `standing` are members that stand
    already. Members that find no room are missing from the result.
    """
    placed = [lead, *standing]
    found: list[Base] = []
    waiting = list(members)
    for gap in (GAP, 0):
        for radius in sorted({radius for _, radius in waiting}, reverse=True):
            for _ in range(PASSES):
                own = [id for id, size in waiting if size == radius]
                stood = _fill(lead, own, radius, fits, (spread, link, gap), placed, pull)
                found += stood
                waiting = [member for member in waiting if member[0] not in {base.id for base in stood}]
                if not stood or not waiting:
                    break
    order = {id: number for number, (id, _) in enumerate(members)}
    return tuple(sorted(found, key=lambda base: order[base.id]))


def _fill(
    lead: Base,
    waiting: Sequence[FigureId],
    radius: int,
    fits: Fits,
    distances: tuple[int, int, int],
    placed: list[Base],
    pull: Collection[Point],
) -> list[Base]:
    """Make one pass over all places for members of one size; `placed` grows."""
    spread, link, gap = distances
    queue = list(reversed(waiting))
    stood: list[Base] = []
    step = (2 * radius + gap) // (1 if gap else 2)
    x, y = lead.at
    places = [(x + dx, y + dy) for dx, dy in ring(step, lead.radius + radius, spread + lead.radius + radius)]
    if pull:
        places.sort(key=lambda p: min(squared(p, to) for to in pull))
    for at in places:
        if not queue:
            break
        if _is_linked(at, radius, link, placed) and fits(at, radius):
            stood.append(Base(queue.pop(), at, radius))
            placed.append(stood[-1])
    return stood


def _is_linked(at: Point, radius: int, link: int, placed: Sequence[Base]) -> bool:
    """Tell whether a base overlaps none of those placed, and is near enough to one of them."""
    linked = False
    x, y = at
    for base in placed:
        bx, by = base.at
        square, reach = (x - bx) * (x - bx) + (y - by) * (y - by), radius + base.radius
        if square < reach * reach:
            return False
        linked = linked or square <= (reach + link) * (reach + link)
    return linked
