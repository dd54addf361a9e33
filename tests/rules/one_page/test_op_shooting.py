"""Shooting, die by die (OP-GEN, OP-SHOOT, OP-WPN and the weapons' special rules)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.core.rules.errors import IllegalIntent
from engine.core.rules.events import ActionResolved
from engine.rulesets.one_page.rules import sighting
from engine.rulesets.one_page.rules.moving import Hold, Move
from engine.rulesets.one_page.rules.shooting import Shoot
from engine.rulesets.one_page.state.events import BlowStruck, ModelsRemoved
from engine.rulesets.one_page.state.model import Feature
from engine.rulesets.one_page.state.names import group_node
from engine.rulesets.one_page.state.state import Battle, Blow
from engine.space.vectors.outlines import contains, outline_of
from protocol.ids import FigureId, GroupId
from tests.support.systems.battle import Fight, battle, block, row, squad, wall

GROUP_0_1 = GroupId("0.1")
GROUP_1_1 = GroupId("1.1")

NEAR = 2000


def shot(state: Battle, *dice: int, target: str = "1.1", **more: object) -> Fight:
    """Unit 0.1 holds and shoots."""
    fight = Fight(state, *dice)
    fight.do(0, Hold(GROUP_0_1))
    fight.do(0, Shoot("0.1", target, **more))  # type: ignore[arg-type]
    return fight


def blow(fight: Fight) -> Blow:
    """The one blow that was struck."""
    [struck] = fight.events(BlowStruck)
    return struck.blow  # type: ignore[no-any-return]


@pytest.mark.rule("OP-GEN-03", "OP-SHOOT-02", "OP-SHOOT-03")
def test_every_attack_hits_by_quality_and_every_hit_is_blocked_by_quality() -> None:
    """Quality 4 hits with 4, 5, 6 of five dice; Quality 5 blocks one hit of three."""
    fight = shot(battle([squad(*row(5, 3000, 1000))], [squad(*row(8, 3000, NEAR), quality=5)]), 4, 3, 5, 6, 1, 5, 4, 1)
    assert (blow(fight).hits, blow(fight).blocked, blow(fight).wounds) == (3, 1, 2)


@pytest.mark.rule("OP-SHOOT-04", "OP-GEN-02")
def test_the_defender_picks_who_falls_and_the_leader_is_last() -> None:
    fight = shot(battle([squad(*row(2, 3000, 1000))], [squad(*row(4, 3000, NEAR))]), 6, 6, 1, 1, 6)
    assert fight.asked == ("op.casualties", (1,))
    with pytest.raises(IllegalIntent):
        fight.answer(1, ["piece/1.1.1", "piece/1.1.2"])
    fight.answer(1, ["piece/1.1.2", "piece/1.1.4"])
    assert fight.unit("1.1").figures == ("1.1.1", "1.1.3")
    assert fight.now.leader(fight.unit("1.1")).id == "1.1.1"


@pytest.mark.rule("OP-SHOOT-01", "OP-SHOOT-02")
@pytest.mark.parametrize(
    ("pinned", "morale", "how"), [(False, 1, "pinned"), (False, 4, "done"), (True, 1, "done"), (True, 4, "done")]
)
def test_a_volley_tells_of_a_target_that_it_has_pinned(pinned: bool, morale: int, how: str) -> None:
    """One of two falls, and the other is tested with Quality 4."""
    enemy = squad(*row(2, 3000, NEAR), pinned=pinned)
    fight = shot(battle([squad(*row(2, 3000, 1000))], [enemy]), 6, 1, 1, morale)
    assert fight.unit("1.1").pinned is (pinned or how == "pinned")
    assert [(one.how, one.counts) for one in fight.events(ActionResolved)][-1] == (how, {"wounds": 1, "killed": 1})


@pytest.mark.rule("OP-SHOOT-04")
def test_who_is_left_closes_up_where_the_chain_is_broken() -> None:
    long = ((3000, NEAR), (3190, NEAR), (3380, NEAR), (3570, NEAR))
    fight = shot(battle([squad((3000, 1000))], [squad(*long)]), 6, 1)
    fight.answer(1, ["piece/1.1.3"])
    assert fight.unit("1.1").figures == ("1.1.1", "1.1.2", "1.1.4")
    assert fight.place("1.1.4") != (3570, NEAR)
    assert fight.place("1.1.2") == (3190, NEAR)


@pytest.mark.rule("OP-SHOOT-01")
def test_range_is_measured_once_and_each_weapon_that_reaches_fires() -> None:
    state = battle([squad(*row(2, 3000, 1000), arms=[("rifle",), ("pistol",)])], [squad((3000, 2600))])
    assert blow(shot(state, 1)).weapon == "rifle"
    far = battle([squad((3000, 1000), weapons=["pistol"])], [squad((3000, 2302))])
    with pytest.raises(IllegalIntent):
        shot(far)
    at_most = battle([squad((3000, 1000), weapons=["pistol"])], [squad((3000, 2300))])
    assert blow(shot(at_most, 1)).attacks == 1


@pytest.mark.rule("OP-SHOOT-01", "OP-ACT-03")
def test_a_unit_shoots_after_a_walk_and_not_after_a_run() -> None:
    state = battle([squad((3000, 1000)), squad((6000, 1000))], [squad((3000, 2500))])
    fight = Fight(state, 1)
    fight.do(0, Move(GROUP_0_1, False, (3000, 1600)))
    fight.do(0, Shoot(GROUP_0_1, GROUP_1_1))
    ran = Fight(state)
    ran.do(0, Move(GROUP_0_1, True, (3000, 1600)))
    with pytest.raises(IllegalIntent):
        ran.do(0, Shoot(GROUP_0_1, GROUP_1_1))


@pytest.mark.rule("OP-GEN-04")
def test_sight_is_from_the_leader_past_solid_obstacles_alone() -> None:
    """A house hides all but what looks out beside it; models hide nothing, a Walker does."""
    house = block("house", "building", 2800, 1400, 3200, 1600)
    hidden = battle([squad((3000, 1000))], [squad((3000, NEAR))], house)
    fight = Fight(hidden).do(0, Hold(GROUP_0_1))
    with pytest.raises(IllegalIntent):
        fight.do(0, Shoot(GROUP_0_1, GROUP_1_1))
    seen = battle([squad((3000, 1000))], [squad((3000, NEAR), (3800, NEAR))], house)
    assert shot(seen, 1).log
    between = battle([squad((3000, 1000)), squad((3000, 1400))], [squad((3000, NEAR))])
    assert shot(between, 1).log
    walker = battle([squad((3000, 1000)), squad((3000, 1500), kind="walker", tough=3)], [squad((3000, NEAR))])
    with pytest.raises(IllegalIntent):
        shot(walker)


@pytest.mark.rule("OP-SHOOT-05", "OP-SR-01")
def test_armour_comes_before_the_block() -> None:
    armoured = squad(*row(5, 3000, NEAR), rules=["armored"])
    fight = shot(battle([squad(*row(4, 3000, 1000))], [armoured]), 6, 6, 6, 6, 4, 5, 3, 1, 4, 2)
    assert (blow(fight).hits, blow(fight).stopped, blow(fight).blocked, blow(fight).wounds) == (4, 2, 1, 1)


@pytest.mark.rule("OP-SHOOT-05")
def test_a_die_is_rolled_again_once_whoever_wants_it() -> None:
    """Shaken and Linked: the hit becomes a miss and stays one, the miss becomes a hit."""
    shaken = squad((3000, 1000), kind="walker", tough=3, weapons=["linked"], shaken=1)
    fight = shot(battle([shaken], [squad(*row(3, 3000, NEAR))]), 5, 2, 1, 6, 1)
    assert blow(fight).hits == 1


@pytest.mark.rule("OP-SR-11")
def test_linked_weapons_roll_failed_hits_again() -> None:
    fight = shot(battle([squad((3000, 1000), weapons=["linked"])], [squad(*row(4, 3000, NEAR))]), 5, 2, 4, 1, 1)
    assert blow(fight).hits == 2


@pytest.mark.rule("OP-SR-18")
def test_a_scoper_hits_on_two_whoever_fires_it() -> None:
    state = battle([squad((3000, 1000), quality=6, weapons=["scoped"])], [squad(*row(4, 3000, NEAR))])
    assert blow(shot(state, 2, 1, 1)).hits == 1


@pytest.mark.rule("OP-SR-16")
def test_a_six_of_a_rending_weapon_is_a_wound_at_once() -> None:
    armoured = squad(*row(5, 3000, NEAR), rules=["armored"], quality=2)
    fight = shot(battle([squad((3000, 1000), weapons=["rending"])], [armoured]), 6, 5, 1, 6)
    assert (blow(fight).rending, blow(fight).stopped, blow(fight).wounds) == (1, 1, 1)


@pytest.mark.rule("OP-SR-12")
def test_piercing_ignores_armour_and_blocks_are_rolled_again() -> None:
    armoured = squad(*row(5, 3000, NEAR), rules=["armored"])
    fight = shot(battle([squad((3000, 1000), weapons=["piercing"])], [armoured]), 6, 6, 4, 4, 4, 2)
    assert (blow(fight).stopped, blow(fight).blocked, blow(fight).wounds) == (0, 1, 1)


@pytest.mark.rule("OP-SR-13")
def test_poison_pierces_but_machines_ignore_it_on_one_to_three() -> None:
    soldiers = squad(*row(5, 3000, NEAR), rules=["armored"])
    fight = shot(battle([squad((3000, 1000), weapons=["poison"])], [soldiers]), 6, 6, 1, 2)
    assert blow(fight).stopped == 0
    walker = squad((3000, NEAR), kind="walker", tough=9)
    hit = shot(battle([squad((3000, 1000), weapons=["poison"])], [walker]), 6, 6, 3, 4, 5, 2, 1)
    assert (blow(hit).stopped, blow(hit).blocked, blow(hit).wounds) == (1, 0, 1)


@pytest.mark.rule("OP-WPN-02")
def test_wounds_of_an_x_weapon_go_to_one_model_and_ignore_armour() -> None:
    state = battle([squad((3000, 1000), weapons=["melta"])], [squad(*row(4, 3000, 1900), rules=["armored"])])
    fight = shot(state, 6, 6, 6, 6, 1, 1, 1, 1, 1, 1)
    assert (blow(fight).stopped, blow(fight).wounds) == (0, 4)
    fight.answer(1, ["piece/1.1.3"])
    assert len(fight.unit("1.1").figures) == 3


@pytest.mark.rule("OP-SR-09")
def test_indirect_fire_needs_no_sight_and_meets_cover() -> None:
    house = block("house", "building", 2800, 1400, 3200, 1600)
    fight = shot(battle([squad((3000, 1000), weapons=["mortar"])], [squad((3000, NEAR))], house), 6, 6, 4, 5)
    assert (blow(fight).stopped, blow(fight).wounds) == (2, 0)


@pytest.mark.rule("OP-SR-10")
def test_a_limited_weapon_is_fired_once_a_game() -> None:
    state = battle([squad((3000, 1000), weapons=["rocket"]), squad((7000, 1000))], [squad(*row(9, 3000, NEAR))])
    fight = shot(state, 1, 1)
    assert fight.now.figures[FigureId("0.1.1")].spent == ("rocket",)
    again = battle([squad((3000, 1000), weapons=["rocket"])], [squad((3000, NEAR))])
    used = {**again.figures, FigureId("0.1.1"): fight.now.figures[FigureId("0.1.1")]}
    with pytest.raises(IllegalIntent):
        shot(type(again)(again.resolved, again.seats, again.units, used, (), "battle", 1))


@pytest.mark.rule("OP-SR-15")
def test_a_relentless_unit_that_holds_fires_everything_at_targets_of_their_own() -> None:
    own = squad((3000, 1000), kind="walker", tough=3, weapons=["gun", "rifle"])
    enemies = [squad(*row(4, 3000, NEAR)), squad(*row(4, 5000, NEAR))]
    both = shot(battle([own], enemies), *[1] * 4)
    assert {struck.blow.weapon for struck in both.events(BlowStruck)} == {"gun", "rifle"}
    apart = shot(battle([own], enemies), *[1] * 4, split={"gun": "1.1", "rifle": "1.2"})
    assert {(s.blow.weapon, s.blow.target) for s in apart.events(BlowStruck)} == {("gun", "1.1"), ("rifle", "1.2")}
    plain = squad((3000, 1000), weapons=["gun", "rifle"])
    with pytest.raises(IllegalIntent):
        shot(battle([plain], enemies), split={"gun": "1.1", "rifle": "1.2"})
    assert blow(shot(battle([plain], enemies), 1, 1, 1)).weapon == "gun"
    assert blow(shot(battle([plain], enemies), 1, weapon="rifle")).weapon == "rifle"


@pytest.mark.rule("OP-TERR-02")
def test_a_unit_in_cover_is_armoured_against_shots() -> None:
    wood = block("wood", "forest", 2800, 1900, 3800, 2600)
    inside = squad(*row(4, 3000, NEAR))
    fight = shot(battle([squad((3000, 1000))], [inside], wood), 6, 4)
    assert (blow(fight).stopped, blow(fight).wounds) == (1, 0)
    half_out = squad((3000, NEAR), (3000, 1850), (3120, 1850), (3240, 1850))
    out = shot(battle([squad((3000, 1000))], [half_out], wood), 6, 1)
    assert blow(out).stopped == 0


@pytest.mark.rule("OP-TERR-02", "OP-OPEN-15")
def test_a_barricade_covers_those_within_an_inch_behind_it() -> None:
    bar = wall("bar", (2500, 1900), (4000, 1900))
    behind = shot(battle([squad((3000, 1000))], [squad(*row(3, 3000, NEAR))], bar), 6, 4)
    assert blow(behind).stopped == 1
    far = shot(battle([squad((3000, 1000))], [squad(*row(3, 3000, 2200))], bar), 6, 1)
    assert blow(far).stopped == 0


@pytest.mark.rule("OP-TERR-03")
def test_the_piece_counts_as_the_footprint_for_range_and_sight() -> None:
    """The pistol reaches the wood's edge, and with it the unit deep in the wood."""
    wood = block("wood", "forest", 2000, 2200, 4000, 3500)
    fight = shot(battle([squad((3000, 1000), weapons=["pistol"])], [squad((3000, 3300))], wood), 1)
    assert blow(fight).attacks == 1
    out = shot(battle([squad((3000, 2400), weapons=["pistol"])], [squad((3000, 4700))], wood), 1)
    assert blow(out).attacks == 1


@pytest.mark.rule("OP-SR-21")
def test_wounds_stay_on_one_tough_model_until_it_falls() -> None:
    tough = squad(*row(3, 3000, NEAR), tough=3)
    fight = shot(battle([squad(*row(4, 3000, 1000))], [tough]), 6, 6, 6, 6, 1, 1, 1, 1)
    fight.answer(1, ["piece/1.1.2"])
    wounds = {id: f.wounds for id, f in fight.now.figures.items() if f.owner == 1}
    assert wounds == {"1.1.1": 0, "1.1.3": 1}
    assert [gone.figures for gone in fight.events(ModelsRemoved)] == [("1.1.2",)]


@pytest.mark.rule("OP-SR-21")
def test_with_a_tough_guest_the_owner_says_who_takes_wounds_first() -> None:
    hero = squad((3000, 2120), tough=3, kind="hero")
    state = battle([squad(*row(2, 3000, 1000))], [squad(*row(4, 3000, NEAR)), hero])
    joined = {
        **state.units,
        GROUP_1_1: type(state.units[GROUP_1_1])(
            GROUP_1_1, 1, 0, 1, (*state.units[GROUP_1_1].figures, FigureId("1.2.1")), 5, "table", joined=(1,)
        ),
        GroupId("1.2"): type(state.units[GROUP_1_1])(GroupId("1.2"), 1, 1, 2, (), 3, "joined"),
    }
    mixed = type(state)(state.resolved, state.seats, joined, state.figures, (), "battle", 1)
    fight = shot(mixed, 6, 6, 1, 1)
    assert fight.asked == ("op.soak", (1,))
    fight.answer(1, "tough")
    assert fight.now.figures[FigureId("1.2.1")].wounds == 2
    assert len(fight.unit("1.1").figures) == 5


def test_the_ground_that_a_unit_sees_is_that_of_its_leader_and_of_the_corners_of_its_piece() -> None:
    """Tanks hide ground; infantry does not."""
    tank = squad((3000, 2000), kind="vehicle")
    state = battle([squad(*row(3, 3000, 1000)), squad(*row(3, 3000, 1500))], [tank])
    unit = group_node(GROUP_0_1)
    [leader] = sighting.lookouts(state, unit)
    assert leader == state.leader(state.units[GROUP_0_1]).at
    seen = sighting.seen_from(state, unit, leader)
    assert contains((3000, 1800), seen)
    assert not contains((3000, 3000), seen)
    wood = replace(state, features=(Feature("wood", "forest", outline_of((2000, 800, 4000, 1200))),))
    assert len(sighting.lookouts(wood, unit)) == 4
    assert contains((3000, 3000), sighting.seen_from(wood, unit, (4000, 1200)))
    assert sighting.lookouts(state, group_node(GroupId("0.9"))) == ()
