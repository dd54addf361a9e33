"""Places at which the name of a thing may stand, the best first. Needs no window."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from client.draw.board.name_room import Edges, edges_of
from client.ui.layout import Rect
from protocol.ids import NodeId

NEAR: Final = 23
"""Pixels between a name and the nearest base of its thing, at most."""
NEAR_SQUARED: Final = NEAR**2
GAPS: Final = (3, 9, 16, 21)
"""Pixels between a name and its thing, the best first."""
SLIDES: Final = (0, 0.25, -0.25, 0.5, -0.5, 0.75, -0.75)
"""Shares of its own length by which a name may stand aside of the middle."""
MOST_SINGLE: Final = 12
"""Bases of one thing around which a name may stand where there is no room around them all."""


@dataclass(frozen=True)
class Name:
    """Thing to be named. `forms`: words with their width and height in pixels, the best first; `bases`: the rectangles
    that it covers in the window."""

    id: NodeId
    forms: tuple[tuple[str, float, float], ...]
    bases: tuple[Rect, ...]

    @property
    def middle(self) -> tuple[float, float]:
        return _around(self.bases).centre


def candidates(name: Name, form: int) -> Iterator[Rect]:
    """Yield the places at which a form of a name may stand, the best first."""
    _, w, h = name.forms[form]
    whole = _around(name.bases)
    is_last = form in (-1, len(name.forms) - 1)
    gaps = GAPS if is_last else GAPS[:2]  # rather short than far off
    single = () if len(name.bases) == 1 else name.bases[:: -(-len(name.bases) // MOST_SINGLE)]
    bases = [edges_of(base) for base in name.bases]
    for x, y in chain(_beside(whole, w, h, gaps), *(_beside(base, w, h, GAPS[::3], SLIDES[:3]) for base in single)):
        if _is_near(x, y, x + w, y + h, bases):
            yield Rect(x, y, w, h)


def _beside(
    thing: Rect, w: float, h: float, gaps: Sequence[float], slides: Sequence[float] = SLIDES
) -> Iterator[tuple[float, float]]:
    """Yield the lower left corners of places around a thing."""
    cx, cy = thing.centre
    for gap in gaps:
        below, above = thing.y - gap - h, thing.top + gap
        after, before = thing.right + gap, thing.x - gap - w
        for slide in slides:
            x, y = cx - w / 2 + slide * w, cy - h / 2 + slide * h
            yield x, below
            yield x, above
            yield after, y
            yield before, y


def _around(rects: Sequence[Rect]) -> Rect:
    x, y = min(rect.x for rect in rects), min(rect.y for rect in rects)
    return Rect(x, y, max(rect.right for rect in rects) - x, max(rect.top for rect in rects) - y)


def is_near(box: Rect, bases: Sequence[Rect]) -> bool:
    """Return True if one of the bases lies at most `NEAR` from a name."""
    return _is_near(*edges_of(box), [edges_of(base) for base in bases])


def _is_near(left: float, bottom: float, right: float, top: float, bases: Sequence[Edges]) -> bool:
    for base_left, base_bottom, base_right, base_top in bases:
        dx = base_left - right if base_left > right else left - base_right if left > base_right else 0
        dy = base_bottom - top if base_bottom > top else bottom - base_top if bottom > base_top else 0
        if dx * dx + dy * dy <= NEAR_SQUARED:
            return True
    return False
