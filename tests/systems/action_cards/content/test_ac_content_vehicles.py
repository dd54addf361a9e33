"""Content of vehicles, crewed weapons and organisations, and of scenarios about them, as TOML."""

from __future__ import annotations

import msgspec
import pytest

from engine.core.rules.system import Setup
from engine.rulesets.action_cards.content import content
from engine.rulesets.action_cards.state.model import Gun, Resolved, Travel
from tests.support.systems.shipped import faults_with, shipped_content

FACTION = "faction_column.toml"
SCENARIO = "scenario_salt_road.toml"


@pytest.mark.parametrize(
    ("old", "new", "key", "reason"),
    [
        ('gun = "mortar"', 'gun = "oven"', "faction.figure.3.gun", "no weapon has the id oven"),
        ("least = 2", "least = 4", "faction.figure.3.least", "can never be 4"),
        ("size = [4.5, 2.2]", "size = [2.2, 4.5]", "faction.figure.4.vehicle", "the longer first"),
        ("size = [4.5, 2.2]", "size = [14, 2.2]", "faction.figure.4.vehicle", "at most 12"),
        ('doors = ["rear", "left", "right"]', "doors = []", "faction.figure.4.vehicle", "needs doors"),
        ('"rear", "left", "right"', '"rear", "rear"', "faction.figure.4.vehicle", "one door"),
        ('travel = "road"', 'travel = "rail"', "faction.figure.4.vehicle.travel", "road"),
        ('figures = ["lorry"]', 'figures = ["lorry", "hand"]', "faction.squad.3.figures", "a group of its own"),
        ('organisation = "outriders"', 'organisation = "choir"', "faction.squad.1.organisation", "choir"),
        ("size = 3\nmove = 12", "size = 2\nmove = 12", "faction.squad.1.figures", "larger than its 2"),
        ('id = "battery"', 'id = "outriders"', "faction.organisation", "used twice"),
        ('glyph = "lorry"', 'glyph = "lorry"\ncrew = 2', "faction.figure.4", "instead of a crew"),
    ],
)
def test_faults_of_vehicles_guns_and_organisations(old: str, new: str, key: str, reason: str) -> None:
    told = faults_with(FACTION, old, new)
    assert any(f": {key}" in one and reason in one and one.startswith(f"{FACTION}:") for one in told), told


@pytest.mark.parametrize(
    ("old", "new", "key", "reason"),
    [
        ('faction = "unit"', 'faction = "uint"', "scenario.role.1.faction", "uint"),
        ('faction = "unit"', 'faction = "column"', "scenario.role.1.faction", "another role's"),
        ('"scrub", "wire_fence"]', '"scrub", "lava"]', "scenario.travel.off_road", "lava"),
        (
            'effect = "clear"\nroll = true\nfeature = "crane"',
            'effect = "clear"',
            "scenario.special.2",
            "needs a feature",
        ),
        ("double = 1\nsingle = -1", "double = 99", "scenario.role.0.adjust.double", "20"),
    ],
)
def test_faults_of_a_scenario_with_vehicles(old: str, new: str, key: str, reason: str) -> None:
    told = faults_with(SCENARIO, old, new)
    assert any(f": {key}" in one and reason in one for one in told), told


def _laid(*factions: str) -> Resolved:
    packed = content.setup(shipped_content(), Setup("salt_road", factions))
    return msgspec.msgpack.decode(packed, type=Resolved)


def test_a_role_brings_its_usual_faction_unless_somebody_else_chose_it() -> None:
    assert [f.id for f in _laid("", "", "", "").factions] == ["column", "unit", "levy", "spugs"]
    chosen = [f.id for f in _laid("", "column", "", "").factions]
    assert chosen[1:] == ["column", "levy", "spugs"]
    assert chosen[0] == "unit"


def test_numbers_come_as_written() -> None:
    laid = _laid("", "", "", "")
    column = laid.factions[0]
    profiles = {profile.id: profile for profile in column.profiles}
    lorry = profiles["lorry"].vehicle
    assert lorry is not None
    assert (lorry.travel, lorry.length, lorry.width, lorry.move, lorry.seats) == ("road", 450, 220, 1400, 12)
    assert lorry.doors == ("rear", "left", "right")
    assert profiles["lorry"].radius == 110
    assert profiles["mortarman"].gun == Gun("mortar", 0, 7, 2)
    assert column.kinds == ("",) * 5 + ("outriders", "outriders", "battery", "", "", "")
    assert column.organisation("outriders").move == 1200
    assert column.organisation("battery").move == column.move == 800
    assert laid.scenario.travel == Travel((), ("rubble", "scrub", "wire_fence"))
