"""The occasions on which a table has something to tell its people: a turn, and the day and the hour before a date."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from server.lobby.table.table_dates import stage_of
from server.lobby.table.table_record import LIVE, OPEN

if TYPE_CHECKING:
    from server.lobby.table.live_table import LiveTable

TURN: Final = "turn"
STAGES: Final = ("", "day", "hour", "")
"""By the stage of a table with a beginning: what people are told who are not there."""


def occasions_at(live: LiveTable, now: int) -> dict[str, str]:
    """Return what there is to tell now (Unix seconds), by person. One occasion is the same word as long as it lasts:
    a turn until others are waited for alone, a date until it has passed or is moved."""
    record = live.record
    if record.lesson:
        return {}
    if record.state == OPEN and record.begins:
        stage = STAGES[stage_of(record, now)]
        return dict.fromkeys(record.people, f"{stage} {record.begins}") if stage else {}
    if record.state != LIVE or record.rest or record.ending:
        return {}
    seats = [record.seats[number] for number in live.waiting]
    return {seat.who: TURN for seat in seats if seat.who and not seat.bot}
