"""The password of a table in plain text: any words may be it, and the question can be left."""

from __future__ import annotations

import pytest

from protocol.ids import TableId
from protocol.text import Text
from protocol.wire.choices import SystemChoice
from protocol.wire.codec import encode
from protocol.wire.from_client import JoinTable
from protocol.wire.from_server import Problem, Systems, Welcome
from protocol.wire.table_lists import Lobby, TableRow
from tests.support.clients.plain.table import PlainTable
from tests.support.examples import scenes
from tests.support.languages.speaking import speaking

WELCOME = Welcome("who1", "Bertram", "secret-token", "test server", "0.1.0")
ROW = TableRow(TableId("t7"), "Friday", "action_cards", Text("Mill"), "open", 2, 1, guarded=True)
SYSTEMS = Systems((SystemChoice("action_cards", Text("Cards"), (), ("random",)),))
ASKED, WRONG = (Problem(f"table/{code}", Text("no")) for code in ("password", "wrong-password"))
QUESTION = "Type the password of the table, or back to stay out."


def at_the_door(join: str = "join 1") -> PlainTable:
    """Return a program that has just been asked for the password of a table."""
    table = PlainTable([encode(message) for message in (WELCOME, scenes.CATALOGUE, SYSTEMS, Lobby((ROW,)))])
    table.write(join)
    table.hear(ASKED)
    return table


def test_the_question_says_how_it_is_left() -> None:
    table = at_the_door()
    assert table.write()[-1] == QUESTION
    assert table.write("")[-1] == QUESTION
    with speaking("de"):
        told = at_the_door("mitspielen 1").write()
    assert told[-1] == "Tippe das Passwort des Tisches, oder zurück, um draußen zu bleiben."


def test_who_goes_back_is_not_asked_again() -> None:
    table = at_the_door()
    table.write()
    told = table.write("back", "list")
    assert told[0] == "Dropped."
    assert QUESTION not in told
    assert any(line.startswith("1. Friday. ") for line in told)
    assert not table.session.door.is_shut
    assert table.last(JoinTable) == JoinTable(table=ROW.id), "no password has been sent"
    table.write("join 1")
    table.hear(ASKED)
    assert table.write()[-1] == QUESTION


@pytest.mark.parametrize("word", ["quit", "Quit"])
def test_who_quits_sends_no_password(word: str) -> None:
    table = at_the_door()
    table.write()
    table.write(word, "hare")
    assert table.program.is_over
    assert table.console.waiting == ["hare"], "nothing is read after the end"
    assert table.last(JoinTable) == JoinTable(table=ROW.id)


@pytest.mark.parametrize("password", ["hare", "list", "quit smoking"])
def test_any_other_words_may_be_the_password(password: str) -> None:
    table = at_the_door()
    table.write()
    table.write(password)
    assert table.last(JoinTable) == JoinTable(table=ROW.id, password=password)
    table.hear(WRONG)
    assert table.write()[-1] == QUESTION
