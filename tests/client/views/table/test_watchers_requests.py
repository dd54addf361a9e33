"""Requests of spectators at the table: a seat is asked for in the menu, and given or not above the board."""

from __future__ import annotations

from arcade import key as keys
from msgspec.structs import replace

from protocol.wire.from_server import TableView, Watcher, Welcome
from protocol.wire.seating import AskSeat, GiveSeat
from tests.support.clients.sessions import Table
from tests.support.examples import scenes
from tests.support.systems.hand import Hand

MINE, BOTS = 1, 2


def view(asks: int, mine: int = MINE, **changes: object) -> TableView:
    """Return a live table at which a spectator asks for a seat."""
    table = scenes.table_view(mine)
    seats = tuple(replace(s, who="me", name="Ann", bot="") if s.seat == MINE else s for s in table.seats)
    return replace(table, seats=seats, watchers=(Watcher("w1", "Cid", asks=asks),), **changes)


def begin(table: Table, you: str) -> None:
    table.say(Welcome(you, "Ann", "token", "test", "0.1", seating=True))
    table.session.conversation.you = you


def test_the_holder_of_a_seat_gives_it_by_mouse_or_not_by_keys(table: Table, hand: Hand) -> None:
    begin(table, "me")
    table.say(view(MINE))
    hand.click_on("Allow Cid")
    assert table.last(GiveSeat) == GiveSeat(who="w1")
    hand.tab_to("No Cid", keys.MOD_CTRL)
    hand.press(keys.ENTER)
    assert table.last(GiveSeat) == GiveSeat(who="w1", allow=False)


def test_a_bots_seat_is_the_owners_to_give(table: Table) -> None:
    begin(table, "me")
    table.say(view(BOTS, owner="somebody"))
    assert "Allow Cid" not in table.app.labels()
    table.say(view(BOTS, owner="me"))
    assert "Allow Cid" in table.app.labels()


def test_a_spectator_asks_for_a_seat_in_the_menu_and_takes_it_back(table: Table, hand: Hand) -> None:
    begin(table, "w1")
    table.say(view(-1, mine=-1, late=True))
    hand.press(keys.F10)
    asks = [label for label in table.app.labels() if label.startswith("Ask to take over")]
    assert asks == [f"Ask to take over the seat of {scenes.FACTIONS[seat]}" for seat in (0, MINE, 3)]
    hand.click_on(asks[1])
    assert table.last(AskSeat) == AskSeat(seat=MINE)
    table.say(view(MINE, mine=-1, late=True))
    hand.click_on(f"Ask no more for the seat of {scenes.FACTIONS[MINE]}")
    assert table.last(AskSeat) == AskSeat()


def test_where_late_people_may_not_sit_down_a_bots_seat_is_asked_for(table: Table, hand: Hand) -> None:
    begin(table, "w1")
    table.say(view(-1, mine=-1, late=False))
    hand.press(keys.F10)
    assert f"Ask to take over the seat of {scenes.FACTIONS[BOTS]}" in table.app.labels()
