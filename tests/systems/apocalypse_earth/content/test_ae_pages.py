"""The army lists, unit by unit as the ledger has them, at prices that were measured (AE-OPEN-09 to -17, -31)."""

from __future__ import annotations

from itertools import groupby
from typing import Final

import pytest

from engine.rulesets.apocalypse_earth.content.army_lists import LISTS
from engine.rulesets.apocalypse_earth.state.profiles import Armour, Faction, UnitProfile
from tests.support.systems.ae_shipped import DATA, content, faction, unit, vehicle

WESTERN_ALLIANCE: Final = """
WA-01|Rifle squad|9|experienced|3|12|0|-|98
  1 squad leader (AR, FR, Leader)
  6 rifleman (AR, FR)
  2 gunner (LMG, FR)
WA-02|Rifle fireteam|4|experienced|3|12|0|-|45
  1 team leader (AR, FR, Leader)
  2 rifleman (AR, FR)
  1 gunner (LMG, FR)
WA-03|Special forces fireteam|4|veteran|5|14|0|Fieldcraft, Infiltrate|92
  1 team leader (COIL, FR, DC, Leader)
  2 operator (COIL, FR, DC)
  1 gunner (LMG, FR)
WA-04|Weapons team|4|experienced|3|10|0|-|61
  1 team leader (AR, Leader)
  1 gunner (MG)
  1 missile gunner (ATGM)
  1 loader (AR)
WA-05|Sniper pair|2|veteran|3|12|0|Fieldcraft, Camouflage|36
  1 sniper (SR)
  1 spotter (COIL, Leader)
WA-06|Combat engineer squad|8|experienced|4|12|0|-|111
  1 squad leader (AR, FR, Leader)
  5 engineer (SMG, DC)
  1 flame gunner (FT)
  1 mechanic (SMG, Mechanic)
WA-07|Platoon headquarters|6|experienced|3|12|0|-|76
  1 platoon officer (AR, Officer)
  1 radio operator (AR, Radio)
  1 medic (PI, Medic)
  3 rifleman (AR, FR)
WA-08|Company headquarters|8|experienced|3|12|0|-|108
  1 company officer (AR, Officer)
  1 executive officer (AR, 2ic)
  2 radio operator (AR, Radio)
  1 medic (PI, Medic)
  1 mechanic (SMG, Mechanic)
  2 rifleman (AR, FR)
"""
HOLY_ARMY: Final = """
HA-01|Levy squad|10|green|2|12|0|-|92
  1 squad leader (SMG, Leader)
  8 levy rifleman (AR)
  1 gunner (MG)
HA-02|Guards squad|9|experienced|4|12|0|-|132
  1 squad leader (AR, FR, Leader)
  6 guardsman (AR, FR)
  1 gunner (MG)
  1 rocket gunner (RPG)
HA-03|Heavy machine gun squad|6|green|2|9|0|-|71
  1 squad leader (SMG, Leader)
  1 gunner (HMG127)
  1 gunner (HMG145)
  3 loader (PI)
HA-04|Warrior monks|6|veteran|5|12|0|Fanatic|110
  1 prior (SMG, FR, Leader)
  5 monk (SMG, FR)
HA-05|Armoured penitents|6|experienced|4|9|7|-|132
  1 elder (LMG, Leader)
  4 penitent (LMG)
  1 flame bearer (FT)
HA-06|Seer circle|6|experienced|2|12|0|-|95
  1 high seer (PI, Psi 2)
  2 seer (PI, Psi 1)
  3 acolyte (SMG)
HA-07|Oracle of the Tsar|6|veteran|3|12|0|-|122
  1 oracle (PI, Psi 3)
  5 bodyguard (SMG, FR)
HA-08|Platoon headquarters|6|experienced|3|12|0|-|90
  1 platoon officer (SMG, Officer)
  1 radio operator (AR, Radio)
  1 deacon medic (PI, Medic)
  3 guardsman (AR, FR)
HA-09|Company headquarters|8|experienced|3|12|0|-|126
  1 company officer (SMG, Officer)
  1 second in command (SMG, 2ic)
  2 radio operator (AR, Radio)
  1 deacon medic (PI, Medic)
  1 mechanic (PI, Mechanic)
  2 guardsman (AR, FR)
"""
CHICOM: Final = """
CC-01|Rifle squad|9|green|2|12|0|-|82
  1 squad leader (AR, Leader)
  7 rifleman (AR)
  1 gunner (LMG)
CC-02|Militia squad|10|green|1|12|0|-|74
  1 squad leader (SMG, Leader)
  9 militiaman (SG, MO)
CC-03|Assault squad|9|experienced|4|12|0|-|121
  1 squad leader (SMG, FR, Leader)
  7 assault trooper (SMG, FR)
  1 flame gunner (FT)
CC-04|Rocket squad|7|green|2|12|0|-|79
  1 squad leader (AR, Leader)
  3 rocket gunner (RPG)
  3 loader (AR)
CC-05|Heavy weapons squad|7|green|2|9|0|-|82
  1 squad leader (SMG, Leader)
  1 gunner (HMG127)
  1 mortar gunner (MO82)
  4 loader (PI)
CC-06|Commando squad|6|experienced|4|12|0|Fieldcraft, Camouflage|90
  1 squad leader (SMG, FR, Leader)
  4 commando (SMG, FR)
  1 marksman (MR)
CC-07|Platoon headquarters|6|green|2|12|0|-|71
  1 platoon officer (PI, Officer)
  1 radio operator (AR, Radio)
  1 medic (PI, Medic)
  3 rifleman (AR)
CC-08|Company headquarters|8|experienced|2|12|0|-|106
  1 company officer (PI, Officer)
  1 political officer (PI, 2ic)
  1 radio operator (AR, Radio)
  1 medic (PI, Medic)
  1 mechanic (PI, Mechanic)
  3 rifleman (AR)
"""
JIHAD_PACT: Final = """
JP-01|Fighter squad|9|green|3|12|0|-|91
  1 squad leader (AR, Leader)
  7 fighter (AR)
  1 gunner (LMG)
JP-02|Veteran fighter squad|8|experienced|4|12|0|Fieldcraft|126
  1 squad leader (AR, FR, Leader)
  5 fighter (AR, FR)
  1 gunner (MG)
  1 rocket gunner (RPG)
JP-03|Sworn squad|9|green|4|12|0|Fanatic|100
  1 squad leader (SMG, Leader)
  6 sworn fighter (SMG)
  2 bearer (SV)
JP-04|Rocket squad|8|green|3|12|0|-|101
  1 squad leader (AR, Leader)
  4 rocket gunner (RPG)
  3 loader (AR)
JP-05|Heavy weapons squad|7|green|2|9|0|-|86
  1 squad leader (AR, Leader)
  1 gunner (HMG127)
  1 recoilless gunner (RR)
  4 loader (AR)
JP-06|Desert scouts|6|experienced|3|14|0|Fieldcraft, Camouflage, Infiltrate|97
  1 squad leader (AR, Leader)
  3 scout (AR)
  2 marksman (MR)
JP-07|Platoon headquarters|6|green|3|12|0|-|79
  1 platoon officer (AR, Officer)
  1 radio operator (AR, Radio)
  1 medic (PI, Medic)
  3 fighter (AR)
JP-08|Company headquarters|8|experienced|3|12|0|-|118
  1 company officer (AR, Officer)
  1 second in command (AR, 2ic)
  1 radio operator (AR, Radio)
  1 medic (PI, Medic)
  1 mechanic (PI, Mechanic)
  3 fighter (AR)
"""
LUNAR_COLONY: Final = """
LC-01|Colony security squad|8|experienced|2|12|0|-|73
  1 squad leader (COIL, Leader)
  6 guard (COIL)
  1 gunner (MINI)
LC-02|Miner gang|8|green|3|10|5|-|82
  1 foreman (SG, CU, Leader)
  6 miner (SG, CU)
  1 blaster (SG, DC)
LC-03|Void marines|6|veteran|4|10|8|-|113
  1 sergeant (COIL, FR, Leader)
  4 marine (COIL, FR)
  1 rail gunner (RG)
LC-04|Disciples|8|experienced|3|12|0|Fanatic|74
  1 adept (PI, Psi 1)
  6 disciple (SMG)
  1 disciple leader (SMG, Leader)
LC-05|Guru and attendants|6|experienced|3|12|0|Fanatic|65
  1 guru (PI, Psi 2)
  5 attendant (SMG)
LC-06|Heavy weapons squad|6|experienced|2|9|0|-|67
  1 squad leader (COIL, Leader)
  1 rail gunner (RG)
  1 missile gunner (ATGM)
  3 loader (PI)
LC-07|Platoon headquarters|6|experienced|2|12|0|-|64
  1 platoon officer (COIL, Officer)
  1 radio operator (COIL, Radio)
  1 medic (PI, Medic)
  3 guard (COIL)
LC-08|Company headquarters|8|experienced|2|12|0|-|89
  1 company officer (COIL, Officer)
  1 executive officer (COIL, 2ic)
  1 radio operator (COIL, Radio)
  1 medic (PI, Medic)
  2 mechanic (PI, Mechanic)
  2 guard (COIL)
"""
FUTURE_CORP: Final = """
FC-01|Security squad|6|green|3|12|0|-|47
  1 supervisor (SMG, FR, Leader)
  5 security guard (SMG, FR)
FC-02|Response squad|8|experienced|4|12|5|-|109
  1 supervisor (AR, FR, Leader)
  6 response officer (AR, FR)
  1 gunner (LMG)
FC-03|Exosuit section|6|veteran|5|12|9|-|139
  1 section leader (MINI, Leader)
  4 exosuit trooper (LMG)
  1 exosuit breaker (FT, CU)
FC-04|Asset recovery squad|6|veteran|4|14|0|Fieldcraft, Infiltrate|106
  1 contractor lead (COIL, FR, Leader)
  4 contractor (COIL, FR)
  1 marksman (SR)
FC-05|Heavy weapons squad|6|experienced|3|9|0|-|73
  1 supervisor (SMG, Leader)
  1 grenadier (AGL)
  1 rail gunner (RG)
  3 loader (SMG)
FC-06|Suppression cell|6|experienced|3|12|0|-|53
  1 cell lead (SMG, Leader)
  2 damper operator (PI, Null)
  3 guard (SMG)
FC-07|Platoon headquarters|6|experienced|3|12|0|-|67
  1 field manager (SMG, Officer)
  1 radio operator (SMG, Radio)
  1 medic (PI, Medic)
  3 guard (SMG, FR)
FC-08|Company headquarters|8|experienced|3|12|0|-|94
  1 regional manager (PI, Officer)
  1 deputy manager (SMG, 2ic)
  2 radio operator (SMG, Radio)
  1 medic (PI, Medic)
  1 mechanic (PI, Mechanic)
  2 guard (SMG, FR)
"""
BROTHERHOOD: Final = """
BR-01|Guerrilla cell|5|experienced|3|12|0|Guerrilla, Loose, Camouflage|38
  1 cell leader (SMG, MO, Leader)
  4 guerrilla (AR, MO)
BR-02|Street gang|10|green|3|12|0|Guerrilla, Loose|49
  1 boss (SMG, Leader)
  9 ganger (SG, MO)
BR-03|Fanatic cell|6|green|4|12|0|Guerrilla, Loose, Fanatic|41
  1 cell leader (SMG, Leader)
  3 fanatic (SMG, MO)
  2 bomber (SV)
BR-04|Assassin|1|veteran|6|14|0|Guerrilla, Loose, Fieldcraft, Camouflage, Infiltrate, Assassin|19
  1 assassin (SR, PI)
BR-05|Rocket cell|5|experienced|3|12|0|Guerrilla, Loose, Camouflage|41
  1 cell leader (AR, Leader)
  2 rocket gunner (RPG)
  2 loader (SMG)
BR-06|Demolition cell|4|experienced|3|12|0|Guerrilla, Loose, Infiltrate|34
  1 cell leader (SMG, Leader)
  3 demolitionist (SMG, DC)
BR-07|Seditionist|4|experienced|2|12|0|Guerrilla, Loose|25
  1 seditionist (PI, Psi 1)
  3 minder (SMG)
BR-08|Command cell|7|experienced|3|12|0|Guerrilla, Loose|60
  1 commander (SMG, Officer)
  1 lieutenant (SMG, 2ic)
  1 radio operator (SMG, Radio)
  1 street doctor (PI, Medic)
  1 mechanic (PI, Mechanic)
  2 guerrilla (AR)
"""
VEHICLES: Final = """
WA-V1|Hummvee|W|11|10|9|8|36|2|4|experienced|HMG50|Targeting|58
WA-V2|Longbow infantry fighting vehicle|T|18|15|12|11|30|3|9|experienced|AC30, MG, ATGM|Targeting, Smoke|109
WA-V3|Marshal main battle tank|T|26|20|16|14|30|4|0|experienced|TG120, MG, HMG50|Targeting, Heavy, Smoke|126
HA-V1|Streltsy armoured car|W|13|11|10|9|36|3|2|green|HMG145|-|56
HA-V2|Boyar personnel carrier|T|16|13|11|10|30|2|10|green|HMG145|Amphibious|72
HA-V3|Autocrat heavy tank|T|27|20|15|13|24|4|0|green|TG120, MG, HMG127|Heavy|131
HA-V4|Bell walker|L|18|16|14|12|18|3|0|experienced|VFT, MG|Heavy, Psi 2|110
CC-V1|Convoy truck|W|7|7|7|6|36|2|20|green|-|-|52
CC-V2|Type 91 carrier|T|14|12|11|10|30|2|10|green|HMG127|Amphibious|71
CC-V3|Type 88 tank|T|23|18|14|12|30|4|0|green|TG100, MG|Heavy|102
JP-V1|Gun truck|W|8|8|7|6|42|2|4|green|HMG127|-|52
JP-V2|Rocket truck|W|8|8|7|6|42|2|2|green|RR|-|50
JP-V3|Captured tank|T|22|17|13|12|27|4|0|green|TG100, MG|Heavy|97
LC-V1|Selene rover|W|12|11|10|9|36|2|6|experienced|MINI|Targeting|53
LC-V2|Drift skimmer|S|14|13|12|11|48|2|6|experienced|VRG|Hover, Targeting|83
LC-V3|Ore walker|L|19|17|15|14|18|2|0|experienced|VRG, MINI|Heavy|80
FC-V1|Patrol car|W|11|10|9|8|42|2|4|green|MG|Smoke|43
FC-V2|Warden hover carrier|S|15|14|13|12|42|2|8|experienced|AC20, AGL|Hover, Targeting|94
FC-V3|Sentinel walker|L|20|18|16|14|20|1|0|experienced|AC30, MINI|Heavy, Targeting|82
BR-V1|Armed van|W|8|7|7|6|36|2|8|green|MG|-|27
BR-V2|Car bomb|W|7|7|7|6|42|1|0|green|-|Bomb|25
"""
READY: Final = """
WA|350|WA-07, 2 x WA-01, WA-V1, FS-10|345
WA|500|WA-07, 2 x WA-01, WA-03, WA-04, WA-V1|483
WA|1000|WA-08, 2 x WA-07, 5 x WA-01, WA-04, WA-V1, FS-3, FS-10|944
HA|350|HA-08, HA-01, HA-02, FS-6|344
HA|500|HA-08, HA-01, HA-02, HA-03, HA-06, FS-10|495
HA|1000|HA-09, 2 x HA-08, 3 x HA-01, HA-04, HA-03, HA-07, HA-V2, FS-6|987
CC|350|CC-07, CC-01, CC-02, CC-04, FS-6|336
CC|500|CC-07, 2 x CC-01, CC-06, CC-04, CC-05|486
CC|1000|CC-08, 2 x CC-07, 4 x CC-01, CC-03, CC-04, CC-05, CC-V3, FS-6|990
JP|350|JP-07, 2 x JP-01, JP-V1, FS-6|343
JP|500|JP-07, JP-01, JP-02, JP-03, JP-05|482
JP|1000|JP-08, 2 x JP-07, 3 x JP-01, JP-02, JP-03, JP-05, 2 x JP-V1|965
LC|350|LC-07, 2 x LC-01, LC-02, LC-V1|345
LC|500|LC-07, 2 x LC-01, LC-02, LC-03, LC-05, FS-10|485
LC|1000|LC-08, 2 x LC-07, 3 x LC-01, LC-02, 2 x LC-03, LC-04, LC-06, LC-V1, FS-10|953
FC|350|FC-07, 3 x FC-01, FC-02, FS-6|347
FC|500|FC-07, 3 x FC-01, FC-02, FC-05, FC-06, FC-V1|486
FC|1000|FC-08, 2 x FC-07, 4 x FC-01, 2 x FC-02, FC-03, FC-05, FC-V2, FS-6|970
BR|350|BR-08, 2 x BR-01, 2 x BR-02, BR-05, BR-04, FS-6|324
BR|500|BR-08, 3 x BR-01, 3 x BR-02, BR-03, BR-05, BR-04, FS-6|452
BR|1000|2 x BR-08, 5 x BR-01, 6 x BR-02, 2 x BR-03, 2 x BR-05, 2 x BR-06, 2 x BR-04, 2 x FS-6|934
"""
PAGES: Final = [
    pytest.param("western_alliance", WESTERN_ALLIANCE, marks=pytest.mark.rule("AE-OPEN-09")),
    pytest.param("holy_army", HOLY_ARMY, marks=pytest.mark.rule("AE-OPEN-10")),
    pytest.param("chicom", CHICOM, marks=pytest.mark.rule("AE-OPEN-11")),
    pytest.param("jihad_pact", JIHAD_PACT, marks=pytest.mark.rule("AE-OPEN-12")),
    pytest.param("lunar_colony", LUNAR_COLONY, marks=pytest.mark.rule("AE-OPEN-13")),
    pytest.param("future_corp", FUTURE_CORP, marks=pytest.mark.rule("AE-OPEN-14")),
    pytest.param("brotherhood", BROTHERHOOD, marks=pytest.mark.rule("AE-OPEN-15")),
]


def name_of(id: str) -> str:
    """Write an ability as the ledger does."""
    return "2ic" if id == "second" else id.replace("_", " ").capitalize()


def lines_of(profile: UnitProfile) -> list[str]:
    """Write a unit as the ledger does: its row, then a line for each of its ranks."""
    common = set.intersection(*(set(figure.abilities) for figure in profile.figures))
    # what all have is a column of its own; of one figure alone it is all that it has
    shown = ", ".join(name_of(id) for id in profile.figures[0].abilities if id in common) or "-"
    numbers = [profile.experience, profile.ccr, profile.move // 100, profile.armour, shown, profile.points]
    found = ["|".join(map(str, [profile.id, profile.name, len(profile.figures), *numbers]))]
    for figure, alike in groupby(profile.figures):
        gear = [id.upper() for id in figure.weapons] + [name_of(id) for id in figure.abilities if id not in common]
        found.append(f"  {len(list(alike))} {figure.name} ({', '.join(gear)})")
    return found


@pytest.mark.parametrize(("army", "table"), PAGES)
def test_a_page_is_as_the_ledger_has_it(army: str, table: str) -> None:
    page = content().book.factions[army]
    assert [line for one in page.units.values() for line in lines_of(one)] == table.strip("\n").splitlines()


@pytest.mark.rule("AE-OPEN-17")
def test_vehicles_are_as_the_ledger_has_them() -> None:
    letters = {"W": "wheeled", "T": "tracked", "S": "skimmer", "L": "walker"}
    for row in VEHICLES.strip().splitlines():
        id, name, kind, *numbers, experience, weapons, traits, points = row.split("|")
        front, side, rear, top, move, crew, places = map(int, numbers)
        found = vehicle(id)
        assert (found.name, found.kind, found.experience) == (name, letters[kind], experience)
        assert found.armour == Armour(front, side, rear, top)
        assert (found.move, found.crew, found.places) == (move * 100, crew, places)
        assert [weapon.upper() for weapon in found.weapons] == [word for word in weapons.split(", ") if word != "-"]
        assert [name_of(trait) for trait in found.traits] == [word for word in traits.split(", ") if word != "-"]
        assert found.points == int(points)
    assert sum(len(one.vehicles) for one in content().book.factions.values()) == len(VEHICLES.strip().splitlines())
    assert (vehicle("CC-V1").length, vehicle("CC-V1").width) == (800, 300)
    assert (vehicle("WA-V3").length, vehicle("WA-V3").width) == (800, 400)
    assert vehicle("HA-V4").psi == 2


@pytest.mark.rule("AE-OPEN-09")
def test_a_rifle_squad_may_be_three_fireteams() -> None:
    squad = unit("WA-01")
    teams = [squad.team(number) for number in range(len(squad.teams))]
    assert [team.points for team in teams] == [32, 33, 33]
    assert [[figure.name for figure in team.figures] for team in teams] == [
        ["squad leader", "rifleman", "rifleman"],
        ["gunner", "rifleman", "rifleman"],
        ["gunner", "rifleman", "rifleman"],
    ]
    assert {team.role for team in teams} == {"fireteam"}
    assert sum(map(bool, (one.teams for one in faction("WA").units.values()))) == 1


@pytest.mark.rule("AE-OPEN-31")
def test_ready_lists_are_as_the_ledger_has_them() -> None:
    for row in READY.strip().splitlines():
        code, size, units, points = row.split("|")
        page = faction(code)
        listed = LISTS.ready(content().book, page.id, int(size))
        told = [f"{line.count} x {line.unit}" if line.count > 1 else line.unit for line in listed.entries]
        assert (", ".join(told), LISTS.faults(content().book, listed)) == (units, [])
        cards = content().book.cards
        prices = [
            line.count * (cards[line.unit].price if line.unit in cards else priced(page, line.unit))
            for line in listed.entries
        ]
        assert sum(prices) == int(points)


def test_the_rulings_tell_the_ready_lists() -> None:
    told = " ".join(DATA.with_name("RULINGS.md").read_text("utf-8").split())
    lists = [row.split("|") for row in READY.strip().splitlines()]
    usual = [f"{units}: {points} (" for _, size, units, points in lists if int(size) in (350, 500, 1000)]
    assert [one for one in usual if one not in told] == []


def priced(page: Faction, id: str) -> int:
    profile = page.profile(id)
    assert profile is not None
    return profile.points


@pytest.mark.rule("AE-COH-01")
def test_squads_and_fireteams_have_their_sizes() -> None:
    for page in content().book.factions.values():
        for one in page.units.values():
            least, most = {"squad": (6, 10), "fireteam": (3, 4)}.get(one.role, (1, 10))
            assert one.has("guerrilla") or least <= len(one.figures) <= most
