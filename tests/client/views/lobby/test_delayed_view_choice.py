"""The player's consent to the delayed view: the box beside Ready, and where it is shown afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from client.app.picture import save_picture
from client.model.lobby.table_changes import table_changes
from client.views.lobby.setup_screen import SetupScreen
from protocol.ids import TableId
from protocol.text import text
from protocol.wire.from_client import SetReady
from protocol.wire.from_server import Left, TableView
from protocol.wire.table_lists import Lobby, TableRow
from tests.support.clients.sessions import Table, at_table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import scenes
from tests.support.systems.hand import Hand

MINE = 1
BOX = "Spectators may see everything, 2 minutes late: {}"
NO, YES = BOX.format("no"), BOX.format("yes")
NEWS = "In this match spectators may see everything, two minutes and a whole round late."


def set_up(*, ready: bool = False, agrees: bool = False, **changes: object) -> TableView:
    """Return the table before the start; Ada, the first, has consented."""
    view = scenes.table_view(MINE, "open")
    seats = [replace(seat, ready=bool(seat.bot)) for seat in view.seats]
    seats[0] = replace(seats[0], ready=True, delayed_view=True)
    seats[MINE] = replace(seats[MINE], ready=ready, delayed_view=agrees)
    return replace(view, **{"seats": tuple(seats), "all_views": True, **changes})


@pytest.fixture
def before(app: ReadableApp, tmp_path: Path) -> Table:
    """Table before the start, whose owner allows the delayed view."""
    table = at_table(app, tmp_path, MINE)
    table.say(set_up())
    assert isinstance(app.front, SetupScreen)
    table.said.clear()
    return table


def said(table: Table) -> list[SetReady]:
    """Return the answers sent since the last call."""
    table.settle()
    found = [message for message in table.said if isinstance(message, SetReady)]
    table.said.clear()
    return found


def written(app: ReadableApp) -> list[str]:
    """Return the lines of text that the window shows."""
    app.build()
    return [key[0] for key, _, _ in app.ui.layers["panels"].letters.lines]


def test_a_tick_goes_out_with_ready_and_ready_taken_back_asks_again(before: Table, hand: Hand) -> None:
    hand.click_on(NO)
    assert YES in before.app.labels()
    assert said(before) == []
    hand.click_on("Ready")
    assert said(before) == [SetReady(ready=True, delayed_view=True)]
    before.say(set_up(ready=True, agrees=True))
    assert YES in before.app.labels()
    hand.click_on("Not ready")
    assert said(before) == [SetReady(ready=False)]
    before.say(set_up())
    assert NO in before.app.labels()
    hand.click_on("Ready")
    assert said(before) == [SetReady(ready=True)]


def test_who_is_ready_changes_the_answer_at_once(before: Table, hand: Hand) -> None:
    before.say(set_up(ready=True))
    hand.click_on(NO)
    assert said(before) == [SetReady(ready=True, delayed_view=True)]
    before.say(set_up(ready=True, agrees=True))
    hand.click_on(YES)
    assert said(before) == [SetReady(ready=True)]


def test_a_tick_that_the_owner_no_longer_asks_for_is_not_said(before: Table, hand: Hand) -> None:
    hand.click_on(NO)
    before.say(set_up(all_views=False))
    assert not {NO, YES} & set(before.app.labels())
    hand.click_on("Ready")
    assert said(before) == [SetReady(ready=True)]


def test_the_box_and_what_the_others_have_said_are_drawn(before: Table, tmp_path: Path, hand: Hand) -> None:
    save_picture(before.app, tmp_path / "without.png")
    hand.click_on(NO)
    save_picture(before.app, tmp_path / "with.png")
    assert (tmp_path / "without.png").read_bytes() != (tmp_path / "with.png").read_bytes()
    assert "ready, all cards late: yes" in written(before.app)


def test_who_comes_to_a_match_is_told_once(app: ReadableApp, tmp_path: Path) -> None:
    table = at_table(app, tmp_path, MINE)
    live = scenes.table_view(MINE)
    open_one, seen = replace(live, state="open"), replace(live, delayed_view=True)
    assert [line.text for line in table_changes(open_one, seen)] == [NEWS]
    assert [line.text for line in table_changes(None, seen)] == [NEWS]
    assert not [*table_changes(seen, seen), *table_changes(open_one, live), *table_changes(None, live)]
    assert not list(table_changes(None, replace(seen, state="finished")))
    elsewhere = replace(seen, id="t2")
    table.say(elsewhere, elsewhere)
    assert [line.text for line in table.session.feed.log] == [NEWS]
    table.say(Left(TableId("t2"), "left", text("left")), elsewhere)
    assert [line.text for line in table.session.feed.log] == [NEWS]


def test_the_lobby_says_it_of_a_match(app: ReadableApp, tmp_path: Path, hand: Hand) -> None:
    table = at_table(app, tmp_path, MINE)
    table.navigator.to_lobby()
    row = TableRow(TableId("t3"), "Sunday", "action_cards", text("mill"), "live", 4, 4, bots=1)
    table.say(Lobby((row, replace(row, id="t4", name="Monday", delayed_view=True))))
    lines = [line for line in written(app) if "4 of 4" in line]
    assert [line.endswith(", spectators see all cards late") for line in lines] == [False, True]
