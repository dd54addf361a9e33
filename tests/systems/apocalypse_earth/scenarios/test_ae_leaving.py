"""Departures of units by an edge, alone or with prisoners, and the end of their action (AE-SCEN-04, AE-POW-02)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.rulesets.apocalypse_earth.rules.fire.aiming import TakeAim
from engine.rulesets.apocalypse_earth.rules.moves.captives import LeadOff
from engine.rulesets.apocalypse_earth.rules.scenario.edges import Leave
from engine.rulesets.apocalypse_earth.rules.turns.rallying import Rally
from engine.rulesets.apocalypse_earth.state.lasting import Shot
from engine.rulesets.apocalypse_earth.state.model import Options
from engine.rulesets.apocalypse_earth.state.state import Battle
from protocol.ids import FigureId, GroupId
from tests.support.systems.ae_battle import Fight, Squad, battle, cm, row, scenario, squad

UNIT, FOE = GroupId("0.1"), GroupId("1.1")
HERE, FAR = squad((20, 20)), squad((20, 100))
PLAIN = Options(overwatch=False)
CAPTIVES = Options(prisoners=True, overwatch=False)


def exit_east(own: Squad, *others: Squad, foe: Squad = FAR, **changes: Any) -> Battle:
    """Return a table whose east edge seat 0 may leave by, between y 33 and 57."""
    plan = replace(scenario().seats[0], leaves=cm((180, 33), (180, 57)))
    return battle([own, *others], [foe], table={"seats": (plan, scenario().seats[1])}, **changes)


@pytest.mark.rule("AE-TURN-02", "AE-SCEN-04")
def test_to_leave_the_table_ends_the_action_of_a_player_who_ends_their_actions_too() -> None:
    fight = Fight(exit_east(squad((170, 45)), HERE))
    fight.wait(0)
    fight.do(0, Leave(UNIT))
    assert (fight.unit("0.1").where, fight.now.active, fight.now.acting) == ("gone", None, 1)
    fight.expire()
    assert fight.now.acting == 0


@pytest.mark.rule("AE-TURN-02", "AE-SCEN-04")
def test_a_unit_that_aims_and_leaves_has_acted() -> None:
    thrower = squad((170, 45), weapons=("fr",))
    fight = Fight(exit_east(thrower, HERE, foe=squad((165, 50)), options=PLAIN))
    fight.do(0, TakeAim(UNIT, Shot(FigureId("0.1.1"), "fr", at=cm((165, 50))[0]))).do(0, Leave(UNIT))
    assert (fight.unit("0.1").where, fight.now.active, fight.now.acting) == ("gone", None, 1)


@pytest.mark.rule("AE-TURN-02", "AE-POW-02")
def test_to_lead_prisoners_off_ends_the_action_of_a_player_who_ends_their_actions_too() -> None:
    beaten = squad(*row(3, 50, 10.5), suppressed=True)
    state = battle([squad(*row(3, 50, 8)), HERE], [beaten, FAR], options=CAPTIVES, acting=1)
    fight = Fight(state, 1).do(1, Rally(FOE))
    fight.wait(0)
    fight.do(0, LeadOff(UNIT))
    assert (fight.unit("0.1").where, fight.now.active, fight.now.acting) == ("gone", None, 1)
