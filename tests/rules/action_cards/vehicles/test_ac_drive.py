"""Ground vehicles: straight ahead along their facing, then a turn (AC-MOVE-03)."""

import pytest

from engine.core.rules.errors import IllegalIntent, Refusal
from engine.core.rules.system import Intent
from engine.rulesets.action_cards.rules.board import cover, table as lookup
from engine.rulesets.action_cards.rules.movement import moves
from engine.rulesets.action_cards.rules.movement.moves import Move
from engine.rulesets.action_cards.rules.shooting.shooting import Shoot
from engine.rulesets.action_cards.rules.special_actions.proposals import Propose
from engine.rulesets.action_cards.rules.special_actions.specials import UseSpecial
from engine.rulesets.action_cards.rules.vehicles import driving
from engine.rulesets.action_cards.rules.vehicles.driving import Drive
from engine.rulesets.action_cards.state.events import GroupStunned
from engine.rulesets.action_cards.state.model import Feature, Special, Travel
from protocol.ids import FigureId, GroupId
from tests.support.systems import motors
from tests.support.systems.motors import refusal, with_vehicle
from tests.support.systems.skirmish import Play, area, barrier, line_up

GROUP_0_1 = GroupId("0.1")
FIGURE_0_1_1 = FigureId("0.1/1")
GROUP_1_1 = GroupId("1.1")
GROUP_1_2 = GroupId("1.2")
FIGURE_1_2_1 = FigureId("1.2/1")

FAR = {"1.1": line_up(4, 6000, 4500)}


def driver(kind: str = "car", *features: Feature, at: tuple[int, int] = (1000, 2000), facing: int = 0) -> Play:
    state = motors.table(FAR, features)
    return Play(with_vehicle(state, GROUP_0_1, kind, at, facing))


@pytest.mark.rule("AC-MOVE-03")
def test_straight_ahead_along_its_facing_and_a_turn_to_any() -> None:
    play = driver(facing=90).do(0, Drive(GROUP_0_1, 5, 225))
    assert play.at("0.1/1") == (1000, 2500)
    assert play.state.figures[FIGURE_0_1_1].facing == 225
    play.do(0, Drive(GROUP_0_1, 10, 0))
    assert play.at("0.1/1") == (1000 - 707, 2500 - 707)
    assert play.state.left == 1


@pytest.mark.rule("AC-MOVE-03")
def test_as_far_as_it_is_able_is_its_own_move() -> None:
    assert refusal(driver(), 0, Drive(GROUP_0_1, 13, 0)) == "drive/too-far"
    assert driver().do(0, Drive(GROUP_0_1, 12, 0)).at("0.1/1") == (2200, 2000)
    assert driver("lorry").do(0, Drive(GROUP_0_1, 14, 0)).at("0.1/1") == (2400, 2000)


@pytest.mark.rule("AC-MOVE-03")
def test_a_move_of_no_length_with_a_turn_is_legal() -> None:
    play = driver().do(0, Drive(GROUP_0_1, 0, 135))
    assert (play.at("0.1/1"), play.state.figures[FIGURE_0_1_1].facing) == ((1000, 2000), 135)


@pytest.mark.rule("AC-MOVE-03", "AC-SPEC-02")
def test_a_stunned_vehicle_does_nothing() -> None:
    state = GroupStunned(GROUP_0_1).apply(driver().state)
    for intent in (Drive(GROUP_0_1, 1, 0), Shoot(GROUP_0_1, GROUP_1_1), Propose(GROUP_0_1, "again", "Please")):
        assert refusal(Play(state), 0, intent) == "group/stunned"


@pytest.mark.rule("AC-MOVE-03")
def test_facings_are_five_degrees_apart() -> None:
    assert refusal(driver(), 0, Drive(GROUP_0_1, 1, 7)) == "drive/no-such-facing"
    assert refusal(driver(), 0, Drive(GROUP_0_1, 1, 360)) == "drive/no-such-facing"


@pytest.mark.rule("AC-MOVE-03")
@pytest.mark.parametrize("kind", ["building", "trees", "river", "scrub", "rubble"])
def test_a_road_vehicle_stops_before_any_terrain(kind: str) -> None:
    play = driver("lorry", area("f", kind, 1700, 1500, 2600, 2500))
    assert driving.able(play.state, GROUP_0_1) == 500
    assert play.do(0, Drive(GROUP_0_1, 5, 0)).at("0.1/1") == (1500, 2000)


@pytest.mark.rule("AC-MOVE-03")
@pytest.mark.parametrize("kind", ["scrub", "rubble"])
def test_an_off_road_vehicle_enters_scrub_and_rubble_and_its_move_ends_there(kind: str) -> None:
    play = driver("car", area("f", kind, 1700, 1500, 2600, 2500))
    car = motors.CAR.vehicle
    assert car is not None
    assert driving.able(play.state, GROUP_0_1) == 700 + car.length
    play.do(0, Drive(GROUP_0_1, 11, 90))
    assert play.at("0.1/1") == (2100, 2000)
    assert play.state.figures[FIGURE_0_1_1].facing == 90
    assert lookup.board(play.state).standing[GROUP_0_1].inside == {"f": 1}


@pytest.mark.rule("AC-MOVE-03")
def test_it_does_not_leave_again_what_it_entered() -> None:
    play = driver("car", area("f", "scrub", 1700, 1500, 1900, 2500))
    assert driving.able(play.state, GROUP_0_1) == 900


@pytest.mark.rule("AC-MOVE-03")
def test_off_road_is_no_way_through_woods_or_walls() -> None:
    assert driving.able(driver("car", area("f", "trees", 1700, 1500, 2600, 2500)).state, GROUP_0_1) == 500
    assert driving.able(driver("car", barrier("w", "wall", (1700, 1500), (1700, 2500))).state, GROUP_0_1) == 500
    assert driving.able(driver("car", barrier("w", "wire_fence", (1700, 1500), (1700, 2500))).state, GROUP_0_1) == 500


@pytest.mark.rule("AC-MOVE-03")
def test_a_scenario_may_say_otherwise() -> None:
    features = (area("f", "river", 1700, 1500, 2600, 2500), barrier("w", "wire_fence", (3000, 1500), (3000, 2500)))
    travel = Travel(road=("river",), off_road=("wire_fence",))
    state = motors.table(FAR, features, travel=travel)
    assert driving.able(with_vehicle(state, GROUP_0_1, "lorry", (1000, 2000)), GROUP_0_1) == 1100
    # past a barrier it goes on by its length at most
    assert driving.able(with_vehicle(state, GROUP_0_1, "car", (2900, 2000)), GROUP_0_1) == 500


@pytest.mark.rule("AC-MOVE-03")
def test_it_stops_an_inch_short_of_groups_friend_or_enemy() -> None:
    for group in ("0.2", "1.2"):
        state = with_vehicle(motors.table({**FAR, group: ((2000, 2050),)}), GROUP_0_1, "car", (1000, 2000))
        assert driving.able(state, GROUP_0_1) == 2000 - 50 - 100 - 1200 + 0


@pytest.mark.rule("AC-MOVE-03")
def test_who_stands_beside_its_lane_does_not_stop_it() -> None:
    state = with_vehicle(motors.table({**FAR, "1.2": ((2000, 2150),)}), GROUP_0_1, "car", (1000, 2000))
    assert driving.able(state, GROUP_0_1) == 1200


@pytest.mark.rule("AC-MOVE-03")
def test_it_stops_an_inch_short_of_other_vehicles() -> None:
    state = with_vehicle(motors.table(FAR), GROUP_0_1, "car", (1000, 2000))
    state = with_vehicle(state, GroupId("0.2"), "lorry", (2000, 2000), 90)
    assert driving.able(state, GROUP_0_1) == 2000 - 100 - 100 - 1200


@pytest.mark.rule("AC-MOVE-03")
def test_it_stays_on_the_table() -> None:
    assert driving.able(driver(at=(6500, 2000)).state, GROUP_0_1) == 500


@pytest.mark.rule("AC-MOVE-03")
def test_it_turns_only_where_it_has_room() -> None:
    play = driver("car", area("f", "building", 900, 2150, 1500, 2600))
    assert refusal(play, 0, Drive(GROUP_0_1, 0, 90)) == "drive/no-room-to-turn"
    assert refusal(play, 0, Drive(GROUP_0_1, 0, 180)) == ""


@pytest.mark.rule("AC-MOVE-03")
def test_it_may_always_stay_as_it_looks() -> None:
    """A building reaches below its left side: no other facing has room."""
    play = driver("car", area("f", "building", 900, 2050, 1500, 2600))
    assert driving.facings(play.state, GROUP_0_1, (1000, 2000)) == (0,)
    assert refusal(play, 0, Drive(GROUP_0_1, 0, 5)) == "drive/no-room-to-turn"
    assert refusal(play, 0, Drive(GROUP_0_1, 0, 0)) == ""


@pytest.mark.rule("AC-MOVE-03", "AC-MOVE-01")
def test_a_vehicle_makes_no_move_of_those_on_foot_nor_they_its() -> None:
    state = with_vehicle(motors.table({**FAR, "0.2": line_up(4, 3000, 3000)}), GROUP_0_1, "car", (1000, 2000))
    assert refusal(Play(state), 0, Move(GROUP_0_1, FIGURE_0_1_1, (1100, 2000))) == "move/vehicle"
    assert refusal(Play(state), 0, Drive(GroupId("0.2"), 1, 0)) == "drive/not-able"
    assert (
        refusal(Play(with_vehicle(state, GroupId("0.3"), "gull", (500, 500))), 0, Drive(GroupId("0.3"), 1, 0))
        == "drive/not-able"
    )


@pytest.mark.rule("AC-MOVE-03", "AC-SPEC-02")
def test_moving_again_by_a_vote_is_driving_again() -> None:
    play = driver().do(0, Propose(GROUP_0_1, "again", "Foot down"))
    play.answer(1, "yes").expire()
    play.do(0, Drive(GROUP_0_1, 2, 0)).do(0, Drive(GROUP_0_1, 2, 0))
    assert play.at("0.1/1") == (1400, 2000)
    assert play.state.left == 2


@pytest.mark.rule("AC-MOVE-02")
def test_those_on_foot_go_round_a_vehicle() -> None:
    state = with_vehicle(
        motors.table({**FAR, "1.2": ((700, 2000),)}, cards=("1.triple.1",)), GROUP_0_1, "car", (1000, 2000), 90
    )
    play = Play(state)
    assert refusal(play, 1, Move(GROUP_1_2, FIGURE_1_2_1, (1300, 2000))) == "move/impassable"
    assert refusal(play, 1, Move(GROUP_1_2, FIGURE_1_2_1, (900, 2000))) == "move/impassable"
    assert refusal(play, 1, Move(GROUP_1_2, FIGURE_1_2_1, (840, 2000))) == ""
    assert not play.state.combats


@pytest.mark.rule("AC-SPEC-01")
def test_vehicles_take_no_special_actions() -> None:
    state = motors.table(FAR, specials=(Special("dig", "special.dig", "work"),))
    play = Play(with_vehicle(state, GROUP_0_1, "car", (1000, 2000)))
    assert refusal(play, 0, UseSpecial(GROUP_0_1, "dig")) == "special/vehicle"


@pytest.mark.rule("AC-TERR-01", "AC-SHOOT-01")
def test_a_vehicle_hides_nobody_and_covers_those_behind_it() -> None:
    state = with_vehicle(
        motors.table({"1.1": ((1000, 2000),), "2.1": ((2920, 2000),)}), GROUP_0_1, "car", (2700, 2000), 90
    )
    assert lookup.sight(state, GROUP_1_1, GroupId("2.1")).clear
    assert cover.cover_against(state, (FigureId("1.1/1"),), GroupId("2.1")) == "cover"
    assert cover.cover_against(state, (FigureId("1.1/1"),), GROUP_0_1) == "open"
    assert moves.areas_left(state, FigureId("1.1/1"), (1100, 2000)) == ()


@pytest.mark.rule("AC-TERR-01", "AC-MOVE-03")
def test_a_vehicle_is_no_cover_from_its_own_fire() -> None:
    """The vehicle stops an inch short of a group and shoots."""
    state = with_vehicle(motors.table({"1.1": ((1350, 2000),)}), GROUP_0_1, "car", (1000, 2000))
    assert driving.able(state, GROUP_0_1) == 0
    assert cover.cover_against(state, (FIGURE_0_1_1,), GROUP_1_1) == "open"


@pytest.mark.rule("AC-MOVE-03")
def test_a_refused_drive_shows_where_and_what_is_in_the_way() -> None:
    def shown(play: Play, intent: Intent) -> Refusal:
        with pytest.raises(IllegalIntent) as refused:
            play.do(0, intent)
        return refused.value.refusal

    alone = shown(driver(), Drive(GROUP_0_1, 13, 0))
    assert (alone.at, alone.by) == ((2300, 2000), "")
    state = with_vehicle(motors.table(FAR), GROUP_0_1, "car", (1000, 2000))
    blocked = shown(Play(with_vehicle(state, GroupId("0.2"), "lorry", (2000, 2000), 90)), Drive(GROUP_0_1, 9, 0))
    assert (blocked.at, blocked.by) == ((1900, 2000), "group/0.2")
    house = driver("car", area("f", "building", 900, 2150, 1500, 2600))
    turned = shown(house, Drive(GROUP_0_1, 0, 90))
    assert (turned.at, turned.by) == ((1000, 2000), "feature/f")
    assert shown(driver(), Drive(GROUP_0_1, 1, 7)).at == (1100, 2000)


@pytest.mark.rule("AC-MOVE-02")
def test_a_vehicle_in_the_way_of_a_walk_is_named_as_its_group() -> None:
    state = motors.table({**FAR, "0.2": ((1000, 1700), (1100, 1700))})
    play = Play(with_vehicle(state, GROUP_0_1, "car", (1000, 2000)))
    with pytest.raises(IllegalIntent) as refused:
        play.do(0, Move(GroupId("0.2"), FigureId("0.2/1"), (1000, 2400)))
    assert refused.value.refusal.by == "group/0.1"
