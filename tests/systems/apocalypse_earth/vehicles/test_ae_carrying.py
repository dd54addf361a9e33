"""Units aboard vehicles (AE-OPEN-16)."""

from __future__ import annotations

import pytest

from engine.core.rules.errors import IllegalIntent
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.moves.carrying import BoardVehicle, GetOut, Load
from engine.rulesets.apocalypse_earth.rules.moves.driving import Drive
from engine.rulesets.apocalypse_earth.rules.moves.moving import Move
from engine.rulesets.apocalypse_earth.state.state import ABOARD, DEPLOY, TABLE
from engine.space.terrain.gaps import point_gap
from protocol.ids import GroupId
from tests.support.systems.ae_battle import Fight, Squad, battle, cm, row, squad, vehicle

CAR, TEAM, FOE = GroupId("0.1"), GroupId("0.2"), squad((170, 110))


def aboard(*, count: int = 3, arms: str = "ar", car: Squad | None = None) -> Squad:
    """A team in the first vehicle of its seat."""
    return squad(*row(count, 60, 60, 0), weapons=(arms,), where=ABOARD, vessel=CAR)


@pytest.mark.rule("AE-OPEN-16")
def test_a_unit_boards_by_a_move_and_has_then_acted() -> None:
    fight = Fight(battle([vehicle((60, 60)), squad(*row(3, 58, 65))], [FOE])).do(0, BoardVehicle(TEAM, CAR))
    team = fight.unit("0.2")
    assert (team.where, team.vessel, team.acted) == (ABOARD, CAR, True)
    with pytest.raises(IllegalIntent, match="board/too-far"):
        Fight(battle([vehicle((60, 60)), squad(*row(3, 58, 74))], [FOE])).do(0, BoardVehicle(TEAM, CAR))
    Fight(battle([vehicle((60, 60)), squad(*row(3, 58, 71.4))], [FOE])).do(0, BoardVehicle(TEAM, CAR))


@pytest.mark.rule("AE-OPEN-16", "AE-SEAT-03")
def test_whole_units_board_own_vehicles_with_room() -> None:
    table = [vehicle((60, 60)), squad(*row(5, 56, 65))]
    for forces, sides in (([table, [FOE]], None), ([[vehicle((60, 60))], [squad(*row(2, 58, 65))], [FOE]], (0, 0, 1))):
        state = battle(*forces, sides=sides, acting=len(forces) - 2)
        unit = TEAM if len(forces) == 2 else GroupId("1.1")
        with pytest.raises(IllegalIntent, match="board/no-vehicle"):
            Fight(state).do(len(forces) - 2, BoardVehicle(unit, CAR))
    full = [vehicle((60, 60)), squad(*row(2, 58, 65)), squad(*row(3, 60, 60, 0), where=ABOARD, vessel=CAR)]
    with pytest.raises(IllegalIntent, match="board/no-vehicle"):
        Fight(battle(full, [FOE])).do(0, BoardVehicle(TEAM, CAR))


@pytest.mark.rule("AE-OPEN-16")
def test_a_unit_gets_out_in_contact_and_goes_on_with_the_rating_less_3() -> None:
    fight = Fight(battle([vehicle((60, 60)), aboard()], [FOE])).do(0, GetOut(TEAM, (6000, 7000)))
    hull = ((5700, 5850), (6300, 5850), (6300, 6150), (5700, 6150))
    for figure in fight.now.members(fight.unit("0.2")):
        assert point_gap(figure.at, hull) - 100 < 5
        assert figure.at[1] > 6100
    assert fight.unit("0.2").where == TABLE
    x, y = fight.place("0.2.1")
    with pytest.raises(IllegalIntent, match="move/too-far"):
        fight.do(0, Move(TEAM, cm((x, y + 9.1))))
    fight.do(0, Move(TEAM, cm((x, y + 9))))
    assert fight.place("0.2.1") == pytest.approx((x, y + 9))


@pytest.mark.rule("AE-OPEN-16")
def test_passengers_go_where_their_vehicle_goes() -> None:
    fight = Fight(battle([vehicle((60, 60)), aboard()], [FOE])).do(0, Drive(CAR, ((0, 2000),)))
    assert fight.place("0.2.1") == (80, 60)


@pytest.mark.rule("AE-OPEN-16", "AE-FIRE-07")
def test_four_passengers_fire_out_of_a_truck_and_none_out_of_others() -> None:
    truck, target = vehicle((60, 60), armour=(7, 7, 7, 6), places=20, weapons=()), squad(*row(3, 80, 60))
    fight = Fight(battle([truck, aboard(count=6)], [target]), 6, *[1] * 11, 2, 6).do(0, Fire(TEAM, GroupId("1.1")))
    assert fight.rolls[0] == (0, "ae.dice.hit", 12)
    assert fight.unit("1.1").figures == ("1.1.1", "1.1.3")
    with pytest.raises(IllegalIntent, match="act/not-yours"):
        Fight(battle([vehicle((60, 60)), aboard()], [target])).do(0, Fire(TEAM, GroupId("1.1")))


@pytest.mark.rule("AE-OPEN-16", "AE-SETUP-03")
def test_a_unit_may_begin_the_game_aboard() -> None:
    waiting = squad(*row(3, 0, 0), where="away")
    state = battle([vehicle((60, 6)), waiting], [FOE], phase=DEPLOY, placing=(TEAM,), placed=(0,))
    fight = Fight(state).do(0, Load(TEAM, CAR))
    assert fight.unit("0.2").where == ABOARD


@pytest.mark.rule("AE-OPEN-16")
def test_a_unit_that_gets_out_of_one_vehicle_boards_no_other_in_the_same_action() -> None:
    state = battle([vehicle((60, 60)), aboard(), vehicle((60, 68))], [FOE])
    fight = Fight(state).do(0, GetOut(TEAM, (6000, 6400)))
    for vessel in (GroupId("0.3"), CAR):
        assert fight.why_not(0, BoardVehicle(TEAM, vessel)) == "board/landed"
    assert fight.may(0, Move(TEAM, cm((66, 64))))
