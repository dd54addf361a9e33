"""docs/table-options.md names every option that an owner has, with what holds where nobody chooses."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import msgspec

from client.text.phrases import phrase
from protocol.limits import Limits
from protocol.wire.from_client import ChangeTable
from server.lobby.table.agreement import TERMS
from server.lobby.table.table_record import TableRecord

PAGE: Final = (Path(__file__).resolve().parents[2] / "docs" / "table-options.md").read_text("utf-8")
ROW: Final = re.compile(r"^\| ([^|]*) \| ([^|]*) \| [^|]* \| [^|]* \| `(\w+)` \|$", re.MULTILINE)
ROWS: Final = {field: (name.strip(), usual.strip()) for name, usual, field in ROW.findall(PAGE)}
BUTTONS: Final = {
    "private": "private",
    "mail": "mail",
    "seconds": "time",
    "bank": "bank",
    "reaction_seconds": "reactions",
    "solo_clock": "solo_clock",
    "bot_pace": "bot_pace",
    "late": "late",
    "seat_views": "seat_views",
    "all_views": "all_views",
    "rated": "rated",
    "strict": "strict",
    "ranked": "ranked",
}
WORDS: Final = {True: "yes", False: "no", 60: "60 s", 3: "3 s", 600: "10 min", 1500: "1.5 s"}


def test_every_field_of_a_change_has_its_row() -> None:
    assert set(ROWS) == set(ChangeTable.__struct_fields__)


def test_buttons_bear_the_names_of_the_page() -> None:
    assert {ROWS[field][0] for field in BUTTONS} == {phrase(f"option.{button}.name") for button in BUTTONS.values()}


def test_the_usual_values_are_those_of_a_new_table() -> None:
    usual = {field.name: field.default for field in msgspec.structs.fields(TableRecord)}
    assert {field: ROWS[field][1] for field in BUTTONS} == {field: WORDS[usual[field]] for field in BUTTONS}


def test_a_name_may_be_as_long_as_the_server_keeps_it() -> None:
    assert re.search(rf"^\| Name \| [^|]* \| up to {Limits().table_name_length} characters \|", PAGE, re.MULTILINE)


def test_the_terms_that_people_agree_to_are_named() -> None:
    sentence = PAGE.partition("Those who were ready are asked again")[2].partition(". ")[0]
    assert set(re.findall(r"\*([^*]+)\*", sentence)) == {ROWS[term][0] for term in TERMS}
