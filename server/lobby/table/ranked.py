"""The rules of ranked tables: functions from one record to the next, and checks of what may be done there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec.structs import replace

from server.lobby.table.admission import newest
from server.lobby.table.table_record import LIVE, TableRecord
from server.runtime.refusals import Refused

FIXED: Final[Mapping[str, Any]] = {
    "options": {},
    "seconds": 60,
    "reaction_seconds": 3,
    "bank": 600,
    "mail": False,
    "solo_clock": False,
    "bot_pace": 1500,
    "late": False,
    "seat_views": False,
    "all_views": False,
    "watchers_heard": False,
    "rated": True,
    "strict": True,
}
"""The settings of every ranked table, which nobody chooses: the usual ones, but that nobody comes late or looks into
seats, and that dice are strict."""


def changed(before: TableRecord, after: TableRecord) -> TableRecord:
    """Return the table after a change of its settings: one that becomes ranked gets those that are fixed there. Raises
    Refused where it cannot be, or where one of them was changed."""
    if not after.ranked:
        return after
    if after.lesson:
        raise Refused("table/ranked-lesson")
    if after.bot_seats:
        raise Refused("table/ranked-bots")
    if before.ranked and any(getattr(after, name) != value for name, value in FIXED.items()):
        raise Refused("table/ranked-fixed")
    return replace(after, **FIXED)


def made_ranked(table: TableRecord) -> TableRecord:
    """Return a table that is ranked. Raises Refused where it cannot be."""
    return changed(table, replace(table, ranked=True))


def check_no_bot(table: TableRecord) -> None:
    """Raise Refused where no bot may sit down."""
    if table.ranked:
        raise Refused("table/ranked-bots")


def check_hands(table: TableRecord) -> None:
    """Raise Refused where seats change hands no more."""
    if table.ranked and table.state == LIVE:
        raise Refused("table/ranked-seats")


def seen_from(table: TableRecord, mark: str, most: int) -> TableRecord:
    """Note the mark of an address from which somebody plays; of them the newest `most` are remembered."""
    return replace(table, played_from=newest(table.played_from, mark, most))
