"""The state and record of a match, folded from its steps. No procedure runs here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import GenericAlias
from typing import Any, Generic, TypeVar, cast

import msgspec

from engine.core.match import causes
from engine.core.match.hash_chain import LOG, first_head, next_head, proof_of
from engine.core.match.log import LogCodec, StoredStep
from engine.core.match.rule_code import with_code
from engine.core.match.tallies import series_of, with_luck, with_tally
from engine.core.match.undo import EXPIRED, UndoPoint, UndoStack, barrier_of
from engine.core.rules.audience import Seat
from engine.core.rules.dice import DiceSource
from engine.core.rules.errors import LogDamaged
from engine.core.rules.events import CoreEvent, Event, MatchStarted
from engine.core.rules.game import Trace
from engine.core.rules.questions import StoredQuestion
from engine.core.rules.record import Record
from engine.core.rules.system import RoundTally, System, Turn
from protocol.ids import MatchId
from protocol.proof.dice import DICE
from protocol.scene.nodes import Result, Series

S = TypeVar("S")

CONTINUING = (causes.Start, causes.RoundOpened, causes.Intended, causes.Answered, causes.Expiry, causes.Conceded)
"""The causes that run procedures."""
BESIDE = frozenset((causes.Aside, causes.EntropyTip, causes.TableEvent, causes.Seats, causes.EntropyCall)) | {
    causes.Deferred,
    causes.PartsOpened,
}
"""The causes that leave whatever is being resolved as it is."""
RUNS_NOTHING = BESIDE | {causes.Undo, causes.Void}
"""The causes that run no procedure."""


class Step(msgspec.Struct, Generic[S], frozen=True):
    """A proposed step. `data` is what to store; `trail` holds its entries with the states around them, for cues."""

    version: int
    cause: causes.AnyCause
    data: bytes
    stored: StoredStep[S]
    trail: Sequence[Trace[S]]
    state: S
    record: Record


@dataclass
class WaitingAct(Generic[S]):
    """An act that has not ended: its first state, its seat, the reason why it cannot be undone, its steps so far."""

    base: UndoPoint[S]
    seat: int
    barrier: str = ""
    steps: list[StoredStep[S]] = field(default_factory=list)


class _Coded(msgspec.Struct):
    """The one field of a snapshot's record that is read of any layout: the digest of the rule code."""

    code: bytes = b""


class FoldedMatch(Generic[S]):
    """A match folded from its log. `pending` is the act that waits, if one does; `sealed` its answers so far, those of
    the seats in `standing_in` by their standing orders; `head` is that of the last step, `origin` that of the first
    (H_1 of docs/dice.md, empty before it)."""

    def __init__(self, system: System[S], match: MatchId, dice: DiceSource) -> None:
        self.system = system
        self.dice = dice
        self.id = match
        self.codec = LogCodec(system)
        # nobody reads the state before Start has replaced it
        self.state: S = cast("S", None)
        self.record = Record(log=LOG, dice=DICE)
        self.version = 0
        self.head = first_head(match)
        self.origin = b""
        self.resolved = b""
        self.sealed: dict[Seat, causes.Answered] = {}
        self.standing_in: set[Seat] = set()
        self.pending: WaitingAct[S] | None = None
        self.undo: UndoStack[S] = UndoStack()
        self.tallies: tuple[RoundTally, ...] = ()
        """Numbers of the match at the end of each round."""
        self.deferred: StoredStep[S] | None = None
        """The step that deferred a cause which is not carried out yet: nothing else can happen before."""
        self._acting: tuple[Seat, ...] | None = None
        """The seats that the table waits for, once that has been asked (Match.may_act)."""
        self._turns: tuple[tuple[S, Mapping[Seat, Turn]] | None, tuple[S, Mapping[Seat, Turn]] | None] = None, None

    def turns_at(self, state: S) -> Mapping[Seat, Turn]:
        """Return the seats that may act by the rules at a state, each with its turn; the latest two are kept."""
        newest, before = self._turns
        if newest is not None and newest[0] is state:
            return newest[1]
        if before is not None and before[0] is state:
            return before[1]
        found = state, self.system.rules.turn(state)
        self._turns = found, newest
        return found[1]

    @property
    def quiescent(self) -> bool:
        """True where no procedure waits: the state alone says everything."""
        return self.pending is None

    @property
    def snapshot_point(self) -> bool:
        """True where the match is quiescent and nothing before this point can be taken back."""
        return self.pending is None and self.deferred is None and not self.undo.points

    @property
    def result(self) -> Result | None:
        """The outcome, once the match is over."""
        found = self.system.result(self.state) if self.version and self.quiescent else None
        return None if found is None else msgspec.structs.replace(found, series=self.series())

    def series(self) -> tuple[Series, ...]:
        """Return how the match went up to now, round by round."""
        now = with_luck(self.system.tally(self.state), self.record)
        return series_of(with_tally(self.tallies, now) if now.counts else self.tallies)

    @property
    def is_apart(self) -> bool:
        """True where the newest act that can be taken back was apart from those of other seats."""
        return bool(self.undo.points) and self._was_apart(self.undo.points[-1])

    def undo_refusal(self, seat: Seat) -> str:
        """Return the code of the reason why this seat cannot take its last act back now, "" where it can."""
        return "waiting" if self.pending or self.deferred else self.undo.refusal(seat)

    def fold(self, cause: causes.AnyCause, entries: Iterable[Event[S] | CoreEvent]) -> tuple[list[Trace[S]], S, Record]:
        """Apply these entries without changing the match; return them with the states around them, and the state and
        record that they lead to."""
        state, record = self.state, self.record
        if isinstance(cause, causes.Undo):
            _, state, kept = self.undo.without(cause.seat)
            record = _without_acts(record, kept)
        elif isinstance(cause, causes.Void) and self.pending is not None:
            base = self.pending.base
            state, record = base.state, _without_acts(record, base.record)
        trail: list[Trace[S]] = []
        for entry in entries:
            if isinstance(entry, MatchStarted):
                state = self.system.start(entry.resolved, entry.seats)
            before = state
            if isinstance(entry, CoreEvent):
                record = entry.apply(record)
            else:
                state = entry.apply(state)
            trail.append(Trace(entry, before, state, record))
        return trail, state, with_code(record, cause) if isinstance(cause, causes.TableEvent) else record

    def take(self, stored: StoredStep[S], data: bytes, state: S, record: Record) -> None:
        """Move the match on by this step, whose bytes are `data`, to the given state and record."""
        cause = stored.cause
        if isinstance(cause, causes.Deferred):
            self.deferred = stored
        elif isinstance(cause, (*CONTINUING, causes.Void)):
            self.deferred = None
        if isinstance(cause, CONTINUING):
            self._track(stored, state)
        elif isinstance(cause, causes.Undo):
            self.undo = self.undo.without(cause.seat)[0]
        elif isinstance(cause, causes.Void):
            self.undo = UndoStack(barrier="voided")
            self.pending = None
        elif self.pending is not None:
            self.pending.steps.append(stored)
        if type(cause) is causes.Start:
            self.resolved = cause.resolved
        if type(cause) not in BESIDE:
            self.sealed, self.standing_in = {}, set()
        self.state, self.record = state, record
        if stored.asked == "round" and record.round and (ended := self.system.tally(state)).counts:
            self.tallies = with_tally(self.tallies, with_luck(ended, record))
        self.version, self._acting = stored.version, None
        proof = proof_of(data, record.seats, stored.hidden, self.dice, record.log)
        self.head = next_head(self.head, stored.version, proof)
        self.origin = self.origin or self.head

    def _track(self, stored: StoredStep[S], after: S) -> None:
        cause, pending = stored.cause, self.pending
        if pending is None:
            seat = cause.seat if isinstance(cause, (causes.Intended, causes.Expiry, causes.Conceded)) else -1
            base = UndoPoint(self.version, self.state, self.record, seat)
            if stored.asked is None:
                # most acts end in the step that they begin in
                self._acted(base, barrier_of(seat, cause, stored.entries), stored.entries, after)
                return
            pending = self.pending = WaitingAct(base, seat)
        pending.barrier = pending.barrier or barrier_of(pending.seat, cause, stored.entries)
        pending.steps.append(stored)
        if stored.asked is None:
            entries = [entry for step in pending.steps for entry in step.entries]
            self._acted(pending.base, pending.barrier, entries, after)
            self.pending = None

    def _acted(self, base: UndoPoint[S], barrier: str, entries: Sequence[Event[S] | CoreEvent], after: S) -> None:
        """Note an act that has ended, for undo."""
        if barrier and barrier != EXPIRED:
            self.undo = UndoStack((), barrier)
            return
        around = (base.state, after) if base.seat >= 0 else None
        act = UndoPoint(base.version, base.state, base.record, base.seat, tuple(entries), around)
        self.undo = self.undo.after(act, barrier, self._was_apart)

    def _was_apart(self, act: UndoPoint[S]) -> bool:
        """Tell whether those who might act before and after an act did so apart from one another."""
        if act.around is None:
            return False
        return all(any(turn.apart for turn in self.turns_at(state).values()) for state in act.around)

    def replay(self, data: bytes) -> Step[S]:
        """Fold one stored step that follows this version. The waiting procedure is not run: call `resume` at the end.

        Raises LogDamaged.
        """
        stored = self.codec.decode(data)
        if stored.version != self.version + 1:
            raise LogDamaged(f"step {self.version + 1} is missing: found step {stored.version}")
        if isinstance(stored.cause, causes.Undo) and not self.undo.depth(stored.cause.seat):
            raise LogDamaged(f"step {stored.version} takes back what was not kept")
        trail, state, record = self.fold(stored.cause, stored.entries)
        if isinstance(stored.asked, StoredQuestion):
            record = msgspec.structs.replace(record, questions=stored.asked.question + 1)
        step = Step(stored.version, stored.cause, data, stored, tuple(trail), state, record)
        self.take(stored, data, state, record)
        return step

    def begin_as(self, log: int, dice: int, rules: int) -> None:
        """Set, before Start, the layout of the heads, the scheme of the dice and the number of the rules, as an older
        match has them."""
        self.record = msgspec.structs.replace(self.record, log=log, dice=dice, rules=rules)

    def snapshot(self) -> bytes:
        """Return everything at a snapshot point, as msgpack; see `restore`."""
        rules, undo = self.system.RULES, self.undo.barrier
        kept = (rules, self.version, self.head, self.record, self.resolved, undo, self.state, self.origin, self.tallies)
        return msgspec.msgpack.encode(kept)

    def restore(self, data: bytes, code: bytes | None = None) -> bool:
        """Load a snapshot. Returns False where it was made under other rules, or by other rule code than `code` (where
        that is given), whose state may have had another layout: then the steps are to be folded from the first. Raises
        LogDamaged."""
        layout: Any = GenericAlias(
            tuple, (int, int, bytes, Record, bytes, str, self.system.state, bytes, tuple[RoundTally, ...])
        )
        try:
            parts = msgspec.msgpack.decode(data, type=list[msgspec.Raw])
            # snapshots of six parts are older than the number of the rules in them, those of eight than the tallies
            if len(parts) in (6, 8) or (parts and msgspec.msgpack.decode(parts[0]) != self.system.RULES):
                return False
            if code is not None and msgspec.msgpack.decode(parts[3], type=_Coded).code != code:
                return False
            kept = msgspec.msgpack.decode(data, type=layout)
        except msgspec.MsgspecError as problem:
            raise LogDamaged(f"a snapshot cannot be read: {problem}") from problem
        _, self.version, self.head, self.record, self.resolved, barrier, self.state, self.origin, self.tallies = kept
        self.undo, self._acting = UndoStack(barrier=barrier), None
        return True


def _without_acts(record: Record, kept: Record) -> Record:
    """Return a record after acts are given up: with what only acts change as it was `kept`. What was counted stays, so
    that no number is used twice, and so does all that happened beside the acts."""
    return msgspec.structs.replace(record, decks=kept.decks, declared=kept.declared, luck=kept.luck)
