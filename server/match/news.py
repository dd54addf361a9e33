"""The news that a match has for its table, and the state of the table that the match is told beforehand.

Both are plain data, so that a match and its table may live in two processes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from protocol.scene.nodes import Result
from protocol.wire.from_server import EntropyWanted

PARKED: Final = "match/parked"
"""The code of a match that cannot go on."""
COMPARING: Final = "match/comparing"
"""The code of a match that is played again under changed rules, to see whether all comes out the same."""
OTHER_RULES: Final = "match/other-rules"
"""The code of a match that does not come out the same, while its people are to say whether it is played on."""


class TableState(msgspec.Struct, frozen=True):
    """A table as its match has to know it. `holders`: "person", "bot" or "empty" by seat; `present`: the seats whose
    person is connected and plays, no bot standing in; `adding`: the seats of connected programs that add to dice;
    `tipped`: the seats of those that have said a tip; `spectators`: how many are connected; `banks`: milliseconds in
    reserve by seat, as the players were last shown them (empty where no clock runs); `people`: by seat the id
    of its person in this match alone, empty where it is held by none."""

    holders: tuple[str, ...] = ()
    present: frozenset[int] = frozenset()
    adding: frozenset[int] = frozenset()
    tipped: frozenset[int] = frozenset()
    spectators: int = 0
    banks: tuple[int, ...] = ()
    people: tuple[bytes, ...] = ()


class ClocksChanged(msgspec.Struct, frozen=True, tag=True):
    """Other seats are waited for, or since another time. `banks`: milliseconds left by seat; `players_told`: the
    players have been told the clocks already."""

    waiting: tuple[int, ...]
    banks: tuple[int, ...]
    players_told: bool


class SeatActed(msgspec.Struct, frozen=True, tag=True):
    """A seat has acted or answered by itself."""

    seat: int


class TimeRunsShort(msgspec.Struct, frozen=True, tag=True):
    """The time of these seats ends in so many seconds."""

    seats: tuple[int, ...]
    seconds: float


class DefaultPlayed(msgspec.Struct, frozen=True, tag=True):
    """The default has been played for a seat whose person could have known it."""

    seat: int


class TimeRanOut(msgspec.Struct, frozen=True, tag=True):
    """The time of a seat is over, at this question or (-1) in its turn. The step that plays its default is durable: it
    has this version and this head."""

    seat: int
    question: int
    version: int
    head: bytes


class SeatCleared(msgspec.Struct, frozen=True, tag=True):
    """The figures of a conceding seat have left the board, as far as they could."""

    seat: int


class PartWanted(msgspec.Struct, frozen=True, tag=True):
    """The program of this seat is asked for its part in a round of dice."""

    seat: int
    message: EntropyWanted


class MatchEnded(msgspec.Struct, frozen=True, tag=True):
    """The match is over, by its rules or (without a result) by those who played it. Its last step is durable."""

    result: Result | None


class MatchParked(msgspec.Struct, frozen=True, tag=True):
    """The match cannot go on."""


class StepVoided(msgspec.Struct, frozen=True, tag=True):
    """An act has been given up after a fault, durably."""


class StepsLost(msgspec.Struct, frozen=True, tag=True):
    """The store has lost steps that were acknowledged. The match must be made again from what is left."""


MatchNews = (
    ClocksChanged
    | SeatActed
    | TimeRunsShort
    | DefaultPlayed
    | TimeRanOut
    | SeatCleared
    | PartWanted
    | MatchEnded
    | MatchParked
    | StepVoided
    | StepsLost
)


class TablePort:
    """The way from a match to its table and back: `tell` takes news at once and never fails; `state` is the newest that
    the table has sent."""

    def __init__(self, tell: Callable[[MatchNews], None]) -> None:
        self.tell = tell
        self.state = TableState()
