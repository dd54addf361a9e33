"""Promises that a host has signed, checked by logs that do not keep them: each in its own sentence."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest

from client.fairness.promises import LogIndex, NoProof, SignedAct, SignedExpiry, SignedHead, promises, said_of
from client.fairness.receipts import Receipts, read
from protocol.ids import MatchId
from protocol.proof.signed_texts import expired_text, receipt_text, said_digest, sign_receipts
from tests.support.fairness.signing import HOST
from tests.support.faults.hostile.forger import FORGER

ID, OTHER = b"a" * 16, b"b" * 16
HEADS = [bytes([n]) * 32 for n in range(7)]
YES, NO = {"choice": "yes"}, {"choice": "no"}
STRIKE = said_digest("strike", {"target": ["seat/1"]})
QUESTION = {"question": 4, "kind": "brace", "window": {}, "seats": [0, 1], "digest": b""}
START = {"c": "start", "match": "m1", "seats": 2, "resolved": b""}
ACT = {"c": "intent", "seat": 0, "id": ID, "intent": b"", "said": STRIKE}
EXPIRY = {"c": "expiry", "question": 4}


def answers(*given: dict[str, Any]) -> dict[str, Any]:
    return {"e": "core.answers", "question": 4, "answers": list(given)}


def log(*steps: tuple[dict[str, Any], list[dict[str, Any]], Any]) -> LogIndex:
    """Make a log of a beginning and these steps: cause, entries, and what is asked then."""
    every = [(START, [], None), *steps]
    return LogIndex(HEADS, [[number, *step, {}] for number, step in enumerate(every, start=1)])


CLOSED = answers({"seat": 0, "reply": YES}, {"seat": 1, "reply": NO, "by_default": True})
PLAYED = log((ACT, [], QUESTION), ({"c": "table", "kind": "x"}, [], QUESTION), (EXPIRY, [CLOSED], None))


def act(seat: int = 0, id: bytes = ID, said: bytes = STRIKE, version: int = 2) -> SignedAct:
    return SignedAct(seat, id, said, -1, version, HEADS[version])


def answer(reply: dict[str, Any] = YES, seat: int = 0, question: int = 4, version: int = 3) -> SignedAct:
    return SignedAct(seat, ID, said_of(reply), question, version, HEADS[version])


def expired(seat: int = 1, question: int = 4, version: int = 4) -> SignedExpiry:
    return SignedExpiry(seat, question, version, HEADS[version])


@pytest.mark.parametrize("version", [2, 3, 4])
def test_what_is_kept_holds_at_every_version_that_it_was_signed_at(version: int) -> None:
    assert not PLAYED.check(SignedHead(version, HEADS[version]))
    assert not PLAYED.check(act(version=version))
    assert not PLAYED.check(answer(version=version))
    assert not PLAYED.check(expired())


@pytest.mark.parametrize(
    ("promise", "why"),
    [
        (SignedHead(9, HEADS[1]), "its replay ends at step 6"),
        (SignedHead(3, HEADS[1]), "another history up to step 3"),
        (act(version=1), "the log lacks it"),
        (act(id=OTHER), "the log lacks it"),
        (act(seat=1), "the log lacks it"),
        (act(said=said_digest("rest", {})), "Step 2: the act of seat 0 is another one"),
        (answer(version=1), "did not ask it by then"),
        (answer(question=5), "did not ask it by then"),
        (answer(NO), "Step 4: the sealed answer of seat 0 to question 4"),
        (answer(NO, seat=1), "Step 4: the sealed answer of seat 1 to question 4"),
        (answer(seat=2), "Step 4: the sealed answer of seat 2 to question 4"),
        (expired(seat=0), "time ran out for seat 0 in step 4"),
        (expired(seat=2), "time ran out for seat 2 in step 4"),
        (expired(version=3), "time ran out for seat 1 in step 3"),
        (expired(version=0), "time ran out for seat 1 in step 0"),
        (expired(question=5), "time ran out for seat 1 in step 4"),
        (expired(question=-1), "time ran out for seat 1 in step 4"),
    ],
)
def test_what_is_not_kept_is_named(promise: SignedHead | SignedAct | SignedExpiry, why: str) -> None:
    assert why in PLAYED.check(promise)


def test_a_question_that_is_open_at_the_end_or_was_given_up_takes_no_answer_away() -> None:
    still_open = log((ACT, [], QUESTION), ({"c": "table", "kind": "ended"}, [], QUESTION))
    given_up = log((ACT, [], QUESTION), ({"c": "void", "error": "e"}, [{"e": "core.voided"}], None))
    lost = log((ACT, [], QUESTION), ({"c": "round", "links": []}, [], None))
    assert not still_open.check(answer())
    assert not given_up.check(answer())
    assert "the log lost the question" in lost.check(answer())


def test_a_turn_that_ran_out_is_that_of_its_seat() -> None:
    history = log(({"c": "expiry", "seat": 1}, [], None))
    assert not history.check(expired(question=-1, version=2))
    assert "time ran out for seat 0" in history.check(expired(seat=0, question=-1, version=2))


def test_an_answer_that_made_its_step_is_compared_by_what_the_log_holds_of_it() -> None:
    history = log((ACT, [], QUESTION), ({"c": "answer", "seat": 1, "id": OTHER, "question": 4, "reply": YES}, [], None))
    assert not history.check(act(1, OTHER, said_of(YES), 3))
    assert "another one" in history.check(act(1, OTHER, said_of(NO), 3))


def test_two_seats_may_use_one_id_and_neither_takes_the_act_of_the_other() -> None:
    """Players who agree on an id cannot make an honest log lack anything."""
    twin = {"c": "intent", "seat": 1, "id": ID, "intent": b""}
    history = log((ACT, [], None), (twin, [], None))
    for promise in (act(version=2), act(1, version=3), SignedAct(None, ID, STRIKE, -1, 2, HEADS[2])):
        assert not history.check(promise)
    assert "the log lacks it" in history.check(act(1, version=2))


def test_a_log_that_does_not_tell_what_was_said_is_not_held_to_it() -> None:
    undo = {"c": "undo", "seat": 0, "id": ID}
    assert not log((undo, [], None)).check(act(said=b"?" * 32))


def test_records_of_all_layouts_are_read_and_those_of_other_hosts_prove_nothing() -> None:
    parts = (ID, STRIKE, 4, 3, HEADS[3])
    [proof] = sign_receipts([receipt_text(MatchId("m1"), 2, *parts)], HOST)
    signed = HOST.sign(expired_text(MatchId("m1"), 2, -1, 3, HEADS[3]))
    records = [["ack2", 2, *parts, *proof], ["expired", 2, -1, 3, HEADS[3], signed], ["later", 1], ["expired", 2]]
    head = {"receipts": 1, "match": "m1", "key": HOST.public, "seat": 2}
    kept = read(b"".join(map(msgpack.packb, (head, *records))))
    assert [record[0] for record in kept.records] == ["ack2", "expired"]
    assert promises(kept) == [SignedAct(2, *parts), SignedExpiry(2, -1, 3, HEADS[3])]
    other: Receipts = kept._replace(key=FORGER.public)
    with pytest.raises(NoProof, match="prove nothing") as raised:
        promises(other)
    assert raised.value.receipts is other
