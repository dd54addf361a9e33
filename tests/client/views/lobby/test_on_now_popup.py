"""Matches that are on, in the lobby: shown with scores and round, kept up to date, watched by a click or a key."""

from __future__ import annotations

from pathlib import Path

import pytest
from arcade import key as keys

from client.net.connection import Down, Up
from client.views.lobby.lobby_screen import LobbyScreen
from client.views.lobby.on_now_popup import REFRESH_SECONDS
from protocol.ids import TableId
from protocol.text import Text
from protocol.wire.from_client import WatchTable
from protocol.wire.from_server import Welcome
from protocol.wire.on_now import GetOnNow, OnNow, OnNowCounter, OnNowRow, OnNowSeat
from protocol.wire.table_lists import Lobby
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.systems.hand import Hand

ROUND = OnNowCounter(Text("Round"), 3, 6)
SEATS = (OnNowSeat("Ann", 4, side=0), OnNowSeat("Ben", 0, side=0), OnNowSeat("Level 2", 7, bot=True, side=1))
QUIET = OnNowRow(TableId("t1"), "Friday", "duel", Text("The mill"), SEATS, (ROUND,), 1, ("Ann",))
BUSY = OnNowRow(TableId("t2"), "Final", "duel", Text("The hill"), SEATS[:2], (), 12)
HELLO = Welcome("me", "Ann", "token", "test", "0.1", seating=True)


@pytest.fixture
def lobby(app: ReadableApp, tmp_path: Path) -> Table:
    table = Table(app, tmp_path, [])
    app.show(LobbyScreen(app, table.session, table.navigator))
    table.say(HELLO, Lobby(()))
    return table


def words(table: Table) -> list[str]:
    table.app.build()
    return [line[0][0] for line in table.app.ui.layers["popup"].letters.lines]


def test_a_match_is_shown_with_seats_scores_round_and_friends(lobby: Table, hand: Hand) -> None:
    hand.click_on("On now")
    assert "Asking the server…" in words(lobby)
    lobby.say(OnNow((QUIET, BUSY)))
    shown = words(lobby)
    assert "Friday: The mill" in shown
    assert "friends here: Ann · Round 3/6 · 1 watching" in shown
    assert "Ann 4, Ben 0 v Bot: Level 2 7" in shown


def test_it_is_kept_up_to_date_while_it_is_open(lobby: Table, hand: Hand) -> None:
    hand.click_on("On now")
    lobby.settle()
    assert lobby.said.count(GetOnNow()) == 1
    lobby.time += REFRESH_SECONDS + 1
    lobby.settle()
    assert lobby.said.count(GetOnNow()) == 2
    hand.press(keys.ESCAPE)
    lobby.time += REFRESH_SECONDS + 1
    lobby.settle()
    assert lobby.said.count(GetOnNow()) == 2


def test_it_asks_nothing_while_the_link_is_lost_and_at_once_afterwards(lobby: Table, hand: Hand) -> None:
    hand.click_on("On now")
    lobby.settle()
    lobby.said.clear()
    lobby.wire.waiting.append(Down("gone", 1006))
    for _ in range(60):
        lobby.time += REFRESH_SECONDS + 1
        lobby.settle()
    lobby.wire.waiting.append(Up())
    lobby.settle()
    assert GetOnNow() not in lobby.said
    lobby.say(HELLO)
    lobby.settle()
    assert lobby.said.count(GetOnNow()) == 1


def test_a_friends_match_is_watched_by_its_number_and_the_busiest_by_a_click(lobby: Table, hand: Hand) -> None:
    hand.click_on("On now")
    lobby.say(OnNow((QUIET, BUSY)))
    hand.press(keys.KEY_1)
    assert lobby.last(WatchTable) == WatchTable(table=TableId("t1"))
    hand.click_on("On now")
    lobby.say(OnNow((QUIET, BUSY)))
    hand.click_on("Watch the busiest")
    assert lobby.last(WatchTable) == WatchTable(table=TableId("t2"))


def test_nothing_on_is_told_so(lobby: Table, hand: Hand) -> None:
    hand.click_on("On now")
    lobby.say(OnNow())
    assert "No match is on that you could watch." in words(lobby)
    assert "Watch the busiest" not in lobby.app.enabled()
