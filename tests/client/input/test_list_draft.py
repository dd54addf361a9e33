"""An army list in the making over a lost link, in the window and in plain text."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from client.net.connection import Down, Frame, Up
from client.views.lobby.setup_screen import SetupScreen
from protocol.text import Text
from protocol.wire.choices import FactionChoice, ScenarioChoice, SystemChoice
from protocol.wire.codec import encode
from protocol.wire.from_client import BuildList, FromClient, OpenTable
from protocol.wire.from_server import ListShown, Problem, Systems, Welcome
from protocol.wire.list_form import Change, Count, FormSection, ListForm
from tests.client.plain.test_setup import before_start
from tests.support.clients.sessions import Table, show_setup
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import scenes
from tests.support.systems.hand import Hand

GUARD = Count("units/a", Text("Guard"), value=1)
FORM = ListForm("d1", Text("Ash"), Text("10 of 100"), (FormSection(Text("Units"), (GUARD,)),))
MORE = replace(FORM, draft="d2", sections=(FormSection(Text("Units"), (replace(GUARD, value=2),)),))
WELCOME = Welcome("who1", "Bertram", "secret-token", "test server", "0.1.0")


@pytest.fixture
def builder(app: ReadableApp, tmp_path: Path, hand: Hand) -> Table:
    """Window whose army builder has a list."""
    table = Table(app, tmp_path, scenes.table_frames(1)[:2])
    factions = (FactionChoice("ash", Text("Ash")),)
    scenario = ScenarioChoice("mill", Text("Mill"), Text("Hold it."), 2, factions, points=100)
    table.say(Systems((SystemChoice("action_cards", Text("Cards"), (scenario,), ("random",)),)))
    show_setup(table)
    hand.click_on("Army list")
    table.say(ListShown(1, FORM))
    return table


def lists_asked(said: list[FromClient]) -> list[FromClient]:
    """Return what was asked of lists, and of the table."""
    return [message for message in said if isinstance(message, BuildList | OpenTable)]


def break_link(table: Table) -> None:
    """Break the link and connect again; the server has not said welcome yet."""
    table.settle()
    table.said.clear()
    table.break_and_mend()


def test_what_a_lost_link_has_swallowed_is_asked_again_once_the_table_is_open(builder: Table, hand: Hand) -> None:
    hand.click_on("Guard: more")
    asked = builder.last(BuildList)
    assert asked == BuildList(draft="d1", change=Change("units/a", 2))
    hand.click_on("Guard: more")
    break_link(builder)
    assert lists_asked(builder.said) == []
    builder.say(WELCOME)
    builder.settle()
    assert lists_asked(builder.said) == [OpenTable(table=scenes.table_view().id), asked]
    builder.say(ListShown(1, MORE))
    assert builder.last(BuildList) == BuildList(draft="d2", change=Change("units/a", 3)), "what waited goes on"


def test_nothing_is_asked_again_where_the_answer_had_come(builder: Table) -> None:
    break_link(builder)
    builder.say(WELCOME)
    builder.settle()
    assert lists_asked(builder.said) == [OpenTable(table=scenes.table_view().id)]


def test_the_first_form_comes_after_a_link_lost_while_it_was_awaited(builder: Table, hand: Hand) -> None:
    hand.click_on("Back")
    hand.click_on("Army list")
    break_link(builder)
    builder.say(WELCOME)
    assert isinstance(builder.app.front, SetupScreen)
    assert builder.last(BuildList) == BuildList()
    builder.say(ListShown(1, FORM))
    assert "Guard: more" in builder.app.enabled()


def test_a_refusal_ends_the_asking(builder: Table, hand: Hand) -> None:
    hand.click_on("Guard: more")
    builder.say(Problem("list/refused", Text("No.")))
    break_link(builder)
    builder.say(WELCOME)
    builder.settle()
    assert lists_asked(builder.said) == [OpenTable(table=scenes.table_view().id)]


def test_plain_text_goes_on_with_the_list_after_a_lost_link() -> None:
    table, view = before_start()
    table.write("army")
    table.hear(ListShown(1, FORM))
    table.write("look")
    table.write("1")
    assert table.last(BuildList) == BuildList(draft="d1", change=Change("units/a", 2))
    table.said.clear()
    table.wire.waiting += [Down("gone", 1006), Up(), *(Frame(encode(message)) for message in (WELCOME, view))]
    table.write("look")
    assert lists_asked(table.said)[1:] == [BuildList(draft="d1", change=Change("units/a", 2))]
    table.hear(ListShown(1, MORE))
    assert "1. Guard: 2" in table.write("look")
