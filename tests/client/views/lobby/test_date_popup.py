"""The date of a table: set by mouse and by keys in the time of the place, told in the lobby and in notices."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from arcade import key as keys
from msgspec.structs import replace

from client.text.days import time_of
from client.views.lobby.lobby_screen import LobbyScreen
from client.views.lobby.setup_screen import SetupScreen
from protocol.ids import TableId
from protocol.text import Text
from protocol.wire.dates import DateTold
from protocol.wire.from_client import ChangeTable, OpenTable, WatchTable
from protocol.wire.from_server import TableView, Welcome
from protocol.wire.table_lists import Lobby, TableRow
from tests.support.clients.sessions import Table, at_table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import scenes
from tests.support.systems.hand import Hand

NOW = datetime(2026, 11, 24, 18, 30)
EVENING = round(datetime(2026, 11, 25, 20).timestamp())


def before_the_start(begins: int = 0, owner: str = "me") -> TableView:
    view = scenes.table_view(1, "open")
    seats = tuple(
        replace(s, who="me" if s.seat == 1 else "ben", name=f"P{s.seat}", connected=False) for s in view.seats
    )
    return replace(view, owner=owner, begins=begins, seats=seats)


@pytest.fixture
def table(app: ReadableApp, tmp_path: Path) -> Table:
    table = at_table(app, tmp_path)
    table.say(Welcome("me", "Ann", "token", "test", "0.1", seating=True), before_the_start())
    table.session.conversation.you = "me"
    front = app.front
    assert isinstance(front, SetupScreen)
    front.date._now = lambda: NOW
    return table


def test_tomorrow_evening_is_proposed_and_moved_by_clicks(table: Table, hand: Hand) -> None:
    hand.click_on("Date")
    hand.click_on("A day later")
    hand.click_on("An hour earlier")
    hand.click_on("15 minutes later")
    hand.click_on("Set this date")
    assert table.last(ChangeTable) == ChangeTable(begins=EVENING + 23 * 3600 + 900)


def test_a_date_is_set_and_taken_away_by_keys(table: Table, hand: Hand) -> None:
    hand.tab_to("Date")
    hand.press(keys.ENTER)
    hand.press(keys.KEY_2)
    hand.tab_to("Set this date")
    hand.press(keys.ENTER)
    assert table.last(ChangeTable) == ChangeTable(begins=EVENING + 7 * 24 * 3600)
    table.say(before_the_start(EVENING))
    hand.click_on("Date")
    hand.tab_to("No date")
    hand.press(keys.ENTER)
    assert table.last(ChangeTable) == ChangeTable(begins=0)


def test_a_time_that_is_past_cannot_be_set(table: Table, hand: Hand) -> None:
    hand.click_on("Date")
    hand.click_on("A day earlier")
    assert "Set this date" in table.app.enabled()
    hand.click_on("An hour earlier")
    hand.click_on("An hour earlier")
    assert "Set this date" not in table.app.enabled()
    hand.press(keys.ESCAPE)
    assert "No date" not in table.app.labels()


def test_others_see_the_date_in_their_time_and_take_their_promise_back(table: Table) -> None:
    table.say(before_the_start(EVENING, owner="ben"))
    assert "Date" not in table.app.enabled()
    assert "Withdraw" in table.app.enabled()
    assert time_of(EVENING) == "25 Nov 2026, 20:00"


def test_the_lobby_tells_when_a_table_begins(app: ReadableApp, tmp_path: Path) -> None:
    table = Table(app, tmp_path, [])
    app.show(LobbyScreen(app, table.session, table.navigator))
    row = TableRow(TableId("t2"), "Friday", "duel", Text("The mill"), "open", 4, 1, mine=True, begins=EVENING)
    table.say(Welcome("me", "Ann", "token", "test", "0.1"), Lobby((row,)))
    app.build()
    words = [line[0][0] for line in app.ui.layers["panels"].letters.lines]
    assert any("begins 25 Nov 2026, 20:00" in line for line in words)


def test_a_date_that_is_told_leads_to_its_table(table: Table, hand: Hand) -> None:
    soon = DateTold(TableId("t9"), "Friday", EVENING)
    table.say(soon)
    assert "Friday begins on 25 Nov 2026, 20:00, your time." in table.app.labels()
    hand.press(keys.J, keys.MOD_CTRL | keys.MOD_SHIFT)
    table.say(replace(soon, opened=True))
    hand.click_on("Go there")
    assert table.last(OpenTable) == OpenTable(table=TableId("t9"))
    table.say(replace(soon, freed=True))
    hand.press(keys.J, keys.MOD_CTRL)
    assert table.last(WatchTable) == WatchTable(table=TableId("t9"))
