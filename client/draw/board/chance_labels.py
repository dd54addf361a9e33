"""Labels of chances on the board: each beside its thing, or joined to it by a line where it stands farther off."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from client.ui import theme
from client.ui.camera import Spot
from client.ui.frame import Ui
from client.ui.layout import Rect

FURTHER = (1, 2, 3)
"""Rows above and below the places beside a thing, where its words stand if those are taken."""
TOUCHING = 6
"""Pixels between a label and an outline that it still belongs to at sight."""


@dataclass(frozen=True)
class ChanceLabel:
    """A few words at a place of the window, about what has this outline there."""

    words: str
    place: Rect
    outline: Sequence[Spot]
    colour: theme.Colour


def chance_place(
    ui: Ui, words: str, around: Rect, taken: Sequence[Rect], board: Rect, others: Sequence[Rect] = ()
) -> Rect:
    """Return the place of a chance, or of a few words: of those around a thing that lie on the board and cover no name
    the first that covers the fewest other things; else the one above it."""
    wide, high = ui.width(words, size=theme.SMALL, bold=True) + ui.px(12), ui.px(18)
    (x, y), gap = around.centre, 4
    places = (
        Rect(x - wide / 2, around.top, wide, high),
        Rect(x - wide / 2, around.y - high, wide, high),
        Rect(around.right + gap, y - high / 2, wide, high),
        Rect(around.x - wide - gap, y - high / 2, wide, high),
        *(Rect(x - wide / 2, around.top + row * (high + 2), wide, high) for row in FURTHER),
        *(Rect(x - wide / 2, around.y - high - row * (high + 2), wide, high) for row in FURTHER),
    )
    inside = (place for place in places if board.contains(place.x, place.y) and board.contains(place.right, place.top))
    free = (place for place in inside if not any(place.overlaps(other) for other in taken))
    return min(free, key=lambda place: sum(place.overlaps(other) for other in others), default=places[0])


def leader(place: Rect, outline: Sequence[Spot]) -> tuple[Spot, Spot] | None:
    """Return the ends of the shortest line from a label to a closed outline; None where they touch at sight."""
    spot = min(_near_spots(place, outline), key=lambda spot: math.dist(spot, _nearest(place, spot)))
    start = _nearest(place, spot)
    return (start, spot) if math.dist(start, spot) > TOUCHING else None


def _near_spots(place: Rect, outline: Sequence[Spot]) -> Iterator[Spot]:
    """Yield the spots of an outline of which one is the nearest to a place."""
    corners = [(x, y) for x in (place.x, place.right) for y in (place.y, place.top)]
    for start, end in pairwise((*outline, outline[0])):
        yield start
        (x, y), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])
        length = dx * dx + dy * dy
        for spot in (place.centre, *corners) if length else ():
            share = min(max(((spot[0] - x) * dx + (spot[1] - y) * dy) / length, 0), 1)
            yield x + share * dx, y + share * dy


def _nearest(place: Rect, spot: Spot) -> Spot:
    """Return the spot of a place that is the nearest to another."""
    return min(max(spot[0], place.x), place.right), min(max(spot[1], place.y), place.top)


def draw_labels(ui: Ui, labels: Sequence[ChanceLabel]) -> None:
    """Draw labels above all their lines."""
    ui.on("marks")
    for label in labels:
        line = leader(label.place, label.outline)
        if line is not None:
            ui.painter.cased(line, 1, label.colour)
    for label in labels:
        ui.painter.rect(label.place, theme.faded(theme.PLATE, 225), 4)
        ui.label(label.words, *label.place.centre, size=theme.SMALL, colour=label.colour, anchor="center", bold=True)
