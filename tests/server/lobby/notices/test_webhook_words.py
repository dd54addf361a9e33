"""The words of messages: the table's name and the link, whatever the name is made of."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from protocol.game_links import read_link
from protocol.ids import TableId
from server.lobby.notices.webhook_words import checked_place, occasion_words, trial_words
from server.lobby.table.table_record import SeatRecord, TableRecord
from server.runtime.refusals import Refused


def table(name: str) -> TableRecord:
    return TableRecord(TableId("t"), "ABCDEFGHJK", name, "duel", "two", "ann", (), 0, 0)


@pytest.mark.parametrize(
    ("occasion", "words"),
    [
        ("turn", "Your turn at Friday: eschaton://play.example.org/ABCDEFGHJK"),
        ("day 1800000000", "Friday begins within a day: eschaton://play.example.org/ABCDEFGHJK"),
        ("hour 1800000000", "Friday begins within an hour: eschaton://play.example.org/ABCDEFGHJK"),
    ],
)
def test_each_occasion_has_its_words(occasion: str, words: str) -> None:
    assert occasion_words(table("Friday"), "play.example.org", occasion) == words


def test_a_table_without_a_name_of_its_own_is_called_after_its_owner() -> None:
    seated = replace(table(""), seats=(SeatRecord("ann", "Ann"),))
    assert occasion_words(seated, "play.example.org", "turn").startswith("Your turn at Ann's table: ")


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("@everyone come", "everyone come"),
        ("<!channel> <@42>", "!channel 42"),
        ("[here](https://evil.example)", "here https: evil.example"),
        ("**bold** _it_ `code` ~~no~~ ||spoiler||", "bold it code no spoiler"),
        ("# Ann & Ben's table!", "Ann Ben's table!"),
        ("{link}", "{link}"),
    ],
)
def test_a_name_calls_nobody_and_leads_nowhere(name: str, plain: str) -> None:
    said = occasion_words(table(name), "play.example.org", "turn")
    assert said == f"Your turn at {plain}: eschaton://play.example.org/ABCDEFGHJK"
    assert read_link(said.rpartition(" ")[2]) is not None


def test_a_trial_names_no_table() -> None:
    assert "eschaton://" not in trial_words()


@pytest.mark.parametrize(
    ("words", "place"),
    [("play.example.org", "play.example.org"), ("127.0.0.1:8442", "127.0.0.1:8442"), ("[::1]:9000", "[::1]:9000")],
)
def test_the_place_of_a_server(words: str, place: str) -> None:
    assert checked_place(words) == place


@pytest.mark.parametrize("words", ["", "a/b", "a:0", "a b", "user@a", "a?b", "[::1", "A.example", "a:8440/ABCDEFGHJK#"])
def test_what_is_no_place(words: str) -> None:
    with pytest.raises(Refused, match="webhook/place"):
        checked_place(words)
