"""Whose turn it is, what a unit may do in it, and how rounds follow (OP-GEN-01, OP-ACT, OP-MOR-02)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.rulesets.one_page.rules import activations, rounds
from engine.rulesets.one_page.rules.activations import Finish
from engine.rulesets.one_page.rules.assaults import Assault
from engine.rulesets.one_page.rules.melee import Fight as Begin
from engine.rulesets.one_page.rules.moving import Hold
from engine.rulesets.one_page.state.events import (
    Activated,
    ActivationEnded,
    BattleEnded,
    BattleJoined,
    MeleeFought,
    RanOut,
    RoundStarted,
    TurnPassed,
)
from engine.rulesets.one_page.state.state import SPENT, Activation, Battle, SeatState
from protocol.ids import NO_GROUP, GroupId
from tests.support.systems.battle import Fight, altered, battle, refusal, squad

GROUP_0_1 = GroupId("0.1")

FAR = squad((9000, 6000))
DEEP = ("deep_strike",)


def crowd(**changes: Any) -> Battle:
    """A unit at each place where one can be: on the table twice, done, in reserve, aboard, away, joined, gone."""
    places = ("table", "table", "table", "reserve", "aboard", "away", "joined", "gone")
    own = [squad((1000 + 600 * n, 1000), where=where, done=n == 2) for n, where in enumerate(places)]
    return battle(own, [FAR], **changes)


@pytest.mark.rule("OP-ACT-01")
def test_those_on_the_table_and_aboard_wait_for_their_turn() -> None:
    assert [unit.id for unit in activations.waiting(crowd(), 0)] == ["0.1", "0.2", "0.5"]
    assert [unit.id for unit in activations.waiting(crowd(), 1)] == ["1.1"]


@pytest.mark.rule("OP-ACT-01")
@pytest.mark.parametrize(
    ("own", "others", "acts", "following"),
    [(2, 1, "", 1), (2, 1, "0.1", 1), (2, 0, "", 0), (2, 0, "0.1", 0), (1, 0, "", -1), (1, 0, "0.1", -1)],
)
def test_who_is_on_next_is_known_before_a_unit_acts_and_while_it_does(
    own: int, others: int, acts: GroupId, following: int
) -> None:
    """So many units of each side have not acted yet."""
    state = battle(
        [squad((1000 + 900 * n, 1000), done=n >= own) for n in range(2)],
        [squad((9000, 6000), done=not others)],
        active=Activation(acts) if acts else None,
    )
    assert activations.next_in_order(state) == following


@pytest.mark.rule("OP-GEN-01")
@pytest.mark.parametrize(
    ("seat", "id", "changes", "code"),
    [
        (0, "0.1", {}, ""),
        (0, "0.5", {}, ""),
        (0, "0.1", {"active": Activation(GROUP_0_1)}, ""),
        (1, "1.1", {}, "act/not-now"),
        (0, "0.1", {"phase": "scouts"}, "act/not-now"),
        (0, "1.1", {}, "act/not-yours"),
        (0, "0.99", {}, "act/not-yours"),
        (0, "0.4", {}, "act/not-yours"),
        (0, "0.2", {"active": Activation(GROUP_0_1)}, "act/another-acts"),
        (0, "0.3", {}, "act/done"),
    ],
)
def test_one_of_the_acting_players_units_has_its_turn(seat: int, id: str, changes: dict[str, Any], code: str) -> None:
    assert refusal(activations.check_turn, crowd(**changes), seat, id) == code


@pytest.mark.rule("OP-ACT-03", "OP-MOR-02")
@pytest.mark.parametrize(
    ("id", "where", "action", "pinned", "code"),
    [
        ("0.1", "table", None, False, ""),
        ("0.1", "table", "", False, ""),
        ("0.1", "table", "walk", False, "act/action-taken"),
        ("0.1", "table", None, True, "act/pinned"),
        ("0.1", "aboard", None, False, "act/not-aboard"),
        ("0.5", "table", None, False, "act/aboard"),
        ("0.5", "aboard", None, False, ""),
    ],
)
def test_a_unit_takes_one_action_and_a_pinned_one_none(
    id: GroupId, where: str, action: str | None, pinned: bool, code: str
) -> None:
    state = crowd(active=None if action is None else Activation(id, action))
    assert refusal(activations.check_action, altered(state, id, pinned=pinned), 0, id, where) == code


@pytest.mark.rule("OP-ACT-01", "OP-MOR-02")
@pytest.mark.parametrize("pinned", [False, True])
def test_a_unit_that_stays_idle_is_done_and_no_longer_pinned(pinned: bool) -> None:
    fight = Fight(battle([squad((3000, 1000), pinned=pinned), squad((5000, 1000))], [FAR]))
    assert refusal(fight.do, 0, Finish(NO_GROUP)) == "act/not-yours"
    assert refusal(fight.do, 0, Finish(GROUP_0_1)) == ""
    assert [(one.unit, one.action) for one in fight.events(Activated)] == [("0.1", "idle")]
    assert [(one.unit, one.next, one.idle) for one in fight.events(ActivationEnded)] == [("0.1", 1, pinned)]
    assert (fight.unit("0.1").done, fight.unit("0.1").pinned) == (True, False)


@pytest.mark.rule("OP-ACT-01", "OP-MOR-02")
@pytest.mark.parametrize("named", ["0.1", ""])
def test_who_is_pinned_in_the_midst_of_acting_has_not_sat_idle(named: GroupId) -> None:
    own = [squad((3000, 1000), pinned=True), squad((5000, 1000))]
    fight = Fight(battle(own, [FAR], active=Activation(GROUP_0_1, SPENT)))
    assert refusal(fight.do, 0, Finish(named)) == ""
    assert not fight.events(Activated)
    assert [one.idle for one in fight.events(ActivationEnded)] == [False]
    assert fight.unit("0.1").pinned


@pytest.mark.rule("OP-ACT-01", "OP-MELEE-02", "OP-MOR-02")
def test_who_has_charged_must_fight_and_begins_when_ready() -> None:
    """A Psyker with dice left may try powers before the blows fall."""
    seer = squad((3000, 1000), kind="psyker", tough=3, rules=["psyker.1"], discipline="ash")
    seats = (SeatState("south", 2), SeatState("north"))
    idle = battle([seer, squad((9000, 1000))], [squad((3000, 1800)), FAR], seats=seats)
    assert refusal(Fight(idle).do, 0, Begin()) == "fight/nobody"
    held = Fight(idle)
    assert refusal(held.do, 0, Hold(GROUP_0_1)) == ""
    assert refusal(held.do, 0, Begin()) == "fight/nobody"
    fight = Fight(idle, *[1] * 3)
    assert refusal(fight.do, 0, Assault(GROUP_0_1, GroupId("1.1"))) == ""
    assert not fight.events(MeleeFought)
    assert refusal(fight.do, 0, Finish(GROUP_0_1)) == "act/must-fight"
    assert refusal(fight.do, 1, Begin()) == "turn/not-yours"
    assert refusal(fight.do, 0, Begin()) == ""
    assert len(fight.events(MeleeFought)) == 1
    assert fight.unit("0.1").done


@pytest.mark.rule("OP-ACT-01", "OP-ACT-02")
def test_turns_alternate_and_who_has_units_left_goes_on() -> None:
    """The turn goes straight to a player who has units left."""
    fight = Fight(battle([squad((1000, 1000)), squad((2000, 1000)), squad((3000, 1000))], [FAR]))
    for seat, unit, after in ((0, "0.1", 1), (1, "1.1", 0), (0, "0.2", 0)):
        assert refusal(fight.do, seat, Finish(GroupId(unit))) == ""
        assert (fight.now.acting, fight.now.round) == (after, 1)
    assert [one.seat for one in fight.events(RanOut)] == [1]
    assert refusal(fight.do, 0, Finish(GroupId("0.3"))) == ""
    assert [one.seat for one in fight.events(RanOut)] == [1, 0]
    assert not fight.events(TurnPassed)
    [second] = fight.events(RoundStarted)
    assert (second.first, fight.now.round, fight.now.acting) == (1, 2, 1)


@pytest.mark.rule("OP-ACT-01", "OP-ACT-02")
def test_the_turn_passes_from_who_goes_first_with_nothing_to_activate() -> None:
    """All units of seat 1 are in reserve, and do not arrive: it has finished first, and passes."""
    late = squad((0, 0), where="reserve", rules=DEEP)
    fight = Fight(battle([squad((3000, 1000))], [late]), 3)
    assert [one.seat for one in fight.events(RanOut)] == [1]
    assert refusal(fight.do, 0, Finish(GROUP_0_1)) == ""
    assert [one.first for one in fight.events(RoundStarted)] == [1]
    assert [one.seat for one in fight.events(BattleJoined)] == [1]
    assert [one.seat for one in fight.events(TurnPassed)] == [0]
    assert fight.now.acting == 0


@pytest.mark.rule("OP-ACT-02")
@pytest.mark.parametrize(("first", "order"), [(0, [0, 1]), (1, [1, 0])])
def test_if_both_run_out_at_once_the_order_stays(first: int, order: list[int]) -> None:
    state = battle([squad((3000, 1000), done=True)], [squad((9000, 6000), done=True)], first=first, acting=first)
    assert rounds.out_now(state) == order
    fight = Fight(state)
    assert [one.seat for one in fight.events(RanOut)] == order
    assert [one.first for one in fight.events(RoundStarted)] == [first]


@pytest.mark.rule("OP-ACT-01", "OP-ACT-02")
@pytest.mark.parametrize(("round", "ended"), [(5, []), (6, ["rounds"])])
def test_the_sixth_round_is_the_last(round: int, ended: list[str]) -> None:
    fight = Fight(battle([squad((3000, 1000))], [FAR], round=round))
    assert refusal(fight.do, 0, Finish(GROUP_0_1)) == ""
    assert refusal(fight.do, 1, Finish(GroupId("1.1"))) == ""
    assert [one.why for one in fight.events(BattleEnded)] == ended
    assert fight.now.round == 6


@pytest.mark.rule("OP-ACT-02", "OP-SETUP-04")
@pytest.mark.parametrize(
    ("places", "lost"),
    [
        (("table", "away"), False),
        (("aboard", "gone"), False),
        (("reserve", "gone"), False),
        (("away", "gone"), True),
        (("gone", "joined"), True),
    ],
)
def test_who_has_nothing_on_the_table_aboard_or_in_reserve_has_lost(places: tuple[str, ...], lost: bool) -> None:
    units = [squad((3000 + 600 * n, 1000), where=where) for n, where in enumerate(places)]
    assert rounds.beaten(battle(units, [FAR])) is lost
    assert rounds.beaten(battle([FAR], units)) is lost


@pytest.mark.rule("OP-ACT-02", "OP-SR-02")
def test_who_goes_first_brings_on_his_reserves_before_the_other() -> None:
    """A die each, and a 4 comes: seat 1, who finished first, places all, then seat 0."""
    late = squad((0, 0), where="reserve", rules=DEEP)
    state = battle([squad((3000, 1000)), squad((4000, 1000)), late, late], [squad((3000, 6000)), late])
    fight = Fight(state, 4, 4, 3)
    for seat, unit in ((0, "0.1"), (1, "1.1"), (0, "0.2")):
        assert refusal(fight.do, seat, Finish(GroupId(unit))) == ""
    assert (fight.now.phase, fight.now.acting, fight.now.placing) == ("reserves", 1, ("1.2",))
    assert [(seat, count) for seat, _, count in fight.rolls] == [(1, 1)]
    fight.expire()
    assert (fight.now.phase, fight.now.acting, fight.now.placing) == ("reserves", 0, ("0.3",))
    assert [(seat, count) for seat, _, count in fight.rolls] == [(1, 1), (0, 1), (0, 1)]
    fight.expire()
    assert [one.seat for one in fight.events(BattleJoined)] == [1]
    assert (fight.now.phase, fight.now.acting) == ("battle", 1)
    assert [fight.unit(id).where for id in (GroupId("0.3"), GroupId("0.4"), GroupId("1.2"))] == [
        "table",
        "reserve",
        "table",
    ]
