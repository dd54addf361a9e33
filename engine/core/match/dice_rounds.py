"""Rounds of dice: the entries of calls, openings, tips and passing seats, as far as the record allows them.

docs/dice.md says what each holds. The core checks links; a follower of the facts checks signatures, too
(protocol/fairness/entropy_check.py).
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.match.causes import Deferred, EntropyTip, PartsOpened, RoundOpened, Void
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.events import (
    CoreEvent,
    DeferralOpened,
    GivenAnswer,
    QuestionClosed,
    RoundBegun,
    RoundCalled,
    SeatHeld,
    StepDeferred,
    TipKnown,
)
from engine.core.rules.record import Record
from protocol.fairness.entropy_record import HOLDERS, PERSON, PERSON_BYTES


def holders_changed(record: Record, holders: Sequence[str], people: Sequence[bytes] = ()) -> list[SeatHeld]:
    """Return an entry for each seat that has another holder, or another person, than the record says. `people`: as of
    Seats. Raises IllegalIntent where none has, or where one who is no person has the id of one."""
    known, people = record.participation.holders, people or (b"",) * len(holders)
    if not len(holders) == len(people) == len(known) or not set(holders) <= set(HOLDERS):
        raise IllegalIntent("seats/unchanged")
    held = [SeatHeld(seat, *now) for seat, now in enumerate(zip(holders, people, strict=True))]
    if any(one.person and (one.by != PERSON or len(one.person) != PERSON_BYTES) for one in held):
        raise IllegalIntent("seats/no-person")
    changed = [one for one in held if (one.by, one.person) != (known[one.seat], record.people.get(one.seat, b""))]
    if not changed:
        raise IllegalIntent("seats/unchanged")
    return changed


def tip_of(record: Record, cause: EntropyTip) -> TipKnown:
    """Return the entry of a tip. Raises IllegalIntent where the seat may say none, or the match has had it before."""
    if record.dice != 1:
        known = record.participation
        code = known.tip_refusal(cause.seat, cause.tip, cause.key) if record.parts else "entropy/none"
        if code:
            raise IllegalIntent(code)
    return TipKnown(cause.seat, cause.tip, cause.key)


def call_of(record: Record, *, is_wanted: bool) -> RoundCalled:
    """Return the entry of the call for the next round. Raises IllegalIntent where none is wanted, or the table runs
    without parts."""
    if not is_wanted or not record.parts:
        raise IllegalIntent("round/not-wanted")
    return RoundCalled(record.participation.called + 1, record.participation.due())


def deferral_of(record: Record, answers: Sequence[GivenAnswer], question: int, cause: Deferred) -> list[CoreEvent]:
    """Return the entries that defer a cause: its actor, the answers that it closes a question with, and the call."""
    # behind an answer stand two who gain by knowing the dice: who acted, and who answered
    actor = -1 if answers else cause.cause.seat
    closed = [QuestionClosed(question, tuple(answers))] if answers else []
    known = record.participation
    return [StepDeferred(actor), *closed, RoundCalled(known.called + 1, known.due_deferred(actor))]


def opened_of(record: Record, origin: bytes, opened: PartsOpened) -> DeferralOpened:
    """Return the entry of the parts of a deferred step. Raises IllegalIntent as `begun_of`."""
    _check_parts(record, origin, opened.links, opened.proofs)
    return DeferralOpened(record.participation.called, opened.links, opened.proofs)


def begun_of(record: Record, origin: bytes, opened: RoundOpened | Void, seed: bytes) -> RoundBegun:
    """Return the entry of the next round with the parts that were collected. `origin`: H_1; `seed`: that of the round
    that ends. Raises IllegalIntent where a part is not one that its seat has to give."""
    links, proofs = opened.links, opened.proofs
    if record.parts:
        _check_parts(record, origin, links, proofs)
    elif record.dice != 1 and (links or proofs):
        raise IllegalIntent("entropy/wrong")
    return RoundBegun(record.round + 1, links, seed, proofs)


def _check_parts(record: Record, origin: bytes, links: Sequence[bytes], proofs: Sequence[bytes]) -> None:
    called = record.call
    if called is None:
        raise IllegalIntent("round/not-called")
    if {len(links), len(proofs)} != {record.seats}:
        raise IllegalIntent("entropy/wrong")
    for seat, (link, proof) in enumerate(zip(links, proofs, strict=True)):
        if not link and not proof:
            continue
        is_right = record.participation.follows(record.match, origin, seat, record.participation.called, link)
        if not (link and proof and seat in called and is_right):
            raise IllegalIntent("entropy/wrong")
