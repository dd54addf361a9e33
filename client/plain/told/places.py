"""Places of the table as a person writes them: a name, a distance and a direction, towards something, two numbers."""

from __future__ import annotations

import math
import re
from typing import Final

from client.model.table.tabletop import Tabletop
from client.plain.told.compass import direction_named, step, towards
from client.plain.told.names import ShortNames
from client.text.phrases import phrase
from protocol.scene.nodes import Point

_NUMBERS: Final = re.compile(r"^(-?\d+(?:[.,]\d+)?)\s*[,;/ ]\s*(-?\d+(?:[.,]\d+)?)$")
_MEASURED: Final = re.compile(r"^(\d+(?:[.,]\d+)?)\s*(.+)$")
_LONGEST: Final = 10_000.0
"""Units of the table beyond which no number is a place."""


class UnknownPlace(ValueError):
    """Words that name no place; the message says what would."""


class PlaceReader:
    """Reader of places on one table. The words between a distance and a name come from the catalogue."""

    def __init__(self, top: Tabletop, names: ShortNames) -> None:
        self._top = top
        self._names = names

    def read(self, words: str, start: Point | None) -> Point:
        """Return the place that is meant, measured from `start` where the words name no other beginning. Raises
        UnknownPlace."""
        written = words.strip().lower()
        if found := _NUMBERS.match(written):
            return (_hundredths(found[1]), _hundredths(found[2]))
        if written == phrase("plain.here") and start is not None:
            return start
        measured = _MEASURED.match(written)
        if measured and (place := self._measured(_hundredths(measured[1]), measured[2], start)) is not None:
            return place
        return self._thing(words)

    def _measured(self, length: int, rest: str, start: Point | None) -> Point | None:
        """Return the place at a distance: in a direction from `start` or from a thing, or on the way to a thing."""
        before, of, thing = rest.partition(f" {phrase('plain.place.of')} ")
        direction = direction_named(before)
        if direction is not None:
            origin = self._thing(thing) if of else start
            if origin is None:
                raise UnknownPlace(phrase("plain.place.no_start"))
            return step(origin, direction, length)
        word = phrase("plain.place.to")
        if rest.startswith(f"{word} ") and start is not None:
            return towards(start, self._thing(rest.removeprefix(word)), length)
        return None

    def _thing(self, words: str) -> Point:
        id = self._names.find(words)
        place = self._top.centre_of(id) if id else None
        if place is None:
            raise UnknownPlace(phrase("plain.place.unknown", words=words.strip()))
        return place


def _number(written: str) -> float:
    number = float(written.replace(",", "."))
    if not math.isfinite(number) or abs(number) > _LONGEST:
        raise UnknownPlace(phrase("plain.place.unknown", words=written))
    return number


def _hundredths(written: str) -> int:
    return round(_number(written) * 100)
