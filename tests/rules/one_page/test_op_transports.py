"""Transports (OP-SR-22, OP-SR-07)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.core.rules.errors import IllegalIntent
from engine.core.rules.events import ActionResolved
from engine.rulesets.one_page.rules import transports
from engine.rulesets.one_page.rules.assaults import Assault, Sally
from engine.rulesets.one_page.rules.moving import Hold
from engine.rulesets.one_page.rules.shooting import Shoot
from engine.rulesets.one_page.rules.transports import Disembark, Embark
from engine.rulesets.one_page.state.events import (
    Activated,
    BlowStruck,
    MeleeFought,
    ModelsRemoved,
    MoraleTested,
    UnitMoved,
)
from engine.rulesets.one_page.state.placing_events import UnitBoarded, UnitLanded
from engine.rulesets.one_page.state.state import Battle
from protocol.ids import GroupId
from tests.support.systems.battle import Fight, Squad, battle, block, refusal, row, squad

GROUP_0_1 = GroupId("0.1")
GROUP_0_2 = GroupId("0.2")
GROUP_1_1 = GroupId("1.1")
GROUP_1_2 = GroupId("1.2")

FAR = squad((9000, 6000))


def carrier(room: int = 6, tough: int = 1) -> Squad:
    """A transport that looks north."""
    return squad((3000, 2000), kind="vehicle", tough=tough, size=300, facing=90, rules=[f"transport.{room}"], id="T-09")


def loaded(*enemies: Squad, rules: Sequence[str] = ()) -> Battle:
    """A unit of three aboard."""
    riders = squad(*row(3, 0, 0), where="aboard", vessel="0.2", rules=rules)
    return battle([riders, carrier()], [*enemies, squad((9000, 6000))])


@pytest.mark.rule("OP-SR-22")
def test_a_unit_gets_in_by_moving_into_contact_if_it_fits() -> None:
    state = battle([squad(*row(5, 3000, 1000)), carrier(), squad((9000, 1000))], [squad((9000, 6000))])
    fight = Fight(state).do(0, Embark(GROUP_0_1, GROUP_0_2))
    assert (fight.unit("0.1").where, fight.unit("0.1").vessel, fight.unit("0.1").done) == (
        "aboard",
        "0.2",
        True,
    )
    small = battle([squad(*row(5, 3000, 1000)), carrier(4)], [squad((9000, 6000))])
    with pytest.raises(IllegalIntent):
        Fight(small).do(0, Embark(GROUP_0_1, GROUP_0_2))
    far = battle([squad(*row(5, 3000, 500)), carrier()], [squad((9000, 6000))])
    with pytest.raises(IllegalIntent):
        Fight(far).do(0, Embark(GROUP_0_1, GROUP_0_2))


@pytest.mark.rule("OP-SR-22")
def test_a_unit_gets_out_with_a_walk_from_the_edge_and_may_shoot() -> None:
    state = loaded(squad((3000, 4000)))
    fight = Fight(state, 1, 1, 1).do(0, Disembark(GROUP_0_1, (3000, 2790)))
    assert fight.place("0.1.1") == (3000, 2790)
    fight.do(0, Shoot(GROUP_0_1, GROUP_1_1))
    with pytest.raises(IllegalIntent):
        Fight(state).do(0, Disembark(GROUP_0_1, (3000, 2830)))
    with pytest.raises(IllegalIntent):
        Fight(state).do(0, Hold(GROUP_0_1))


@pytest.mark.rule("OP-SR-22", "OP-MOVE-01")
def test_who_gets_out_goes_six_inches_from_the_edge_and_through_nothing_closed() -> None:
    pond = block("pond", "water", 3300, 1900, 3400, 2100)
    state = battle([squad((0, 0), where="aboard", vessel="0.2"), carrier()], [FAR], pond)
    edge = transports.way_out(state, state.units[GROUP_0_1], (3000, 4000))[0][1]
    for to, code in (
        ((3000, edge + 600), ""),
        ((3000, edge + 601), "move/too-far-out"),
        ((3600, 2000), "move/closed"),
    ):
        assert refusal(Fight(state).do, 0, Disembark(GROUP_0_1, to)) == code


@pytest.mark.rule("OP-SR-22")
def test_those_aboard_a_destroyed_transport_take_d6_hits_and_stand_near_it() -> None:
    riders = squad(*row(4, 0, 0), where="aboard", vessel="1.2")
    wreck = carrier()
    state = battle([squad((3000, 1000), weapons=["gun"])], [riders, wreck])
    fight = Fight(state, 6, 1, 1, 1, 1, 2, 6, 1).do(0, Hold(GROUP_0_1)).do(0, Shoot(GROUP_0_1, GROUP_1_2))
    fight.answer(1, ["piece/1.1.4"])
    [landed] = fight.events(UnitLanded)
    assert set(landed.places) == {"1.1.1", "1.1.2", "1.1.3"}
    for x, y in landed.places.values():
        assert (x - 3000) ** 2 + (y - 2000) ** 2 <= (150 + 300 + 50) ** 2
    assert fight.events(BlowStruck)[-1].blow.hits == 2


@pytest.mark.rule("OP-SR-22", "OP-MELEE-04", "OP-MOR-01")
def test_those_aboard_a_transport_that_routs_bail_out_as_from_a_wreck() -> None:
    riders = squad(*row(4, 0, 0), where="aboard", vessel="1.2")
    state = battle([squad((3000, 1000), weapons=["sword"])], [riders, carrier(tough=2), squad((9000, 6000))])
    # one of three blows wounds, a glance; nobody strikes back well; the transport wavers; two hits aboard, one blocked
    fight = Fight(state, 6, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2).do(0, Assault(GROUP_0_1, GROUP_1_2))
    assert fight.asked == ("op.casualties", (1,))
    fight.answer(1, ["piece/1.1.4"])
    assert [(gone.unit, gone.why) for gone in fight.events(ModelsRemoved)] == [("1.2", "routed"), ("1.1", "killed")]
    [landed] = fight.events(UnitLanded)
    assert set(landed.places) == {"1.1.1", "1.1.2", "1.1.3"}
    assert fight.unit("1.1").where == "table"


@pytest.mark.rule("OP-MELEE-04", "OP-MOR-01")
def test_those_aboard_a_transport_that_stands_after_a_melee_stay_there() -> None:
    riders = squad(*row(4, 0, 0), where="aboard", vessel="1.2")
    state = battle([squad((3000, 1000), weapons=["sword"])], [riders, carrier(tough=2), squad((9000, 6000))])
    # as before, but the transport does not waver; no dice are left for a wreck
    fight = Fight(state, 6, 1, 1, 1, 1, 1, 1, 1, 6).do(0, Assault(GROUP_0_1, GROUP_1_2))
    assert [tested.passed for tested in fight.events(MoraleTested)] == [True]
    assert (fight.unit("1.1").where, fight.unit("1.2").where) == ("aboard", "table")


@pytest.mark.rule("OP-SR-07")
def test_the_furious_assault_out_of_a_transport_at_half_the_distance() -> None:
    enemy = squad((3000, 2750), weapons=["sword"])
    fight = Fight(loaded(enemy, rules=["furious"]), *[1] * 11).do(0, Sally(GROUP_0_1, GROUP_1_1))
    assert fight.events(MeleeFought)
    with pytest.raises(IllegalIntent):
        Fight(loaded(enemy)).do(0, Sally(GROUP_0_1, GROUP_1_1))
    with pytest.raises(IllegalIntent):
        Fight(loaded(squad((3000, 2950)), rules=["furious"])).do(0, Sally(GROUP_0_1, GROUP_1_1))


@pytest.mark.rule("OP-SR-22")
@pytest.mark.parametrize(
    ("own", "vessel", "code"),
    [
        ({}, "0.2", ""),
        ({"kind": "hero"}, "0.2", ""),
        ({"kind": "walker"}, "0.2", "embark/no-transport"),
        ({"kind": "monster"}, "0.2", "embark/no-transport"),
        ({}, "0.3", "embark/no-transport"),
        ({}, "0.4", "embark/no-transport"),
        ({}, "1.1", "embark/no-transport"),
        ({}, "0.9", "embark/no-transport"),
        ({"count": 4}, "0.2", ""),
        ({"count": 5}, "0.2", "embark/full"),
    ],
)
def test_who_may_go_aboard_what(own: dict[str, Any], vessel: str, code: str) -> None:
    """There are six places, and two are taken."""
    given = dict(own)
    places = row(given.pop("count", 1), 3000, 1000)
    riders = squad(*row(2, 0, 0), where="aboard", vessel="0.2")
    gone = carrier()._replace(changes={"where": "reserve"})
    state = battle([squad(*places, **given), carrier(), squad((5000, 1000)), gone, riders], [carrier()])
    assert refusal(transports.check_room, state, state.units[GROUP_0_1], vessel) == code


@pytest.mark.rule("OP-SR-22")
@pytest.mark.parametrize(("faces", "boards"), [((2, 2), True), ((1, 1, 1, 1), False)])
def test_who_gets_in_is_moved_and_boards_if_the_mines_leave_anybody(faces: tuple[int, ...], boards: bool) -> None:
    mines = block("mines", "minefield", 2500, 1200, 3500, 1400)
    state = battle([squad(*row(2, 3000, 1000)), carrier(), squad((9000, 1000))], [squad((9000, 6000))], mines)
    fight = Fight(state, *faces)
    assert refusal(fight.do, 0, Embark(GROUP_0_1, GROUP_0_2)) == ""
    moves = [(one.how, one.way, one.places) for one in fight.events(UnitMoved)]
    assert moves[:1] == [("run", ((3000, 1000), (3000, 1798)), {"0.1.1": (3000, 1798)})]
    assert [one.action for one in fight.events(Activated)] == ["embark"]
    assert [one.vessel for one in fight.events(UnitBoarded)] == ["0.2"] * boards
    assert fight.unit("0.1").where == ("aboard" if boards else "gone")
    assert fight.unit("0.1").done
    assert [one.how for one in fight.events(ActionResolved)] == ["done" if boards else "stopped"]


@pytest.mark.rule("OP-SR-22", "OP-OPEN-15")
def test_who_gets_out_acts_as_with_a_walk_and_rolls_for_mines() -> None:
    mines = block("mines", "minefield", 2500, 2300, 3500, 2500)
    fight = Fight(battle([squad(*row(3, 0, 0), where="aboard", vessel="0.2"), carrier()], [FAR], mines), 2, 3, 4)
    assert refusal(fight.do, 0, Disembark(GROUP_0_1, (3000, 2700))) == ""
    assert [one.action for one in fight.events(Activated)] == ["walk"]
    assert [(one.unit, one.places["0.1.1"]) for one in fight.events(UnitLanded)] == [("0.1", (3000, 2700))]
    assert fight.rolls == [(0, "op.dice.mines", 3)]
    assert (fight.unit("0.1").where, fight.unit("0.1").vessel) == ("table", "")


@pytest.mark.rule("OP-SR-22")
@pytest.mark.parametrize(("hits", "shut", "left", "lost"), [(3, False, 0, 0), (1, True, 0, 2), (1, False, 2, 0)])
def test_what_is_left_of_those_aboard_finds_room_by_the_wreck_or_is_lost(
    hits: int, shut: bool, left: int, lost: int
) -> None:
    """Of three who were aboard all fall, or one does: the others stand by it, if there is no water all around."""
    lake = (block("lake", "water", 2000, 1000, 4000, 3000),) if shut else ()
    riders = squad(*row(3, 0, 0), where="aboard", vessel="1.2")
    state = battle([squad((5000, 2000), weapons=["gun"]), squad((9000, 1000))], [riders, carrier(), FAR], *lake)
    fight = Fight(state, 6, 1, 1, 1, 1, hits, *[1] * hits)
    assert refusal(fight.do, 0, Hold(GROUP_0_1)) == ""
    assert refusal(fight.do, 0, Shoot(GROUP_0_1, GROUP_1_2)) == ""
    if fight.asked is not None:
        assert refusal(fight.answer, 1, ["piece/1.1.3"]) == ""
    assert len(fight.unit("1.1").figures) == left
    assert [len(one.figures) for one in fight.events(ModelsRemoved) if one.why == "lost"] == [lost] * bool(lost)
    assert [len(one.places) for one in fight.events(UnitLanded)] == [left] * bool(left)
    assert fight.unit("1.1").where == ("table" if left else "gone")
