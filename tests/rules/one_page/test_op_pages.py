"""The army pages, row by row as the ledger has them (OP-OPEN-06 to -13, -16)."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

import pytest

from engine.core.content import content_files
from engine.rulesets.one_page.content.armies import Army
from engine.rulesets.one_page.content.army_schema import Document
from engine.rulesets.one_page.state.profiles import UnitProfile
from tests.support.systems.army_book import army_texts, book

UNITS: Final = """
IM-01|Marshal|Hero|4+|1|3|Fearless|Pistol, Power Weapon|55
IM-02|Storm Colonel|Hero|3+|1|3|Fearless|Plasma Pistol, Power Weapon|70
IM-03|War Seer|Psyker|5+|1|2|Psyker(1)|Pistol, Hand Weapon|45
IM-04|Line Infantry|Infantry|5+|10|-|-|Assault Rifle, Fists/Claws|85
IM-05|Conscripts|Infantry|6+|20|-|-|Rifle, Fists/Claws|130
IM-06|Storm Troopers|Infantry|4+|10|-|Deep Strike|Carbine (Piercing), Fists/Claws|145
IM-07|Heavy Weapon Crews|Infantry|5+|3|2|-|Machinegun, Fists/Claws|60
IM-08|Pathfinders|Infantry|4+|5|-|Scout, Strider|Rifle (Scoper), Fists/Claws|90
IM-09|Lancers|Infantry|5+|5|2|Fast, Furious|Pistol, Hand Weapon|110
IM-10|Sentry Walker|Walker|5+|1|3|Armored, Relentless, Scout|Multi-Laser, Fists/Claws|55
IM-11|Carrier|Vehicle|5+|1|6|Armored, Relentless, Transport(12)|Machinegun, Multi-Laser, Fists/Claws|110
IM-12|March Tank|Vehicle|5+|1|9|Armored, Relentless|Battle Cannon, 2x Machinegun, Fists/Claws|170
IM-13|Siege Gun|Vehicle|5+|1|6|Armored, Relentless|Battle Cannon (Indirect), Machinegun, Fists/Claws|130
SO-01|Grand Castellan|Hero|2+|1|3|Armored, Fearless|Plasma Pistol, Power Fist|185
SO-02|Lore Brother|Psyker|3+|1|3|Armored, Fearless, Psyker(2)|Pistol, Power Weapon|145
SO-03|Sworn Brothers|Infantry|3+|5|-|Armored, Fearless|Assault Rifle, Hand Weapon|160
SO-04|Blade Brothers|Infantry|3+|5|-|Armored, Fearless, Furious|Pistol, Power Weapon|175
SO-05|Sky Brothers|Infantry|3+|5|-|Armored, Fearless, Flying, Fast, Deep Strike|Pistol, Hand Weapon|190
SO-06|Bastion Guard|Infantry|3+|3|2|Armored, Fearless, Deep Strike|Minigun (Linked), Power Fist|230
SO-07|Bombard Brothers|Infantry|3+|5|-|Armored, Fearless|Machinegun, Hand Weapon|215
SO-08|Aspirants|Infantry|4+|5|-|Scout, Strider|Rifle (Scoper), Fists/Claws|90
SO-09|Relic Walker|Walker|3+|1|4|Armored, Relentless, Fearless|Multi-Melta, Dreadnought Fist|145
SO-10|Chapel Carrier|Vehicle|3+|1|6|Armored, Relentless, Transport(10)|Minigun (Linked), Fists/Claws|180
SO-11|Judgement Tank|Vehicle|3+|1|8|Armored, Relentless|Lascannon (Linked), 2x Machinegun, Fists/Claws|305
BO-01|Brood Tyrant|Hero|3+|1|6|Armored, Fear, Furious, Strider|Power Fist, Machinegun (Piercing)|220
BO-02|Mind Mother|Psyker|4+|1|3|Fear, Flying, Psyker(2)|Hand Weapon|100
BO-03|Skitterlings|Infantry|6+|20|-|Fast, Furious, Strider|Fists/Claws|200
BO-04|Spine Runners|Infantry|5+|10|-|Fast|Carbine, Fists/Claws|105
BO-05|Rippers|Infantry|4+|10|-|Furious, Strider|Hand Weapon (Rending)|145
BO-06|Lurkers|Infantry|4+|5|-|Scout, Strider, Strikes First|Power Weapon (Rending)|95
BO-07|Gliders|Infantry|5+|10|-|Flying, Fast, Deep Strike|Fists/Claws, Carbine|155
BO-08|Warrior Beasts|Infantry|4+|3|3|Fearless, Fear|Machinegun (Poison), Hand Weapon|150
BO-09|Spore Cyst|Infantry|5+|1|4|Deep Strike, Strikes Last|Mortar (Poison, Indirect), Fists/Claws|55
BO-10|Thunder Beast|Monster|4+|1|8|Armored, Fear, Relentless, Furious|Dreadnought Fist (Piercing)|175
BO-11|Bile Beast|Monster|4+|1|8|Armored, Fear, Relentless|Plasma Cannon (Poison), Power Fist|185
BO-12|Winged Horror|Monster|3+|1|6|Armored, Fear, Relentless, Flying, Fast|2x Minigun (Poison), Power Fist|230
BO-13|Burrow Worm|Monster|4+|1|10|Armored, Fear, Relentless, Deep Strike|Dreadnought Fist (Rending)|220
LC-01|Cantor|Hero|3+|1|3|Fast, Strikes First|Plasma Pistol (Linked), Power Weapon (Piercing)|85
LC-02|Oracle|Psyker|3+|1|2|Fast, Psyker(3)|Pistol, Power Weapon|125
LC-03|Chorister|Psyker|4+|1|-|Fast, Psyker(1)|Pistol, Hand Weapon|45
LC-04|Lightward Guard|Infantry|4+|10|-|Fast|Assault Rifle (Rending), Fists/Claws|145
LC-05|Veil Dancers|Infantry|3+|5|-|Fast, Strikes First, Furious, Strider|Pistol, Power Weapon (Rending)|140
LC-06|Glass Hunters|Infantry|3+|5|-|Scout, Strider|Rifle (Scoper, Rending), Fists/Claws|115
LC-07|Fusion Sisters|Infantry|3+|5|-|Fast, Deep Strike|Meltagun, Fists/Claws|180
LC-08|Silent Shells|Infantry|4+|5|-|Armored, Fearless, Relentless|Assault Rifle (Rending), Power Weapon|130
LC-09|Sky Skiffs|Infantry|4+|3|2|Fast, Flying, Hatred|Multi-Laser, Hand Weapon|130
LC-10|Echo Walker|Walker|4+|1|4|Armored, Relentless, Fast|Lascannon, Power Fist|120
LC-11|Cathedral Walker|Walker|3+|1|9|Armored, Relentless, Fear, Fearless|2x Plasma Cannon, Dreadnought Fist|320
LC-12|Sunboat|Vehicle|4+|1|5|Armored, Relentless, Fast, Flying, Transport(10)|Multi-Laser (Linked), Fists/Claws|140
LC-13|Prism Ship|Vehicle|4+|1|7|Armored, Relentless, Fast, Flying|Lascannon (Rending), Multi-Laser, Fists/Claws|220
"""

UPGRADES: Final = """
IM-04|1|Assault Rifle|Machinegun|+5
IM-04|1|Assault Rifle|Grenade Launcher|+5
IM-04|1|Assault Rifle|Flamer|+5
IM-04|all|Assault Rifle|Rifle|+5
IM-05|all|Rifle|Carbine|-5
IM-06|2|Carbine (Piercing)|Plasmagun|+10
IM-06|2|Carbine (Piercing)|Meltagun|+20
IM-07|all|Machinegun|Autocannon|+10
IM-07|all|Machinegun|Mortar (Indirect)|+40
IM-07|all|Machinegun|Lascannon|+50
IM-10|1|Multi-Laser|Autocannon|+5
IM-10|1|Multi-Laser|Flamer (Linked)|+0
IM-12|1|Battle Cannon|Lascannon (Linked)|+5
SO-03|1|Assault Rifle|Plasmagun|+5
SO-03|1|Assault Rifle|Flamer|+5
SO-03|1|Assault Rifle|Missile Launcher|+30
SO-04|1|Pistol|Plasma Pistol|+5
SO-04|1|Power Weapon|Power Fist|+5
SO-05|2|Pistol|Flamer|+10
SO-05|2|Pistol|Meltagun|+30
SO-06|1|Minigun (Linked)|Plasma Cannon|+15
SO-06|1|Minigun (Linked)|Flamer|-5
SO-07|all|Machinegun|Plasma Cannon|+70
SO-07|all|Machinegun|Lascannon|+170
SO-08|all|Rifle (Scoper)|Shotgun|-5
SO-09|1|Multi-Melta|Autocannon (Linked)|+0
SO-09|1|Multi-Melta|Plasma Cannon|+0
SO-10|1|Minigun (Linked)|Multi-Melta|+15
SO-11|1|Lascannon (Linked)|Autocannon (Linked)|-35
BO-03|all|Fists/Claws|Hand Weapon|+10
BO-04|all|Carbine|Carbine (Poison)|+5
BO-04|2|Carbine|Flamer|+5
BO-05|all|Hand Weapon (Rending)|Power Weapon (Rending)|+20
BO-08|1|Machinegun (Poison)|Mortar (Indirect)|+15
BO-08|all|Hand Weapon|Power Weapon|+5
BO-10|1|Dreadnought Fist (Piercing)|Dreadnought Fist (Rending)|+0
BO-11|1|Plasma Cannon (Poison)|Autocannon (Poison)|-5
LC-04|1|Assault Rifle (Rending)|Multi-Laser|+5
LC-04|1|Assault Rifle (Rending)|Plasma Cannon|+20
LC-05|1|Pistol|Meltagun|+15
LC-08|all|Assault Rifle (Rending)|Minigun (Rending)|+30
LC-09|all|Multi-Laser|Lascannon|+75
LC-10|1|Lascannon|Plasma Cannon (Linked)|-5
LC-10|1|Lascannon|Autocannon (Rending)|-15
LC-13|1|Lascannon (Rending)|Battle Cannon|+0
"""

SAMPLES: Final = """
IM|2 x 01, 1 x 02, 2 x 03, 10 x 04, 3 x 05, 3 x 06, 3 x 07, 1 x 08, 3 x 10, 1 x 11, 3 x 12|3000|3|7
SO|1 x 01, 2 x 02, 5 x 03, 2 x 04, 2 x 05, 1 x 06, 1 x 07, 2 x 08, 1 x 09, 1 x 10|2955|1|2
BO|1 x 01, 2 x 02, 2 x 03, 4 x 04, 4 x 05, 2 x 06, 1 x 07, 2 x 08, 2 x 10, 1 x 11|3000|1|3
LC|2 x 01, 1 x 02, 3 x 03, 6 x 04, 3 x 05, 2 x 06, 1 x 07, 2 x 08, 1 x 09, 2 x 10, 1 x 13|2980|2|3
"""

PAGES: Final = (("iron_marches", "IM"), ("sable_order", "SO"), ("brood_of_ossa", "BO"), ("lumen_choir", "LC"))
UNIT_RULES: Final = ("OP-OPEN-06", "OP-OPEN-08", "OP-OPEN-10", "OP-OPEN-12")
UPGRADE_RULES: Final = ("OP-OPEN-07", "OP-OPEN-09", "OP-OPEN-11", "OP-OPEN-13")


def rows_of(table: str, code: str = "") -> list[list[str]]:
    """The cells of a table's rows; with letters, of those of one army."""
    rows = [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]
    return [row for row in rows if row[0].startswith(code)]


def listed(written: str) -> list[str]:
    """Return the names in a cell, commas in brackets left alone."""
    return [] if written == "-" else re.split(r", (?![^(]*\))", written)


def weapon(written: str) -> tuple[str, tuple[str, ...]]:
    """A weapon's name, and its rules in any order."""
    name, _, rules = written.partition(" (")
    return name, tuple(sorted(rules.rstrip(")").split(", "))) if rules else ()


def carried(written: str) -> Counter[tuple[str, tuple[str, ...]]]:
    """Weapons by how many of each a model has."""
    found: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for arm in listed(written):
        number, _, name = arm.rpartition("x ")
        found[weapon(name)] += int(number or 1)
    return found


def ruled(unit: UnitProfile) -> set[str]:
    """A unit's rules as the ledger writes them."""
    names = {rule.id: rule.id.replace("_", " ").title() for rule in unit.rules}
    return {f"{names[rule.id]}({rule.number})" if rule.number else names[rule.id] for rule in unit.rules}


def page_of(army: Army) -> list[tuple[object, ...]]:
    """Return the page's rows of its units."""
    return [
        (
            unit.id,
            unit.name,
            unit.kind.title(),
            f"{unit.quality}+",
            unit.models,
            unit.tough,
            ruled(unit),
            Counter(weapon(army.weapons[id].name) for id in unit.weapons),
            unit.points,
        )
        for unit in army.units.values()
    ]


@pytest.mark.parametrize(
    ("id", "code"),
    [pytest.param(*page, marks=pytest.mark.rule(rule)) for page, rule in zip(PAGES, UNIT_RULES, strict=True)],
)
def test_units_are_those_of_the_ledger(id: str, code: str) -> None:
    written = [
        (
            unit,
            name,
            kind,
            quality,
            int(models),
            int(tough.replace("-", "1")),
            {*listed(rules)},
            carried(arms),
            int(points),
        )
        for unit, name, kind, quality, models, tough, rules, arms, points in rows_of(UNITS, code)
    ]
    assert page_of(book().armies[id]) == written


@pytest.mark.parametrize(
    ("id", "code"),
    [pytest.param(*page, marks=pytest.mark.rule(rule)) for page, rule in zip(PAGES, UPGRADE_RULES, strict=True)],
)
def test_upgrades_are_those_of_the_ledger(id: str, code: str) -> None:
    """The rows of a unit are numbered as they stand; all is 0."""
    army = book().armies[id]
    rows = rows_of(UPGRADES, code)
    numbers = [sum(other[0] == row[0] for other in rows[: place + 1]) for place, row in enumerate(rows)]
    assert [
        (
            row.id,
            row.unit,
            row.models,
            weapon(army.weapons[row.old.id].name),
            weapon(army.weapons[row.new.id].name),
            row.points,
        )
        for row in army.upgrades.values()
    ] == [
        (f"{unit}.{number}", unit, int(models.replace("all", "0")), weapon(old), weapon(new), int(points))
        for number, (unit, models, old, new, points) in zip(numbers, rows, strict=True)
    ]


@pytest.mark.rule("OP-OPEN-16")
def test_sample_armies_are_those_of_the_ledger() -> None:
    """Their rows, and what the page says that these come to."""
    raw, documents = content_files.read(army_texts(), Document, lambda *_: ())
    found = {}
    for document in content_files.as_ruled(raw, documents, Document):
        if document.army is not None and document.sample is not None:
            sample = document.sample
            found[document.army.code] = (dict(sample.unit), sample.points, sample.heroes, sample.special)
    assert found == {
        code: (
            {f"{code}-{unit}": int(count) for count, unit in (one.split(" x ") for one in listed(units))},
            int(points),
            int(heroes),
            int(special),
        )
        for code, units, points, heroes, special in rows_of(SAMPLES)
    }
