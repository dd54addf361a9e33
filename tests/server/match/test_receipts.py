"""Receipts of one turn of the loop share a signature, and each is proven by its own place and path."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable
from typing import Any

import pytest

from client.fairness import receipts_check, verify
from client.fairness.receipts import Receipts
from protocol.fairness.signatures import is_signed
from protocol.ids import MatchId
from protocol.proof.dice import joined, u64
from protocol.proof.signed_texts import (
    DIGEST_BYTES,
    MOST_LEVELS,
    Signed,
    expired_text,
    receipt_text,
    receipts_root,
    receipts_text,
    said_digest,
)
from server.match.receipts import ReceiptSigner
from server.runtime.logs import make_log
from tests.support.fairness.signing import HOST

MATCH = MatchId("m1")

HEAD = b"\7" * 32
SAID = said_digest("focus", {})
Act = tuple[int, bytes, bytes, int, int, bytes]


class CountingKey:
    """The host's key, and how often it was used."""

    def __init__(self) -> None:
        self.public = HOST.public
        self.count = 0

    def sign(self, message: bytes) -> bytes:
        self.count += 1
        return HOST.sign(message)


def act(number: int) -> Act:
    return 3, number.to_bytes(16, "big"), SAID, -1, number + 1, HEAD


def proves(number: int, proof: Signed) -> bool:
    root = receipts_root(receipt_text(MATCH, *act(number)), proof.place, proof.path)
    return root is not None and is_signed(HOST.public, receipts_text(root), proof.signature)


def kept(number: int, proof: Signed) -> Receipts:
    return Receipts(MATCH, HOST.public, 0, [["ack2", *act(number), *proof]])


async def pressed(count: int) -> tuple[list[Signed], CountingKey]:
    """The proofs of the receipts of one turn, in the order in which they were told."""
    key, told = CountingKey(), list[Signed]()
    press = ReceiptSigner(key, make_log(io.StringIO(), lambda: 0))
    for number in range(count):
        press.add(MatchId(f"m{number}"), receipt_text(MATCH, *act(number)), told.append)
    assert not told
    await asyncio.sleep(0)
    return told, key


async def test_twelve_receipts_of_one_turn_have_one_signature_and_each_holds() -> None:
    told, key = await pressed(12)
    assert (len(told), key.count) == (12, 1)
    assert len({proof.signature for proof in told}) == 1
    assert [proof.place for proof in told] == list(range(12))
    for number, proof in enumerate(told):
        assert len(proof.path) == 4 * DIGEST_BYTES
        assert proves(number, proof)
        receipts_check.check_each_other([kept(number, proof)])


@pytest.mark.parametrize("count", [1, 2, 3, 12])
async def test_no_receipt_holds_at_another_place_or_by_another_path(count: int) -> None:
    told, _ = await pressed(count)
    for number, proof in enumerate(told):
        changes = [proof._replace(place=place) for place in range(-1, 20) if place != number]
        changes += [proof._replace(path=other.path) for other in told if other is not proof]
        changes += [proof._replace(path=proof.path + bytes(size)) for size in (1, DIGEST_BYTES)]
        changes += [proof._replace(path=proof.path[:cut]) for cut in (-1, -DIGEST_BYTES) if proof.path]
        for at in range(0, len(proof.path), 31):
            changes.append(proof._replace(path=proof.path[:at] + bytes([proof.path[at] ^ 1]) + proof.path[at + 1 :]))
        for changed in changes:
            assert not proves(number, changed)
            with pytest.raises(verify.VerificationFailed):
                receipts_check.check_each_other([kept(number, changed)])
        for other in range(count):
            assert proves(other, proof) is (other == number)


async def test_no_receipt_tells_that_another_seat_of_its_match_was_answered_too() -> None:
    key, told = CountingKey(), list[Signed]()
    press = ReceiptSigner(key, make_log(io.StringIO(), lambda: 0))
    for number in range(3):
        press.add(MATCH, receipt_text(MATCH, *act(number)), told.append)
    await asyncio.sleep(0)
    assert [proof[1:] for proof in told] == [(0, b"")] * 3
    assert key.count == 3
    assert all(proves(number, proof) for number, proof in enumerate(told))


async def test_a_receipt_by_itself_has_no_path() -> None:
    key, told = CountingKey(), list[Signed]()
    press = ReceiptSigner(key, make_log(io.StringIO(), lambda: 0))
    for number in range(3):
        press.add(MatchId(f"m{number}"), receipt_text(MATCH, *act(number)), told.append)
        await asyncio.sleep(0)
        assert told[number][1:] == (0, b"")
        assert proves(number, told[number])
    assert key.count == 3


async def test_one_who_cannot_be_told_keeps_no_other_from_it() -> None:
    lines, told = io.StringIO(), list[Signed]()
    press = ReceiptSigner(HOST, make_log(lines, lambda: 0))

    def fails(proof: Signed) -> None:
        raise ConnectionError("gone")

    tellers: list[Callable[[Signed], Any]] = [told.append, fails, told.append]
    for number, tell in enumerate(tellers):
        press.add(MatchId(f"m{number}"), receipt_text(MATCH, *act(number)), tell)
    press.sign_now()
    assert [proof.place for proof in told] == [0, 2]
    assert "ConnectionError: gone" in lines.getvalue()


async def test_what_is_added_while_others_are_told_has_its_own_turn() -> None:
    key, told = CountingKey(), list[Signed]()
    press = ReceiptSigner(key, make_log(io.StringIO(), lambda: 0))
    press.add(
        MatchId("m0"),
        receipt_text(MATCH, *act(0)),
        lambda _: press.add(MATCH, receipt_text(MATCH, *act(1)), told.append),
    )
    await asyncio.sleep(0)
    assert not told
    await asyncio.sleep(0)
    assert key.count == 2
    assert proves(1, told[0])


def test_a_path_without_end_leads_nowhere() -> None:
    assert receipts_root(b"receipt", 0, bytes(DIGEST_BYTES * MOST_LEVELS)) is not None
    assert receipts_root(b"receipt", 0, bytes(DIGEST_BYTES * (MOST_LEVELS + 1))) is None


@pytest.mark.parametrize("question", [-1, 0, 7])
def test_a_receipt_is_all_its_parts_joined(question: int) -> None:
    """Byte for byte as defined: clients keep receipts, and later versions check them."""
    last = u64(question + 1), u64(9), HEAD
    receipt = joined(b"eschaton/sign-v2/receipt", b"m1", u64(3), bytes(16), SAID, *last)
    assert receipt_text(MATCH, 3, bytes(16), SAID, question, 9, HEAD) == receipt
    expired = joined(b"eschaton/sign-v2/expired", b"m1", u64(3), *last)
    assert expired_text(MATCH, 3, question, 9, HEAD) == expired
