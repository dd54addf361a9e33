"""Hidden units that an enemy comes near to in another way than by a march (AE-SETUP-04)."""

from __future__ import annotations

from typing import Any, Final

import pytest
from msgspec.structs import replace

from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.harm.fires import Escape
from engine.rulesets.apocalypse_earth.rules.moves.carrying import GetOut
from engine.rulesets.apocalypse_earth.rules.moves.driving import Drive
from engine.rulesets.apocalypse_earth.rules.moves.errands import TakeGun, TakeSet, Treat
from engine.rulesets.apocalypse_earth.rules.moves.moving import Move
from engine.rulesets.apocalypse_earth.rules.scenario.deployment import Deploy, DeployRest
from engine.rulesets.apocalypse_earth.rules.scenario.edges import Enter
from engine.rulesets.apocalypse_earth.rules.support.power_effects import UsePower
from engine.rulesets.apocalypse_earth.state.lasting import Blaze, Combat, LostGun, Wounded
from engine.rulesets.apocalypse_earth.state.model import Options
from engine.rulesets.apocalypse_earth.state.setup_events import UnitRevealed
from engine.rulesets.apocalypse_earth.state.state import COMING, DEPLOY, INFILTRATE, Battle
from engine.rulesets.apocalypse_earth.state.support_events import GunTaken, SetTaken
from engine.rulesets.apocalypse_earth.state.turn_events import FiguresMoved, MarchEnded
from engine.rulesets.apocalypse_earth.state.vehicle_events import VehicleDriven
from engine.space.vectors.points import within
from protocol.ids import FigureId, GroupId
from protocol.scene.nodes import Reply
from tests.support.systems.ae_battle import Fight, Squad, battle, block, cm, row, squad, vehicle
from tests.support.systems.ae_bounds import told

UNIT, FOE = GroupId("0.1"), GroupId("1.1")
HERE, FAR = squad((20, 20)), squad((150, 110))
PLAIN: Final = Options(overwatch=False)
WOUNDS: Final = Options(overwatch=False, casualties=True)
KEPT: Final = 300
"""Centres of figures that keep 1 cm from each other are so far apart."""


def lurker(*places: tuple[float, float], **changes: Any) -> Squad:
    return squad(*places, hidden=True, **changes)


def met(fight: Fight) -> list[str]:
    """Return the units that were come upon."""
    return [one.unit for one in fight.events(UnitRevealed) if one.why == "met"]


def keeps_off(fight: Fight, figure: str, other: str) -> bool:
    """Tell if a figure has not come nearer than 1 cm to another."""
    return not within(fight.now.figures[FigureId(figure)].at, fight.now.figures[FigureId(other)].at, KEPT - 1)


@pytest.mark.rule("AE-SETUP-04", "AE-QA-01")
def test_a_unit_that_runs_for_cover_is_stopped_by_whom_it_comes_upon() -> None:
    woods = block("w", "woods", 52, 50, 60, 56)
    foes = [lurker((54.5, 53.5)), squad((50, 90), overwatch=True), FAR]
    state = battle([squad(*row(3, 48, 60))], foes, features=[woods])
    each = Reply("answer", {"each": {"group/1.2": "300"}})
    fight = Fight(state, 6, 1, 1, 3, 1).do(0, Move(UNIT, cm((57, 60)))).answer(1, each).expire()
    assert [run.why for run in fight.events(FiguresMoved)] == ["cover"]
    assert met(fight) == ["1.1"]
    run = fight.events(FiguresMoved)[0]
    assert all(not within(at, (5450, 5350), KEPT - 1) for at in run.places.values())


@pytest.mark.rule("AE-SETUP-04", "AE-FIRES-03")
def test_a_figure_that_gets_out_of_a_fire_goes_around_whom_it_comes_upon() -> None:
    woods = block("w", "woods", 80, 40, 90, 50)
    state = battle([squad((89, 45))], [lurker((92, 45)), FAR], features=(woods,), fires=(Blaze("w", 1),))
    fight = Fight(state).do(0, Escape(UNIT))
    assert met(fight) == ["1.1"]
    assert keeps_off(fight, "0.1.1", "1.1.1")
    assert fight.place("0.1.1") != (91, 45)


@pytest.mark.rule("AE-SETUP-04", "AE-OPEN-16")
def test_a_figure_that_steps_aside_comes_upon_hidden_enemies() -> None:
    ditches = [block("a", "water", 50, 61.6, 70, 64.5), block("b", "water", 50, 50, 70, 58.4)]
    state = battle([vehicle((40, 60)), squad((60, 60))], [lurker((60, 69.5)), FAR], features=ditches)
    fight = Fight(state).do(0, Drive(UNIT, ((0, 3000),))).expire()
    assert met(fight) == ["1.1"]
    assert [one.why for one in fight.events(FiguresMoved)] == ["aside"]
    assert fight.place("0.1.1") == (70, 60)


@pytest.mark.rule("AE-SETUP-04", "AE-OPEN-16")
def test_a_figure_steps_aside_to_another_place_than_that_of_a_hidden_enemy() -> None:
    ditches = [block("a", "water", 50, 61.6, 70, 64.5), block("b", "water", 50, 50, 70, 58.4)]
    state = battle([vehicle((40, 60)), squad((60, 60))], [lurker((60, 66.2)), FAR], features=ditches)
    fight = Fight(state).do(0, Drive(UNIT, ((0, 3000),))).expire()
    aside, hidden = fight.now.figures[FigureId("0.2.1")].at, fight.now.figures[FigureId("1.1.1")].at
    assert not within(aside, hidden, 199)


@pytest.mark.rule("AE-SETUP-04", "AE-OPEN-16", "AE-GEN-06")
def test_a_hidden_figure_that_steps_aside_for_a_friend_is_hidden_no_more() -> None:
    state = battle([vehicle((40, 60)), lurker((60, 60), abilities=("camouflage",))], [FAR])
    fight = Fight(state).do(0, Drive(UNIT, ((0, 3000),)))
    assert [(one.unit, one.why) for one in fight.events(UnitRevealed)] == [("0.2", "acts")]


@pytest.mark.rule("AE-SETUP-04", "AE-OPEN-19")
def test_a_vehicle_that_rolls_on_meets_who_hides_ahead() -> None:
    """The driver is hit: it goes 18 cm on, up to those in its lane who stand in cover."""
    wood = block("w", "broken", 66, 50, 80, 70)
    car = vehicle((60, 60), move=36, moved=True)
    gun = squad((100, 60), weapons=("rg",))
    foes = [lurker((72, 60)), lurker((77, 60)), FAR]
    state = battle([gun], [car, squad((20, 100))], foes, features=[wood])
    fight = Fight(state, 5, 6, 2, 2, 6).do(0, Fire(UNIT, FOE))
    assert met(fight) == ["2.1"]
    places = [one.at[0] for one in fight.events(VehicleDriven)]
    assert len(places) == 2
    assert places[-1] == pytest.approx(6800, abs=5)


@pytest.mark.rule("AE-SETUP-04", "AE-OPEN-19")
def test_who_steps_out_of_the_way_of_a_vehicle_that_rolls_on_may_come_upon_hidden_enemies() -> None:
    ditches = [block("a", "water", 62, 61.6, 80, 64.5), block("b", "water", 62, 50, 80, 58.4)]
    car, mate = vehicle((60, 60), move=36, moved=True), squad((70, 60))
    gun, foes = squad((100, 60), weapons=("rg",)), [lurker((70, 69.5)), FAR]
    state = battle([gun, mate], [car, squad((20, 100))], foes, features=ditches, sides=(0, 1, 2))
    fight = Fight(state, 5, 6, 2, 2, 6).do(0, Fire(UNIT, FOE))
    assert met(fight) == ["2.1"]
    assert [(one.unit, one.why) for one in fight.events(FiguresMoved)] == [("0.2", "aside")]
    assert fight.place("1.1.1")[0] == 78


@pytest.mark.rule("AE-SETUP-04", "AE-OPEN-16")
def test_a_unit_that_gets_out_of_a_vehicle_meets_who_hides_beside_it() -> None:
    riders = squad((60, 60), where="aboard", vessel=UNIT)
    state = battle([vehicle((60, 60)), riders], [lurker((60, 67)), FAR], options=PLAIN)
    fight = Fight(state).do(0, GetOut(GroupId("0.2"), (6000, 6300)))
    assert met(fight) == ["1.1"]
    assert met(Fight(state).do(0, GetOut(GroupId("0.2"), (6000, 5700)))) == []


@pytest.mark.rule("AE-SETUP-04", "AE-OPEN-25")
def test_those_who_are_called_over_are_stopped_by_whom_they_come_upon() -> None:
    seer = squad((50, 60), roles={0: ("psi_3",)})
    state = battle([seer, lurker((50, 76), abilities=("camouflage",))], [squad((50, 82)), FAR])
    fight = Fight(state, 5, 3, 1).do(0, UsePower(UNIT, "word_of_command", FOE))
    assert met(fight) == ["0.2"]
    assert [one.places for one in fight.events(FiguresMoved)] == [{"1.1.1": (5000, 8100)}]


def wounded(*own: Squad, foe: Squad, man: tuple[float, float]) -> Battle:
    """Return a table on which the last figure of the first unit is down at a place."""
    state = battle([squad((50, 60), man, roles={0: ("medic",)}), *own], [foe, FAR], options=WOUNDS)
    down = FigureId("0.1.2")
    unit = replace(state.units[UNIT], figures=(FigureId("0.1.1"),))
    return replace(state, units={**state.units, UNIT: unit}, wounded=(Wounded(down, UNIT),))


@pytest.mark.rule("AE-SETUP-04", "AE-OPEN-26", "AE-OPEN-02")
@pytest.mark.parametrize(("lurks", "reached", "x"), [((60, 64), True, 57), ((56.5, 60), False, 51.5)])
def test_a_figure_on_an_errand_is_stopped_by_whom_it_comes_upon(
    lurks: tuple[float, float], reached: bool, x: float
) -> None:
    body, hidden = cm((59, 60))[0], lurker(lurks)
    for radio_sets, guns, errand, event in (
        ({UNIT: body}, (), TakeSet(UNIT), SetTaken),
        ({}, (LostGun(UNIT, "mg", body),), TakeGun(UNIT), GunTaken),
    ):
        state = battle([squad((50, 60))], [hidden, FAR], options=PLAIN, radio_sets=radio_sets, guns=guns)
        fight = Fight(state).do(0, errand)
        assert met(fight) == ["1.1"]
        assert len(fight.events(event)) == reached
        assert fight.place("0.1.1") == (x, 60)
        assert told(fight) == ["done" if reached else "stopped"]
        assert fight.events(MarchEnded)[-1].spent == {"0.1.1": 700 + 300 if reached else 150}
    treats = Fight(wounded(foe=hidden, man=(59, 60)), *[6] * reached).do(0, Treat(UNIT, FigureId("0.1.2")))
    assert met(treats) == ["1.1"]
    assert treats.place("0.1.1") == (x, 60)
    assert told(treats) == ["done" if reached else "stopped"]


@pytest.mark.rule("AE-SETUP-04", "AE-SETUP-03")
def test_a_unit_that_comes_in_meets_who_hides_at_the_edge() -> None:
    late = squad((0, 0), where=COMING)
    fight = Fight(battle([late, HERE], [lurker((90, 5)), FAR], turn=2)).do(0, Enter(UNIT, (9000, 100)))
    assert met(fight) == ["1.1"]


@pytest.mark.rule("AE-SETUP-04", "AE-SETUP-03")
def test_a_unit_that_is_placed_by_default_meets_who_hides_there() -> None:
    away = squad((0, 0), where="away")
    state = battle([away], [lurker((90, 8)), FAR], phase=DEPLOY, placing=(UNIT,), placed=(0, 1))
    fight = Fight(state).do(0, DeployRest())
    assert met(fight) == ["1.1"]
    full = battle(
        [away], [FAR], phase=DEPLOY, placing=(UNIT,), placed=(0, 1), features=[block("w", "water", 0, 0, 180, 20)]
    )
    assert Fight(full).do(0, DeployRest()).unit("0.1").where == COMING


@pytest.mark.rule("AE-SETUP-04", "AE-OPEN-07", "AE-SETUP-03")
@pytest.mark.parametrize("hides", [False, True])
def test_an_infiltrator_meets_who_hides_where_it_is_set_up_and_hides_no_more(hides: bool) -> None:
    scout = squad((0, 0), where="away", abilities=("infiltrate", "camouflage"))
    state = battle([scout, HERE], [lurker((90, 60)), FAR], phase=INFILTRATE, placing=(UNIT,), placed=(0, 1))
    fight = Fight(state).do(0, Deploy(UNIT, (9000, 6400), hidden=hides))
    assert met(fight) == ["1.1", *["0.1"] * hides]
    assert not fight.unit("0.1").hidden
    apart = Fight(state).do(0, Deploy(UNIT, (9000, 6600), hidden=hides))
    assert (met(apart), apart.unit("0.1").hidden) == ([], hides)


@pytest.mark.rule("AE-SETUP-04", "AE-ASLT-10")
def test_an_enemy_that_everybody_sees_stops_no_figure_that_the_rules_move() -> None:
    """A combat is over, and a figure that is 12 cm off comes back past an enemy."""
    state = battle([squad((90, 50), (90, 62))], [squad((92, 48)), squad((92.3, 60)), FAR], options=PLAIN)
    gone = replace(state.units[FOE], figures=(), where="gone", fate="destroyed")
    fight = Fight(replace(state, units={**state.units, FOE: gone}, combats=(Combat(1, (UNIT,), (FOE,)),)))
    assert [one.why for one in fight.events(FiguresMoved)] == ["ranks"]
    assert fight.place("0.1.2") == (90, 58)


@pytest.mark.rule("AE-SETUP-04", "AE-OPEN-26")
def test_a_figure_that_is_there_already_goes_nowhere() -> None:
    state = battle([squad((50, 60))], [FAR], options=PLAIN, radio_sets={UNIT: cm((52, 60))[0]})
    fight = Fight(state).do(0, TakeSet(UNIT))
    assert fight.events(FiguresMoved) == []
    assert len(fight.events(SetTaken)) == 1
