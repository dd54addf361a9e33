"""Words of a table in the lobby's lists: a match that rests says so in the language of the person."""

from __future__ import annotations

import pytest

from client.model.words.table_row_words import row_note, row_words
from client.text.texts import Texts
from protocol.ids import TableId
from protocol.text import Text
from protocol.wire.table_lists import TableRow
from tests.support.languages.speaking import speaking


def row(rest: str) -> TableRow:
    return TableRow(TableId("t1"), "Friday", "duel", Text("Mill"), "live", 2, 2, rest=rest)


@pytest.mark.parametrize(
    ("rest", "english", "german"),
    [("paused", "paused", "macht Pause"), ("adjourned", "adjourned", "vertagt"), ("later", "later", "later")],
)
def test_a_rest_is_told_in_the_language_of_the_person(rest: str, english: str, german: str) -> None:
    assert row_note(row(rest)) == english
    assert row_words(row(rest), Texts()) == f"Mill, 2 of 2 seats taken, {english}"
    with speaking("de"):
        assert row_note(row(rest)) == german
        assert row_words(row(rest), Texts()) == f"Mill, 2 von 2 Plätzen besetzt, {german}"
