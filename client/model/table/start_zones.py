"""Zones of a table in which seats start, as the picture of a scenario shows them. Needs no window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from client.model.table.shapes import contains
from client.model.table.tabletop import Tabletop
from protocol.scene.nodes import Point

DEPLOYMENT: Final = "deployment"
"""Style of such a zone."""


def starts_of(top: Tabletop) -> dict[tuple[Point, ...], list[int]]:
    """Return the seats that start in each zone, by its outline; none in one that is given to somebody in the set-up."""
    found: dict[tuple[Point, ...], list[int]] = {}
    for zone in top.zones.values():
        if zone.style == DEPLOYMENT and len(zone.points) > 2:
            seats = found.setdefault(zone.points, [])
            seats += [zone.owner] if zone.owner >= 0 else []
    return found


def middle_of(outline: Sequence[Point]) -> Point:
    """Return a place in the middle of an outline, inside it where its corners show one."""
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    middle = (min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2
    inner = [((ax + bx) // 2, (ay + by) // 2) for (ax, ay), (bx, by) in zip(outline, outline[2:], strict=False)]
    return next((place for place in (middle, *inner) if contains(outline, place)), middle)
