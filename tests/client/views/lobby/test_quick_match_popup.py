"""Finding players in the lobby: what one wishes for, the search, and the offer, by mouse and keys."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from arcade import key as keys
from msgspec.structs import replace

from client.model.lobby.match_search import FILL_SECONDS, LIST_BYTES, sendable
from client.views.lobby.lobby_screen import LobbyScreen
from protocol.ids import TableId
from protocol.text import Text
from protocol.wire.choices import FactionChoice, ScenarioChoice, SystemChoice
from protocol.wire.from_client import ConfirmMatch, FillWithBots, JoinTable, SeekMatch, StopSeeking
from protocol.wire.from_server import NameKept, Systems, Welcome
from protocol.wire.quick_match import MatchOffered, Seeking
from protocol.wire.table_lists import Lobby
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.systems.hand import Hand

BRIDGE = ScenarioChoice("bridge", Text("The bridge"), Text("A river."), 2, (), 60)
SYSTEMS = Systems(
    tuple(SystemChoice(id, Text(name), (BRIDGE,), ()) for id, name in (("duel", "Duel"), ("hill", "The Hill")))
)
OFFER = MatchOffered("o1", "duel", Text("The bridge"), 2, 20_000)


@pytest.fixture
def lobby(app: ReadableApp, tmp_path: Path) -> Table:
    table = Table(app, tmp_path, [])
    app.show(LobbyScreen(app, table.session, table.navigator))
    table.say(Welcome("me", "Ann", "token", "test", "0.1", finds=True), SYSTEMS, Lobby(()))
    return table


def test_the_wish_and_the_offer_by_mouse(lobby: Table, hand: Hand) -> None:
    hand.click_on("Find players")
    hand.click_on("The Hill")
    for count in (3, 4, 5):
        hand.click_on(f"{count} players")
    hand.click_on("Rated: no")
    hand.click_on("Look for players")
    assert lobby.last(SeekMatch) == SeekMatch(systems=["duel"], seats=[2, 6], rated=True)
    lobby.say(Seeking(on=True))
    hand.click_on("Close")
    assert "Stop looking" not in lobby.app.labels()
    lobby.say(OFFER)
    hand.click_on("Play")
    assert lobby.last(ConfirmMatch) == ConfirmMatch(match="o1")


@pytest.mark.parametrize("way", ["mouse", "keys"])
def test_a_ranked_match_is_for_those_who_keep_their_name(lobby: Table, hand: Hand, way: str) -> None:
    def take(label: str) -> None:
        if way == "mouse":
            hand.click_on(label)
        else:
            hand.tab_to(label)
            hand.press(keys.ENTER)

    take("Find players")
    assert "Ranked: no" not in lobby.app.enabled()
    lobby.say(NameKept("Ann"))
    take("By mail: no")
    take("Ranked: no")
    assert {"By mail: no", "Rated: yes"} <= set(lobby.app.labels()) - set(lobby.app.enabled())
    take("Look for players")
    assert lobby.last(SeekMatch) == SeekMatch(systems=["duel", "hill"], seats=[2, 3, 4, 5, 6], ranked=True)
    lobby.say(Seeking(on=True, waited=round(FILL_SECONDS * 1000)))
    assert "Play against bots" not in lobby.app.enabled()
    lobby.say(Seeking(on=False))
    take("Ranked: yes")
    take("By mail: yes")
    take("Look for players")
    assert lobby.last(SeekMatch) == SeekMatch(systems=["duel", "hill"], seats=[2, 3, 4, 5, 6])


def test_a_match_by_mail_is_not_rated_and_one_that_is_live_is_again(lobby: Table, hand: Hand) -> None:
    hand.click_on("Find players")
    hand.click_on("Rated: no")
    hand.click_on("By mail: no")
    assert "Rated: no" in lobby.app.labels()
    assert "Rated: no" not in lobby.app.enabled()
    hand.click_on("Look for players")
    wish = lobby.last(SeekMatch)
    assert isinstance(wish, SeekMatch)
    assert (wish.mail, wish.rated) == (True, False)
    hand.click_on("By mail: yes")
    assert "Rated: yes" in lobby.app.enabled()


def test_the_offer_by_keys(lobby: Table, hand: Hand) -> None:
    lobby.say(Seeking(on=True), OFFER)
    hand.press(keys.Y)
    assert lobby.last(ConfirmMatch) == ConfirmMatch(match="o1")
    lobby.say(MatchOffered("o1", "duel", Text("The bridge"), 2, 18_000, 1, mine=True))
    assert "Waiting for the others" not in lobby.app.enabled()
    hand.press(keys.N)
    assert lobby.last(StopSeeking) == StopSeeking()
    lobby.say(Seeking(on=False))
    assert "No, stop looking" not in lobby.app.labels()


def test_a_wish_for_nothing_cannot_be_said(lobby: Table, hand: Hand) -> None:
    hand.click_on("Find players")
    hand.click_on("Duel")
    hand.click_on("The Hill")
    assert "Look for players" not in lobby.app.enabled()
    hand.click_on("Duel")
    assert "Look for players" in lobby.app.enabled()


def test_bots_may_fill_the_seats_after_a_minute(lobby: Table, hand: Hand) -> None:
    hand.click_on("Find players")
    lobby.say(Seeking(on=True, waited=round(FILL_SECONDS * 1000) - 30_000))
    assert "Play against bots" not in lobby.app.enabled()
    lobby.say(Seeking(on=True, waited=round(FILL_SECONDS * 1000)))
    hand.click_on("Play against bots")
    assert lobby.last(FillWithBots) == FillWithBots()


def test_a_search_that_the_server_ends_says_why_and_one_who_joins_a_table_ends_it(lobby: Table) -> None:
    lobby.say(Seeking(on=True))
    lobby.say(Seeking(on=False, why=Text("Nobody said yes.")))
    assert lobby.session.notice == "Nobody said yes."
    lobby.navigator.join(table=TableId("t1"))
    lobby.settle()
    assert isinstance(lobby.said[-1], JoinTable)
    assert not [message for message in lobby.said if isinstance(message, StopSeeking)]
    lobby.say(Seeking(on=True))
    lobby.navigator.join(table=TableId("t1"))
    lobby.settle()
    assert [type(message) for message in lobby.said[-2:]] == [StopSeeking, JoinTable]


def test_saved_army_lists_go_along_as_many_as_fit_into_a_message(lobby: Table, hand: Hand) -> None:
    lobby.navigator.army_lists.keep("mine", "army = 'x'\npoints = 3000\n")
    hand.click_on("Find players")
    hand.click_on("Look for players")
    wish = lobby.last(SeekMatch)
    assert isinstance(wish, SeekMatch)
    assert wish.lists == [["army = 'x'", "points = 3000"]]
    big = "\n".join(["a" * 150] * 70)
    assert len(big) < LIST_BYTES < 2 * len(big)
    assert sendable([big, big, "b", "c" * 201, "d"]) == [big.splitlines(), ["b"], ["d"]]


def test_lists_of_the_games_that_are_wished_for_go_along_of_each_the_newest_first(
    lobby: Table, hand: Hand, tmp_path: Path
) -> None:
    games = {"duel": ("ash", "sun"), "hill": ("orc",), "sea": ("cod",)}
    lobby.say(Systems(tuple(SystemChoice(id, Text(id), (mustering(armies),), ()) for id, armies in games.items())))
    files, folder = lobby.navigator.army_lists, tmp_path / "lists"
    for age, army in enumerate(("fern", "cod", "ash", "sun", "sun", "ash", "orc")):
        files.keep(f"{army} {age}", f'[list]\narmy = "{army}"\nage = {age}\n')
        os.utime(folder / f"{army} {age}.toml", (9 - age, 9 - age))
    hand.click_on("Find players")
    hand.click_on("sea")
    hand.click_on("Look for players")
    wish = lobby.last(SeekMatch)
    assert isinstance(wish, SeekMatch)
    assert [lines[1:] for lines in wish.lists] == [
        ['army = "ash"', "age = 2"],
        ['army = "orc"', "age = 6"],
        ['army = "sun"', "age = 3"],
        ['army = "sun"', "age = 4"],
    ]


def mustering(armies: tuple[str, ...]) -> ScenarioChoice:
    """Return a scenario to which these armies are brought."""
    return replace(BRIDGE, factions=tuple(FactionChoice(id, Text(id)) for id in armies), points=3000)
