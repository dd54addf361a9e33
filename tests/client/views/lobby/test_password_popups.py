"""The password of a table in the window, by mouse and by keys: set by its owner, and said by whoever comes."""

from __future__ import annotations

from pathlib import Path

import pytest
from arcade import key as keys
from msgspec.structs import replace

from client.views.lobby.lobby_screen import LobbyScreen
from protocol.ids import TableId
from protocol.text import Text
from protocol.wire.from_client import ChangeTable, JoinTable, WatchTable
from protocol.wire.from_server import Problem, Welcome
from protocol.wire.table_lists import Lobby, TableRow
from tests.support.clients.sessions import Table, show_setup
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import scenes
from tests.support.systems.hand import Hand

OPEN = TableRow(TableId("t5"), "Friday", "action_cards", Text("The mill"), "open", 4, 1, guarded=True)
LIVE = replace(OPEN, id=TableId("t6"), name="Sunday", state="live")
ASKED, WRONG = (Problem(f"table/{code}", Text("no")) for code in ("password", "wrong-password"))
FIELD, NEW = "Password of the table", "A password for those who come"


@pytest.fixture
def lobby(app: ReadableApp, tmp_path: Path) -> Table:
    table = Table(app, tmp_path, [])
    app.show(LobbyScreen(app, table.session, table.navigator))
    table.say(Welcome("me", "Ann", "token", "test", "0.1"), Lobby((OPEN, LIVE)))
    return table


def test_a_table_that_asks_for_its_password_is_joined_by_mouse(lobby: Table, hand: Hand) -> None:
    assert FIELD not in lobby.app.labels()
    hand.click_on("Join Friday")
    assert lobby.last(JoinTable) == JoinTable(table=OPEN.id)
    lobby.say(ASKED)
    assert "Come in" not in lobby.app.enabled()
    hand.click_on(FIELD)
    hand.type("hare")
    hand.click_on("Come in")
    assert lobby.last(JoinTable) == JoinTable(table=OPEN.id, password="hare")
    assert FIELD not in lobby.app.labels()
    lobby.say(WRONG)
    hand.click_on(FIELD)
    hand.type("hares")
    hand.click_on("Come in")
    assert lobby.last(JoinTable) == JoinTable(table=OPEN.id, password="hares"), "nothing of the wrong one is left"
    lobby.say(scenes.table_view(1, "open"))
    assert FIELD not in lobby.app.labels()


def test_a_match_is_watched_by_its_password_by_keys(lobby: Table, hand: Hand) -> None:
    hand.tab_to("Watch Sunday")
    hand.press(keys.ENTER)
    lobby.say(ASKED)
    hand.tab_to(FIELD)
    hand.type("hare")
    hand.press(keys.ENTER)
    assert lobby.last(WatchTable) == WatchTable(table=LIVE.id, password="hare")
    assert FIELD not in lobby.app.labels()
    lobby.say(WRONG)
    # keys rest for a while after the field has gone
    lobby.app.step(lobby.app.key_dispatch.pause)
    hand.press(keys.ESCAPE)
    assert FIELD not in lobby.app.labels()


def test_one_who_may_not_come_back_says_the_password(lobby: Table, hand: Hand) -> None:
    lobby.navigator.open_table(OPEN.id)
    lobby.say(ASKED)
    hand.click_on(FIELD)
    hand.type("hare")
    hand.press(keys.ENTER)
    assert lobby.last(WatchTable) == WatchTable(table=OPEN.id, password="hare")


def test_one_who_sits_at_another_table_is_asked_in_the_lobby_and_goes_back_to_their_table(
    lobby: Table, hand: Hand
) -> None:
    lobby.say(scenes.table_view(1, "open"))
    assert not isinstance(lobby.app.front, LobbyScreen)
    lobby.navigator.watch(table=LIVE.id)
    lobby.say(ASKED)
    hand.click_on("Back")
    lobby.say(scenes.table_view(1, "open"))
    assert not isinstance(lobby.app.front, LobbyScreen)


def test_a_refusal_of_something_else_opens_no_door(lobby: Table) -> None:
    lobby.say(ASKED)
    assert FIELD not in lobby.app.labels(), "nobody has gone anywhere"
    lobby.navigator.join(code="ABCDEFGH")
    lobby.say(Problem("table/full", Text("no")), ASKED)
    assert FIELD not in lobby.app.labels(), "who has a code needs none"


def test_the_owner_sets_and_takes_a_password_away_by_mouse(setup: Table, hand: Hand) -> None:
    hand.click_on("Password")
    assert not {"Set it", "No password"} & {*setup.app.enabled()}
    hand.click_on(NEW)
    hand.type("hare")
    hand.click_on("Set it")
    assert setup.last(ChangeTable) == ChangeTable(password="hare")
    show_setup(setup, guarded=True)
    hand.click_on("Password")
    hand.click_on("No password")
    assert setup.last(ChangeTable) == ChangeTable(password="")


def test_the_owner_sets_a_password_by_keys_and_others_do_not(setup: Table, hand: Hand) -> None:
    hand.tab_to("Password")
    hand.press(keys.ENTER)
    hand.tab_to(NEW)
    hand.press(keys.ENTER)
    assert not [message for message in setup.said if isinstance(message, ChangeTable)], "no password is none"
    hand.type("hare")
    hand.press(keys.ENTER)
    assert setup.last(ChangeTable) == ChangeTable(password="hare")
    show_setup(setup, owner="somebody")
    assert "Password" not in setup.app.enabled()
