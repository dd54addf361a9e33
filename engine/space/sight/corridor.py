"""The strip between two groups: a feature that is nowhere near it hides nothing of one from the other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeVar

from engine.space.terrain.features import PreparedArea, PreparedBarrier
from engine.space.vectors.points import Box

if TYPE_CHECKING:
    from engine.space.sight.lines import Formation

_Feature = TypeVar("_Feature", PreparedArea, PreparedBarrier)


class Corridor:
    """The strip that holds every line from one group to the other, to leave out early the features that are nowhere
    near.

    The strip runs along the line between the middles of the two groups; its bounds are the outermost figures.
    """

    __slots__ = ("bottom", "dx", "dy", "high", "left", "low", "right", "top")

    def __init__(self, a: Formation, b: Formation) -> None:
        self.left, self.bottom = min(a.box[0], b.box[0]), min(a.box[1], b.box[1])
        self.right, self.top = max(a.box[2], b.box[2]), max(a.box[3], b.box[3])
        self.dx = dx = b.box[0] + b.box[2] - a.box[0] - a.box[2]
        self.dy = dy = b.box[1] + b.box[3] - a.box[1] - a.box[3]
        sides = [dx * y - dy * x for x, y in (*a.hull, *b.hull)]
        self.low, self.high = 2 * min(sides), 2 * max(sides)

    def blocking(self, features: Iterable[_Feature]) -> list[_Feature]:
        """Return the features that block sight and come near, as `comes_near` says: spelled out, for each pair of
        groups needs it."""
        west, south, east, north = self.left, self.bottom, self.right, self.top
        dx, dy, low, high = self.dx, self.dy, self.low, self.high
        wide, tall = abs(dx), abs(dy)
        found: list[_Feature] = []
        for feature in features:
            left, bottom, right, top = feature.box
            if left > east or right < west or bottom > north or top < south or not feature.blocks_sight:
                continue
            side = dx * (bottom + top) - dy * (left + right)
            width = wide * (top - bottom) + tall * (right - left)
            if side - width <= high and side + width >= low:
                found.append(feature)
        return found

    def comes_near(self, box: Box) -> bool:
        """Tell whether a line of the corridor may have a point in the box; False is certain."""
        left, bottom, right, top = box
        if left > self.right or right < self.left or bottom > self.top or top < self.bottom:
            return False
        dx, dy = self.dx, self.dy
        side = dx * (bottom + top) - dy * (left + right)
        width = abs(dx) * (top - bottom) + abs(dy) * (right - left)
        return side - width <= self.high and side + width >= self.low
