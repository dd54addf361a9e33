"""Places of tips beside the mouse. Needs no window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from client.ui.layout import Rect

ASIDE: Final = 16
BELOW: Final = 12
ABOVE: Final = 18
"""Pixels between the mouse and a tip to its side, below it, and above it."""
EDGE: Final = 4
"""Pixels between a tip and the edges of the window."""


def tip_box(
    mouse: tuple[float, float],
    size: tuple[float, float],
    window: Rect,
    room: Rect,
    lists: Sequence[Rect],
    clear: Sequence[Rect] = (),
    spared: Sequence[Rect] = (),
    ringed: Sequence[Rect] = (),
) -> Rect | None:
    """Return the place of a tip beside the mouse, inside the window and not past the right edge of `room`: where it
    covers none of `lists`, if there is such a place, then the fewest of `ringed`, of those the fewest of `spared`, and
    below the mouse rather than above, beside it last. It never covers any of `clear`: there it lies beside that; None
    where it has no place."""
    (x, y), (width, height) = mouse, size
    right = max(min(x + ASIDE, room.right - width - EDGE), EDGE)
    above = min(y + ABOVE, window.top - height - EDGE)
    below = y - height - BELOW
    boxes = [Rect(side, level, width, height) for side in (right, x - width - ASIDE) for level in (below, above)]
    level = min(max(y - height / 2, EDGE + 1), window.top - height - EDGE)
    middle = min(max(x - width / 2, EDGE), room.right - width - EDGE)
    boxes += [Rect(side, level, width, height) for side in (x + ASIDE, x - width - ASIDE) if side + width < room.right]
    boxes += [Rect(middle, high, width, height) for high in (below, y + ABOVE)]
    for one in clear:
        boxes += [Rect(side, level, width, height) for side in (one.right + EDGE, one.x - width - EDGE)]
        boxes += [Rect(right, level, width, height) for level in (one.y - height - EDGE, one.top + EDGE)]
    inside = [box for box in boxes if _is_in(box, window)] or [Rect(right, above, width, height)]
    free = [box for box in inside if not any(box.overlaps(one) for one in clear)]
    return min(
        free,
        key=lambda box: (_covered(box, lists) > 0, _covered(box, ringed), _covered(box, spared)),
        default=None,
    )


def _covered(box: Rect, places: Sequence[Rect]) -> int:
    return sum(box.overlaps(place) for place in places)


def _is_in(box: Rect, window: Rect) -> bool:
    return box.x >= EDGE and box.right <= window.right and box.y > EDGE and box.top <= window.top
