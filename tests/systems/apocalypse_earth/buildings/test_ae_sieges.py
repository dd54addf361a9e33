"""Buildings under fire at the bounds of their rules: who is hit, what touches a wall (AE-BLD-02 to -07)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.rulesets.apocalypse_earth.rules.fire import contact, storming
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.harm import buildings
from engine.rulesets.apocalypse_earth.rules.table import aims, ground
from engine.rulesets.apocalypse_earth.state.combat_events import BuildingHit, FeatureChanged, FireStarted
from engine.rulesets.apocalypse_earth.state.fire_events import BlastLanded, FiguresFell
from engine.rulesets.apocalypse_earth.state.lasting import Blaze, Effect, Shot, Wreckage
from engine.rulesets.apocalypse_earth.state.model import Options
from engine.rulesets.apocalypse_earth.state.setup_events import UnitRevealed
from engine.rulesets.apocalypse_earth.state.state import Battle
from engine.rulesets.apocalypse_earth.state.vehicle_events import VehiclePenetrated
from engine.space.terrain.contact import Base
from protocol.ids import NO_FIGURE, FigureId, GroupId
from tests.support.systems.ae_battle import WEAPONS, Fight, Squad, battle, block, cm, line, squad, vehicle

HOUSE = block("house", "house", 84, 40, 96, 50)
UNIT, ENEMY = GroupId("0.1"), GroupId("1.1")
FAR = squad((20, 110))
PAIR = squad((88, 45), (92, 45))


def shot(number: int, weapon: str, **where: Any) -> Shot:
    """A shot of a figure of the first unit."""
    return Shot(FigureId(f"0.1.{number}"), weapon, **where)


def sieged(state: Battle, *dice: int, shots: tuple[Shot, ...]) -> Fight:
    """Fire these shots."""
    return Fight(state, *dice).do(0, Fire(UNIT, shots=shots))


@pytest.mark.rule("AE-BLD-02", "AE-FIRE-08")
def test_why_a_building_may_not_be_fired_at() -> None:
    wall = block("wall", "house", 74, 30, 80, 60)
    for code, at, weapon, house, others in (
        ("", (71, 45), "pi", "house", ()),  # 12 cm
        ("fire/too-far", (70.99, 45), "pi", "house", ()),
        ("", (90, 39), "pi", "house", ()),  # whoever touches it
        ("fire/no-sight", (71, 45), "ar", "house", (wall,)),
        ("fire/no-house", (71, 45), "ar", "nowhere", ()),
        ("fire/no-house", (60, 45), "mo60", "house", ()),
    ):
        state = battle([squad(at, weapons=(weapon,))], [PAIR, FAR], features=(HOUSE, *others))
        assert Fight(state).why_not(0, Fire(UNIT, shots=(shot(1, weapon, house=house),))) == code


@pytest.mark.rule("AE-BLD-02", "AE-FIRE-06", "AE-OPEN-07")
def test_what_a_vehicle_covers_and_what_not() -> None:
    """Those behind it, neither itself nor those at whom it fires; who is camouflaged and far off has soft cover."""

    def cover(own: Squad, other: Squad, *more: Squad) -> str:
        state = battle([own, *more], [other])
        figure = state.figures[FigureId("1.1.1")]
        eye = Base(NO_FIGURE, state.figures[FigureId("0.1.1")].at, 100)
        return aims.cover_of(state, eye, figure)

    man, car = squad((50, 60)), vehicle((50, 60))
    assert cover(man, vehicle((50, 90))) == "open"
    assert cover(car, squad((50, 90))) == "open"
    assert cover(man, squad((50, 90)), vehicle((50, 80))) == "hard"
    assert cover(man, vehicle((50, 90)), vehicle((50, 80))) == "hard"
    hider = squad((50, 90), abilities=("camouflage",))
    assert [cover(man, hider), cover(squad((50, 66)), hider)] == ["soft", "open"]


@pytest.mark.rule("AE-BLD-02")
def test_who_is_inside() -> None:
    woods = block("woods", "woods", 60, 60, 90, 90)
    force = [
        squad((70, 70), (50, 70), (72, 70)),
        vehicle((80, 80)),
        squad((70, 75), where="aboard", vessel=GroupId("0.2")),
    ]
    state = battle([FAR, *force], [squad((61, 61), hidden=True)], features=[woods])
    found = [(unit.id, figures) for unit, figures in buildings.inside(state, "woods")]
    assert found == [("0.2", ["0.2.1", "0.2.3"]), ("1.1", ["1.1.1"])]


@pytest.mark.rule("AE-BLD-02", "AE-BLD-03", "AE-GEN-05", "AE-GEN-06")
def test_a_hit_strikes_who_is_seen_and_the_hidden_where_nobody_else_is() -> None:
    gun, hidden = squad((70, 45), (70, 47.5), arms=(("hmg145",), ("pi",))), squad((86, 45), (86, 48), hidden=True)
    misses = (6, 1, 1, 1, 1, 1, 1, 1)
    shots = (shot(1, "hmg145", house="house"),)
    state = battle([gun], [hidden, PAIR, FAR], features=(HOUSE,))
    fight = sieged(state, *misses, 6, 4, 1, 2, 2, shots=shots)
    assert [(one.unit, one.figures) for one in fight.events(FiguresFell)] == [("1.2", ("1.2.1",))]
    assert not fight.events(UnitRevealed)
    fight = sieged(battle([gun], [hidden, FAR], features=(HOUSE,)), *misses, 6, 4, 2, 2, shots=shots)
    assert [(one.unit, one.figures) for one in fight.events(FiguresFell)] == [("1.1", ("1.1.2",))]
    assert [one.unit for one in fight.events(UnitRevealed)] == ["1.1"]


@pytest.mark.rule("AE-BLD-02", "AE-BLD-06", "AE-BLD-03")
def test_fire_and_grenades_at_one_building() -> None:
    """The fire rolls to hit and to get through; the grenade is placed, and all inside roll as in hard cover."""
    own = squad((90, 39), (87, 39), arms=(("fr",), ("ar",)))
    state = battle([own], [PAIR, FAR], features=(HOUSE,))
    shots = (shot(1, "fr", house="house"), shot(2, "ar", house="house"))
    fight = sieged(state, *(6, 1, 1), 6, *(4, 3), 2, 2, shots=shots)
    assert [(one.weapon, one.hits, one.through) for one in fight.events(BuildingHit)] == [("ar", 1, 0)]
    assert [(one.figures, one.how) for one in fight.events(FiguresFell)] == [(("1.1.1",), "blast")]


@pytest.mark.rule("AE-BLD-02", "AE-BLD-06", "AE-OPEN-28")
def test_no_grenade_goes_into_a_building_that_has_come_down() -> None:
    own = squad((90, 39), (60, 39), arms=(("fr",), ("rpg",)))
    state = battle([own], [PAIR, FAR], features=(HOUSE,), breaches={"house": 3})
    shots = (shot(1, "fr", house="house"), shot(2, "rpg", house="house"))
    fight = sieged(state, 5, 6, 6, *(1, 1), *(5, 5), shots=shots)
    assert [one.why for one in fight.events(FeatureChanged)] == ["collapsed"]
    assert not fight.events(FiguresFell)


@pytest.mark.rule("AE-BLD-02", "AE-BLD-06", "AE-OPEN-02")
def test_nothing_is_used_by_one_who_has_fallen_before() -> None:
    own = squad((90, 39), (92.5, 39), (60, 10), arms=(("sv",), ("mo",), ("pi",)))
    state = battle([own], [squad((88, 48)), FAR], features=(HOUSE,))
    shots = (shot(1, "sv", house="house"), shot(2, "mo", house="house"))
    # the wall withstands (12 + 2 against 15), the circle takes the other as well; a check for both
    fight = sieged(state, 1, 1, 2, 3, 3, shots=shots)
    assert fight.unit("0.1").figures == ("0.1.3",)
    assert not fight.now.fires


@pytest.mark.rule("AE-OPEN-02")
@pytest.mark.parametrize("wounds", [False, True])
def test_neither_a_medic_nor_luck_saves_the_bearer_of_a_vest(wounds: bool) -> None:
    own = squad((90, 39), (87, 33), (60, 10), arms=(("sv",), ("pi",), ("pi",)), roles={1: ("medic",)})
    state = battle([own], [FAR], features=(HOUSE,), options=Options(casualties=wounds))
    # the wall withstands, and nobody else is near; a leader has fallen
    fight = sieged(state, 1, 1, 6, 6, shots=(shot(1, "sv", house="house"),))
    assert [(one.figures, one.how, one.down) for one in fight.events(FiguresFell)] == [(("0.1.1",), "boom", ())]


@pytest.mark.rule("AE-BLD-06")
def test_what_is_touched() -> None:
    def targets(at: tuple[float, float], weapon: str, *enemies: Squad) -> list[str]:
        state = battle([squad(at, weapons=(weapon,)), vehicle((90, 34))], enemies or [FAR], features=(HOUSE,))
        figure = state.figures[FigureId("0.1.1")]
        return [str(one.id) for one in contact.close_targets(state, figure, WEAPONS[weapon])]

    assert targets((90, 38.96), "fr") == ["house"]
    assert targets((90, 38.95), "fr") == []
    car = vehicle((70, 60))  # its flank is at 58.5
    assert targets((70, 57.46), "dc", car) == ["1.1"]
    assert targets((70, 57.45), "dc", car) == []
    assert targets((70, 57.5), "fr", car) == []
    assert targets((70, 57.5), "dc", squad((70, 59.5))) == []


@pytest.mark.rule("AE-BLD-06", "AE-OPEN-02", "AE-OPEN-16")
def test_a_charge_is_used_on_a_vehicle_that_is_touched() -> None:
    own = squad((70, 57.5), (73, 50), arms=(("dc",), ("ar",)))
    state = battle([own], [vehicle((70, 60), suppressed=True), FAR])
    use = (shot(1, "dc", target=ENEMY),)
    fight = sieged(state, 3, 6, 6, 4, 4, shots=use)
    assert [(one.unit, one.part) for one in fight.events(VehiclePenetrated)] == [("1.1", "side")]
    assert fight.now.figures[FigureId("0.1.1")].spent == ("dc",)
    lost = sieged(state, 2, shots=use)
    assert not lost.events(VehiclePenetrated)
    for at, weapon, code in (
        ((70, 57.4), "dc", "fire/no-contact"),
        ((70, 57.5), "ar", ""),
        ((70, 57.5), "cu", "fire/no-weapon"),
    ):
        other = battle([squad(at, arms=(("dc", "ar"),))], [vehicle((70, 60)), FAR])
        assert Fight(other).why_not(0, Fire(UNIT, shots=(shot(1, weapon, target=ENEMY),))) == code


@pytest.mark.rule("AE-ASLT-01", "AE-BLD-07")
def test_contact_is_a_gap_of_less_than_half_a_millimetre() -> None:
    own = squad((90, 38.96), (88, 38.95), (60, 40), (60, 37.96))
    state = battle([own], [squad((90, 45)), squad((60, 42.04), (62, 30)), squad((60, 35.91))], features=(HOUSE,))
    unit = state.units[UNIT]
    found = [contact.touching(state, unit, state.units[GroupId(f"1.{n}")]) for n in (1, 2, 3)]
    assert found == [["0.1.1"], ["0.1.3"], []]


@pytest.mark.rule("AE-BLD-05", "AE-BLD-02")
def test_a_crew_serves_its_gun_against_a_building() -> None:
    own = squad((70, 45), (70, 47.5), (70, 60), arms=(("hmg127",), ("rpg",), ("rpg", "ar")))
    state = battle([own], [PAIR], features=(HOUSE,))
    [house] = ground.buildings(state)
    found = storming.best(state, state.units[UNIT], house)
    assert [(one.figure, one.weapon, one.house) for one in found] == [
        ("0.1.1", "hmg127", "house"),
        ("0.1.3", "rpg", "house"),
    ]


@pytest.mark.rule("AE-BLD-05", "AE-BLD-02", "AE-OPEN-16", "AE-OPEN-02", "AE-FIRE-03")
def test_a_vehicle_fires_all_its_weapons_at_a_building_without_a_crew() -> None:
    """The gun has its ten shots, the launcher its one; what cannot get through the walls stays silent."""
    car = vehicle((70, 45), weapons=("hmg50", "rpg", "pi"))
    state = battle([car], [PAIR, FAR], features=(HOUSE,))
    [house] = ground.buildings(state)
    found = storming.best(state, state.units[UNIT], house)
    assert [(one.weapon, one.house) for one in found] == [("hmg50", "house"), ("rpg", "house")]
    fight = sieged(state, *(6, 6, 1, 1, 1, 1, 1, 1, 1, 6), *(4, 5, 1, 1, 1, 1), 4, shots=found)
    assert [(one.weapon, one.hits, one.through) for one in fight.events(BuildingHit)] == [
        ("hmg50", 3, 0),
        ("rpg", 0, 0),
    ]
    men = battle([squad((70, 45), weapons=("rg", "rpg"))], [PAIR], features=(HOUSE,))
    assert [one.weapon for one in storming.best(men, men.units[UNIT], house)] == ["rpg"]
    alone = battle([squad((70, 45), weapons=("hmg50",))], [PAIR, FAR], features=(HOUSE,))
    assert sieged(alone, *[1] * 5, shots=found[:1]).events(BuildingHit)


@pytest.mark.rule("AE-BLD-02", "AE-OPEN-18", "AE-OPEN-19", "AE-OPEN-25", "AE-FIRE-02")
@pytest.mark.parametrize(
    ("car", "dice", "hit"),
    [
        (vehicle((70, 45), traits=("targeting",)), (4, 5, 6, 1, 1, 1, 1, 1, 1, 1), 2),
        (vehicle((70, 45), hull=Wreckage(("opt",))), (5, 6, 6, 1, 1, 1, 1, 1, 1, 1, 3, 4), 1),
        (vehicle((70, 45), effects=(Effect("fog_of_mind", ENEMY),)), (5, 6, 6, 1, 1, 1, 1, 1, 1, 1, 3, 4), 1),
    ],
    ids=["computer", "no sights", "fog"],
)
def test_what_changes_a_roll_to_hit_counts_against_a_building_too(car: Squad, dice: tuple[int, ...], hit: int) -> None:
    state = battle([car], [PAIR, FAR], features=(HOUSE,))
    fight = sieged(state, *dice, *(1, 1) * hit, shots=(shot(1, "hmg50", house="house"),))
    assert [one.hits for one in fight.events(BuildingHit)] == [hit]


@pytest.mark.rule("AE-BLD-01", "AE-BLD-04", "AE-FIRES-01")
@pytest.mark.parametrize("on", [True, False])
def test_what_a_flame_touches(on: bool) -> None:
    """All inside a building burn, whether it does or not; in other ground only those who are in what catches fire."""
    flamer = squad((70, 45), arms=(("ft",),))
    rubble, house = block("rubble", "rubble", 73, 40, 78, 50), block("house", "house", 80, 40, 92, 50)
    away = block("away", "woods", 60, 70, 70, 80)
    # those in the rubble are beside the strip, the one inside is beyond it
    other = block("other", "house", 60, 20, 70, 30)
    targets = [squad((75, 49)), squad((90, 48)), squad((65, 75)), squad((65, 25)), FAR]
    state = battle([flamer], targets, features=[rubble, house, away, other], options=Options(fires=on))
    fight = sieged(state, 3, shots=(shot(1, "ft", facing=0),))
    assert [(one.unit, one.how) for one in fight.events(FiguresFell)] == [("1.2", "burnt")]
    assert [one.fire.feature for one in fight.events(FireStarted)] == (["house"] if on else [])


@pytest.mark.rule("AE-BLD-01", "AE-BLD-04", "AE-OPEN-02")
@pytest.mark.parametrize(
    ("at", "falls"), [((97, 45), 1), ((113, 45), 1), ((113.1, 45), 0), ((100, 48), 1), ((90, 52), 0)]
)
def test_flame_out_of_a_building_begins_at_its_wall(at: tuple[float, float], falls: int) -> None:
    """It leaves the building along its heading, 16 cm long; those inside, and the building, do not burn."""
    own, mate = squad((87, 45), (95.5, 45), arms=(("ft",), ("ar",))), squad((96, 46))
    state = battle([own, mate], [squad(at), FAR], features=(HOUSE,))
    fight = sieged(state, *[2] * falls, shots=(shot(1, "ft", facing=0),))
    assert [one.unit for one in fight.events(FiguresFell)] == ["1.1"] * falls
    assert not fight.now.fires


@pytest.mark.rule("AE-BLD-01", "AE-BLD-04", "AE-FIRES-01", "AE-OPEN-02")
def test_flame_along_the_wall_of_a_building_leaves_it_alone() -> None:
    own, mate = squad((95, 45), weapons=("ft",)), squad((95.5, 48))
    fight = sieged(battle([own, mate], [squad((98, 55)), FAR], features=(HOUSE,)), 2, shots=(shot(1, "ft", facing=75),))
    assert [one.unit for one in fight.events(FiguresFell)] == ["1.1"]
    assert not fight.now.fires


@pytest.mark.rule("AE-BLD-01", "AE-OPEN-02", "AE-FIRES-01", "AE-OPEN-16")
def test_flame_out_of_a_building_at_a_unit_begins_where_it_is_nearest() -> None:
    """All in its way burn, vehicles too; nobody behind another building does."""
    own, enemies = squad((87, 42), weapons=("ft",)), [squad((100, 55)), vehicle((104.5, 56)), squad((108, 62)), FAR]
    other = block("other", "house", 104.5, 58.5, 110, 61)
    fight = Fight(battle([own], enemies, features=(HOUSE, other)), 2, 6, 4, 4, 1).do(0, Fire(UNIT, ENEMY))
    [blast] = fight.events(BlastLanded)
    assert blast.at == cm((96, 50))[0]
    assert [one.unit for one in fight.events(FiguresFell)] == ["1.1"]
    assert [(one.unit, one.part) for one in fight.events(VehiclePenetrated)] == [("1.2", "rear")]
    assert [one.fire.feature for one in fight.events(FireStarted)] == ["other"]


@pytest.mark.rule("AE-OPEN-16", "AE-OPEN-02")
def test_flame_out_of_a_truck_spares_it() -> None:
    truck = vehicle((70, 45), armour=(7, 7, 7, 6), weapons=())
    rider = squad((70, 45), weapons=("ft",), where="aboard", vessel=GroupId("0.2"))
    fight = Fight(battle([rider, truck], [squad((80, 45)), FAR]), 2).do(0, Fire(UNIT, ENEMY))
    assert [one.unit for one in fight.events(FiguresFell)] == ["1.1"]
    assert not fight.events(VehiclePenetrated)


@pytest.mark.rule("AE-BLD-04", "AE-FIRES-01")
def test_a_bottle_beside_a_wall_harms_nobody_inside_what_does_not_catch_fire() -> None:
    own = squad((74, 45), arms=(("mo",),))
    state = battle([own], [squad((90, 48)), FAR], features=[HOUSE], options=Options(fires=False))
    fight = sieged(state, 4, shots=(shot(1, "mo", at=cm((83, 45))[0]),))
    assert not fight.events(FiguresFell)
    assert not fight.now.fires


@pytest.mark.rule("AE-BLD-04", "AE-FIRES-01", "AE-FIRES-02")
def test_of_a_long_piece_burns_what_is_touched() -> None:
    zigzag = line("h", "hedge", (80, 20), (82, 30), (80, 40), (82, 50))
    for piece, alight in (
        (block("w", "woods", 80, 20, 90, 50), ["w.2", "w.3"]),
        (zigzag, None),
    ):
        state = battle([squad((70, 45), arms=(("ft",),))], [FAR], features=[piece])
        fight = sieged(state, shots=(shot(1, "ft", facing=0),))
        started = [one.fire.feature for one in fight.events(FireStarted)]
        parts = [one.id for one in fight.now.features]
        assert len(parts) > 2
        assert started == alight or (alight is None and 0 < len(started) < len(parts))


@pytest.mark.rule("AE-FIRES-01", "AE-BLD-06")
def test_what_is_put_into_a_building_sets_it_alight_if_it_burns() -> None:
    for weapon, on, lit, dice in (("mo", True, ["house"], (1, 1)), ("mo", False, [], (1,)), ("fr", True, [], (1,))):
        state = battle([squad((90, 39), weapons=(weapon,))], [squad((90, 45)), FAR], features=[HOUSE])
        state = replace(state, resolved=replace(state.resolved, options=Options(fires=on)))
        fight = sieged(state, *dice, shots=(shot(1, weapon, house="house"),))
        assert [one.fire.feature for one in fight.events(FireStarted)] == lit
    burning = battle(
        [squad((90, 39), weapons=("mo",))], [squad((90, 45)), FAR], features=[HOUSE], fires=(Blaze("house", 1),)
    )
    assert not sieged(burning, 1, shots=(shot(1, "mo", house="house"),)).events(FireStarted)
