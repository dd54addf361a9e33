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
    """A sight with all that it depends on."""

    scenery: Scenery
    shooters: Formation
    target: Formation
    corridor: Corridor
    near: tuple[Formation, ...]
    sight: Sight


class Sightlines:
    """The sights of one match. What is kept is never changed, so that a bot may look while the match goes on."""

    def __init__(self) -> None:
        self._known: dict[tuple[Id, Id], _Known] = {}

    def find(
        self,
        scenery: Scenery,
        shooters: Formation,
        target: Formation,
        others: Sequence[Formation],
        look: Callable[[Scenery, Formation, Formation, Sequence[Formation]], Sight],
    ) -> Sight:
        """What `look` gives. A formation that has not changed must be the same object as before.

        `others` are all groups that may stand between; the two themselves may be among them.
        """
        pair = (shooters.id, target.id)
        known = self._known.get(pair)
        is_same = known is not None and known.shooters is shooters and known.target is target
        corridor = known.corridor if known is not None and is_same else Corridor(shooters, target)
        near = tuple([g for g in others if g is not shooters and g is not target and corridor.comes_near(g.span)])
        if known is not None and is_same and known.scenery is scenery and _same(known.near, near):
            return known.sight
        if len(self._known) >= _MOST_KEPT:
            self._known.clear()
        found = look(scenery, shooters, target, near)
        self._known[pair] = _Known(scenery, shooters, target, corridor, near, found)
        return found


def _same(one: tuple[Formation, ...], other: tuple[Formation, ...]) -> bool:
    return len(one) == len(other) and all(map(is_, one, other))
