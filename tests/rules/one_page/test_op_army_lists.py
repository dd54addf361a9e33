"""Army lists: what may be in them, what they cost, and what comes to the table."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, strategies as st

from engine.core.rules.errors import ListRefused
from engine.rulesets.one_page.content.army_lists import LISTS, muster
from engine.rulesets.one_page.content.army_schema import arm
from engine.rulesets.one_page.content.lists import LIMITS, ArmyList, ListEntry, equip, price, totals
from engine.rulesets.one_page.state import profiles
from tests.support.systems.army_book import book
from tests.support.systems.battle import sound

MARCHES = "iron_marches"


def marches(*entries: ListEntry, limit: int = 3000) -> ArmyList:
    return ArmyList(MARCHES, 1, limit, entries)


def told(listed: ArmyList) -> list[tuple[str, int, str]]:
    return [(fault.text.k.removeprefix("op.list."), fault.at, fault.key) for fault in LISTS.faults(book(), listed)]


@pytest.mark.rule("OP-SETUP-01")
def test_points_heroes_and_special_units_are_limited_at_both_sizes() -> None:
    for limit in LIMITS:
        most = marches(ListEntry("IM-01", 3), ListEntry("IM-10", 4), ListEntry("IM-11", 4), limit=limit)
        assert told(most) == []
        over = marches(ListEntry("IM-01", 3), ListEntry("IM-02"), ListEntry("IM-11", 5), ListEntry("IM-10", 4))
        assert told(over) == [("heroes", -1, ""), ("special", -1, "")]
    assert told(marches(ListEntry("IM-04", 35))) == []
    assert told(marches(ListEntry("IM-04", 36))) == [("points", -1, "")]


@pytest.mark.rule("OP-SETUP-01")
@pytest.mark.parametrize(
    ("entries", "faults"),
    [
        ((ListEntry("IM-12", 7), ListEntry("IM-10", 1), ListEntry("IM-04", 20), ListEntry("IM-01", 1)), []),
        ((ListEntry("IM-12", 7), ListEntry("IM-10", 1), ListEntry("IM-04", 20), ListEntry("IM-07", 1)), ["points"]),
        ((ListEntry("IM-01", 3), ListEntry("IM-10", 8)), []),
        ((ListEntry("IM-01", 4), ListEntry("IM-10", 8)), ["heroes"]),
        ((ListEntry("IM-01", 3), ListEntry("IM-10", 9)), ["special"]),
    ],
)
def test_each_limit_may_be_reached_and_not_passed(entries: tuple[ListEntry, ...], faults: list[str]) -> None:
    """The first is 3000 points to the point; with a crew for its officer it is 3005."""
    assert [fault for fault, _, _ in told(marches(*entries))] == faults


@pytest.mark.rule("OP-SETUP-01")
def test_psykers_are_no_heroes_and_all_units_are_of_one_page() -> None:
    assert told(marches(ListEntry("IM-03", 9, (), "ash"))) == []
    assert told(marches(ListEntry("SO-01"))) == [("no-unit", 0, "unit")]


@pytest.mark.rule("OP-UNIT-01", "OP-UNIT-02")
def test_only_plain_infantry_can_be_doubled() -> None:
    assert told(marches(ListEntry("IM-04", doubled=True))) == []
    assert told(marches(ListEntry("IM-01"), ListEntry("IM-10"), ListEntry("IM-12"))) == []
    for unit, studied in (("IM-01", ""), ("IM-03", "ash"), ("IM-10", ""), ("IM-12", "")):
        assert told(marches(ListEntry(unit, 1, (), studied, doubled=True))) == [("no-double", 0, "doubled")]


@pytest.mark.rule("OP-UNIT-01")
def test_every_unit_that_is_not_special_is_infantry() -> None:
    units = book().armies["brood_of_ossa"].units.values()
    assert {unit.kind for unit in units if unit.infantry} == {"hero", "psyker", "infantry"}
    assert {unit.kind for unit in units if not unit.infantry} == {"monster"}


@pytest.mark.rule("OP-UNIT-02", "OP-OPEN-02")
def test_two_copies_cost_twice_and_upgrades_for_all_are_bought_for_both() -> None:
    army = book().armies[MARCHES]
    assert price(army, ListEntry("IM-04", doubled=True)) == 170
    assert price(army, ListEntry("IM-04", 1, (4,), doubled=True)) == 180
    assert price(army, ListEntry("IM-04", 1, (1,), doubled=True)) == 175
    assert price(army, ListEntry("IM-04", 1, (1, 1, 4), doubled=True)) == 190
    assert sound(price, army, ListEntry("IM-04", 1, (1, 99))) == 90


@pytest.mark.rule("OP-OPEN-05")
def test_a_row_needs_models_that_still_have_the_old_weapon() -> None:
    army = book().armies[MARCHES]
    arms, wrong = equip(army, ListEntry("IM-04", 1, (1, 3, 4)))
    assert not wrong
    guns = [model[0] for model in arms]
    assert guns == ["rifle"] * 8 + ["flamer", "machinegun"]
    _, wrong = equip(army, ListEntry("IM-07", 1, (1, 2)))
    assert [fault.k for fault in wrong] == ["op.list.no-models"]
    _, wrong = equip(army, ListEntry("IM-06", 1, (1, 1, 9)))
    assert [fault.k for fault in wrong] == ["op.list.upgrade-twice", "op.list.no-upgrade"]
    arms, wrong = equip(army, ListEntry("IM-06", 1, (1, 1), doubled=True))
    assert not wrong
    assert len(arms) == 20
    assert sum("plasmagun" in model for model in arms) == 4


@pytest.mark.rule("OP-OPEN-05")
@pytest.mark.parametrize(
    ("entry", "arms", "wrong"),
    [
        (ListEntry("IM-07", 1, (3,)), ["lascannon", "lascannon", "lascannon"], []),
        (ListEntry("IM-07", 1, (3, 3)), ["lascannon", "lascannon", "lascannon"], ["upgrade-twice"]),
        (ListEntry("IM-07", 1, (1, 3)), ["autocannon", "autocannon", "autocannon"], ["no-models"]),
        (ListEntry("IM-07", 1, (9,)), ["machinegun", "machinegun", "machinegun"], ["no-upgrade"]),
        (ListEntry("IM-07", 1, (3, 3), doubled=True), ["lascannon"] * 6, ["upgrade-twice"]),
        (ListEntry("SO-04", 1, (1,)), ["pistol"] * 4 + ["plasma_pistol"], []),
        (ListEntry("SO-04", 1, (1, 1)), ["pistol"] * 4 + ["plasma_pistol"], ["upgrade-twice"]),
        (ListEntry("SO-04", 1, (1, 1), doubled=True), ["pistol"] * 8 + ["plasma_pistol"] * 2, []),
    ],
)
def test_rows_arm_the_models_that_they_are_for(entry: ListEntry, arms: list[str], wrong: list[str]) -> None:
    """Once for each copy, a row for all once; the leader is the last to change."""
    army = book().armies[MARCHES if entry.unit[:2] == "IM" else "sable_order"]
    found, faults = sound(equip, army, entry)
    assert [model[0] for model in found] == arms
    assert all(len(model) == 2 for model in found)
    assert [fault.k.removeprefix("op.list.") for fault in faults] == wrong


@pytest.mark.rule("OP-OPEN-05")
@pytest.mark.parametrize(("first", "last", "wrong"), [(2, "lascannon", []), (3, "autocannon", [(0, 1)])])
def test_a_row_for_all_needs_one_who_still_has_the_old_weapon(
    first: int, last: str, wrong: list[tuple[int, int]]
) -> None:
    """Two or all three crews of a page have changed theirs before."""
    army = book().armies[MARCHES]
    row = msgspec.structs.replace(army.upgrades["IM-07.1"], models=first)
    arms, faults = equip(
        msgspec.structs.replace(army, upgrades={**army.upgrades, "IM-07.1": row}), ListEntry("IM-07", 1, (1, 3))
    )
    assert [model[0] for model in arms] == [last, "autocannon", "autocannon"]
    assert [(fault.a["left"], fault.a["models"]) for fault in faults] == wrong


@pytest.mark.rule("OP-OPEN-05", "OP-WPN-01")
def test_who_gives_the_last_melee_weapon_away_has_fists() -> None:
    """No page sells that, so this one does."""
    army = book().armies["sable_order"]
    row = msgspec.structs.replace(army.upgrades["SO-04.2"], new=arm("Pistol"))
    bare = msgspec.structs.replace(army, upgrades={**army.upgrades, "SO-04.2": row})
    arms, wrong = sound(equip, bare, ListEntry("SO-04", 1, (2,)))
    assert wrong == []
    assert [len(model) for model in arms] == [2, 2, 2, 2, 3]
    assert arms[-1] == ["pistol", "pistol", "fists_claws"]


@pytest.mark.rule("OP-OPEN-14")
def test_each_psyker_takes_one_discipline() -> None:
    assert told(marches(ListEntry("IM-03", 1, (), "veil"), ListEntry("IM-04"))) == []
    assert told(marches(ListEntry("IM-03"))) == [("no-discipline", 0, "discipline")]
    assert told(marches(ListEntry("IM-03", 1, (), "mud"))) == [("unknown-discipline", 0, "discipline")]
    assert told(marches(ListEntry("IM-04", 1, (), "ash"))) == [("no-psyker", 0, "discipline")]
    assert sorted(book().disciplines) == ["ash", "veil"]


@pytest.mark.rule("OP-SETUP-01", "OP-OPEN-05")
def test_every_fault_is_named_at_once() -> None:
    entries = (
        ListEntry("IM-99"),
        ListEntry("IM-01", 5, (2,), "ash", doubled=True),
        ListEntry("IM-03"),
        ListEntry("IM-12", 30),
    )
    with pytest.raises(ListRefused) as refused:
        muster(book(), marches(*entries, limit=4000))
    assert [fault.k.removeprefix("op.list.") for fault in refused.value.faults] == [
        "limit",
        "no-unit",
        "no-double",
        "no-psyker",
        "no-upgrade",
        "no-discipline",
        "points",
        "heroes",
        "special",
    ]


@pytest.mark.rule("OP-OPEN-16")
@pytest.mark.parametrize(
    ("army", "points", "heroes", "special"),
    [
        ("iron_marches", 3000, 3, 7),
        ("sable_order", 2955, 1, 2),
        ("brood_of_ossa", 3000, 1, 3),
        ("lumen_choir", 2980, 2, 3),
    ],
)
def test_the_sample_armies(army: str, points: int, heroes: int, special: int) -> None:
    listed = LISTS.sampled(book(), army, LIMITS[0])
    assert listed is not None
    assert LISTS.faults(book(), listed) == []
    assert tuple(totals(book().armies[army], listed)) == (points, heroes, special)
    assert LISTS.sampled(book()._replace(samples={}), army, LIMITS[0]) is None


def test_a_list_is_mustered_unit_by_unit() -> None:
    force = muster(book(), marches(ListEntry("IM-04", 2, (1,)), ListEntry("IM-04", 1, (4,)), ListEntry("IM-01")))
    first, second, rifles, _ = force.units
    assert (force.points, first.points, rifles.points) == (85 * 3 + 15 + 55, 90, 90)
    assert first == second
    assert len(first.arms) == 10
    assert set(force.weapons) == {id for unit in force.units for model in unit.arms for id in model}


@given(
    army=st.sampled_from(["iron_marches", "sable_order", "brood_of_ossa", "lumen_choir"]),
    limit=st.sampled_from(LIMITS),
    seed=st.integers(0, 2**40),
)
def test_lists_that_are_drawn_are_legal_mixed_and_the_same_for_a_seed(army: str, limit: int, seed: int) -> None:
    listed = LISTS.draw(book(), army, limit, seed)
    assert LISTS.faults(book(), listed) == []
    assert listed == LISTS.draw(book(), army, limit, seed)
    page = book().armies[army]
    points, heroes, special = totals(page, listed)
    assert points >= limit * 94 // 100
    assert heroes >= 1
    assert special >= 1
    kinds = [page.units[entry.unit].kind for entry in listed.entries]
    assert kinds.count("infantry") >= 3
    assert muster(book(), listed).points == points


def test_names_of_special_rules_are_those_of_the_pages() -> None:
    units = [unit for army in book().armies.values() for unit in army.units.values()]
    assert {rule.id for unit in units for rule in unit.rules} <= profiles.UNIT_RULES
    weapons = [weapon for army in book().armies.values() for weapon in army.weapons.values()]
    assert {rule for weapon in weapons for rule in weapon.rules} <= profiles.WEAPON_RULES
