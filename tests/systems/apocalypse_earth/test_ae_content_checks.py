"""What is wrong with content is told by file, line, key and reason (AE-OPEN-01)."""

from __future__ import annotations

import pytest

from engine.core.rules.errors import ContentRefused
from engine.rulesets.apocalypse_earth.content import content as files
from tests.support.systems.ae_shipped import texts

WA = "armies/western_alliance.toml"
LC = "armies/lunar_colony.toml"
TREES = "scenario_out_of_the_treeline.toml"
MEETING = "scenario_meeting_engagement.toml"
FLAGS = "scenario_three_flags.toml"
LOOPHOLE = "scenario_loophole.toml"


def refused(**changed: str) -> list[str]:
    """Return what is wrong with the shipped files, some of them changed."""
    with pytest.raises(ContentRefused) as problem:
        files.read({**texts(), **changed})
    return list(problem.value.problems)


BROKEN = [
    (WA, "points = 98", "points = 99", "page.unit.0.points: the sums make 98 of it"),
    (WA, "move = 14", "move = 16", "page.unit.2.points: the sums make 106 of it"),
    (WA, "places = 4", "places = 5", "motor_pool.vehicle.0.points: the sums make 59 of it"),
    (WA, '"WA-07", "2 x WA-01", "WA-V1", "FS-10"', '"WA-17"', "ready.list.0.units: no unit has the id WA-17"),
    (WA, "(MG)", "(MGX)", "page.unit.3.figures: no weapon or ability has the id mgx"),
    (
        WA,
        '"6 rifleman (AR, FR)"',
        '"rifleman"',
        'page.unit.0.figures.1: rifleman should read like "6 rifleman (AR, FR)"',
    ),
    (WA, '"6 rifleman (AR, FR)"', '"9 rifleman (AR, FR)"', "page.unit.0.figures: a squad has 6 to 10 figures, not 12"),
    (WA, "[9, 6, 7]", "[9, 6]", "page.unit.0.teams: the teams name each figure from 1 to 9 once"),
    (WA, 'id = "WA-02"', 'id = "WA-01"', "page.unit.1.id: the id WA-01 is used twice"),
    (WA, 'id = "WA-02"', 'id = "HA-02"', "page.unit.1.id: the units of this army begin with WA-"),
    (WA, '"FS-1", ', '"FS-11", ', "cards.ids: no support card has the id FS-11"),
    (WA, 'weapons = ["hmg50"]', 'weapons = ["hmg"]', "motor_pool.vehicle.0.weapons: no weapon has the id hmg"),
    (WA, "armour = [11, 10, 9, 8]", "armour = [11, 10, 9]", "motor_pool.vehicle.0.armour"),
    (
        LC,
        'role = "specialists"',
        'role = "squad"',
        "page.unit.3.role: a unit with a Psi or Null ability is of specialists",
    ),
    ("armoury.toml", '"3 + D6"', '"3 + D8"', 'weapon.ar.penetration: 3 + D8 should read like "3 + D6" or "5 + 2D6"'),
    ("armoury.toml", "[2, 3, 4]", "[4, 3, 2]", "kills: more cover cannot make it easier to kill"),
    ("vehicles.toml", '"drv", "opt"', '"drv", "oops"', "class.wheeled.front: no damage has the id oops"),
    ("vehicles.toml", 'again = "eng"', 'again = "nut"', "damage.trk.again: no damage has the id nut"),
    ("points.toml", 'adds = "ugl"', 'adds = "gl"', "options.row.0: no weapon has the id gl"),
    ("points.toml", "number = 2", "number = 1", "options.row.1.number: the number 1 is used twice"),
    ("powers.toml", 'option = "overwatch"', 'option = "watch"', "power.foresight.option: watch is none of"),
    ("terrain.toml", 'ruin = "ruins"', 'ruin = "dust"', "terrain.hut.ruin: no terrain has the id dust"),
    ("laid.toml", '"low_wall"', '"high_wall"', "laid.lot.1.kinds: no terrain has the id high_wall"),
    (TREES, "[0, 0, 18, 90]", "[0, 0, 18, 91]", "reaches beyond the table"),
    (TREES, 'kind = "trench"', 'kind = "ditch"', "scenario.feature.7.kind: no terrain has the id ditch"),
    (TREES, 'zone = "treeline"', 'zone = "trees"', "scenario.prize.1.zone: no zone has the id trees"),
    (TREES, 'units = ["WA-03"]', 'units = ["WA-33"]', "scenario.prize.1.units: no unit of the forces has the id WA-33"),
    (TREES, "points = 316", "points = 317", "scenario.force.0.points: its units make 316"),
    (TREES, 'faction = "chicom"', 'faction = "china"', "scenario.force.2.faction: no faction has the id china"),
    (
        TREES,
        '"2 x WA-03", "WA-05"',
        '"2 x HA-03"',
        "scenario.force.0.units: no unit of western_alliance has the id HA-03",
    ),
    (TREES, '["camp_1"], ["camp_2"]', '["camp_1"], ["camp_3"]', "scenario.form.1.forces: no force has the id camp_3"),
    (TREES, "sides = [0, 0, 1, 1]", "sides = [0, 0, 1]", "scenario.form.1.sides: is given for 3 seats, of 4"),
    (MEETING, "sides = [0, 0, 1, 1]", "sides = [0, 0, 1, 2]", "scenario.form.4.sides: there are two sides, 0 and 1"),
    (MEETING, "points = [1000, 1000]", "points = [1000, 900]", "the sides have 1000 and 900: within 5 % is fair"),
    (MEETING, "sides = [0, 1]\npoints = [600, 600]", "points = [600, 600]", "at least 3 play each for themselves"),
    (MEETING, "at = [135, 60]", "at = [195, 60]", "scenario.objective.2.at: lies beyond the table"),
    (MEETING, "standard = true", "standard = true\nlaid = { woods = 1 }", "scenario.laid: a table is laid as usual"),
    (MEETING, "standard = true", "laid = { pools = 1 }", "scenario.laid: no piece that dice lay has the id pools"),
    (MEETING, "standard = true", "laid = { woods = 25 }", "scenario.size: there is room for 24 pieces that dice lay"),
    (FLAGS, '"north_east", "north_west"]', '"north_east"]', "scenario.form.0.choose: 3 seats choose among 2 zones"),
    (FLAGS, "unit_share = 25", "unit_share = 25\nfirst = 4", "scenario.first: names a side that no seat has"),
    (LOOPHOLE, 'zones = ["corner", ""]\n', "", "scenario.form.0.zones: the forces of seat 0 have several zones"),
]


@pytest.mark.rule("AE-OPEN-01", "AE-COH-01", "AE-SEAT-01")
@pytest.mark.rule("AE-SEAT-05")
@pytest.mark.parametrize(("file", "old", "new", "told"), BROKEN)
def test_a_fault_is_told_with_its_place(file: str, old: str, new: str, told: str) -> None:
    whole = texts()[file]
    assert old in whole
    problems = refused(**{file: whole.replace(old, new, 1)})
    found = [problem for problem in problems if told in problem]
    assert found, problems
    assert found[0].startswith(f"{file}:")


@pytest.mark.rule("AE-OPEN-01")
def test_what_belongs_to_an_army_stands_beside_it() -> None:
    more = '[cards]\nids = ["FS-1"]\n'
    assert refused(**{"more.toml": more}) == [
        "more.toml:1: cards: belongs to an army list: its [faction] stands in the same file"
    ]
    empty = '[faction]\nid = "mars"\ncode = "MA"\nname = "Mars"\nversion = 1\ninitiative = 1\nair = 1\n'
    assert refused(**{"more.toml": empty}) == ["more.toml:1: page: an army list needs units: [[page.unit]]"]


@pytest.mark.rule("AE-OPEN-01")
def test_an_army_of_another_file_is_defined_once() -> None:
    assert "more.toml:6: faction.code: WA is defined in armies/western_alliance.toml too" in refused(
        **{"more.toml": texts()[WA]}
    )


def test_a_file_that_cannot_be_read_is_not_blamed_on_others() -> None:
    problems = refused(**{"armoury.toml": texts()["armoury.toml"].replace("price = 3", "price = x", 1)})
    assert [problem.partition(":")[0] for problem in problems] == ["armoury.toml"]


def test_the_shipped_content_is_sound() -> None:
    content = files.read(texts())
    assert len(content.book.factions) == 7
    assert len({form.of or form.id for form in content.forms.values()}) == 8
