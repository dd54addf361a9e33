"""Two tables of one person: what was begun at one does not go on at the other, and is there again on the way back."""

from __future__ import annotations

from msgspec.structs import replace

from client.views.lobby.setup_screen import SetupScreen
from client.views.screen import Screen
from client.views.table.table_screen import TableScreen
from protocol.ids import TableId
from protocol.wire.from_client import Chat
from protocol.wire.from_server import TableView
from tests.support.clients.sessions import Table
from tests.support.examples import scenes

MINE, ADA, CLEO = 1, 0, 2
WORDS = "attack at dawn"


def go(table: Table, id: str, state: str = "live") -> Screen | None:
    """Let the server show this player another table, or one in another state."""
    people = tuple(replace(seat, who=f"who{seat.seat}") for seat in scenes.table_view(MINE, state).seats)
    table.say(replace(scenes.table_view(MINE, state), id=TableId(id), seats=people))
    return table.app.front


def at_table(table: Table, id: str) -> TableScreen:
    view = go(table, id)
    assert isinstance(view, TableScreen)
    return view


def home(table: Table) -> str:
    view = table.session.conversation.table
    assert isinstance(view, TableView)
    return view.id


def test_a_line_to_one_person_is_not_said_at_another_table(table: Table) -> None:
    here = home(table)
    first = at_table(table, here)
    first.say.set(WORDS)
    first.diplomacy.whisper = ADA
    second = at_table(table, "another")
    assert (second.say.text, second.diplomacy.whisper) == ("", -1)
    back = at_table(table, here)
    assert (back.say.text, back.diplomacy.whisper) == (WORDS, ADA)
    back.diplomacy.say()
    table.settle()
    assert [said for said in table.said if isinstance(said, Chat)] == [Chat(text=WORDS, to=ADA)]
    at_table(table, "another")
    assert at_table(table, here).say.text == ""


def test_a_question_about_one_table_is_not_put_at_another(table: Table) -> None:
    at_table(table, home(table)).controls.is_conceding = True
    assert not at_table(table, "another").controls.is_conceding


def test_a_look_into_the_lobby_or_a_fault_leaves_the_line(table: Table) -> None:
    at_table(table, home(table)).say.set(WORDS)
    table.navigator.to_lobby()
    table.navigator.to_table()
    view = at_table(table, home(table))
    assert view.say.text == WORDS
    table.navigator.recover()
    assert at_table(table, home(table)).say.text == WORDS


def test_the_start_leaves_the_line_that_somebody_writes(table: Table) -> None:
    view = go(table, "new", "open")
    assert isinstance(view, SetupScreen)
    view.say.set(WORDS)
    assert at_table(table, "new").say.text == WORDS


def test_each_table_before_its_start_has_a_screen_of_its_own(table: Table) -> None:
    first = go(table, "new", "open")
    assert go(table, "new", "open") is first
    assert go(table, "newer", "open") is not first
