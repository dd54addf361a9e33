"""Order of play, actions and the administration phase (AE-TURN, AE-SEAT-02, AE-SEAT-04)."""

from __future__ import annotations

from typing import Any, Final

import pytest

from engine.core.rules.errors import IllegalIntent
from engine.rulesets.apocalypse_earth.rules.ending import ConcedeBattle, Finish
from engine.rulesets.apocalypse_earth.rules.moves.moving import Move
from engine.rulesets.apocalypse_earth.rules.turns.turns import PassTurn
from engine.rulesets.apocalypse_earth.state.combat_events import RoundFought
from engine.rulesets.apocalypse_earth.state.fire_events import RallyTried
from engine.rulesets.apocalypse_earth.state.lasting import Blaze, Combat
from engine.rulesets.apocalypse_earth.state.model import Options
from engine.rulesets.apocalypse_earth.state.state import ENDED, Battle
from engine.rulesets.apocalypse_earth.state.turn_events import (
    Activated,
    BattleEnded,
    MarchEnded,
    TurnPlayed,
    TurnStarted,
)
from protocol.ids import GroupId
from tests.support.systems.ae_battle import Fight, Squad, battle, block, cm, squad

PLAIN: Final = Options(overwatch=False)
HERE, FAR = squad((20, 20)), squad((150, 100))


def battle_of(*forces: list[Squad], **changes: Any) -> Battle:
    """A table without the question for overwatch at the end of each turn."""
    return battle(*forces, options=PLAIN, **changes)


def nothing(fight: Fight, *units: str) -> list[int]:
    """Let units do nothing, each in its turn; return the seat that is on after each."""
    found = []
    for unit in units:
        fight.do(int(unit[0]), Finish(GroupId(unit)))
        found.append(fight.now.acting)
    return found


@pytest.mark.rule("AE-TURN-01", "AE-GEN-03")
def test_units_act_alternately_until_none_can_act() -> None:
    fight = Fight(battle_of([HERE, HERE, HERE], [FAR]))
    assert nothing(fight, "0.1", "1.1", "0.2") == [1, 0, 0]
    with pytest.raises(IllegalIntent, match="act/done"):
        fight.do(0, Finish(GroupId("0.1")))
    with pytest.raises(IllegalIntent, match="turn/not-yours"):
        fight.do(1, Finish(GroupId("1.1")))
    fight.do(0, Finish(GroupId("0.3")))
    assert (fight.now.turn, fight.now.acting) == (2, 0)
    assert not any(unit.acted for unit in fight.now.units.values())


@pytest.mark.rule("AE-TURN-01")
def test_time_that_runs_out_lets_the_first_unit_do_nothing() -> None:
    fight = Fight(battle_of([HERE, HERE], [FAR])).expire()
    assert [unit.acted for unit in fight.now.units.values()] == [True, False, False]
    assert fight.now.acting == 1


@pytest.mark.rule("AE-TURN-01", "AE-TURN-02")
def test_a_unit_that_does_nothing_still_gets_out_of_a_fire_tries_to_rally_and_fights() -> None:
    def does(own: Squad, *dice: int, **table: Any) -> list[str]:
        foe, woods = squad((22, 20), (24.5, 20)), block("w", "woods", 15, 15, 25, 25)
        state = battle_of([own, FAR], [foe if "combats" in table else FAR], features=[woods], **table)
        fight = Fight(state, *dice).do(0, Finish(GroupId("0.1")))
        return [type(one).__name__ for one in fight.events(Activated, MarchEnded, RallyTried, RoundFought)]

    engaged = (Combat(1, (GroupId("0.1"),), (GroupId("1.1"),)),)
    assert does(HERE) == ["Activated"]
    assert does(HERE, fires=(Blaze("w", 1),)) == ["Activated", "MarchEnded"]
    assert does(squad((20, 20), suppressed=True), 6) == ["Activated", "RallyTried"]
    assert does(HERE, 6, 1, 6, 6, combats=engaged) == ["Activated", "RoundFought"]


@pytest.mark.rule("AE-TURN-02", "AE-GEN-03")
def test_an_action_that_has_nothing_left_waits_for_a_player_who_ends_it() -> None:
    move = Move(GroupId("0.1"), cm((25, 20)))
    assert Fight(battle_of([HERE], [FAR])).do(0, move).now.acting == 1
    fight = Fight(battle_of([HERE], [FAR])).wait(0).do(0, move)
    assert (fight.now.acts, fight.match.may_act()) == ("0.1", (0,))
    fight.do(0, Finish())
    assert (fight.unit("0.1").acted, fight.now.acting) == (True, 1)


@pytest.mark.rule("AE-TURN-01")
def test_only_hidden_units_and_those_on_overwatch_may_wait() -> None:
    watching = squad((30, 20), overwatch=True)
    fight = Fight(battle_of([HERE, watching], [FAR, FAR]))
    with pytest.raises(IllegalIntent, match="pass/must-act"):
        fight.do(0, PassTurn())
    assert nothing(fight, "0.1", "1.1") == [1, 0]
    fight.do(0, PassTurn())
    assert fight.now.acting == 1
    nothing(fight, "1.2")
    assert fight.now.acting == 0  # it may still act now that another has
    fight.do(0, PassTurn(rest=True))
    assert fight.now.turn == 2


@pytest.mark.rule("AE-TURN-01")
def test_the_turn_is_over_once_all_sides_have_passed_one_after_another() -> None:
    watching = squad((30, 20), overwatch=True)
    fight = Fight(battle_of([watching], [watching])).do(0, PassTurn())
    assert fight.now.acting == 1
    assert not fight.events(TurnPlayed)
    fight.do(1, PassTurn())
    assert fight.now.turn == 2


@pytest.mark.rule("AE-SEAT-02")
def test_the_turn_goes_round_the_seats_of_a_side() -> None:
    fight = Fight(battle_of([HERE, HERE], [HERE], [FAR], [FAR], sides=(0, 0, 1, 1)))
    assert nothing(fight, "0.1", "2.1", "1.1", "3.1") == [2, 1, 3, 0]
    nothing(fight, "0.2")
    # the round of seats goes on from turn to turn: seat 0 acted last
    assert (fight.now.turn, fight.now.acting) == (2, 1)


@pytest.mark.rule("AE-SEAT-04")
def test_in_a_free_for_all_the_first_becomes_the_last() -> None:
    fight = Fight(battle_of([HERE], [FAR], [squad((20, 100))], sides=()))
    nothing(fight, "0.1", "1.1", "2.1")
    assert [one.order for one in fight.events(TurnStarted)] == [(1, 2, 0)]
    assert fight.now.acting == 1


@pytest.mark.rule("AE-TURN-04")
def test_the_battle_ends_with_its_last_turn() -> None:
    fight = Fight(battle_of([HERE], [FAR], table={"turns": 1}))
    nothing(fight, "0.1", "1.1")
    assert [one.why for one in fight.events(BattleEnded)] == ["turns"]
    assert fight.now.phase == ENDED


@pytest.mark.rule("AE-SEAT-01")
def test_a_seat_that_concedes_is_skipped_and_its_forces_count_as_destroyed() -> None:
    fight = Fight(battle_of([HERE], [HERE], [FAR], sides=(0, 0, 1)))
    fight.do(0, ConcedeBattle())
    assert fight.now.acting == 2
    assert (fight.unit("0.1").where, fight.unit("0.1").fate) == ("gone", "destroyed")
    nothing(fight, "2.1", "1.1", "1.1")
    assert fight.now.acting == 2
    fight.do(2, ConcedeBattle())
    assert fight.now.ended == "left"


@pytest.mark.rule("AE-SCEN-02")
def test_a_side_asleep_acts_with_two_units_a_turn() -> None:
    fight = Fight(battle_of([HERE], [FAR, FAR, FAR], table={"alarm": 1}))
    assert nothing(fight, "0.1", "1.1") == [1, 1]
    nothing(fight, "1.2")
    assert fight.now.turn == 2
