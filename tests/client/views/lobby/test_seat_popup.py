"""The popup about a seat before the start: taken, exchanged, kept and locked by mouse and by keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from arcade import key as keys
from msgspec.structs import replace

from client.views.lobby.seat_popup import SeatPopup
from client.views.lobby.setup_screen import SetupScreen
from protocol.text import Text
from protocol.wire.choices import SystemChoice
from protocol.wire.from_client import AddBot, GetPeople, JoinTable
from protocol.wire.from_server import Systems, TableView, Welcome
from protocol.wire.people import PeoplePage, PersonRow
from protocol.wire.seating import KeepSeat, SwapSeats
from tests.support.clients.sessions import Table, at_table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import scenes
from tests.support.systems.hand import Hand

MINE, BENS, FREE, BOTS = 1, 2, 3, 4


def before_the_start(mine: int = MINE, **owner: str) -> TableView:
    """Return a table with Ann in seat 1, Ben in seat 2, nobody in seat 3 and a bot in seat 4."""
    view = scenes.table_view(mine, "open")
    holders = {MINE: ("me", "Ann", ""), BENS: ("ben", "Ben", ""), BOTS: ("", "Bot", "level1")}
    seats = []
    for seat in view.seats:
        who, name, bot = holders.get(seat.seat, ("", "", ""))
        seats.append(replace(seat, who=who, name=name, bot=bot, ready=bool(bot)))
    return replace(view, seat=mine, seats=tuple(seats), **owner)


def with_seat(view: TableView, number: int, **changes: object) -> TableView:
    seats = tuple(replace(seat, **changes) if seat.seat == number else seat for seat in view.seats)
    return replace(view, seats=seats)


@pytest.fixture
def table(app: ReadableApp, tmp_path: Path) -> Table:
    table = at_table(app, tmp_path, MINE)
    table.say(Welcome("me", "Ann", "token", "test", "0.1", people=True, seating=True), before_the_start(owner="ben"))
    assert isinstance(app.front, SetupScreen)
    table.session.conversation.you = "me"
    return table


def popup(table: Table) -> SeatPopup:
    front = table.app.front
    assert isinstance(front, SetupScreen)
    return front.seat_popup


def test_a_player_moves_to_an_open_seat_by_keys(table: Table, hand: Hand) -> None:
    hand.tab_to("About seat 4")
    hand.press(keys.ENTER)
    hand.press(keys.KEY_1)
    assert table.last(SwapSeats) == SwapSeats(seat=FREE)
    assert not popup(table).is_open


def test_two_players_change_places_when_both_wish_it(table: Table, hand: Hand) -> None:
    hand.click_on("About seat 3")
    hand.click_on("Ask Ben to change places")
    assert table.last(SwapSeats) == SwapSeats(seat=BENS)
    table.say(with_seat(before_the_start(owner="ben"), MINE, swap_with=BENS))
    hand.click_on("About seat 3")
    hand.click_on("Wish no more for seat 3")
    assert table.last(SwapSeats) == SwapSeats(seat=MINE)
    table.say(with_seat(before_the_start(owner="ben"), BENS, swap_with=MINE))
    hand.click_on("About seat 3")
    hand.click_on("Change places with Ben")
    assert table.last(SwapSeats) == SwapSeats(seat=BENS)


def test_who_watches_sits_down_in_the_seat_that_they_choose(table: Table, hand: Hand) -> None:
    view = with_seat(before_the_start(-1, owner="ben"), MINE, who="", name="")
    table.say(view)
    hand.click_on("About seat 4")
    hand.click_on("Sit here")
    assert table.last(JoinTable) == JoinTable(table=view.id, seat=FREE)
    table.say(with_seat(view, FREE, locked=True))
    hand.click_on("About seat 4")
    assert "Sit here" not in table.app.labels()
    hand.press(keys.ESCAPE)
    assert not popup(table).is_open


def test_the_owner_locks_keeps_opens_and_exchanges(table: Table, hand: Hand) -> None:
    table.say(before_the_start(owner="me"))
    hand.click_on("About seat 4")
    hand.click_on("Lock this seat")
    assert table.last(KeepSeat) == KeepSeat(seat=FREE, locked=True)
    table.say(with_seat(before_the_start(owner="me"), FREE, locked=True))
    hand.click_on("About seat 4")
    hand.click_on("Open to all")
    assert table.last(KeepSeat) == KeepSeat(seat=FREE)
    hand.click_on("About seat 5")
    hand.click_on("Exchange with seat 3")
    assert table.last(SwapSeats) == SwapSeats(seat=BOTS, other=BENS)


def test_a_seat_is_kept_for_a_friend_by_a_click_and_for_a_name_by_keys(table: Table, hand: Hand) -> None:
    table.say(before_the_start(owner="me"))
    hand.click_on("About seat 4")
    assert table.last(GetPeople) == GetPeople(list="friends")
    table.say(PeoplePage("friends", (PersonRow("cid", "Cid", here=True),), 0, 1))
    hand.click_on("Keep for Cid")
    assert table.last(KeepSeat) == KeepSeat(seat=FREE, who="cid")
    hand.click_on("About seat 4")
    hand.tab_to("Name of a person")
    hand.type("Dora")
    hand.press(keys.ENTER)
    assert table.last(KeepSeat) == KeepSeat(seat=FREE, name="Dora")


def test_bots_fill_no_seat_that_is_kept_or_locked(table: Table) -> None:
    view = with_seat(before_the_start(owner="me"), FREE, kept_for="cid", name="Cid")
    table.say(Systems((SystemChoice(view.system, Text("x"), (), ("level1",)),)), view)
    table.navigator.fill_with_bots()
    table.settle()
    assert {message.seat for message in table.said if isinstance(message, AddBot)} == {0, 5}


def test_a_server_that_keeps_no_seats_offers_none_of_it(table: Table) -> None:
    table.say(Welcome("me", "Ann", "token", "test", "0.1"))
    table.session.invitations.begin(is_known=False)
    table.session.changes += 1
    table.settle()
    assert "About seat 4" not in table.app.enabled()
