"""A player who leaves a battle in sides before it, or while reserves arrive (OP-SETUP-03, OP-SR-02, OP-SR-17)."""

from __future__ import annotations

import pytest

from engine.core.match.causes import Conceded
from engine.rulesets.one_page.rules.activations import Finish
from engine.rulesets.one_page.rules.arrivals import DeployRest
from engine.rulesets.one_page.state.events import BattleEnded
from engine.rulesets.one_page.state.state import SeatState
from protocol.ids import GroupId
from tests.support.systems.battle import Fight, Squad, battle_in_sides, squad

PAIRS = (0, 1, 0, 1)


def waiting(*rules: str, where: str = "away") -> Squad:
    """A unit that is not on the table."""
    return squad((0, 0), rules=rules, where=where)


def begun(*armies: list[Squad]) -> Fight:
    """Seat 0 won the roll-off, chose the south, and deploys; then the turn is its ally's."""
    seats = (SeatState(),) * len(armies)
    state = battle_in_sides(armies, PAIRS, phase="", round=0, seats=seats)
    return Fight(state, 6, 1).answer(0, "south")


@pytest.mark.rule("OP-SETUP-03", "OP-ACT-02")
@pytest.mark.parametrize(("leaves", "others"), [(0, (2, 1, 3)), (1, (0, 2, 3)), (2, (0, 1, 3))])
def test_who_leaves_while_armies_are_deployed_leaves_it_to_the_others(leaves: int, others: tuple[int, ...]) -> None:
    fight = begun(*[[waiting()] for _ in PAIRS])
    assert fight.now.placing == ("0.1",)
    fight.run(Conceded(leaves))
    for seat in others:
        assert (fight.now.phase, fight.now.acting, fight.now.placing) == ("deploy", seat, (f"{seat}.1",))
        fight.do(seat, DeployRest())
    assert (fight.now.phase, fight.events(BattleEnded)) == ("battle", [])


@pytest.mark.rule("OP-SETUP-04", "OP-ACT-02")
def test_a_side_that_leaves_before_the_battle_has_lost_it() -> None:
    fight = begun(*[[waiting()] for _ in PAIRS])
    fight.run(Conceded(1))
    assert not fight.events(BattleEnded)
    fight.run(Conceded(3))
    assert [one.why for one in fight.events(BattleEnded)] == ["left"]
    assert fight.now.placing == ()


@pytest.mark.rule("OP-SR-17", "OP-ACT-02")
@pytest.mark.parametrize("leaves", [0, 2])
def test_who_leaves_while_scouts_are_deployed_leaves_it_to_the_others(leaves: int) -> None:
    """Seats 0 and 2 have Scouts, seat 0 deploys his first."""
    fight = begun(*[[waiting(), *([waiting("scout")] if seat in (0, 2) else [])] for seat in range(4)])
    for seat in (0, 2, 1, 3):
        fight.do(seat, DeployRest())
    assert (fight.now.phase, fight.now.placing) == ("scouts", ("0.2",))
    fight.run(Conceded(leaves))
    left = 2 - leaves
    assert (fight.now.phase, fight.now.placing) == ("scouts", (f"{left}.2",))
    fight.do(left, DeployRest())
    assert (fight.now.phase, fight.events(BattleEnded)) == ("battle", [])


@pytest.mark.rule("OP-SR-02", "OP-ACT-02")
def test_who_leaves_while_reserves_arrive_leaves_it_to_the_others() -> None:
    """Both allies roll a 4; who leaves has a unit on the table, too."""
    late = waiting("deep_strike", where="reserve")
    armies = [[squad((2000 + 2000 * seat, 1000 if seat in (0, 2) else 6000))] for seat in range(4)]
    state = battle_in_sides([armies[0] + [late], armies[1], armies[2] + [late], armies[3]], PAIRS)
    fight = Fight(state, 4, 4)
    for seat in (0, 1, 2, 3):
        fight.do(seat, Finish(GroupId(f"{seat}.1")))
    assert (fight.now.phase, fight.now.placing) == ("reserves", ("0.2",))
    fight.run(Conceded(0))
    assert (fight.now.phase, fight.now.placing) == ("reserves", ("2.2",))
    fight.do(2, DeployRest())
    assert (fight.now.phase, fight.now.acting, fight.events(BattleEnded)) == ("battle", 1, [])
