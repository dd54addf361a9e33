"""Acts that cannot be undone: no single key and no single click does one without a confirmation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from arcade import key as keys
from msgspec.structs import replace

from client.views.lobby.setup_screen import SetupScreen
from protocol.wire.from_client import CallVote, Concede, FromClient, LeaveTable, Logout, NewCode, RemoveSeat
from protocol.wire.from_server import TableView
from protocol.wire.table_lists import Lobby
from tests.support.clients.sessions import Table, at_table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import scenes
from tests.support.systems.hand import Hand

MINE = 1
PEOPLE = (0, 1, 2, 3)
"""Seats that people hold at the player's own table."""


def is_final(message: FromClient) -> bool:
    """Return True for an act that its player cannot undo."""
    match message:
        case CallVote():
            return message.what == "end"
        case RemoveSeat():
            return message.seat in PEOPLE
        case _:
            return isinstance(message, Concede | LeaveTable | Logout | NewCode)


def final(table: Table) -> list[FromClient]:
    table.settle()
    return [message for message in table.said if is_final(message)]


def owned(**changes: object) -> TableView:
    """Return a table that the player owns, where the next seat is another person's."""
    view = scenes.table_view(MINE)
    seats = tuple(replace(seat, who="who2", bot="") if seat.seat == 2 else seat for seat in view.seats)
    return replace(view, **{"owner": "who1", "seats": seats, "code": "ABCDE12345", **changes})


def at_menu(table: Table) -> None:
    table.say(owned())
    table.app.dispatch_event("on_key_press", keys.F10, 0)
    table.app.dispatch_events()


def at_setup(table: Table) -> None:
    table.say(owned(state="open"))
    assert isinstance(table.app.front, SetupScreen)


def at_lobby(table: Table) -> None:
    table.say(Lobby(()))
    table.navigator.to_lobby()
    table.settle()


@pytest.mark.parametrize("place", [at_menu, at_setup, at_lobby, Table.settle])
def test_no_click_does_what_cannot_be_undone(app: ReadableApp, tmp_path: Path, place: Callable[[Table], None]) -> None:
    quits: list[bool] = []
    hand = Hand(app)

    def arrived() -> Table:
        app.front, app.confirmation = None, None
        app.settings_page.is_open = app.keys_page.is_open = False
        app.before_tick.clear()
        table = at_table(app, tmp_path, MINE)
        table.navigator.quit = lambda: quits.append(True)  # type: ignore[method-assign]
        place(table)
        return table

    labels = list(arrived().app.enabled())
    assert labels
    for label in labels:
        table = arrived()
        hand.click_on(label)
        assert not final(table), label


def test_no_key_does_what_cannot_be_undone(table: Table, hand: Hand) -> None:
    symbols = {value for name, value in vars(keys).items() if name.isupper() and isinstance(value, int)}
    for symbol in sorted(symbols):
        for modifiers in (0, keys.MOD_SHIFT, keys.MOD_CTRL):
            hand.press(symbol, modifiers)
            table.app.confirmation, table.app.help = None, False
            table.app.keys_page.is_open = table.app.settings_page.is_open = False
    assert table.said
    assert not final(table)


def alone(table: Table) -> None:
    view = scenes.table_view(MINE)
    seats = tuple(seat if seat.seat == MINE else replace(seat, who="", bot="level1") for seat in view.seats)
    table.say(replace(view, seats=seats))


def test_the_end_of_the_match_is_asked_by_what_it_means(table: Table, hand: Hand) -> None:
    hand.press(keys.F7)
    assert set(table.app.labels()) == {"Ask the others", "No"}
    hand.press(keys.ENTER)
    hand.press(keys.SPACE)
    hand.press(keys.T)
    hand.press(keys.ESCAPE)
    alone(table)
    hand.press(keys.F7)
    assert set(table.app.labels()) == {"End it", "No"}
    assert not final(table)
    hand.press(keys.N)
    assert "Move a group" in table.app.labels()
    hand.press(keys.F7)
    hand.press(keys.Y)
    assert final(table) == [CallVote(what="end")]


def test_a_click_beside_the_question_does_nothing_and_another_view_closes_it(table: Table, hand: Hand) -> None:
    hand.press(keys.F7)
    hand.click((5, 5))
    assert set(table.app.labels()) == {"Ask the others", "No"}
    table.say(owned(state="open"))
    assert table.app.confirmation is None
    assert isinstance(table.app.front, SetupScreen)


@pytest.mark.parametrize(
    ("place", "label", "answer", "said"),
    [
        (at_menu, "Give up my seat", "Give it up", LeaveTable()),
        (at_menu, "Remove Bot 2", "Remove them", RemoveSeat(seat=2)),
        (at_menu, "New code", "Make it", NewCode()),
        (at_setup, "Leave table", "Leave it", LeaveTable()),
        (at_setup, "Remove seat 3", "Remove them", RemoveSeat(seat=2)),
    ],
)
def test_a_second_click_does_it(
    table: Table, hand: Hand, place: Callable[[Table], None], label: str, answer: str, said: FromClient
) -> None:
    place(table)
    hand.click_on(label)
    hand.click_on("No")
    assert not final(table)
    if place is at_menu and "To the lobby" not in table.app.labels():
        hand.press(keys.F10)
    hand.click_on(label)
    hand.click_on(answer)
    assert final(table) == [said]


def test_who_does_not_own_the_table_leaves_it_and_comes_back_as_they_like(table: Table, hand: Hand) -> None:
    table.say(owned(state="open", owner="who2"))
    hand.click_on("Leave table")
    assert final(table) == [LeaveTable()]
