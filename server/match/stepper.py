"""A match moved on step by step: what someone does, what follows of itself, what each step shows to whom.

No task and no queue here (host.py): one call at a time.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from engine.core.match.causes import (
    Answered,
    Conceded,
    EntropyCall,
    Expiry,
    RoundOpened,
    Seats,
    TableEvent,
    Undo,
    Void,
)
from engine.core.match.folded_match import BESIDE
from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent, RuleBug
from engine.core.view.projection import Projector
from engine.core.view.prompts import SETTINGS, cause_of
from protocol.wire.codec import encode
from protocol.wire.from_server import Clocks
from server.match.channels import Channels
from server.match.deadlines import Deadlines
from server.match.details import Details
from server.match.entropy import Entropy, Parts
from server.match.late import LateView
from server.match.news import (
    ClocksChanged,
    DefaultPlayed,
    FiguresRemoved,
    MatchEnded,
    SeatActed,
    StepVoided,
    TimeRanOut,
    TimeRunsShort,
)
from server.store.port import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine.core.match.causes import AnyCause
    from engine.core.match.folded_match import Step
    from engine.core.match.match import Match
    from engine.core.rules.questions import Question
    from protocol.scene.nodes import AnyField, Reply
    from server.match.crowd import Gate
    from server.match.deadlines import ClockWarning
    from server.match.ledger import Ledger
    from server.match.news import TablePort
    from server.match.proving import ProofPlane
    from server.runtime.clock import Clock
    from server.runtime.logs import Log

MOST_FOLLOWING: Final = 10_000
"""Steps that follow of themselves on one message: an endless game of defaults ends in a parked match."""


@dataclass(frozen=True)
class Pace:
    """How fast a table plays, in seconds. `decision` None: no clock; `banks`: what each seat has in reserve; `late`:
    how far behind the all-seeing view is, None where there is none."""

    decision: float | None = 60.0
    reaction: float = 3.0
    banks: Mapping[int, float] = field(default_factory=dict)
    warning: float = 10.0
    late: float | None = None


class Stepper:
    """Validate, run, append, then tell. After an exception the match is as it was before the call."""

    def __init__(
        self,
        ledger: Ledger,
        table: TablePort,
        gate: Gate,
        clock: Clock,
        log: Log,
        pace: Pace,
        kept_frames: int,
        proofs: ProofPlane,
    ) -> None:
        self.ledger = ledger
        self.proofs = proofs
        self.match: Match[Any] = ledger.match
        self.deadlines = Deadlines(pace.decision, pace.reaction, dict(pace.banks), pace.warning)
        self._details = Details(ledger.match)
        self._notes: deque[TableEvent] = deque()
        self.is_over = False
        self.durable_at = clock.now()
        """When the last step or answer became durable."""
        self._asked = _place(self.match.question)
        self.is_held = False
        self.is_ending = False
        self.on_step: Callable[[bytes], object] = _nobody
        """Is told each step as it is stored, once it is durable."""
        self.leaving: set[Seat] = set()
        """Seats that have conceded, and whose figures leave the table as soon as nothing waits."""
        self._has_ended = False
        self.entropy = Entropy(ledger.match, proofs.key, clock, table)
        self._table = table
        self._gate = gate
        self._clock = clock
        self._log = log
        self._kept_frames = kept_frames
        self.projector = Projector(self.match, secrets.token_hex(4))
        self._late_seconds = pace.late
        self.channels = Channels(self.projector, kept_frames, gate, self._late_view())
        self.deadlines.observe(self.match, clock.now())

    # What someone does

    async def act(self, seat: Seat, id: bytes, prompt: str, reply: Reply, said: bytes) -> int:
        """Carry out an act, answer, aside or undo of this seat at the prompt that it was shown. `said`: its digest.

        Returns the question that it is now a sealed answer to, -1 where it made a step. Raises IllegalIntent, and
        whatever Ledger.commit and Ledger.seal raise.
        """
        self.ledger.mark("received")
        if self.is_over or self.is_ending:
            raise IllegalIntent("match/over")
        if self.is_held:
            raise IllegalIntent("table/paused")
        if reply.choice != SETTINGS:
            self._check_prompt(seat, prompt)
        cause = cause_of(self.match, seat, id, reply, said)
        question = -1
        if isinstance(cause, Answered) and not self.match.closes(cause):
            await self.ledger.seal(cause)
            self.durable_at, question = self._clock.now(), cause.question
        else:
            await self.commit(cause, id, seat)
        self._table.tell(SeatActed(seat))
        return question

    @property
    def is_shown(self) -> bool:
        """Whether the match asks what its seats have been shown: no step that asks otherwise is being stored."""
        return _place(self.match.question) == self._asked

    def detail(self, seat: Seat, prompt: str, choice: str, fields: Mapping[str, object]) -> AnyField:
        """The next field of a choice. Raises IllegalIntent, and whatever the rules raise."""
        self._check_prompt(seat, prompt)
        shown = self.projector.prompt(seat)
        offered = next((one for one in shown.choices if one.id == choice), None) if shown is not None else None
        if offered is not None:
            # what the choice does not ask for is not to make another question of the same one
            keys = {field.key for field in offered.fields}
            fields = {key: value for key, value in fields.items() if key in keys}
        return self._details.answer(seat, choice, fields)

    def _check_prompt(self, seat: Seat, prompt: str) -> None:
        shown = self.projector.prompt(seat)
        if prompt != (shown.id if shown is not None else ""):
            raise IllegalIntent("stale")

    async def default_for(self, seat: Seat) -> None:
        """What counts where this seat never answers, at once: for a bot that finds nothing to do."""
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
                await self.ledger.seal(answer)
        elif question is None and seat in self.match.may_act():
            await self._expire(Expiry(-1, seat))

    # What follows of itself

    async def follow(self) -> float | None:
        """Whatever now happens without anyone's asking. Returns when there will be something to do again, in the
        clock's time. Raises what Ledger.commit raises."""
        at: float | None = None
        for _ in range(0 if self.is_over else MOST_FOLLOWING):
            record = self.match.record
            if record.participation.call is not None:
                await self._open_round()
                continue
            if record.participation.holders != self._table.state.holders and record.dice != 1:
                # a seat has another holder than the record says
                await self.commit(Seats(self._table.state.holders))
                continue
            if self._notes:
                await self.commit(self._notes[0])
                self._notes.popleft()
                continue
            if self.is_ending:
                await self._end()
                break
            if self.is_held:
                break
            now = self._clock.now()
            at, due = self.deadlines.at(self.match, now), None
            if at is not None and at <= now:
                agenda = self.deadlines.next(self.match, now)
                if agenda.warning is not None and self._warn(agenda.warning, now):
                    continue
                due = agenda.due
            if self.match.wants_round:
                await self._open_round()
            elif self.match.question is not None and self._speak_for_automatic():
                continue
            elif self._waits_for_nobody():
                await self._expire(Expiry(_place(self.match.question)))
            elif self.leaving and self.match.quiescent:
                await self._take_off()
            elif due is not None and due.at <= now:
                await self._expire(due.expiry)
            else:
                break
        else:
            if not self.is_over:
                raise RuleBug("steps follow one another without end")
        if not self.is_over and (self._has_ended or self.match.result is not None):
            self.is_over = True
            self.deadlines.stop()
            self._table.tell(MatchEnded(self.match.result))
        return None if self.is_over or self.is_held else at

    def due(self) -> float | None:
        """When `follow` has something to do next, in the clock's time."""
        if self.is_over or self.is_held:
            return None
        return self.deadlines.at(self.match, self._clock.now())

    def _warn(self, warning: ClockWarning, now: float) -> bool:
        """Give this warning where it is due; whether it was."""
        if warning.at > now:
            return False
        self.deadlines.warned(warning.seats[0])
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
            await self.commit(expiry)
        except RuleBug as bug:
            error = self.fault(bug)
            if expiry.question >= 0:
                await self.commit(Void(error))
            else:
                # nothing waits that could be given up: the seat gets its time again
                self.deadlines.observe(self.match, self._clock.now(), expiry.seat)
        else:
            for seat in silent:
                self._table.tell(TimeRanOut(seat, expiry.question, self.match.version, self.match.head))
        # of secret answers nobody may learn who gave none
        for seat in silent if question is None or question.window.kind == "choice" else ():
            self._table.tell(DefaultPlayed(seat))

    def _silent(self, expiry: Expiry) -> tuple[Seat, ...]:
        """The seats that were waited for and for which this expiry speaks; at a moment silence is an answer."""
        question = self.match.question
        if question is None:
            return (Seat(expiry.seat),)
        if question.moment:
            return ()
        return tuple(seat for seat in question.asks if seat not in self.match.sealed)

    async def _open_round(self) -> None:
        links, proofs, notes = Parts((), (), [])
        if self.match.record.parts:
            if self._table.state.adding or self.match.record.call:
                # nothing waits in line while parts are collected: whoever asks for what they rest on finds it made
                await self.proofs.load(self.ledger.steps)
            links, proofs, notes = await self.entropy.collect(is_new=await self._call())
        try:
            await self.commit(RoundOpened(links, proofs))
        except RuleBug as bug:
            await self.commit(Void(self.fault(bug), links, proofs))
        self._notes.extend(notes)

    async def _call(self) -> bool:
        """Call the round; False where it was called before a restart."""
        if self.match.record.call is not None:
            return False
        if self.match.record.round == 0:
            await self.entropy.introduced()
        for tip in self.entropy.new_tips():
            await self.commit(tip)
        await self.commit(EntropyCall())
        return True

    def jot(self, event: TableEvent) -> None:
        """Put a fact of the table into the log before anything else follows."""
        self._notes.append(event)

    async def _take_off(self) -> None:
        """All that is a conceding seat's leaves the table; where that fails, its bot plays on with it."""
        seat = min(self.leaving)
        try:
            await self.commit(Conceded(seat))
        except IllegalIntent:
            pass  # it was done before a restart, or the last of it has fallen since
        except RuleBug as bug:
            self.fault(bug)
        self.leaving.discard(seat)
        self._table.tell(FiguresRemoved(seat))

    async def _end(self) -> None:
        if not self._has_ended:
            await self.commit(TableEvent("ended"))
            self._has_ended = True

    # Steps

    async def commit(self, cause: AnyCause, id: bytes | None = None, actor: int = -1) -> None:
        """One step: durable, settled, told. Raises what Ledger.commit raises."""
        self._gate.shut()
        try:
            self._tell(await self.ledger.commit(cause, id), cause, actor)
            if isinstance(cause, Void):
                self._table.tell(StepVoided())
        finally:
            self._gate.open()
        if self.ledger.snapshot_is_due:
            with suppress(StoreError):
                await self.ledger.keep_snapshot()

    def _tell(self, step: Step[Any], cause: AnyCause, actor: int) -> None:
        self._asked = _place(self.match.question)
        self.on_step(step.data)
        self.durable_at = now = self._clock.now()
        if type(cause) not in BESIDE:
            actor = cause.seat if isinstance(cause, Expiry) else actor
            for seat in self.deadlines.observe(self.match, now, actor, undone=isinstance(cause, Undo)):
                # not now: this step is durable, and nothing that goes wrong here may cost its acknowledgement
                self._notes.append(TableEvent("bank", seat, str(self.deadlines.bank(seat))))
        self._publish(step, now)
        self.ledger.mark("told")

    def _publish(self, step: Step[Any], now: float) -> None:
        # before the pictures: whoever sees dice can already check that they are in the record
        self.proofs.publish(step, self.channels.view_of)
        clocks: bytes | None = None
        try:
            frames = self.projector.advance(step)
        except Exception as problem:  # noqa: BLE001 - the step has happened: this costs a picture, never the match
            self._log.error("presenter", problem=str(problem), exc_info=problem)
            self._show_afresh()
        else:
            clocks = self._clocks(now)
            self.channels.publish(frames, () if clocks is None else (clocks,))
            if self.channels.late is not None:
                self.channels.late.step(frames, now, self.match.record.round)
                self.show_late()
        self.tell_clocks(players_told=clocks is not None)

    def _clocks(self, now: float) -> bytes | None:
        """The clocks, encoded for all players; None where banks are less than the players have been shown."""
        banks = () if self.deadlines.seconds is None else self._banks()
        if banks != self._table.state.banks:
            return None
        return encode(Clocks(self.match.id, self.deadlines.views(now), self._table.state.spectators))

    def _banks(self) -> tuple[int, ...]:
        return self.deadlines.left(self.match.record.seats)

    def tell_clocks(self, *, players_told: bool) -> None:
        """Tell the table of its clocks."""
        self._table.tell(ClocksChanged(self.deadlines.waiting, self._banks(), players_told))

    def _show_afresh(self) -> None:
        viewers = self.channels.viewers
        self.channels.stop()
        self.projector = Projector(self.match, secrets.token_hex(4))
        self.channels = Channels(self.projector, self._kept_frames, self._gate, self._late_view())
        for viewer, view in viewers.items():
            self.channels.attach(viewer, view)

    def _late_view(self) -> LateView | None:
        """A late view that begins now: nothing that has happened so far is shown before its time."""
        if self._late_seconds is None:
            return None
        stream = f"{self.projector.stream}.late"
        return LateView(self.projector, stream, self._late_seconds, self._clock.now(), self.match.record.round)

    def show_late(self) -> bool:
        """Show what has become due of the late view; whether there was anything."""
        if self.channels.late is None:
            return False
        is_over = self.is_over or self.match.result is not None
        due = self.channels.late.release(self._clock.now(), self.match.record.round, is_over=is_over)
        self.channels.publish_late(due)
        return bool(due)

    def stop(self) -> list[asyncio.Task[None]]:
        """Show nothing more. Returns the tasks that now end."""
        return self.channels.stop() + self.proofs.stop()

    def fault(self, bug: Exception) -> str:
        """Log what the rules raised; the id by which the log knows it."""
        error = secrets.token_hex(4)
        self._log.error("rules", error=error, problem=f"{type(bug).__name__}: {bug}", exc_info=bug)
        return error


def _nobody(step: bytes) -> None:
    """No bot has to follow."""


def _place(question: Question | None) -> int:
    return question.id if question is not None else -1
