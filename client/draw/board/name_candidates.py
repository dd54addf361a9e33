"""Places at which the name of a thing may stand, the best first. Needs no window."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from client.ui.layout import Rect
from protocol.ids import NodeId

NEAR: Final = 23
"""Pixels between a name and the nearest base of its thing, at most."""
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
    for box in chain(_beside(whole, w, h, gaps), *(_beside(base, w, h, GAPS[::3], SLIDES[:3]) for base in single)):
        if gap_to(box, name.bases) <= NEAR:
            yield box


def _beside(thing: Rect, w: float, h: float, gaps: Sequence[float], slides: Sequence[float] = SLIDES) -> Iterator[Rect]:
    cx, cy = thing.centre
    for gap in gaps:
        for slide in slides:
            x, y = cx - w / 2 + slide * w, cy - h / 2 + slide * h
            yield Rect(x, thing.y - gap - h, w, h)
            yield Rect(x, thing.top + gap, w, h)
            yield Rect(thing.right + gap, y, w, h)
            yield Rect(thing.x - gap - w, y, w, h)


def _around(rects: Sequence[Rect]) -> Rect:
    x, y = min(rect.x for rect in rects), min(rect.y for rect in rects)
    return Rect(x, y, max(rect.right for rect in rects) - x, max(rect.top for rect in rects) - y)


def gap_to(box: Rect, bases: Sequence[Rect]) -> float:
    """Return the pixels between a name and the nearest of the bases."""
    return min(
        math.hypot(
            max(base.x - box.right, box.x - base.right, 0),
            max(base.y - box.top, box.y - base.top, 0),
        )
        for base in bases
    )
