"""Directions of the compass between places of the table: north is up, east is right. Places are in hundredths."""

from __future__ import annotations

import math
from typing import Final

from client.text.phrases import phrase
from protocol.scene.nodes import Point

COMPASS: Final = ("e", "ne", "n", "nw", "w", "sw", "s", "se")
"""Directions anticlockwise from the east, 45 degrees apart."""
CLOSE: Final = 5
"""Distance in hundredths below which two places are one."""


def direction_words(direction: str) -> str:
    """Return a direction in words: "north-east"."""
    return phrase(f"plain.compass.{direction}")


def direction_named(words: str) -> str | None:
    """Return the direction that somebody has written, in short or in full; None for any other word."""
    wanted = words.lower().replace("-", "").replace(" ", "")
    for direction in COMPASS:
        full = direction_words(direction).replace("-", "").replace(" ", "")
        if wanted in (phrase(f"plain.compass.short.{direction}"), full):
            return direction
    return None


def direction_of(angle: float) -> str:
    """Return the direction nearest to an angle in degrees, anticlockwise from the east."""
    return COMPASS[round(angle / 45) % len(COMPASS)]


def direction_between(a: Point, b: Point) -> str:
    """Return the direction from one place to another."""
    return direction_of(math.degrees(math.atan2(b[1] - a[1], b[0] - a[0])))


def step(start: Point, direction: str, length: float) -> Point:
    """Return the place so far away in a direction."""
    angle = math.radians(45 * COMPASS.index(direction))
    return (round(start[0] + length * math.cos(angle)), round(start[1] + length * math.sin(angle)))


def towards(start: Point, end: Point, length: float) -> Point:
    """Return the place so far away on the straight way to another, at most that one."""
    whole = math.dist(start, end)
    share = min(length / whole, 1.0) if whole else 0.0
    return (round(start[0] + (end[0] - start[0]) * share), round(start[1] + (end[1] - start[1]) * share))


def number_words(hundredths: float) -> str:
    """Return hundredths as a number of units, with one decimal where it is not whole: "11", "3.5"."""
    return f"{round(hundredths / 10) / 10:g}"


def length_words(hundredths: float, unit: str) -> str:
    """Return a length in the table's unit, with one decimal where it is not whole: "11 inches"."""
    words = number_words(hundredths)
    one = phrase("plain.unit.cm" if unit == "cm" else "plain.unit.in")
    many = phrase("plain.unit.cm.many" if unit == "cm" else "plain.unit.in.many")
    return f"{words} {one if words == '1' else many}"


def place_words(point: Point) -> str:
    """Return a place by its numbers, in the table's unit from the south-west corner: "24, 12.5"."""
    return ", ".join(map(number_words, point))


def way_words(start: Point, end: Point, unit: str) -> str:
    """Return how far and in which direction a place lies from another: "11 inches north-east"."""
    length = math.dist(start, end)
    if length < CLOSE:
        return phrase("plain.here")
    return phrase(
        "plain.way", length=length_words(length, unit), direction=direction_words(direction_between(start, end))
    )
