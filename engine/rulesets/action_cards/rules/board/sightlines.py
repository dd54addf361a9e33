"""Cache of lines of sight from one arrangement of a match to the next.

The sight of one group on another depends on their figures and on the scenery, and, where terrain leaves them any line,
on the groups near the corridor between the two: it holds while all of these are the same. Most pairs are hidden by
terrain alone, from either side. `table.sight_between` works it out without a cache.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from operator import is_
from typing import Final, NamedTuple, TypeAlias

from engine.space.sight.corridor import Corridor
from engine.space.sight.lines import Formation, Obstacle
from engine.space.terrain.features import Scenery
from engine.space.vectors.points import Id
from protocol.ids import FigureId

_MOST_KEPT: Final = 4096
_MOST_CHANGES: Final = 64


def _nothing() -> Obstacle | None:
    return None


class Sight:
    """Lines of sight between two groups: `lines` has for each shooter with sight the nearest figure of the target that
    it sees."""

    def __init__(
        self, lines: tuple[tuple[FigureId, FigureId], ...], find_blocker: Callable[[], Obstacle | None] = _nothing
    ) -> None:
        self.lines = lines
        self.clear = bool(lines)
        """True if any figure sees any."""
        self._find_blocker = find_blocker

    @cached_property
    def blocker(self) -> Obstacle | None:
        """Obstacle on the line between the nearest figures where no shooter has sight, looked for on first use."""
        return self._find_blocker()


Look: TypeAlias = Callable[[Scenery, Formation, Formation, Sequence[Formation], Corridor | None], Sight]


class _PastTerrain(NamedTuple):
    """Sight past the terrain, were there no groups between, with all that it depends on."""

    scenery: Scenery
    shooters: Formation
    target: Formation
    sight: Sight

    def holds_for(self, scenery: Scenery, shooters: Formation, target: Formation) -> bool:
        return self.scenery is scenery and self.shooters is shooters and self.target is target


class _PastAll(NamedTuple):
    """Sight past terrain and groups; `others`: all groups, when it was looked at last."""

    terrain: Sight
    others: tuple[Formation, ...]
    corridor: Corridor
    near: tuple[Formation, ...]
    sight: Sight


class _Change(NamedTuple):
    """Groups that differ between two arrangements."""

    before: tuple[Formation, ...]
    after: tuple[Formation, ...]
    groups: tuple[Formation, ...]


class Sightlines:
    """Lines of sight of one match. Entries are never changed in place, so that a bot may read in another thread while
    the match goes on."""

    def __init__(self) -> None:
        self._terrain: dict[tuple[Id, Id], _PastTerrain] = {}
        self._known: dict[tuple[Id, Id], _PastAll] = {}
        self._changes: dict[tuple[int, int], _Change] = {}

    def find(
        self, scenery: Scenery, shooters: Formation, target: Formation, others: tuple[Formation, ...], look: Look
    ) -> Sight:
        """Return what `look` gives. A formation that has not changed must be the same object as before.

        `others` are all groups that may stand between, the same tuple for all calls about one arrangement; the two
        themselves may be among them.
        """
        terrain = self._past_terrain(scenery, shooters, target, look)
        if not terrain.clear:
            return terrain
        pair = (shooters.id, target.id)
        known = self._known.get(pair)
        if known is not None and known.terrain is not terrain:
            known = None
        if known is not None:
            if known.others is others:
                return known.sight
            if not any(known.corridor.comes_near(group.span) for group in self._changed(known.others, others)):
                self._known[pair] = known._replace(others=others)
                return known.sight
        corridor = known.corridor if known is not None else Corridor(shooters, target)
        near = tuple([g for g in others if g is not shooters and g is not target and corridor.comes_near(g.span)])
        if known is not None and _same(known.near, near):
            found = known.sight
        else:
            found = look(scenery, shooters, target, near, corridor) if near else terrain
        if len(self._known) >= _MOST_KEPT:
            self._known.clear()
        self._known[pair] = _PastAll(terrain, others, corridor, near, found)
        return found

    def _past_terrain(self, scenery: Scenery, shooters: Formation, target: Formation, look: Look) -> Sight:
        pair = (shooters.id, target.id)
        known = self._terrain.get(pair)
        if known is not None and known.holds_for(scenery, shooters, target):
            return known.sight
        back = self._terrain.get((target.id, shooters.id))
        if back is not None and back.holds_for(scenery, target, shooters) and not back.sight.clear:
            found = back.sight  # a hidden group does not see either, and the same obstacle blocks
        else:
            found = look(scenery, shooters, target, (), None)
        if len(self._terrain) >= _MOST_KEPT:
            self._terrain.clear()
        self._terrain[pair] = _PastTerrain(scenery, shooters, target, found)
        return found

    def _changed(self, before: tuple[Formation, ...], after: tuple[Formation, ...]) -> tuple[Formation, ...]:
        """Return the groups that differ between two arrangements, as they stood and as they stand."""
        key = (id(before), id(after))
        known = self._changes.get(key)
        if known is None:
            if len(self._changes) >= _MOST_CHANGES:
                self._changes.clear()
            different = {id(group): group for group in after}
            for group in before:
                if different.pop(id(group), None) is None:
                    different[id(group)] = group
            # the entry keeps both tuples alive, so that these identities cannot be used again
            known = self._changes[key] = _Change(before, after, tuple(different.values()))
        return known.groups


def _same(one: tuple[Formation, ...], other: tuple[Formation, ...]) -> bool:
    return len(one) == len(other) and all(map(is_, one, other))
