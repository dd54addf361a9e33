"""Acts between a charge and its blows, where a Psyker has power dice left (OP-SR-14, OP-MELEE)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.core.match.causes import Conceded
from engine.core.rules.audience import Seat
from engine.rulesets.one_page.rules import activations, psychic
from engine.rulesets.one_page.rules.activations import Finish
from engine.rulesets.one_page.rules.assaults import Assault
from engine.rulesets.one_page.rules.flow import prompt
from engine.rulesets.one_page.rules.melee import Fight as Begin
from engine.rulesets.one_page.rules.powers import UsePower
from engine.rulesets.one_page.state.events import ActivationEnded, MeleeFought, UnitMoved
from engine.rulesets.one_page.state.state import Activation, Battle, SeatState
from protocol.ids import GroupId
from tests.support.systems.battle import Fight, Squad, altered, battle, battle_in_sides, refusal, row, sound, squad

OWN, FRIEND, FOE = GroupId("0.1"), GroupId("0.2"), GroupId("1.1")
FAR = squad((9000, 6000))
NEAR = squad((3000, 1800))
PAIRS = (0, 1, 0, 1)


def seer(discipline: str = "ash", **more: Any) -> Squad:
    return squad((3000, 1000), kind="psyker", tough=3, rules=["psyker.2"], discipline=discipline, **more)


def table(own: Squad, dice: int) -> Battle:
    """A Psyker with power dice and a friend, near an enemy of one model."""
    seats = (SeatState("south", dice), SeatState("north"))
    return battle([own, squad(*row(3, 3400, 1000), id="T-02")], [NEAR, FAR], seats=seats)


def charged(state: Battle, *dice: int) -> Fight:
    """The Psyker has assaulted the enemy, and may still use powers."""
    fight = Fight(state, *dice).do(0, Assault(OWN, FOE))
    assert not fight.events(MeleeFought)
    return fight


def offered(fight: Fight) -> list[str]:
    shown = prompt(fight.match.probe(Seat(0)), Seat(0))  # type: ignore[arg-type]  # a probe is a game of the same state
    return [choice.id for choice in shown.choices]


@pytest.mark.rule("OP-MELEE-01", "OP-SR-14")
@pytest.mark.parametrize(
    ("active", "where", "charging"),
    [
        (None, "table", False),
        (Activation(OWN, "walk"), "table", False),
        (Activation(OWN, "assault", FOE), "table", True),
        (Activation(OWN, "assault", FOE), "gone", False),
    ],
)
def test_a_charge_is_one_at_a_unit_that_is_still_there(active: Activation | None, where: str, charging: bool) -> None:
    state = altered(table(seer(), 1), FOE, where=where)
    assert sound(activations.is_charging, replace(state, active=active)) is charging


@pytest.mark.rule("OP-SR-14", "OP-MELEE-01")
def test_who_kills_the_unit_it_charged_by_a_power_fights_nobody() -> None:
    """The last die lashes the enemy to death: the activation is over."""
    fight = charged(table(seer(), 1), 4, 1, 1, 1)
    assert refusal(fight.do, 0, UsePower(OWN, "ember_lash", 1, FOE)) == ""
    assert fight.unit(FOE).where == "gone"
    assert not fight.events(MeleeFought)
    assert [move.how for move in fight.events(UnitMoved)] == ["assault"]
    assert [one.unit for one in fight.events(ActivationEnded)] == [OWN]
    assert fight.match.may_act() == (1,)


@pytest.mark.rule("OP-SR-14", "OP-MELEE-02", "OP-ACT-01")
def test_who_has_nobody_left_to_fight_may_use_powers_and_be_done() -> None:
    fight = charged(table(seer(), 3), 4, 1, 1, 1, 4)
    assert offered(fight) == ["fight", "power"]
    assert refusal(fight.do, 0, UsePower(OWN, "ember_lash", 1, FOE)) == ""
    assert refusal(fight.do, 0, Begin()) == "fight/nobody"
    assert offered(fight) == ["power", "finish"]
    assert refusal(fight.do, 0, UsePower(OWN, "heat_shield", 1, FRIEND)) == ""
    assert refusal(fight.do, 0, Finish()) == ""
    assert fight.unit(OWN).done


@pytest.mark.rule("OP-SR-14", "OP-ACT-01")
def test_time_that_runs_out_ends_an_activation_without_an_enemy_left() -> None:
    fight = charged(table(seer(), 3), 4, 1, 1, 1)
    fight.do(0, UsePower(OWN, "ember_lash", 1, FOE)).expire()
    assert (fight.match.may_act(), fight.unit(OWN).done) == ((1,), True)


@pytest.mark.rule("OP-MELEE-02")
def test_who_charged_a_player_that_leaves_fights_nobody() -> None:
    seats = (SeatState("south", 3), SeatState("north"), SeatState("south"), SeatState("north"))
    state = battle_in_sides([[seer()], [NEAR], [squad((9000, 1000))], [FAR]], PAIRS, seats=seats)
    fight = charged(state)
    fight.run(Conceded(1))
    assert refusal(fight.do, 0, Begin()) == "fight/nobody"
    assert refusal(fight.do, 0, Finish()) == ""
    assert not fight.events(MeleeFought)
    assert fight.match.may_act() == (3,)


@pytest.mark.rule("OP-OPEN-14", "OP-MELEE-01")
def test_who_has_charged_is_not_lifted_away_before_the_blows() -> None:
    """Another unit is, and so is the Psyker before the charge; other powers may be used on him."""
    state = table(seer("veil"), 4)
    away = (3000, 400)
    assert refusal(Fight(state, 3).do, 0, UsePower(OWN, "passage", 1, OWN, away)) == ""
    fight = charged(state, 3, 3)
    assert refusal(fight.do, 0, UsePower(OWN, "passage", 1, OWN, away)) == "power/passage-charge"
    assert refusal(fight.do, 0, UsePower(OWN, "mirror_step", 1, OWN)) == ""
    passage = next(power for power in fight.now.resolved.powers if power.id == "passage")
    assert [unit.id for unit in psychic.targets(fight.now, fight.unit(OWN), passage)] == [FRIEND]
    assert refusal(fight.do, 0, UsePower(OWN, "passage", 1, FRIEND, (4000, 600))) == ""


@pytest.mark.rule("OP-OPEN-14", "OP-MELEE-01")
@pytest.mark.parametrize(("friend", "code"), [(True, "power/no-target"), (False, "power/passage-charge")])
def test_nor_is_the_unit_that_it_charged(friend: bool, code: str) -> None:
    """A server's own content may have a Passage of enemies."""
    fight = charged(table(seer("veil"), 4))
    passage = next(power for power in fight.now.resolved.powers if power.id == "passage")
    aimed = replace(passage, friend=friend)
    assert refusal(psychic.check_target, fight.now, fight.unit(OWN), aimed, FOE) == code


@pytest.mark.rule("OP-OPEN-14", "OP-SR-14")
def test_who_has_nobody_left_to_fight_may_be_lifted() -> None:
    state = altered(table(seer("veil"), 4), FOE, where="gone", figures=())
    acting = replace(state, active=Activation(OWN, "assault", FOE))
    assert refusal(Fight(acting, 3).do, 0, UsePower(OWN, "passage", 1, OWN, (3000, 400))) == ""
