"""Replays that were asked for before the person went elsewhere: saved, and shown over nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from client.app import link_visit
from client.views.board.replay_screen import ReplayScreen
from client.views.lobby.lobby_screen import LobbyScreen
from client.views.result_screen import ResultScreen
from client.views.table.table_screen import TableScreen
from protocol.fairness.replay import write
from protocol.ids import TableId
from protocol.text import Text
from protocol.wire.from_client import GetReplay
from protocol.wire.from_server import FilePart, Systems, Welcome
from protocol.wire.links import LinkedReplay
from protocol.wire.seating import Rematch
from protocol.wire.table_lists import Lobby, TableRow
from tests.support.clients.sessions import Table, at_table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import replays, scenes
from tests.support.fairness.signing import HOST
from tests.support.systems.hand import Hand

pytestmark = pytest.mark.waits

FIRST, SECOND = "ABCDEFGHJK", "KJHGFEDCBA"
FILE = FilePart("friday.replay", 0, 1, write(replays.replay(), HOST))
NEXT = TableId("t9")
OVER = TableRow(TableId("t1"), "Done", "action_cards", Text("mill"), "finished", 6, 6, mine=True)
WELCOME = Welcome("me", "Bertram", "token", "test", "0.1", links=True, seating=True)


@pytest.fixture
def reading(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], None]]:
    """Work that was to be done beside the window; the test does it."""
    waiting: list[Callable[[], None]] = []
    monkeypatch.setattr(link_visit, "in_thread", waiting.append)
    return waiting


@pytest.fixture
def result(app: ReadableApp, tmp_path: Path, reading: list[Callable[[], None]]) -> Table:
    """Result of a match whose replay the server has."""
    table = at_table(app, tmp_path, finished=True)
    table.navigator.replay_folder = lambda: tmp_path / "replays"  # type: ignore[method-assign]  # not the user's own
    table.say(WELCOME, replace(scenes.table_view(1), state="finished", replay=True))
    assert isinstance(app.front, ResultScreen)
    return table


@pytest.fixture
def lobby(app: ReadableApp, tmp_path: Path, reading: list[Callable[[], None]]) -> Table:
    table = Table(app, tmp_path, [])
    table.navigator.replay_folder = lambda: tmp_path / "replays"  # type: ignore[method-assign]  # not the user's own
    app.show(LobbyScreen(app, table.session, table.navigator))
    table.say(WELCOME, Systems(()), Lobby((OVER,)))
    return table


def come(table: Table, reading: list[Callable[[], None]]) -> None:
    """Let the file come, and be read."""
    table.say(FILE)
    table.settle()
    while reading:
        reading.pop(0)()
    table.settle()


def begin_next(table: Table) -> None:
    """Let the person sit at the next table, whose match is on."""
    table.say(replace(scenes.table_view(1), id=NEXT))


def test_it_is_shown_where_the_person_has_stayed(result: Table, hand: Hand, reading: list[Callable[[], None]]) -> None:
    hand.click_on("Watch replay")
    come(result, reading)
    assert isinstance(result.app.front, ReplayScreen)


@pytest.mark.parametrize("is_read_late", [False, True], ids=["comes late", "is read late"])
def test_it_does_not_take_the_window_from_the_match_that_is_played_again(
    result: Table, hand: Hand, reading: list[Callable[[], None]], tmp_path: Path, *, is_read_late: bool
) -> None:
    hand.click_on("Watch replay")
    if is_read_late:
        result.say(FILE)
        assert reading
    hand.click_on("Play again")
    assert isinstance(result.last(Rematch), Rematch)
    begin_next(result)
    come(result, reading)
    assert isinstance(result.app.front, TableScreen)
    assert (tmp_path / "replays" / "friday.replay").exists()
    assert "friday.replay" in result.session.notice


def test_it_does_not_take_the_window_from_the_table_that_the_person_goes_back_to(
    app: ReadableApp, hand: Hand, tmp_path: Path, reading: list[Callable[[], None]]
) -> None:
    table = at_table(app, tmp_path)
    table.navigator.replay_folder = lambda: tmp_path / "replays"  # type: ignore[method-assign]  # not the user's own
    table.navigator.to_lobby()
    table.say(Lobby((replace(OVER, mine=False),)))
    hand.click_on("Watch replay of Done")
    hand.click_on("Back to the table")
    come(table, reading)
    assert isinstance(table.app.front, TableScreen)


def test_it_does_not_take_the_window_from_a_match_that_a_search_has_found(
    lobby: Table, hand: Hand, reading: list[Callable[[], None]]
) -> None:
    hand.click_on("Watch replay of Done")
    begin_next(lobby)
    come(lobby, reading)
    assert isinstance(lobby.app.front, TableScreen)


def test_a_code_that_leads_to_a_replay_after_the_person_has_left_fetches_nothing(lobby: Table) -> None:
    lobby.navigator.links.follow(FIRST)
    lobby.navigator.join(table=NEXT)
    lobby.say(LinkedReplay(TableId("t1")))
    lobby.settle()
    assert not [message for message in lobby.said if isinstance(message, GetReplay)]


def test_of_two_the_one_that_was_asked_for_last_is_shown(lobby: Table, reading: list[Callable[[], None]]) -> None:
    lobby.navigator.links.watch(TableId("t1"), FIRST)
    lobby.say(FILE)
    lobby.navigator.links.watch(TableId("t2"), SECOND)
    lobby.say(replace(FILE, name="second.replay"))
    assert len(reading) == 2
    for read in reversed(reading):
        read()
    lobby.settle()
    front = lobby.app.front
    assert isinstance(front, ReplayScreen)
    assert front.linked is not None
    assert front.linked.link is not None
    link = front.linked.link(0)
    assert link is not None
    assert link.code == SECOND
    lobby.settle()
    assert lobby.app.front is front


def test_a_replay_that_is_read_after_the_server_was_left_is_not_shown(
    lobby: Table, reading: list[Callable[[], None]]
) -> None:
    lobby.navigator.links.watch(TableId("t1"))
    lobby.say(FILE)
    session = lobby.session
    lobby.navigator.disconnect()
    lobby.navigator.session = session
    reading.pop()()
    lobby.settle()
    assert not isinstance(lobby.app.front, ReplayScreen)
