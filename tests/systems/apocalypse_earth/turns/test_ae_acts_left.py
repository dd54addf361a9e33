"""Acts that keep a unit's action open once it has moved, and those that do not (AE-TURN-02, AE-BLD-06)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pytest
from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.core.rules.system import Intent
from engine.rulesets.apocalypse_earth.rules.assault.charging import Charge
from engine.rulesets.apocalypse_earth.rules.ending import Finish
from engine.rulesets.apocalypse_earth.rules.fire.aiming import TakeAim
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.flow import VERBS
from engine.rulesets.apocalypse_earth.rules.moves.driving import Drive
from engine.rulesets.apocalypse_earth.rules.moves.moving import Move
from engine.rulesets.apocalypse_earth.rules.support.power_effects import UsePower
from engine.rulesets.apocalypse_earth.state.combat_events import BuildingHit, ChargeOrdered, FeatureChanged
from engine.rulesets.apocalypse_earth.state.lasting import Shot
from protocol.ids import FigureId, GroupId
from tests.support.systems.ae_battle import Fight, Squad, battle, block, cm, row, squad, vehicle

UNIT: Final = GroupId("0.1")
FIRST: Final = FigureId("0.1.1")
HOUSE: Final = block("house", "house", 84, 40, 96, 50)
FAR: Final = squad((20, 115))
UP: Final = Move(UNIT, cm((90, 39)))
"""Move up to the wall of the house."""


def after(own: Squad, *acts: Intent, dice: Sequence[int] = (), foes: Sequence[Squad] = (), **table: Any) -> Fight:
    """Carry acts of the first unit out against an enemy out of reach, and others."""
    fight = Fight(battle([own, squad((20, 5))], [FAR, *foes], **table), *dice)
    for act in acts:
        fight.do(0, act)
    return fight


def goes_on(fight: Fight) -> bool:
    """Tell if the first unit is still acting."""
    return fight.asked is None and fight.now.acts == UNIT


def asks(fight: Fight) -> bool:
    """Tell if the player is asked first, where the action is ended now."""
    return next(one.confirm for one in VERBS.choices(fight.now, Seat(0)) if one.id == "finish") is not None


@pytest.mark.rule("AE-BLD-06", "AE-TURN-02")
def test_a_charge_is_placed_at_a_building_after_a_move_up_to_it_though_nobody_is_seen() -> None:
    fight = after(squad((90, 32), weapons=("dc", "pi")), UP, dice=(3, 6, 6), features=[HOUSE], breaches={"house": 3})
    assert goes_on(fight)
    assert asks(fight)
    fight.do(0, TakeAim(UNIT, Shot(FIRST, "dc", house="house"))).do(0, Fire(UNIT))
    assert [(one.feature, one.weapon, one.through) for one in fight.events(BuildingHit)] == [("house", "dc", 1)]
    assert [one.why for one in fight.events(FeatureChanged)] == ["collapsed"]
    assert (goes_on(fight), fight.now.acting) == (False, 1)


@pytest.mark.rule("AE-BLD-06", "AE-TURN-02")
def test_no_charge_keeps_a_unit_that_does_not_touch_the_wall_or_whose_bearer_is_shaken() -> None:
    near = Move(UNIT, cm((90, 38)))
    assert not goes_on(after(squad((90, 32), weapons=("dc",)), near, features=[HOUSE]))
    assert not goes_on(after(squad((90, 32), weapons=("pi",)), UP, features=[HOUSE]))
    for shaken in (False, True):
        pair = squad((90, 32), (92.5, 32), arms=(("pi",), ("dc",)))
        state = battle([pair, squad((20, 5))], [FAR], features=[HOUSE])
        bearer = FigureId("0.1.2")
        figures = {**state.figures, bearer: replace(state.figures[bearer], shaken=shaken)}
        moved = Fight(replace(state, figures=figures)).do(0, Move(UNIT, cm((90, 39))))
        assert goes_on(moved) is not shaken


@pytest.mark.rule("AE-BLD-02", "AE-BLD-05", "AE-TURN-02")
def test_walls_in_reach_keep_what_gets_through_them() -> None:
    def open_after(weapon: str, x: float = 60) -> bool:
        return goes_on(after(squad((x, 45), weapons=(weapon,)), Move(UNIT, cm((x + 2, 45))), features=[HOUSE]))

    assert open_after("rpg")
    assert not open_after("rpg", 30)
    assert not open_after("ar")


@pytest.mark.rule("AE-OPEN-02", "AE-TURN-02")
@pytest.mark.parametrize(
    ("weapon", "is_open"), [("fr", True), ("mo", True), ("ft", True), ("sr", False), ("bl", False)]
)
def test_what_is_aimed_at_a_place_needs_nobody_in_sight_and_is_left_without_a_question(
    weapon: str, is_open: bool
) -> None:
    fight = after(squad((60, 20), weapons=(weapon,)), Move(UNIT, cm((62, 20))))
    assert goes_on(fight) is is_open
    if is_open:
        assert not asks(fight)
        fight.do(0, Finish())
        assert (goes_on(fight), fight.now.acting) == (False, 1)


@pytest.mark.rule("AE-OPEN-18", "AE-TURN-02")
def test_a_vehicle_that_has_driven_may_still_lay_its_smoke_and_is_asked() -> None:
    go = Drive(UNIT, ((0, 500),))
    fight = after(vehicle((60, 20), traits=("smoke",), weapons=()), go)
    assert goes_on(fight)
    assert asks(fight)
    assert not goes_on(after(vehicle((60, 20), weapons=()), go))


@pytest.mark.rule("AE-ASLT-01", "AE-PSY-01", "AE-TURN-02")
def test_a_unit_without_a_shot_may_charge_after_a_power_if_it_gets_there() -> None:
    own = squad(*row(3, 50, 60), weapons=("bl",), roles={0: ("psi_1",)})
    dread = UsePower(UNIT, "dread", GroupId("1.2"))
    fight = after(own, dread, dice=(2, 1), foes=[squad((50, 70))])
    assert goes_on(fight)
    fight.do(0, Charge(UNIT, GroupId("1.2")))
    assert [one.target for one in fight.events(ChargeOrdered)] == ["1.2"]
    assert not goes_on(after(own, dread, dice=(2,), foes=[squad((50, 82))]))


@pytest.mark.rule("AE-OPEN-02", "AE-TURN-02")
def test_what_was_aimed_is_fired_once() -> None:
    fight = after(squad((60, 20), weapons=("fr",)), Move(UNIT, cm((62, 20))), dice=(4,)).wait(0)
    fight.do(0, TakeAim(UNIT, Shot(FIRST, "fr", at=cm((62, 30))[0])))
    assert "away" in [one.id for one in VERBS.choices(fight.now, Seat(0))]
    fight.do(0, Fire(UNIT))
    assert [one.id for one in VERBS.choices(fight.now, Seat(0))] == ["finish"]
