"""Receipts: kept as they come, compared with the replay and with each other's."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from client.errors import BadReceipts
from client.fairness import receipts_check, verify
from client.fairness.dice_round_check import Verdict
from client.fairness.promises import NoProof
from client.fairness.receipts import ReceiptBook, Receipts, read, receipt_files
from client.fairness.table_check import TableCheck
from client.fairness.verify_command import check_file
from client.storage.profile import UserProfile
from protocol.fairness.contributor import MemoryChains
from protocol.ids import MatchId, PromptId, TableId
from protocol.proof.signed_texts import expired_text, head_text, receipt_text, said_digest, sign_receipts
from protocol.text import text
from protocol.wire.client_conversation import ClientConversation
from protocol.wire.from_client import Intent
from protocol.wire.from_server import Ack, Expired, TableView, Welcome
from tests.support.clients.people import Person, duellists, rest_to_the_end, strike
from tests.support.clients.wire import running
from tests.support.examples.messages import FROM_SERVER
from tests.support.fairness.signing import HOST
from tests.support.faults.hostile.forger import FORGER

MATCH = MatchId("m1")

HEAD, OTHER = bytes(32), b"\1" * 32


def signed(version: int, head: bytes) -> tuple[int, bytes, bytes]:
    return version, head, HOST.sign(head_text(MATCH, version, head))


def test_a_book_goes_on_after_a_crash_and_knows_what_it_was_told(tmp_path: Path) -> None:
    book = ReceiptBook(tmp_path / "ann", MATCH, HOST.public, 0)
    book.keep("head", *signed(1, HEAD))
    assert book.keep_fact(0, b"\x81\xa1f\xa3tip")
    [path] = (tmp_path / "ann").iterdir()
    path.write_bytes(path.read_bytes() + b"\x93\xa4fact\x01")  # cut off in the middle
    again = ReceiptBook(tmp_path / "ann", MATCH, HOST.public, 0)
    assert again.keep_fact(0, b"\x81\xa1f\xa3tip")
    assert not again.keep_fact(0, b"\x81\xa1f\xa4roll")
    [kept] = map(read, receipt_files(MATCH, tmp_path))
    assert (kept.match, kept.key, kept.seat) == ("m1", HOST.public, 0)
    assert [record[0] for record in kept.records][:2] == ["head", "fact"]


def test_bytes_that_are_no_receipts_are_refused() -> None:
    for data in (b"", b"\xc1", b"hello", b"\x81\xa8receipts\x01"):
        with pytest.raises(BadReceipts):
            read(data)


def test_two_heads_signed_for_one_step_are_proof_against_the_host() -> None:
    ann = Receipts(MATCH, HOST.public, 0, [["head", *signed(5, HEAD)]])
    ben = Receipts(MATCH, HOST.public, 1, [["head", *signed(5, OTHER)]])
    receipts_check.check_each_other([ann])
    with pytest.raises(verify.VerificationFailed, match="two histories"):
        receipts_check.check_each_other([ann, ben])


def test_receipts_that_someone_made_up_are_no_proof() -> None:
    forged = (5, OTHER, FORGER.sign(head_text(MATCH, 5, OTHER)))
    with pytest.raises(NoProof, match="prove nothing"):
        receipts_check.check_each_other([Receipts(MATCH, HOST.public, 1, [["head", *forged]])])


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
            after = person.session.replays.finished_check
            assert after is not None
            assert (after.why.k, after.verdict) == ("fair.after.checked", Verdict.CHECKED), after.why
        kept = [*tmp_path.glob("*/*/*.receipts")]
    [file] = (tmp_path / "replays").iterdir()
    assert len(kept) == 2
    assert check_file(file, kept) == 0
    told = capsys.readouterr().out
    assert "The receipts of seat 0 agree" in told
    assert "The receipts of seat 1 agree" in told


async def test_another_key_at_the_same_address_is_said_plainly_until_it_is_trusted(tmp_path: Path) -> None:
    profile = UserProfile("Ann")
    for place, is_stranger in (("one", False), ("two", True)):
        (tmp_path / place).mkdir()
        async with running(tmp_path / place) as run:
            ann = Person(run, "Ann", tmp_path / "ann", profile)
            await ann.arrived()
            assert ann.session.table_check.is_stranger is is_stranger
            if is_stranger:
                assert ann.session.table_check.verdict is Verdict.WRONG
                assert ann.session.notice == ann.session.texts.say(text("fair.other_host"))
                ann.session.trust_host()
                assert not ann.session.table_check.is_stranger
            await ann.leave()
            profile.tokens.clear()
            ann.file.keep()


class Seated:
    """Program at a live table, in a seat that it may lose; what it has said is acknowledged by hand."""

    def __init__(self, folder: Path) -> None:
        talk = ClientConversation("Ann", None)
        talk.welcome = Welcome("u1", "Ann", "secret", "here", "0.1.0", key=HOST.public)
        self.fair = TableCheck(talk, MemoryChains(), bytes, folder)
        self.folder = folder

    def sit(self, seat: int) -> None:
        view = next(message for message in FROM_SERVER if isinstance(message, TableView))
        self.fair.hear(replace(view, id="m1", seat=seat))

    def acked(self, seat: int) -> Verdict:
        """Acknowledge an act of this seat, and return the verdict on the host then."""
        intent = Intent(bytes([seat]) * 16, PromptId("p"), "focus", {})
        parts = (intent.id, said_digest("focus", {}), -1, 3, HEAD)
        [proof] = sign_receipts([receipt_text(MATCH, seat, *parts)], HOST)
        self.fair.acknowledged(intent, Ack(intent.id, 3, HEAD, proof.signature, -1, proof.place, proof.path))
        return self.fair.verdict

    def expired(self, seat: int, version: int, head: bytes = HEAD) -> Verdict:
        signature = HOST.sign(expired_text(MATCH, seat, 4, version, head))
        self.fair.hear(Expired(TableId("m1"), seat, 4, version, head, signature))
        return self.fair.verdict

    @property
    def kept(self) -> list[list[object]]:
        return [record[:2] for path in sorted(self.folder.iterdir()) for record in read(path.read_bytes()).records]


def test_an_act_that_is_acknowledged_after_its_seat_was_lost_has_its_receipt(tmp_path: Path) -> None:
    ann = Seated(tmp_path)
    ann.sit(0)
    ann.sit(-1)
    assert ann.acked(0) is not Verdict.WRONG
    assert ann.kept == [["ack2", 0]]
    assert ann.acked(1) is Verdict.WRONG
    assert ann.fair.why == text("fair.not_signed")
    assert ann.kept == [["ack2", 0]]


def test_what_is_signed_of_lost_time_is_kept_and_held_against_what_else_was_signed(tmp_path: Path) -> None:
    ann = Seated(tmp_path)
    ann.sit(0)
    assert ann.expired(1, 5) is not Verdict.WRONG
    assert not ann.kept
    assert ann.expired(0, 5) is not Verdict.WRONG
    assert ann.kept == [["expired", 0]]
    assert ann.expired(0, 5, OTHER) is Verdict.WRONG
    assert ann.fair.why.k == "fair.two_heads"


def test_a_false_signature_of_lost_time_is_wrong(tmp_path: Path) -> None:
    ann = Seated(tmp_path)
    ann.sit(0)
    for number in (5, 2**70):
        ann.fair.hear(Expired(TableId("m1"), 0, 4, number, HEAD, FORGER.sign(b"")))
    assert ann.fair.verdict is Verdict.WRONG
    assert not ann.kept
