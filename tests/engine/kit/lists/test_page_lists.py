"""Army lists by pages, of a small system whose lines have nothing to choose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pytest

from engine.core.rules.army_lists import ArmyLists
from engine.core.rules.errors import ListRefused
from engine.kit.lists.codes import bounded
from engine.kit.lists.list_texts import decode, document_of, encode
from engine.kit.lists.page_lists import PageLists
from engine.kit.lists.page_rules import ArmyList, FactionPage, ListLine
from protocol.text import Text, text
from protocol.wire.list_form import Change, Count, FormSection, ListForm, Pick

FEW = 350


class Paper(NamedTuple):
    """A page: the points of each of its units; `gone`: one that its present version has no more."""

    id: str
    code: str
    name: str
    version: int
    units: Mapping[str, int]
    lines: tuple[str, ...] = ("They hold the line.",)
    gone: str = ""
    glyph: str = ""
    strong: str = ""
    weak: str = ""


class Lost(NamedTuple):
    """A unit that is no more."""

    unit: str
    version: int
    why: str = "It was too strong."
    gone: bool = True


BOOK = {
    "west": Paper("west", "WA", "Western Alliance", 3, {"WA-01": 60, "WA-V1": 90}, gone="WA-07"),
    "moon": Paper("moon", "LC", "Lunar Colony", 1, {"LC-01": 40}),
}
Book = Mapping[str, Paper]
ENGLISH = {
    "zz.list.points": "{points} of {limit}",
    "zz.list.no-unit": "no {unit}",
    "zz.list.outdated": "{version} to {known}",
    "zz.list.changed": "{unit}: {why}",
}


class PaperLists(PageLists[Book, ListLine]):
    limits = (FEW, 500)
    words = "zz."
    english = ENGLISH
    step = 50
    document = document_of(ListLine, 50)

    def pages(self, book: Book) -> Book:
        return book

    def line_faults(self, book: Book, listed: ArmyList[ListLine], entry: ListLine) -> Iterator[tuple[str, Text]]:
        if entry.unit not in book[listed.army].units:
            yield "unit", text("zz.list.no-unit", unit=entry.unit)

    def composition(self, book: Book, listed: ArmyList[ListLine]) -> Iterator[Text]:
        if self.points(book, listed) > listed.limit:
            yield text("zz.list.points", points=self.points(book, listed), limit=listed.limit)

    def points(self, book: Book, listed: ArmyList[ListLine]) -> int:
        return sum(book[listed.army].units.get(entry.unit, 0) * entry.count for entry in listed.entries)

    def total(self, book: Book, listed: ArmyList[ListLine]) -> Text:
        return text("zz.list.total", points=self.points(book, listed))

    def row(self, book: Book, listed: ArmyList[ListLine], entry: ListLine) -> Text:
        return text("zz.list.row", unit=entry.unit, count=entry.count)

    def plain(self, book: Book, army: str, unit: str, count: int = 1) -> ListLine | None:
        return ListLine(unit, count) if unit in book[army].units else None

    def drawn(self, book: Book, army: str, limit: int, seed: int) -> ArmyList[ListLine]:
        unit, points = next(iter(book[army].units.items()))
        return ArmyList(army, book[army].version, limit, (ListLine(unit, 1 + seed % max(1, limit // points)),))

    def sampled(self, book: Book, army: str, limit: int) -> ArmyList[ListLine] | None:
        if army == "moon":
            return None
        return ArmyList(army, book[army].version, limit, tuple(map(ListLine, book[army].units)), "Ready")

    def numbers(self, book: Book, entry: ListLine) -> Iterator[int]:
        yield [*BOOK["west"].units, *BOOK["moon"].units, "WA-07"].index(entry.unit)
        yield entry.count

    def entry(self, book: Book, page: FactionPage, rest: list[int]) -> ListLine:
        units = [*BOOK["west"].units, *BOOK["moon"].units, "WA-07"]
        return ListLine(units[rest.pop()], bounded(rest.pop(), 1, 20))

    def written(self, book: Book, listed: ArmyList[ListLine], entry: ListLine) -> Iterator[str]:
        yield f'id = "{entry.unit}"'
        yield f"count = {entry.count}"

    def sections(self, book: Book, listed: ArmyList[ListLine]) -> Iterator[FormSection]:
        lines = enumerate(listed.entries)
        rows = [Count(f"line/{at}", self.said(entry.unit), value=entry.count) for at, entry in lines]
        yield FormSection(text("zz.form.list"), tuple(rows))

    def refitted(self, book: Book, army: str, entry: ListLine, what: str, which: str, value: int) -> ListLine:
        return entry

    def changes(self, book: Book, army: str) -> list[Lost]:
        return [Lost(book[army].gone, book[army].version)] if book[army].gone else []

    def touched(self, change: Lost, entry: ListLine) -> str:
        return entry.unit if entry.unit == change.unit else ""


LISTS = PaperLists()


def changed(form: ListForm, row: str, value: int = 0) -> ListForm:
    return LISTS.form(BOOK, form.draft, Change(row, value))


def entries(form: ListForm) -> list[tuple[str, int]]:
    return [(entry.unit, entry.count) for entry in decode(LISTS, BOOK, form.draft).entries]


def faults_of(written: str) -> list[Text]:
    with pytest.raises(ListRefused) as refused:
        LISTS.read(BOOK, written, "mine.toml")
    return list(refused.value.faults)


def test_a_host_finds_all_that_it_asks_of_lists() -> None:
    lists: Any = LISTS
    assert isinstance(lists, ArmyLists)
    assert LISTS.factions(BOOK) == ["west", "moon"]


def test_a_list_is_the_same_as_code_and_as_file() -> None:
    code = LISTS.build(BOOK, "west", FEW, 7)
    brought = LISTS.read(BOOK, code)
    assert (brought.faction, brought.points, brought.limit) == ("west", 180, FEW)
    assert brought.lines == (text("zz.list.total", points=180), text("zz.list.row", unit="WA-01", count=3))
    assert brought.name == Text("Western Alliance"), "a name of the content may be translated"
    assert LISTS.read(BOOK, LISTS.write(BOOK, code)) == brought


def test_what_is_wrong_in_a_file_is_named_with_its_line() -> None:
    head = '[list]\narmy = "west"\nversion = 3\nlimit = 350\n'
    units = '[[unit]]\nid = "WA-V1"\ncount = 4\n[[unit]]\nid = "WA-09"'
    told = [str(fault.a["problem"]) for fault in faults_of(head + units)]
    assert [line.partition(" ")[0] for line in told] == ["mine.toml:1:", "mine.toml:9:"]
    assert "360 of 350" in told[0]
    assert "no WA-09" in told[1]


@pytest.mark.parametrize(
    ("code", "key"),
    [("hello", "no-code"), ("XX1-3R0G4", "no-army"), ("WA3-3R0G4", "damaged")],
)
def test_a_damaged_code_is_refused(code: str, key: str) -> None:
    assert [fault.k for fault in faults_of(code)] == [f"zz.list.{key}"]


def test_a_list_too_long_for_a_code_or_of_no_army_is_refused() -> None:
    many = ArmyList("west", 3, FEW, tuple([ListLine("WA-01")] * 900))
    with pytest.raises(ListRefused, match="long-code"):
        encode(LISTS, BOOK, many)
    with pytest.raises(ListRefused, match="no-army"):
        LISTS.empty(BOOK, "mars", FEW)
    with pytest.raises(ListRefused, match="no-army"):
        LISTS.form(BOOK, '[list]\narmy = "mars"\nversion = 1\nlimit = 50')
    more = ArmyList("west", 3, FEW, tuple([ListLine("WA-01")] * 81))
    assert faults_of(encode(LISTS, BOOK, more))[0].k == "zz.list.damaged"


def test_a_list_from_an_older_page_is_brought_up_or_told_why_it_cannot_be() -> None:
    old = encode(LISTS, BOOK, ArmyList("west", 2, FEW, (ListLine("WA-01"),)))
    assert LISTS.read(BOOK, old).code.startswith("WA3-")
    lost = encode(LISTS, BOOK, ArmyList("west", 2, FEW, (ListLine("WA-07"),)))
    assert [fault.k for fault in faults_of(lost)] == ["zz.list.outdated", "zz.list.changed"]
    newer = encode(LISTS, BOOK, ArmyList("west", 4, FEW, ()))
    assert [fault.k for fault in faults_of(newer)] == ["zz.list.newer"]


def test_the_form_takes_units_and_changes_lines() -> None:
    form = LISTS.form(BOOK, LISTS.empty(BOOK, "west", FEW))
    form = changed(changed(form, "take/WA-01", 2), "take/WA-V1", 1)
    assert entries(form) == [("WA-01", 2), ("WA-V1", 1)]
    form = changed(form, "split/0")
    assert entries(form) == [("WA-01", 2), ("WA-01", 1), ("WA-V1", 1)]
    assert entries(changed(form, "take/WA-01", 5)) == [("WA-01", 4), ("WA-01", 1), ("WA-V1", 1)]
    assert entries(changed(form, "take/WA-01", 1)) == [("WA-01", 1), ("WA-V1", 1)]
    assert entries(changed(form, "line/0", 3)) == [("WA-01", 3), ("WA-01", 1), ("WA-V1", 1)]
    assert entries(changed(form, "line/2", 0)) == [("WA-01", 2), ("WA-01", 1)]
    for row in ("take/WA-99", "line/7", "line/x", "nothing", "study/0"):
        assert changed(form, row, 1).draft == form.draft
    assert changed(form, "take/WA-01", 9).faults == (text("zz.list.points", points=630, limit=FEW),)


def test_the_frame_changes_the_whole_list() -> None:
    form = LISTS.form(BOOK, LISTS.build(BOOK, "west", FEW, 1))
    army, limit = form.sections[0].rows[:2]
    assert isinstance(army, Pick)
    assert (army.value, army.hint) == (0, (Text("They hold the line."),))
    assert isinstance(limit, Pick)
    assert decode(LISTS, BOOK, changed(form, "army", 1).draft).army == "moon"
    assert decode(LISTS, BOOK, changed(form, "limit", 1).draft).limit == 500
    assert entries(changed(form, "clear")) == []
    assert entries(changed(form, "sample")) == [("WA-01", 1), ("WA-V1", 1)]
    assert changed(form, "chance").draft == changed(form, "chance").draft
    assert (changed(form, "army", 9).draft, changed(form, "limit", 9).draft) == (form.draft, form.draft)


def test_a_drawn_list_is_sound_or_refused() -> None:
    for army, limit, key in (("mars", FEW, "no-army"), ("west", 400, "limit")):
        with pytest.raises(ListRefused, match=key):
            LISTS.build(BOOK, army, limit, 1)
    dear = {"west": BOOK["west"]._replace(units={"WA-01": 900})}
    with pytest.raises(ListRefused, match="points"):
        LISTS.build(dear, "west", FEW, 1)


def test_without_a_sound_example_the_ready_list_is_drawn() -> None:
    assert LISTS.ready(BOOK, "west", FEW).name == "Ready"
    assert LISTS.ready(BOOK, "moon", FEW) == LISTS.draw(BOOK, "moon", FEW, 0)


def test_the_size_of_a_list_is_bounded() -> None:
    def faults(listed: ArmyList[ListLine]) -> list[tuple[str, int, str]]:
        return [(fault.text.k.removeprefix("zz.list."), fault.at, fault.key) for fault in LISTS.faults(BOOK, listed)]

    assert faults(ArmyList("mars", 1, FEW)) == [("no-army", -1, "army")]
    assert faults(ArmyList("west", 3, 100)) == [("limit", -1, "limit"), ("empty", -1, "")]
    assert faults(ArmyList("west", 3, FEW, (ListLine("WA-01", 0),))) == [("none-of", 0, "count")]
    assert ("too-long", -1, "") in faults(ArmyList("west", 3, FEW, (ListLine("WA-01", 151),)))
