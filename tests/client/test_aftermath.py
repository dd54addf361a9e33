"""After the match the program fetches the replay by itself, checks it, and can save what it has fetched."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from client.fairness import Verdict
from client.session import Session
from protocol.from_client import GetReplay
from protocol.from_server import FilePart, Problem, TableView
from protocol.text import text
from tests.faults.test_forgeries import honest as match
from tests.support.sealing import sealed
from tests.support.sessions import Table


def over(table: Table) -> Session:
    """The host says that the match is over."""
    session = table.session
    session.beside = lambda work: work()
    view = session.conversation.table
    assert isinstance(view, TableView)
    table.say(replace(view, state="finished", replay=True))
    return session


def parts(data: bytes) -> list[FilePart]:
    half = len(data) // 2
    return [FilePart("t1.replay", 0, 2, data[:half]), FilePart("t1.replay", 1, 2, data[half:])]


def test_the_replay_is_fetched_by_itself_checked_and_saved_without_fetching_it_again(
    table: Table, tmp_path: Path
) -> None:
    session = over(table)
    assert isinstance(table.last(GetReplay), GetReplay)
    one, other = parts(sealed(match()))
    table.say(one)
    assert session.aftermath is not None
    assert session.aftermath.why == text("fair.after.loading", percent=50)
    session.fetch_replay("t1", tmp_path / "kept")
    table.say(other)
    # the fixture's host has said no key: that of the file is taken
    assert session.aftermath.verdict is Verdict.CHECKED
    assert session.saved_replay is not None and session.saved_replay.read_bytes() == sealed(match())
    asked = [message for message in table.said if isinstance(message, GetReplay)]
    assert len(asked) == 1
    session.fetch_replay("t1", tmp_path / "again")
    assert session.saved_replay.parent == tmp_path / "again"


def test_a_host_that_keeps_the_replay_leaves_the_match_unproven(table: Table) -> None:
    session = over(table)
    assert session.aftermath is not None
    table.say(Problem("replay/unreadable", text("replay.damaged")))
    assert session.aftermath.why.k == "fair.after.none" and session.aftermath.verdict is Verdict.UNPROVEN


def test_a_damaged_replay_is_wrong_in_plain_words(table: Table) -> None:
    session = over(table)
    damaged = bytearray(sealed(match()))
    damaged[200] ^= 1
    table.say(*parts(bytes(damaged)))
    assert session.aftermath is not None and session.aftermath.verdict is Verdict.WRONG
    assert "has been changed" in session.texts.say(session.aftermath.why)
