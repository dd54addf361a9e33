"""The durable side of a match: a step is proposed, stored, then settled; or withdrawn as if never asked."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections import deque
from typing import TYPE_CHECKING, Any, Final

import msgspec

from engine.core.causes import Answered, Aside, Intended, Undo, Void
from engine.core.errors import IllegalIntent, RuleBug
from server.marks import unmarked
from server.store.port import CAUSE_BYTES, Appended, Conflict, Duplicate, Fenced, Sealed, StoreError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.core.causes import AnyCause
    from engine.core.course import Step
    from engine.core.match import Match
    from server.marks import Mark
    from server.store.port import Fence, Store

SNAPSHOT_EVERY: Final = 200
REMEMBERED: Final = 64
FOLDED_AT_ONCE: Final = 50
CLOSED_ANSWERS: Final = "answers"
OF_A_SEAT: Final = (Intended, Answered, Undo, Aside)
"""Causes that somebody may send again."""

_REPLY: Final = msgspec.msgpack.Decoder(Answered)
_IDS: Final = msgspec.msgpack.Decoder(list[bytes])


def bound(seat: int, id: bytes) -> bytes:
    """What an act is called in the store: the id that the seat's program chose, good for that seat only.

    Whoever sends another seat's frame again finds nothing under it, and is answered as for an act of his own.
    """
    return hashlib.sha256(b"act\0" + seat.to_bytes(2, "big") + id).digest()[:CAUSE_BYTES]


class AlreadyDone(Exception):
    """This cause has made its step before."""


class LostMatch(Exception):
    """Somebody else writes this match: stop at once."""


class LostSteps(LostMatch):
    """The store has fewer steps than it acknowledged: the match must be folded again from what is left."""


class Ledger:
    """Appends the steps of one match under a fence. After any exception the match is as it was before the call."""

    def __init__(self, match: Match[Any], store: Store, fence: Fence, mark: Mark = unmarked) -> None:
        self.match = match
        self.mark = mark
        self._store = store
        self._fence = fence
        self._closed: deque[bytes] = deque(maxlen=REMEMBERED)
        self._archived: Sequence[bytes] | None = None
        self._snapshot_at = 0

    async def recover(self) -> None:
        """Fold the stored match, make its waiting procedure again, take back the sealed answers.

        Raises LogDamaged, RuleDiverged, StoreError.
        """
        match, store = self.match, self._store
        snapshot = await store.snapshot(match.id)
        if snapshot is not None and match.restore(snapshot.data):
            self._snapshot_at = match.version
        for stored in await store.read(match.id, match.version):
            match.replay(stored.step)
        match.resume()
        closed = await store.get_record(CLOSED_ANSWERS, match.id)
        self._closed.extend(_IDS.decode(closed) if closed is not None else [])
        question = match.question
        for answer in await store.sealed(match.id):
            if question is not None and answer.question == str(question.id):
                match.hold(_REPLY.decode(answer.answer))

    async def fold(self, steps: Sequence[bytes]) -> None:
        """Fold a match that is over from its steps, which the store has no more. Raises LogDamaged, RuleDiverged."""
        for number, step in enumerate(steps):
            self.match.replay(step)
            if number % FOLDED_AT_ONCE == 0:
                await asyncio.sleep(0)  # a long match is not to keep the others waiting
        self.match.resume()
        self.archived(steps)

    def archived(self, steps: Sequence[bytes]) -> None:
        """The match is over, and from now on its steps are found here and not in the store."""
        self._archived = tuple(steps)

    async def steps(self) -> list[bytes]:
        """All steps as stored, from the first. Raises StoreError."""
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
        step = match.propose(cause)
        self.mark("proposed")
        closed = question is not None and (match.question is not question or isinstance(cause, Void))
        closes = str(question.id) if question is not None and closed else None
        try:
            if closes is not None:
                await self._remember_answers()
            if id is not None and isinstance(cause, OF_A_SEAT):
                name = bound(cause.seat, id)
            else:
                name = secrets.token_bytes(CAUSE_BYTES)
            outcome = await self._store.append(match.id, self._fence, name, step.version - 1, step.data, closes=closes)
        except StoreError:
            match.withdraw(step)
            raise
        if isinstance(outcome, Appended):
            self.mark("appended")
            match.settle(step)
            self.mark("settled")
            return step
        match.withdraw(step)
        if isinstance(outcome, Duplicate):
            raise AlreadyDone
        raise self._lost(outcome)

    def _lost(self, outcome: Conflict | Fenced) -> LostMatch:
        is_older = outcome.version < self.match.version if isinstance(outcome, Conflict) else None
        if is_older or (isinstance(outcome, Fenced) and outcome.counter < self._fence.counter):
            return LostSteps(repr(outcome))
        return LostMatch(repr(outcome))

    async def compare(self) -> None:
        """Make sure that the store has every step. Raises LostSteps, StoreError."""
        version = await self._store.version(self.match.id)
        if self._archived is None and version < self.match.version:
            raise LostSteps(f"the store has {version} of {self.match.version} steps")

    async def _remember_answers(self) -> None:
        # a resend of an answer that the question's closing consumed must still find its acknowledgement
        names = (bound(answer.seat, answer.id) for answer in self.match.sealed.values())
        ids = [name for name in names if name not in self._closed]
        if ids:
            self._closed.extend(ids)
            packed = msgspec.msgpack.encode(list(self._closed))
            await self._store.put_record(CLOSED_ANSWERS, self.match.id, packed)
            self.mark("answers-remembered")

    async def seal(self, answer: Answered) -> None:
        """Keep an answer durably until its question closes. Raises IllegalIntent, RuleBug, StoreError, LostMatch."""
        question = self.match.question
        if question is None or question.id != answer.question:
            raise IllegalIntent("answer/not-asked")
        ask = next(ask for seat, ask in question.asks.items() if seat == answer.seat)
        try:
            ask.read(answer.reply)
        except IllegalIntent:
            raise
        except Exception as problem:
            raise RuleBug(f"an answer cannot be read: {type(problem).__name__}") from problem
        packed = msgspec.msgpack.encode(answer)
        place = str(question.id)
        outcome = await self._store.seal(self.match.id, self._fence, place, answer.seat, answer.id, packed)
        if not isinstance(outcome, Sealed):
            raise self._lost(outcome)
        self.mark("answer-sealed")
        self.match.hold(answer)

    async def knows(self, seat: int, id: bytes) -> bool:
        """Whether this seat's cause has been acknowledged, as a step or as a sealed answer. Raises StoreError."""
        if any((answer.seat, answer.id) == (seat, id) for answer in self.match.sealed.values()):
            return True
        name = bound(seat, id)
        if name in self._closed:
            return True
        if self._archived is not None:
            return any(name == self._name_of(step) for step in self._archived)
        return await self._store.find(self.match.id, name) is not None

    def _name_of(self, step: bytes) -> bytes | None:
        """What the cause of this step was called in the store; None where nobody can send it again."""
        cause = self.match.codec.decode(step).cause
        return bound(cause.seat, cause.id) if isinstance(cause, OF_A_SEAT) else None

    def sealed_for(self, seat: int, id: bytes) -> int | None:
        """The question that this act of the seat, which is known to be durable, is a sealed answer to; -1 where it has
        made a step, None where its question has closed."""
        for answer in self.match.sealed.values():
            if (answer.seat, answer.id) == (seat, id):
                return answer.question
        return None if self._closed and bound(seat, id) in self._closed else -1

    @property
    def snapshot_is_due(self) -> bool:
        """Whether there have been steps enough since the last, and the moment allows one."""
        return self.match.version - self._snapshot_at >= SNAPSHOT_EVERY and self.match.snapshot_point

    async def keep_snapshot(self) -> None:
        """Store a snapshot of now. Raises StoreError."""
        match = self.match
        await self._store.put_snapshot(match.id, match.version, match.snapshot())
        self._snapshot_at = match.version
