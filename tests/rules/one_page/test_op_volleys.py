"""Shots and casualties, each condition from both sides (OP-SHOOT, OP-WPN-02, OP-SR-09, -10, -15, -21)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import msgspec
import pytest

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.game import Game
from engine.core.rules.record import Record
from engine.rulesets.one_page.rules import attacks, casualties, damage, formations, shooting, traits
from engine.rulesets.one_page.rules.attacks import Attack
from engine.rulesets.one_page.rules.moving import Hold
from engine.rulesets.one_page.rules.shooting import Aim, Shoot, Shot
from engine.rulesets.one_page.state.events import (
    BlowStruck,
    ModelsRemoved,
    MoraleTested,
    SoakChosen,
    UnitMoved,
    WeaponSpent,
)
from engine.rulesets.one_page.state.model import Point
from engine.rulesets.one_page.state.profiles import Kind
from engine.rulesets.one_page.state.state import Activation, Battle
from protocol.ids import FigureId, GroupId
from protocol.text import text
from tests.support.systems.battle import WEAPONS, Fight, altered, battle, block, refusal, row, sound, squad
from tests.support.systems.scripted import ScriptedDice

GROUP_0_1 = GroupId("0.1")
GROUP_1_1 = GroupId("1.1")

FAR = squad((9000, 6000))
NEAR = 2000


def game(state: Battle, *dice: int) -> Game[Battle]:
    return Game(state, Record(seats=2), ScriptedDice(dice))


def shot(state: Battle, *dice: int) -> Fight:
    """Unit 0.1 holds and shoots at unit 1.1."""
    fight = Fight(state, *dice)
    assert refusal(fight.do, 0, Hold(GROUP_0_1)) == ""
    assert refusal(fight.do, 0, Shoot(GROUP_0_1, GROUP_1_1)) == ""
    return fight


@pytest.mark.rule("OP-SHOOT-01", "OP-SR-09")
@pytest.mark.parametrize(
    ("weapon", "distance", "seen", "reaches"),
    [
        ("rifle", 3000, True, True),
        ("rifle", 3001, True, False),
        ("rifle", 100, False, False),
        ("mortar", 4800, True, True),
        ("mortar", 4800, False, True),
        ("mortar", 4801, True, False),
        ("mortar", 4801, False, False),
    ],
)
def test_a_weapon_reaches_what_is_in_range_and_seen_unless_it_is_indirect(
    weapon: str, distance: int, seen: bool, reaches: bool
) -> None:
    assert shooting.reaches(WEAPONS[weapon], Aim(distance, seen, False)) is reaches


@pytest.mark.rule("OP-SHOOT-01")
@pytest.mark.parametrize(
    ("seat", "unit", "action", "code"),
    [
        (0, "0.1", "hold", ""),
        (0, "0.1", "walk", ""),
        (0, "0.1", "run", "shoot/action"),
        (0, "0.1", "", "shoot/action"),
        (0, "0.1", None, "shoot/not-active"),
        (0, "0.2", "hold", "shoot/not-active"),
        (1, "0.1", "hold", "shoot/not-active"),
        (0, "0.3", "hold", "shoot/unarmed"),
        (0, "0.4", "hold", "shoot/unarmed"),
    ],
)
def test_who_may_shoot(seat: int, unit: GroupId, action: str | None, code: str) -> None:
    """One of two models is armed in the first unit, none in the third; the fourth has fired all its weapons."""
    armed = [("sword",), ("rifle", "fists_claws")]
    own = [squad((3000, 1000), (3120, 1000), arms=armed), squad((4000, 1000)), squad((5000, 1000), weapons=["sword"])]
    state = battle([*own, squad((6000, 1000), weapons=["rocket"])], [squad((3000, NEAR)), FAR])
    state = altered(state, "0.4.1", spent=("rocket",))
    acting = unit if unit != "0.2" else GROUP_0_1
    active = None if action is None else Activation(acting, action)
    state = msgspec.structs.replace(state, active=active)
    assert refusal(shooting.check_shooter, state, seat, state.units[unit]) == code


@pytest.mark.rule("OP-SR-15")
@pytest.mark.parametrize(
    ("kind", "action", "all_of_them"),
    [("walker", "hold", True), ("walker", "walk", False), ("walker", None, False), ("infantry", "hold", False)],
)
def test_the_relentless_fire_all_they_have_when_they_hold(kind: Kind, action: str | None, all_of_them: bool) -> None:
    active = None if action is None else Activation(GROUP_0_1, action)
    state = battle([squad((3000, 1000), kind=kind, tough=3)], [FAR], active=active)
    assert sound(shooting.fires_all, state, state.units[GROUP_0_1]) is all_of_them


@pytest.mark.rule("OP-SHOOT-01", "OP-SR-15")
@pytest.mark.parametrize(
    ("kind", "arms", "prefer", "fired"),
    [
        ("infantry", ["rifle", "gun"], "", ["gun"]),
        ("infantry", ["rifle", "gun"], "rifle", ["rifle"]),
        ("infantry", ["gun", "lance"], "", ["lance"]),
        ("infantry", ["lance", "cannon"], "", ["cannon"]),
        ("infantry", ["pistol", "rifle"], "pistol", ["rifle"]),
        ("infantry", ["pistol"], "", []),
        ("walker", ["gun", "lance", "pistol"], "", ["gun", "lance"]),
        ("walker", ["pistol"], "", []),
    ],
)
def test_a_model_fires_its_best_weapon_or_the_one_it_is_told_to(
    kind: Kind, arms: list[str], prefer: str, fired: list[str]
) -> None:
    """At 20 inches, and after a Hold: an "x" counts double."""
    own = squad((3000, 1000), kind=kind, tough=3, weapons=arms)
    state = battle([own], [FAR], active=Activation(GROUP_0_1, "hold"))
    aims = {"1.1": Aim(NEAR, True, False)}
    shot = Shoot(GROUP_0_1, GroupId("1.1"), prefer)
    found = sound(shooting.shots, state, state.units[GROUP_0_1], aims, shot)
    assert [(at, [(one.figure, one.weapon.id) for one in shots]) for at, shots in found] == (
        [("1.1", [("0.1.1", weapon) for weapon in fired])] if fired else []
    )


@pytest.mark.rule("OP-SHOOT-02", "OP-WPN-02", "OP-SR-09")
@pytest.mark.parametrize(
    ("weapons", "sizes"),
    [(["rifle", "rifle"], [("rifle", 2)]), (["gun", "gun"], [("gun", 6)]), (["melta", "melta"], [("melta", 6)] * 2)],
)
@pytest.mark.parametrize(
    ("changes", "unsure"), [({}, False), ({"shaken": 1}, True), ({"effects": (traits.SMOKED,)}, True)]
)
@pytest.mark.parametrize(
    ("seen", "covered", "sheltered"), [(True, False, False), (True, True, True), (False, False, True)]
)
def test_weapons_of_a_kind_fire_together_and_those_with_an_x_alone(
    weapons: list[str],
    sizes: list[tuple[str, int]],
    changes: dict[str, Any],
    unsure: bool,
    seen: bool,
    covered: bool,
    sheltered: bool,
) -> None:
    """The Shaken and those in smoke are unsure; what is out of sight is as good as in cover."""
    state = battle([squad(*row(2, 3000, 1000), **changes)], [squad((3000, NEAR))])
    shots = [Shot(FigureId(f"0.1.{n + 1}"), WEAPONS[weapon]) for n, weapon in enumerate(weapons)]
    made = shooting.volleys(state, GROUP_0_1, GROUP_1_1, shots, {GROUP_1_1: Aim(NEAR, seen, covered)})
    assert [(one.weapon and one.weapon.id, one.attacks) for one in made] == sizes
    assert {(one.unsure, one.covered, one.quality) for one in made} == {(unsure, sheltered, 4)}


@pytest.mark.rule("OP-SR-10", "OP-SHOOT-01", "OP-SHOOT-02")
@pytest.mark.parametrize(("weapon", "spent"), [("rocket", ["rocket"]), ("linked", [])])
def test_only_limited_weapons_are_used_up(weapon: str, spent: list[str]) -> None:
    again = (1, 1) if weapon == "linked" else ()
    own = squad((3000, 1000), weapons=[weapon, "sword"])
    fight = shot(battle([own], [squad(*row(9, 3000, NEAR)), FAR]), 1, 1, *again)
    assert [one.weapon for one in fight.events(WeaponSpent)] == spent
    figure = fight.now.figures[FigureId("0.1.1")]
    assert figure.spent == tuple(spent)
    assert [one.id for one in shooting.arms(fight.now, figure)] == ([] if spent else [weapon])


@pytest.mark.rule("OP-SHOOT-01", "OP-SHOOT-02", "OP-MOR-01")
@pytest.mark.parametrize(("dice", "lost", "tested"), [((4, 3), 1, True), ((3,), 0, False)])
def test_a_shot_is_hits_casualties_morale_and_the_end_of_the_activation(
    dice: tuple[int, ...], lost: int, tested: bool
) -> None:
    """A 4 kills one of two, and the other fails its test; a 3 is a miss."""
    state = battle([squad((3000, 1000)), squad((8000, 1000))], [squad(*row(2, 3000, NEAR)), FAR])
    fight = shot(state, *dice, *([1] if tested else []))
    assert [one.blow.wounds for one in fight.events(BlowStruck)] == [lost]
    assert [one.figures for one in fight.events(ModelsRemoved)] == [("1.1.2",)] * lost
    assert [(one.unit, one.why) for one in fight.events(MoraleTested)] == [("1.1", "losses")] * tested
    assert (fight.unit("0.1").done, fight.unit("1.1").pinned, fight.now.acting) == (True, tested, 1)


@pytest.mark.rule("OP-SHOOT-02", "OP-SHOOT-05", "OP-SR-11")
@pytest.mark.parametrize(
    ("weapon", "unsure", "sure", "again", "final"),
    [
        ("gun", False, False, (), (3, 4, 5)),
        ("gun", True, False, (1, 6), (3, 1, 6)),
        ("gun", False, True, (6,), (6, 4, 5)),
        ("gun", True, True, (6, 1, 1), (6, 1, 1)),
        ("linked", False, False, (6,), (6, 4, 5)),
        ("linked", True, False, (6, 1, 1), (6, 1, 1)),
    ],
)
def test_failures_of_the_sure_and_successes_of_the_unsure_are_rolled_again_once(
    weapon: str, unsure: bool, sure: bool, again: tuple[int, ...], final: tuple[int, ...]
) -> None:
    """3, 4 and 5 for a Quality of 4."""
    attack = Attack(GROUP_0_1, GROUP_1_1, "shooting", 3, 4, WEAPONS[weapon], unsure=unsure, sure=sure)
    state = battle([squad((3000, 1000))], [FAR])
    test = sound(attacks.hit_test, attack)
    assert test.roll(game(state, 3, 4, 5, *again), Seat(0), 3, attacks.HIT, attacks.HIT_AGAIN) == final


@pytest.mark.rule("OP-SHOOT-03", "OP-SHOOT-05")
@pytest.mark.parametrize(
    ("weapon", "armoured", "dice", "stopped", "blocked", "wounds"),
    [
        ("gun", False, (3, 2, 1), 0, 0, 0),
        ("gun", False, (4, 4, 4, 3, 4, 5), 0, 2, 1),
        ("gun", True, (4, 4, 4, 3, 4, 6, 3), 2, 0, 1),
        ("gun", True, (4, 4, 4, 6, 5, 4), 3, 0, 0),
        ("piercing", True, (4, 4, 4, 3, 4), 0, 1, 1),
        ("rending", True, (6, 6, 6), 0, 0, 3),
        (None, False, (4, 3, 1), 0, 1, 2),
        (None, True, (4, 3, 1, 4, 1), 1, 1, 1),
    ],
)
def test_a_hit_is_ignored_then_blocked_and_else_a_wound(
    weapon: str | None, armoured: bool, dice: tuple[int, ...], stopped: int, blocked: int, wounds: int
) -> None:
    """Hits without a weapon are not rolled for, and called by what they come of."""
    target = squad((3000, NEAR), rules=["armored"] if armoured else [])
    state = battle([squad((3000, 1000))], [target])
    carried = WEAPONS[weapon] if weapon else None
    number = 2 if weapon == "piercing" else 3
    attack = Attack(GROUP_0_1, GROUP_1_1, "shooting", number, 4, carried, label="" if weapon else "pyre")
    now = game(state, *dice)
    harm = sound(attacks.resolve, now, Seat(0), attack)
    blows = [trace.event.blow for trace in now.trail if isinstance(trace.event, BlowStruck)]
    assert [(one.weapon, one.stopped, one.blocked, one.wounds) for one in blows] == [
        (weapon or "pyre", stopped, blocked, wounds)
    ]
    assert (harm.wounds, harm.single) == (wounds, False)
    assert all(made.faces for run in now.record.rolled for made in run)


@pytest.mark.rule("OP-SHOOT-03", "OP-SHOOT-05", "OP-SR-13")
@pytest.mark.parametrize(("faces", "stopped"), [((3, 4), 1), ((1, 2), 2), ((5, 6), 0)])
def test_a_machine_ignores_poison_on_one_to_three(faces: tuple[int, ...], stopped: int) -> None:
    state = battle([squad((3000, 1000))], [squad((3000, NEAR), kind="walker", tough=9)])
    attack = Attack(GROUP_0_1, GROUP_1_1, "shooting", 2, 4, WEAPONS["poison"])
    now = game(state, 6, 6, *faces, *[1] * (2 - stopped))
    assert sound(attacks.resolve, now, Seat(0), attack).wounds == 2 - stopped


@pytest.mark.rule("OP-SHOOT-03", "OP-SR-12")
@pytest.mark.parametrize(
    ("pierced", "dice", "blocked"), [(False, (3, 4, 5), 2), (True, (3, 4, 5, 4, 3), 1), (True, (3, 3, 3), 0)]
)
def test_blocks_are_quality_tests_and_successful_ones_are_rolled_again_when_pierced(
    pierced: bool, dice: tuple[int, ...], blocked: int
) -> None:
    state = battle([squad((3000, 1000))], [FAR])
    test = sound(partial(attacks.block_test, pierced=pierced), 4)
    assert test.successes(test.roll(game(state, *dice), Seat(1), 3, attacks.BLOCK, attacks.BLOCK_AGAIN)) == blocked


@pytest.mark.parametrize(
    ("weapon", "armoured", "chance"),
    [
        ("gun", False, Fraction(1, 4)),
        ("gun", True, Fraction(1, 8)),
        ("linked", False, Fraction(3, 8)),
        ("piercing", True, Fraction(3, 8)),
        ("rending", False, Fraction(1, 3)),
    ],
)
def test_the_chance_to_wound_is_that_of_all_dice_of_an_attack(weapon: str, armoured: bool, chance: Fraction) -> None:
    """Quality 4 on both sides."""
    attack = Attack(GROUP_0_1, GROUP_1_1, "shooting", 1, 4, WEAPONS[weapon])
    ignored = Fraction(1, 2) if armoured and not attacks.pierces(attack) else Fraction(0)
    block = attacks.block_test(4, pierced=attacks.pierces(attack))
    rends = bool(attacks.rending(attack, (6,)))
    assert attacks.wound_chance(attacks.hit_test(attack), rends=rends, ignored=ignored, block=block) == chance


def mixed(soak: str = "", **wounds: int) -> Battle:
    """A unit of four with a Hero of Tough 3 and a Psyker of Tough 2, and two who shoot at it."""
    plain = squad(*row(4, 3000, NEAR))
    hero, seer = squad((3000, 2120), kind="hero", tough=3), squad((3120, 2120), kind="psyker", tough=2)
    state = battle([squad(*row(2, 3000, 1000)), squad((8000, 1000))], [plain, hero, seer, FAR])
    figures = (*state.units[GROUP_1_1].figures, "1.2.1", "1.3.1")
    state = altered(state, "1.1", figures=figures, size=6, joined=(1, 2), soak=soak)
    for id in (FigureId("1.2"), FigureId("1.3")):
        state = altered(state, id, figures=(), where="joined")
    return state


@pytest.mark.rule("OP-SR-21", "OP-SHOOT-04")
@pytest.mark.parametrize(
    ("soak", "order"),
    [
        ("regular", [{"1.1.2", "1.1.3", "1.1.4"}, {"1.3.1"}, {"1.2.1"}, {"1.1.1"}]),
        ("", [{"1.1.2", "1.1.3", "1.1.4"}, {"1.3.1"}, {"1.2.1"}, {"1.1.1"}]),
        ("tough", [{"1.3.1"}, {"1.2.1"}, {"1.1.2", "1.1.3", "1.1.4"}, {"1.1.1"}]),
    ],
)
def test_regular_or_tough_models_fall_first_and_the_leader_last(soak: str, order: list[set[str]]) -> None:
    state = mixed(soak)
    assert [{one.id for one in rank} for rank in casualties.ranks(state, state.units[GROUP_1_1])] == order


@pytest.mark.rule("OP-SR-21", "OP-SHOOT-04")
def test_of_models_alike_the_plainly_armed_fall_first_and_of_them_those_who_are_far() -> None:
    """Claws and a sword are worth 5, two claws and a rifle 6: its attack counts once more for each 6 inches."""
    arms = [["rifle"], ["claw", "claw"], ["rifle"], ["claw", "sword"]]
    state = battle([squad((3000, 1000))], [squad(*[(3000 + n, 4000) for n in (0, 500, 150, 300)], arms=arms)])
    ranks = sound(casualties.ranks, state, state.units[GROUP_1_1])
    assert [[one.id for one in rank] for rank in ranks] == [["1.1.4", "1.1.2", "1.1.3"], ["1.1.1"]]


@pytest.mark.rule("OP-SHOOT-01", "OP-TERR-02")
@pytest.mark.parametrize(
    ("gap", "hidden", "code", "inches"),
    [(3000, False, "", 0), (3001, False, "shoot/too-far", 31), (3000, True, "shoot/no-sight", 0)],
)
def test_a_target_is_in_range_and_in_sight(gap: int, code: str, inches: int, *, hidden: bool) -> None:
    pieces = [block("hut", "building", 2900, 2000, 3200, 2200)] if hidden else []
    state = battle([squad((3000, 1000))], [squad((3000, 1100 + gap))], *pieces, active=Activation(GROUP_0_1, "hold"))
    unit = state.units[GROUP_0_1]
    assert refusal(shooting.check_target, state, 0, unit, GROUP_1_1) == code
    if not code:
        assert shooting.check_target(state, 0, unit, GROUP_1_1) == Aim(gap, True, False)
    if inches:
        with pytest.raises(IllegalIntent) as illegal:
            shooting.check_target(state, 0, unit, GROUP_1_1)
        assert illegal.value.refusal.text == text("refuse.shoot/too-far", inches=inches)


@pytest.mark.rule("OP-SR-21", "OP-SHOOT-04")
def test_wounds_are_taken_as_the_owner_chose_until_one_kind_is_left() -> None:
    """A wound for the Psyker, and another; nobody is asked a second time."""
    fight = shot(mixed(), 4, 3, 3)
    assert fight.asked == ("op.soak", (1,))
    fight.answer(1, "tough")
    assert (fight.unit("1.1").soak, fight.now.figures[FigureId("1.3.1")].wounds) == ("tough", 1)
    chosen = shot(mixed("tough"), 4, 3, 3)
    plain = shot(battle([squad((3000, 1000)), squad((8000, 1000))], [squad(*row(3, 3000, NEAR)), FAR]), 4, 3)
    assert not plain.events(SoakChosen)
    assert chosen.asked is None
    assert chosen.now.figures[FigureId("1.3.1")].wounds == 1
    assert not chosen.events(SoakChosen)


@pytest.mark.rule("OP-SR-21", "OP-SHOOT-04")
def test_a_choice_is_forgotten_where_nothing_is_mixed_any_more() -> None:
    plain = squad(*row(3, 3000, NEAR), soak="tough")
    fight = shot(battle([squad((3000, 1000)), squad((8000, 1000))], [plain, FAR]), 4, 3)
    assert [one.soak for one in fight.events(SoakChosen)] == [""]
    fight.answer(1, ["piece/1.1.3"])
    assert fight.unit("1.1").soak == ""


@pytest.mark.rule("OP-SHOOT-04")
@pytest.mark.parametrize(
    ("models", "wounds", "asked"), [(4, 1, 1), (4, 2, 1), (4, 3, 0), (3, 2, 0), (2, 1, 0), (2, 2, 0)]
)
def test_the_owner_is_asked_where_only_some_of_a_rank_fall(models: int, wounds: int, asked: int) -> None:
    state = battle([squad(*row(wounds, 3000, 1000)), squad((8000, 1000))], [squad(*row(models, 3000, NEAR)), FAR])
    half = 2 * wounds >= models and wounds < models
    fight = shot(state, *[4] * wounds, *[3] * wounds, *([6] if half else []))
    assert (fight.asked == ("op.casualties", (1,))) is bool(asked)
    if asked:
        fight.answer(1, [f"piece/1.1.{n + 2}" for n in range(wounds)])
    assert fight.asked is None
    assert len(fight.unit("1.1").figures) == models - wounds
    assert not [one for one in fight.events(UnitMoved) if one.how == "up" and not one.places]


@pytest.mark.rule("OP-SHOOT-04")
@pytest.mark.parametrize(
    ("places", "falls", "moved"),
    [
        (((3000, NEAR), (3190, NEAR), (3380, NEAR), (3570, NEAR)), "1.1.3", {"1.1.4": (2890, NEAR)}),
        (((3000, NEAR), (3190, NEAR), (3380, NEAR)), "1.1.2", {"1.1.3": (2890, NEAR)}),
        (((3000, NEAR), (3190, NEAR), (3000, 2150), (3190, 2190)), "1.1.2", {}),
        (((3000, NEAR), (3190, NEAR), (2810, NEAR), (3380, NEAR)), "1.1.2", {"1.1.4": (3000, 1890)}),
    ],
)
def test_those_who_have_lost_touch_close_up(places: Sequence[Point], falls: str, moved: dict[str, Point]) -> None:
    fight = shot(battle([squad((3000, 1000)), squad((8000, 1000))], [squad(*places), FAR]), 4, 3)
    assert refusal(fight.answer, 1, [f"piece/{falls}"]) == ""
    assert [one.places for one in fight.events(UnitMoved) if one.how == "up"] == ([moved] if moved else [])
    left = [fight.place(id) for id in fight.unit("1.1").figures]
    assert left[0] == places[0]
    assert sound(formations.closed_up, fight.now, fight.unit("1.1")) == {}


@pytest.mark.rule("OP-SHOOT-04")
def test_nobody_closes_up_aboard() -> None:
    """Of three aboard one falls with the wreck; where they sit is no place on the table."""
    carrier = squad((3000, NEAR), kind="vehicle", size=300, facing=90, rules=["transport.6"], id="T-09")
    aboard = squad((0, 0), (900, 0), (1800, 0), (2700, 0), where="aboard", vessel="1.1")
    state = battle([squad((3000, 1000), weapons=["gun"]), squad((8000, 1000))], [carrier, aboard, FAR])
    fight = shot(state, 6, 1, 1, 1, 1, 1, 1)
    assert refusal(fight.answer, 1, ["piece/1.2.4"]) == ""
    assert not [one for one in fight.events(UnitMoved) if one.how == "up"]
    assert fight.unit("1.2").where == "table"


@pytest.mark.rule("OP-VEH-05", "OP-VEH-06")
@pytest.mark.parametrize(
    ("side", "dice", "counts"), [("front", (2, 5), 2), ("side", (5,), 5), ("rear", (2, 5), 5), ("rear", (5, 2), 5)]
)
def test_the_attacker_rolls_for_damage(side: str, dice: tuple[int, ...], counts: int) -> None:
    for owner, other in ((0, 1), (1, 0)):
        own, enemy = (squad((3000, y), kind="walker", tough=9) for y in (1000, 4000))
        now = game(battle([own], [enemy]), *dice)
        assert sound(damage.roll, now, f"{owner}.1", side) == counts
        assert [int(made.seat) for run in now.record.rolled for made in run] == [other]
