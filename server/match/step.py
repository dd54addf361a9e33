"""The steps of a match: those that a seat asks for, and those that follow of themselves.

Tasks and the queue are the host's: here is one call at a time.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from operator import is_
from typing import Any, Final

from engine.core.match.causes import (
    Answered,
    AnyCause,
    Conceded,
    Deferred,
    EntropyCall,
    Expiry,
    Intended,
    PartsOpened,
    RoundOpened,
    Seats,
    TableEvent,
    Void,
)
from engine.core.match.match import Match
from engine.core.rules.advice import ChoiceSurvey
from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent, RuleBug
from engine.core.rules.record import Record
from engine.core.rules.steps import Steps
from engine.core.view.asides import is_aside
from engine.core.view.prompts import cause_of
from engine.core.view.proposals import FilledChoice
from protocol.ids import NodeId, PromptId
from protocol.scene.advice import Forecast, Target
from protocol.scene.fields import AnyField
from protocol.scene.nodes import NO_PROMPT, Choice, Point, Reply
from server.match.deadlines import DueWarning
from server.match.details import Details
from server.match.entropy import EntropyCollector, Parts
from server.match.journal import Journal, open_question
from server.match.news import DefaultPlayed, MatchEnded, SeatActed, SeatCleared, TablePort, TimeRanOut, TimeRunsShort
from server.match.stored_log import AlreadyDone
from server.runtime.clock import Clock
from server.runtime.logs import Log

MOST_FOLLOWING: Final = 10_000
"""Steps that follow of themselves on one message: an endless game of defaults ends in a parked match."""

PUT_OFF: Final = (Intended, Answered, Expiry, Conceded)
"""The causes that a strict table puts off where they roll."""


class Stepper:
    """Maker of the steps of one match. After an exception the match is as it was before the call."""

    def __init__(self, journal: Journal, table: TablePort, clock: Clock, log: Log) -> None:
        self.journal = journal
        self.match: Match[Any] = journal.match
        self.entropy = EntropyCollector(journal.match, journal.proofs.key, clock, table)
        self.is_over = False
        self.is_held = False
        self.is_ending = False
        self.leaving: set[Seat] = set()
        """Seats that have conceded, and whose figures leave the board as soon as nothing waits."""
        self._has_ended = False
        self._held_alike: tuple[object, ...] = None, None, None
        """The table's state and the parts of the record that were last found to name the same holders and people."""
        self._called = 0
        """The step of the last call that was made in this process: after a restart a call waits longer for parts."""
        self._deadlines = journal.deadlines
        self._details = Details(journal.match)
        self._table = table
        self._clock = clock
        self._log = log

    @property
    def has_more(self) -> bool:
        """True where steps follow of themselves, now or as soon as the table does not rest."""
        return self.is_over or self.is_ending or bool(self.leaving) or self.match.wants_round

    # Intents

    async def act(self, seat: Seat, id: bytes, prompt: PromptId, reply: Reply, said: bytes) -> int:
        """Carry out an act, answer, aside or undo of this seat at the prompt that it was shown. `said`: its digest.

        Return the id of the question that it is now a sealed answer to, -1 where it made a step. Raises IllegalIntent,
        and what StoredLog.commit and StoredLog.seal raise.
        """
        self.journal.stored.mark("received")
        await self._finish_deferred()
        if self.is_over or self.is_ending:
            raise IllegalIntent("match/over")
        if self.is_held:
            raise IllegalIntent("table/paused")
        if not is_aside(reply.choice):
            self._check_prompt(seat, prompt)
        cause = cause_of(self.match, seat, id, reply, said)
        question = -1
        if type(cause) is Answered and not self.match.closes(cause):
            await self.journal.stored.seal(cause)
            self.journal.durable_at, question = self._clock.now(), cause.question
        else:
            await self._play(cause, id, seat)
        self._table.tell(SeatActed(seat))
        return question

    def detail(self, seat: Seat, prompt: PromptId, choice: str, fields: Mapping[str, object]) -> AnyField:
        """Return the next field of a choice. Raises IllegalIntent, and whatever the rules raise."""
        offered = self._offered(seat, prompt, choice)
        if offered is not None:
            # what the choice does not ask for is not to make another question of the same one
            keys = {field.key for field in offered.fields}
            fields = {key: value for key, value in fields.items() if key in keys}
        return self._details.answer(seat, choice, fields)

    def surveys(self, seat: Seat, prompt: PromptId, subject: NodeId) -> tuple[Choice, ...]:
        """Return the choices with a gesture for a thing. Raises as `detail`."""
        self._check_prompt(seat, prompt)
        return self._details.surveyed(seat, subject)

    def survey(self, seat: Seat, prompt: PromptId, choice: Choice, subject: NodeId) -> Steps[ChoiceSurvey]:
        """Work out what a thing could do by a choice. Raises as `detail`, also where the prompt has changed since."""
        self._check_prompt(seat, prompt)
        found = yield from self._details.survey(seat, choice, subject)
        self._check_prompt(seat, prompt)
        return found

    def proposal(self, seat: Seat, prompt: PromptId, choice: str, fields: Mapping[str, object]) -> Steps[FilledChoice]:
        """Fill a choice in, with these fields kept. Raises as `survey`."""
        self._check_prompt(seat, prompt)
        found = yield from self._details.proposal(seat, choice, fields)
        self._check_prompt(seat, prompt)
        return found

    def targets(
        self, seat: Seat, prompt: PromptId, choice: str, fields: Mapping[str, object]
    ) -> Steps[tuple[Target, ...]]:
        """Work out what the subject of a proposal could act on after it. Raises as `survey`."""
        subject = self._subject(seat, prompt, choice, fields)
        found = yield from self._details.targets(seat, choice, fields, subject)
        self._check_prompt(seat, prompt)
        return found

    def lookouts(self, seat: Seat, prompt: PromptId, choice: str, fields: Mapping[str, object]) -> tuple[Point, ...]:
        """Return the places from which the subject of a proposal would look after it. Raises as `detail`."""
        return self._details.lookouts(seat, choice, fields, self._subject(seat, prompt, choice, fields))

    def seen_from(
        self, seat: Seat, prompt: PromptId, choice: str, fields: Mapping[str, object], at: Point
    ) -> tuple[Point, ...]:
        """Return the outline of the ground that the subject of a proposal would see after it from one of its lookouts.
        Raises as `detail`."""
        return self._details.seen_from(seat, choice, fields, self._subject(seat, prompt, choice, fields), at)

    def _subject(self, seat: Seat, prompt: PromptId, choice: str, fields: Mapping[str, object]) -> NodeId:
        """Return the thing with which a proposed choice is made, "" where it is not one. Raises as `detail`."""
        offered, filled = self._offered(seat, prompt, choice), self._details.filled(seat, choice, fields).fields
        value = filled.get(offered.gesture.subject) if offered is not None and offered.gesture is not None else None
        subject = value[0] if isinstance(value, list) and len(value) == 1 else value
        return NodeId(str(subject or ""))

    def forecast(self, seat: Seat, choice: str, fields: Mapping[str, object]) -> Forecast | None:
        """Return the sampled forecast of a choice, where it has been made."""
        return self._details.forecast(seat, choice, fields)

    def keep_forecast(self, seat: Seat, choice: str, fields: Mapping[str, object], forecast: Forecast) -> None:
        """Keep a sampled forecast of the match as it stands."""
        self._details.keep_forecast(seat, choice, fields, forecast)

    def _offered(self, seat: Seat, prompt: PromptId, choice: str) -> Choice | None:
        self._check_prompt(seat, prompt)
        shown = self.journal.projector.prompt(seat)
        return next((one for one in shown.choices if one.id == choice), None) if shown is not None else None

    def is_shown(self, seat: Seat, prompt: PromptId) -> bool:
        """Tell whether this is the prompt that a seat is shown."""
        shown = self.journal.projector.prompt(seat)
        return prompt == (shown.id if shown is not None else NO_PROMPT)

    def _check_prompt(self, seat: Seat, prompt: PromptId) -> None:
        if not self.is_shown(seat, prompt):
            raise IllegalIntent("stale")

    async def default_for(self, seat: Seat) -> None:
        """Play now what counts where this seat never answers: for a bot that finds nothing to do."""
        await self._finish_deferred()
        question = self.match.question
        if self.is_held or self.is_ending:
            return
        if self.match.given(seat) is not None:
            return
        if question is not None and seat in question.asks:
            answer = Answered(seat, secrets.token_bytes(16), question.id, question.asks[seat].default)
            if self.match.closes(answer):
                await self._expire(Expiry(question.id))
            else:
                await self.journal.stored.seal(answer)
        elif question is None and seat in self.match.may_act():
            await self._expire(Expiry(-1, seat))

    # What follows

    def _are_held_anew(self, record: Record) -> bool:
        """Return True where a seat has another holder, or another person, than the record says."""
        state = self._table.state
        compared = state, record.participation, record.people
        if record.dice == 1 or all(map(is_, compared, self._held_alike)):
            return False
        people = {seat: person for seat, person in enumerate(state.people) if person}
        if (record.participation.holders, record.people) != (state.holders, people):
            return True
        self._held_alike = compared
        return False

    async def follow(self) -> float | None:
        """Make all steps that follow of themselves: rounds, notes, expiries. Return the time of the next one (of the
        clock), None where none is set. Raises what StoredLog.commit raises."""
        at: float | None = None
        notes = self.journal.notes
        for _ in range(0 if self.is_over else MOST_FOLLOWING):
            record = self.match.record
            if await self._finish_deferred():
                continue
            if record.participation.call is not None:
                await self._open_round()
                continue
            if self._are_held_anew(record):
                await self.journal.commit(Seats(self._table.state.holders, self._table.state.people))
                continue
            if notes:
                await self.journal.commit(notes[0])
                notes.popleft()
                continue
            if self.is_ending:
                await self._end()
                break
            if self.is_held:
                break
            now = self._clock.now()
            at, due = self._deadlines.at(self.match, now), None
            if at is not None and at <= now:
                agenda = self._deadlines.next(self.match, now)
                if agenda.warning is not None and self._warn(agenda.warning, now):
                    continue
                due = agenda.due
            if self.match.wants_round:
                await self._open_round()
            elif self.match.question is not None and self._speak_for_automatic():
                continue
            elif self._waits_for_nobody():
                await self._expire(Expiry(open_question(self.match)))
            elif self.leaving and self.match.quiescent:
                await self._remove_figures()
            elif due is not None and due.at <= now:
                await self._expire(due.expiry)
            else:
                break
        else:
            if not self.is_over:
                raise RuleBug("steps follow one another without end")
        if not self.is_over and (self._has_ended or self.match.result is not None):
            self._table.tell(MatchEnded(self.match.result))
            self.is_over = True
            self._deadlines.stop()
        return None if self.is_over or self.is_held else at

    def due(self) -> float | None:
        """Return the time (of the clock) at which `follow` has something to do next, None where none is set."""
        if self.is_over or self.is_held:
            return None
        return self._deadlines.at(self.match, self._clock.now())

    def _warn(self, warning: DueWarning, now: float) -> bool:
        """Give this warning where it is due. Return False where it is not."""
        if warning.at > now:
            return False
        self._deadlines.warned()
        if now < warning.due:
            self._table.tell(TimeRunsShort(warning.seats, warning.due - now))
        return True

    def _speak_for_automatic(self) -> bool:
        """Answer for seats of a moment that have no stop there; not durable, since it follows from the record."""
        match, question = self.match, self.match.question
        seats = [seat for seat in match.automatic() if seat not in match.sealed]
        if question is None or not seats:
            return False
        for seat in seats:
            match.stand_in(Answered(seat, secrets.token_bytes(16), question.id, match.silent_reply(seat)))
        return True

    def _waits_for_nobody(self) -> bool:
        """Return True where only those who are connected are waited for, and all of them have answered."""
        match, question = self.match, self.match.question
        if question is None or not question.window.present:
            return False
        return not any(seat in question.asks and seat not in match.sealed for seat in self._table.state.present)

    async def _expire(self, expiry: Expiry) -> None:
        silent, question = self._silent(expiry), self.match.question
        try:
            await self._play(expiry)
        except RuleBug as bug:
            error = self.fault(bug)
            if expiry.question >= 0 and self.match.pending is not None:
                await self.journal.commit(Void(error))
            else:
                # nothing waits that could be given up: the seat gets its time again
                self._deadlines.observe(self.match, self._clock.now(), expiry.seat)
        else:
            for seat in silent:
                self._table.tell(TimeRanOut(seat, expiry.question, self.match.version, self.match.head))
        # of secret answers nobody may learn who gave none
        for seat in silent if question is None or question.window.kind == "choice" else ():
            self._table.tell(DefaultPlayed(seat))

    def _silent(self, expiry: Expiry) -> tuple[Seat, ...]:
        """Return the seats that have let their time run out. At a moment silence is an answer."""
        question = self.match.question
        if question is None:
            return (Seat(expiry.seat),)
        if question.moment:
            return ()
        return tuple(seat for seat in question.asks if seat not in self.match.sealed)

    async def _play(self, cause: AnyCause, id: bytes | None = None, seat: int = -1) -> None:
        """Commit a cause. At a strict table one that rolls is put off, and carried out when the other seats' parts are
        in. Raises what StoredLog.commit raises, and RuleBug also where it was put off and then given up."""
        match = self.match
        if not match.record.strict or not isinstance(cause, PUT_OFF):
            await self.journal.commit(cause, id, seat)
            return
        if id is not None and await self.journal.stored.find(seat, id) is not None:
            raise AlreadyDone
        if not match.rolls(cause):
            await self.journal.commit(cause, id, seat)
            return
        await self.journal.commit(Deferred(cause))
        self._called = match.version
        if not await self._carry_out():
            raise RuleBug("a step that was put off was given up")

    async def _finish_deferred(self) -> bool:
        """Carry out a step that was put off before the server ended, or before the store failed. Return False where
        there is none."""
        if self.match.deferred is None:
            return False
        await self._carry_out()
        return True

    async def _carry_out(self) -> bool:
        """Open the parts of the step that was put off, and carry its cause out. Return False where its rules fail: then
        it is given up."""
        match, notes = self.match, list[TableEvent]()
        if match.record.call is not None:
            if match.record.call:
                await self.journal.proofs.load(self.journal.stored.steps)
            links, proofs, notes = await self._collect()
            await self.journal.commit(PartsOpened(links, proofs))
        cause = match.deferred_cause
        try:
            if isinstance(cause, Intended | Answered):
                await self.journal.commit(cause, cause.id, cause.seat)
            elif cause is not None:
                await self.journal.commit(cause)
        except RuleBug as bug:
            await self.journal.commit(Void(self.fault(bug)))
            return False
        finally:
            self.journal.notes.extend(notes)
        return True

    async def _open_round(self) -> None:
        links, proofs, notes = Parts((), (), [])
        if self.match.record.parts:
            if self._table.state.adding or self.match.record.call:
                # nothing waits in line while parts are collected: whoever asks for what they rest on finds it made
                await self.journal.proofs.load(self.journal.stored.steps)
            await self._call()
            links, proofs, notes = await self._collect()
        try:
            await self.journal.commit(RoundOpened(links, proofs))
        except RuleBug as bug:
            await self.journal.commit(Void(self.fault(bug), links, proofs))
        self.journal.notes.extend(notes)

    async def _collect(self) -> Parts:
        return await self.entropy.collect(is_new=self.match.version == self._called)

    async def _call(self) -> None:
        """Call the round, unless it is called."""
        if self.match.record.call is not None:
            return
        if self.match.record.round == 0:
            await self.entropy.introduced()
        for tip in self.entropy.new_tips():
            await self.journal.commit(tip)
        await self.journal.commit(EntropyCall())
        self._called = self.match.version

    async def _remove_figures(self) -> None:
        """Remove the figures of a conceding seat from the board; where that fails, its bot plays on with them."""
        seat = min(self.leaving)
        try:
            await self._play(Conceded(seat))
        except IllegalIntent:
            pass  # it was done before a restart, or the last of it has fallen since
        except RuleBug as bug:
            self.fault(bug)
        self.leaving.discard(seat)
        self._table.tell(SeatCleared(seat))

    async def _end(self) -> None:
        if not self._has_ended:
            await self.journal.commit(TableEvent("ended"))
            self._has_ended = True

    def fault(self, bug: Exception) -> str:
        """Log an exception of the rules. Return the id that stands in the log."""
        error = secrets.token_hex(4)
        self._log.error("rules", error=error, problem=f"{type(bug).__name__}: {bug}", exc_info=bug)
        return error
