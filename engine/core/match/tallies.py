"""Course of a match in numbers: what its system counts for each seat at the end of each round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from engine.core.rules.events import HUNDRED
from engine.core.rules.record import Record
from engine.core.rules.system import RoundTally
from protocol.scene.nodes import Series
from protocol.text import Text

MOST_ROUNDS: Final = 200
"""Rounds that are remembered at most: of a longer match the last ones."""
LUCK: Final = "luck"


def with_luck(tally: RoundTally, record: Record) -> RoundTally:
    """Return a tally with the luck of each seat: the losses that it caused less those that were forecast."""
    if not record.luck:
        return tally
    luck = tuple([record.luck.get(seat, 0) for seat in range(record.seats)])
    return msgspec.structs.replace(tally, counts={**tally.counts, LUCK: luck})


def with_tally(tallies: Sequence[RoundTally], new: RoundTally) -> tuple[RoundTally, ...]:
    """Return the tallies with a new one in place of any of its round and later ones."""
    return (*[tally for tally in tallies if tally.round < new.round], new)[-MOST_ROUNDS:]


def series_of(tallies: Sequence[RoundTally]) -> tuple[Series, ...]:
    """Return the rows of each number that the last tally has; where an earlier one lacks it, the number was 0."""
    if not tallies:
        return ()
    return tuple([_series(key, len(own), tallies) for key, own in tallies[-1].counts.items()])


def _series(key: str, seats: int, tallies: Sequence[RoundTally]) -> Series:
    columns = [tally.counts.get(key, (0,) * seats) for tally in tallies]
    rows = tuple([tuple([column[seat] for column in columns]) for seat in range(seats)])
    return Series(Text(f"series.{key}"), rows, tallies[0].round, HUNDRED if key == LUCK else 1)
