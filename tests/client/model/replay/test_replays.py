"""Replays on their way from a server: links that break, refusals of other requests, and one file after another."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from client.fairness.dice_round_check import Verdict
from client.fairness.finished_match_check import FinishedMatchCheck
from client.model.replay.replays import MOST_DOUBTS, PAUSE, Replays
from protocol.ids import TableId
from protocol.text import text
from protocol.wire.from_client import GetReplay
from protocol.wire.from_server import FilePart, Problem, TableView, Welcome
from tests.support.clients.sessions import Table

OURS, OTHER = TableId("t1"), TableId("t2")
WELCOME = Welcome("u1", "Bertram", "secret-token", "test server", "0.1.0")


def part(number: int, parts: int = 2, name: str = "t1") -> FilePart:
    return FilePart(f"{name}.replay", number, parts, f"{name}.{number} ".encode())


def refusal(code: str) -> Problem:
    return Problem(code, text("replay.damaged"))


def asked(table: Table) -> list[TableId]:
    """Return the tables whose replays were asked for since the last look."""
    table.settle()
    found = [message.table for message in table.said if isinstance(message, GetReplay)]
    table.said.clear()
    return found


def comes_back(table: Table) -> None:
    table.break_and_mend()
    table.say(WELCOME)


def waits(table: Table) -> None:
    """Let the time pass after which a replay is asked for again."""
    table.time += PAUSE + 0.1
    table.settle()


@pytest.fixture
def replays(table: Table) -> Replays:
    """Replays of one who has seen a match end: its replay has been asked for."""
    found = table.session.replays
    found.beside = lambda work: None
    view = table.session.conversation.table
    assert isinstance(view, TableView)
    table.say(replace(view, state="finished", replay=True))
    assert asked(table) == [OURS]
    return found


def check_of(replays: Replays) -> FinishedMatchCheck:
    assert replays.finished_check is not None
    return replays.finished_check


def test_a_record_that_a_broken_link_cut_off_comes_anew(table: Table, replays: Replays) -> None:
    table.say(part(0))
    comes_back(table)
    assert check_of(replays).why == text("fair.after.loading", percent=0)
    assert asked(table) == [OURS]
    table.say(part(0), part(1))
    assert check_of(replays).data == b"t1.0 t1.1 "


def test_who_waits_for_the_record_gets_it_over_the_next_link(table: Table, replays: Replays, tmp_path: Path) -> None:
    table.say(part(0))
    replays.fetch(OURS, tmp_path)
    comes_back(table)
    table.say(part(0), part(1))
    assert replays.saved is not None
    assert replays.saved.read_bytes() == b"t1.0 t1.1 "
    assert not replays.is_fetching


def test_a_download_that_a_broken_link_cut_off_comes_anew(table: Table, tmp_path: Path) -> None:
    replays = table.session.replays
    replays.fetch(OTHER, tmp_path)
    table.say(part(0, name="t2"))
    comes_back(table)
    assert asked(table) == [OTHER, OTHER]
    table.say(part(0, name="t2"), part(1, name="t2"))
    assert replays.saved is not None
    assert replays.saved.read_bytes() == b"t2.0 t2.1 "


def test_a_replay_that_is_wanted_without_a_link_is_asked_for_once(table: Table, tmp_path: Path) -> None:
    table.session.link.close()
    table.session.replays.link_lost()
    table.session.replays.fetch(OTHER, tmp_path)
    comes_back(table)
    assert asked(table) == [OTHER]


def test_files_come_one_after_another(table: Table, replays: Replays, tmp_path: Path) -> None:
    table.say(part(0))
    replays.fetch(OTHER, tmp_path)
    assert asked(table) == []
    table.say(part(1))
    assert check_of(replays).data == b"t1.0 t1.1 "
    assert asked(table) == [OTHER]
    table.say(part(0, 1, "t2"))
    assert replays.saved is not None
    assert replays.saved.read_bytes() == b"t2.0 "


@pytest.mark.parametrize("code", ["replay/busy", "busy", "store/unavailable", "table/unknown"])
def test_a_refusal_of_something_else_does_not_end_the_check(table: Table, replays: Replays, code: str) -> None:
    table.say(refusal(code))
    assert not check_of(replays).is_done
    table.say(part(0), refusal("replay/busy"), refusal("replay/none"), part(1))
    waits(table)
    assert asked(table) == []
    assert check_of(replays).data == b"t1.0 t1.1 "


def test_another_tables_replay_that_is_no_longer_kept_does_not_end_the_check(table: Table, replays: Replays) -> None:
    view = table.session.conversation.table
    assert view is not None
    table.say(replace(view, id=OTHER, state="finished"), refusal("replay/dropped"))
    assert not check_of(replays).is_done
    waits(table)
    assert asked(table) == [OURS]


@pytest.mark.parametrize("code", ["replay/none", "replay/dropped", "replay/unreadable", "bound/replays-person"])
def test_a_refusal_of_the_record_ends_the_check(table: Table, replays: Replays, code: str) -> None:
    table.say(refusal(code))
    assert check_of(replays).why == text("fair.after.none")


def test_a_record_that_may_have_been_refused_is_asked_for_again(table: Table, replays: Replays) -> None:
    table.say(refusal("busy"))
    assert asked(table) == []
    waits(table)
    assert asked(table) == [OURS]
    table.say(part(0), part(1))
    assert check_of(replays).data


@pytest.mark.parametrize("is_wished", [True, False])
def test_a_check_does_not_wait_for_ever(table: Table, replays: Replays, tmp_path: Path, *, is_wished: bool) -> None:
    if is_wished:
        replays.fetch(OURS, tmp_path)
    for _ in range(MOST_DOUBTS):
        table.say(refusal("store/unavailable"))
        table.session.notice = ""
        waits(table)
    assert check_of(replays).verdict is Verdict.UNPROVEN
    assert check_of(replays).why == text("fair.after.none")
    assert asked(table) == [OURS] * (MOST_DOUBTS - 1)
    assert not replays.is_fetching
    assert table.session.notice == ("The server does not send the replay." if is_wished else "")


def test_a_file_that_the_server_says_to_send_is_waited_for(table: Table, replays: Replays) -> None:
    for _ in range(2 * MOST_DOUBTS):
        table.say(refusal("replay/busy"))
        waits(table)
    assert not check_of(replays).is_done


def test_a_download_that_may_have_been_refused_is_asked_for_again_and_then_told(
    table: Table, replays: Replays, tmp_path: Path
) -> None:
    table.say(part(0), part(1))
    replays.fetch(OTHER, tmp_path)
    for _ in range(MOST_DOUBTS):
        table.say(refusal("busy"))
        assert replays.is_fetching
        waits(table)
    assert asked(table) == [OTHER] * MOST_DOUBTS
    assert not replays.is_fetching
    assert table.session.notice == "The server does not send the replay."


def test_a_file_that_ends_without_being_whole_is_told(table: Table, replays: Replays, tmp_path: Path) -> None:
    table.say(part(1))
    assert check_of(replays).why == text("fair.after.none")
    replays.fetch(OTHER, tmp_path)
    table.say(part(0, 3, "t2"), part(2, 3, "t2"))
    assert not replays.is_fetching
    assert table.session.notice == "The server does not send the replay."
