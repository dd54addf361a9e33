"""The people whose votes count at a table, and the round trips of their links. Plain parts of LiveTable."""

from __future__ import annotations

from typing import Final

from protocol.limits import Limits
from server.lobby.table.presence import PresenceTracker
from server.lobby.table.table_record import TableRecord
from server.lobby.table.votes import ADJOURNED, voters

LINKS_EVERY: Final = 10.0
"""Seconds between two tellings of measured links."""


def grace_of(table: TableRecord, limits: Limits) -> float:
    """Return the seconds after which one who is away does not count."""
    return limits.mail_seconds if table.mail else limits.grace_seconds


def owner_grace_of(table: TableRecord, limits: Limits) -> float:
    """Return the seconds after which the table of an owner who is away gets another one."""
    return max(limits.owner_seconds, grace_of(table, limits))


def voters_of(
    table: TableRecord, presence: PresenceTracker, limits: Limits, now: float, *, parked: bool
) -> tuple[int, ...]:
    """Return the seats whose votes count in the open vote. At an adjourned table only those count who are here."""
    if table.vote is None:
        return ()
    grace = 0.0 if table.rest == ADJOURNED else grace_of(table, limits)
    here = {who for who in table.people if presence.is_here(who) or presence.away(who, now) < grace}
    return voters(table, table.vote, here, parked=parked)


class Trips:
    """The round trips of a table's players, in steps of 20 ms, from half a second on of 200."""

    def __init__(self) -> None:
        self._told_at = -LINKS_EVERY
        self._known: dict[str, int] = {}
        self.due: float | None = None
        """When what has changed is to be told, which is not often; None where all is told."""

    def measured(self, who: str, trip: int, now: float) -> None:
        """Take a newly measured round trip, in milliseconds."""
        coarse = trip // (20 if trip < 500 else 200)
        if self.due is None and self._known.get(who) != coarse:
            self.due = max(now, self._told_at + LINKS_EVERY)
        self._known[who] = coarse

    def told(self, now: float) -> None:
        """Note that all measures so far have been told."""
        self._told_at, self.due = now, None
