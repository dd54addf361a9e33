"""Votes of the people seated: what may be voted on, whose vote counts, and when it is decided. Plain functions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Final

import msgspec

from server.match.news import COMPARING, OTHER_RULES
from server.runtime.refusals import Refused

if TYPE_CHECKING:
    from server.lobby.table.table_record import TableRecord

PAUSE, RESUME, ADJOURN, END, BOT, PLAY_ON = "pause", "resume", "adjourn", "end", "bot", "play_on"
PAUSED, ADJOURNED = "paused", "adjourned"
BY_TABLE: Final = -1


class VoteRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """An open vote: on what, about which seat (`bot`), called by which seat (BY_TABLE: by the table itself)."""

    what: str
    seat: int = -1
    by: int = BY_TABLE
    ballots: dict[int, bool] = {}

    @property
    def subject(self) -> str:
        """The subject of the vote, for the log."""
        return f"{self.what} {self.seat}" if self.seat >= 0 else self.what


def check_call(table: TableRecord, what: str, why_parked: str) -> None:
    """Raise Refused where the table is not in a state to vote on this. `why_parked`: see LiveTable."""
    if table.state != "live" or table.ending:
        raise Refused("vote/no-match")
    if table.vote is not None:
        raise Refused("vote/open")
    if what == PLAY_ON and not why_parked:
        raise Refused("vote/same-rules")
    if why_parked and (why_parked == COMPARING or what not in (END, *([PLAY_ON] if why_parked == OTHER_RULES else []))):
        raise Refused(why_parked)
    if what == RESUME and not table.rest:
        raise Refused("vote/not-paused")
    if what == PAUSE and table.rest:
        raise Refused("vote/paused")
    if what in (ADJOURN, BOT) and table.rest == ADJOURNED:
        raise Refused("vote/adjourned")


def voters(table: TableRecord, vote: VoteRecord, present: Collection[str], *, parked: bool) -> tuple[int, ...]:
    """Return the seats whose people are asked.

    Those who are here (or not gone for long: `present` says who), without the seat that it is about. Of the end of the
    match all are asked who have not been replaced, here or not: so no one left alone ends it for all others. Where it
    cannot go on (`parked`), those who are here decide.
    """
    all_of_them = vote.what == END and not parked
    asked = [
        number
        for number, seat in enumerate(table.seats)
        if seat.who and not seat.bot and number != vote.seat and (all_of_them or seat.who in present)
    ]
    return tuple(sorted({*asked, *vote.ballots} - {vote.seat}))


def outcome(what: str, asked: Collection[int], ballots: Mapping[int, bool], *, is_over: bool) -> bool | None:
    """Return True where it is carried, False where it is lost, None while that is open. More than half of those asked
    decide at once.

    When its time is over (`is_over`) those who have not voted count no more: more yes than no carries it. Only the end
    of the match, and playing on under changed rules, need more than half of all even then. A rest lasts while a
    majority wants it: to go on, half will do.
    """
    yes = sum(ballots.values())
    no = len(ballots) - yes
    most = len(asked)
    if what == RESUME:
        if yes and 2 * yes >= most:
            return True
        if 2 * no > most:
            return False
        return yes >= no and yes > 0 if is_over else None
    if 2 * yes > most:
        return True
    if 2 * no >= most:
        return False
    return what not in (END, PLAY_ON) and yes > no if is_over else None
