"""The end of an activation: by itself with the unit's last action, or by its player's word (OP-ACT-01)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.match.causes import Seats
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.game import Game
from engine.core.rules.record import Record, SeatSettings
from engine.rulesets.one_page.rules import activations, flow, psychic
from engine.rulesets.one_page.rules.activations import Finish
from engine.rulesets.one_page.rules.assaults import Assault
from engine.rulesets.one_page.rules.flow import prompt
from engine.rulesets.one_page.rules.melee import Fight as Begin
from engine.rulesets.one_page.rules.moving import Hold
from engine.rulesets.one_page.rules.shooting import Shoot
from engine.rulesets.one_page.state.events import ActionSpent, ActivationEnded
from engine.rulesets.one_page.state.state import SPENT, Activation, Battle, SeatState
from protocol.ids import GroupId, MatchId
from protocol.text import Text
from tests.support.systems.battle import Fight, battle, refusal, squad

OWN, FOE = GroupId("0.1"), GroupId("1.1")
FAR = squad((9000, 6000))


def lonely(**changes: Any) -> Battle:
    """A unit that reaches nobody, another of its army, and an enemy far away."""
    return battle([squad((1000, 1000)), squad((3000, 1000))], [FAR], **changes)


@pytest.mark.rule("OP-ACT-01")
def test_an_activation_whose_player_says_so_waits_after_its_last_action() -> None:
    fight = Fight(lonely()).wait(0)
    fight.do(0, Hold(OWN))
    assert (fight.match.may_act(), fight.now.active) == ((0,), Activation(OWN, SPENT))
    shown = prompt(fight.match.probe(Seat(0)), Seat(0))  # type: ignore[arg-type]
    assert shown.title.k == "op.prompt.acted"
    assert [(choice.id, choice.confirm) for choice in shown.choices] == [("finish", None)]
    assert refusal(fight.do, 0, Hold(GroupId("0.2"))) == "act/another-acts"
    fight.do(0, Finish())
    assert fight.match.may_act() == (1,)
    assert len(fight.events(ActivationEnded)) == 1


@pytest.mark.rule("OP-ACT-01")
def test_without_a_word_an_activation_ends_with_its_last_action() -> None:
    fight = Fight(lonely()).wait(1)
    fight.do(0, Hold(OWN))
    assert fight.match.may_act() == (1,)
    assert not fight.events(ActionSpent)


@pytest.mark.rule("OP-ACT-01")
def test_the_end_of_time_ends_an_activation_that_waits() -> None:
    fight = Fight(lonely()).wait(0)
    fight.do(0, Hold(OWN)).expire()
    assert (fight.match.may_act(), fight.unit(OWN).done) == ((1,), True)


@pytest.mark.rule("OP-ACT-01")
def test_a_bots_activation_never_waits() -> None:
    fight = Fight(lonely()).wait(0)
    fight.run(Seats(("bot", "person")))
    fight.do(0, Hold(OWN))
    assert fight.match.may_act() == (1,)


@pytest.mark.rule("OP-ACT-01", "OP-SHOOT-01")
def test_a_unit_that_has_shot_waits_and_shoots_no_more() -> None:
    fight = Fight(battle([squad((1000, 1000)), squad((3000, 1000))], [squad((1000, 2000)), FAR]), 1).wait(0)
    fight.do(0, Hold(OWN))
    finish = next(one for one in prompt(fight.match.probe(Seat(0)), Seat(0)).choices if one.id == "finish")  # type: ignore[arg-type]
    assert finish.confirm == Text("op.choice.finish.confirm")
    fight.do(0, Shoot(OWN, FOE))
    assert fight.match.may_act() == (0,)
    assert refusal(fight.do, 0, Shoot(OWN, FOE)) == "shoot/action"
    fight.do(0, Finish())
    assert fight.unit(OWN).done


@pytest.mark.rule("OP-ACT-01", "OP-MELEE-02")
def test_a_unit_that_has_fought_waits_and_fights_no_more() -> None:
    fight = Fight(battle([squad((3000, 1000)), squad((9000, 1000))], [squad((3000, 1800)), FAR]), *[1] * 3).wait(0)
    fight.do(0, Assault(OWN, FOE))
    assert (fight.match.may_act(), fight.now.active) == ((0,), Activation(OWN, SPENT))
    assert refusal(fight.do, 0, Begin()) == "fight/nobody"


@pytest.mark.rule("OP-ACT-01", "OP-SR-14")
def test_a_psyker_whose_activation_waits_tries_no_more_powers() -> None:
    seer = squad((3000, 1000), kind="psyker", tough=3, rules=["psyker.1"], discipline="ash")
    seats = (SeatState("south", 2), SeatState("north"))
    for action, code, left in (("", "", True), ("assault", "", True), (SPENT, "act/done", False)):
        state = battle([seer], [FAR], seats=seats, active=Activation(OWN, action))
        assert refusal(psychic.check_psyker, state, 0, OWN) == code
        assert flow.is_left(state) == left


@pytest.mark.rule("OP-ACT-01")
def test_the_end_of_an_activation_is_taken_back_while_nothing_else_has_happened() -> None:
    fight = Fight(lonely()).wait(0)
    fight.do(0, Hold(OWN)).do(0, Finish()).undo(0)
    assert (fight.match.may_act(), fight.now.active) == ((0,), Activation(OWN, SPENT))
    fight.undo(0)
    assert fight.now.active is None
    fight.do(0, Hold(OWN)).do(0, Finish()).do(1, Hold(FOE))
    with pytest.raises(IllegalIntent) as refused:
        fight.undo(0)
    assert refused.value.refusal.code in ("undo/another-acted", "undo/dice")


@pytest.mark.rule("OP-ACT-01")
@pytest.mark.parametrize(("where", "waits"), [("table", True), ("aboard", True), ("gone", False), ("away", False)])
def test_a_unit_that_is_no_longer_there_waits_for_nobody(where: str, waits: bool) -> None:
    state = battle([squad((1000, 1000), where=where), squad((3000, 1000))], [FAR], active=Activation(OWN, "assault"))
    game = Game(state, Record(settings={0: SeatSettings(waits=True)}), MatchDice(bytes(32), MatchId("m")))
    activations.close(game, OWN)
    assert game.state.active == (Activation(OWN, SPENT) if waits else None)
