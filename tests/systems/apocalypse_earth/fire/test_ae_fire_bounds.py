"""Fire at its bounds: who may fire at whom, crews, what each figure fires, numbers to hit (AE-FIRE-01 to -05)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.core.rules.events import ActionDeclared, ActionResolved
from engine.rulesets.apocalypse_earth.rules.fire import arming, firing, shots
from engine.rulesets.apocalypse_earth.rules.fire.aiming import TakeAim
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.harm import hits
from engine.rulesets.apocalypse_earth.rules.moves.moving import Move
from engine.rulesets.apocalypse_earth.rules.table import aims
from engine.rulesets.apocalypse_earth.rules.table.aims import Aim
from engine.rulesets.apocalypse_earth.state.combat_events import BuildingHit
from engine.rulesets.apocalypse_earth.state.fire_events import BlastLanded, MoraleChecked, VolleyFired
from engine.rulesets.apocalypse_earth.state.lasting import Combat, Effect, Shot, Wreckage
from engine.rulesets.apocalypse_earth.state.setup_events import UnitRevealed
from engine.rulesets.apocalypse_earth.state.state import FIRE, POWERS, Activation, Battle
from protocol.ids import FigureId, GroupId
from tests.support.systems.ae_battle import WEAPONS, Fight, Squad, battle, block, cm, refused, row, squad, vehicle

UNIT, FRIEND, ENEMY = GroupId("0.1"), GroupId("0.2"), GroupId("1.1")
FAR = squad((150, 110))
OPEN = squad((50, 80))
"""An enemy 18 cm from the usual firer."""


def shot(number: int, weapon: str, **where: Any) -> Shot:
    """A shot of a figure of the first unit."""
    return Shot(FigureId(f"0.1.{number}"), weapon, **where)


def at(x: float, y: float) -> tuple[int, int]:
    """A place in centimetres."""
    return cm((x, y))[0]


def fired(state: Battle, *dice: int) -> Fight:
    """Fire with the first unit at the first enemy."""
    return Fight(state, *dice).do(0, Fire(UNIT, ENEMY))


@pytest.mark.rule("AE-FIRE-01", "AE-TURN-02")
def test_why_a_unit_may_not_fire() -> None:
    fight = Combat(1, (GroupId("1.1"),), (GroupId("0.2"),))
    apc = vehicle((80, 60), armour=(9, 9, 9, 7))
    riding = squad((50, 60), where="aboard", vessel=FRIEND)
    wall = block("b", "house", 45, 66, 55, 72)
    cases: list[tuple[str, Squad, Squad, dict[str, Any]]] = [
        ("", squad((50, 60)), OPEN, {}),
        ("fire/fired", squad((50, 60), fired=True), OPEN, {}),
        ("act/not-yours", riding, OPEN, {}),
        ("act/suppressed", squad((50, 60), suppressed=True), OPEN, {}),
        ("fire/no-sight", squad((50, 60)), OPEN, {"features": (wall,)}),
        ("fire/no-target", squad((50, 60)), squad((50, 80), hidden=True), {}),
        ("fire/engaged", squad((50, 60)), OPEN, {"combats": (fight,)}),
        ("fire/dust", squad((50, 60)), OPEN, {"table": {"dust": True}}),
        ("fire/no-shot", squad((50, 60), weapons=("pi",)), OPEN, {}),
    ]
    for code, own, other, table in cases:
        state = battle([own, apc], [other, FAR], **table)
        assert Fight(state).why_not(0, Fire(UNIT, ENEMY)) == code
    for step, code in ((FIRE, ""), (FIRE + 1, "act/step-past")):
        state = battle([squad((50, 60))], [OPEN], active=Activation(UNIT, step))
        assert refused(lambda: firing.check_firer(state, 0, UNIT)) == code  # noqa: B023 - called at once


@pytest.mark.rule("AE-FIRE-01", "AE-OPEN-16")
def test_a_unit_fires_from_the_table_or_out_of_a_truck() -> None:
    for where, top, may in (("table", 9, True), ("aboard", 6, True), ("aboard", 7, False)):
        own = squad((50, 60), where=where, vessel=FRIEND)
        state = battle([own, vehicle((50, 60), armour=(9, 9, 9, top))], [OPEN])
        assert arming.is_in_place(state, state.units[UNIT]) is may
    state = battle([squad((50, 60), where="away")], [OPEN])
    assert not arming.is_in_place(state, state.units[UNIT])


@pytest.mark.rule("AE-FIRE-01", "AE-OPEN-02")
def test_who_may_fire_what() -> None:
    """A weapon of a single shot fires every second turn without its crew; a support weapon after half a move."""

    def may(weapon: str, *, crew: bool = False, turn: int = 3, spent: int = 0, last: int = 0, **figure: Any) -> bool:
        places = [(50.0, 60.0), (52.5, 60.0)] if crew else [(50.0, 60.0)]
        acts = Activation(UNIT, POWERS, {FigureId("0.1.1"): spent}) if spent else None
        state = battle([squad(*places, weapons=(weapon,)), squad((20, 20))], [FAR], turn=turn, active=acts)
        own = replace(state.figures[FigureId("0.1.1")], shot=last, **figure)
        state = replace(state, figures={**state.figures, own.id: own})
        return arming.may_fire(state, state.units[UNIT], own, WEAPONS[weapon])

    assert [may("mo60", turn=1), may("mo60", last=1), may("mo60", last=2), may("mo60", last=3)] == [
        True,
        True,
        False,
        False,
    ]
    assert may("mo60", crew=True, last=3)
    assert may("hmg127", last=3)
    assert [may("mg", spent=600), may("mg", spent=601), may("ar", spent=1200)] == [True, False, True]
    assert [may("dc"), may("ft"), may("ar", shaken=True), may("ar", stunned=1)] == [False, True, False, False]
    state = battle([squad((50, 60))], [FAR], active=Activation(UNIT, POWERS, busy=(FigureId("0.1.1"),)))
    assert not arming.may_fire(state, state.units[UNIT], state.figures[FigureId("0.1.1")], WEAPONS["ar"])


@pytest.mark.rule("AE-FIRE-01", "AE-OPEN-02")
def test_each_figure_serves_one_weapon() -> None:
    four = squad(*row(4, 50, 60), arms=(("hmg127",), ("hmg127",), ("ar",), ("pi",)))
    state = battle([four], [OPEN])
    own, guns = state.units[UNIT], [shot(1, "hmg127", target=ENEMY), shot(2, "hmg127", target=ENEMY)]
    assert arming.crews(state, own, [*guns, shot(3, "ar", target=ENEMY)]) == {"0.1.1": ["0.1.3"], "0.1.2": ["0.1.4"]}
    three = battle([squad(*row(3, 50, 60), arms=(("hmg127",), ("hmg127",), ("ar",)))], [OPEN])
    assert arming.crews(three, three.units[UNIT], guns) == {"0.1.1": ["0.1.3"], "0.1.2": []}
    car = battle([vehicle((50, 60))], [OPEN])
    assert arming.crews(car, car.units[UNIT], guns[:1]) == {}


@pytest.mark.rule("AE-FIRE-01", "AE-FIRE-03", "AE-OPEN-02")
def test_a_weapon_fires_its_rate_by_its_crew() -> None:
    for places, rate in (([(50.0, 60.0), (52.5, 60.0)], 10), ([(50.0, 60.0)], 5)):
        state = battle([squad(*places, arms=(("hmg127",), ("pi",))[: len(places)])], [OPEN])
        [volley] = shots.volleys(state, state.units[UNIT], [shot(1, "hmg127", target=ENEMY)])
        assert (volley.shots, volley.figures) == (rate, ("0.1.1",))
    car = battle([vehicle((50, 60))], [OPEN])
    assert [one.shots for one in shots.volleys(car, car.units[UNIT], [shot(1, "hmg50", target=ENEMY)])] == [10]


@pytest.mark.rule("AE-FIRE-01", "AE-OVER-02")
def test_every_figure_fires_its_best_weapon_and_a_vehicle_all_of_them() -> None:
    pair = squad((50, 60), (50, 69), arms=(("ar", "pi"), ("pi",)))
    state = battle([pair], [OPEN])
    best = arming.best(state, state.units[UNIT], state.units[ENEMY])
    assert [(one.figure, one.weapon) for one in best] == [("0.1.1", "ar"), ("0.1.2", "pi")]
    # 18 cm are too far for a pistol, whatever the other sees
    state = battle([squad((50, 69), (50, 60), weapons=("pi",))], [OPEN])
    assert [one.figure for one in arming.best(state, state.units[UNIT], state.units[ENEMY])] == ["0.1.1"]
    near = battle([squad((50, 60), weapons=("pi", "ar"))], [squad((50, 70))])
    assert [one.weapon for one in arming.best(near, near.units[UNIT], near.units[ENEMY])] == ["ar"]
    car = battle([vehicle((50, 60), weapons=("hmg50", "mg"))], [OPEN])
    assert [one.weapon for one in arming.best(car, car.units[UNIT], car.units[ENEMY])] == ["hmg50", "mg"]
    gun = battle([squad(*row(3, 50, 60), arms=(("hmg127",), ("ar",), ("pi",)))], [squad((50, 70))])
    assert [one.figure for one in arming.best(gun, gun.units[UNIT], gun.units[ENEMY])] == ["0.1.1", "0.1.2"]


@pytest.mark.rule("AE-FIRE-01", "AE-OPEN-05")
def test_what_may_be_declared() -> None:
    own = squad(*row(3, 50, 60), arms=(("hmg127",), ("ar",), ("ar", "pi", "fr")))
    near = squad((50, 70))

    def why(*declared: Shot) -> str:
        return Fight(battle([own], [near])).why_not(0, Fire(UNIT, shots=declared))

    rifle, pistol = shot(3, "ar", target=ENEMY), shot(3, "pi", target=ENEMY)
    assert [why(), why(rifle), why(rifle, pistol), why(rifle, rifle)] == [
        "fire/no-shot",
        "",
        "fire/one-weapon",
        "fire/one-weapon",
    ]
    assert [why(shot(2, "mg", target=ENEMY)), why(shot(3, "ar", target=ENEMY, cover="hard"))] == [
        "fire/no-weapon",
        "fire/no-such-cover",
    ]
    assert [why(shot(3, "fr", at=at(50, 70))), why(shot(3, "fr", at=at(50, 75)))] == ["", "fire/too-far"]
    assert why(shot(3, "fr", at=at(50, 70)), rifle) == "fire/one-weapon"
    state = battle([own], [near])
    found = firing.check_fire(
        state, 0, Fire(UNIT, shots=(shot(1, "hmg127", target=ENEMY), shot(2, "ar", target=ENEMY)))
    )
    assert [one.figure for one in found] == ["0.1.1"]  # the other is its crew


@pytest.mark.rule("AE-FIRE-01", "AE-OPEN-02", "AE-OPEN-05")
def test_an_aimed_shot_waits_for_those_of_its_unit() -> None:
    state = battle([squad(*row(3, 45, 60), weapons=("ar", "fr"), hidden=True), FAR], [squad((50, 68)), FAR])
    fight = Fight(state)
    fight.do(0, TakeAim(UNIT, shot(1, "fr", at=at(50, 68))))
    assert not fight.unit("0.1").hidden
    assert fight.now.active == Activation(UNIT, POWERS, aimed=(shot(1, "fr", at=at(50, 68)),))
    assert fight.why_not(0, Move(UNIT, (at(46, 60),))) == "act/step-past"
    fight.do(0, TakeAim(UNIT, shot(2, "fr", at=at(50, 68))))
    assert fight.why_not(0, TakeAim(UNIT, shot(3, "fr", at=at(50, 68)))) == "fire/thrown"
    assert fight.why_not(0, TakeAim(UNIT, shot(1, "fr", at=at(50, 67)))) == ""  # in place of the first
    assert fight.why_not(0, TakeAim(UNIT, shot(3, "ar", target=ENEMY))) == ""


@pytest.mark.rule("AE-FIRE-01", "AE-FIRE-09", "AE-MOR-02", "AE-TURN-02")
def test_what_comes_of_fire() -> None:
    """It is told with its losses, is noted of each figure, and calls for one check of those who lost any."""
    state = battle([squad(*row(2, 50, 60), hidden=True)], [squad(*row(5, 45, 80)), FAR])
    fight = fired(state, 6, 6, 1, 1, 1, 1, 2, 2, 3)
    assert [one.why for one in fight.events(UnitRevealed)] == ["acts"]
    assert [(one.why, one.passed) for one in fight.events(MoraleChecked)] == [("losses", True)]
    assert [one.kind for one in fight.events(ActionDeclared)] == ["fire"]
    assert [(one.how, one.counts) for one in fight.events(ActionResolved)] == [("done", {"killed": 2})]
    assert (fight.unit("0.1").acted, fight.unit("0.1").fired) == (True, True)
    assert [fight.now.figures[FigureId(id)].shot for id in ("0.1.1", "0.1.2", "1.1.1")] == [1, 1, 0]


@pytest.mark.rule("AE-FIRE-01", "AE-FIRE-03", "AE-FIRE-07", "AE-FIRE-09", "AE-OPEN-02")
def test_a_flame_goes_along_its_heading_and_is_no_volley() -> None:
    state = battle([squad((50, 60), weapons=("ft",))], [squad((60, 60), (60, 90)), FAR])
    fight = Fight(state, 2, 3, 4).do(0, Fire(UNIT, shots=(shot(1, "ft", facing=0),)))
    assert [one.killed for one in fight.events(BlastLanded)] == [1]
    assert not fight.events(VolleyFired)
    assert [one.kind for one in fight.events(ActionDeclared)] == ["lob"]
    assert shots.volleys(state, state.units[UNIT], [shot(1, "ft", target=ENEMY, at=at(50, 70))]) == []


@pytest.mark.rule("AE-FIRE-01", "AE-FIRE-02", "AE-FIRE-07")
def test_shots_at_a_target_that_is_gone_are_lost() -> None:
    both = squad((50, 60), (52.5, 60), arms=(("pi",), ("ar",)))
    fight = fired(battle([both], [squad((50, 70)), FAR]), 6)
    assert [(one.weapon, one.killed) for one in fight.events(VolleyFired)] == [("pi", 1)]


@pytest.mark.rule("AE-FIRE-02", "AE-FIRE-04", "AE-OPEN-02")
def test_numbers_to_hit() -> None:
    state = battle([squad((50, 60)), squad((50, 60), effects=(Effect("fog_of_mind", ENEMY),))], [OPEN])
    covers: tuple[Any, ...] = ("open", "soft", "hard")
    for id, weapon, numbers in (
        (UNIT, "ar", [6, 7, 8]),
        (UNIT, "sr", [4, 5, 6]),
        (UNIT, "fr", [4, 4, 4]),
        (UNIT, "mo60", [4, 4, 4]),
        (FRIEND, "ar", [7, 8, 9]),
    ):
        assert [hits.need(state, state.units[id], WEAPONS[weapon], cover) for cover in covers] == numbers
    for traits, codes, number in (
        ((), (), 6),
        ((), ("opt",), 7),
        (("targeting",), (), 5),
        (("targeting",), ("opt",), 6),
    ):
        car = battle([vehicle((50, 60), traits=traits, hull=Wreckage(codes))], [OPEN])
        assert hits.need(car, car.units[UNIT], WEAPONS["hmg50"], "open") == number


@pytest.mark.rule("AE-FIRE-02", "AE-FIRE-05")
def test_chances_to_hit() -> None:
    found = [hits.chance(number) for number in (-1, 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11)]
    assert [36 * chance for chance in found] == [36, 36, 36, 30, 18, 12, 6, 3, 2, 1, 0, 0]


@pytest.mark.rule("AE-FIRE-02", "AE-FIRE-05", "AE-FIRE-04")
@pytest.mark.parametrize(
    ("weapon", "cover", "fog", "dice", "struck"),
    [
        ("sr", "", 0, (4,), 1),
        ("sr", "", 0, (3,), 0),
        ("sr", "rubble", 0, (6,), 1),
        ("pi", "", 0, (6,), 1),
        ("pi", "", 0, (5,), 0),
        ("pi", "broken", 0, (6, 4), 1),
        ("pi", "broken", 0, (6, 3), 0),
        ("pi", "broken", 0, (5,), 0),
        ("pi", "rubble", 0, (6, 5), 1),
        ("pi", "rubble", 0, (6, 4), 0),
        ("pi", "rubble", 1, (6, 6), 1),
        ("pi", "rubble", 1, (6, 5), 0),
        ("pi", "rubble", 2, (), 0),
    ],
)
def test_dice_to_hit(weapon: str, cover: str, fog: int, dice: tuple[int, ...], struck: int) -> None:
    """A 7 is a 6 and a 4, an 8 a 6 and a 5, a 9 a 6 and a 6; 10 cannot be hit."""
    pieces = (block("c", cover, 45, 68, 55, 75),) if cover else ()
    effects = (Effect("fog_of_mind", ENEMY),) if fog else ()
    own = squad((50, 60), weapons=(weapon,), effects=effects)
    if fog > 1:  # without its sights as well
        own = vehicle((50, 60), weapons=(weapon,), effects=effects, hull=Wreckage(("opt",)))
    state = battle([own], [squad((50, 70)), FAR], features=pieces)
    kind: Any = {"": "open", "broken": "soft", "rubble": "hard"}[cover]
    fight = Fight(state, *dice).do(0, Fire(UNIT, shots=(shot(1, weapon, target=ENEMY, cover=kind),)))
    assert [one.hits for one in fight.events(VolleyFired)] == [struck]
    assert len(fight.unit("1.1").figures) == 1 - struck


@pytest.mark.rule("AE-FIRE-07")
def test_ranges_hold_their_ends() -> None:
    gaps = (1799, 1800, 9600, 9601)
    found = [Aim(FigureId("0.1.1"), FigureId(f"1.1.{gap}"), gap, "open") for gap in gaps]
    assert [aim.gap for aim in aims.within(found, WEAPONS["mo60"])] == [1800, 9600]
    covers: tuple[Any, ...] = ("hard", "open", "hard")
    seen = [Aim(FigureId("0.1.1"), FigureId(f"1.1.{n}"), 100, cover) for n, cover in enumerate(covers)]
    assert list(aims.classes(seen).items()) == [("open", ["1.1.1"]), ("hard", ["1.1.0", "1.1.2"])]


@pytest.mark.rule("AE-FIRE-01", "AE-FIRE-03", "AE-BLD-02")
def test_a_crew_serves_one_gun_whatever_the_guns_are_fired_at() -> None:
    guns = squad(*row(3, 50, 60), arms=(("hmg127",), ("hmg127",), ("pi",)))
    house = block("house", "house", 45, 80, 60, 90)
    state = battle([guns], [squad((80, 70)), FAR], features=[house])
    declared = (shot(1, "hmg127", target=ENEMY), shot(2, "hmg127", house="house"))
    fight = Fight(state, *([1] * 10), *([1] * 5)).do(0, Fire(UNIT, shots=declared))
    assert [one.shots for one in fight.events(VolleyFired)] == [10]
    assert [(one.feature, one.hits) for one in fight.events(BuildingHit)] == [("house", 0)]
