"""Army lists as short codes and as files, and lists that were made for an older page."""

from __future__ import annotations

from functools import partial

import msgspec
import pytest
from hypothesis import given, strategies as st

from engine.core.rules.army_lists import lists_of
from engine.core.rules.errors import ContentRefused, ListRefused
from engine.kit.lists import list_texts
from engine.kit.lists.codes import ALPHABET, coded
from engine.rulesets.one_page.content import armies
from engine.rulesets.one_page.content.army_lists import OnePageLists
from engine.rulesets.one_page.content.lists import ArmyList, ListEntry
from engine.rulesets.one_page.text.texts import ARMY_LISTS as ENGLISH
from protocol.text_format import format_text
from tests.support.systems.army_book import army_texts, book, read

LISTS = OnePageLists()
encode, decode = partial(list_texts.encode, LISTS), partial(list_texts.decode, LISTS)


@st.composite
def drafts(draw: st.DrawFn) -> ArmyList:
    """Any list, sound or not, of units that a page could have."""
    units = st.integers(1, 99).map("IM-{:02}".format)
    upgrades = st.lists(st.integers(1, 60), max_size=5).map(sorted).map(tuple)
    entry = st.builds(
        ListEntry, units, st.integers(0, 60), upgrades, st.sampled_from(["", "ash", "veil"]), st.booleans()
    )
    entries = draw(st.lists(entry, max_size=30))
    return ArmyList("iron_marches", draw(st.integers(1, 999)), draw(st.sampled_from([3000, 6000, 100])), tuple(entries))


@given(drafts())
def test_a_code_says_all_of_a_list(listed: ArmyList) -> None:
    code = encode(book(), listed)
    assert decode(book(), code) == listed
    head, _, body = code.partition("-")
    assert decode(book(), f" {head.lower()}-{body.lower().replace('0', 'o').replace('1', 'l')}\n") == listed


@given(at=st.integers(4, 60), other=st.sampled_from(ALPHABET))
def test_a_code_checks_itself(at: int, other: str) -> None:
    code = encode(book(), LISTS.ready(book(), "iron_marches", 3000))
    changed = code[:at] + other + code[at + 1 :]
    if changed.replace("-", "") != code.replace("-", ""):
        with pytest.raises(ListRefused) as refused:
            decode(book(), changed)
        assert refused.value.faults[0].k in ("op.list.damaged", "op.list.no-code")


@pytest.mark.parametrize(
    "code", ["", "hello", "IM1-", "IM1-0", "XX1-3R0G4", "IM1-3R0G4", "IM0-3R", "IM1-" + "Z" * 9000, "Ü"]
)
def test_what_is_no_code_is_refused(code: str) -> None:
    with pytest.raises(ListRefused):
        decode(book(), code)


@given(st.text(max_size=60))
def test_no_text_that_anyone_sends_does_more_than_be_refused(written: str) -> None:
    for text in (written, f"IM1-{written}", f"[list]\n{written}"):
        with pytest.raises(ListRefused):
            LISTS.read(book(), text)


def test_a_code_and_a_file_are_the_same_list() -> None:
    code = LISTS.build(book(), "sable_order", 3000, 4)
    written = LISTS.write(book(), code)
    assert LISTS.read(book(), written) == LISTS.read(book(), code)


def test_a_file_says_what_each_unit_costs() -> None:
    big = ArmyList("sable_order", book().armies["sable_order"].version, 3000, (ListEntry("SO-03", doubled=True),))
    assert "# Sworn Brothers, 320 points" in LISTS.write(book(), encode(book(), big))


BROKEN = """
[list]
army = "iron_marches"
version = 1
limit = 3000
colour = "red"

[[unit]]
id = "IM-04"
count = "many"

[[unit]]
id = "Marshal"
"""

WRONG = """
[list]
army = "iron_marches"
version = 1
limit = 3000
name = "Too much"

[[unit]]
id = "IM-12"
count = 18

[[unit]]
id = "IM-03"
upgrades = [7]

[[unit]]
id = "IM-99"
"""


def refused(written: str, of: armies.Book | None = None) -> list[str]:
    with pytest.raises(ListRefused) as problem:
        LISTS.read(of or book(), written, "mine.toml")
    return [format_text(fault, ENGLISH) for fault in problem.value.faults]


def test_every_fault_of_a_file_is_told_with_line_key_and_reason() -> None:
    assert refused(BROKEN) == [
        "mine.toml:6: list.colour: no such key is known here",
        "mine.toml:10: unit.0.count: Input should be a valid integer",
        "mine.toml:13: unit.1.id: String should match pattern '^[A-Z]{2}-(0[1-9]|[1-9][0-9])$'",
    ]
    assert refused(WRONG) == [
        "mine.toml:2: list: 3105 points are 105 more than the 3000 that are agreed.",
        "mine.toml:2: list: 18 Monsters, Walkers and Vehicles are too many: 8 at most.",
        "mine.toml:12: unit.1.discipline: War Seer needs a discipline.",
        "mine.toml:14: unit.1.upgrades: War Seer has no upgrade 7.",
        "mine.toml:17: unit.2.id: Iron Marches has no unit IM-99. Leave it out.",
    ]


CHANGES = """
[[changes.row]]
version = 2
unit = "IM-20"
became = "IM-04"
why = "The Reserves are Line Infantry now."

[[changes.row]]
version = 3
unit = "IM-04"
upgrade = 9
became = "1"
why = "The old machinegun has another number."

[[changes.row]]
version = 4
unit = "IM-21"
gone = true
why = "The Balloon was taken off the page."
"""


def later_book(changes: str = CHANGES) -> armies.Book:
    texts = army_texts()
    page = texts["armies/iron_marches.toml"]
    texts["armies/iron_marches.toml"] = page.replace("version = 1", "version = 4", 1) + changes
    return read(texts)


@pytest.mark.parametrize("became", ["IM-04", "²", "-1"])
def test_an_upgrade_that_becomes_no_number_is_refused(became: str) -> None:
    with pytest.raises(ContentRefused, match="an upgrade becomes another number"):
        later_book(CHANGES.replace('became = "1"', f'became = "{became}"'))


def test_a_list_from_an_older_page_is_brought_up_to_date() -> None:
    old = ArmyList("iron_marches", 1, 3000, (ListEntry("IM-20", 2, (9,)), ListEntry("IM-01")))
    later = later_book()
    brought = LISTS.read(later, encode(book(), old))
    assert [format_text(line, ENGLISH) for line in brought.changed] == [
        "Version 2, IM-20: The Reserves are Line Infantry now.",
        "Version 3, IM-04.9: The old machinegun has another number.",
    ]
    assert decode(later, brought.code).entries == (ListEntry("IM-04", 2, (1,)), ListEntry("IM-01"))
    assert brought.code.startswith("IM4-")


def test_what_is_no_more_is_refused_with_what_changed() -> None:
    later = later_book()
    old = ArmyList("iron_marches", 3, 3000, (ListEntry("IM-21"), ListEntry("IM-01")))
    with pytest.raises(ListRefused) as problem:
        LISTS.read(later, encode(book(), old))
    assert [format_text(line, ENGLISH) for line in problem.value.faults] == [
        "This list is of version 3; up to version 4 things in it are no more.",
        "Version 4, IM-21: The Balloon was taken off the page.",
    ]
    file = LISTS.write(book(), encode(book(), msgspec.structs.replace(old, version=1)))
    assert "mine.toml:5: list.version: Version 4, IM-21: The Balloon was taken off the page." in refused(file, later)


def test_a_list_from_a_page_to_come_is_refused() -> None:
    code = encode(later_book(), ArmyList("iron_marches", 4, 3000, (ListEntry("IM-01"),)))
    with pytest.raises(ListRefused) as problem:
        LISTS.read(book(), code)
    assert problem.value.faults[0].k == "op.list.newer"


def test_what_a_system_offers_is_found_on_it() -> None:
    class Offering:
        lists = LISTS

    assert lists_of(Offering()) is LISTS
    assert lists_of(object()) is None


@pytest.mark.parametrize(
    "numbers",
    [
        [2**70],
        [1_000],
        [30, 100, 2, 0, 0],
        [30, 0, 2, 0, 0],
        [30, 4, 302, 0, 0],
        [30, 4, 2**64, 0, 0],
        [30, 4, 2, 2**64, 0],
        [30, 4, 2, 0, 41, *range(1, 42)],
        [30, 4, 2, 0, 1, 100],
        [30, 4, 2, 0, 1, 0],
        [30, *([4, 2, 0, 0] * 81)],
        [30, 4, 2],
        [],
    ],
)
def test_every_number_of_a_code_has_the_bounds_of_a_file(numbers: list[int]) -> None:
    for draft in (coded("IM1", numbers), "IM1-G2081040G2081001A4RAC"):
        with pytest.raises(ListRefused) as refused:
            LISTS.form(book(), draft)
        assert [fault.k for fault in refused.value.faults] == ["op.list.damaged"]


def test_a_list_may_have_as_many_entries_as_a_file() -> None:
    most = ArmyList("iron_marches", 1, 99_900, (ListEntry("IM-99", 150, tuple(range(1, 6))),) * 80)
    assert decode(book(), encode(book(), most)) == most


def test_no_code_is_given_that_is_too_long_to_be_read() -> None:
    long = ArmyList("iron_marches", 1, 3000, (ListEntry("IM-04", 1, (1,) * 40),) * 80)
    with pytest.raises(ListRefused) as refused:
        encode(book(), long)
    assert refused.value.faults[0].k == "op.list.long-code"
