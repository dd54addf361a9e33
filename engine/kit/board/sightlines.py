"""Lines of sight between groups, carried from one arrangement of a match to the next.

The sight of one group on another depends on their figures and on the scenery, and, where terrain leaves them any line,
on the groups near the corridor between the two: it holds while all of these are the same. Most pairs are hidden by
terrain alone, from either side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Final, NamedTuple, TypeAlias

from engine.core.rules.memo import Memo, are_same
from engine.space.sight.corridor import Corridor
from engine.space.sight.lines import Formation, Obstacle
from engine.space.terrain.features import Scenery
from protocol.ids import FigureId

MOST_CHANGES: Final = 64


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
"""A system's rule of sight, from a group to another past others; with the corridor between the two where it is known:
then the others are near it."""


class _PastTerrain(NamedTuple):
    """Sight past the terrain, were there no groups between, with all that it depends on."""

    scenery: Scenery
    shooters: Formation
    target: Formation
    sight: Sight

    def holds_for(self, scenery: Scenery, shooters: Formation, target: Formation) -> bool:
        return self.scenery is scenery and self.shooters is shooters and self.target is target


class _PastGroups(NamedTuple):
    """Sight past terrain and groups; `others`: all groups, when it was looked at last."""

    terrain: Sight
    others: tuple[Formation, ...]
    corridor: Corridor
    near: tuple[Formation, ...]
    sight: Sight


class Sightlines(Memo):
    """Lines of sight of one match, by a system's rule."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._changes = Memo(most=MOST_CHANGES)

    def find(self, scenery: Scenery, shooters: Formation, target: Formation, others: tuple[Formation, ...]) -> Sight:
        """Return what the rule gives. A formation that has not changed must be the same object as before.

        `others` are all groups that may stand between, the same tuple for all calls about one arrangement; the two
        themselves may be among them.
        """
        look = partial(self._past_terrain, scenery, shooters, target)
        terrain: Sight = self.renew(("terrain", shooters.id, target.id), look).sight
        if not terrain.clear:
            return terrain
        past = partial(self._past_groups, scenery, shooters, target, others, terrain)
        found: _PastGroups = self.renew(("groups", shooters.id, target.id), past)
        return found.sight

    def _past_terrain(
        self, scenery: Scenery, shooters: Formation, target: Formation, last: _PastTerrain | None
    ) -> _PastTerrain:
        """Return the sight past the terrain, were there no groups between."""
        if last is not None and last.holds_for(scenery, shooters, target):
            return last
        back: _PastTerrain | None = self.last(("terrain", target.id, shooters.id))
        if back is not None and back.holds_for(scenery, target, shooters) and not back.sight.clear:
            found = back.sight  # a hidden group does not see either, and the same obstacle blocks
        else:
            found = self._look(scenery, shooters, target, (), None)
        return _PastTerrain(scenery, shooters, target, found)

    def _past_groups(
        self,
        scenery: Scenery,
        shooters: Formation,
        target: Formation,
        others: tuple[Formation, ...],
        terrain: Sight,
        last: _PastGroups | None,
    ) -> _PastGroups:
        if last is not None and last.terrain is terrain:
            if last.others is others:
                return last
            if not any(last.corridor.comes_near(group.span) for group in self._changed(last.others, others)):
                return last._replace(others=others)
        else:
            last = None
        corridor = last.corridor if last is not None else Corridor(shooters, target)
        near = tuple([g for g in others if g is not shooters and g is not target and corridor.comes_near(g.span)])
        if last is not None and are_same(last.near, near):
            found = last.sight
        else:
            found = self._look(scenery, shooters, target, near, corridor) if near else terrain
        return _PastGroups(terrain, others, corridor, near, found)

    def _changed(self, before: tuple[Formation, ...], after: tuple[Formation, ...]) -> tuple[Formation, ...]:
        """Return the groups that differ between two arrangements, as they stood and as they stand."""

        def found() -> tuple[Formation, ...]:
            different = {id(group): group for group in after}
            for group in before:
                if different.pop(id(group), None) is None:
                    different[id(group)] = group
            return tuple(different.values())

        return self._changes.get("changed", (before, after), found)
