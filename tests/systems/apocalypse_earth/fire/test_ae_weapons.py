"""Procedures of weapons at their bounds: numbers, crews, templates, contact, lines (AE-OPEN-02, AE-VEH-01)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

import pytest
from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.core.rules.game import Game
from engine.core.rules.record import Record
from engine.rulesets.apocalypse_earth.rules.fire import arming, contact
from engine.rulesets.apocalypse_earth.rules.fire.aiming import TakeAim
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.harm import blasts, damage, hits
from engine.rulesets.apocalypse_earth.rules.support.power_effects import UsePower
from engine.rulesets.apocalypse_earth.state.fire_events import BlastLanded, WeaponsFired
from engine.rulesets.apocalypse_earth.state.lasting import Effect, Shot, Wreckage
from engine.rulesets.apocalypse_earth.state.profiles import HARMLESS
from engine.rulesets.apocalypse_earth.state.state import Activation, Battle
from engine.rulesets.apocalypse_earth.state.vehicle_events import VehiclePenetrated
from protocol.ids import FigureId, GroupId
from tests.support.play.many_plays import SeededDice
from tests.support.systems.ae_battle import WEAPONS, Fight, Squad, battle, block, cm, row, squad, vehicle
from tests.support.systems.ae_bounds import refusal

UNIT, SECOND, FOE = GroupId("0.1"), GroupId("0.2"), GroupId("1.1")
LEAD, FIRST = FigureId("0.1.1"), Seat(0)
FAR = squad((150, 110))
AR, FR, MO60, HMG, RG = (WEAPONS[id] for id in ("ar", "fr", "mo60", "hmg50", "rg"))


def one(own: Squad, *others: Squad, **changes: Any) -> tuple[Battle, Any]:
    """A table, and its first unit."""
    state = battle([own, *others], [FAR], **changes)
    return state, state.units[UNIT]


@pytest.mark.rule("AE-OPEN-02", "AE-FIRE-02", "AE-FIRE-04")
def test_the_number_to_hit() -> None:
    man, car = squad((50, 60)), vehicle((50, 60))
    sightless, fogged = (
        vehicle((50, 60), hull=Wreckage(("opt",))),
        squad((50, 60), effects=(Effect("fog_of_mind", FOE),)),
    )

    def need(own: Squad, weapon: Any, cover: Any) -> int:
        return hits.need(*one(own), weapon, cover)

    assert [need(man, AR, cover) for cover in ("open", "soft", "hard")] == [6, 7, 8]
    assert [need(man, FR, cover) for cover in ("open", "soft", "hard")] == [4, 4, 4]
    assert [need(man, MO60, cover) for cover in ("open", "hard")] == [4, 4]
    assert [need(man, WEAPONS["rpg"], cover) for cover in ("open", "hard")] == [5, 7]
    assert [need(own, HMG, "open") for own in (car, sightless, fogged)] == [6, 7, 7]


@pytest.mark.rule("AE-OPEN-02")
def test_the_chance_to_get_through() -> None:
    assert [AR.penetration.chance(rating) for rating in (0, 4, 6, 9, 10)] == [1, 1, Fraction(2, 3), Fraction(1, 6), 0]
    assert [HARMLESS.chance(rating) for rating in (0, 1)] == [1, 0]


@pytest.mark.rule("AE-OPEN-02", "AE-VEH-01")
def test_what_does_not_penetrate_rolls_nothing() -> None:
    state, _ = one(squad((50, 60)))
    game, smoke = Game(state, Record(seats=2, round=1), SeededDice(0)), replace(FR, penetration=HARMLESS)
    assert hits.penetrations(game, FIRST, smoke, 2, 0) == 0
    assert hits.penetrations(game, FIRST, AR, 0, 0) == 0
    assert hits.pierced(game, FIRST, smoke) == 0
    assert game.record.rolls == 0
    # 3 + D6 reaches 4 always and 10 never
    assert [hits.penetrations(game, FIRST, AR, 2, rating) for rating in (4, 10)] == [2, 0]
    assert 4 <= hits.pierced(game, FIRST, AR) <= 9
    assert game.record.rolls == 3


@pytest.mark.rule("AE-OPEN-02")
def test_who_is_crew() -> None:
    def near(*places: tuple[float, float], shaken: int = 0) -> list[str]:
        state, unit = one(squad((50, 60), *places))
        if shaken:
            figure = replace(state.figures[FigureId(f"0.1.{shaken}")], shaken=True)
            state = replace(state, figures={**state.figures, figure.id: figure})
        return list(arming.crew_near(state, unit, state.figures[LEAD]))

    assert near((55, 60), (45, 60)) == ["0.1.2", "0.1.3"]
    assert near((55.01, 60)) == []
    assert near((52.5, 60), shaken=2) == []
    guns = squad(*row(4, 50, 60, 2.1), arms=(("hmg50",), ("hmg50",), ("ar",), ("ar",)))
    state, unit = one(guns)
    both = [Shot(FigureId(f"0.1.{n}"), "hmg50", FOE) for n in (1, 2)]
    assert arming.crews(state, unit, both) == {"0.1.1": ["0.1.3"], "0.1.2": ["0.1.4"]}
    few, squeezed = one(squad(*row(3, 50, 60, 2.1), arms=(("hmg50",), ("hmg50",), ("ar",))))
    assert arming.crews(few, squeezed, both) == {"0.1.1": ["0.1.3"], "0.1.2": []}
    car, driver = one(vehicle((50, 60)))
    assert arming.crews(car, driver, [Shot(LEAD, "hmg50", FOE)]) == {}
    assert arming.crews(state, unit, [Shot(FigureId("0.1.3"), "ar", FOE)]) == {}


@pytest.mark.rule("AE-OPEN-02", "AE-FIRE-01")
def test_when_a_weapon_may_fire() -> None:
    def may(weapon: str, *places: tuple[float, float], figure: Any = None, **changes: Any) -> bool:
        state, unit = one(squad((50, 60), *places, arms=((weapon,), *[("ar",)] * len(places))), **changes)
        own = replace(state.figures[LEAD], **(figure or {}))
        return arming.may_fire(state, unit, own, WEAPONS[weapon])

    assert may("ar")
    assert not may("dc")
    assert not may("bl")
    assert not may("ar", figure={"shaken": True})
    assert not may("ar", figure={"stunned": 1})
    assert not may("ar", active=Activation(UNIT, busy=(LEAD,)))
    assert [may("mg", active=Activation(UNIT, spent={LEAD: cost})) for cost in (600, 601)] == [True, False]
    assert may("ar", active=Activation(UNIT, spent={LEAD: 1200}))
    assert [may("mo60", figure={"shot": shot}, turn=3) for shot in (0, 1, 2, 3)] == [True, True, False, False]
    assert may("mo60", (52.5, 60), figure={"shot": 3}, turn=3)
    assert may("hmg50", figure={"shot": 2}, turn=3)  # it fires half instead
    assert [arming.rate(HMG, crew) for crew in (1, 2, 3)] == [5, 10, 10]


@pytest.mark.rule("AE-OPEN-02", "AE-OPEN-07")
def test_who_picks() -> None:
    def picks(weapon: str, *abilities: str) -> bool:
        state, _ = one(squad((50, 60), abilities=abilities))
        return arming.picks(state, state.figures[LEAD], WEAPONS[weapon])

    assert [picks(weapon, "assassin") for weapon in ("fr", "ft", "mo60")] == [False] * 3
    assert [picks("sr"), picks("ar"), picks("ar", "assassin"), picks("ar", "leader")] == [True, False, True, False]


@pytest.mark.rule("AE-OPEN-02")
def test_who_directs_an_indirect_weapon() -> None:
    house, spot = block("h", "house", 55, 54, 60, 66), cm((80, 60))[0]

    def spotted(*others: Squad) -> bool:
        return arming.is_spotted(*one(squad((50, 60)), *others, features=[house]), spot)

    assert not spotted()
    assert spotted(squad((50, 74)))
    assert not spotted(squad((50, 74.01)))
    assert spotted(squad((80, 100), roles={0: ("radio",)}))
    assert not spotted(squad((80, 100)))
    assert spotted(vehicle((80, 100), traits=("command",)))
    assert not spotted(squad((50, 56), roles={0: ("radio",)}))


@pytest.mark.rule("AE-OPEN-02", "AE-VEH-01")
@pytest.mark.parametrize(
    ("origin", "part"),
    [
        ((4000, 6000), "front"),
        ((8000, 6000), "rear"),
        ((6000, 8000), "side"),
        ((4000, 8000), "side"),
        ((8000, 8000), "rear"),
        ((4500, 5000), "top"),
        ((4500, 4500), "side"),
        ((6200, 5200), "side"),
    ],
)
def test_the_part_that_is_hit(origin: tuple[int, int], part: str) -> None:
    features = [block("h", "hill", 40, 48, 50, 54), block("w", "woods", 60, 50, 66, 54)]
    state, unit = one(vehicle((60, 60), 180), features=features)
    assert damage.part_hit(state, unit, RG, origin) == part


@pytest.mark.rule("AE-OPEN-02", "AE-VEH-01")
def test_a_hill_looks_down_within_24_cm_and_on_nobody_on_it() -> None:
    for right, x, part in ((50, 40, "top"), (50, 35.9, "front"), (70, 40, "front")):
        state, unit = one(vehicle((60, 60), 180), features=[block("h", "hill", 20, 40, right, 80)])
        assert damage.part_hit(state, unit, RG, cm((x, 60))[0]) == part


@pytest.mark.rule("AE-VEH-01")
def test_a_hill_looks_down_on_nobody_on_another_hill() -> None:
    hills = [block("h", "hill", 20, 40, 50, 80), block("i", "hill", 55, 40, 80, 80)]
    state, unit = one(vehicle((60, 60), 180), features=hills)
    assert damage.part_hit(state, unit, RG, (4000, 6000)) == "front"


def thrown(state: Battle, at: tuple[float, float], *dice: int, weapon: str = "fr", firer: str = "0.1.1") -> Fight:
    """Throw a grenade that lands where it was aimed."""
    unit = GroupId(firer[:3])
    fight = Fight(state, 4, *dice).do(0, TakeAim(unit, Shot(FigureId(firer), weapon, at=cm(at)[0])))
    return fight.do(0, Fire(unit))


GRENADIER: Final = squad((50, 60), weapons=("fr",))


@pytest.mark.rule("AE-OPEN-02")
def test_whom_a_template_touches() -> None:
    house = block("h", "house", 53, 66, 56, 69)
    inside, behind, beside = squad((54, 67.5)), squad((54, 71)), squad((50, 71.5))
    aboard = squad((50, 71), where="aboard", vessel=GroupId("1.1"))
    state = battle([GRENADIER], [vehicle((90, 90)), inside, behind, beside, aboard, FAR], features=[house])
    where = blasts.circle(replace(FR, template=replace(FR.template, circle=400)), cm((53, 65))[0], Seat(0))  # type: ignore[type-var]
    assert [figure.id for _, figure in blasts.touched(state, where)] == []
    there = blasts.circle(where.arms, cm((54, 67.5))[0], Seat(0))
    assert [figure.id for _, figure in blasts.touched(state, there)] == []
    open_table = replace(state, features=())
    assert [figure.id for _, figure in blasts.touched(open_table, where)] == ["1.2.1"]
    wide = where._replace(shape=replace_radius(where.shape, 700))
    assert [figure.id for _, figure in blasts.touched(open_table, wide)] == ["0.1.1", "1.2.1", "1.3.1", "1.4.1"]
    assert [figure.id for _, figure in blasts.touched(state, wide)] == ["0.1.1", "1.4.1"]
    spared = wide._replace(spared=LEAD)
    assert [figure.id for _, figure in blasts.touched(state, spared)] == ["1.4.1"]


def replace_radius(shape: Any, radius: int) -> Any:
    """The same circle with another radius."""
    return type(shape)(shape.at, radius)


@pytest.mark.rule("AE-OPEN-02")
def test_a_vehicle_under_a_template_is_hit_once_unless_a_building_shields_it() -> None:
    grenade = squad((50, 60), weapons=("fr",))
    for y, house, struck in ((69.5, False, 1), (71.1, False, 0), (69.5, True, 0)):
        pieces = [block("h", "house", 45, 66.2, 56, 66.8)] if house else []
        state = battle([grenade], [vehicle((50, y), 90), FAR], features=pieces)
        fight = thrown(state, (50, 65), *([1] if struck else []))
        assert [roll for roll in fight.rolls if roll[1] == hits.PIERCE] == [(0, hits.PIERCE, 1)] * struck
    carrier = battle([grenade], [vehicle((50, 69.5), 90), squad((50, 69.5), where="aboard", vessel=FOE), FAR])
    assert "ae.dice.kill" not in [roll[1] for roll in thrown(carrier, (50, 65), 1).rolls]


@pytest.mark.rule("AE-OPEN-02", "AE-VEH-01")
def test_a_rocket_hits_a_vehicle_once_and_harms_those_around_it() -> None:
    state = battle(
        [squad((20, 60), weapons=("rpg",))],
        [vehicle((60, 60), 180, armour=(14, 10, 9, 8)), squad((60, 63), (60, 90)), FAR],
    )
    fight = Fight(state, 5, 1, 1, 3, 6, 6).do(0, Fire(UNIT, FOE))
    assert fight.rolls[:2] == [(0, hits.HIT, 1), (0, hits.PIERCE, 2)]
    assert fight.unit("1.2").figures == ("1.2.2",)
    two = battle([squad((20, 60), (20, 62.5), weapons=("rpg",))], [squad((60, 60)), FAR])
    assert Fight(two, 5, 5, 6).do(0, Fire(UNIT, FOE)).unit("1.1").figures == ()


@pytest.mark.rule("AE-OPEN-02", "AE-VEH-01")
def test_only_a_line_goes_on_through_a_vehicle() -> None:
    gunner = squad((20, 60), (22.5, 60), arms=(("hmg127",), ("pi",)))
    state = battle([gunner], [vehicle((60, 60), 180), vehicle((70, 60), 180), FAR])
    fight = Fight(state, 6, *[1] * 9, 6, 6, 4, 4, 6).do(0, Fire(UNIT, FOE))
    assert [one.unit for one in fight.events(VehiclePenetrated)] == ["1.1"]
    assert "ae.dice.line" not in [roll[1] for roll in fight.rolls]


@pytest.mark.rule("AE-OPEN-02", "AE-OPEN-25")
def test_stones_may_blow_a_vehicle_up_at_once() -> None:
    seer = squad(*row(3, 50, 60), roles={0: ("psi_3",)})
    state = battle([seer], [vehicle((50, 75), 270), FAR])
    fight = Fight(state, 3, 1, 3, 6, 6).do(0, UsePower(UNIT, "hurled_stone", FOE))
    assert [one.weapon for one in fight.events(BlastLanded)] == ["boom"]
    armoured = battle([seer], [squad(*row(2, 50, 75), armour=12), FAR])
    stoned = Fight(armoured, 3, 2, 4, 3, 1, 6, 6).do(0, UsePower(UNIT, "hurled_stone", FOE))
    assert len(stoned.unit("1.1").figures) == 1  # 8 + 4 gets through 12, 8 + 3 does not


def struck(*arms: tuple[str, ...], dice: tuple[int, ...], target: Squad | None = None) -> Fight:
    """Let figures in contact use what they have on a vehicle."""
    own = squad(*[(58 + 2.1 * n, 57.5) for n in range(len(arms))], arms=arms)
    return Fight(battle([own, FAR], [target or vehicle((60, 60)), FAR]), *dice)


@pytest.mark.rule("AE-OPEN-02", "AE-OPEN-05")
def test_a_charge_spares_its_bearer_and_a_vest_does_not() -> None:
    cases: list[tuple[str, tuple[int, ...], tuple[str, ...], list[tuple[int, int]]]] = [
        ("dc", (3, 1, 1), ("0.1.1",), [(5800, 5850)]),
        ("sv", (1, 1), (), [(5800, 5750)]),
        ("dc", (2,), ("0.1.1",), []),
    ]
    for weapon, dice, left, places in cases:
        fight = struck((weapon,), dice=dice, target=vehicle((60, 60), armour=(30, 30, 30, 30)))
        fight.do(0, Fire(UNIT, shots=(Shot(LEAD, weapon, FOE),)))
        assert fight.unit("0.1").figures == left
        assert [one.at for one in fight.events(BlastLanded)] == places
        assert [one.used_up for one in fight.events(WeaponsFired)] == [True] * len(fight.events(WeaponsFired))


@pytest.mark.rule("AE-OPEN-02")
def test_who_may_use_a_weapon_in_contact() -> None:
    own = squad((58, 57.5), (60.1, 57.5), (60, 40), arms=(("dc",), ("ar",), ("dc",)))
    state = battle([own], [vehicle((60, 60)), FAR])
    assert contact.bearers(state, state.units[UNIT], state.units[FOE]) == ["0.1.1"]


@pytest.mark.rule("AE-OPEN-02", "AE-OPEN-05", "AE-BLD-02")
def test_why_a_shot_at_a_place_is_refused() -> None:
    own = squad((50, 60), weapons=("ar", "fr", "mo60", "ft"))
    house = block("h", "house", 60, 50, 64, 70)
    state = battle([own], [squad((50, 70)), FAR], features=[house])

    def code(weapon: str, at: tuple[float, float] | None = None, facing: int = -1, **more: Any) -> Any:
        where = cm(at)[0] if at else None
        return refusal(state, 0, Fire(UNIT, shots=(Shot(LEAD, weapon, at=where, facing=facing, **more),)), at=True)

    assert code("fr", (50, 73)) == ""
    assert code("fr", (50, 73.01)) == ("fire/too-far", (5000, 7301))
    assert code("ar", (50, 70)) == ("fire/no-template", None)
    assert code("fr", facing=90) == ("fire/no-template", None)
    assert code("ft", facing=90) == ""
    assert [code(weapon, target=FOE) for weapon in ("ft", "fr", "mo60")] == [("fire/no-place", None)] * 3
    assert code("ft", house="h") == ("fire/no-house", None)
    assert code("mo60", (50, 78)) == ("fire/too-far", (5000, 7800))
    assert code("mo60", (50, 80)) == ""
    assert code("mo60", (80, 60)) == ("fire/no-sight", (8000, 6000))


@pytest.mark.rule("AE-OPEN-02")
def test_flame_burns_along_its_heading_or_towards_a_place() -> None:
    state = battle([squad((50, 60), weapons=("ft",))], [squad((50, 70)), squad((60, 60)), FAR])
    for shot, hurt in ((Shot(LEAD, "ft", facing=0), "1.2"), (Shot(LEAD, "ft", FOE, at=cm((50, 70))[0]), "1.1")):
        fight = Fight(state, 2).do(0, Fire(UNIT, shots=(shot,)))
        assert [unit.id for unit in fight.now.units.values() if unit.lost] == [hurt]


@pytest.mark.rule("AE-OPEN-02")
def test_a_line_goes_on_through_armour_that_it_pierces() -> None:
    for die, figures in ((2, ()), (1, ("1.2.1",))):
        state = battle([squad((20, 60), weapons=("rg",))], [squad((60, 60)), squad((66, 60), armour=14), FAR])
        fight = Fight(state, 5, 4, die).do(0, Fire(UNIT, FOE))
        assert fight.unit("1.2").figures == figures
