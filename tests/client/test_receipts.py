"""Receipts: kept as they come, compared with the replay and with each other's."""

from __future__ import annotations

from pathlib import Path

import pytest

from client import compare, verify
from client.check import check_file
from client.fairness import Verdict
from client.profile import Profile
from client.receipts import BadReceipts, ReceiptBook, Receipts, kept_for, read
from protocol.proofs import head_text
from protocol.text import text
from tests.support.forger import FORGER
from tests.support.people import Person, duellists, rest_to_the_end, strike
from tests.support.signing import HOST
from tests.support.wire import running

HEAD, OTHER = bytes(32), b"\1" * 32


def signed(version: int, head: bytes) -> tuple[int, bytes, bytes]:
    return version, head, HOST.sign(head_text("m1", version, head))


def test_a_book_goes_on_after_a_crash_and_knows_what_it_was_told(tmp_path: Path) -> None:
    book = ReceiptBook(tmp_path / "ann", "m1", HOST.public, 0)
    book.keep_head(*signed(1, HEAD))
    assert book.keep_fact(0, b"\x81\xa1f\xa3tip")
    [path] = (tmp_path / "ann").iterdir()
    path.write_bytes(path.read_bytes() + b"\x93\xa4fact\x01")  # cut off in the middle
    again = ReceiptBook(tmp_path / "ann", "m1", HOST.public, 0)
    assert again.keep_fact(0, b"\x81\xa1f\xa3tip")
    assert not again.keep_fact(0, b"\x81\xa1f\xa4roll")
    [kept] = map(read, kept_for("m1", tmp_path))
    assert (kept.match, kept.key, kept.seat) == ("m1", HOST.public, 0)
    assert [record[0] for record in kept.records][:2] == ["head", "fact"]


def test_bytes_that_are_no_receipts_are_refused() -> None:
    for data in (b"", b"\xc1", b"hello", b"\x81\xa8receipts\x01"):
        with pytest.raises(BadReceipts):
            read(data)


def test_two_heads_signed_for_one_step_are_proof_against_the_host() -> None:
    ann = Receipts("m1", HOST.public, 0, [["head", *signed(5, HEAD)]])
    ben = Receipts("m1", HOST.public, 1, [["head", *signed(5, OTHER)]])
    compare.check_each_other([ann])
    with pytest.raises(verify.DoesNotHold, match="two histories"):
        compare.check_each_other([ann, ben])


def test_receipts_that_someone_made_up_are_no_proof() -> None:
    forged = (5, OTHER, FORGER.sign(head_text("m1", 5, OTHER)))
    with pytest.raises(verify.DoesNotHold, match="not what the host has signed"):
        compare.check_each_other([Receipts("m1", HOST.public, 1, [["head", *forged]])])


async def test_a_match_with_receipts_of_both_players_agrees_with_its_replay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with running(tmp_path) as run, duellists(run, tmp_path) as (ann, ben):
        await strike(ann, ben, 1)
        await ben.act("focus")
        await strike(ben, ann, 0)
        await rest_to_the_end(ann, ben)
        for person in (ann, ben):
            await person.checked()
            after = person.session.replays.aftermath
            assert after is not None
            assert (after.why.k, after.verdict) == ("fair.after.checked", Verdict.CHECKED), after.why
        kept = [*tmp_path.glob("*/*/*.receipts")]
    [file] = (tmp_path / "replays").iterdir()
    assert len(kept) == 2
    assert check_file(file, kept) == 0
    told = capsys.readouterr().out
    assert "The receipts of seat 0 agree" in told and "The receipts of seat 1 agree" in told


async def test_another_key_at_the_same_address_is_said_plainly_until_it_is_trusted(tmp_path: Path) -> None:
    profile = Profile("Ann")
    for place, is_stranger in (("one", False), ("two", True)):
        (tmp_path / place).mkdir()
        async with running(tmp_path / place) as run:
            profile.tokens.clear()
            ann = Person(run, "Ann", tmp_path / "ann", profile)
            await ann.arrived()
            assert ann.session.fair_play.is_stranger is is_stranger
            if is_stranger:
                assert ann.session.fair_play.verdict is Verdict.WRONG
                assert ann.session.notice == ann.session.texts.say(text("fair.other_host"))
                ann.session.trust_host()
                assert not ann.session.fair_play.is_stranger
            await ann.leave()
