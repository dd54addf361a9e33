"""People in the window: lists, requests and cards, by mouse and by keys, and names at a table that open a card."""

from __future__ import annotations

from pathlib import Path

import pytest
from arcade import key as keys
from msgspec.structs import replace

from client.model.lobby.people_lists import REFRESH_SECONDS
from client.net.connection import Down, Up
from client.views.lobby.lobby_screen import LobbyScreen
from protocol.ids import TableId
from protocol.wire.codec import encode
from protocol.wire.from_client import GetPeople, GetPerson, JoinTable, Relate, Report, ReportedLine, ShowPresence
from protocol.wire.from_server import ChatLine, ReportTaken, Welcome
from protocol.wire.people import PeoplePage, PersonCard, PersonRow
from protocol.wire.table_lists import Lobby
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import scenes
from tests.support.systems.hand import Hand

BEN = PersonRow("ben", "Ben", 1_700_000_000, True, TableId("t9"), "Bridge", "open", True)
CID = PersonRow("cid", "Cid", 1_700_000_000)
HELLO = Welcome("me", "Bertram", "token", "test", "0.1", people=True)


@pytest.fixture
def lobby(app: ReadableApp, tmp_path: Path) -> Table:
    table = Table(app, tmp_path, [])
    app.show(LobbyScreen(app, table.session, table.navigator))
    table.say(HELLO, Lobby(()))
    return table


def test_friends_are_listed_with_where_they_are_and_one_goes_there(lobby: Table, hand: Hand) -> None:
    assert lobby.last(GetPeople) == GetPeople(list="asking")
    hand.click_on("People")
    assert lobby.last(GetPeople) == GetPeople(list="friends")
    lobby.say(PeoplePage("friends", (BEN, CID), 0, 2))
    labels = lobby.app.labels()
    assert {"About Ben", "Join Ben", "Watch Ben", "About Cid"} <= labels.keys()
    assert "Join Cid" not in labels
    hand.click_on("Friends see that you are here")
    assert lobby.last(ShowPresence) == ShowPresence(shown=False)
    hand.click_on("Name of a player")
    hand.type("Dot")
    hand.press(keys.ENTER)
    assert lobby.last(Relate) == Relate(what="ask", name="Dot")
    hand.click_on("Join Ben")
    assert lobby.last(JoinTable) == JoinTable(table=TableId("t9"))
    assert "About Ben" not in lobby.app.labels()


def test_a_request_is_told_counted_and_accepted_by_keys_alone(lobby: Table, hand: Hand) -> None:
    lobby.say(PersonCard("ben", "Ben", kept=True, asking=True, news=True))
    assert lobby.session.notice == "Ben asks to be your friend. Answer under People."
    lobby.say(PeoplePage("asking", (PersonRow("ben", "Ben", 1_700_000_000),), 0, 1))
    assert lobby.session.people.waiting == 1
    hand.click_on("People")
    assert lobby.last(GetPeople) == GetPeople(list="asking")
    lobby.say(PeoplePage("asking", (PersonRow("ben", "Ben", 1_700_000_000),), 0, 1))
    hand.press(keys.KEY_1)
    assert lobby.last(GetPerson) == GetPerson(who="ben")
    lobby.say(PersonCard("ben", "Ben", kept=True, asking=True))
    hand.press(keys.KEY_1)
    assert lobby.last(Relate) == Relate(what="accept", who="ben")
    lobby.say(PersonCard("ben", "Ben", kept=True, friend=True), PeoplePage("asking"))
    assert {"End the friendship", "Mute", "Block"} <= lobby.app.enabled().keys()
    assert lobby.session.people.waiting == 0
    hand.press(keys.ESCAPE)
    assert "Friends" in lobby.app.labels()
    hand.press(keys.ESCAPE)
    assert "Friends" not in lobby.app.labels()


@pytest.mark.parametrize(
    "card",
    [
        PersonCard("ben", "Ben", kept=True, asking=True, news=True),
        PersonCard("ben", "Ben", kept=True, news=True),
        PersonCard("ben", "Ben", kept=True, friend=True),
    ],
    ids=["asks", "takes it back", "is accepted at a line"],
)
def test_requests_are_counted_by_the_server_after_each_change(lobby: Table, card: PersonCard) -> None:
    lobby.say(PeoplePage("asking", (PersonRow("ben", "Ben", 1_700_000_000),), 0, 1))
    lobby.settle()
    lobby.said.clear()
    lobby.say(card)
    assert lobby.session.people.waiting == 1
    assert lobby.last(GetPeople) == GetPeople(list="asking")
    lobby.say(PeoplePage("asking"))
    assert lobby.session.people.waiting == 0


def test_a_request_that_is_taken_back_is_no_news_to_read(lobby: Table) -> None:
    lobby.say(PersonCard("ben", "Ben", kept=True, news=True))
    assert lobby.session.notice == ""


def test_a_list_that_is_open_is_asked_for_again_and_longer_ones_are_turned_by_pages(lobby: Table, hand: Hand) -> None:
    hand.click_on("People")
    hand.click_on("Muted")
    rows = tuple(PersonRow(f"p{number}", f"Person {number}", 1 << 62) for number in range(10))
    lobby.say(PeoplePage("muted", rows, 0, 12))
    lobby.said.clear()
    hand.click_on("More")
    assert lobby.last(GetPeople) == GetPeople(list="muted", first=10)
    lobby.said.clear()
    lobby.time += REFRESH_SECONDS + 1
    lobby.settle()
    assert lobby.last(GetPeople) == GetPeople(list="muted", first=10)


def test_a_page_beyond_the_end_of_a_list_that_has_shrunk_gives_way_to_the_last_one(lobby: Table, hand: Hand) -> None:
    hand.click_on("People")
    hand.click_on("Muted")
    rows = tuple(PersonRow(f"p{number}", f"Person {number}", 1 << 62) for number in range(10))
    lobby.say(PeoplePage("muted", rows, 0, 11))
    hand.click_on("More")
    lobby.say(PeoplePage("muted", rows[:1], 10, 11))
    lobby.said.clear()
    lobby.say(PeoplePage("muted", (), 10, 10))
    assert lobby.last(GetPeople) == GetPeople(list="muted")
    lobby.say(PeoplePage("muted", rows, 0, 10))
    assert "About Person 9" in lobby.app.labels()


def test_a_list_that_is_empty_and_a_host_that_miscounts_are_asked_no_more(lobby: Table, hand: Hand) -> None:
    hand.click_on("People")
    hand.click_on("Muted")
    lobby.settle()
    lobby.said.clear()
    for total in (0, 500):
        lobby.say(PeoplePage("muted", (), 0, total))
    lobby.settle()
    assert not [message for message in lobby.said if isinstance(message, GetPeople)]


def test_an_open_list_is_asked_for_once_after_a_long_break_and_not_during_it(lobby: Table, hand: Hand) -> None:
    hand.click_on("People")
    lobby.wire.waiting.append(Down("gone", 1006))
    lobby.settle()
    for _ in range(60):
        lobby.time += REFRESH_SECONDS + 1
        lobby.settle()
    assert not lobby.session.conversation.outgoing()
    lobby.wire.waiting.append(Up())
    lobby.settle()
    lobby.said.clear()
    lobby.time += REFRESH_SECONDS + 1
    lobby.settle()
    assert GetPeople(list="friends") not in lobby.said, "the server has not let the person in yet"
    lobby.say(HELLO)
    lobby.settle()
    assert lobby.said.count(GetPeople(list="friends")) == 1


def test_a_name_in_the_chat_and_a_seat_at_the_table_open_the_card_of_a_person(table: Table, hand: Hand) -> None:
    table.say(HELLO, scenes.table_view(1), ChatLine("eve", "Eve", "watcher", "Hello", 1))
    hand.click_on("Chat")
    hand.click_on("Eve: Hello")
    assert table.last(GetPerson) == GetPerson(who="eve")
    table.say(PersonCard("eve", "Eve"))
    hand.click_on("Mute")
    assert table.last(Relate) == Relate(what="mute", who="eve")
    table.say(PersonCard("eve", "Eve", muted=True))
    hand.click_on("Block")
    assert table.last(Relate) == Relate(what="block", who="eve")
    hand.press(keys.ESCAPE)
    hand.press(keys.F10)
    hand.click_on("About Dora")
    assert table.last(GetPerson) == GetPerson(who="w1")
    hand.press(keys.ESCAPE)
    hand.click_on("People")
    assert "Blocked" in table.app.labels()


def test_a_line_is_reported_with_reason_and_words_by_keys_alone(table: Table, hand: Hand) -> None:
    table.say(replace(HELLO, reports=True), scenes.table_view(1), ChatLine("eve", "Eve", "watcher", "Oaf!", 5))
    hand.click_on("Chat")
    hand.click_on("Eve: Oaf!")
    table.say(PersonCard("eve", "Eve"))
    hand.press(keys.KEY_3)
    hand.press(keys.KEY_2)
    hand.click_on("In your words, if you like")
    hand.type("All evening")
    hand.press(keys.ENTER)
    assert table.last(Report) == Report("eve", "spam", "All evening", ReportedLine("Oaf!", 5))
    assert "Report to the host" in table.app.labels()


def test_who_reports_is_told_that_the_host_has_it(lobby: Table) -> None:
    lobby.say(ReportTaken("eve"))
    assert lobby.session.notice == "The host has your report."


def test_a_person_is_reported_from_the_card_that_a_name_opens_by_mouse(table: Table, hand: Hand) -> None:
    table.say(replace(HELLO, reports=True), scenes.table_view(1))
    hand.press(keys.F10)
    hand.click_on("About Dora")
    table.say(PersonCard("w1", "Dora"))
    hand.click_on("Report to the host")
    hand.click_on("Name")
    hand.press(keys.ESCAPE)
    hand.click_on("Report to the host")
    hand.click_on("Name")
    hand.click_on("Send the report")
    assert table.last(Report) == Report("w1", "name")
    assert len([message for message in table.said if isinstance(message, Report)]) == 1


def test_a_server_without_such_lists_is_asked_nothing(app: ReadableApp, tmp_path: Path, hand: Hand) -> None:
    table = Table(app, tmp_path, [encode(Welcome("me", "Bertram", "token", "test", "0.1")), encode(Lobby(()))])
    app.show(LobbyScreen(app, table.session, table.navigator))
    assert not [message for message in table.said if isinstance(message, GetPeople)]
    assert "People" not in app.enabled()
