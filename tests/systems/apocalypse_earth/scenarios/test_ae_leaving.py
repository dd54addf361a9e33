"""Departures of units by an edge, alone or with prisoners, and the end of their action (AE-SCEN-04, AE-POW-02)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.rulesets.apocalypse_earth.rules.fire.aiming import TakeAim
from engine.rulesets.apocalypse_earth.rules.moves import reactions
from engine.rulesets.apocalypse_earth.rules.moves.driving import Drive
from engine.rulesets.apocalypse_earth.rules.moves.leaving import LeadOff, Leave
from engine.rulesets.apocalypse_earth.rules.table import lanes
from engine.rulesets.apocalypse_earth.rules.turns.rallying import Rally
from engine.rulesets.apocalypse_earth.state.lasting import LEAVES, March, Shot, Wreckage
from engine.rulesets.apocalypse_earth.state.model import Options
from engine.rulesets.apocalypse_earth.state.setup_events import UnitRevealed
from engine.rulesets.apocalypse_earth.state.state import POWERS, Activation, Battle
from engine.rulesets.apocalypse_earth.state.turn_events import MarchBegun
from engine.space.movement.steering import Leg
from protocol.ids import FigureId, GroupId
from protocol.scene.nodes import Reply
from tests.support.systems.ae_battle import Fight, Squad, battle, block, cm, refused, row, scenario, squad, vehicle
from tests.support.systems.ae_bounds import refusal, told

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
    assert fight.now.prisoners == ()


@pytest.mark.rule("AE-SCEN-04", "AE-OVER-02")
@pytest.mark.parametrize(("morale", "where", "x"), [(1, "table", 173), (6, "gone", 180)])
def test_to_leave_the_table_is_a_move_that_the_enemy_may_fire_at(morale: int, where: str, x: float) -> None:
    watcher = squad((170, 60), overwatch=True)
    fight = Fight(exit_east(squad((170, 45), (170, 47.5)), HERE, foe=watcher), 6, 1, 1, 2, morale)
    fight.do(0, Leave(UNIT))
    assert fight.asked == ("ae.march", (1,))
    fight.answer(1, Reply("answer", {"each": {"group/1.1": "300"}})).expire()
    assert (fight.unit("0.1").where, fight.unit("0.1").figures) == (where, ("0.1.1",))
    assert [one.march.how for one in fight.events(MarchBegun)] == ["leave"]
    assert told(fight)[-1] == ("done" if where == "gone" else "stopped")
    if where == "table":
        assert fight.place("0.1.1")[0] == x


@pytest.mark.rule("AE-SCEN-04", "AE-OVER-02")
def test_nobody_fires_at_a_unit_that_is_off_the_table() -> None:
    way = cm((170, 45), (180, 45))
    march = March(UNIT, "move", FigureId("0.1.1"), {FigureId("0.1.1"): way}, 1200)
    assert reactions.points(march) == [300, 600, 900, 1000]
    assert reactions.points(replace(march, how=LEAVES)) == [300, 600, 900]


@pytest.mark.rule("AE-SCEN-04", "AE-MOVE-01", "AE-MOVE-02")
def test_ground_and_enemies_are_in_the_way_of_those_who_leave() -> None:
    def code(*places: tuple[float, float], foe: Squad = FAR, **changes: Any) -> Any:
        return refusal(exit_east(squad(*(places or ((170, 45),))), foe=foe, **changes), 0, Leave(UNIT))

    assert code() == ""
    assert code(features=[block("w", "woods", 172, 30, 176, 60)]) == "leave/far"
    assert code(features=[block("w", "marsh", 172, 30, 173, 60)]) == ""
    assert code(features=[block("w", "water", 172, 30, 176, 60)]) == "leave/barred"
    assert code(foe=squad((175, 45))) == "leave/barred"
    assert code((170, 45), (170, 49), foe=squad((175, 49))) == "leave/barred"
    assert code(foe=squad((175, 49))) == ""


@pytest.mark.rule("AE-SCEN-04", "AE-OPEN-16", "AE-OPEN-19")
@pytest.mark.parametrize(
    ("car", "pieces", "code"),
    [
        (vehicle((150, 45)), [], ""),
        (vehicle((143.9, 45)), [], "move/too-far"),
        (vehicle((137.9, 45)), [], "leave/far"),
        (vehicle((150, 45), hull=Wreckage(("lift",))), [], "leave/far"),
        (vehicle((163, 45), hull=Wreckage(("lift",))), [], ""),
        (vehicle((163, 45), 180), [], ""),
        (vehicle((161, 45), 180), [], "move/too-far"),
        (vehicle((160, 45), 90), [], ""),
        (vehicle((150, 45), 90), [], ""),
        (vehicle((149, 45), 90), [], "move/too-far"),
        (vehicle((160, 45)), [block("w", "wreck", 170, 20, 172, 70)], "drive/impassable"),
        (vehicle((160, 45), hull=Wreckage(("eng",))), [], "drive/immobile"),
        (vehicle((145, 45)), [block("w", "wreck", 170, 42, 172, 48)], "drive/impassable"),
    ],
)
def test_a_vehicle_leaves_the_table_by_a_drive(car: Squad, pieces: list[Any], code: str) -> None:
    assert refusal(exit_east(car, features=pieces), 0, Leave(UNIT)) == code


@pytest.mark.rule("AE-SCEN-04", "AE-OPEN-16")
def test_a_vehicle_does_not_leave_over_those_who_cannot_step_aside() -> None:
    ditches = [block("a", "water", 160, 20, 180, 43.4), block("b", "water", 160, 46.6, 180, 70)]
    mate = squad(*row(9, 158, 45, 2.2))
    assert refusal(exit_east(vehicle((150, 45)), mate, features=ditches), 0, Leave(UNIT)) == "drive/crowd"
    assert refusal(exit_east(vehicle((150, 45)), features=ditches), 0, Leave(UNIT)) == ""


@pytest.mark.rule("AE-OPEN-16")
def test_what_another_unit_has_spent_is_no_loss_to_a_vehicle() -> None:
    acts = Activation(GroupId("0.2"), spent={FigureId("0.2.1"): 600})
    state = battle([vehicle((60, 60)), HERE], [FAR], active=acts)
    assert refused(lambda: lanes.plan(state, state.units[UNIT], [Leg(0, 3600)], 0)) == ""
    own = replace(state, active=Activation(UNIT, spent={FigureId("0.1.1"): 600}))
    assert refused(lambda: lanes.plan(own, own.units[UNIT], [Leg(0, 3001)], 0)) == "move/too-far"
    assert lanes.plan(own, own.units[UNIT], [Leg(0, 3000)], 0).cost == 3000


@pytest.mark.rule("AE-SCEN-04", "AE-OPEN-16")
def test_a_vehicle_drives_off_with_what_its_drive_has_left_of_its_move() -> None:
    road = [block("r", "road", 0, 42, 180, 48)]
    for x, drives, pieces, code in (
        (144, 12, [], ""),
        (143.9, 12, [], "move/too-far"),
        (138, 39, road, ""),
        (137.9, 39, road, "leave/far"),
        (143.9, 12, road, "move/too-far"),
    ):
        table = exit_east(vehicle((x, 45)), HERE, foe=squad((165, 70)), features=pieces, options=PLAIN)
        fight = Fight(table)
        fight.do(0, Drive(UNIT, ((0, drives * 100),)))
        assert fight.why_not(0, Leave(UNIT)) == code


@pytest.mark.rule("AE-SCEN-04", "AE-OPEN-16")
def test_a_vehicle_that_was_stopped_on_its_way_off_may_come_back() -> None:
    state = exit_east(vehicle((178, 45)), HERE)
    assert refusal(state, 0, Drive(UNIT, ((0, -500),))) == ""
    assert refusal(state, 0, Drive(UNIT, ((0, -50),))) == "drive/off-table"
    assert refusal(state, 0, Drive(UNIT, ((0, 100),))) == "drive/off-table"
    assert refusal(state, 0, Leave(UNIT)) == ""


@pytest.mark.rule("AE-SCEN-04", "AE-SETUP-04", "AE-TURN-02")
def test_who_hides_before_the_edge_stops_those_who_leave() -> None:
    fight = Fight(exit_east(squad((170, 45)), HERE, foe=squad((178, 45), hidden=True))).do(0, Leave(UNIT)).expire()
    assert [one.unit for one in fight.events(UnitRevealed)] == ["1.1"]
    assert (fight.unit("0.1").where, fight.place("0.1.1")) == ("table", (173, 45))
    assert fight.now.active is not None
    assert fight.now.active.step == POWERS
    assert told(fight) == ["stopped"]


@pytest.mark.rule("AE-SCEN-04", "AE-OPEN-16")
def test_a_vehicle_leaves_by_no_stretch_that_none_of_its_headings_leads_to() -> None:
    plan = replace(scenario().seats[0], leaves=cm((180, 45.2), (180, 45.4)))
    state = battle([vehicle((150, 44))], [FAR], table={"seats": (plan, scenario().seats[1])})
    assert refusal(state, 0, Leave(UNIT)) == "leave/far"


@pytest.mark.rule("AE-POW-02", "AE-SETUP-04", "AE-TURN-02")
def test_prisoners_stay_with_an_escort_that_is_stopped() -> None:
    beaten, lurks = squad((50, 10.5), suppressed=True), squad((50, 1), hidden=True)
    state = battle([squad((50, 8)), HERE], [beaten, lurks, FAR], options=CAPTIVES, acting=1)
    fight = Fight(state, 1).do(1, Rally(FOE)).do(0, LeadOff(UNIT)).expire()
    assert told(fight)[-1] == "stopped"
    assert (fight.unit("0.1").where, fight.place("0.1.1")) == ("table", (50, 5))
    assert fight.place("1.1.1") != (50, 10.5)
    assert fight.now.active is not None
    assert fight.now.active.step == POWERS


@pytest.mark.rule("AE-POW-02", "AE-OVER-02")
@pytest.mark.parametrize(("slot", "where"), [("hold", "gone"), ("300", "table")])
def test_prisoners_are_led_off_under_the_fire_of_the_enemy(slot: str, where: str) -> None:
    beaten, watcher = squad((50, 10.5), suppressed=True), squad((50, 20), overwatch=True, weapons=("smg",))
    state = battle([squad((50, 8)), HERE], [beaten, watcher, FAR], options=CAPTIVES, acting=1)
    fight = Fight(state, 1, *([6, 1, 1, 1, 1] if where == "table" else [])).do(1, Rally(FOE)).do(0, LeadOff(UNIT))
    answer = Reply("hold") if slot == "hold" else Reply("answer", {"each": {"group/1.2": slot}})
    fight.answer(1, answer).expire()
    assert fight.unit("0.1").fate == ("left" if where == "gone" else "destroyed")
    assert len(fight.now.prisoners) == (0 if where == "gone" else 1)
    assert bool(fight.now.earned) == (where == "gone")
