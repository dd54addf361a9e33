"""Lines of sight kept from one arrangement of a match to the next: most groups have not moved, and most lines are far
from those that have.

What a group sees of another depends on their figures, on the scenery, and on the groups that come near the corridor
between the two: it still holds while all of these are the same. The plain way is `table.sight_between`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import is_
from typing import Final, NamedTuple

from engine.space.features import Scenery
from engine.space.sight import Corridor, Formation, Obstacle
from engine.space.vectors import Id

_MOST_KEPT: Final = 4096
_MOST_CHANGES: Final = 64


class Sight(NamedTuple):
    """What a group sees of another: for each shooter with sight, the nearest figure of the target that it sees.

    `blocker` is what blocks the line between the nearest figures where no shooter has sight.
    """

    lines: tuple[tuple[str, str], ...]
    blocker: Obstacle | None = None

    @property
    def clear(self) -> bool:
        """Whether any figure sees any."""
        return bool(self.lines)


class _Known(NamedTuple):
    """A sight with all that it depends on; `others`: all groups, when it was looked at last."""

    scenery: Scenery
    shooters: Formation
    target: Formation
    others: tuple[Formation, ...]
    corridor: Corridor
    near: tuple[Formation, ...]
    sight: Sight


class _Change(NamedTuple):
    """What is different between two arrangements."""

    before: tuple[Formation, ...]
    after: tuple[Formation, ...]
    groups: tuple[Formation, ...]


class Sightlines:
    """The sights of one match. What is kept is never changed, so that a bot may look while the match goes on."""

    def __init__(self) -> None:
        self._known: dict[tuple[Id, Id], _Known] = {}
        self._changes: dict[tuple[int, int], _Change] = {}

    def find(
        self,
        scenery: Scenery,
        shooters: Formation,
        target: Formation,
        others: tuple[Formation, ...],
        look: Callable[[Scenery, Formation, Formation, Sequence[Formation], Corridor], Sight],
    ) -> Sight:
        """What `look` gives. A formation that has not changed must be the same object as before.

        `others` are all groups that may stand between, the same tuple for all questions about one arrangement; the
        two themselves may be among them.
        """
        pair = (shooters.id, target.id)
        known = self._known.get(pair)
        if known is not None and (known.shooters is not shooters or known.target is not target):
            known = None
        if known is not None and known.scenery is scenery:
            if known.others is others:
                return known.sight
            if not any(known.corridor.comes_near(group.span) for group in self._changed(known.others, others)):
                self._known[pair] = known._replace(others=others)
                return known.sight
        corridor, near = self._between(known, shooters, target, others)
        if known is not None and known.scenery is scenery and _same(known.near, near):
            found = known.sight
        else:
            found = look(scenery, shooters, target, near, corridor)
        if len(self._known) >= _MOST_KEPT:
            self._known.clear()
        self._known[pair] = _Known(scenery, shooters, target, others, corridor, near, found)
        return found

    def _between(
        self, known: _Known | None, shooters: Formation, target: Formation, others: tuple[Formation, ...]
    ) -> tuple[Corridor, tuple[Formation, ...]]:
        """The corridor between two groups and who comes near it: the same in both directions."""
        back = self._known.get((target.id, shooters.id))
        if back is not None and back.others is others and back.shooters is target and back.target is shooters:
            return back.corridor, back.near
        corridor = known.corridor if known is not None else Corridor(shooters, target)
        near = [g for g in others if g is not shooters and g is not target and corridor.comes_near(g.span)]
        return corridor, tuple(near)

    def _changed(self, before: tuple[Formation, ...], after: tuple[Formation, ...]) -> tuple[Formation, ...]:
        """The groups as they stood and as they stand, where that is not the same."""
        key = (id(before), id(after))
        known = self._changes.get(key)
        if known is None:
            if len(self._changes) >= _MOST_CHANGES:
                self._changes.clear()
            different = {id(group): group for group in after}
            for group in before:
                if different.pop(id(group), None) is None:
                    different[id(group)] = group
            # they are kept alive, so that these identities cannot be used again
            known = self._changes[key] = _Change(before, after, tuple(different.values()))
        return known.groups


def _same(one: tuple[Formation, ...], other: tuple[Formation, ...]) -> bool:
    return len(one) == len(other) and all(map(is_, one, other))
