"""The armoury, abilities, vehicles, damage, cards, powers and terrain, row by row as the ledger has them."""

from __future__ import annotations

from typing import Final

import pytest

from engine.rulesets.apocalypse_earth.content.armies import Book
from engine.rulesets.apocalypse_earth.state.profiles import (
    HARMLESS,
    QUARTERS,
    Penetration,
    Template,
    Weapon,
    penetration,
)
from tests.support.systems.ae_shipped import content

SMALL_ARMS: Final = """
PI|1|2 + D6|12|6|-|-|-|1
SG|2|2 + D6|18|6|-|-|-|1
SMG|5|2 + D6|24|6|-|-|-|2
AR|3|3 + D6|48|6|-|-|-|3
COIL|3|4 + D6|54|6|-|-|-|4
MR|2|4 + D6|72|5|-|-|Pick|4
SR|1|4 + D6|96|4|-|-|Pick, S|8
AMR|1|8 + D6|120|5|-|-|Pick, S|9
LMG|6|3 + D6|60|6|-|-|-|6
"""
SUPPORT_WEAPONS: Final = """
MG|10|4 + D6|72|6|-|-|S|9
MINI|15|3 + D6|60|6|-|-|S|12
HMG50|10|5 + 2D6|96|6|-|-|S, Crew 2|14
HMG127|10|5 + 2D6|96|6|-|-|S, Crew 2|14
HMG145|8|6 + 2D6|96|6|-|-|S, Crew 2|14
AC20|6|7 + 2D6|120|6|-|-|S, Crew 3|18
AC30|5|8 + 2D6|120|6|-|-|S, Crew 3|20
AGL|3|6 + D6|72|5|circle 2|3/4/5|S, Crew 2, High|16
UGL|1|6 + D6|36|5|circle 2|3/4/5|High|4
RPG|1|10 + 2D6|48|5|circle 2|3/4/5|High|8
RR|1|11 + 2D6|96|5|circle 2|3/4/5|S, Crew 2, High|14
ATGM|1|13 + 2D6|24-180|4|circle 2|3/4/5|S, Crew 2, High, Top|20
RG|1|12 + D6|120|5|-|-|S, High, Line|16
VRG|2|12 + D6|180|5|-|-|S, High, Line|30
TG100|1|13 + 2D6|180|4|circle 3|2/3/4|S, High|30
TG120|1|15 + 2D6|180|4|circle 3|2/3/4|S, High|38
"""
EXPLOSIVES: Final = """
FT|-|4 + D6|16|auto|strip 16 x 4|2/2/2|Fire|12
VFT|-|5 + D6|24|auto|strip 24 x 5|2/2/2|Fire|18
FR|1|3 + D6|12|4|circle 3|2/3/4|Thrown|1
SM|1|-|12|4|circle 4|-|Thrown, Smoke|1
MO|1|3 + D6|12|4|circle 2|2/3/4|Thrown, Fire|1
DC|1|14 + 2D6|contact|3|circle 5|2/2/3|High, Once|4
SV|1|12 + 2D6|contact|auto|circle 5|2/2/3|High, Once|3
MO60|1|5 + D6|18-96|4|circle 3|2/3/4|S, Crew 2, High, Indirect|12
MO82|1|6 + D6|24-180|4|circle 4|2/3/4|S, Crew 3, High, Indirect|18
BL|-|-|contact|-|-|-|C.C.R. +0|0
CU|-|9 + D6|contact|auto|-|-|C.C.R. +1|2
"""
ABILITIES: Final = """
Officer|10
2ic|6
Radio|5
Medic|6
Mechanic|5
Leader|2
Fieldcraft|1
Camouflage|1
Infiltrate|1
Loose|0
Guerrilla|0
Fanatic|1
Psi 1|10
Psi 2|20
Psi 3|32
Null|4
Assassin|3
"""
TRAITS: Final = """
Targeting|6
Amphibious|3
Heavy|4
Hover|8
Psi 2|20
Bomb|12
Command|12
Smoke|3
"""
WHEELED: Final = """
2|BOOM|BOOM|BOOM|BOOM
3|FIRE|FIRE|FIRE|GUN
4|DRV|PAS6|PAS6|OPT
5|OPT|OPT|COM|PAS6
6|WPN|PAS3|PAS3|WPN
7|WHL|WHL|ENG|GUN
8|STUN|STUN|STUN|STUN
9|COM|WPN|WHL|PAS3
10|ENG|DRV|FIRE|DRV
11|CRASH|CRASH|CRASH|FIRE
12|BOOM|BOOM|BOOM|BOOM
"""
TRACKED: Final = """
2|BOOM|BOOM|BOOM|BOOM
3|FIRE|FIRE|FIRE|FIRE
4|DRV|PAS6|PAS6|GUN
5|TUR|ENG|TRK|OPT
6|OPT|SEC|COM|SEC
7|STUN|TRK|ENG|STUN
8|TRK|STUN|STUN|TUR
9|SEC|PAS3|PAS3|PAS3
10|WPN|TUR|ENG|WPN
11|ENG|WPN|FIRE|ENG
12|BOOM|BOOM|BOOM|BOOM
"""
SKIMMER: Final = """
2|BOOM|BOOM|BOOM|BOOM
3|CRASH|CRASH|FIRE|CRASH
4|DRV|PAS6|PAS6|GUN
5|OPT|WPN|LIFT|OPT
6|SEC|PAS3|PAS3|PAS3
7|STUN|LIFT|ENG|STUN
8|LIFT|STUN|STUN|LIFT
9|WPN|SEC|COM|WPN
10|COM|DRV|ENG|DRV
11|CRASH|FIRE|CRASH|FIRE
12|BOOM|BOOM|BOOM|BOOM
"""
WALKER: Final = """
2|BOOM|BOOM|BOOM|BOOM
3|FIRE|FIRE|FIRE|FIRE
4|DRV|ENG|ENG|GUN
5|OPT|SEC|COM|OPT
6|SEC|WPN|ENG|SEC
7|STUN|LEG|LEG|STUN
8|LEG|STUN|STUN|TUR
9|WPN|OPT|SEC|WPN
10|TUR|LEG|FIRE|DRV
11|CRASH|CRASH|CRASH|ENG
12|BOOM|BOOM|BOOM|BOOM
"""
CARDS: Final = """
FS-1|air|strip 30 x 4|4/5/6|7 + 2D6|35
FS-2|air|strip 24 x 6|2/2/2|5 + D6|55
FS-3|air|circle 8|2/3/4|14 + 2D6|60
FS-4|air|circle 3|2/3/4|17 + 2D6|50
FS-5|air|circle 4|2/2/3|20 + 2D6|80
FS-6|artillery|circle 4|2/3/4|6 + D6|30
FS-7|artillery|circle 6|2/3/4|9 + 2D6|45
FS-8|artillery|circle 8|2/3/3|11 + 2D6|60
FS-9|artillery|circle 6|2/3/4|8 + 2D6|55
FS-10|artillery|circle 8|-|-|15
"""
BUYS: Final = """
WA|1, 2, 3, 4, 6, 8, 10
HA|1, 2, 3, 6, 7, 9, 10
CC|1, 3, 6, 7, 9, 10
JP|3, 6, 9
LC|4, 5, 10
FC|1, 4, 6, 10
BR|6
"""
POWERS: Final = """
1|Dread|4|24|yes
2|Iron faith|4|24|no
3|Fog of mind|4|24|yes
4|Shroud|5|24|yes
5|Frenzy|5|18|yes
6|Pyre|6|18|yes
7|Hurled stone|6|24|yes
8|Far voice|5|whole table|no
9|Foresight|6|24|no
10|Puppet|7|12|yes
11|Break steel|8|18|yes
12|The word of command|8|24|yes
"""
RATINGS: Final = """
WA|4|5
HA|3|4
CC|1|3
JP|2|1
LC|3|4
FC|4|2
BR|3|0
"""


def rows(table: str) -> list[list[str]]:
    """Return the rows of a table."""
    return [line.split("|") for line in table.strip().splitlines()]


def length(written: int) -> str:
    return str(written // 100)


def book() -> Book:
    return content().book


def told(template: Template | None) -> tuple[str, str]:
    """Write a template and its kill numbers as the ledger does."""
    if template is None:
        return "-", "-"
    strip = " x ".join(map(length, template.strip))
    kills = "/".join(map(str, template.kills)) if template.kills is not None else "-"
    return f"circle {length(template.circle)}" if template.circle else f"strip {strip}", kills


def written(pierces: Penetration) -> str:
    if pierces == HARMLESS:
        return "-"
    return f"{pierces.constant} + {pierces.dice if pierces.dice > 1 else ''}D6"


def row_of(weapon: Weapon) -> list[str]:
    """Write a weapon as the ledger does; a strip and what is used in contact have no R.O.F. there."""
    template, kills = told(weapon.template)
    wordless = weapon.id in ("ft", "vft", "cu", "bl")
    reach = f"{length(weapon.least)}-{length(weapon.range)}" if weapon.least else length(weapon.range)
    traits = ["S"] if weapon.has("support") else []
    traits += [f"Crew {weapon.crew}"] if weapon.crew else []
    traits += [trait.capitalize() for trait in weapon.traits if trait != "support"]
    traits += [f"C.C.R. +{weapon.ccr}"] if weapon.id in ("bl", "cu") else []
    return [
        weapon.id.upper(),
        "-" if wordless else str(weapon.shots),
        written(weapon.penetration),
        "contact" if weapon.contact else reach,
        str(weapon.hit) if weapon.hit else "-" if weapon.id == "bl" else "auto",
        template,
        kills,
        ", ".join(traits) or "-",
        str(weapon.price),
    ]


def armoury(table: str) -> tuple[list[list[str]], list[list[str]]]:
    """Return the rows of a table, and those of the same weapons as they are shipped."""
    expected = [[*row[:7], ", ".join(sorted(row[7].split(", "))), row[8]] for row in rows(table)]
    found = [row_of(book().worth.weapons[row[0].lower()]) for row in expected]
    return expected, [[*row[:7], ", ".join(sorted(row[7].split(", "))), row[8]] for row in found]


@pytest.mark.rule("AE-OPEN-03")
def test_small_arms_are_those_of_the_armoury() -> None:
    expected, found = armoury(SMALL_ARMS)
    assert found == expected


@pytest.mark.rule("AE-OPEN-04")
def test_support_weapons_are_those_of_the_armoury() -> None:
    expected, found = armoury(SUPPORT_WEAPONS)
    assert found == expected


@pytest.mark.rule("AE-OPEN-05")
def test_flame_explosives_and_grenades_are_those_of_the_armoury() -> None:
    expected, found = armoury(EXPLOSIVES)
    assert found == expected
    assert [book().worth.weapons[id].shots for id in ("ft", "vft", "cu", "bl")] == [1, 1, 1, 0]


def test_weapons_stand_in_the_order_of_the_armoury() -> None:
    order = [row[0].lower() for table in (SMALL_ARMS, SUPPORT_WEAPONS, EXPLOSIVES) for row in rows(table)]
    assert list(book().worth.weapons) == order


def test_penetration_is_a_constant_and_dice() -> None:
    assert penetration("5 + 2D6") == Penetration(5, 2)
    assert (penetration("3 + D6"), penetration("12 + 2D6")) == (Penetration(3, 1), Penetration(12, 2))
    with pytest.raises(ValueError, match="should read like"):
        penetration("3D6")


@pytest.mark.rule("AE-OPEN-07")
def test_abilities_cost_what_the_ledger_says() -> None:
    expected = {row[0].lower().replace(" ", "_").replace("2ic", "second"): int(row[1]) for row in rows(ABILITIES)}
    assert {ability.id: ability.price for ability in book().worth.abilities.values()} == expected
    assert [book().worth.abilities[f"psi_{rating}"].psi for rating in (1, 2, 3)] == [1, 2, 3]


@pytest.mark.rule("AE-OPEN-18")
def test_traits_of_vehicles_cost_what_the_ledger_says() -> None:
    traits = book().worth.traits
    assert {id: trait.price for id, trait in traits.items()} == {
        row[0].lower().replace(" ", "_"): int(row[1]) for row in rows(TRAITS)
    }
    assert traits["psi_2"].psi == 2
    assert (told(traits["bomb"].template), written(traits["bomb"].penetration)) == (("circle 10", "2/2/3"), "14 + 2D6")
    assert told(traits["smoke"].template) == ("circle 6", "-")


DAMAGE: Final = [
    pytest.param("wheeled", WHEELED, marks=pytest.mark.rule("AE-OPEN-20")),
    pytest.param("tracked", TRACKED, marks=pytest.mark.rule("AE-OPEN-21")),
    pytest.param("skimmer", SKIMMER, marks=pytest.mark.rule("AE-OPEN-22")),
    pytest.param("walker", WALKER, marks=pytest.mark.rule("AE-OPEN-23")),
]


@pytest.mark.parametrize(("kind", "table"), DAMAGE)
def test_damage_is_that_of_the_class_and_quarter(kind: str, table: str) -> None:
    known = book().classes[kind]
    for rolled, *codes in rows(table):
        found = [known.damage(quarter, int(rolled)).upper() for quarter in QUARTERS]
        assert found == codes, rolled


@pytest.mark.rule("AE-OPEN-16", "AE-OPEN-20", "AE-OPEN-21", "AE-OPEN-22", "AE-OPEN-23")
def test_classes_have_their_bases_and_their_ground() -> None:
    found = {
        id: (*map(length, one.size), one.difficult, one.heavy, length(one.flattens), length(one.road))
        for id, one in book().classes.items()
    }
    assert found == {
        "wheeled": ("6", "3", 300, 150, "0", "6"),
        "tracked": ("8", "4", 200, 150, "3", "0"),
        "skimmer": ("7", "4", 100, 150, "0", "0"),
        "walker": ("4", "4", 100, 100, "0", "0"),
    }
    assert book().classes["wheeled"].bars == ("woods", "marsh", "hedge", "low_wall")
    assert (book().classes["skimmer"].bars, book().classes["skimmer"].crosses) == (("woods",), ("water",))


@pytest.mark.rule("AE-OPEN-19")
def test_damage_that_can_be_repaired_and_what_comes_of_it_twice() -> None:
    codes = book().damage
    lasting = {"stun", "drv", "gun", "pas3", "pas6", "boom", "fire", "crash"}
    assert {id for id, code in codes.items() if not code.repairable} == lasting
    assert {id: code.again for id, code in codes.items() if code.again} == {
        "whl": "crash",
        "trk": "eng",
        "lift": "crash",
        "wpn": "sec",
        "sec": "wpn",
    }
    assert told(codes["boom"].template) == ("circle 6", "3/4/5")


@pytest.mark.rule("AE-OPEN-24")
def test_fire_support_is_what_the_ledger_sells() -> None:
    found = [
        [card.id, card.kind, *told(card.template), written(card.penetration), str(card.price)]
        for card in book().cards.values()
    ]
    assert found == rows(CARDS)
    assert {id: (card.templates, card.spread, card.around, card.scatter) for id, card in book().cards.items()} == {
        **dict.fromkeys(("FS-1", "FS-2", "FS-3", "FS-5", "FS-10"), (1, 0, False, 100)),
        "FS-4": (1, 0, False, 50),
        "FS-6": (3, 1, False, 100),
        "FS-7": (2, 1, False, 100),
        "FS-8": (2, 1, False, 100),
        "FS-9": (4, 2, True, 200),
    }
    assert [id for id, card in book().cards.items() if card.orbit] == ["FS-5"]
    assert [id for id, card in book().cards.items() if not card.has("high")] == ["FS-1", "FS-2", "FS-10"]
    assert (book().cards["FS-2"].traits, book().cards["FS-10"].traits) == (("fire",), ("smoke",))


@pytest.mark.rule("AE-OPEN-24")
def test_factions_may_buy_their_own_cards() -> None:
    bought = {faction.code: list(faction.support) for faction in book().factions.values()}
    assert bought == {code: [f"FS-{number}" for number in numbers.split(", ")] for code, numbers in rows(BUYS)}


@pytest.mark.rule("AE-OPEN-25")
def test_powers_have_their_numbers() -> None:
    found = [
        [
            str(power.number),
            str(power.difficulty),
            length(power.range) if power.range else "whole table",
            "yes" if power.sight else "no",
        ]
        for power in book().powers.values()
    ]
    assert found == [[number, difficulty, reach, sight] for number, _, difficulty, reach, sight in rows(POWERS)]
    pyre, stone = book().powers["pyre"], book().powers["hurled_stone"]
    assert (told(pyre.template), written(pyre.penetration), pyre.traits) == (("circle 3", "2/3/4"), "4 + D6", ("fire",))
    assert written(stone.penetration) == "8 + D6"


@pytest.mark.rule("AE-OPEN-08")
def test_factions_have_their_ratings() -> None:
    assert {faction.version for faction in book().factions.values()} == {1}
    found = {faction.code: (faction.initiative, faction.air) for faction in book().factions.values()}
    assert found == {code: (int(initiative), int(air)) for code, initiative, air in rows(RATINGS)}


BUILDINGS: Final = """
hut|9|10|2
brick_house|12|12|3
stone_house|15|15|4
concrete_block|18|20|6
bunker|22|9|6
"""


@pytest.mark.rule("AE-OPEN-28")
def test_buildings_have_rating_room_and_an_end() -> None:
    kinds = content().terrain
    found = [[id, str(kind.armour), str(kind.room), str(kind.falls)] for id, kind in kinds.items() if kind.building]
    assert found == rows(BUILDINGS)
    assert all(kind.ruin == "ruins" for kind in kinds.values() if kind.building)
    burning = {"grass", "crops", "hedge", "woods", "hut", "brick_house", "stone_house"}
    assert {id for id, kind in kinds.items() if kind.flammable} == burning


@pytest.mark.rule("AE-OPEN-28")
def test_terrain_slows_hides_and_bars_as_it_should() -> None:
    kinds = content().terrain
    assert {id for id, kind in kinds.items() if kind.difficult} == {"woods", "rubble", "ruins", "marsh", "steep_hill"}
    assert {id for id, kind in kinds.items() if kind.impassable} == {"water", "wreck"}
    assert {id for id, kind in kinds.items() if kind.cover == "soft"} == {"broken", "crops", "fence", "wire", "woods"}
    assert {id for id, kind in kinds.items() if kind.cover == "hard"} == {
        "hedge",
        "low_wall",
        "rubble",
        "ruins",
        "crater",
        "trench",
        "hill",
        "steep_hill",
        "wreck",
    }
    assert {id: length(kind.toll) for id, kind in kinds.items() if kind.toll} == {
        "fence": "1",
        "wire": "1",
        "hedge": "2",
        "low_wall": "2",
        "crater": "2",
        "trench": "2",
    }
    assert {id for id, kind in kinds.items() if kind.line} == {"fence", "wire", "hedge", "low_wall"}
    assert {id for id, kind in kinds.items() if kind.wall} == {"hedge", "low_wall"}
    assert {id for id, kind in kinds.items() if kind.foliage} == {"woods"}
    assert {id for id, kind in kinds.items() if kind.hill} == {"hill", "steep_hill"}
