"""Timed table housekeeping: close votes, return seats to their people, transfer ownership, end deserted matches.

A table that has something to wait for has one task here. Whatever it finds due is made durable as one change of the
table's record, and only then carried out.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from engine.core.match.causes import TableEvent
from server.lobby.table import seat_changes, table_record
from server.lobby.table.table_record import FINISHED, LIVE, TableRecord
from server.lobby.table.votes import ADJOURN, ADJOURNED, BOT, PAUSE, PAUSED, PLAY_ON, RESUME, VoteRecord, outcome
from server.match.bots.bot_factory import new_seed
from server.match.news import COMPARING
from server.runtime.clock import set_or_due
from server.runtime.tasks import stop
from server.store.port import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

    from server.lobby.lobby import Lobby
    from server.lobby.services import Services
    from server.lobby.table.live_table import LiveTable

RETRY_SECONDS: Final = 1.0
FAULT_SECONDS: Final = 10.0
"""Seconds after a bug in one look at a table until the next."""
RESTS: Final = {PAUSE: PAUSED, ADJOURN: ADJOURNED, RESUME: ""}


class TableHousekeeping:
    """Housekeeping of all tables of a lobby."""

    def __init__(self, services: Services, lobby: Lobby) -> None:
        self._services = services
        self._lobby = lobby
        self._tasks: dict[LiveTable, asyncio.Task[None]] = {}
        self._woken: dict[LiveTable, asyncio.Event] = {}

    def wake(self, live: LiveTable) -> None:
        """Look whether anything is due at this table, which has changed."""
        if live in self._tasks:
            self._woken[live].set()
            return
        self._woken[live] = asyncio.Event()
        self._tasks[live] = self._services.tasks.begin(self._mind(live), "care")

    def over(self, live: LiveTable) -> None:
        """Look no more at this table, whose match is over, in place of waiting for what was due in it."""
        if live in self._woken:
            self._woken[live].set()

    async def close(self) -> None:
        """Stop looking."""
        await stop(self._tasks.values())

    async def _mind(self, live: LiveTable) -> None:
        woken = self._woken[live]
        try:
            while True:
                woken.clear()
                due = await self._look_safely(live)
                if due is None and not woken.is_set():
                    return
                if due is not None:
                    await set_or_due(woken, self._services.clock, due)
        finally:
            del self._tasks[live], self._woken[live]

    async def _look_safely(self, live: LiveTable) -> float | None:
        """Look once; return the time of the next look, None where nothing is awaited. After a bug the table is looked
        at again later."""
        try:
            async with live.lock:
                if live.is_asleep:
                    return None
                look = _Run(live, self._services, self._lobby)
                await look.run()
            return self._next(live, look.now)
        except StoreError as problem:
            self._services.log.error("store", problem=str(problem))
            return self._services.clock.now() + RETRY_SECONDS
        except Exception as bug:
            self._services.metrics.task_faults.add("care")
            self._services.log.error("care", table=live.record.id, exc_info=bug)
            return self._services.clock.now() + FAULT_SECONDS

    def _next(self, live: LiveTable, now: float) -> float | None:
        """Return the time of the next look after `now`, that of the last one. An alarm may ring a little early, and
        what was not due then is looked at again, although its time has come meanwhile."""
        record = live.record
        if record.state == FINISHED:
            return None
        absent = live.activity.presence.returns(record.people, (live.grace, live.owner_grace), now)
        times = [absent] if absent is not None and live.sessions else []
        since = live.activity.deserted_since
        if live.is_deserted and since is None:
            times.append(now)
        elif live.is_deserted and since is not None and not record.people and not record.ending:
            times.append(since + self._services.limits.deserted_seconds)
        return min([*times, live.activity.vote_ends] if record.vote is not None else times, default=None)


class _Run:
    """A run at one table, its lock held: `after` becomes its record, then `acts` are done."""

    def __init__(self, live: LiveTable, services: Services, lobby: Lobby) -> None:
        self._live = live
        self._services = services
        self._lobby = lobby
        self.now = services.clock.now()
        self.after: TableRecord = live.record
        self.acts: list[Callable[[], None]] = []

    async def run(self) -> None:
        """Find what is due, store it, and carry it out. Raises StoreError: then nothing has happened."""
        live = self._live
        if live.record.state == FINISHED:
            return
        self._owner()
        if live.record.state == LIVE:
            self._ending()
            self._give_back()
            self._banks()
            self._given_up()
            self._emptied()
            self._vote()
            self._ask()
            self._leave_alone()
            self._closed()
        if self.after != live.record:
            await self._lobby.save(live, self.after)
        for act in self.acts:
            act()
        if self.acts:
            live.broadcast.tell()

    def _note(self, kind: str, seat: int = -1, words: str = "") -> None:
        self.acts.append(lambda: self._live.note(TableEvent(kind, seat, words)))

    # Owners and seats

    def _owner(self) -> None:
        """Transfer ownership to the next person who is here, where the owner has been away too long, and the table does
        not wait for a rest or a beginning to be over."""
        table, presence = self.after, self._live.activity.presence
        if table.rest == ADJOURNED or table.begins:
            return
        if presence.away(table.owner, self.now) < self._live.owner_grace:
            return
        heir = next((n for n, seat in enumerate(table.seats) if seat.who and presence.is_here(seat.who)), None)
        if heir is not None:
            self.after = replace(table, owner=table.seats[heir].who)
            self._note("owner", heir)

    def _give_back(self) -> None:
        """Return seats to people who are here again from the bots that stand in for them."""
        watch = self._live.activity
        for number, seat in enumerate(self.after.seats):
            if seat.bot and seat.who and watch.presence.is_here(seat.who) and seat.who not in watch.idle:
                self.after = seat_changes.give_back(self.after, number)
                watch.begin_anew(number)
                self.acts.append(partial(self._live.person_plays, number))

    def _emptied(self) -> None:
        """Note that the figures of conceding seats have left the board."""
        for number in self._live.activity.emptied:
            self.after = self.after.with_seat(number, replace(self.after.seats[number], leaving=False))

    def _banks(self) -> None:
        self.after = replace(self.after, banks=self._live.banks_left())

    def _given_up(self) -> None:
        self.after = replace(self.after, given_up=self.after.given_up or self._live.has_given_up)

    def _ending(self) -> None:
        """End a parked match whose end was voted before a restart: it cannot be played to its replay."""
        if self.after.ending and self._live.is_parked:
            self._end_parked()

    def _end_parked(self) -> None:
        self.after = table_record.finished(replace(self.after, parked=self._services.clock.wall()), None, "")

    def _leave_alone(self) -> None:
        """Rest a match in which only bots are left, and end it after a while, unless one holds a person's seat."""
        watch = self._live.activity
        if not self._live.is_deserted:
            watch.deserted_since = None
        elif watch.deserted_since is None:
            watch.deserted_since = self.now
            self.acts.append(self._live.count_present)
        elif self.after.people or self.after.ending:
            return
        elif self.now - watch.deserted_since >= self._services.limits.deserted_seconds:
            self.after = replace(self.after, deserted=True)
            self._note("deserted")
            self._end()

    def _closed(self) -> None:
        """End a match whose table a moderator has closed."""
        if self.after.closed and self.after.state == LIVE:
            self._end()

    def _end(self) -> None:
        live = self._live
        if live.host is None or live.is_parked:
            self._end_parked()
        elif not self.after.ending:
            self.after = replace(self.after, ending=True, rest="")
            self.acts += [live.count_present, live.host.end]

    # Votes

    def _vote(self) -> None:
        """Close the open vote, where it is decided or its time is over."""
        vote, watch = self.after.vote, self._live.activity
        if vote is None:
            return
        if self._is_moot(vote):
            self._close(vote, "moot")
            return
        # a vote that was open at a restart has its full time again
        watch.vote_ends = watch.vote_ends or self.now + self._live.vote_seconds
        passed = outcome(vote.what, self._live.voters(), vote.ballots, is_over=self.now >= watch.vote_ends)
        if passed is None:
            return
        self._close(vote, "yes" if passed else "no")
        if passed:
            self._carry_out(vote)
        elif vote.by >= 0:
            rest = self._services.limits.vote_rest_seconds
            watch.rests_until[self.after.seats[vote.by].who] = self.now + rest

    def _is_moot(self, vote: VoteRecord) -> bool:
        """Return True where the person for whom a bot was to play is here and plays."""
        if vote.what != BOT:
            return False
        seat, watch = self.after.seats[vote.seat], self._live.activity
        return (
            not seat.who or bool(seat.bot) or (watch.presence.is_here(seat.who) and not watch.defaults.get(vote.seat))
        )

    def _close(self, vote: VoteRecord, how: str) -> None:
        self.after = replace(self.after, vote=None)
        self._live.activity.vote_ends = 0.0
        self._note("vote_closed", -1, f"{vote.subject} {how}")

    def _carry_out(self, vote: VoteRecord) -> None:
        live = self._live
        if vote.what in RESTS:
            self.after = replace(self.after, rest=RESTS[vote.what])
            if vote.what == RESUME:
                live.activity.presence.begin_anew(self.now)
            self.acts.append(live.count_present)
        elif vote.what == BOT:
            substitute = self._lobby.matches.substitute(self.after)
            self.after = seat_changes.stand_in(self.after, vote.seat, substitute, new_seed())
            live.activity.idle.add(self.after.seats[vote.seat].who)
            self.acts.append(lambda: self._lobby.matches.seat_bot(live, vote.seat))
            self._note("bot", vote.seat)
        elif vote.what == PLAY_ON:
            self.after = replace(self.after, play_on=self._lobby.matches.code(self.after).digest, parked=0)
            live.park(COMPARING)
            self.acts.append(lambda: self._lobby.other_code.play_on(live))
        else:
            self._end()

    def _ask(self) -> None:
        """Call a vote on a bot for somebody who is away or idle, where no person has."""
        table, live, watch = self.after, self._live, self._live.activity
        if table.vote is not None or table.rest or table.mail or table.ending or live.is_parked:
            return
        limits = self._services.limits
        for number, seat in enumerate(table.seats):
            if not seat.who or seat.bot:
                continue
            away = watch.presence.away(seat.who, self.now) >= live.grace
            if not away and watch.defaults.get(number, 0) < limits.defaults:
                continue
            others = [s.who for n, s in enumerate(table.seats) if n != number and s.who and not s.bot]
            occasion = watch.occasion(number, seat.who, limits.defaults)
            if occasion is None or not any(watch.presence.is_here(who) for who in others):
                continue
            watch.asked_about[number] = occasion
            watch.vote_ends = self.now + live.vote_seconds
            vote = VoteRecord(BOT, number)
            self.after = replace(table, vote=vote)
            self._note("vote_called", -1, vote.subject)
            return
