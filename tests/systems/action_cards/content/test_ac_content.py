"""Content from TOML: faults are reported by file, line, key and reason."""

from __future__ import annotations

import msgspec
import pytest

from engine.core.rules.errors import ContentRefused, SetupRefused
from engine.core.rules.system import Setup
from engine.rulesets.action_cards.content import content
from engine.rulesets.action_cards.state.model import Resolved
from engine.rulesets.action_cards.system import CATALOGUE
from engine.space.vectors.points import box_of, boxes_meet
from protocol.text_format import format_text
from tests.support.systems.shipped import (
    faults_with,
    held_for_lessons,
    shipped_content,
    shipped_scenarios,
    shipped_texts,
)

SCENARIO = "scenario_harrow_cross.toml"
FACTION = "faction_1_unit.toml"


def line(file: str, passage: str) -> int:
    return shipped_texts()[file][: shipped_texts()[file].index(passage)].count("\n") + 1


def test_an_unknown_key_is_named_with_its_line() -> None:
    where = line(FACTION, "glyph =")
    (told,) = faults_with(FACTION, "glyph =", "gylph =")
    assert told.startswith(f"{FACTION}:{where}: faction.gylph: ")


def test_a_missing_key_names_the_table_that_lacks_it() -> None:
    where = line(FACTION, "[faction.kill]")
    (told,) = faults_with(FACTION, "building = 12\n", "")
    assert told.startswith(f"{FACTION}:{where}: faction.kill.building: ")


def test_a_wrong_type_in_an_array_of_tables_names_the_entry() -> None:
    where = line(FACTION, 'id = "support"') + 2
    (told,) = faults_with(FACTION, "dice = 2", 'dice = "two"')
    assert told.startswith(f"{FACTION}:{where}: faction.weapon.1.dice: ")


def test_broken_toml_names_the_line() -> None:
    where = line(FACTION, "size = 4")
    (told,) = faults_with(FACTION, "size = 4", "size = = 4")
    assert told.startswith(f"{FACTION}:{where}: ")


def test_every_fault_is_told_at_once() -> None:
    texts = shipped_texts()
    broken = {**texts, FACTION: "[faction]\nid = 1", SCENARIO: "nonsense"}
    with pytest.raises(ContentRefused) as caught:
        content.read(broken)
    assert {told.split(":")[0] for told in caught.value.problems} == {FACTION, SCENARIO}


@pytest.mark.parametrize(
    ("old", "new", "key", "reason"),
    [
        ('kind = "building"', 'kind = "castle"', "scenario.feature.0.kind", "castle"),
        ("box = [32, 21, 8, 6]", "box = [70, 21, 8, 6]", "scenario.feature.0.box", "beyond the table"),
        ("doors = [[36, 21]", "doors = [[36, 22]", "scenario.feature.0.doors", "not on the outline"),
        ('id = "mill"', 'id = "relay"', "scenario.feature.1.id", "used twice"),
        ("win = 3", "win = 9", "scenario.role.0.win", "points can be had"),
        ('kind = "hold"', 'kind = "hug"', "scenario.role.0.condition.0.kind", "hug"),
        (
            'kind = "hold"\nfeature = "relay"',
            'kind = "hold"\nfeature = "moon"',
            "scenario.role.0.condition.0.feature",
            "moon",
        ),
        ("start = [1, 1, 16, 11]", "start = [1, 41, 16, 11]", "scenario.role.0.start", "beyond the table"),
        ('effect = "work"', 'effect = "levitate"', "scenario.special.0.effect", "levitate"),
        ("size = [72, 48]", "size = [72.125, 48]", "scenario.size.0", "two decimals"),
    ],
)
def test_faults_of_a_scenario(old: str, new: str, key: str, reason: str) -> None:
    told = faults_with(SCENARIO, old, new)
    assert any(f": {key}" in one and reason in one and one.startswith(f"{SCENARIO}:") for one in told), told


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('weapons = ["laws"]', 'weapons = ["spear"]', "spear"),
        ('"gunner", "rocketeer"]', '"gunner", "wizard"]', "wizard"),
        ('"gunner", "rocketeer"]', '"gunner", "rocketeer", "gunner"]', "larger than"),
        ('id = "unit"', 'id = "daleks"', "too"),
    ],
)
def test_faults_of_a_faction(old: str, new: str, reason: str) -> None:
    assert any(reason in one for one in faults_with(FACTION, old, new))


def test_seats_that_chose_nothing_get_the_first_free_factions_in_order() -> None:
    read = shipped_content()
    packed = content.setup(read, Setup("harrow_cross", ("", "hush", "", "unit")))
    resolved = msgspec.msgpack.decode(packed, type=Resolved)
    assert [faction.id for faction in resolved.factions] == ["daleks", "hush", "spugs", "unit"]


@pytest.mark.parametrize(
    ("setup", "key"),
    [
        (Setup("nowhere", ("",) * 4), "setup.no-scenario"),
        (Setup("harrow_cross", ("",) * 3), "setup.seats"),
        (Setup("harrow_cross", ("", "elves", "", "")), "setup.no-faction"),
        (Setup("harrow_cross", ("unit", "", "unit", "")), "setup.faction-twice"),
    ],
)
def test_a_set_up_that_cannot_be_played_is_refused(setup: Setup, key: str) -> None:
    with pytest.raises(SetupRefused) as caught:
        content.setup(shipped_content(), setup)
    assert caught.value.text.k == key


def test_too_few_factions_for_a_scenario_are_told() -> None:
    five = ("terrain", "events", "faction_2", "faction_3", "faction_4", "faction_5", "faction_6", "scenario_low_water")
    texts = {file: toml for file, toml in shipped_texts().items() if file.startswith(five)}
    with pytest.raises(SetupRefused) as caught:
        content.setup(content.read(texts), Setup("low_water", ("",) * 6))
    assert caught.value.text.k == "setup.few-factions"


@pytest.mark.parametrize("scenario", [id for id in shipped_scenarios() if ":" not in id])
def test_terrain_is_discrete_and_leaves_the_start_zones_free(scenario: str) -> None:
    read = shipped_content()
    packed = content.setup(read, Setup(scenario, ("",) * len(read.scenarios[scenario].role)))
    laid = msgspec.msgpack.decode(packed, type=Resolved).scenario
    areas = [(f.id, box_of(f.outline)) for f in laid.features if not read.terrain[f.kind].line]
    zones = [(f"start of {role.name}", box_of(role.start)) for role in laid.roles]
    pieces = len(laid.features) + sum(scatter.count for scatter in laid.scatter)
    assert (5 if scenario in held_for_lessons() else 16) <= pieces <= 40
    assert len({f.kind for f in laid.features} | {scatter.kind for scatter in laid.scatter}) >= 5
    for number, (id, box) in enumerate(areas):
        for other, taken in (*areas[:number], *zones):
            assert not boxes_meet(box, taken), (id, other)


def test_three_factions_are_played_by_those_alone_who_choose_them() -> None:
    infos = content.scenarios(shipped_content())
    kept = {tuple(faction.id for faction in info.factions if not faction.dealt) for info in infos}
    assert kept == {("unit", "daleks", "spugs")}


@pytest.mark.parametrize(
    ("faction", "told"),
    [
        ("daleks", "4 groups of up to 3: 8 figures, 48 shooting dice"),
        ("column", "11 groups of up to 4: 32 figures, 45 shooting dice, 7 blast dice"),
    ],
)
def test_a_force_is_told_with_its_largest_group_and_all_its_dice(faction: str, told: str) -> None:
    first = content.numbers_of(shipped_content().factions[faction])[0]
    assert format_text(first, CATALOGUE) == told
