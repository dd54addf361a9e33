"""Mines under those who were placed among them, and not by a way of their leader's (OP-OPEN-15)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.rulesets.one_page.rules import deployment
from engine.rulesets.one_page.rules.arrivals import DeployRest, Join
from engine.rulesets.one_page.rules.assaults import Assault, Sally
from engine.rulesets.one_page.rules.deployment import Deploy
from engine.rulesets.one_page.rules.moving import Hold
from engine.rulesets.one_page.rules.powers import UsePower
from engine.rulesets.one_page.rules.shooting import Shoot
from engine.rulesets.one_page.rules.transports import Embark
from engine.rulesets.one_page.state.events import BlowStruck, MeleeFought, UnitMoved, Wounded
from engine.rulesets.one_page.state.model import Feature
from engine.rulesets.one_page.state.placing_events import UnitBoarded
from engine.rulesets.one_page.state.state import Battle, SeatState
from engine.space.vectors.points import Point
from protocol.ids import FigureId, GroupId
from tests.support.systems.battle import Fight, Squad, altered, battle, block, refusal, row, sound, squad

OWN, FRIEND, FOE = GroupId("0.1"), GroupId("0.2"), GroupId("1.1")
FAR = squad((9000, 6000))
SWORD = ("sword",)


def mined(left: int, bottom: int, right: int, top: int) -> Feature:
    return block("mines", "minefield", left, bottom, right, top)


def rolled(fight: Fight) -> list[tuple[int, int]]:
    """Return seat and number of dice of each roll for mines."""
    return [(seat, count) for seat, purpose, count in fight.rolls if purpose == "op.dice.mines"]


def placing(phase: str, *units: Squad, mines: Feature, **changes: Any) -> Battle:
    """Seat 0 is to place the first of its units."""
    where = "reserve" if phase == "reserves" else "away"
    own = [units[0]._replace(changes={"where": where}), *units[1:]]
    return battle(own, [FAR], mines, phase=phase, placing=("0.1",), placed=(0,), **changes)


@pytest.mark.rule("OP-OPEN-15", "OP-SETUP-03")
@pytest.mark.parametrize(
    ("phase", "rules", "to", "dice"),
    [
        ("deploy", [], (3000, 900), 2),
        ("deploy", [], (3000, 600), 0),
        ("scouts", ["scout"], (3000, 900), 2),
        ("reserves", ["deep_strike"], (3000, 900), 2),
        ("reserves", ["deep_strike", "flying"], (3000, 900), 0),
    ],
)
def test_each_model_that_comes_on_to_the_table_among_mines_rolls(
    phase: str, rules: list[str], to: Point, dice: int
) -> None:
    """Of three the leader and the one beside him stand among them, and the ones hit nobody."""
    state = placing(phase, squad(*row(3, 0, 0), rules=rules), squad((9000, 1000)), mines=mined(2900, 850, 3200, 950))
    x, y = to
    places = {FigureId(f"0.1.{n + 1}"): (x + 150 * n, y) for n in range(3)}
    fight = Fight(state, *[2] * dice)
    assert refusal(fight.do, 0, Deploy(OWN, to, places=places)) == ""
    assert rolled(fight) == [(0, dice)] * bool(dice)


@pytest.mark.rule("OP-OPEN-15", "OP-UNIT-03")
def test_a_character_who_joins_among_mines_rolls_alone() -> None:
    """His friends have rolled when they were put down there."""
    state = placing("deploy", squad((0, 0), kind="hero"), squad(*row(2, 3000, 600)), mines=mined(2000, 100, 4000, 1100))
    fight = Fight(state, 1, 1).do(0, Join(OWN, FRIEND))
    assert rolled(fight) == [(0, 1)]
    assert [one.blow.unit for one in fight.events(BlowStruck)] == [""]


@pytest.mark.rule("OP-OPEN-15", "OP-UNIT-02")
def test_two_copies_that_come_on_as_one_unit_among_mines_roll_for_all() -> None:
    state = placing(
        "deploy", squad(*row(2, 0, 0)), squad(*row(2, 0, 0)), squad((9000, 1000)), mines=mined(0, 0, 9600, 1200)
    )
    state = msgspec.structs.replace(altered(state, FRIEND, where="away"), placing=(OWN, FRIEND))
    fight = Fight(state, 2, 2, 2, 2)
    assert refusal(fight.do, 0, Deploy(OWN, (3000, 600), twin=FRIEND)) == ""
    assert rolled(fight) == [(0, 4)]


@pytest.mark.rule("OP-OPEN-15", "OP-SETUP-03", "OP-SR-02")
@pytest.mark.parametrize("phase", ["deploy", "reserves"])
@pytest.mark.parametrize(("right", "dice"), [(9000, 0), (9600, 1)])
def test_the_rest_is_put_down_clear_of_mines_where_that_can_be(phase: str, right: int, dice: int) -> None:
    """They lie in all of the zone but its east end, or in all of it: then it is the first place without them."""
    own = squad((0, 0)), squad((9000, 3000))
    state = placing(phase, *own, mines=mined(0, 0, right, 1250))
    free = placing(phase, *own, mines=mined(0, 3000, right, 3100))
    first = sound(deployment.first_place, free, free.units[OWN]) or {}
    fight = Fight(state, *[2] * dice).do(0, DeployRest())
    assert (fight.place("0.1.1") == first.get(FigureId("0.1.1"))) is bool(dice)
    assert (fight.place("0.1.1")[0] > 9000) is not bool(dice)
    assert rolled(fight) == [(0, dice)] * bool(dice)


def lifting(*units: Squad, dice: int = 4) -> Battle:
    """A Psyker with power dice, and mines to the north of him, three to nine inches away."""
    seer = squad((3000, 1000), kind="psyker", tough=3, rules=["psyker.2"], discipline="veil")
    seats = (SeatState("south", dice), SeatState("north"))
    return battle([seer, *units], [FAR], mined(2000, 1300, 4000, 1900), seats=seats)


@pytest.mark.rule("OP-OPEN-15", "OP-OPEN-14")
@pytest.mark.parametrize(("to", "dice"), [((3400, 1600), 3), ((3400, 2400), 0)])
def test_who_is_lifted_among_mines_rolls_and_who_is_lifted_over_them_does_not(to: Point, dice: int) -> None:
    fight = Fight(lifting(squad(*row(3, 3400, 1000))), 4, 4, 4, 4, *[2] * dice)
    assert refusal(fight.do, 0, UsePower(OWN, "passage", 4, FRIEND, to)) == ""
    assert fight.place("0.2.1") == to
    assert rolled(fight) == [(0, dice)] * bool(dice)


@pytest.mark.rule("OP-OPEN-15", "OP-SR-14")
def test_a_psyker_whom_mines_have_killed_is_not_hurt_by_his_sixes_any_more() -> None:
    """He had one wound left."""
    state = lifting(squad((9000, 1000)))
    hurt = {**state.figures, FigureId("0.1.1"): msgspec.structs.replace(state.figures[FigureId("0.1.1")], wounds=2)}
    fight = Fight(msgspec.structs.replace(state, figures=hurt), 6, 6, 4, 4, 1, 1)
    assert refusal(fight.do, 0, UsePower(OWN, "passage", 4, OWN, (3000, 1600))) == ""
    assert (fight.unit(OWN).where, fight.events(Wounded), fight.match.may_act()) == ("gone", [], (1,))


@pytest.mark.rule("OP-OPEN-15", "OP-SR-22")
@pytest.mark.parametrize(("top", "dice"), [(2500, 2), (1100, 0)])
def test_who_gets_out_of_a_wreck_among_mines_rolls(top: int, dice: int) -> None:
    """One of the three aboard falls to the wreck."""
    wreck = squad((3000, 2000), kind="vehicle", tough=1, size=300, facing=90, rules=["transport.6"], id="T-09")
    riders = squad(*row(3, 0, 0), where="aboard", vessel="1.2")
    gunner = [squad((3000, 3500), weapons=["gun"]), squad((9000, 1000))]
    state = battle(gunner, [riders, wreck], mined(2000, 1000, 4000, top))
    fight = Fight(state, 6, 1, 1, 1, 1, 1, 1, *[2] * dice).do(0, Hold(OWN)).do(0, Shoot(OWN, GroupId("1.2")))
    fight.answer(1, ["piece/1.1.3"])
    assert rolled(fight) == [(1, dice)] * bool(dice)


def stepping(defender: Squad, *dice: int) -> Fight:
    """One charges from the south into the leader of two, the other of whom steps in, into mines."""
    state = battle(
        [squad((3000, 1000), weapons=SWORD), squad((9000, 1000))], [defender, FAR], mined(3055, 1600, 3150, 1690)
    )
    return Fight(state, *dice).do(0, Assault(OWN, FOE))


@pytest.mark.rule("OP-OPEN-15", "OP-MELEE-01")
def test_a_defender_who_steps_in_among_mines_rolls() -> None:
    fight = stepping(squad((3000, 1700), (3180, 1700), weapons=SWORD), 2, *[1] * 7)
    assert [move.how for move in fight.events(UnitMoved)][:2] == ["assault", "in"]
    assert rolled(fight) == [(1, 1)]
    assert fight.events(MeleeFought)


@pytest.mark.rule("OP-OPEN-15", "OP-ACT-03", "OP-MELEE-05")
def test_who_falls_back_from_a_melee_among_mines_does_not_roll_again() -> None:
    """The attacker has rolled as he charged, and stands among them after it."""
    mines = mined(2000, 1500, 4000, 1750)
    state = battle(
        [squad((3000, 1000), weapons=SWORD), squad((9000, 1000))], [squad((3000, 1800), weapons=SWORD), FAR], mines
    )
    fight = Fight(state, 2, *[1] * 5).do(0, Assault(OWN, FOE))
    assert [move.how for move in fight.events(UnitMoved)] == ["assault", "back"]
    assert 1500 < fight.place("0.1.1")[1] < 1700
    assert rolled(fight) == [(0, 1)]


@pytest.mark.rule("OP-OPEN-15", "OP-SHOOT-04")
def test_who_closes_up_among_mines_does_not_roll() -> None:
    """The middle one of three falls, and the last closes up, into mines."""
    state = battle(
        [squad((3000, 500), weapons=["rifle"]), squad((9000, 1000))],
        [squad((3000, 1500), (3120, 1500), (3240, 1500)), FAR],
        mined(2900, 1400, 3180, 1600),
    )
    fight = Fight(state, 6, 1).do(0, Hold(OWN)).do(0, Shoot(OWN, FOE)).answer(1, ["piece/1.1.2"])
    assert [move.how for move in fight.events(UnitMoved)] == ["up"]
    assert fight.place("1.1.3")[0] < 3180
    assert rolled(fight) == []


@pytest.mark.rule("OP-OPEN-15", "OP-SR-07")
def test_who_assaults_out_of_a_transport_through_mines_rolls() -> None:
    carrier = squad((3000, 1000), kind="vehicle", tough=6, size=300, rules=["transport.6"], id="T-09")
    riders = squad(*row(2, 0, 0), rules=["furious"], where="aboard", vessel="0.2", weapons=SWORD)
    state = battle([riders, carrier], [squad((3000, 1700), tough=9), FAR], mined(2000, 1200, 4000, 1500))
    fight = Fight(state, 2, 2, *[1] * 9)
    assert refusal(fight.do, 0, Sally(OWN, FOE)) == ""
    assert rolled(fight) == [(0, 2)]


@pytest.mark.rule("OP-OPEN-15")
def test_a_tracked_machine_that_assaults_from_where_it_stands_does_not_roll() -> None:
    own = squad((3000, 1000), kind="walker", tough=6, tracked=True, weapons=SWORD)
    state = battle([own, squad((9000, 1000))], [squad((3000, 1102), weapons=SWORD), FAR], mined(2000, 500, 4000, 1050))
    fight = Fight(state, *[1] * 5).do(0, Assault(OWN, FOE))
    assert fight.events(MeleeFought)
    assert rolled(fight) == []


@pytest.mark.rule("OP-OPEN-15", "OP-SR-22")
def test_who_stands_among_mines_and_gets_into_a_transport_does_not_roll() -> None:
    """The leader stands outside of them and goes straight aboard."""
    carrier = squad((3000, 2000), kind="vehicle", tough=6, size=300, rules=["transport.6"], id="T-09")
    state = battle([squad((3000, 1000), (3120, 1000)), carrier], [FAR], mined(3060, 900, 3300, 1100))
    fight = Fight(state).do(0, Embark(OWN, FRIEND))
    assert fight.events(UnitBoarded)
    assert rolled(fight) == []
