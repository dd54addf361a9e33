"""A match: state folded from steps, and the one procedure that may be waiting. No I/O.

Use: `step = propose(cause)`, store `step.data`, then `settle(step)`, or `withdraw(step)` if it could not be stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TypeVar

from engine.core.match import causes, dice_rounds, procedure_run
from engine.core.match.folded_match import CONTINUING, RUNS_NOTHING, FoldedMatch, Step, WaitingAct
from engine.core.match.log import StoredStep, stored_step
from engine.core.match.procedure_run import Run
from engine.core.match.rule_code import with_code
from engine.core.rules import events
from engine.core.rules.audience import Seat
from engine.core.rules.dice import DiceSource
from engine.core.rules.errors import EffectReached, IllegalIntent, Refusal, RuleBug, RuleDiverged, is_legal
from engine.core.rules.game import Probe, Trace, shuffled_deck
from engine.core.rules.questions import Question
from engine.core.rules.record import Record, SeatSettings
from engine.core.rules.system import Intent, MomentReached, System, Turn
from protocol.ids import MatchId
from protocol.scene.nodes import Reply

S = TypeVar("S")


class Match(FoldedMatch[S]):
    """The authoritative state of one match, with the procedure that waits."""

    def __init__(self, system: System[S], match: MatchId, dice: DiceSource) -> None:
        super().__init__(system, match, dice)
        self._run: Run[S] | None = None
        self.question: Question | None = None
        """The open question."""
        self._known: dict[Seat, tuple[S, S]] = {}
        """By seat, what it knows of a state, behind that state."""

    # The open question, round or turn

    def _wait(self, run: Run[S] | None) -> None:
        """Wait for what this procedure wants."""
        self._run = run
        wanted = run.wanted if run is not None else None
        self.question = wanted if type(wanted) is Question else None
        self._acting = None

    @property
    def wants_round(self) -> bool:
        """True where a step stopped for a new round of dice: propose EntropyCall next, where programs may add to it,
        and then RoundOpened."""
        return self._run is not None and self.question is None

    @property
    def turn(self) -> Mapping[Seat, Turn]:
        """The seats that may act by the rules at this state."""
        return self.turns_at(self.state)

    def known(self, seat: Seat) -> S:
        """Return what this seat knows of the state: the same object while the state is."""
        kept = self._known.get(seat)
        if kept is None or kept[0] is not self.state:
            kept = self._known[seat] = self.state, self.system.known(self.state, seat)
        return kept[1]

    def may_act(self) -> tuple[Seat, ...]:
        """Return the seats that the table waits for: of an open question all that it asks, even those that have
        answered."""
        if self._acting is None:
            if self.question is not None:
                self._acting = tuple(self.question.asks)
            else:
                self._acting = tuple(self.turn) if self.version and self.pending is None else ()
        return self._acting

    def can(self, seat: Seat, intent: Intent) -> Refusal | None:
        """Return the refusal of this intent as far as its seat knows, or None, by running the first lines of the
        procedure up to its first effect."""
        if not self.version or self.pending is not None:
            return IllegalIntent("turn/wait").refusal
        if seat not in self.turn:
            return IllegalIntent("turn/not-yours").refusal
        try:
            coroutine = self.system.rules.procedure(self.probe(seat), seat, intent)
            coroutine.send(None)
        except IllegalIntent as refused:
            return refused.refusal
        except (EffectReached, StopIteration):
            return None
        raise RuleBug("a probed procedure went past its first effect")

    def leaving(self, seat: Seat) -> Intent | None:
        """Return the intent that takes all that is this seat's off the table, None where the rules know no way."""
        return self.system.rules.leave(self.state, seat)

    def probe(self, seat: Seat, *, bare: bool = False) -> Probe[S]:
        """Make a game of what this seat knows, on which checks can be run: its first effect raises EffectReached.
        `bare`: as of a Game."""
        return _SeatProbe(self, seat, bare=bare)

    # Answers that wait for a question to close

    def hold(self, answer: causes.Answered) -> bool:
        """Keep an answer of a sealed question until it closes. It is final: the seat gives no other one.

        Returns True when every seat has answered. Raises IllegalIntent.
        """
        question, seat = self._asked(answer), Seat(answer.seat)
        question.asks[seat].read(answer.reply)
        self.sealed[seat] = answer
        self.standing_in.discard(seat)
        return len(self.sealed) == len(question.asks)

    def stand_in(self, answer: causes.Answered) -> None:
        """Hold an answer by `silent_reply` for a seat that has not answered, and may still do so itself.

        Raises IllegalIntent.
        """
        self.hold(answer)
        self.standing_in.add(Seat(answer.seat))

    def given(self, seat: Seat) -> causes.Answered | None:
        """Return the answer that this seat has given to the open question itself, if it has."""
        return None if seat in self.standing_in else self.sealed.get(seat)

    def closes(self, answer: causes.Answered) -> bool:
        """Tell whether this answer would close its question at once (a `choice` window's last one)."""
        question = self._asked(answer)
        others = set(question.asks) - {Seat(answer.seat)}
        return question.window.kind == "choice" and others <= set(self.sealed)

    def automatic(self) -> tuple[Seat, ...]:
        """Return the seats of an open moment without a stop there: the host seals their standing order or default at
        once. At a moment that `asks` these are only seats whose orders give an answer now."""
        question = self.question
        if question is None or not question.moment:
            return ()
        kind, usual = question.kind, SeatSettings()
        asks = any(moment.asks for moment in self.system.moments if moment.name == kind)
        found = {seat: self.record.settings.get(seat, usual) for seat in question.asks}
        silent = [seat for seat, own in found.items() if kind not in own.stops]
        return tuple(s for s in silent if not asks or self._ordered(s, question, found[s]) is not None)

    def silent_reply(self, seat: Seat) -> Reply:
        """Return the reply for a silent seat at the open moment: that of its standing orders, or its order for all such
        moments, where one fits; else the default."""
        question = self.question
        if question is None or seat not in question.asks:
            raise IllegalIntent("answer/not-asked")
        reply = self._ordered(seat, question, self.record.settings.get(seat, SeatSettings()))
        return question.asks[seat].default if reply is None else reply

    def _ordered(self, seat: Seat, question: Question, settings: SeatSettings) -> Reply | None:
        """Return the reply that the orders of a seat give to a question, None where none fits."""
        read = question.asks[seat].read
        for reply in (self._obeyed(seat, question, settings), settings.orders.get(question.kind)):
            if reply is not None and is_legal(partial(read, reply)):
                return reply
        return None

    def _obeyed(self, seat: Seat, question: Question, settings: SeatSettings) -> Reply | None:
        orders = settings.at(question.kind)
        if not orders:
            return None
        return self.system.obey(self.probe(seat), seat, MomentReached(question.kind, question.about), orders)

    def _asked(self, answer: causes.Answered) -> Question:
        question, seat = self.question, Seat(answer.seat)
        if question is None or question.id != answer.question or seat not in question.asks:
            raise IllegalIntent("answer/not-asked")
        if self.given(seat) is not None:
            raise IllegalIntent("answer/given")
        return question

    # Steps

    def propose(self, cause: causes.AnyCause) -> Step[S]:
        """Run `cause` and all that follows, on new values; nothing has happened before the step is settled.

        Raises IllegalIntent where a player may not do this, RuleBug where a rule failed: nothing has happened either.
        """
        self._check_called(cause)
        if type(cause) in RUNS_NOTHING:
            return self._propose_aside(cause)
        if self.version and type(cause) is causes.Start:
            raise IllegalIntent("start/already")
        answers = self._answers(cause) if type(cause) is causes.Answered or type(cause) is causes.Expiry else ()
        try:
            run = self._execute(cause, self._run, self.state, self.record, answers)
        except (RuleBug, IllegalIntent):
            if self._run is not None and isinstance(cause, (causes.RoundOpened, causes.Answered, causes.Expiry)):
                self._rebuild()
            raise
        asked = procedure_run.stored_stop(run.wanted, self.dice)
        stored = stored_step(self.version + 1, cause, procedure_run.entries_of(run), asked, run.game.record.sides)
        run.version = 0
        self._wait(run)
        return self._step(stored, run.game.trail, run.game.state, run.game.record)

    def _check_called(self, cause: causes.AnyCause) -> None:
        """Raise IllegalIntent for anything between a call and its opening, or between a deferred step and the outcome
        of the very same cause."""
        if self.record.call is None and self.deferred is None:
            return
        fits = isinstance(cause, (causes.RoundOpened, causes.Void))
        if self.deferred is not None:
            fits = isinstance(cause, causes.Void) or cause == self.deferred_cause
            fits = isinstance(cause, causes.PartsOpened) if self.record.call is not None else fits
        if not fits:
            raise IllegalIntent("round/called")

    @property
    def deferred_cause(self) -> causes.AnyCause | None:
        """The cause that is deferred, None where none is."""
        return self.deferred.cause.cause if self.deferred and isinstance(self.deferred.cause, causes.Deferred) else None

    def rolls(self, cause: causes.AnyCause) -> bool:
        """Tell whether the step of this cause would roll or order anything. Raises as `propose`."""
        step = self.propose(cause)
        self.withdraw(step)
        return any(isinstance(entry, (events.DiceRolled, events.OrderMade)) for entry in step.stored.entries)

    def settle(self, step: Step[S]) -> None:
        """Move the match on by this step, once it is durable."""
        self.take(step.stored, step.data, step.state, step.record)
        run = self._run
        if run is None:
            return
        if run.wanted is None:  # the procedure has ended
            self._run = None
        elif type(step.cause) is causes.Void:
            run.close()
            self._wait(None)
        else:
            run.game.trail = []
            run.game.record = step.record
            run.version = step.version

    def withdraw(self, step: Step[S]) -> None:
        """Drop this step, which could not be stored, as if it had never been proposed."""
        if isinstance(step.cause, CONTINUING):
            self._rebuild()

    def _step(self, stored: StoredStep[S], trail: Sequence[Trace[S]], state: S, record: Record) -> Step[S]:
        data = self.codec.encode(stored)
        return Step(stored.version, stored.cause, data, stored, tuple(trail), state, record)

    def _execute(
        self,
        cause: causes.AnyCause,
        run: Run[S] | None,
        state: S,
        record: Record,
        answers: Sequence[events.GivenAnswer],
    ) -> Run[S]:
        system, dice = self.system, self.dice
        match cause:
            case causes.Intended():
                if run is not None:
                    raise IllegalIntent("turn/wait")
                act = self._act(state, cause)
                return procedure_run.begin(system, state, record, dice, act)
            case causes.Start():
                first = system.start(cause.resolved, cause.seats)
                started = events.MatchStarted(
                    cause.match,
                    system.name,
                    # those of an older match whose start is run again
                    self.record.rules or system.RULES,
                    cause.seats,
                    cause.resolved,
                    dice.commitment,
                    self.record.log,
                    self.record.dice,
                    cause.parts,
                    cause.version,
                    cause.code,
                    system.sides(first),
                    cause.options,
                    cause.strict,
                )
                return procedure_run.begin(system, first, record, dice, None, [started])
            case causes.RoundOpened():
                if run is None or isinstance(run.wanted, Question):
                    raise RuleBug("no step waits for a round")
                procedure_run.open_round(run, self._round_of(run.game.record, cause))
                return run
            case causes.Expiry(question=-1):
                seat = Seat(cause.seat)
                turn = system.rules.turn(state).get(seat) if run is None else None
                if turn is None:
                    raise IllegalIntent("turn/not-yours")
                return procedure_run.begin(system, state, record, dice, (seat, turn.expiry))
            case causes.Conceded():
                leaving = system.rules.leave(state, Seat(cause.seat)) if run is None else None
                if leaving is None:
                    raise IllegalIntent("turn/wait" if run is not None else "concede/stays")
                return procedure_run.begin(system, state, record, dice, (Seat(cause.seat), leaving))
            case causes.Answered() | causes.Expiry():
                if run is None:
                    raise IllegalIntent("answer/not-asked")
                procedure_run.go_on(run, answers)
                return run
            case _:
                raise RuleBug(f"{type(cause).__name__} runs no procedure")

    def _act(self, state: S, cause: causes.Intended) -> tuple[Seat, object]:
        seat = Seat(cause.seat)
        if seat not in self.turns_at(state):
            raise IllegalIntent("turn/not-yours")
        return seat, self.codec.decode_intent(cause.intent)

    def _answers(self, cause: causes.Answered | causes.Expiry) -> tuple[events.GivenAnswer, ...]:
        if self.deferred is not None:
            return next((e.answers for e in self.deferred.entries if isinstance(e, events.QuestionClosed)), ())
        question = self.question
        if isinstance(cause, causes.Answered):
            asked = self._asked(cause)
            asked.asks[Seat(cause.seat)].read(cause.reply)
            if not self.closes(cause):
                raise IllegalIntent("answer/sealed")
        elif cause.question < 0:  # the expiry of a turn
            return ()
        if question is None or question.id != cause.question:
            raise IllegalIntent("answer/not-asked")
        given = dict(self.sealed)
        if isinstance(cause, causes.Answered):
            given[Seat(cause.seat)] = cause
        return tuple(self._given(question, seat, given.get(seat)) for seat in question.asks)

    def _given(self, question: Question, seat: Seat, answer: causes.Answered | None) -> events.GivenAnswer:
        """Make the answer of a seat. At a moment silence is an answer like any other: to mark it would disclose who has
        a stop there."""
        if answer is not None:
            return events.GivenAnswer(seat, answer.reply)
        if question.moment:
            return events.GivenAnswer(seat, self.silent_reply(seat))
        return events.GivenAnswer(seat, question.asks[seat].default, by_default=True)

    def _propose_aside(self, cause: causes.AnyCause) -> Step[S]:
        """Make the step of one of RUNS_NOTHING."""
        entries: list[events.Event[S] | events.CoreEvent] = []
        match cause:
            case causes.Undo():
                code = self.undo_refusal(Seat(cause.seat))
                if code:
                    raise IllegalIntent(f"undo/{code}")
                entries = [events.Undone(cause.seat, self.undo.newest(cause.seat).version)]
            case causes.Void():
                if self.pending is None and self.deferred is None:
                    raise IllegalIntent("void/nothing-waits")
                entries = self._given_up(cause, self.pending.base.record if self.pending else self.record)
            case causes.Aside():
                entries = [events.SettingsChanged(cause.seat, cause.settings)]
            case causes.EntropyTip():
                entries = [dice_rounds.tip_of(self.record, cause)]
            case causes.Seats():
                entries = [*dice_rounds.holders_changed(self.record, cause.holders, cause.people)]
            case causes.EntropyCall():
                entries = [dice_rounds.call_of(self.record, is_wanted=self.wants_round)]
            case causes.Deferred():
                entries = self._deferral(cause)
            case causes.PartsOpened():
                entries = [dice_rounds.opened_of(self.record, self.origin, cause)]
            case causes.TableEvent():
                pass
        trail, state, record = self.fold(cause, entries)
        waiting = self._run if not isinstance(cause, causes.Void) else None
        asked = procedure_run.stored_stop(waiting.wanted, self.dice) if waiting else None
        stored = stored_step(self.version + 1, cause, entries, asked, record.sides)
        return self._step(stored, trail, state, record)

    def _deferral(self, deferred: causes.Deferred) -> list[events.Event[S] | events.CoreEvent]:
        """Make the entries of a deferred step. Raises IllegalIntent at a table that is not strict."""
        if not self.record.strict:
            raise IllegalIntent("round/not-wanted")
        cause, question = deferred.cause, self.question
        answers = self._answers(cause) if isinstance(cause, (causes.Answered, causes.Expiry)) else ()
        return [*dice_rounds.deferral_of(self.record, answers, question.id if question else -1, deferred)]

    def _round_of(self, record: Record, opened: causes.RoundOpened | causes.Void) -> events.RoundBegun:
        # round 0 has the seed of round 1, which is published when that one ends
        seed = self.dice.seed(record.round) if record.round else b""
        return dice_rounds.begun_of(record, self.origin, opened, seed)

    def _given_up(self, cause: causes.Void, base: Record) -> list[events.Event[S] | events.CoreEvent]:
        """Make the entries of a voided act: its called round, if any, is spent; the decks it has touched are put
        back."""
        spent = [self._round_of(self.record, cause)] if self.record.call is not None else []
        record = spent[0].apply(self.record) if spent else self.record
        return [*spent, events.Voided(cause.error), *self._decks_back(record, base)]

    def _decks_back(self, record: Record, base: Record) -> list[events.DeckShuffled]:
        """Make new epochs of the decks that a voided act has touched (a deck that it made becomes empty): no order is
        used twice."""
        return [
            shuffled_deck(
                self.dice, record, name, deck.epoch + 1, base.decks[name].undrawn() if name in base.decks else ()
            )
            for name, deck in record.decks.items()
            if deck is not base.decks.get(name)
        ]

    def resume(self) -> None:
        """Make the waiting procedure again from the log, after folding. Raises RuleDiverged."""
        run, pending = self._run, self.pending
        if run is not None and pending is not None and run.version > pending.base.version:
            self._wait(None)
            self._run_again(pending, run)
        else:
            self._rebuild()

    def _rebuild(self) -> None:
        """Run the pending act again from its first state."""
        if self._run is not None:
            self._run.close()
            self._wait(None)
        if self.pending is not None:
            self._run_again(self.pending, None)

    def _run_again(self, pending: WaitingAct[S], run: Run[S] | None) -> None:
        """Run the steps of the pending act since those that `run` has gone through, comparing entries and questions
        with those stored."""
        reached = run.version if run is not None else 0
        for stored in pending.steps:
            if stored.version <= reached:
                continue
            if not isinstance(stored.cause, CONTINUING):
                if run is not None:
                    for entry in stored.entries:
                        run.game.record = entry.apply(run.game.record)
                    run.game.record = with_code(run.game.record, stored.cause)
                    run.version = stored.version
                continue
            closed = stored.entries[0] if stored.entries else None
            answers = closed.answers if isinstance(closed, events.QuestionClosed) else ()
            try:
                run = self._execute(stored.cause, run, pending.base.state, pending.base.record, answers)
            except (RuleBug, IllegalIntent) as problem:
                raise RuleDiverged(f"step {stored.version}: {problem}") from problem
            asked = procedure_run.stored_stop(run.wanted, self.dice)
            if asked != stored.asked or not self.codec.same(procedure_run.entries_of(run), stored.entries):
                run.close()
                raise RuleDiverged(f"step {stored.version} ran differently from what is stored")
            run.game.trail = []
            run.version = stored.version
        self._wait(run)


class _SeatProbe(Probe[S]):
    """A probe of what a seat knows of a match. The record as it knows it, which few checks read, is made for those."""

    _told: Record | None

    def __init__(self, match: Match[S], seat: Seat, *, bare: bool) -> None:
        self._seat = seat
        super().__init__(match.known(seat), match.record, match.dice, bare=bare)

    @property
    def record(self) -> Record:
        """The record as the seat knows it."""
        if self._told is None:
            self._told = self._whole.known(self._seat)
        return self._told

    @record.setter
    def record(self, whole: Record) -> None:
        self._whole, self._told = whole, None
