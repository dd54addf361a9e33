"""The log of a match in the store: a step is proposed, stored, then settled; or withdrawn as if never asked."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections import deque
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec

from engine.core.match.causes import Answered, AnyCause, Aside, Intended, Undo, Void
from engine.core.match.folded_match import Step
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent, RuleBug
from protocol.errors import EschatonError, RefusedError
from protocol.proof.signed_texts import said_digest
from server.match.rule_marks import named_in
from server.runtime.crash_points import Mark, unmarked
from server.runtime.loop_turns import LoopTurns
from server.store import port

SNAPSHOT_EVERY: Final = 200
REMEMBERED: Final = 8
"""Closed answers of each seat. One that is away gives no others meanwhile, and a program has one on its way."""
FOLDED_AT_ONCE: Final = 50
CLOSED_ANSWERS: Final = "answers"
OF_A_SEAT: Final = (Intended, Answered, Undo, Aside)
"""Causes that somebody may send again."""

_REPLY: Final = msgspec.msgpack.Decoder(Answered)


def act_name(seat: int, id: bytes) -> bytes:
    """Return the name of an act in the store: the id that the seat's program chose, good for that seat only.

    Whoever sends another seat's frame again finds nothing under it, and is answered as for an act of their own.
    """
    return hashlib.sha256(b"act\0" + seat.to_bytes(2, "big") + id).digest()[: port.CAUSE_BYTES]


class Durable(NamedTuple):
    """A durable act that its seat may say again. `question`: that of an answer, under seal now or until the question
    closed; -1 of an act that made a step. `said`: protocol.proof.signed_texts.said_digest of it, empty where the log
    does not tell."""

    question: int
    said: bytes


class ClosedAnswer(msgspec.Struct, frozen=True, array_like=True):
    """An answer whose question has closed. `name`: see `act_name`; `said`: as of a Durable."""

    seat: int
    name: bytes
    question: int
    said: bytes


_CLOSED: Final = msgspec.msgpack.Decoder(list[ClosedAnswer | bytes])


def read_closed(record: bytes) -> list[ClosedAnswer]:
    """Decode the answers in a record of CLOSED_ANSWERS, oldest first. Raises msgspec.MsgspecError."""
    # names alone, as older servers wrote them, do not tell what could be signed
    return [answer for answer in _CLOSED.decode(record) if isinstance(answer, ClosedAnswer)]


class AlreadyDone(RefusedError):
    """This id names an act of the seat that is durable."""


class LostMatch(EschatonError):
    """Another host writes this match: this one must stop at once."""


class LostSteps(LostMatch):
    """The store has fewer steps than it acknowledged: the match must be folded again from what is left."""


class OtherCode(EschatonError):
    """The match was played by other rule code than is installed now."""


class StoredLog:
    """The stored steps of one match, appended under a fence. After any exception the match is as it was before the
    call."""

    def __init__(
        self, match: Match[Any], store: port.Store, fence: port.Fence, turns: LoopTurns, mark: Mark = unmarked
    ) -> None:
        self.match = match
        self.mark = mark
        self._store = store
        self._fence = fence
        self.turns = turns
        self._closed: dict[int, deque[ClosedAnswer]] = {}
        self._archived: Sequence[bytes] | None = None
        self._snapshot_at = 0
        self._last = b""
        """The last step as it is stored; empty where it is not known."""

    async def recover(self, code: bytes | None = None) -> None:
        """Fold the stored match, make its waiting procedure again, hold the sealed answers. With `code` that is done
        only where the log says that the match is played by the rule code of this digest.

        Raises LogDamaged, RuleDiverged, StoreError, OtherCode.
        """
        match, store = self.match, self._store
        snapshot = await store.snapshot(match.id)
        if snapshot is not None and match.restore(snapshot.data, code):
            self._snapshot_at = match.version
        steps = [stored.step for stored in await store.read(match.id, match.version)]
        if code is not None and (match.version or steps):
            named = [match.record.code, *(named.code.digest for named in named_in(steps, match.version))][-1]
            if named != code:
                raise OtherCode
        await self._replay(steps)
        await self.resume()

    async def recover_under_other_code(self) -> None:
        """Fold all stored steps, whatever code they name, and leave what waits to `resume`. Raises LogDamaged,
        StoreError, and whatever the rules of today raise."""
        await self._replay([stored.step for stored in await self._store.read(self.match.id)])

    async def _replay(self, steps: Sequence[bytes]) -> None:
        for number, step in enumerate(steps, start=1):
            self.match.replay(step)
            self._last = step
            if number % FOLDED_AT_ONCE == 0:
                await asyncio.sleep(0)  # a long match is not to keep the others waiting

    async def resume(self) -> None:
        """Make the waiting procedure again, and hold the sealed answers. Raises RuleDiverged, StoreError."""
        match = self.match
        match.resume()
        closed = await self._store.get_record(CLOSED_ANSWERS, match.id)
        for answer in read_closed(closed) if closed is not None else ():
            self._remember(answer)
        await self._hold_sealed()

    async def _hold_sealed(self) -> None:
        """Hold the answers to the open question that the store keeps and the match does not know of."""
        match = self.match
        question = match.question
        for answer in await self._store.sealed(match.id):
            is_open = question is not None and answer.question == str(question.id)
            if is_open and match.given(Seat(answer.seat)) is None:
                match.hold(_REPLY.decode(answer.answer))

    async def fold(self, steps: Sequence[bytes]) -> None:
        """Fold a match that is over from its steps, which the store has no more. Raises LogDamaged, RuleDiverged."""
        await self._replay(steps)
        self.match.resume()
        self.archived(steps)

    def archived(self, steps: Sequence[bytes]) -> None:
        """Find the steps, of a match that is over, here from now on and not in the store."""
        self._archived = tuple(steps)

    async def steps(self) -> list[bytes]:
        """Return all steps as stored, from the first. Raises StoreError."""
        if self._archived is not None:
            return list(self._archived)
        return [stored.step for stored in await self._store.read(self.match.id)]

    async def commit(self, cause: AnyCause, id: bytes | None = None) -> Step[Any]:
        """Make the step of `cause` durable and settle it. `id`: 16 bytes that name an act of its seat in every resend.

        Raises IllegalIntent, RuleBug, RuleDiverged, StoreError, AlreadyDone, LostMatch. When cancelled, the step may
        have been stored: the match must be recovered before it is used again.
        """
        match = self.match
        question = match.question
        if id is not None and self._closed and isinstance(cause, OF_A_SEAT) and self._closed_answer(cause.seat, id):
            raise AlreadyDone
        step = match.propose(cause)
        self.mark("proposed")
        closed = question is not None and (match.question is not question or isinstance(cause, Void))
        closes = str(question.id) if question is not None and closed else None
        try:
            if closes is not None:
                await self._remember_answers()
            if id is not None and isinstance(cause, OF_A_SEAT):
                name = act_name(cause.seat, id)
            else:
                name = secrets.token_bytes(port.CAUSE_BYTES)
            outcome = await self._store.append(match.id, self._fence, name, step.version - 1, step.data, closes=closes)
        except port.StoreError:
            match.withdraw(step)
            raise
        if isinstance(outcome, port.Appended):
            self.mark("appended")
            if self.turns.is_long():
                await self.turns.wait()
            match.settle(step)
            self._last = step.data
            self.mark("settled")
            return step
        match.withdraw(step)
        if isinstance(outcome, port.Duplicate):
            raise AlreadyDone
        raise self._lost(outcome)

    def _lost(self, outcome: port.Conflict | port.Fenced) -> LostMatch:
        is_older = outcome.version < self.match.version if isinstance(outcome, port.Conflict) else None
        if is_older or (isinstance(outcome, port.Fenced) and outcome.counter < self._fence.counter):
            return LostSteps(repr(outcome))
        return LostMatch(repr(outcome))

    async def compare(self) -> None:
        """Make sure that the store has every step, the last one as it was signed. Raises LostSteps, StoreError."""
        if self._archived is not None or not (last := self.match.version):
            return
        found = await self._store.read(self.match.id, last - 1, 1)
        if not found:
            raise LostSteps(f"the store has {await self._store.version(self.match.id)} of {last} steps")
        if self._last and found[0].step != self._last:
            raise LostSteps(f"the store has another step {last}")

    async def _remember_answers(self) -> None:
        # a resend of an answer that the question's closing consumed must still find its acknowledgement
        match = self.match
        given = [answer for seat in match.sealed if (answer := match.given(seat)) is not None]
        fresh = [
            ClosedAnswer(answer.seat, act_name(answer.seat, answer.id), answer.question, _said(answer))
            for answer in given
            if self._closed_answer(answer.seat, answer.id) is None
        ]
        if fresh:
            known = [closed for of_seat in self._closed.values() for closed in of_seat]
            await self._store.put_record(CLOSED_ANSWERS, match.id, msgspec.msgpack.encode([*known, *fresh]))
            for closed in fresh:
                self._remember(closed)
            self.mark("answers-remembered")

    def _remember(self, answer: ClosedAnswer) -> None:
        self._closed.setdefault(answer.seat, deque(maxlen=REMEMBERED)).append(answer)

    def _closed_answer(self, seat: int, id: bytes) -> ClosedAnswer | None:
        of_seat = self._closed.get(seat)
        if not of_seat:
            return None
        name = act_name(seat, id)
        return next((answer for answer in of_seat if answer.name == name), None)

    async def seal(self, answer: Answered) -> None:
        """Keep an answer durably until its question closes; it is final. Raises IllegalIntent, RuleBug, StoreError,
        AlreadyDone, LostMatch."""
        question, seat = self.match.question, Seat(answer.seat)
        if question is None or question.id != answer.question or self.match.deferred is not None:
            raise IllegalIntent("answer/not-asked")
        if self.match.given(seat) is not None:
            raise IllegalIntent("answer/given")
        if self._closed_answer(answer.seat, answer.id) is not None:
            raise AlreadyDone
        ask = question.asks[seat]
        try:
            ask.read(answer.reply)
        except IllegalIntent:
            raise
        except Exception as problem:
            raise RuleBug(f"an answer cannot be read: {type(problem).__name__}") from problem
        packed = msgspec.msgpack.encode(answer)
        place = str(question.id)
        outcome = await self._store.seal(self.match.id, self._fence, place, answer.seat, answer.id, packed)
        if isinstance(outcome, port.Fenced):
            raise self._lost(outcome)
        if isinstance(outcome, port.AlreadySealed):
            # one of which the store had said that it could not keep it, and did
            await self._hold_sealed()
            raise IllegalIntent("answer/given")
        self.mark("answer-sealed")
        self.match.hold(answer)

    async def find(self, seat: int, id: bytes) -> Durable | None:
        """Find an act that this seat has said and that is durable, as a step or as an answer. Raises StoreError."""
        answer = self.match.given(Seat(seat))
        if answer is not None and answer.id == id:
            return Durable(answer.question, _said(answer))
        closed = self._closed_answer(seat, id)
        if closed is not None:
            return Durable(closed.question, closed.said)
        cause = await self._cause_named(act_name(seat, id))
        return None if cause is None else Durable(-1, _said(cause))

    async def _cause_named(self, name: bytes) -> Intended | Answered | Undo | Aside | None:
        """Return the cause of a step by its name in the store; None for one that cannot be sent again."""
        if self._archived is not None:
            causes = (self._resendable(step) for step in self._archived)
            return next(
                (cause for cause in causes if cause is not None and act_name(cause.seat, cause.id) == name), None
            )
        version = await self._store.find(self.match.id, name)
        steps = [] if version is None else await self._store.read(self.match.id, version - 1, 1)
        return self._resendable(steps[0].step) if steps else None

    def _resendable(self, step: bytes) -> Intended | Answered | Undo | Aside | None:
        cause = self.match.codec.decode(step).cause
        return cause if isinstance(cause, OF_A_SEAT) else None

    @property
    def snapshot_is_due(self) -> bool:
        """True where there have been steps enough since the last snapshot, and the moment allows one."""
        return self.match.version - self._snapshot_at >= SNAPSHOT_EVERY and self.match.snapshot_point

    async def keep_snapshot(self) -> None:
        """Store a snapshot of now. Raises StoreError."""
        match = self.match
        await self._store.put_snapshot(match.id, match.version, match.snapshot())
        self._snapshot_at = match.version


def _said(cause: Intended | Answered | Undo | Aside) -> bytes:
    return said_digest(cause.reply.choice, cause.reply.fields) if isinstance(cause, Answered) else cause.said
