"""Morale: checks and what spares them, suppression, surrender, rallies (AE-MOR, AE-EXP)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.rulesets.apocalypse_earth.rules.assault import combats
from engine.rulesets.apocalypse_earth.rules.assault.charging import Charge
from engine.rulesets.apocalypse_earth.rules.ending import Finish
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.moves import overwatch
from engine.rulesets.apocalypse_earth.rules.moves.moving import Move
from engine.rulesets.apocalypse_earth.rules.turns import activations, coherency, morale, rallying, surrender
from engine.rulesets.apocalypse_earth.rules.turns.rallying import Rally
from engine.rulesets.apocalypse_earth.state.combat_events import CombatEnded
from engine.rulesets.apocalypse_earth.state.fire_events import (
    FigureShaken,
    MoraleChecked,
    RallyTried,
    Suppressed,
    Surrendered,
)
from engine.rulesets.apocalypse_earth.state.lasting import Blaze, Combat, Effect
from engine.rulesets.apocalypse_earth.state.model import Options
from engine.rulesets.apocalypse_earth.state.state import CLOSE, MOVE, POWERS, Activation, Battle
from engine.rulesets.apocalypse_earth.state.turn_events import Activated
from protocol.ids import FigureId, GroupId
from tests.support.systems.ae_battle import Fight, battle, block, cm, refused, row, squad, vehicle

UNIT, FRIEND, ENEMY, OTHER = GroupId("0.1"), GroupId("0.2"), GroupId("1.1"), GroupId("1.2")
HERE, FAR = squad((20, 20)), squad((150, 110))
PLAIN = Options(sarge=False, overwatch=False)
MORALE = ("ae.dice.morale", "ae.dice.morale_again", "ae.dice.officer")


def dice_of(fight: Fight) -> list[tuple[str, int]]:
    """Return purpose and number of the dice of all checks, in their order."""
    return [(purpose, count) for _, purpose, count in fight.rolls if purpose in MORALE]


def shot_at(*dice: int, sarge: bool = False, **target: Any) -> Fight:
    """Shoot the second of four figures, or with the sarge played the first; the dice are those of the checks."""
    state = battle(
        [squad((50, 60), weapons=("pi",))], [squad(*row(4, 45, 70), **target), FAR], options=Options(sarge=sarge)
    )
    return Fight(state, 6, 1 if sarge else 2, *dice).do(0, Fire(UNIT, ENEMY))


def with_shaken(state: Battle, *ids: str) -> Battle:
    """Return a table on which these figures are suppressed on their own."""
    shaken = {FigureId(id): replace(state.figures[FigureId(id)], shaken=True) for id in ids}
    return replace(state, figures={**state.figures, **shaken})


@pytest.mark.rule("AE-MOR-01")
def test_a_modified_one_fails_and_a_six_passes() -> None:
    assert [morale.die(modifier).need for modifier in (1, 0, -1, -2, -3, -4, -5, -9)] == [1, 2, 3, 4, 5, 6, 6, 6]


@pytest.mark.rule("AE-MOR-01", "AE-MOR-02", "AE-OPEN-07")
@pytest.mark.parametrize(
    ("abilities", "sarge", "dice", "rolled", "passed"),
    [
        ((), False, (2,), [1], True),
        ((), False, (1,), [1], False),
        ((), True, (1, 4), [2], False),
        (("fanatic",), False, (2,), [1], True),
        (("fanatic",), False, (1, 2), [1, 1], True),
        (("fanatic",), False, (1, 1), [1, 1], False),
        (("fanatic",), True, (1, 1, 2, 2), [2, 2], True),
        (("fanatic",), True, (1, 2, 1), [2, 1], False),
    ],
)
def test_dice_of_a_check(
    abilities: tuple[str, ...], sarge: bool, dice: tuple[int, ...], rolled: list[int], passed: bool
) -> None:
    """One die, or two of which none may fail; fanatics roll those that failed once more."""
    fight = shot_at(*dice, sarge=sarge, abilities=abilities)
    assert [count for _, count in dice_of(fight)] == rolled
    assert [one.passed for one in fight.events(MoraleChecked)] == [passed]
    assert [one.unit for one in fight.events(Suppressed)] == ([] if passed else ["1.1"])
    assert fight.unit("1.1").suppressed is not passed


@pytest.mark.rule("AE-MOR-01", "AE-MOR-02", "AE-OPEN-07")
def test_fanatics_who_are_charged_roll_once() -> None:
    prey = squad((90, 52), fired=True, abilities=("fanatic",))
    fight = Fight(battle([squad((90, 40))], [prey, FAR]), 4, 1).do(0, Charge(UNIT, ENEMY))
    assert [(one.why, one.passed) for one in fight.events(MoraleChecked)] == [("charge", True), ("charged", False)]
    zealots = squad((90, 40), abilities=("fanatic",))
    fight = Fight(battle([zealots], [squad((90, 52), fired=True), FAR]), 1, 1).do(0, Charge(UNIT, ENEMY))
    assert dice_of(fight) == [("ae.dice.morale", 1), ("ae.dice.morale_again", 1)]


@pytest.mark.rule("AE-MOR-01", "AE-OPEN-25")
def test_iron_faith_passes_one_check_without_dice() -> None:
    fight = shot_at(effects=(Effect("iron_faith", ENEMY, once=True), Effect("far_voice", ENEMY)))
    assert dice_of(fight) == []
    assert [one.power for one in fight.unit("1.1").effects] == ["far_voice"]
    assert not fight.unit("1.1").suppressed


@pytest.mark.rule("AE-EXP-01", "AE-EXP-02", "AE-EXP-03")
def test_whose_losses_call_for_a_check() -> None:
    """Of the green all; of the experienced two in a turn, one of two figures, or the leader; of veterans half."""

    def checks(experience: str, lost: int, strength: int, *, leader: bool = False) -> bool:
        state = battle([squad((50, 60), experience=experience, lost=lost, strength=strength)], [FAR])
        return morale.checks_losses(state, state.units[UNIT], led_no_more=leader)

    assert [checks("green", lost, 8) for lost in (0, 1)] == [True, True]
    assert [checks("experienced", lost, 8) for lost in (0, 1, 2, 3)] == [False, False, True, True]
    assert [checks("experienced", 1, 8, leader=True), checks("experienced", 0, 8, leader=True)] == [True, True]
    assert [checks("experienced", lost, 2) for lost in (0, 1)] == [False, True]
    assert [checks("experienced", 1, strength) for strength in (1, 2, 3)] == [True, True, False]
    assert [checks("veteran", lost, 5) for lost in (1, 2, 3)] == [False, False, True]
    assert [checks("veteran", lost, 4, leader=True) for lost in (1, 2)] == [False, True]


@pytest.mark.rule("AE-EXP-01", "AE-EXP-02", "AE-EXP-03")
def test_whom_a_charge_makes_check_and_who_checks_out_of_coherency() -> None:
    for experience, charges, coherent in (
        ("green", [True, True, True], True),
        ("experienced", [True, True, True], False),
        ("veteran", [False, True, True], False),
    ):
        state = battle([squad((50, 60), (52.5, 60), experience=experience)], [FAR])
        own = state.units[UNIT]
        assert [morale.checks_charge(state, own, count) for count in (3, 4, 5)] == charges
        assert morale.checks_coherency(state, own) is coherent


@pytest.mark.rule("AE-EXP-02", "AE-ASLT-08", "AE-MOR-06")
def test_a_lost_round_of_the_experienced() -> None:
    """They check for their leader, twice where that is played; only a round that was lost counts for the next."""
    pair = squad(*row(2, 90, 40), ccr=2)
    for experience, sarge, first, rolled in (
        ("experienced", True, (6, 1, 6, 1), [1, 1, 2]),  # both of the charged in contact fall, the leader among them
        ("experienced", False, (6, 1, 6, 1), [1, 1, 1]),
        ("veteran", True, (6, 1, 6, 1), [1]),
    ):
        prey = squad(*row(9, 85, 52), ccr=2, fired=True, experience=experience)
        state = battle([pair], [prey, FAR], options=Options(sarge=sarge))
        order = tuple(FigureId(f"1.1.{n}") for n in (1, 2, 3, 4, 5, 6, 7, 8, 9))
        combat = Combat(1, (UNIT,), (ENEMY,), lines={ENEMY: order}, fresh=(UNIT,))
        fight = Fight(replace(state, combats=(combat,)), *first, *([4] * sum(rolled[2:])))
        fight.do(0, Finish(UNIT))
        assert [count for _, count in dice_of(fight)] == rolled[2:]
        assert fight.now.combats[0].losses == ({ENEMY: 1} if rolled[2:] else {})
    # the round is even: the double check for the leader counts for nothing
    equal = battle([squad(*row(2, 90, 50), ccr=2)], [squad(*row(2, 90, 52), ccr=2), FAR])
    combat = Combat(1, (UNIT,), (ENEMY,), lines={UNIT: (FigureId("0.1.1"), FigureId("0.1.2"))})
    fight = Fight(replace(equal, combats=(combat,)), 1, 6, 6, 1, 4, 4, 4, 4).do(0, Finish(UNIT))
    assert [count for _, count in dice_of(fight)] == [2, 2]
    assert fight.now.combats[0].losses == {}


@pytest.mark.rule("AE-MOR-03", "AE-TURN-02", "AE-OVER-01", "AE-FIRES-03")
def test_what_the_suppressed_and_the_engaged_may_not_do() -> None:
    combat = Combat(1, (UNIT,), (ENEMY,))
    woods = block("w", "woods", 40, 50, 60, 70)
    tables: tuple[tuple[str, dict[str, Any], dict[str, Any]], ...] = (
        ("", {}, {}),
        ("act/suppressed", {"suppressed": True}, {}),
        ("act/engaged", {}, {"combats": (combat,)}),
        ("act/burning", {}, {"features": (woods,), "fires": (Blaze("w", 1),)}),
    )
    for code, own, table in tables:
        state = battle([squad((50, 60), **own), HERE], [squad((50, 62)), FAR], **table)
        unit = state.units[UNIT]
        assert refused(lambda: activations.check_step(state, 0, UNIT, MOVE)) == code  # noqa: B023 - called at once
        assert coherency.is_free(state, unit) is (code == "")
        assert overwatch.may_watch(state, unit) is (code in ("", "act/burning"))
    for step, code in ((MOVE, ""), (POWERS, "act/step-past"), (CLOSE, "act/step-past")):
        state = battle([squad((50, 60)), HERE], [FAR], active=Activation(UNIT, step))
        assert refused(lambda: activations.check_step(state, 0, UNIT, MOVE)) == code  # noqa: B023 - called at once
        assert refused(lambda: activations.check_step(state, 0, UNIT, CLOSE)) == ""  # noqa: B023 - called at once
    riding = battle([squad((50, 60), where="aboard", vessel=FRIEND), vehicle((50, 60))], [FAR])
    assert not overwatch.may_watch(riding, riding.units[UNIT])


@pytest.mark.rule("AE-MOR-03", "AE-ASLT-10")
def test_the_suppressed_surrender_to_the_nearest_enemy_in_their_fight_who_can_take_them() -> None:
    ours = [squad(*row(2, 90, 49)), squad(*row(2, 90, 50)), squad(*row(2, 90, 51), suppressed=True)]
    theirs = [squad(*row(2, 90, 53), suppressed=True), FAR, squad(*row(2, 90, 55))]
    units = tuple(map(GroupId, ("0.1", "0.2", "0.3")))
    state = battle(ours, theirs, combats=(Combat(1, units, (ENEMY,)),))
    fight = Fight(state)
    # the third of ours, who is nearer, cannot; nobody is there to whom it might surrender
    assert [(one.unit, one.captor) for one in fight.events(Surrendered)] == [("1.1", "0.2")]
    assert [one.number for one in fight.events(CombatEnded)] == [1]
    both = battle(
        [squad((90, 50), suppressed=True), HERE],
        [squad((90, 52), suppressed=True), FAR],
        combats=(Combat(1, (UNIT,), (ENEMY,)),),
    )
    fight = Fight(both)
    assert not fight.events(Surrendered)
    assert fight.now.combats == ()


@pytest.mark.rule("AE-MOR-03", "AE-ASLT-10")
def test_a_combat_is_over_once_a_side_has_nobody_who_fights() -> None:
    combat = Combat(1, (UNIT, FRIEND), (ENEMY,))
    cases: tuple[tuple[dict[str, Any], dict[str, Any], dict[str, Any], bool], ...] = (
        ({}, {}, {}, False),
        ({"suppressed": True}, {}, {}, False),
        ({"where": "gone"}, {"suppressed": True}, {}, True),
        ({}, {}, {"suppressed": True}, True),
        ({}, {}, {"where": "gone"}, True),
    )
    for own, friend, enemy, over in cases:
        state = battle([squad((90, 50), **own), squad((92, 50), **friend)], [squad((90, 52), **enemy)])
        assert combats.is_over(state, combat) is over
    # those who won close ranks
    state = battle(
        [squad((90, 50), (90, 59))], [squad((90, 52), where="gone"), FAR], combats=(Combat(1, (UNIT,), (ENEMY,)),)
    )
    assert Fight(state).place("0.1.2") == (90, 58)


@pytest.mark.rule("AE-MOR-04")
def test_to_whom_a_unit_may_surrender() -> None:
    cases = (
        (squad((50, 60)), True),
        (squad((50, 60), suppressed=True), False),
        (squad((50, 60), hidden=True), False),
        (squad((50, 60), where="aboard", vessel=FRIEND), False),
        (vehicle((50, 60)), True),
        (vehicle((50, 60), weapons=()), False),
        (squad((50, 60), weapons=()), True),
    )
    for one, may in cases:
        state = battle([one, vehicle((90, 90))], [FAR])
        assert surrender.can_fight(state, state.units[UNIT]) is may


@pytest.mark.rule("AE-MOR-04", "AE-SEAT-03")
def test_to_whom_a_unit_surrenders() -> None:
    """To the nearest visible enemy within 12 cm, of equals the lowest seat, unless a friend is as near."""

    def captor(weary: tuple[float, float] = (50, 60), **seats: list[tuple[float, float]]) -> str | None:
        forces = [[squad(weary, suppressed=True)], *[[squad(at) for at in places] for places in seats.values()]]
        state = battle(*forces, sides=())
        found = surrender.captor_of(state, state.units[UNIT])
        return found.id if found is not None else None

    assert captor(one=[(50, 74)]) == "1.1"
    assert captor(one=[(50, 74.01)]) is None
    assert captor(one=[(50, 70), (50, 66), (50, 68)]) == "1.2"
    assert captor(one=[(50, 70)], two=[(50, 66)]) == "2.1"
    assert captor(one=[(50, 66)], two=[(50, 54)]) == "1.1"
    for gap, found in ((66, None), (66.01, "1.1"), (64, None)):
        friends = battle([squad((50, 60), suppressed=True), squad((50, gap))], [squad((50, 54))])
        own = surrender.captor_of(friends, friends.units[UNIT])
        assert (own.id if own is not None else None) == found


@pytest.mark.rule("AE-MOR-04", "AE-COH-03", "AE-GEN-04")
def test_a_figure_suppressed_on_its_own_surrenders_alone() -> None:
    state = battle([squad((50, 60), (70, 60)), HERE], [squad((70, 70)), FAR])
    fight = Fight(with_shaken(state, "0.1.2")).do(0, Move(FRIEND, cm((21, 20))))
    assert [(one.unit, one.captor, one.figures) for one in fight.events(Surrendered)] == [("0.1", "1.1", ("0.1.2",))]
    assert fight.unit("0.1").figures == ("0.1.1",)
    both = Fight(with_shaken(battle([squad((50, 60), (51, 66)), HERE], [squad((50, 73)), FAR]), "0.1.2"))
    assert not both.do(0, Move(FRIEND, cm((21, 20)))).events(Surrendered)  # one of its own is nearer


@pytest.mark.rule("AE-MOR-04", "AE-GEN-04")
def test_one_surrender_uncovers_the_next() -> None:
    """In the order of play; each is looked at again."""
    state = battle(
        [HERE], [squad((50, 60), suppressed=True), squad((50, 64), suppressed=True)], [squad((50, 72))], sides=(0, 1, 0)
    )
    fight = Fight(state).do(0, Move(UNIT, cm((21, 20))))
    assert [(one.unit, one.captor) for one in fight.events(Surrendered)] == [("1.1", "2.1"), ("1.2", "2.1")]


@pytest.mark.rule("AE-MOR-05", "AE-TURN-02")
def test_who_may_try_to_rally() -> None:
    cases: tuple[tuple[dict[str, Any], bool], ...] = (
        ({"suppressed": True}, True),
        ({}, False),
        ({"suppressed": True, "tried": True}, False),
        ({"suppressed": True, "where": "gone"}, False),
    )
    for own, may in cases:
        state = battle([squad((50, 60), **own)], [FAR])
        assert rallying.may_try(state, state.units[UNIT]) is may
    state = battle([squad((50, 60), suppressed=True)], [FAR], combats=(Combat(1, (UNIT,), (ENEMY,)),))
    assert not rallying.may_try(state, state.units[UNIT])
    assert Fight(battle([squad((50, 60))], [FAR])).why_not(0, Rally(UNIT)) == "rally/steady"
    tried = battle([squad((50, 60), suppressed=True, tried=True)], [FAR])
    assert Fight(tried).why_not(0, Rally(UNIT)) == "rally/steady"


@pytest.mark.rule("AE-MOR-05", "AE-TURN-02", "AE-MOR-04")
def test_a_rally_is_an_action() -> None:
    weary = squad((50, 60), suppressed=True)
    fight = Fight(battle([weary, HERE], [FAR]), 2).do(0, Rally(UNIT))
    assert [one.unit for one in fight.events(Activated)] == ["0.1"]
    assert (fight.unit("0.1").acted, fight.unit("0.1").suppressed, fight.now.acting) == (True, False, 1)
    # who fails surrenders to an enemy who is near
    fight = Fight(battle([weary, HERE], [squad((50, 70)), FAR]), 1).do(0, Rally(UNIT))
    assert [one.unit for one in fight.events(Surrendered)] == ["0.1"]
    # who rallies takes nobody prisoner by that
    fight = Fight(battle([weary, HERE], [squad((50, 70), suppressed=True), FAR]), 2).do(0, Rally(UNIT))
    assert not fight.events(Surrendered)


@pytest.mark.rule("AE-MOR-05", "AE-QA-02", "AE-COH-03", "AE-TURN-04")
def test_those_who_have_not_tried_rally_at_the_end_of_the_turn_and_single_figures_too() -> None:
    """Single figures of a suppressed unit wait until it has rallied."""
    done: dict[str, Any] = {"acted": True}
    ours = [squad(*row(2, 50, 60), suppressed=True, **done), squad(*row(3, 20, 60), **done)]
    ours += [squad(*row(2, 20, 90), suppressed=True, tried=True, **done)]
    state = with_shaken(
        battle([*ours, HERE], [squad((150, 110), acted=True)], options=PLAIN), "0.2.2", "0.2.3", "0.3.2"
    )
    fight = Fight(state, 2, 3, 1).do(0, Finish(GroupId("0.4")))
    assert [(one.unit, one.passed) for one in fight.events(RallyTried)] == [("0.1", True)]
    assert [(one.figure, one.shaken) for one in fight.events(FigureShaken)] == [("0.2.2", False)]
    assert [one.why for one in fight.events(MoraleChecked)] == ["rally"] * 3
    assert [fight.now.figures[FigureId(id)].shaken for id in ("0.2.2", "0.2.3", "0.3.2")] == [False, True, True]
