"""The search of tables in the lobby, by mouse and keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from arcade import key as keys

from client.views.lobby.lobby_screen import LobbyScreen
from protocol.ids import TableId
from protocol.text import Text
from protocol.wire.choices import SystemChoice
from protocol.wire.from_client import FindTables, ListTables, OpenTable
from protocol.wire.from_server import Left, Systems, Welcome
from protocol.wire.table_lists import Counts, Found, FoundChange, Lobby, MyGames, TableRow
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.systems.hand import Hand

SYSTEMS = Systems(tuple(SystemChoice(id, Text(name), (), ()) for id, name in (("duel", "Duel"), ("hill", "The Hill"))))


def row(id: str, name: str, state: str = "open", *, mine: bool = False, turn: bool = False) -> TableRow:
    taken = 1 if state == "open" else 2
    return TableRow(TableId(id), name, "duel", Text("The bridge"), state, 2, taken, mine=mine, turn=turn, when=7)


@pytest.fixture
def lobby(app: ReadableApp, tmp_path: Path) -> Table:
    table = Table(app, tmp_path, [])
    app.show(LobbyScreen(app, table.session, table.navigator))
    table.say(Welcome("me", "Ann", "token", "test", "0.1", finds=True), SYSTEMS, Lobby(()))
    return table


def test_the_window_looks_for_tables_and_shows_them_as_they_change(lobby: Table) -> None:
    assert lobby.last(FindTables) == FindTables()
    lobby.say(Found((row("t1", "Mill"), row("t2", "Moon")), Counts(open=2)))
    labels = lobby.app.labels()
    assert labels["Join Mill"][1] > labels["Join Moon"][1]
    lobby.say(FoundChange(Counts(live=1, open=1), (row("t2", "Moon", "live"),)))
    assert "Join Moon" not in lobby.app.labels()
    assert "Watch Moon" in lobby.app.labels()
    lobby.say(FoundChange(Counts(live=1), gone=(TableId("t1"),)))
    assert "Join Mill" not in lobby.app.labels()


def test_my_games_come_first_and_stand_there_once(lobby: Table) -> None:
    mine = row("t2", "Moon", "live", mine=True, turn=True)
    lobby.say(MyGames((mine,)), Found((row("t2", "Moon", "live"), row("t1", "Mill")), Counts(1, 1)))
    labels = lobby.app.labels()
    assert labels["Open Moon"][1] > labels["Join Mill"][1]
    assert "Watch Moon" not in labels


def test_filters_by_mouse(lobby: Table, hand: Hand) -> None:
    hand.click_on("Game filter")
    assert lobby.last(FindTables) == FindTables(system="duel")
    hand.click_on("Game filter")
    hand.click_on("Clock filter")
    hand.click_on("Clock filter")
    assert lobby.last(FindTables) == FindTables(system="hill", mail=False)
    lobby.say(Found((), Counts()))
    assert "Join Mill" not in lobby.app.labels()
    hand.click_on("All tables")
    assert lobby.last(FindTables) == FindTables()
    for _ in range(6):
        hand.click_on("Seats filter")
    assert lobby.last(FindTables) == FindTables()
    assert "All tables" not in lobby.app.enabled()


def test_words_and_pages_by_keys(lobby: Table, hand: Hand) -> None:
    hand.click_on("Name of a table or of a player")
    hand.type("moon ann")
    hand.press(keys.ENTER)
    assert lobby.last(FindTables) == FindTables(words="moon ann")
    lobby.say(Found(tuple(row(f"t{n}", f"Moon {n}") for n in range(50)), Counts(open=120)))
    hand.click_on("More tables")
    assert lobby.last(FindTables) == FindTables(words="moon ann", first=50)
    lobby.say(Found((row("t1", "Moon"),), Counts(open=51), 50))
    assert "More tables" not in lobby.app.enabled()
    hand.click_on("Earlier tables")
    assert lobby.last(FindTables) == FindTables(words="moon ann")


@pytest.mark.parametrize(("left", "asked"), [(120, 100), (50, 0), (0, 0)])
def test_a_page_beyond_the_last_table_gives_way_to_the_last_page(
    lobby: Table, hand: Hand, left: int, asked: int
) -> None:
    fifty = tuple(row(f"t{n}", f"Moon {n}") for n in range(50))
    for first in (0, 50, 100):
        lobby.say(Found(fifty, Counts(open=151), first))
        hand.click_on("More tables")
    lobby.say(Found((row("t200", "Last"),), Counts(open=151), 150))
    lobby.settle()
    lobby.said.clear()
    lobby.say(FoundChange(Counts(open=left), gone=(TableId("t200"),)))
    lobby.settle()
    assert [one for one in lobby.said if isinstance(one, FindTables)] == [FindTables(first=asked)]
    lobby.said.clear()
    lobby.say(Found((), Counts(open=999), asked))
    lobby.settle()
    assert not [one for one in lobby.said if isinstance(one, FindTables)], "a server that miscounts is asked no more"


def test_every_finished_table_leads_to_its_result(lobby: Table, hand: Hand) -> None:
    lobby.say(Found((row("t3", "Done", "finished"),), Counts(finished=1)))
    hand.click_on("Result of Done")
    assert lobby.last(OpenTable) == OpenTable(TableId("t3"))


def test_a_server_that_finds_no_tables_shows_its_list_without_filters(app: ReadableApp, tmp_path: Path) -> None:
    table = Table(app, tmp_path, [])
    app.show(LobbyScreen(app, table.session, table.navigator))
    table.say(Welcome("me", "Ann", "token", "test", "0.1"), SYSTEMS, Lobby((row("t1", "Mill"),)))
    assert "Join Mill" in app.labels()
    assert "Game filter" not in app.labels()
    table.navigator.to_lobby()
    assert table.last(ListTables) == ListTables()


def test_who_leaves_a_table_looks_at_the_tables_again(lobby: Table) -> None:
    said = len(lobby.said)
    lobby.say(Left(TableId("t1"), "left", Text("You have left.")))
    lobby.settle()
    assert [message for message in lobby.said[said:] if isinstance(message, FindTables)] == [FindTables()]
