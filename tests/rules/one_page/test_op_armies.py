"""The army pages and what the points formula makes of them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.core.rules.errors import ContentRefused
from engine.rulesets.one_page.content.armies import Army, weapon_of, with_class_rules, with_fists
from engine.rulesets.one_page.content.army_schema import DraftEntry
from engine.rulesets.one_page.content.prices import nearest_five, unit_price, upgrade_price, weapon_value
from engine.rulesets.one_page.state.profiles import SpecialRule
from tests.support.systems.army_book import army_texts, book, read
from tests.support.systems.battle import sound

WEAPONS = {
    "fists_claws": (0, 1, "1.5"),
    "hand_weapon": (0, 2, "3"),
    "power_weapon": (0, 3, "4.5"),
    "power_fist": (0, 4, "6"),
    "dreadnought_fist": (0, 5, "7.5"),
    "pistol": (12, 1, "1.5"),
    "shotgun": (12, 3, "4.5"),
    "plasma_pistol": (12, 3, "4.5"),
    "flamer": (12, 4, "6"),
    "meltagun": (12, 6, "13.5"),
    "carbine": (18, 1, "2"),
    "assault_rifle": (24, 1, "2.5"),
    "minigun": (24, 3, "7.5"),
    "plasmagun": (24, 3, "7.5"),
    "grenade_launcher": (24, 4, "10"),
    "multi_melta": (24, 6, "22.5"),
    "rifle": (30, 1, "3"),
    "machinegun": (36, 3, "10.5"),
    "multi_laser": (36, 3, "10.5"),
    "plasma_cannon": (36, 6, "21"),
    "autocannon": (48, 4, "16"),
    "mortar": (48, 6, "24"),
    "missile_launcher": (48, 6, "24"),
    "lascannon": (48, 6, "36"),
    "battle_cannon": (72, 9, "45"),
}


def army(id: str) -> Army:
    return book().armies[id]


@pytest.mark.rule("OP-WPN-03")
def test_the_weapon_table() -> None:
    table = {id: weapon_of(book().table, id) for id in WEAPONS}
    assert book().table.keys() == WEAPONS.keys()
    assert {id: (w.range // 100, w.attacks) for id, w in table.items()} == {id: w[:2] for id, w in WEAPONS.items()}


@pytest.mark.rule("OP-WPN-03")
def test_weapons_with_an_x() -> None:
    table = {id: weapon_of(book().table, id) for id in WEAPONS}
    assert {id for id, weapon in table.items() if weapon.single} == {"meltagun", "multi_melta", "lascannon"}


@pytest.mark.rule("OP-OPEN-04")
def test_what_weapons_are_worth() -> None:
    values = {id: weapon_value(book().worth, weapon_of(book().table, id)) for id in WEAPONS}
    assert values == {id: Fraction(value) for id, (_, _, value) in WEAPONS.items()}
    hunters = weapon_of(book().table, "rifle.rending.scoper")
    assert weapon_value(book().worth, hunters) == Fraction("3.75")


@pytest.mark.rule("OP-OPEN-04")
@pytest.mark.parametrize(
    ("rule", "times"),
    [
        ("piercing", "1.5"),
        ("poison", "1.4"),
        ("rending", "1.25"),
        ("linked", "1.4"),
        ("indirect", "1.25"),
        ("limited", "0.3"),
        ("scoper", "1"),
    ],
)
def test_what_rules_make_of_the_worth_of_a_weapon(rule: str, times: str) -> None:
    """Of a rifle, worth 3."""
    assert weapon_value(book().worth, weapon_of(book().table, f"rifle.{rule}")) == 3 * Fraction(times)


@pytest.mark.rule("OP-OPEN-02", "OP-OPEN-03")
def test_the_worked_example_of_the_formula() -> None:
    """Line Infantry is 8.67 each, ten 86.67: 85. A Marshal is 53: 55."""
    marches, worth = army("iron_marches"), book().worth
    line = unit_price(worth, marches.units["IM-04"], marches.weapons.__getitem__)
    assert line == 10 * Fraction(26, 3)
    assert nearest_five(line) == 85
    marshal = unit_price(worth, marches.units["IM-01"], marches.weapons.__getitem__)
    assert marshal == 24 + 3 + 20 + 6
    assert nearest_five(marshal) == 55


@pytest.mark.rule("OP-OPEN-02")
def test_only_the_total_is_rounded_and_half_a_step_goes_up() -> None:
    assert [nearest_five(Fraction(n, 2)) for n in (4, 5, 14, 15, -5, -4)] == [0, 5, 5, 10, -5, 0]


@pytest.mark.rule("OP-OPEN-02", "OP-OPEN-03", "OP-OPEN-04")
@pytest.mark.parametrize("id", ["iron_marches", "sable_order", "brood_of_ossa", "lumen_choir"])
def test_every_stated_price_is_that_of_the_formula(id: str) -> None:
    page, worth = army(id), book().worth
    arsenal = page.weapons.__getitem__
    assert {u.id: nearest_five(unit_price(worth, u, arsenal)) for u in page.units.values()} == {
        unit.id: unit.points for unit in page.units.values()
    }
    for upgrade in page.upgrades.values():
        unit = page.units[upgrade.unit]
        models = upgrade.models or unit.models
        assert upgrade_price(worth, unit, models, arsenal(upgrade.old.id), arsenal(upgrade.new.id)) == upgrade.points


@pytest.mark.rule("OP-OPEN-05")
@pytest.mark.parametrize(
    ("id", "units", "upgrades", "first", "last"),
    [
        pytest.param("iron_marches", 13, 13, "Marshal", "Siege Gun", marks=pytest.mark.rule("OP-OPEN-06")),
        pytest.param("sable_order", 11, 16, "Grand Castellan", "Judgement Tank", marks=pytest.mark.rule("OP-OPEN-08")),
        pytest.param("brood_of_ossa", 13, 8, "Brood Tyrant", "Burrow Worm", marks=pytest.mark.rule("OP-OPEN-10")),
        pytest.param("lumen_choir", 13, 8, "Cantor", "Prism Ship", marks=pytest.mark.rule("OP-OPEN-12")),
    ],
)
def test_the_pages_are_whole(id: str, units: int, upgrades: int, first: str, last: str) -> None:
    page = army(id)
    names = [unit.name for unit in page.units.values()]
    assert (len(names), len(page.upgrades), names[0], names[-1]) == (units, upgrades, first, last)
    assert all(unit.text for unit in page.units.values())


@pytest.mark.parametrize(
    ("id", "upgrade", "old", "new", "models", "points"),
    [
        pytest.param("iron_marches", "IM-07.3", "machinegun", "lascannon", 0, 50, marks=pytest.mark.rule("OP-OPEN-07")),
        pytest.param(
            "sable_order",
            "SO-11.1",
            "lascannon.linked",
            "autocannon.linked",
            1,
            -35,
            marks=pytest.mark.rule("OP-OPEN-09"),
        ),
        pytest.param(
            "brood_of_ossa",
            "BO-05.1",
            "hand_weapon.rending",
            "power_weapon.rending",
            0,
            20,
            marks=pytest.mark.rule("OP-OPEN-11"),
        ),
        pytest.param("lumen_choir", "LC-05.1", "pistol", "meltagun", 1, 15, marks=pytest.mark.rule("OP-OPEN-13")),
    ],
)
def test_upgrades(id: str, upgrade: str, old: str, new: str, models: int, points: int) -> None:
    row = army(id).upgrades[upgrade]
    assert (row.old.id, row.new.id, row.models, row.points) == (old, new, models, points)


@pytest.mark.rule("OP-UNIT-04", "OP-UNIT-05", "OP-VEH-01")
def test_a_class_has_its_rules_though_the_page_is_silent() -> None:
    def of(kind: str) -> set[str]:
        return {rule.id for rule in with_class_rules(kind, [SpecialRule("flying")])}  # type: ignore[arg-type]

    assert of("monster") == {"flying", "armored", "fear", "relentless"}
    assert of("walker") == of("vehicle") == {"flying", "armored", "relentless"}
    assert of("infantry") == {"flying"}


@pytest.mark.rule("OP-WPN-01")
def test_a_model_without_a_melee_weapon_has_its_fists() -> None:
    assert with_fists(["rifle.scoper"], book().table) == ("rifle.scoper", "fists_claws")
    assert with_fists(["rifle", "power_weapon.rending"], book().table) == ("rifle", "power_weapon.rending")


@pytest.mark.rule("OP-OPEN-01")
def test_what_the_rules_leave_open_is_there() -> None:
    found = sound(book)
    assert [army.code for army in found.armies.values()] == ["BO", "IM", "LC", "SO"]
    assert all(len(army.lines) >= 3 and "How they play" in army.lines[-1] for army in found.armies.values())
    assert found.samples.keys() == found.armies.keys()
    assert len(found.disciplines) == 2


@pytest.mark.rule("OP-OPEN-01")
def test_files_without_an_army_or_a_ready_list_are_read_too() -> None:
    """The weapons are no army's; a page without a ready list has none."""
    texts = army_texts()
    page = texts["armies/iron_marches.toml"]
    texts["armies/iron_marches.toml"] = page[: page.index("[sample]")]
    found = sound(read, texts)
    assert found.armies.keys() == book().armies.keys()
    assert found.samples.keys() == book().samples.keys() - {"iron_marches"}
    assert found.drafts["iron_marches"] == DraftEntry()
    assert found.changes.keys() <= found.armies.keys()
    assert found.drafts["sable_order"] != DraftEntry()


def test_a_ready_list_is_what_the_page_says_of_it() -> None:
    page = (
        army_texts()["armies/iron_marches.toml"].replace("heroes = 3", "heroes = 4").replace("IM-03 = 2", "IM-33 = 2")
    )
    texts = {**army_texts(), "armies/iron_marches.toml": page}
    with pytest.raises(ContentRefused) as problem:
        read(texts)
    assert [line.partition(": ")[2] for line in problem.value.problems] == [
        "sample.unit.IM-33: the page has no unit IM-33"
    ]
    texts["armies/iron_marches.toml"] = page.replace("IM-33 = 2", "IM-03 = 1")
    with pytest.raises(ContentRefused) as problem:
        read(texts)
    assert [line.partition(": ")[2] for line in problem.value.problems] == [
        "sample.points: its rows make 2955 of it",
        "sample.heroes: its rows make 3 of it",
    ]


def test_a_draft_names_units_of_its_page() -> None:
    page = army_texts()["armies/iron_marches.toml"].replace("[draft.unit]", "[draft.unit]\nIM-33 = 3")
    with pytest.raises(ContentRefused, match=r"draft\.unit\.IM-33: the page has no unit IM-33"):
        read({**army_texts(), "armies/iron_marches.toml": page})


BROKEN = """
[army]
id = "wrong"
code = "IM"
name = "Wrong"
version = 1

[[page.unit]]
id = "IM-01"
name = "Guard"
type = "infantry"
quality = 4
models = 5
special = ["Armoured", "Psyker"]
weapons = ["Rifle (Sharp)"]
points = 41

[[page.unit]]
id = "XX-02"
name = "Lance"
type = "infantry"
quality = 4
models = 5
weapons = ["Long Lance", "Rifle"]
points = 60
colour = "red"

[[page.unit]]
id = "XX-02"
name = "Guard"
type = "infantry"
quality = 4
models = 5
weapons = ["Rifle"]
points = 60

[[upgrades.row]]
unit = "XX-03"
number = 1
models = 9
from = "Pistol"
to = "2x Rifle"
points = 5
"""


def told(text: str) -> list[str]:
    with pytest.raises(ContentRefused) as problem:
        read({**army_texts(), "mine.toml": text})
    return list(problem.value.problems)


@pytest.mark.rule("OP-OPEN-05")
def test_every_fault_of_form_and_of_meaning_is_told_in_one_round() -> None:
    assert told(BROKEN) == [
        "mine.toml:4: army.code: IM is defined in armies/iron_marches.toml too",
        "mine.toml:14: page.unit.0.special.0: Armoured is no special rule of a unit; did you mean Armored?",
        "mine.toml:14: page.unit.0.special.1: Psyker has no number",
        "mine.toml:15: page.unit.0.weapons.0: Rifle (Sharp): sharp is no special rule of a weapon",
        "mine.toml:16: page.unit.0.points: Input should be a multiple of 5",
        "mine.toml:19: page.unit.1.id: the units of this army begin with IM-",
        "mine.toml:24: page.unit.1.weapons: no weapon is called Long Lance",
        "mine.toml:26: page.unit.1.colour: no such key is known here",
        "mine.toml:29: page.unit.2.id: the id XX-02 is used twice",
        "mine.toml:29: page.unit.2.id: the units of this army begin with IM-",
        "mine.toml:35: page.unit.2.points: the points formula makes 65 of it (62.50)",
        "mine.toml:38: upgrades.row.0.unit: the page has no unit XX-03",
        "mine.toml:42: upgrades.row.0.to: one weapon changes for one",
    ]


@pytest.mark.rule("OP-OPEN-05")
def test_without_faults_of_form_the_others_are_told_alone() -> None:
    sound = (
        BROKEN.replace('colour = "red"\n', "").replace('"2x Rifle"', '"Rifle"').replace("points = 41", "points = 40")
    )
    sound = sound.replace('"Armoured", "Psyker"', '"Armored"').replace("(Sharp)", "(Scoper)")
    assert told(sound) == [
        "mine.toml:4: army.code: IM is defined in armies/iron_marches.toml too",
        "mine.toml:16: page.unit.0.points: the points formula makes 115 of it (112.50)",
        "mine.toml:19: page.unit.1.id: the units of this army begin with IM-",
        "mine.toml:24: page.unit.1.weapons: no weapon is called Long Lance",
        "mine.toml:28: page.unit.2.id: the id XX-02 is used twice",
        "mine.toml:28: page.unit.2.id: the units of this army begin with IM-",
        "mine.toml:34: page.unit.2.points: the points formula makes 65 of it (62.50)",
        "mine.toml:37: upgrades.row.0.unit: the page has no unit XX-03",
    ]
