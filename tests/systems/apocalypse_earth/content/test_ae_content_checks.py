"""Faults of content are told by file, line, key and reason (AE-OPEN-01)."""

from __future__ import annotations

from typing import Final

import pytest

from engine.core.rules.errors import ContentRefused
from engine.rulesets.apocalypse_earth.content import content as files
from engine.rulesets.apocalypse_earth.content.army_checks import Known, unit_faults
from tests.support.systems.ae_shipped import content, texts, unit_entry

WA = "armies/western_alliance.toml"
LC = "armies/lunar_colony.toml"
TREES = "scenario_out_of_the_treeline.toml"
MEETING = "scenario_meeting_engagement.toml"
FLAGS = "scenario_three_flags.toml"
LOOPHOLE = "scenario_loophole.toml"
LESSON = "lesson_first_contact.toml"


BOOK: Final = content().book


def refused(**changed: str) -> list[str]:
    """Return what is wrong with the shipped files, some of them changed."""
    with pytest.raises(ContentRefused) as problem:
        files.read({**texts(), **changed})
    return list(problem.value.problems)


BROKEN = [
    (WA, "points = 108", "points = 109", "page.unit.7.points: the points formula makes 108 of it"),
    (WA, "move = 14", "move = 16", "page.unit.2.points: the points formula makes 96 of it"),
    (WA, "places = 4", "places = 5", "motor_pool.vehicle.0.points: the points formula makes 59 of it"),
    (WA, '"WA-07", "2 x WA-01", "WA-V1", "FS-10"', '"WA-17"', "ready.list.0.units: no unit has the id WA-17"),
    (WA, "(MG)", "(MGX)", "page.unit.3.figures: no weapon or ability has the id mgx"),
    (
        WA,
        '"6 rifleman (AR, FR)"',
        '"rifleman"',
        'page.unit.0.figures.1: rifleman should read like "6 rifleman (AR, FR)"',
    ),
    (
        WA,
        '"5 engineer (SMG, DC)"',
        '"9 engineer (SMG, DC)"',
        "page.unit.5.figures: a squad has 6 to 10 figures, not 12 && page.unit.5.points: "
        "the points formula makes 163 of it",
    ),
    (WA, "[9, 6, 7]", "[9, 6]", "page.unit.0.teams: the teams name each figure from 1 to 9 once"),
    (
        WA,
        'id = "WA-08"',
        'id = "WA-04"',
        "page.unit.7.id: the id WA-04 is used twice && ready.list.2.units: no unit has the id WA-08",
    ),
    (
        WA,
        'id = "WA-08"',
        'id = "HA-08"',
        "page.unit.7.id: the units of this army begin with WA- && ready.list.2.units: no unit has the id WA-08",
    ),
    (WA, "air = 5", "air = 5\nrate = 49", "faction.rate: Input should be greater than or equal to 50"),
    (WA, "air = 5", "air = 5\nrate = 201", "faction.rate: Input should be less than or equal to 200"),
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
    (
        TREES,
        'what = "razed"',
        'what = "home"',
        "scenario.prize.0.outline: units come home to a place, and for nothing else",
    ),
    (
        TREES,
        'zone = "camp"',
        'zone = "trees"',
        "scenario.force.2.zone: no zone has the id trees && scenario.form.0.zones: the forces of seat 1 have",
    ),
    (TREES, 'units = ["WA-03"]', 'units = ["WA-33"]', "scenario.prize.1.units: no unit of the forces has the id WA-33"),
    (TREES, "points = 403", "points = 404", "scenario.force.0.points: its units make 403"),
    (TREES, 'faction = "chicom"', 'faction = "china"', "scenario.force.2.faction: no faction has the id china"),
    (
        TREES,
        '"2 x WA-03", "WA-01"',
        '"2 x HA-03"',
        "scenario.force.0.units: no unit of western_alliance has the id HA-03",
    ),
    (MEETING, "at = [135, 60]", "at = [195, 60]", "scenario.objective.2.at: reaches beyond the table"),
    (MEETING, "standard = true", "standard = true\nlaid = { woods = 1 }", "scenario.laid: a table is laid as usual"),
    (TREES, "[60, 0, 60, 90]", "[60, 0, 60]", "scenario.zone.1.outline"),
    (FLAGS, 'edge = "north"', 'edge = "up"', "scenario.zone.2.edge"),
    (MEETING, "standard = true", "laid = { pools = 1 }", "scenario.laid: no piece that dice lay has the id pools"),
    (MEETING, "standard = true", "laid = { woods = 25 }", "scenario.size: there is room for 24 pieces that dice lay"),
]
RATED = """
page.unit.0.points 108
page.unit.1.points 50
page.unit.2.points 101
page.unit.3.points 67
page.unit.4.points 40
page.unit.5.points 122
page.unit.6.points 84
page.unit.7.points 119
motor_pool.vehicle.0.points 64
motor_pool.vehicle.1.points 120
motor_pool.vehicle.2.points 139
"""
UNFAIR = [
    (TREES, '["camp_1"], ["camp_2"]', '["camp_1"], ["camp_3"]', "scenario.form.1.forces: no force has the id camp_3"),
    (TREES, "sides = [0, 0, 1, 1]", "sides = [0, 0, 1]", "scenario.form.1.sides: is given for 3 seats, of 4"),
    (MEETING, "sides = [0, 0, 1, 1]", "sides = [0, 0, 1, 2]", "scenario.form.4.sides: there are two sides, 0 and 1"),
    (MEETING, "points = [1000, 1000]", "points = [1000, 900]", "the sides have 1000 and 900: within 5 % is fair"),
    (MEETING, "sides = [0, 1]\npoints = [600, 600]", "points = [600, 600]", "at least 3 play each for themselves"),
    (FLAGS, '"north_east", "north_west"]', '"north_east"]', "scenario.form.0.choose: 3 seats choose among 2 zones"),
    (FLAGS, "unit_share = 25", "unit_share = 25\nfirst = 4", "scenario.first: names a side that no seat has"),
    (LOOPHOLE, 'zones = ["corner", ""]\n', "", "scenario.form.0.zones: the forces of seat 0 have several zones"),
    (FLAGS, "unit_share = 25", "unit_share = 25\ndeploys = [2, 4]", "scenario.deploys: names a side that no seat has"),
    (TREES, "deploys = [1, 0]", "deploys = [1, 2]", "scenario.deploys: names a side that no seat has"),
]


def check(file: str, old: str, new: str, told: str) -> None:
    """Break a shipped file, and compare all that is told of it; several reasons stand with && between them."""
    whole = texts()[file]
    assert old in whole
    problems = refused(**{file: whole.replace(old, new, 1)})
    wanted = dict.fromkeys(told.split(" && "))
    assert all(problem.startswith(f"{file}:") for problem in problems)
    assert [[part in problem for part in wanted].count(True) for problem in problems] == [1] * len(wanted), problems


@pytest.mark.rule("AE-OPEN-01")
@pytest.mark.parametrize(("file", "old", "new", "told"), BROKEN)
def test_a_fault_is_told_with_its_place(file: str, old: str, new: str, told: str) -> None:
    check(file, old, new, told)


@pytest.mark.rule("AE-OPEN-08")
def test_the_rate_of_a_faction_is_in_every_price_of_its_page() -> None:
    told = [line.split() for line in RATED.strip().splitlines()]
    problems = refused(**{WA: texts()[WA].replace("air = 5", "air = 5\nrate = 110", 1)})
    assert [problem.partition(": ")[2] for problem in problems] == [
        f"{key}: the points formula makes {points} of it" for key, points in told
    ]


@pytest.mark.rule("AE-SEAT-01", "AE-SEAT-05")
@pytest.mark.parametrize(("file", "old", "new", "told"), UNFAIR)
def test_seats_that_are_no_game_are_told_with_their_place(file: str, old: str, new: str, told: str) -> None:
    check(file, old, new, told)


@pytest.mark.rule("AE-COH-01")
@pytest.mark.parametrize(
    ("role", "ranks", "abilities", "told"),
    [
        ("squad", (1, 5), "", []),
        ("squad", (1, 9), "", []),
        ("squad", (1, 4), "", ["figures: a squad has 6 to 10 figures, not 5"]),
        ("squad", (1, 10), "", ["figures: a squad has 6 to 10 figures, not 11"]),
        ("squad", (1, 4), "guerrilla", []),
        ("squad", (1, 10), "guerrilla", ["figures: a squad has 1 to 10 figures, not 11"]),
        ("fireteam", (1, 2), "", []),
        ("fireteam", (1, 3), "", []),
        ("fireteam", (1, 1), "", ["figures: a fireteam has 3 to 4 figures, not 2"]),
        ("fireteam", (1, 4), "", ["figures: a fireteam has 3 to 4 figures, not 5"]),
        ("specialists", (1, 1), "", []),
        ("platoon", (1, 4), "", []),
        ("squad", (1, 5), "null", ["role: a unit with a Psi or Null ability is of specialists"]),
        ("fireteam", (1, 2), "psi_1", ["role: a unit with a Psi or Null ability is of specialists"]),
        ("specialists", (1, 5), "null", []),
    ],
)
def test_units_have_the_size_of_their_part(role: str, ranks: tuple[int, int], abilities: str, told: list[str]) -> None:
    each = 5 + (BOOK.worth.abilities[abilities].price if abilities else 0)
    figures = [f"{ranks[0]} leader (PI)", f"{ranks[1]} rifleman (PI)"]
    assert unit_told(role, figures, [abilities] if abilities else [], sum(ranks) * each) == told


@pytest.mark.rule("AE-COH-01")
@pytest.mark.parametrize(
    ("teams", "told"),
    [
        ([[1, 2, 3], [4, 5, 6]], []),
        ([[1, 2, 3], [4, 5]], ["teams: the teams name each figure from 1 to 6 once"]),
        ([[1, 2, 3], [4, 5, 6, 7]], ["teams: the teams name each figure from 1 to 6 once"]),
        ([[1, 2, 3], [3, 4, 5]], ["teams: the teams name each figure from 1 to 6 once"]),
    ],
)
def test_teams_name_every_figure_once(teams: list[list[int]], told: list[str]) -> None:
    assert unit_told("squad", ["6 rifleman (PI)"], [], 30, teams=teams) == told


@pytest.mark.rule("AE-COH-01")
def test_gear_that_nothing_defines_is_told_once() -> None:
    assert unit_told("specialists", ["2 rifleman (PI, XX)"], [], 9) == ["figures: no weapon or ability has the id xx"]
    assert unit_told("specialists", ["2 rifleman (PI)"], ["brave"], 9) == ["abilities: no ability has the id brave"]


def unit_told(role: str, figures: list[str], abilities: list[str], points: int, **more: object) -> list[str]:
    """Return what is told of a unit."""
    row = unit_entry(role=role, figures=figures, abilities=abilities, points=points, **more)
    known = Known(BOOK.worth, BOOK.classes.keys(), BOOK.damage.keys(), BOOK.cards.keys(), blind=False)
    faults = unit_faults(("page", "unit", 0), row, known)
    return [f"{fault.loc[-1]}: {fault.reason}" for fault in faults]


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
    assert len({form.of or form.id for form in content.forms.values()}) == 9


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('faction = "band"', 'faction = "bands"', "lesson.seat.1.faction: bands is none of "),
        ('scenario = "first_contact"', 'scenario = "contact"', "lesson.scenario: contact is none of "),
        ('bot = "level1"\n', "", "lesson.seat: the first seat is the learner's, all others have a bot"),
    ],
)
def test_faults_of_a_lesson_are_told(old: str, new: str, told: str) -> None:
    text = texts()[LESSON]
    assert old in text
    [problem] = refused(**{LESSON: text.replace(old, new)})
    assert problem.partition(": ")[2].startswith(told)
