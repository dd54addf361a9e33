"""The start of a match: asked for once, and what was on its way before it leaves no note at the table."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from client.views.lobby.setup_screen import SetupScreen
from client.views.table.table_screen import TableScreen
from protocol.text import Text, text
from protocol.wire.from_client import StartMatch
from protocol.wire.from_server import Catalogue, Problem, TableView
from tests.support.clients.sessions import Table, at_table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import scenes
from tests.support.systems.hand import Hand

MINE = 1
STARTED = Problem("table/started", Text("problem.table/started"))
WORDS = "The match has started; that can be changed before the start only."


def set_up(state: str = "open") -> TableView:
    """Return the table of this player, everybody ready."""
    view = scenes.table_view(MINE, state)
    seats = tuple(replace(seat, who=f"who{seat.seat}", ready=True) for seat in view.seats)
    return replace(view, seats=seats, owner=f"who{MINE}")


@pytest.fixture
def before(app: ReadableApp, tmp_path: Path) -> Table:
    table = at_table(app, tmp_path, MINE)
    table.say(Catalogue("", "en", "f" * 16, {STARTED.text.k: WORDS}), set_up())
    assert isinstance(app.front, SetupScreen)
    table.said.clear()
    return table


def test_a_second_click_asks_for_no_second_start(before: Table, hand: Hand) -> None:
    place = before.app.find("Start")
    hand.click(place)
    hand.click(place)
    before.settle()
    assert before.said.count(StartMatch()) == 1


def test_it_can_be_asked_for_again_after_a_refusal_or_on_a_new_link(before: Table, hand: Hand) -> None:
    hand.click_on("Start")
    assert "Start" not in before.app.enabled()
    before.say(Problem("table/not-ready", text("no")))
    hand.click_on("Start")
    assert "Start" not in before.app.enabled()
    before.break_and_mend()
    assert "Start" in before.app.enabled()


def test_what_came_too_late_leaves_no_note_at_the_table(before: Table) -> None:
    """A click on Ready, say, that the start of another player overtook."""
    before.say(set_up("live"), STARTED)
    view = before.app.front
    assert isinstance(view, TableScreen)
    assert view.controller.driver is not None
    assert (before.session.notice, view.controller.driver.note) == ("", "")
    before.say(Problem("table/other", text(STARTED.text.k)))
    assert view.controller.driver.note == WORDS


def test_a_bots_seat_that_has_no_bot_any_more_gives_way_to_ones_own(before: Table) -> None:
    bot = next(seat for seat in set_up().seats if seat.bot)
    empty = tuple(replace(seat, bot="") if seat.seat == bot.seat else seat for seat in set_up().seats)
    view = before.app.front
    assert isinstance(view, SetupScreen)
    view._choose_for(bot.seat)
    assert view._chosen_seat() == bot
    for changed in (replace(set_up(), seats=empty), replace(set_up(), owner="who0")):
        before.say(changed)
        seat = view._chosen_seat()
        assert seat is not None
        assert seat.seat == MINE
