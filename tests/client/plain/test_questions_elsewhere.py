"""Open questions of plain text: they stand for as long as the person stays where they were asked."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from client.net.connection import Down, Frame, Up
from protocol.ids import NodeId, TableId
from protocol.scene.nodes import PROMPT_NODE, AnyNode
from protocol.text import Text
from protocol.wire.codec import encode
from protocol.wire.from_client import ChooseFaction, Concede, CreateTable, Intent, LeaveTable, RemoveSeat
from protocol.wire.from_server import Left, Problem, TableView, Welcome
from protocol.wire.table_lists import Lobby, TableRow
from tests.client.plain.test_setup import SYSTEMS, before_start
from tests.support.clients.plain.table import PlainTable
from tests.support.examples import scenes

WELCOME = Welcome("who1", "Bertram", "secret-token", "test server", "0.1.0")
OTHER = TableId("t2")
GUARDED = TableRow(TableId("t7"), "Friday", "action_cards", Text("Mill"), "open", 2, 1, guarded=True)


def come_to(table: PlainTable, view: TableView) -> None:
    """Bring the person to a table whose match is on."""
    private: dict[NodeId, AnyNode] = {PROMPT_NODE: scenes.card_prompt()}
    table.hear(view, scenes.snapshot("public", scenes.public_nodes()), scenes.snapshot("private", private))


@pytest.mark.parametrize(("words", "answer", "kind"), [("concede", "3", Concede), ("leave", "yes", LeaveTable)])
def test_a_question_about_one_match_is_not_answered_at_another(words: str, answer: str, kind: type) -> None:
    table = PlainTable()
    table.write(words)
    come_to(table, replace(scenes.table_view(), id=OTHER, name="Late"))
    told = table.write()
    assert told[:2] == ["Dropped.", "The match at Late is on. You play Iron Shells."]
    table.write(answer)
    assert table.program.question is None
    assert not any(isinstance(message, kind) for message in table.said)


@pytest.mark.parametrize(
    ("words", "answer", "kind"), [("faction 1", "1", ChooseFaction), ("remove 1", "yes", RemoveSeat)]
)
def test_a_question_before_the_start_goes_with_the_start(words: str, answer: str, kind: type) -> None:
    table, view = before_start()
    person = replace(view.seats[0], who="who0", name="Ada")
    table.hear(replace(view, seats=(person, view.seats[1])))
    table.write()
    table.write(words)
    assert table.program.question is not None
    come_to(table, scenes.table_view())
    assert table.write()[0] == "Dropped."
    table.write(answer)
    assert not any(isinstance(message, kind) for message in table.said)


def test_a_question_about_a_match_goes_with_the_table() -> None:
    table = PlainTable()
    table.write("concede")
    table.hear(Lobby(()), SYSTEMS, Left(scenes.table_view().id, "gone", Text("Gone.")))
    assert "Dropped." in table.write()
    assert table.program.question is None


def test_questions_of_the_lobby_and_of_a_door_go_with_the_lobby() -> None:
    frames = [encode(message) for message in (WELCOME, scenes.CATALOGUE, SYSTEMS, Lobby((GUARDED,)))]
    table = PlainTable(frames)
    table.write("create", "1", "1", "1")
    come_to(table, scenes.table_view())
    assert table.write()[0] == "Dropped."
    table.write("Friday")
    assert not any(isinstance(message, CreateTable) for message in table.said)

    table = PlainTable(frames)
    table.write("join 1")
    table.hear(Problem("table/password", Text("no")))
    assert table.write()[-1] == "Type the password of the table, or back to stay out."
    come_to(table, scenes.table_view())
    assert "Dropped." in table.write()
    assert not table.session.door.is_shut
    table.write("4")
    assert isinstance(table.last(Intent), Intent), "the line answers what the match asks"


def test_a_question_stands_while_its_table_goes_on_and_over_a_lost_link() -> None:
    table = PlainTable()
    table.write("concede")
    table.wire.waiting += [Down("gone", 1006), Up(), *map(Frame, scenes.table_frames(1))]
    assert "Dropped." not in table.write()
    table.write("3")
    assert table.last(Concede) == Concede(figures=True)
