"""After the match the program fetches the replay by itself, checks it, and can save what it has fetched."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import msgpack
import pytest
from msgspec.structs import replace

from client.fairness import verify
from client.fairness.dice_round_check import Verdict
from client.fairness.finished_match_check import verdict_on
from client.fairness.receipts import Receipts
from client.fairness.replay_check import ReplayCase, check_replay
from client.fairness.verify import MAGIC, VERSIONS, joined
from client.model.session import ClientSession
from protocol.ids import MatchId, TableId
from protocol.limits import CHECKING
from protocol.text import text
from protocol.wire.from_client import GetReplay
from protocol.wire.from_server import FilePart, Problem, TableView
from tests.faults.dice.test_forgeries import honest as match
from tests.support.clients.sessions import Table
from tests.support.fairness.sealing import packed, replay_of, sealed
from tests.support.fairness.signing import HOST
from tests.support.faults.hostile.forger import first

pytestmark = pytest.mark.waits


def digest(data: bytes) -> bytes:
    return sha256(data).digest()


def file_of(receipts: Receipts) -> bytes:
    head = {"receipts": 1, "match": receipts.match, "key": receipts.key, "seat": receipts.seat}
    return b"".join(map(msgpack.packb, (head, *receipts.records)))


def over(table: Table, beside: Callable[[Callable[[], None]], None] = lambda work: work()) -> ClientSession:
    """Tell the window that the match is over; `beside` runs the check."""
    session = table.session
    session.replays.beside = beside  # type: ignore[assignment]  # declared by its first value
    view = session.conversation.table
    assert isinstance(view, TableView)
    table.say(replace(view, state="finished", replay=True))
    return session


def parts(data: bytes) -> list[FilePart]:
    half = len(data) // 2
    return [FilePart("t1.replay", 0, 2, data[:half]), FilePart("t1.replay", 1, 2, data[half:])]


def test_the_replay_is_saved_while_it_is_still_checked(table: Table, tmp_path: Path) -> None:
    session = over(table, beside=lambda _: None)
    table.say(*parts(b"a replay"))
    session.replays.fetch(TableId("t1"), tmp_path / "kept")
    assert (tmp_path / "kept" / "t1.replay").read_bytes() == b"a replay"


def test_the_replay_is_fetched_by_itself_checked_and_saved_without_fetching_it_again(
    table: Table, tmp_path: Path
) -> None:
    session = over(table)
    assert isinstance(table.last(GetReplay), GetReplay)
    one, other = parts(sealed(match()))
    table.say(one)
    assert session.replays.finished_check is not None
    assert session.replays.finished_check.why == text("fair.after.loading", percent=50)
    session.replays.fetch(TableId("t1"), tmp_path / "kept")
    table.say(other)
    # the fixture's host has said no key: that of the file is taken
    assert session.replays.finished_check.verdict is Verdict.CHECKED
    assert session.replays.saved is not None
    assert session.replays.saved.read_bytes() == sealed(match())
    asked = [message for message in table.said if isinstance(message, GetReplay)]
    assert len(asked) == 1
    session.replays.fetch(TableId("t1"), tmp_path / "again")
    assert session.replays.saved.parent == tmp_path / "again"


def test_a_host_that_keeps_the_replay_leaves_the_match_unproven(table: Table) -> None:
    after = over(table).replays.finished_check
    assert after is not None
    table.say(Problem("replay/unreadable", text("replay.damaged")))
    assert after.why.k == "fair.after.none"
    assert after.verdict is Verdict.UNPROVEN


def test_a_damaged_replay_is_wrong_in_plain_words(table: Table) -> None:
    session = over(table)
    damaged = bytearray(sealed(match()))
    damaged[200] ^= 1
    table.say(*parts(bytes(damaged)))
    assert session.replays.finished_check is not None
    assert session.replays.finished_check.verdict is Verdict.WRONG
    assert "has been changed" in session.texts.say(session.replays.finished_check.why)


def test_a_record_that_the_checker_cannot_read_is_wrong_and_not_checked_for_ever() -> None:
    """A part that a host leaves out of its file, and signs, must not end the check without a word."""
    body = MAGIC + VERSIONS[1] + b"hoax" + bytes(4)
    body += b"sign" + (96).to_bytes(4) + HOST.public + HOST.sign(joined(b"eschaton/sign-v1/replay", digest(body)))
    finding = check_replay(ReplayCase(body + b"hash" + (32).to_bytes(4) + digest(body), HOST.public, [], []))
    assert finding.kind == "wrong"
    assert "not in the form" in finding.said[0]


def test_facts_that_a_record_lacks_and_receipts_that_no_host_gives_are_wrong() -> None:
    honest = match()
    log = [msgpack.unpackb(step, strict_map_key=False) for step in honest.log]
    del first(log, "core.dice")["seat"]
    lacking = sealed(replay_of(honest.header, honest.secret, [packed(step) for step in log], honest.streams))
    kept = Receipts(MatchId("m1"), HOST.public, -1, [["fact", 0, {}]])
    finding = check_replay(ReplayCase(lacking, HOST.public, [], [file_of(kept)]))
    assert finding.kind == "wrong"
    assert "not in the form" in finding.said[0]
    data = sealed(honest)
    assert verify.check(data, HOST.public)
    no_receipts = file_of(kept._replace(records=[["head", -1, b"", b""]]))
    for case in (ReplayCase(data, HOST.public, [], [no_receipts]), ReplayCase(data, HOST.public, [no_receipts], [])):
        finding = check_replay(case)
        assert finding.kind == "receipts"
        assert "prove nothing" in finding.said[0]
        assert finding.place == len(case.named) - 1
        assert verdict_on(finding, CHECKING) == (Verdict.UNPROVEN, text("fair.after.receipts"))
