"""Conditions of One Page Apocalypse, each looked at from both of its sides."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from engine.core.rules.game import Game
from engine.core.rules.record import Record
from engine.rulesets.one_page.rules import attacks, damage, melee, morale, traits
from engine.rulesets.one_page.rules.assaults import Assault
from engine.rulesets.one_page.rules.attacks import Attack
from engine.rulesets.one_page.rules.morale import Strength
from engine.rulesets.one_page.rules.moving import Hold
from engine.rulesets.one_page.rules.shooting import Shoot
from engine.rulesets.one_page.state.events import (
    BlowStruck,
    MeleeFought,
    MoraleTested,
    Pinned,
    Shaken,
    Tracked,
    UnitMoved,
    Wounded,
)
from engine.rulesets.one_page.state.profiles import Kind
from engine.rulesets.one_page.state.state import Activation, Battle
from protocol.ids import NO_GROUP, FigureId, GroupId
from tests.support.systems.battle import WEAPONS, Fight, Squad, battle, row, sound, squad
from tests.support.systems.scripted import ScriptedDice

GROUP_0_1 = GroupId("0.1")
GROUP_1_1 = GroupId("1.1")
FIGURE_0_1_1 = FigureId("0.1.1")

SWORD = ("sword",)
NEAR = 2000


def pair(own: Squad, enemy: Squad) -> Battle:
    """Two units, each with a friend far away."""
    return battle([own, squad((9000, 1000))], [enemy, squad((9000, 6000))])


def charge(own: Squad, enemy: Squad, *dice: int) -> Fight:
    """Unit 0.1 assaults unit 1.1."""
    return Fight(pair(own, enemy), *dice).do(0, Assault(GROUP_0_1, GROUP_1_1))


def strikers(fight: Fight) -> list[str]:
    return [event.blow.unit for event in fight.events(BlowStruck)]


def under(state: Battle, id: GroupId, *effects: str) -> Battle:
    """The table with powers on a unit."""
    unit = msgspec.structs.replace(state.units[id], effects=effects)
    return msgspec.structs.replace(state, units={**state.units, id: unit})


def wounded(state: Battle, wounds: int, *dice: int) -> tuple[list[object], int]:
    """The events of so many wounds from the side to the machine 1.1, and how many it took."""
    game = Game(state, Record(seats=2), ScriptedDice(dice))
    took = sound(damage.wound_machine, game, "1.1", wounds, "side")
    return [trace.event for trace in game.trail], took


@pytest.mark.rule("OP-SR-01", "OP-SR-13", "OP-WPN-02")
@pytest.mark.parametrize(
    ("weapon", "kind", "rules", "covered", "faces"),
    [
        ("rifle", "infantry", (), False, (0, 0)),
        ("rifle", "infantry", (), True, (4, 6)),
        ("rifle", "infantry", ("armored",), False, (4, 6)),
        ("rifle", "walker", (), False, (4, 6)),
        ("rifle", "monster", (), False, (4, 6)),
        ("piercing", "infantry", ("armored",), True, (0, 0)),
        ("melta", "infantry", ("armored",), True, (0, 0)),
        ("poison", "infantry", ("armored",), True, (0, 0)),
        ("poison", "monster", (), False, (0, 0)),
        ("poison", "walker", (), True, (1, 3)),
        ("poison", "vehicle", (), False, (1, 3)),
    ],
)
def test_what_a_hit_is_ignored_with(
    weapon: str, kind: Kind, rules: Sequence[str], covered: bool, faces: tuple[int, int]
) -> None:
    target = squad((3000, NEAR), kind=kind, tough=3, rules=rules)
    state = battle([squad((3000, 1000))], [target])
    attack = Attack(GROUP_0_1, GROUP_1_1, "shot", 1, 4, WEAPONS[weapon], covered=covered)
    assert attacks.ignored_up_to(state, attack, state.units[GROUP_1_1]) == faces


@pytest.mark.rule("OP-SR-12", "OP-SR-13")
def test_piercing_and_poison_pierce_and_nothing_else() -> None:
    assert {
        name for name, weapon in WEAPONS.items() if attacks.pierces(Attack(NO_GROUP, NO_GROUP, "", 1, 4, weapon))
    } == {
        "piercing",
        "poison",
    }


@pytest.mark.rule("OP-SR-16")
def test_only_the_sixes_of_a_rending_weapon_are_wounds_at_once() -> None:
    faces = (6, 5, 6, 1)
    found = {
        name: attacks.rending(Attack(NO_GROUP, NO_GROUP, "", 1, 4, weapon), faces) for name, weapon in WEAPONS.items()
    }
    assert {name: count for name, count in found.items() if count} == {"rending": 2, "claw": 2}


@pytest.mark.rule("OP-SR-18", "OP-GEN-03")
def test_a_scoper_needs_two_and_everybody_else_their_quality() -> None:
    assert [attacks.needed(Attack(NO_GROUP, NO_GROUP, "", 1, 5, WEAPONS[name])) for name in ("scoped", "rifle")] == [
        2,
        5,
    ]


@pytest.mark.rule("OP-SR-11")
def test_only_linked_weapons_roll_failures_again() -> None:
    own = squad((3000, 1000), kind="walker", tough=3, weapons=["linked", "gun"])
    fight = Fight(pair(own, squad(*row(5, 3000, NEAR))), *[1] * 7)
    fight.do(0, Hold(GROUP_0_1)).do(0, Shoot(GROUP_0_1, GROUP_1_1))
    assert fight.rolls == [(0, "op.dice.hit", 2), (0, "op.dice.hit_again", 2), (0, "op.dice.hit", 3)]


@pytest.mark.rule("OP-MOR-01")
@pytest.mark.parametrize(
    ("before", "now", "halved"),
    [
        (Strength(1, 6), Strength(1, 3), True),
        (Strength(1, 6), Strength(1, 4), False),
        (Strength(4, 4), Strength(2, 2), True),
        (Strength(5, 5), Strength(3, 3), False),
        (Strength(5, 5), Strength(2, 2), True),
        (Strength(3, 9), Strength(3, 4), False),
    ],
)
def test_half_lost_at_once_is_of_models_or_of_a_single_ones_wounds(
    before: Strength, now: Strength, halved: bool
) -> None:
    assert morale.is_halved(before, now) is halved


@pytest.mark.rule("OP-MOR-03")
@pytest.mark.parametrize(
    ("models", "tough", "size", "wounds", "low"),
    [
        (2, 1, 4, 0, True),
        (3, 1, 4, 0, False),
        (2, 3, 4, 0, True),
        (3, 3, 5, 2, False),
        (1, 6, 6, 3, True),
        (1, 6, 6, 2, False),
    ],
)
def test_low_is_half_of_the_original_size_of_models_or_of_a_single_ones_wounds(
    models: int, tough: int, size: int, wounds: int, low: bool
) -> None:
    """Of a unit of several it is the models that count, however tough they are."""
    state = battle([squad(*row(models, 3000, 1000), tough=tough)], [squad((9000, 6000))])
    hurt = {id: msgspec.structs.replace(figure, wounds=wounds) for id, figure in state.figures.items() if id[0] == "0"}
    unit = msgspec.structs.replace(state.units[GROUP_0_1], size=size)
    state = msgspec.structs.replace(state, figures={**state.figures, **hurt}, units={**state.units, "0.1": unit})
    assert morale.is_low(state, GROUP_0_1) is low


@pytest.mark.rule("OP-SR-05", "OP-MOR-02")
@pytest.mark.parametrize(
    ("rules", "faces", "passed"), [(["fearless"], (1, 4), True), ([], (1,), False), ([], (4,), True)]
)
def test_the_fearless_alone_roll_two_dice(rules: Sequence[str], faces: tuple[int, ...], passed: bool) -> None:
    """Five lose one to three who charge; who is pinned already is not pinned again."""
    enemy = squad(*row(5, 3000, 1700), weapons=["rifle"], rules=rules)
    fight = charge(squad(*row(3, 3000, 1000), weapons=SWORD), enemy, 6, *[1] * 8, 1, *[1] * 5, *faces)
    fight.answer(1, ["piece/1.1.5"])
    assert [(test.why, test.passed) for test in fight.events(MoraleTested)] == [("melee", passed)]
    assert fight.rolls[-1] == (1, "op.dice.morale", len(faces))
    assert fight.unit("1.1").pinned is not passed


@pytest.mark.rule("OP-MELEE-04", "OP-MOR-01")
def test_half_lost_at_once_is_tested_for_though_nobody_won() -> None:
    """Two and two, one each falls: both test, and neither is beaten."""
    own, enemy = squad(*row(2, 3000, 1000)), squad(*row(2, 3000, 1700))
    fight = charge(own, enemy, 6, 1, 1, 1, 1, 6, 1, 1, 6, 6)
    while fight.asked is not None:
        seat = fight.asked[1][0]
        fight.answer(seat, [f"piece/{seat}.1.2"])
    assert [(test.unit, test.why) for test in fight.events(MoraleTested)] == [("0.1", "melee"), ("1.1", "melee")]


@pytest.mark.rule("OP-MOR-02", "OP-MOR-03")
def test_who_is_pinned_already_is_not_pinned_again() -> None:
    enemy = squad(*row(5, 3000, 1700), weapons=["rifle"], pinned=True)
    fight = charge(squad(*row(3, 3000, 1000), weapons=SWORD), enemy, 6, *[1] * 8, 1, *[1] * 4, 1)
    fight.answer(1, ["piece/1.1.5"])
    assert [(test.why, test.passed) for test in fight.events(MoraleTested)] == [("melee", False)]
    assert fight.unit("1.1").pinned
    assert not fight.events(Pinned)


@pytest.mark.rule("OP-MELEE-04", "OP-MOR-03")
def test_a_transport_that_is_only_pinned_keeps_those_aboard() -> None:
    carrier = squad((3000, 1800), kind="vehicle", tough=9, size=300, facing=90, rules=["transport.6"], id="T-09")
    riders = squad(*row(4, 0, 0), where="aboard", vessel="1.1")
    state = battle([squad((3000, 1000), weapons=SWORD), squad((9000, 1000))], [carrier, riders])
    fight = Fight(state, 6, 1, 1, 1, 1, 1, 1, 1, 1).do(0, Assault(GROUP_0_1, GROUP_1_1))
    assert [(test.unit, test.passed) for test in fight.events(MoraleTested)] == [("1.1", False)]
    assert (fight.unit("1.1").pinned, fight.unit("1.2").where) == (True, "aboard")


@pytest.mark.rule("OP-SR-20", "OP-MELEE-03", "OP-VEH-04")
def test_a_vehicle_that_is_destroyed_first_neither_strikes_nor_rams() -> None:
    tank = squad((3000, 1000), kind="vehicle", tough=1, size=300, facing=90, weapons=SWORD)
    fight = charge(tank, squad((3000, 1800), weapons=SWORD, rules=["strikes_first"]), 6, 6, 1, 1, 1, 1)
    assert strikers(fight) == ["1.1"]


@pytest.mark.rule("OP-MELEE-04", "OP-MELEE-02", "OP-MELEE-05")
def test_a_melee_is_told_with_its_wounds_and_ends_apart() -> None:
    fight = charge(squad((3000, 1000), weapons=SWORD), squad((3000, 1800), weapons=SWORD), *[1] * 5)
    fought = [(one.attacker, one.defender, one.caused, one.suffered) for one in fight.events(MeleeFought)]
    assert fought == [("0.1", "1.1", 0, 0)]
    assert [move.how for move in fight.events(UnitMoved)] == ["assault", "back"]
    assert fight.unit("0.1").done


@pytest.mark.rule("OP-MOR-02", "OP-SR-20", "OP-SR-04")
@pytest.mark.parametrize(
    ("changes", "effects"),
    [({"pinned": True}, ()), ({}, (traits.TERROR,)), ({"rules": ["strikes_last"]}, ()), ({}, ("strikes_last",))],
)
def test_the_pinned_and_the_terrified_strike_last(changes: dict[str, object], effects: tuple[str, ...]) -> None:
    """Dead by then; at ease they would have struck back."""
    own = squad((3000, 1000), weapons=SWORD)
    for strikes, unit in ((["0.1"], {**changes, "effects": effects}), (["0.1", "1.1"], {})):
        enemy = squad((3000, 1800), weapons=SWORD, **unit)  # type: ignore[arg-type]
        fight = charge(own, enemy, 6, 1, 1, 1, *([1, 1] if len(strikes) == 2 else []))
        assert strikers(fight) == strikes


@pytest.mark.rule("OP-SR-07", "OP-MELEE-02")
def test_what_makes_furious_is_the_model_or_a_power() -> None:
    plain = pair(squad((3000, 1000)), squad((3000, NEAR)))
    born = pair(squad((3000, 1000), rules=["furious"]), squad((3000, NEAR)))
    for state, more in ((plain, 1), (born, 2), (under(plain, GROUP_0_1, "furious"), 2)):
        assert melee.bonus(state, state.units[GROUP_0_1], state.figures[FIGURE_0_1_1]) == more


@pytest.mark.rule("OP-SR-08", "OP-MELEE-02", "OP-WPN-01")
def test_hatred_is_of_the_model_or_a_power_and_of_a_charge_alone() -> None:
    plain = pair(squad((3000, 1000), weapons=["rifle", "sword"]), squad((3000, NEAR)))
    born = pair(squad((3000, 1000), weapons=["rifle", "sword"], rules=["hatred"]), squad((3000, NEAR)))
    for state, hates in ((plain, False), (born, True), (under(plain, GROUP_0_1, "hatred"), True)):
        assert melee.hatred(state, state.units[GROUP_0_1], state.figures[FIGURE_0_1_1]) is hates
        for charging in (True, False):
            made = melee.attacks_of(state, GROUP_0_1, GROUP_1_1, charging=charging)
            assert [(one.attacks, one.sure) for one in made] == [(3 if charging else 2, hates and charging)]


@pytest.mark.rule("OP-WPN-01")
def test_fists_are_for_those_without_another_weapon_for_melee() -> None:
    armed = battle([squad(*row(2, 3000, 1000), arms=[("rifle", "sword"), ("rifle",)])], [squad((3000, NEAR))])
    fists = [melee.fists(armed, armed.figures[id]) for id in (FIGURE_0_1_1, FigureId("0.1.2"))]
    assert fists == [[WEAPONS["sword"]], [melee.BARE_HANDS]]


@pytest.mark.rule("OP-VEH-04", "OP-MELEE-02")
def test_only_a_vehicle_that_charges_rams() -> None:
    """A Vehicle that is charged strikes with its weapons only; units on foot never ram."""
    tank = squad((3000, 2000), kind="vehicle", tough=9, size=300, facing=90, weapons=["gun", "sword"])
    fight = charge(squad((3000, 1000), weapons=SWORD), tank, *[1] * 5)
    assert fight.rolls[:2] == [(0, "op.dice.hit", 3), (1, "op.dice.hit", 2)]


@pytest.mark.rule("OP-VEH-06")
def test_on_the_line_between_two_sides_it_is_the_front_or_the_rear() -> None:
    places = ((100, 100), (-100, 100), (101, 100), (100, -100), (-101, -100), (101, -100))
    sides = [damage.side_hit((0, 0), 90, at) for at in places]
    assert sides == ["front", "front", "side", "rear", "side", "side"]


@pytest.mark.rule("OP-VEH-05", "OP-VEH-07")
@pytest.mark.parametrize(("active", "rounds"), [("", 1), ("1.1", 2), ("0.1", 1)])
def test_a_shaken_machine_is_so_through_its_next_activation(active: GroupId, rounds: int) -> None:
    """In the middle of its own, that is the one after it; glanced and Tracked are not Shaken."""
    state = battle([squad((3000, 1000))], [squad((3000, NEAR), kind="walker", tough=9)])
    acting = Activation(active, "assault", GROUP_0_1) if active else None
    for face, shaken in ((2, []), (3, [rounds]), (4, [rounds]), (5, [])):
        events, took = wounded(msgspec.structs.replace(state, active=acting), 1, face)
        assert ([event.activations for event in events if isinstance(event, Shaken)], took) == (shaken, 1)
        assert [event.unit for event in events if isinstance(event, Tracked)] == (["1.1"] if face == 5 else [])


@pytest.mark.rule("OP-VEH-05", "OP-VEH-07")
def test_wounds_come_one_by_one_until_it_is_destroyed() -> None:
    """Tracked already, a five is a wound more; the one that destroys it is not rolled for, and none comes after."""
    tracked = battle([squad((3000, 1000))], [squad((3000, NEAR), kind="walker", tough=3, tracked=True)])
    events, took = wounded(tracked, 2, 5, 2)
    assert (took, sum(isinstance(event, Wounded) for event in events)) == (3, 3)
    events, took = wounded(tracked, 5, 1, 1)
    assert (took, sum(isinstance(event, Wounded) for event in events)) == (5, 3)


@pytest.mark.rule("OP-MOR-03")
def test_of_a_unit_that_a_character_has_joined_the_models_count() -> None:
    """One of two is left, however many wounds it can take."""
    state = battle([squad((3000, 1000), tough=3)], [squad((9000, 6000))])
    joined = msgspec.structs.replace(state.units[GROUP_0_1], joined=(1,), size=2)
    state = msgspec.structs.replace(state, units={**state.units, GROUP_0_1: joined})
    assert sound(morale.is_low, state, GROUP_0_1) is True
