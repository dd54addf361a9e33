"""Series of a result as they are drawn and told: what a server sends is cut to what can be shown. Needs no window."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from client.model.table.view_model import ViewModel
from client.text.phrases import phrase
from client.text.spoken import SPOKEN
from protocol.scene.nodes import Result

MOST_SERIES: Final = 8
MOST_ROUNDS: Final = 200


class ShownSeries(NamedTuple):
    """One number of the seats, round by round: its name, the first round, and a row for each seat, all of one
    length."""

    name: str
    first: int
    rows: dict[int, tuple[float, ...]]

    @property
    def length(self) -> int:
        """The number of rounds."""
        return len(next(iter(self.rows.values())))


def courses_of(model: ViewModel, result: Result) -> list[ShownSeries]:
    """Return the series of a result that can be shown, of the seats that it is about."""
    found: list[ShownSeries] = []
    for series in islice(result.series, MOST_SERIES):
        seats = [one.seat for one in result.seats if 0 <= one.seat < len(series.rows)]
        length = min((len(series.rows[seat]) for seat in seats), default=0)
        length, per = min(length, MOST_ROUNDS), max(series.per, 1)
        if length:
            rows = {seat: tuple([number / per for number in series.rows[seat][:length]]) for seat in seats}
            found.append(ShownSeries(model.texts.say(series.name), series.first, rows))
    return found


def number_words(number: float) -> str:
    """Return a number of a series as it is read."""
    return SPOKEN.decimal(number, "0.##")


def course_lines(model: ViewModel, result: Result) -> Iterator[str]:
    """Yield each series in words: its name with its rounds, then a line for each seat."""
    for course in courses_of(model, result):
        yield phrase("series.head", name=course.name, first=course.first, last=course.first + course.length - 1)
        for seat, row in course.rows.items():
            numbers = "; ".join(map(number_words, row))
            yield phrase("series.line", name=model.seat_name(seat), numbers=numbers)
