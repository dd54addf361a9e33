"""Guns of lost gunners, and who takes them over (AE-OPEN-02)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.rulesets.apocalypse_earth.rules.assault.charging import Charge
from engine.rulesets.apocalypse_earth.rules.fire import arming
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.moves import errands
from engine.rulesets.apocalypse_earth.rules.moves.errands import TakeGun, Treat
from engine.rulesets.apocalypse_earth.rules.moves.moving import Move
from engine.rulesets.apocalypse_earth.state.fire_events import WeaponsFired
from engine.rulesets.apocalypse_earth.state.lasting import LostGun
from engine.rulesets.apocalypse_earth.state.model import Options
from engine.rulesets.apocalypse_earth.state.state import Battle
from engine.rulesets.apocalypse_earth.state.turn_events import FiguresMoved
from protocol.ids import FigureId, GroupId
from tests.support.systems.ae_battle import WEAPONS, Fight, battle, cm, refused, squad

UNIT, FOE = GroupId("0.1"), GroupId("1.1")
FAR = squad((150, 110))
ARMS = (("hmg50", "pi"), ("ar",), ("ar",))
HIT = (6, 1, 1, 1)
"""One hit of three shots, on the first figure."""


def lying(weapon: str = "hmg50", at: tuple[float, float] = (60, 60), unit: str = "0.1") -> LostGun:
    """A gun that lies there."""
    return LostGun(GroupId(unit), weapon, cm(at)[0])


def crew(*places: tuple[float, float], guns: tuple[LostGun, ...] = (lying(),), **changes: Any) -> Battle:
    """A table on which a unit of riflemen has lost the gunners of some guns."""
    return battle([squad(*places, **changes)], [squad((60, 90)), FAR], guns=guns, options=Options(overwatch=False))


def why(state: Battle) -> str:
    """The code with which the first unit is refused to take a gun over."""
    return refused(lambda: errands.check_take_gun(state, 0, UNIT))


@pytest.mark.rule("AE-OPEN-02")
@pytest.mark.parametrize("casualties", [False, True])
def test_the_gun_of_a_lost_gunner_lies_where_he_stood(casualties: bool) -> None:
    own = squad((60, 60), (62.5, 60), (65, 60), arms=ARMS)
    state = battle([own], [squad((60, 90))], acting=1, options=Options(casualties=casualties))
    fight = Fight(state, *HIT, *((4,) if casualties else ()), 6, 6).do(1, Fire(FOE, UNIT))
    assert fight.now.guns == (lying(),)
    man = fight.now.figures.get(FigureId("0.1.1"))
    assert (man is not None) is casualties
    if man is not None:
        assert [weapon.id for weapon in fight.now.weapons_of(man)] == ["pi"]


@pytest.mark.rule("AE-OPEN-02")
def test_no_gun_lies_where_a_rifleman_fell_nor_where_nobody_is_left() -> None:
    own = squad((60, 60), (62.5, 60), arms=(("ar",), ("hmg50",)))
    fight = Fight(battle([own, FAR], [squad((60, 90))], acting=1), *HIT, 6, 6).do(1, Fire(FOE, UNIT))
    assert (len(fight.unit("0.1").figures), fight.now.guns) == (1, ())
    alone = squad((60, 60), arms=(("hmg50",),))
    fight = Fight(battle([alone, FAR], [squad((60, 90))], acting=1), 6, 1, 1).do(1, Fire(FOE, UNIT))
    assert (fight.unit("0.1").where, fight.now.guns) == ("gone", ())


@pytest.mark.rule("AE-OPEN-02")
def test_the_nearest_figure_takes_a_gun_over_and_fires_it() -> None:
    fight = Fight(crew((64, 60), (66.5, 60)), *[1] * 10).do(0, TakeGun(UNIT))
    assert fight.now.guns == ()
    assert fight.now.figures[FigureId("0.1.1")].gun == "hmg50"
    assert [(one.why, one.places) for one in fight.events(FiguresMoved)] == [("gun", {"0.1.1": (6200, 6000)})]
    assert fight.now.active is not None
    assert fight.now.active.spent == {"0.1.1": 500}  # 2 cm and 3
    assert fight.why_not(0, Move(UNIT, cm((64, 62)))) == "act/step-past"
    assert fight.why_not(0, Charge(UNIT, FOE)) == "charge/moved"
    fight.do(0, Fire(UNIT, FOE))
    assert [(one.figures, one.weapon) for one in fight.events(WeaponsFired)] == [(("0.1.1",), "hmg50")]


@pytest.mark.rule("AE-OPEN-02")
def test_who_went_more_than_half_of_his_way_for_a_gun_does_not_fire_it() -> None:
    for x, fires in ((65, True), (65.01, False)):
        fight = Fight(crew((x, 60), (x + 2.5, 60))).do(0, TakeGun(UNIT))
        figure = fight.now.figures[FigureId("0.1.1")]
        assert arming.may_fire(fight.now, fight.unit("0.1"), figure, WEAPONS["hmg50"]) is fires


@pytest.mark.rule("AE-OPEN-02")
def test_who_may_take_a_gun_over() -> None:
    assert [why(crew((71, 60))), why(crew((71.01, 60)))] == ["", "gun/far"]
    assert why(crew((60, 64), guns=())) == "gun/none"
    assert why(crew((60, 64), guns=(lying(unit="1.1"),))) == "gun/none"
    assert why(crew((60, 64), weapons=("hmg127",))) == "gun/none"
    assert why(crew((60, 64), where="aboard", vessel=GroupId("0.2"))) == "gun/none"
    assert why(crew((60, 64), suppressed=True)) == "act/suppressed"
    in_contact = Fight(crew((60, 62))).do(0, TakeGun(UNIT))
    assert (in_contact.place("0.1.1"), in_contact.events(FiguresMoved)) == ((60, 62), [])


@pytest.mark.rule("AE-OPEN-02")
def test_of_two_guns_the_nearer_is_taken_over_by_one_who_has_none() -> None:
    guns = (lying("mo60", (60, 50)), lying("hmg50", (60, 60)))
    fight = Fight(crew((62, 64), (66, 64), guns=guns, arms=(("hmg127",), ("ar",)))).do(0, TakeGun(UNIT))
    assert fight.now.guns == guns[:1]
    assert [fight.now.figures[FigureId(id)].gun for id in ("0.1.1", "0.1.2")] == ["", "hmg50"]


@pytest.mark.rule("AE-OPEN-02", "AE-CAS-01")
def test_a_gunner_who_is_on_his_feet_again_takes_his_gun_back() -> None:
    own = squad((60, 60), (68, 60), arms=(("hmg50",), ("ar",)), roles={1: ("medic",)})
    state = battle([own], [squad((60, 90)), FAR], acting=1, options=Options(casualties=True, overwatch=False))
    fight = Fight(state, *HIT, 4, 6, 6, 6).do(1, Fire(FOE, UNIT)).do(0, Treat(UNIT, FigureId("0.1.1")))
    back = fight.now.figures[FigureId("0.1.1")]
    assert back.id in fight.unit("0.1").figures
    assert fight.now.weapons_of(back) == []
    unit = replace(fight.unit("0.1"), acted=False, fired=False)
    again = replace(fight.now, units={**fight.now.units, UNIT: unit}, acting=0, active=None, replies=())
    fight = Fight(again).do(0, TakeGun(UNIT))
    armed = fight.now.figures[FigureId("0.1.1")]
    assert [weapon.id for weapon in fight.now.weapons_of(armed)] == ["hmg50"]
    assert fight.now.guns == ()
