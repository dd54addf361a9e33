"""Army lists: what a force must have and may not have, codes and files, drawn lists, the form (AE-OPEN-29)."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given, strategies as st

from engine.core.rules.army_lists import lists_of
from engine.core.rules.errors import ListRefused
from engine.kit.lists.list_texts import decode, encode
from engine.rulesets.apocalypse_earth.content.army_lists import LISTS, muster
from engine.rulesets.apocalypse_earth.content.army_schema import several
from engine.rulesets.apocalypse_earth.content.lists import LIMITS, ArmyList, EarthLine, sums
from engine.rulesets.apocalypse_earth.text.texts import ENGLISH
from protocol.text_format import format_text
from protocol.wire.list_form import Change, Count, ListForm, Switch
from tests.support.systems.ae_shipped import content

ARMIES: Final = {page.code: page.id for page in content().book.factions.values()}


def listed(limit: int, *units: str, army: str = "") -> ArmyList:
    """Return a list of units as the ledger writes them, "2 x WA-01"."""
    named = [several(unit) for unit in units]
    lines = tuple(EarthLine(one.id, one.times) for one in named)
    return ArmyList(ARMIES[army or named[0].id[:2]], 1, limit, lines)


def wrong(limit: int, *units: str, army: str = "") -> list[str]:
    """Return the keys of what is wrong with a list."""
    found = LISTS.faults(content().book, listed(limit, *units, army=army))
    assert all("ae." not in format_text(fault.text, ENGLISH) for fault in found), "words are missing"
    return [fault.text.k.removeprefix("ae.list.") for fault in found]


STANDARD: Final = ("WA-08", "2 x WA-07", "5 x WA-01", "WA-04", "WA-V1", "FS-3", "FS-10")


@pytest.mark.rule("AE-OPEN-29")
def test_the_standard_force_of_the_ledger_is_sound() -> None:
    force = listed(1000, *STANDARD)
    assert (wrong(1000, *STANDARD), sums(content().book, force).points) == (
        [],
        944,
    )


@pytest.mark.rule("AE-OPEN-29")
@pytest.mark.parametrize(
    ("limit", "units", "keys"),
    [
        (900, STANDARD, ["limit", "points"]),
        (600, ("WA-01", "WA-01"), ["no-headquarters"]),
        (1000, ("WA-07", "2 x WA-01"), []),
        (1000, ("WA-08", "2 x WA-01"), []),
        (1000, ("WA-07", "WA-01"), ["squads"]),
        (1000, ("WA-07", "WA-01", "WA-02"), ["squads"]),
        (1000, ("WA-07", "WA-01", "2 x WA-02"), []),
        (1000, ("WA-07", "4 x WA-02"), []),
        (1000, ("WA-07", "4 x WA-01"), []),
        (1000, ("WA-07", "4 x WA-01", "WA-02"), ["squads"]),
        (1000, ("2 x WA-07", "3 x WA-01"), ["squads"]),
        (1000, ("2 x WA-07", "4 x WA-01"), []),
        (1000, ("WA-08", "WA-07", "4 x WA-01"), []),
        (1000, ("2 x WA-08", "WA-07", "2 x WA-01"), ["companies"]),
        (1000, ("WA-07", "2 x WA-01", "2 x WA-04"), []),
        (1000, ("WA-07", "2 x WA-01", "WA-04", "2 x WA-V1"), ["others"]),
        (1000, ("WA-07", "2 x WA-01", "3 x WA-05"), ["others"]),
        (1000, ("WA-07", "4 x WA-01", "3 x WA-05"), []),
        (1000, ("WA-07", "4 x WA-01", "4 x WA-05"), ["small"]),
        (1000, ("WA-07", "2 x WA-01", "2 x WA-V3"), []),
        (1000, ("WA-07", "2 x WA-01", "2 x WA-V3", "FS-10"), []),
        (1000, ("WA-07", "4 x WA-02", "2 x WA-V3"), []),
        (1000, ("WA-07", "4 x WA-02", "2 x WA-V3", "FS-10"), ["machines"]),
        (1000, ("WA-07", "2 x WA-02", "WA-01", "2 x FS-10"), ["cards"]),
        (1000, ("WA-07", "2 x WA-01", "FS-10"), []),
        (350, ("BR-08",), ["cells"]),
        (350, ("BR-08", "BR-01"), ["cells"]),
        (350, ("BR-08", "2 x BR-01"), []),
        (600, ("BR-08", "10 x BR-04"), ["small"]),
        (700, ("BR-08", "7 x BR-02"), []),
        (1500, ("BR-08", "11 x BR-02"), ["cells"]),
    ],
)
def test_a_force_is_led_filled_and_within_its_points(limit: int, units: tuple[str, ...], keys: list[str]) -> None:
    assert wrong(limit, *units) == keys


@pytest.mark.rule("AE-OPEN-24", "AE-OPEN-29")
def test_a_list_of_nothing_and_of_what_is_not_sold_is_told_where() -> None:
    assert wrong(1000, army="WA") == ["empty", "no-headquarters"]
    assert wrong(1000, "WA-07", "2 x WA-01", "HA-01") == ["no-unit"]
    assert wrong(1000, "JP-07", "2 x JP-01", "2 x JP-02", "FS-1") == ["no-card"]
    found = LISTS.faults(content().book, listed(1000, "WA-07", "2 x WA-01", "HA-01"))
    assert [(fault.at, fault.key) for fault in found] == [(2, "unit")]
    none = ArmyList("western_alliance", 1, 1000, (EarthLine("WA-07"), EarthLine("WA-01", 2), EarthLine("WA-04", 0)))
    assert [fault.text.k for fault in LISTS.faults(content().book, none)] == ["ae.list.none-of"]
    assert [fault.text.k for fault in LISTS.faults(content().book, ArmyList("mars", 1, 1000))] == ["ae.list.no-army"]
    many = ArmyList("brotherhood", 1, 1500, (EarthLine("BR-08"), EarthLine("BR-02", 150)))
    assert "ae.list.too-long" in [fault.text.k for fault in LISTS.faults(content().book, many)]


@pytest.mark.rule("AE-OPEN-06", "AE-OPEN-24", "AE-OPEN-29")
def test_options_that_nobody_may_have_are_told() -> None:
    lines = (EarthLine("WA-07"), EarthLine("WA-01", 2, (3,)), EarthLine("FS-10", 1, (1,)))
    found = LISTS.faults(content().book, ArmyList("western_alliance", 1, 1000, lines))
    assert [(fault.text.k, fault.at, fault.key) for fault in found] == [
        ("ae.list.no-option", 1, "options"),
        ("ae.list.no-option", 2, "options"),
    ]


@pytest.mark.rule("AE-OPEN-29", "AE-OPEN-24")
@given(st.sampled_from(sorted(ARMIES.values())), st.sampled_from(LIMITS), st.integers(0, 10_000))
def test_a_drawn_list_is_sound_and_spends_its_points(army: str, limit: int, seed: int) -> None:
    code = LISTS.build(content(), army, limit, seed)
    found = LISTS.read(content(), code)
    assert found.faction == army
    assert limit * 4 // 5 <= found.points <= limit
    assert LISTS.build(content(), army, limit, seed) == code


def test_no_list_is_drawn_for_an_unknown_faction_or_size() -> None:
    for army, limit in (("mars", 1000), ("chicom", 999)):
        with pytest.raises(ListRefused):
            LISTS.build(content(), army, limit, 1)


@pytest.mark.rule("AE-OPEN-31")
@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("army", sorted(ARMIES.values()))
def test_every_faction_has_a_ready_list_of_every_size(army: str, limit: int) -> None:
    ready = LISTS.ready(content().book, army, limit)
    assert (LISTS.faults(content().book, ready), ready.limit) == ([], limit)


@st.composite
def drafts(draw: st.DrawFn) -> ArmyList:
    """Any list, sound or not, of units that a page could have."""
    units = st.one_of(
        st.integers(1, 99).map("WA-{:02}".format),
        st.integers(1, 9).map("WA-V{}".format),
        st.integers(1, 99).map("FS-{}".format),
    )
    options = st.lists(st.integers(1, 30), max_size=5).map(sorted).map(tuple)
    lines = draw(st.lists(st.builds(EarthLine, units, st.integers(0, 60), options), max_size=30))
    return ArmyList("western_alliance", draw(st.integers(1, 999)), draw(st.sampled_from(LIMITS)), tuple(lines))


@given(drafts())
def test_a_code_says_all_of_a_list(draft: ArmyList) -> None:
    assert decode(LISTS, content().book, encode(LISTS, content().book, draft)) == draft


@given(st.text(max_size=60))
def test_no_text_that_anyone_sends_does_more_than_be_refused(written: str) -> None:
    for text in (written, f"WA1-{written}", f"[list]\n{written}"):
        with pytest.raises(ListRefused):
            LISTS.read(content(), text)


def test_a_code_and_a_file_are_the_same_list() -> None:
    code = LISTS.build(content(), "future_corp", 1000, 7)
    written = LISTS.write(content(), code)
    assert LISTS.read(content(), written) == LISTS.read(content(), code)
    options = ArmyList("western_alliance", 1, 500, (EarthLine("WA-01", 2, (1, 4)), EarthLine("FS-10")))
    lines = LISTS.write(content(), encode(LISTS, content().book, options)).splitlines()
    assert 'id = "WA-01"  # Rifle squad, 103 points' in lines
    assert "options = [1, 4]  # Underslung grenade launcher, Smoke grenade" in lines
    assert 'id = "FS-10"  # Smoke mission, 15 points' in lines


def test_a_file_is_told_what_is_wrong_by_line() -> None:
    file = '[list]\narmy = "chicom"\nversion = 1\nlimit = 350\n\n[[unit]]\nid = "CC-07"\n\n[[unit]]\nid = "CC-99"\n'
    with pytest.raises(ListRefused) as refused:
        LISTS.read(content(), file, "mine.toml")
    assert [format_text(fault, ENGLISH) for fault in refused.value.faults] == [
        "mine.toml:1: list: One headquarters needs 2 to 4 squads, and there are 0. Two fireteams count as one squad.",
        "mine.toml:10: unit.1.id: ChiCom has no unit CC-99. Leave it out.",
    ]


@pytest.mark.rule("AE-OPEN-08")
def test_a_force_has_its_units_cards_and_ratings() -> None:
    units = ("WA-07", "2 x WA-01", "WA-V1", "FS-10")
    force = muster(content().book, listed(350, *units))
    assert [unit.id for unit in force.units] == ["WA-07", "WA-01", "WA-01", "WA-V1"]
    assert (force.cards, force.points, force.initiative, force.air) == (("FS-10",), 345, 4, 5)


def changed(form: ListForm, *changes: tuple[str, int]) -> ListForm:
    for row, value in changes:
        form = LISTS.form(content(), form.draft, Change(row, value))
    return form


def test_the_form_offers_every_unit_vehicle_and_card() -> None:
    form = LISTS.form(content(), LISTS.empty(content(), "western_alliance", 500))
    rows = [row.id for section in form.sections for row in section.rows]
    page = content().book.factions["western_alliance"]
    assert [row for row in rows if row.startswith("take/")] == [
        f"take/{id}"
        for id in (
            "WA-08",
            "WA-07",
            "WA-01",
            "WA-06",
            "WA-02",
            "WA-03",
            "WA-04",
            "WA-05",
            *page.vehicles,
            *page.support,
        )
    ]
    for section in form.sections:
        for row in section.rows:
            words = [row.label, *row.hint, *([row.note] if row.note else [])]
            assert all("ae." not in format_text(word, ENGLISH) for word in words)


def test_the_form_takes_units_and_fits_them_out() -> None:
    form = LISTS.form(content(), LISTS.empty(content(), "western_alliance", 500))
    form = changed(form, ("take/WA-07", 1), ("take/WA-01", 2), ("take/WA-V1", 1), ("take/FS-10", 1))
    assert form.faults == ()
    form = changed(form, ("option/1/1", 1), ("option/1/4", 1), ("option/1/1", 0), ("split/1", 1))
    entries = decode(LISTS, content().book, form.draft).entries
    assert entries == (
        EarthLine("WA-07"),
        EarthLine("WA-01", 2, (4,)),
        EarthLine("WA-01"),
        EarthLine("WA-V1"),
        EarthLine("FS-10"),
    )
    rows = {row.id: row for row in form.sections[-1].rows}
    switch, count = rows["option/1/4"], rows["line/1"]
    assert isinstance(switch, Switch)
    assert switch.on
    assert isinstance(count, Count)
    assert count.value == 2
    for row in ("option/0/x", "option/0/99", "option/9/1", "take/XX-01", "study/0"):
        assert changed(form, (row, 1)).draft == form.draft
    assert changed(form, ("sample", 1)).faults == ()
    assert format_text(form.total, ENGLISH).startswith(
        "445 of 500 points, 1 headquarters, 4 other units, 1 support card"
    )


def test_a_host_finds_all_that_it_asks_of_lists() -> None:
    class Earth:
        lists = LISTS

    assert lists_of(Earth()) is LISTS
    assert list(LISTS.factions(content())) == list(content().book.factions)
