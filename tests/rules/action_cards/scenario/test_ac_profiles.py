"""Faction profiles as data (AC-FACT), the terrain table (AC-TERR-01) and roles (AC-SCEN-01) of the shipped content."""

from __future__ import annotations

from importlib.resources import files

import msgspec
import pytest

from engine.core.rules.system import Setup
from engine.rulesets.action_cards.content import content
from engine.rulesets.action_cards.state.model import Faction, Resolved
from tests.support.systems.shipped import shipped_content

DICE_APART = 18


def factions() -> dict[str, Faction]:
    return dict(shipped_content().factions)


def profile_dice(faction: Faction, group: tuple[str, ...]) -> int:
    dice = {profile.id: profile.dice for profile in faction.profiles}
    return sum(dice[figure] for figure in group)


@pytest.mark.rule("AC-FACT-02")
def test_unit_operates_in_sections_of_four_with_eight_dice() -> None:
    unit = factions()["unit"]
    assert unit.size == 4
    assert {weapon.id: weapon.dice for weapon in unit.weapons} == {"rifle": 1, "support": 2, "laws": 4}
    for section in unit.force:
        assert sorted(section) == ["gunner", "rifleman", "rifleman", "rocketeer"]
        assert profile_dice(unit, section) == 8
    assert len(unit.force) % 2 == 0  # squads of eight
    assert (unit.kill.open, unit.kill.cover, unit.kill.building) == (6, 9, 12)
    assert unit.traits == ("linked_fire",)


@pytest.mark.rule("AC-FACT-02")
def test_daleks_go_in_threes_with_six_dice_each() -> None:
    daleks = factions()["daleks"]
    assert daleks.size == 3
    threes, late = daleks.force[: -len(daleks.late)], daleks.force[-len(daleks.late) :]
    assert all(len(group) == 3 and profile_dice(daleks, group) == 18 for group in threes)
    assert late == (("dalek",),) * 2
    assert daleks.kill.open == 24


@pytest.mark.rule("AC-FACT-02", "AC-FACT-01")
def test_kill_numbers_in_cover_lie_halfway_rounded_up() -> None:
    """This holds for every faction and every vehicle."""
    kills = {id: faction.kill for id, faction in factions().items()}
    kills |= {p.id: p.vehicle.kill for faction in factions().values() for p in faction.profiles if p.vehicle}
    assert len(kills) >= 16
    assert {id: kill for id, kill in kills.items() if kill.cover != (kill.open + kill.building + 1) // 2} == {}


@pytest.mark.rule("AC-FACT-02")
def test_the_numbers_of_the_rulings_are_those_of_the_data() -> None:
    """RULINGS.md names humans, Daleks and Spugs."""
    text = files("engine.rulesets.action_cards").joinpath("RULINGS.md").read_text("utf-8")
    [line] = [line for line in text.splitlines() if "AC-FACT-02: the kill numbers" in line]
    unit, daleks, spugs = (factions()[id] for id in ("unit", "daleks", "spugs"))
    close = {faction.id: max(profile.close for profile in faction.profiles) for faction in (daleks, spugs)}
    for said in (
        f"humans {unit.kill.cover}, Daleks {daleks.kill.cover} (hard cover {daleks.kill.building})",
        f"Daleks fight hand to hand with {close['daleks']}D6 and move {daleks.move // 100} inches",
        f"Spugs fall to {spugs.kill.open}, {spugs.kill.cover} and {spugs.kill.building} points",
        f"bite with {close['spugs']}D6",
    ):
        assert said in line


@pytest.mark.rule("AC-FACT-02")
def test_spugs_move_sixteen_inches_and_burrow() -> None:
    spugs = factions()["spugs"]
    assert spugs.move == 1600
    assert [special.effect for special in spugs.specials] == ["burrow"]


@pytest.mark.rule("AC-FACT-01")
def test_a_profile_is_data() -> None:
    """Name, organisation, Move, weapons, close combat dice where different, kill numbers, traits, cards."""
    known = factions()
    levy, hush, lodestones = known["levy"], known["hush"], known["lodestones"]
    assert (levy.size, hush.size, lodestones.size) == (8, 3, 2)
    assert (levy.move, hush.move, lodestones.move) == (800, 1200, 700)
    menhir = lodestones.profiles[0]
    assert (menhir.dice, menhir.close, menhir.radius) == (7, 11, 80)
    assert "linked_fire" in levy.traits
    assert hush.traits == ()
    assert len({faction.cards for faction in (levy, hush, lodestones)}) == 3
    assert next(p for p in levy.profiles if p.id == "punter").crew == 2


@pytest.mark.rule("AC-FACT-01")
def test_twelve_different_factions_with_about_the_same_dice() -> None:
    known = factions()
    assert len(known) >= 12
    dice = {id: sum(profile_dice(faction, group) for group in faction.force) for id, faction in known.items()}
    assert max(dice.values()) - min(dice.values()) <= DICE_APART, dice


@pytest.mark.rule("AC-FACT-01")
def test_every_faction_plays_in_its_own_way() -> None:
    """No two factions are alike in size, Move, kill numbers, dice and special actions; each has a background text."""
    read = shipped_content()
    known = read.factions.values()
    ways = {(f.size, f.move, f.kill, f.traits, tuple(s.effect for s in f.specials)) for f in known}
    assert len(ways) == len(known)
    effects = {special.effect for faction in known for special in faction.specials}
    assert effects >= {"burrow", "leap", "dig_in", "demolish", "mend", "daunt"}
    for faction in known:
        paragraphs = read.told[faction.id].background
        assert len(paragraphs) >= 4, faction.id
        assert 200 < len(" ".join(paragraphs).split()) < 400, faction.id


@pytest.mark.rule("AC-TERR-01")
@pytest.mark.parametrize(
    ("kind", "protection", "blocks"),
    [
        ("scrub", "cover", False),
        ("rubble", "cover", False),
        ("trees", "building", True),
        ("rocks", "building", True),
        ("building", "building", True),
        ("wall", "cover", True),
        ("wooden_fence", "cover", True),
        ("wire_fence", "open", False),
        ("river", "open", False),
        ("vehicle", "cover", False),
    ],
)
def test_terrain_table(kind: str, protection: str, blocks: bool) -> None:
    terrain = shipped_content().terrain[kind]
    assert (terrain.cover, terrain.blocks) == (protection, blocks)


@pytest.mark.rule("AC-SCEN-01")
@pytest.mark.parametrize(("scenario", "seats"), [("harrow_cross", 4), ("low_water", 6)])
def test_every_seat_has_conditions_of_its_own(scenario: str, seats: int) -> None:
    packed = content.setup(shipped_content(), Setup(scenario, ("",) * seats))
    roles = msgspec.msgpack.decode(packed, type=Resolved).scenario.roles
    assert len(roles) == seats
    for role in roles:
        assert role.conditions
        assert role.secrets
        assert role.win <= sum(condition.points for condition in role.conditions)
    kinds = [frozenset((c.kind, c.feature, c.zone, c.special, c.seat) for c in role.conditions) for role in roles]
    assert len(set(kinds)) == seats


@pytest.mark.rule("AC-SCEN-01")
def test_shares_follow_who_plays() -> None:
    """A goal in percent is counted from the force that it is about."""
    read = shipped_content()

    def alive(faction: str) -> int:
        packed = content.setup(read, Setup("harrow_cross", ("", faction, "", "")))
        role = msgspec.msgpack.decode(packed, type=Resolved).scenario.roles[1]
        return next(c.goal for c in role.conditions if c.kind == "survive")

    few, many = factions()["daleks"], factions()["levy"]
    assert alive("daleks") == -(-sum(map(len, few.force)) * 14 // 100)
    assert alive("levy") == -(-sum(map(len, many.force)) * 14 // 100)
