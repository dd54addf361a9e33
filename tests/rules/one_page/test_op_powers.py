"""Powers from both sides of each condition: who may use which, on whom, and what comes of it (OP-SR-14, OP-OPEN-14)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.rulesets.one_page.rules import psychic, traits
from engine.rulesets.one_page.rules.activations import Finish
from engine.rulesets.one_page.rules.moving import Move
from engine.rulesets.one_page.rules.powers import UsePower
from engine.rulesets.one_page.rules.shooting import Shoot
from engine.rulesets.one_page.state.events import (
    Activated,
    ActivationEnded,
    Affected,
    BlowStruck,
    DamageRolled,
    ModelsRemoved,
    MoraleTested,
    Pinned,
    PowerTried,
    Rallied,
    RoundStarted,
    Wounded,
)
from engine.rulesets.one_page.state.model import Point
from engine.rulesets.one_page.state.placing_events import PlacingBegun
from engine.rulesets.one_page.state.profiles import Kind
from engine.rulesets.one_page.state.state import Battle, SeatState
from protocol.ids import FigureId, GroupId
from tests.support.systems.battle import POWERS, Fight, Squad, altered, battle, refusal, row, sound, squad

GROUP_0_1 = GroupId("0.1")
GROUP_0_2 = GroupId("0.2")
GROUP_1_1 = GroupId("1.1")

FAR = squad((9000, 6000))


def seer(discipline: str = "ash", tough: int = 3, **more: Any) -> Squad:
    return squad((3000, 1000), kind="psyker", tough=tough, rules=["psyker.2"], discipline=discipline, **more)


def table(
    own: Squad, *enemies: Squad, friend: Squad | None = None, dice: int = 9, tried: tuple[str, ...] = ()
) -> Battle:
    """A Psyker with power dice, a friend, and enemies."""
    seats = (SeatState("south", dice, tried), SeatState("north", 4))
    friend = friend or squad(*row(3, 3400, 1000), id="T-02")
    return battle([own, friend], [*(enemies or [squad(*row(5, 3000, 2000))]), FAR], seats=seats, round=3)


def use(state: Battle, power: str, target: GroupId, dice: int, *faces: int, to: Point | None = None) -> Fight:
    fight = Fight(state, *faces)
    assert refusal(fight.do, 0, UsePower(GROUP_0_1, power, dice, target, to)) == ""
    return fight


@pytest.mark.rule("OP-SR-14")
@pytest.mark.parametrize(
    ("changes", "dice", "unit", "code"),
    [
        ({}, 1, "0.1", ""),
        ({}, 0, "0.1", "power/no-dice"),
        ({}, 1, "0.2", "power/no-psyker"),
        ({"pinned": True}, 1, "0.1", "act/pinned"),
        ({"where": "aboard", "vessel": "0.2"}, 1, "0.1", "power/aboard"),
        ({"done": True}, 1, "0.1", "act/done"),
    ],
)
def test_who_may_use_powers(changes: dict[str, Any], dice: int, unit: str, code: str) -> None:
    assert refusal(psychic.check_psyker, table(seer(**changes), dice=dice), 0, unit) == code


@pytest.mark.rule("OP-SR-14")
def test_levels_are_those_of_the_own_models_in_play() -> None:
    enemy = squad((3000, 5000), kind="psyker", rules=["psyker.3"], discipline="veil")
    plain = squad((4000, 1000))
    state = battle([seer(), plain, seer(where="reserve")], [enemy, squad((4000, 5000), rules=["psyker.1"])])
    assert [psychic.levels(state, seat) for seat in (0, 1)] == [2, 4]


@pytest.mark.rule("OP-SR-14", "OP-ACT-02")
@pytest.mark.parametrize(("own", "enemy", "faces", "dice"), [(2, 0, (3,), (5, 0)), (0, 3, (6,), (0, 9))])
def test_a_round_begins_with_power_dice_for_who_has_a_psyker(
    own: int, enemy: int, faces: tuple[int, ...], dice: tuple[int, int]
) -> None:
    """And with whoever was done first in the last one: here seat 1."""
    units = [
        squad((3000, 1000 + 4000 * seat), rules=[f"psyker.{level}"] if level else [], discipline="ash")
        for seat, level in enumerate((own, enemy))
    ]
    fight = Fight(battle([units[0], squad((6000, 1000))], units[1:], round=1), *faces)
    for seat, unit in ((0, "0.1"), (1, "1.1"), (0, "0.2")):
        assert refusal(fight.do, seat, Finish(GroupId(unit))) == ""
    assert [(one.first, one.dice) for one in fight.events(RoundStarted)] == [(1, dice)]
    assert fight.rolls == [(0 if own else 1, "op.dice.power_dice", 1)]
    assert tuple(seat.dice for seat in fight.now.seats) == dice
    assert [one.seat for one in fight.events(PlacingBegun)] == [1, 0]
    assert (fight.now.round, fight.now.phase, fight.now.acting) == (2, "battle", 1)
    assert fight.match.record.round == 1


@pytest.mark.rule("OP-OPEN-14")
def test_the_psykers_of_a_unit_are_its_models_with_a_level() -> None:
    state = table(seer(), friend=squad((3400, 1000), (3520, 1000), id="T-02"))
    grown = altered(state, "0.2", figures=("0.2.1", "0.2.2", "0.1.1"), joined=(0,))
    assert [one.id for one in psychic.psykers(grown, grown.units[GROUP_0_2])] == ["0.1.1"]
    assert psychic.caster_of(grown, grown.units[GROUP_0_2], POWERS[0]).id == "0.1.1"
    assert psychic.psykers(state, state.units[GROUP_0_2]) == []


@pytest.mark.rule("OP-OPEN-14", "OP-SR-14")
@pytest.mark.parametrize("discipline", ["ash", "veil"])
def test_a_psyker_knows_his_discipline_but_for_what_was_tried_in_this_round(discipline: str) -> None:
    own = [power.id for power in POWERS if power.discipline == discipline]
    for tried in ((), tuple(own[:2])):
        state = table(seer(discipline), tried=tried)
        assert [power.id for power in psychic.known(state, state.units[GROUP_0_1])] == own[len(tried) :]
        assert psychic.known(state, state.units[GROUP_0_2]) == []


@pytest.mark.rule("OP-OPEN-14")
@pytest.mark.parametrize(
    ("power", "distance", "target", "changes", "code"),
    [
        ("ember_lash", 1800, "1.1", {}, ""),
        ("ember_lash", 1801, "1.1", {}, "power/too-far"),
        ("ember_lash", 1800, "0.2", {}, "power/no-target"),
        ("ember_lash", 1800, "1.9", {}, "power/no-target"),
        ("ember_lash", 1800, "1.1", {"where": "aboard"}, "power/no-target"),
        ("heat_shield", 1200, "0.2", {}, ""),
        ("heat_shield", 1201, "0.2", {}, "power/too-far"),
        ("heat_shield", 1200, "1.1", {}, "power/no-target"),
        ("whispers", 1800, "1.1", {}, ""),
        ("whispers", 1800, "1.1", {"pinned": True}, "power/whispers"),
        ("whispers", 1800, "1.1", {"whispered": 1}, ""),
        ("whispers", 1800, "1.1", {"whispered": 2}, "power/whispers"),
        ("whispers", 1800, "1.1", {"whispered": 3}, "power/whispers"),
        ("haste", 1200, "0.2", {}, ""),
        ("haste", 1200, "0.2", {"done": True}, "power/haste"),
        ("passage", 1200, "0.2", {}, ""),
        ("passage", 1200, "0.2", {"kind": "walker"}, "power/passage"),
        ("terror", 1800, "1.1", {"pinned": True}, ""),
    ],
)
def test_whom_a_power_may_be_aimed_at(
    power: str, distance: int, target: str, changes: dict[str, Any], code: str
) -> None:
    """The table is in round 3; distances are from edge to edge."""
    chosen = next(one for one in POWERS if one.id == power)
    other = squad((3000, 1100 + distance), **changes)
    state = table(seer(chosen.discipline), other, friend=squad((3000 + 100 + distance, 1000), **changes))
    assert refusal(psychic.check_target, state, state.units[GROUP_0_1], chosen, target) == code


@pytest.mark.rule("OP-SR-14")
@pytest.mark.parametrize(
    ("faces", "works", "wounds"),
    [((4, 4), True, None), ((3, 4), False, None), ((6, 4, 1), True, None), ((6, 6), True, 2), ((6, 3), False, None)],
)
def test_successes_are_fours_and_two_sixes_hurt_the_psyker(
    faces: tuple[int, ...], works: bool, wounds: int | None
) -> None:
    """Smoke needs two. Afterwards his unit may still act."""
    after = (2, 6) if wounds else ()
    fight = use(table(seer()), "choking_smoke", GROUP_1_1, len(faces), *faces, *after)
    assert [(one.works, one.dice) for one in fight.events(PowerTried)] == [(works, len(faces))]
    assert [one.effects for one in fight.events(Affected)] == [("smoked",)] * works
    assert [one.wounds for one in fight.events(Wounded)] == ([{"0.1.1": wounds}] if wounds else [])
    assert not fight.events(ActivationEnded)
    assert fight.now.active is not None
    assert (fight.now.seats[0].dice, fight.now.seats[0].tried) == (9 - len(faces), ("choking_smoke",))


@pytest.mark.rule("OP-SR-14")
@pytest.mark.parametrize(("wounds", "tests"), [(3, []), (2, ["losses"]), (1, [])])
def test_a_psyker_who_is_killed_by_his_own_sixes_acts_no_more(wounds: int, tests: list[str]) -> None:
    """Of three he loses two: half and more, which is tested for."""
    fight = use(table(seer()), "choking_smoke", GROUP_1_1, 2, 6, 6, wounds, *([6] if tests else []))
    gone = wounds == 3
    assert [one.figures for one in fight.events(ModelsRemoved)] == [("0.1.1",)] * gone
    assert [one.why for one in fight.events(MoraleTested)] == tests
    assert [one.unit for one in fight.events(ActivationEnded)] == ["0.1"] * gone
    assert (fight.unit("0.1").where, fight.now.acting) == (("gone", 1) if gone else ("table", 0))


@pytest.mark.rule("OP-SR-14", "OP-ACT-01", "OP-MOR-02")
@pytest.mark.parametrize(("die", "pinned"), [(4, False), (3, True)])
def test_a_psyker_who_is_pinned_by_his_own_sixes_before_he_acts_has_nothing_left_to_do(die: int, pinned: bool) -> None:
    """He has no power dice left either, and rallies by his next activation, not by this one."""
    fight = use(table(seer(), dice=2), "choking_smoke", GROUP_1_1, 2, 6, 6, 2, die)
    assert [one.idle for one in fight.events(ActivationEnded)] == [False] * pinned
    assert (fight.unit("0.1").pinned, fight.unit("0.1").done, fight.now.acting) == (pinned, pinned, int(pinned))


@pytest.mark.rule("OP-OPEN-14", "OP-MOR-01")
@pytest.mark.parametrize(
    ("power", "dice", "faces", "hits", "rolls"),
    [
        ("ember_lash", 1, (4, 3, 3, 4, 6), 3, ["power", "block", "morale"]),
        ("pyre", 4, (4, 4, 4, 4, 1, 1, 3, 3, 6), 2, ["power", "power_hits", "block", "morale"]),
        ("lance_of_fire", 2, (4, 4, 4, 4, 3, 3, 6), 2, ["power", "block", "block_again", "morale"]),
    ],
)
def test_powers_that_hit_are_blocked_and_half_of_a_unit_lost_tests(
    power: str, dice: int, faces: tuple[int, ...], hits: int, rolls: list[str]
) -> None:
    """Two of three fall, whom the enemy need not pick."""
    fight = use(table(seer(), squad(*row(3, 3000, 2000))), power, GROUP_1_1, dice, *faces)
    assert [(one.blow.weapon, one.blow.hits, one.blow.wounds) for one in fight.events(BlowStruck)] == [(power, hits, 2)]
    assert [purpose.rpartition(".")[2] for _, purpose, _ in fight.rolls] == rolls
    assert {seat for seat, purpose, _ in fight.rolls if "power" in purpose} == {0}
    assert [(one.unit, one.why) for one in fight.events(MoraleTested)] == [("1.1", "losses")]


@pytest.mark.rule("OP-OPEN-14", "OP-VEH-06")
@pytest.mark.parametrize(
    ("power", "dice", "faces", "side"),
    [
        ("lance_of_fire", 2, (4, 4, 3, 6, 3, 2, 2), "side"),
        ("ember_lash", 1, (4, 4, 4, 1, 3, 2, 5), "front"),
    ],
)
def test_a_lance_hits_vehicles_in_the_side_and_what_else_strikes_from_where_the_psyker_is(
    power: str, dice: int, faces: tuple[int, ...], side: str
) -> None:
    tank = squad((3000, 2000), kind="vehicle", tough=9, size=300, facing=270)
    fight = use(table(seer(), tank), power, GROUP_1_1, dice, *faces)
    assert {one.side for one in fight.events(DamageRolled)} == {side}


@pytest.mark.rule("OP-OPEN-14")
def test_whispers_may_be_tried_in_the_first_round() -> None:
    """No unit has been Pinned yet."""
    whispers = next(one for one in POWERS if one.id == "whispers")
    state = msgspec.structs.replace(table(seer("veil")), round=1)
    assert refusal(psychic.check_target, state, state.units[GROUP_0_1], whispers, "1.1") == ""


@pytest.mark.rule("OP-SR-14")
def test_a_power_after_the_move_leaves_the_action_as_it_is() -> None:
    """The unit walks once, and may shoot then."""
    state = table(seer(weapons=["rifle"]))
    fight = Fight(state, 1, 1, 1)
    assert refusal(fight.do, 0, UsePower(GROUP_0_1, "choking_smoke", 1, GROUP_1_1)) == ""
    assert refusal(fight.do, 0, Move(GROUP_0_1, False, (3000, 1300))) == ""
    assert refusal(fight.do, 0, UsePower(GROUP_0_1, "ember_lash", 1, GROUP_1_1)) == ""
    assert [(one.unit, one.action) for one in fight.events(Activated)] == [("0.1", ""), ("0.1", "walk")]
    assert refusal(fight.do, 0, Move(GROUP_0_1, False, (3000, 1500))) == "act/action-taken"
    assert refusal(fight.do, 0, Shoot(GROUP_0_1, GROUP_1_1)) == ""


@pytest.mark.rule("OP-OPEN-14")
@pytest.mark.parametrize("pinned", [False, True])
def test_a_clear_mind_rallies_the_pinned_and_makes_fearless(pinned: bool) -> None:
    friend = squad(*row(3, 3400, 1000), pinned=pinned)
    fight = use(table(seer("veil"), friend=friend), "clear_mind", GROUP_0_2, 2, 4, 4)
    assert [one.unit for one in fight.events(Rallied)] == ["0.2"] * pinned
    assert [(one.unit, one.effects) for one in fight.events(Affected)] == [("0.2", ("fearless",))]
    assert not fight.unit("0.2").pinned


@pytest.mark.rule("OP-OPEN-14", "OP-MOR-02")
@pytest.mark.parametrize(("die", "pinned"), [(4, False), (3, True)])
def test_whispers_are_a_test_of_morale(die: int, pinned: bool) -> None:
    fight = use(table(seer("veil")), "whispers", GROUP_1_1, 1, 4, die)
    assert [(one.why, one.passed) for one in fight.events(MoraleTested)] == [("power", not pinned)]
    assert [one.unit for one in fight.events(Pinned)] == ["1.1"] * pinned
    assert (fight.unit("1.1").pinned, fight.unit("1.1").whispered) == (pinned, 3 if pinned else 0)


@pytest.mark.rule("OP-UNIT-05")
@pytest.mark.parametrize("kind", ["infantry", "hero", "psyker", "monster", "walker", "vehicle"])
def test_machines_are_walkers_and_vehicles(kind: Kind) -> None:
    """Only they roll on the damage table."""
    state = table(seer(), squad((3000, 2000), kind=kind, tough=9))
    machine = kind in ("walker", "vehicle")
    assert sound(traits.is_machine, state, state.units[GROUP_1_1]) is machine
    armoured = [4] * 0 if kind in ("infantry", "hero", "psyker") else [1, 1, 1]
    fight = use(state, "ember_lash", GROUP_1_1, 1, 4, *armoured, 3, 3, 4, *([1, 1] if machine else []))
    assert len(fight.events(DamageRolled)) == (2 if machine else 0)
    assert fight.now.figures[FigureId("1.1.1")].wounds == 2
