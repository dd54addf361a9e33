"""Buildings: doors and room, fire at them and at those inside, grenades, collapse (AE-BLD, AE-OPEN-28)."""

from __future__ import annotations

import msgspec
import pytest

from engine.core.rules.errors import IllegalIntent
from engine.rulesets.apocalypse_earth.rules import coherency, doors, moving, sighting, ways
from engine.rulesets.apocalypse_earth.rules.deployment import Deploy
from engine.rulesets.apocalypse_earth.rules.moving import Move
from engine.rulesets.apocalypse_earth.state.state import DEPLOY
from protocol.ids import FigureId, GroupId
from tests.support.systems.ae_battle import Fight, battle, block, cm, row, squad

HOUSE = block("house", "house", 84, 40, 96, 50)
UNIT = GroupId("0.1")
FAR = squad((20, 110))


@pytest.mark.rule("AE-BLD-01")
def test_a_way_into_a_building_leads_through_a_door_for_two_centimetres() -> None:
    state = battle([squad((90, 34))], [FAR], features=(HOUSE,))
    fight = Fight(state).do(0, Move(UNIT, cm((86, 48))))
    assert fight.place("0.1.1") == (86, 48)
    way = doors.routed(state, cm((90, 34), (86, 48)))
    assert way == cm((90, 34), (90, 40), (86, 48))
    assert ways.cost(state, state.units[UNIT], way) == 800  # 6 cm to the door, 2 through it, nothing inside


@pytest.mark.rule("AE-BLD-01")
def test_a_way_out_leads_by_the_door_in_view_that_is_nearest() -> None:
    state = battle([squad((85, 41))], [FAR], features=(HOUSE,))
    with pytest.raises(IllegalIntent):
        Fight(state).do(0, Move(UNIT, cm((90, 60.1))))
    assert Fight(state).do(0, Move(UNIT, cm((90, 60)))).place("0.1.1") == (90, 60)


@pytest.mark.rule("AE-BLD-01", "AE-OPEN-28")
def test_a_building_holds_so_many_figures_of_one_side() -> None:
    inside = [(85 + 2.2 * (n % 5), 41 + 2.2 * (n // 5)) for n in range(14)]
    pair = squad((89, 34), (91, 34))
    places = dict(zip((FigureId("0.1.1"), FigureId("0.1.2")), cm((88, 48.5), (92, 48.5)), strict=True))
    fight = Fight(battle([pair, squad(*inside)], [FAR], features=(HOUSE,)))
    with pytest.raises(IllegalIntent):
        fight.do(0, Move(UNIT, cm((88, 48.5)), places=places))
    places[FigureId("0.1.2")] = cm((91, 36))[0]
    fight.do(0, Move(UNIT, cm((88, 48.5)), places=places))
    with pytest.raises(IllegalIntent):  # an enemy is inside
        Fight(battle([pair], [squad(*inside)], features=(HOUSE,))).do(0, Move(UNIT, cm((88, 48.5))))


@pytest.mark.rule("AE-BLD-01", "AE-COH-02")
def test_figures_inside_are_in_coherency_with_each_other_and_measured_to_by_the_outline() -> None:
    state = battle([squad((85, 41), (95, 49), (90, 57), (90, 33))], [FAR], features=(HOUSE,))
    assert coherency.out_of_chain(state, state.units[UNIT]) == ()
    bare = msgspec.structs.replace(state, features=())
    assert len(coherency.out_of_chain(bare, state.units[UNIT])) == 3


@pytest.mark.rule("AE-BLD-01", "AE-GEN-01")
def test_figures_inside_see_out_of_every_side_and_are_measured_to_at_the_outline() -> None:
    state = battle([squad((90, 45))], [squad((90, 60)), squad((70, 45))], features=(HOUSE,))
    own = state.units[UNIT]
    for other, gap in (("1.1", 900), ("1.2", 1300)):
        enemy = state.units[GroupId(other)]
        assert sighting.sees(state, own, enemy)
        assert sighting.distance(state, own, enemy) == gap


@pytest.mark.rule("AE-BLD-01", "AE-MOVE-01")
def test_the_centimetre_from_enemies_is_not_measured_through_the_wall() -> None:
    state = battle([squad((90, 34))], [squad((90, 41))], features=(HOUSE,))
    assert Fight(state).do(0, Move(UNIT, cm((90, 39)))).place("0.1.1") == (90, 39)


@pytest.mark.rule("AE-BLD-01", "AE-SETUP-04")
def test_a_hidden_unit_inside_stops_a_mover_at_the_door() -> None:
    hidden = squad((85, 49), hidden=True)
    fight = Fight(battle([squad((90, 34))], [hidden], features=(HOUSE,))).do(0, Move(UNIT, cm((90, 43)))).expire()
    assert not fight.unit("1.1").hidden
    assert fight.place("0.1.1")[1] < 40


@pytest.mark.rule("AE-BLD-01")
def test_the_reach_of_a_lead_holds_buildings_that_it_can_enter_and_leave() -> None:
    state = battle([squad((90, 34))], [FAR], features=(HOUSE,))
    assert HOUSE.outline in moving.reach(state, state.units[UNIT], FigureId("0.1.1"), 1200)
    assert HOUSE.outline not in moving.reach(state, state.units[UNIT], FigureId("0.1.1"), 700)
    state = battle([squad((90, 45))], [FAR], features=(HOUSE,))
    assert len(moving.reach(state, state.units[UNIT], FigureId("0.1.1"), 1200)) == 5
    assert ways.cost(state, state.units[UNIT], cm((90, 45), (85, 41))) == 0


@pytest.mark.rule("AE-BLD-01", "AE-SETUP-03")
def test_a_unit_may_deploy_in_a_building_that_has_room() -> None:
    hall = block("house", "house", 84, 1, 96, 11)
    for count, fits in ((15, True), (16, False)):
        state = battle([squad(*row(count, 0, 0), where="away")], [FAR], features=(hall,), phase=DEPLOY, placing=(UNIT,))
        places = [(85 + 2.2 * (n % 5), 1.2 + 2.2 * (n // 5)) for n in range(count)]
        found = dict(zip(state.units[UNIT].figures, cm(*places), strict=True))
        assert Fight(state).may(0, Deploy(UNIT, found[FigureId("0.1.1")], places=found)) is fits
