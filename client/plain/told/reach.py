"""Ground within reach as distances by direction of the compass."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from client.model.table.shapes import contains
from client.plain.told.compass import COMPASS, direction_words, length_words, number_words, step
from client.text.phrases import phrase
from protocol.scene.fields import Band
from protocol.scene.nodes import Point
from protocol.text import Text

GRAIN: Final = 25
"""Hundredths from one place that is looked at to the next."""
FURTHEST: Final = 6000
"""Hundredths beyond which nobody looks."""

Outline = Sequence[Point]


def reach_lines(start: Point, regions: Sequence[Outline], unit: str) -> Iterator[str]:
    """Yield a line with the furthest place of some ground in each direction from a start; none where there is no
    ground."""
    shapes = [region for region in regions if len(region) > 2]
    far = {direction: furthest(start, direction, shapes) for direction in COMPASS} if shapes else {}
    words = [
        phrase("plain.reach.way", direction=direction_words(direction), length=number_words(length))
        for direction, length in far.items()
        if length
    ]
    if words:
        many = phrase("plain.unit.cm.many" if unit == "cm" else "plain.unit.in.many")
        yield phrase("plain.reach.ways", unit=many, ways=", ".join(words))


def furthest(start: Point, direction: str, shapes: Sequence[Outline]) -> int:
    """Return how far the furthest place inside some outlines lies in a direction, in hundredths; 0 where none does."""
    found = 0
    for length in range(GRAIN, FURTHEST + 1, GRAIN):
        place = step(start, direction, length)
        if any(contains(shape, place) for shape in shapes):
            found = length
    return found


def band_lines(start: Point, bands: Sequence[Band], say: Callable[[Text], str], unit: str) -> Iterator[str]:
    """Yield for each price at which ground can be reached its name, and the distances by direction."""
    for band in bands:
        name = say(band.name)
        yield phrase("plain.band", name=name, cost=length_words(band.cost, unit)) if band.cost else name
        yield from reach_lines(start, band.regions, unit)
