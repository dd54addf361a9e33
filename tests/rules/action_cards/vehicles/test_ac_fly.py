"""Helicopters and VTOL: take off, travel, land, an action each (AC-MOVE-04)."""

from typing import Any

import pytest

from engine.rulesets.action_cards.rules.board import cover, table as lookup
from engine.rulesets.action_cards.rules.movement.moves import Move
from engine.rulesets.action_cards.rules.scenario import conditions
from engine.rulesets.action_cards.rules.shooting.shooting import Shoot
from engine.rulesets.action_cards.rules.vehicles.flying import Fly, Land, TakeOff
from engine.rulesets.action_cards.state.model import Condition, Feature
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import FigureId, GroupId
from tests.support.systems import motors
from tests.support.systems.motors import refusal, with_vehicle
from tests.support.systems.skirmish import Play, area, barrier, line_up, role

GROUP_0_1 = GroupId("0.1")
GROUP_1_1 = GroupId("1.1")
FIGURE_0_1_1 = FigureId("0.1/1")

FAR = {"1.1": line_up(4, 6000, 4500)}


def pad(*features: Feature, airborne: bool = False, at: tuple[int, int] = (1000, 2000), **changes: Any) -> Skirmish:
    state = motors.table(FAR, features, **changes)
    return with_vehicle(state, GROUP_0_1, "gull", at, 0, airborne=airborne)


@pytest.mark.rule("AC-MOVE-04")
def test_one_action_takes_off_one_travels_one_lands() -> None:
    play = Play(pad())
    play.do(0, TakeOff(GROUP_0_1))
    assert play.state.figures[FIGURE_0_1_1].airborne
    play.do(0, Fly(GROUP_0_1, (6000, 1000), 90))
    assert (play.at("0.1/1"), play.state.figures[FIGURE_0_1_1].facing) == ((6000, 1000), 90)
    assert play.state.left == 1
    play.do(0, Land(GROUP_0_1))
    assert not play.state.figures[FIGURE_0_1_1].airborne
    assert play.at("0.1/1") == (6000, 1000)
    assert Play(pad(airborne=True)).do(0, Land(GROUP_0_1)).state.left == 2


@pytest.mark.rule("AC-MOVE-04")
def test_nothing_of_it_out_of_turn() -> None:
    assert refusal(Play(pad()), 0, Fly(GROUP_0_1, (3000, 1000), 0)) == "fly/on-the-ground"
    assert refusal(Play(pad()), 0, Land(GROUP_0_1)) == "fly/on-the-ground"
    assert refusal(Play(pad(airborne=True)), 0, TakeOff(GROUP_0_1)) == "fly/in-the-air"
    assert (
        refusal(Play(with_vehicle(pad(), GroupId("0.2"), "car", (3000, 1000))), 0, TakeOff(GroupId("0.2")))
        == "fly/not-able"
    )


@pytest.mark.rule("AC-MOVE-04")
def test_it_travels_over_everything_to_any_place_on_the_table() -> None:
    house = area("house", "building", 2000, 1000, 3000, 3000)
    play = Play(pad(house, airborne=True)).do(0, Fly(GROUP_0_1, (2500, 2000), 0))
    assert play.at("0.1/1") == (2500, 2000)
    assert refusal(play, 0, Fly(GROUP_0_1, (100, 2000), 0)) == "fly/off-table"
    assert refusal(play, 0, Fly(GROUP_0_1, (2500, 2100), 12)) == "drive/no-such-facing"


@pytest.mark.rule("AC-MOVE-04")
@pytest.mark.parametrize("kind", ["building", "scrub", "river", "rubble"])
def test_it_lands_on_open_ground_only(kind: str) -> None:
    play = Play(pad(area("f", kind, 1150, 1900, 2000, 2500), airborne=True))
    assert refusal(play, 0, Land(GROUP_0_1)) == "fly/no-room-to-land"


@pytest.mark.rule("AC-MOVE-04")
def test_it_lands_on_no_barrier_and_on_nobody() -> None:
    no_room = "fly/no-room-to-land"
    on_wire = Play(pad(barrier("w", "wire_fence", (900, 1500), (900, 2500)), airborne=True))
    assert refusal(on_wire, 0, Land(GROUP_0_1)) == no_room
    near = motors.table({**FAR, "1.2": ((1290, 2000),)})
    assert (
        refusal(Play(with_vehicle(near, GROUP_0_1, "gull", (1000, 2000), 0, airborne=True)), 0, Land(GROUP_0_1))
        == no_room
    )
    clear = motors.table({**FAR, "1.2": ((1360, 2000),)})
    assert not refusal(Play(with_vehicle(clear, GROUP_0_1, "gull", (1000, 2000), 0, airborne=True)), 0, Land(GROUP_0_1))
    crowded = with_vehicle(motors.table(FAR), GroupId("0.2"), "lorry", (1000, 2250))
    assert (
        refusal(Play(with_vehicle(crowded, GROUP_0_1, "gull", (1000, 2000), 0, airborne=True)), 0, Land(GROUP_0_1))
        == no_room
    )


@pytest.mark.rule("AC-MOVE-04")
def test_in_the_air_it_is_in_nobodys_way_and_in_no_contact() -> None:
    state = motors.table({**FAR, "1.2": ((700, 2000),)}, cards=("1.triple.1",))
    play = Play(with_vehicle(state, GROUP_0_1, "gull", (1000, 2000), 0, airborne=True))
    play.do(1, Move(GroupId("1.2"), FigureId("1.2/1"), (1000, 2000)))
    assert play.at("1.2/1") == (1000, 2000)
    assert not play.state.combats


@pytest.mark.rule("AC-MOVE-04")
def test_in_the_air_it_is_shot_at_in_the_open_over_everything() -> None:
    features = (area("wood", "trees", 900, 1900, 1100, 2100), barrier("w", "wall", (1500, 0), (1500, 4800)))
    state = motors.table({"1.1": line_up(4, 3000, 2000)}, features, cards=("1.triple.1",))
    low = with_vehicle(state, GROUP_0_1, "gull", (1000, 2400), 0)
    high = with_vehicle(state, GROUP_0_1, "gull", (1000, 2000), 0, airborne=True)
    assert refusal(Play(low), 1, Shoot(GROUP_1_1, GROUP_0_1)) == "shoot/no-line-of-sight"
    assert cover.kill_number(high, high.groups[GROUP_1_1].figures, GROUP_0_1) == motors.HULL.open
    play = Play(high, 6, 6, 2, 2, 2, 1, 1, 1).do(1, Shoot(GROUP_1_1, GROUP_0_1))
    assert "0.1" not in play.state.groups


@pytest.mark.rule("AC-MOVE-04")
def test_it_shoots_over_walls_and_into_features_that_still_protect() -> None:
    features = (area("wood", "trees", 2900, 1900, 3600, 2100), barrier("w", "wall", (2800, 0), (2800, 4800)))
    state = with_vehicle(
        motors.table({"1.1": line_up(4, 3000, 2000)}, features), GROUP_0_1, "gull", (1000, 2000), 0, airborne=True
    )
    assert lookup.sight(state, GROUP_0_1, GROUP_1_1).clear
    assert cover.cover_against(state, (FIGURE_0_1_1,), GROUP_1_1) == "building"
    behind = with_vehicle(
        motors.table({"1.1": line_up(4, 2900, 3000)}, features), GROUP_0_1, "gull", (1000, 2000), 0, airborne=True
    )
    assert cover.cover_against(behind, (FIGURE_0_1_1,), GROUP_1_1) == "open"


@pytest.mark.rule("AC-MOVE-04", "AC-SCEN-01")
def test_in_the_air_it_holds_no_objective() -> None:
    own = (
        Condition("h", "hold", "h", "h", feature="field"),
        Condition("r", "reach", "r", "r", feature="field"),
    )
    roles = (role(*own), role(left=2400), role(left=4800), role())
    field = area("field", "scrub", 500, 1500, 2000, 2500)
    up = pad(field, airborne=True, roles=roles)
    assert [status.progress for status in conditions.statuses(up, 0)] == [0, 0]
    down = pad(field, roles=roles)
    assert [status.progress for status in conditions.statuses(down, 0)] == [1, 1]
