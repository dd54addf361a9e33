"""The page of results, ratings and leaders in the lobby, by mouse and keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from arcade import key as keys
from msgspec.structs import replace

from client.views.lobby.lobby_screen import LobbyScreen
from client.views.lobby.results_page import staying_in_words
from protocol.ids import TableId
from protocol.text import Text
from protocol.wire.choices import SystemChoice
from protocol.wire.from_client import GetLeaders, GetReplay, GetResults
from protocol.wire.from_server import Systems, Welcome
from protocol.wire.people import PersonCard
from protocol.wire.results import Leader, Leaders, PlayedView, RatingView, ResultRow, Results, ResultSeat
from protocol.wire.table_lists import Lobby
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.systems.hand import Hand

ANN, BEN, GONE = ResultSeat("me", "Ann", won=True, change=21), ResultSeat("b", "Ben", change=-9), ResultSeat("c", "")
DAY = 1_790_000_000


def row(number: int, *seats: ResultSeat, unrated: str = "", bare: int = 0, replay: bool = True) -> ResultRow:
    name, why = f"Friday {number}", Text("All turns are played")
    about = (number, TableId(f"t{number}"), name, "duel", Text("The bridge"), DAY, why, seats)
    return ResultRow(*about, rounds=6, bare=bare, unrated=unrated, replay=replay)


ROWS = (
    row(9, ANN, BEN),
    row(8, ResultSeat("me", "Ann", gone=True, change=-18), BEN, GONE),
    row(7, ResultSeat("me", "Ann"), ResultSeat("", "Bot", won=True), unrated="bots", replay=False),
    row(6, ResultSeat("me", "Ann"), BEN, unrated="unproven", bare=2),
    row(5, ResultSeat("me", "Ann"), BEN, unrated="ended"),
)
MINE = Results("me", "Ann", (RatingView("duel", 812, 96, 14), RatingView("hill", 700, 300, 3, True)), ROWS, 5)
BEST = Leaders("duel", (Leader("c", "", RatingView("duel", 1102, 88, 31)), Leader("me", "Ann", MINE.ratings[0])))


@pytest.fixture
def lobby(app: ReadableApp, tmp_path: Path) -> Table:
    table = Table(app, tmp_path, [])
    app.show(LobbyScreen(app, table.session, table.navigator))
    systems = tuple(SystemChoice(id, Text(name), (), ()) for id, name in (("duel", "Duel"), ("hill", "The Hill")))
    table.say(Welcome("me", "Ann", "token", "test", "0.1"), Systems(systems), Lobby(()))
    return table


def tips(app: ReadableApp) -> str:
    app.build()
    return "\n".join(spot.tip for spot in app.ui.hotspots[app.ui.modal :])


def test_staying_power_and_matches_against_people_are_told_in_words(lobby: Table, hand: Hand) -> None:
    hand.click_on("Results and ratings")
    lobby.say(replace(MINE, played=(PlayedView("duel", 12, 7), PlayedView("hill", 1)), begun=13, stayed=12))
    assert lobby.session.results is not None
    assert staying_in_words(lobby.session.results) == "Staying power: 92 % (12 of the last 13 played to the end)"
    assert staying_in_words(Results("me", "Ann")) == "No match against people yet."


def test_the_matches_of_another_person_are_opened_from_their_card_by_keys(lobby: Table, hand: Hand) -> None:
    assert isinstance(lobby.app.front, LobbyScreen)
    lobby.app.front.people.look_at("ben")
    lobby.say(PersonCard("ben", "Ben"))
    hand.press(keys.KEY_3)
    assert lobby.last(GetResults) == GetResults(who="ben")
    lobby.say(Results("ben", "Ben", older=4))
    assert "Matches of Ben" in lobby.app.labels()
    hand.click_on("Older")
    assert lobby.last(GetResults) == GetResults(who="ben", before=4)
    hand.press(keys.ESCAPE)
    hand.click_on("Results and ratings")
    assert lobby.last(GetResults) == GetResults()


def test_my_matches_by_mouse(lobby: Table, hand: Hand) -> None:
    hand.click_on("Results and ratings")
    assert lobby.last(GetResults) == GetResults()
    lobby.say(MINE)
    assert "Not rated: a bot held a seat at the start." in tips(lobby.app)
    assert "No player's program had a part in the dice of 2 of 6 rounds." in tips(lobby.app)
    assert "The bridge, 6 rounds, with Ben, deleted player, dice proven" in tips(lobby.app)
    [replay] = [label for label in lobby.app.enabled() if label.startswith("Get replay of Friday 9")]
    hand.click_on(replay)
    assert lobby.last(GetReplay) == GetReplay(table=TableId("t9"))
    assert not any(label.startswith("Get replay of Friday 7") for label in lobby.app.enabled())
    hand.click_on("Older")
    assert lobby.last(GetResults) == GetResults(before=5)
    lobby.say(Results("me", "Ann"))
    assert "Older" not in lobby.app.enabled()


@pytest.mark.parametrize("when", [-(1 << 62), 1 << 62])
def test_a_match_of_any_day_is_shown(lobby: Table, hand: Hand, when: int) -> None:
    hand.click_on("Results and ratings")
    lobby.say(replace(MINE, results=(replace(ROWS[0], when=when),)))
    assert any(label.startswith("Get replay of Friday 9") for label in lobby.app.enabled())


def test_leaders_by_keys(lobby: Table, hand: Hand) -> None:
    hand.click_on("Results and ratings")
    hand.press(keys.KEY_2)
    assert lobby.last(GetLeaders) == GetLeaders(system="duel")
    lobby.say(BEST)
    assert "2. Ann: 812 ± 96, 14 matches" in lobby.app.labels()
    lobby.say(Leaders("duel", BEST.leaders * 25))
    assert "50. Ann: 812 ± 96, 14 matches" not in lobby.app.labels()
    for _ in range(9):
        hand.press(keys.PAGEDOWN)
    assert "50. Ann: 812 ± 96, 14 matches" in lobby.app.labels()
    hand.press(keys.KEY_3)
    assert lobby.last(GetLeaders) == GetLeaders(system="hill")
    hand.press(keys.ESCAPE)
    assert "Best: Duel" not in lobby.app.labels()
