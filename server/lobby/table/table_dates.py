"""The beginning that a table may have: functions from one record to the next, and the times at which something is due.

Whoever takes a seat of such a table promises to come. They are told a day and an hour before, and when the table opens;
whoever is not there some minutes after the beginning has their seat no more.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from msgspec.structs import replace

from server.lobby.table.seat_changes import not_kept_for, pass_ownership, vacate
from server.lobby.table.table_record import OPEN, TableRecord
from server.runtime.refusals import Refused

OPENS_SECONDS: Final = 600
"""Before the beginning."""
FREED_SECONDS: Final = 600
"""After it."""
MOST_SECONDS: Final = 90 * 24 * 3600
"""That a beginning may be ahead."""
TOLD_BEFORE: Final = (24 * 3600, 3600, OPENS_SECONDS)
"""Seconds before the beginning at which its people are told of it: the stages 1, 2 and 3."""
OPENED: Final = len(TOLD_BEFORE)
"""The stage in which the match may begin."""
MOVED: Final = -1
"""Of a person who has not been told of the newest date."""


def stage_of(table: TableRecord, now: int) -> int:
    """Return the stage of a table with a beginning at this time (Unix seconds)."""
    return sum(now >= table.begins - seconds for seconds in TOLD_BEFORE)


def next_stage_at(table: TableRecord, now: int) -> int | None:
    """Return the Unix time of the next stage, None after the last."""
    return min((at for seconds in TOLD_BEFORE if (at := table.begins - seconds) > now), default=None)


def set_date(table: TableRecord, who: str, begins: int, now: int) -> TableRecord:
    """Give a table this beginning, or none where it is 0; all but `who` are to be told. Raises Refused."""
    if begins == table.begins:
        return table
    if begins and not now < begins <= now + MOST_SECONDS:
        raise Refused("table/date", days=MOST_SECONDS // (24 * 3600))
    told = stage_of(replace(table, begins=begins), now) if begins else 0
    seats = tuple(replace(seat, told=told if seat.who == who or not begins else MOVED) for seat in table.seats)
    # whoever is sent the code must be able to come to the beginning
    ends = max(table.code_ends, begins + FREED_SECONDS) if begins else table.code_ends
    return replace(table, begins=begins, seats=seats, code_ends=ends)


def untold(table: TableRecord, stage: int) -> tuple[str, ...]:
    """Return the people who have not been told of this stage."""
    return tuple(seat.who for seat in table.seats if seat.who and seat.told < stage)


def told(table: TableRecord, people: Collection[str], stage: int) -> TableRecord:
    """Note that these people know of this stage."""
    return replace(
        table, seats=tuple(replace(seat, told=stage) if seat.who in people else seat for seat in table.seats)
    )


def freed(table: TableRecord, here: Collection[str]) -> TableRecord:
    """Free the seats of all who are not here, and those that are kept for others; the beginning is past."""
    for who in table.kept_for:
        table = not_kept_for(table, who)
    for number, seat in enumerate(table.seats):
        if seat.who and seat.who not in here:
            table = vacate(table, number, "", 0)
    return pass_ownership(replace(table, begins=0))


def check_open(table: TableRecord, now: int) -> None:
    """Raise Refused where the match may not begin yet."""
    if table.state == OPEN and table.begins and stage_of(table, now) < OPENED:
        raise Refused("table/not-yet", minutes=OPENS_SECONDS // 60)
