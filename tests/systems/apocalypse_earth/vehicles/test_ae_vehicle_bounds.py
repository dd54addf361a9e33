"""Vehicles at the bounds of their rules (AE-OPEN-16, AE-OPEN-18, AE-OPEN-19, AE-VEH-01)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.rulesets.apocalypse_earth.rules.ending import Finish
from engine.rulesets.apocalypse_earth.rules.fire import arming
from engine.rulesets.apocalypse_earth.rules.fire.aiming import TakeAim
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.flow import VERBS
from engine.rulesets.apocalypse_earth.rules.harm import damage
from engine.rulesets.apocalypse_earth.rules.moves import captives
from engine.rulesets.apocalypse_earth.rules.moves.carrying import BoardVehicle, GetOut, Load
from engine.rulesets.apocalypse_earth.rules.moves.driving import Drive
from engine.rulesets.apocalypse_earth.rules.table import hulls, lanes
from engine.rulesets.apocalypse_earth.state.combat_events import BuildingHit
from engine.rulesets.apocalypse_earth.state.fire_events import BlastLanded, VolleyFired
from engine.rulesets.apocalypse_earth.state.lasting import Combat, Prisoners, Shot, Wounded, Wreckage
from engine.rulesets.apocalypse_earth.state.model import Options
from engine.rulesets.apocalypse_earth.state.profiles import HARMLESS
from engine.rulesets.apocalypse_earth.state.state import ABOARD, DEPLOY, Battle, Unit
from engine.rulesets.apocalypse_earth.state.vehicle_events import CrewmanReplaced, VehiclePenetrated
from protocol.ids import FigureId, GroupId
from protocol.scene.nodes import Reply
from tests.support.systems.ae_battle import WEAPONS, Fight, Squad, battle, block, row, squad, vehicle

CAR, TEAM, FOE = GroupId("0.1"), GroupId("0.2"), squad((170, 110))


def code(fight: Fight, seat: int, intent: Any) -> str:
    """Return the code with which an intent is refused."""
    with pytest.raises(IllegalIntent) as caught:
        fight.do(seat, intent)
    return caught.value.refusal.code


def hurt(*codes: str, **hull: Any) -> Squad:
    """A damaged vehicle with two weapons."""
    return vehicle((60, 60), weapons=("mg", "hmg50"), hull=Wreckage(codes, **hull))


def own(one: Squad) -> tuple[Battle, Unit]:
    """Return a table with one vehicle, and the vehicle."""
    state = battle([one], [FOE])
    return state, state.units[CAR]


@pytest.mark.rule("AE-OPEN-16", "AE-OPEN-19")
@pytest.mark.parametrize(
    "one",
    [
        hurt("whl"),
        hurt("leg", "leg"),
        hurt(shaken=1),
        hurt(blocked={"drv": 2}),
        vehicle((60, 60), suppressed=True),
    ],
)
def test_who_cannot_move_does_not_drive(one: Squad) -> None:
    state, unit = own(one)
    assert not hulls.can_move(unit)
    if not unit.suppressed:
        assert code(Fight(state), 0, Drive(CAR, ((0, 500),))) == "drive/immobile"
    assert hulls.can_move(own(hurt("leg"))[1])


@pytest.mark.rule("AE-OPEN-16", "AE-OPEN-19")
def test_what_damage_leaves_of_movement_and_weapons() -> None:
    whole, unit = own(hurt())
    assert hulls.allowance(whole, unit) == 3600
    for one in ("lift", "leg"):
        assert hulls.allowance(*own(hurt(one))) == 1800
    mg, fifty, behind = WEAPONS["mg"], WEAPONS["hmg50"], (2000, 6000)
    for car, main, other in ((hurt(), True, True), (hurt("tur"), False, True), (hurt("leg", "leg"), False, False)):
        assert [hulls.bears(*own(car), weapon, behind) for weapon in (mg, fifty)] == [main, other]
        assert all(hulls.bears(*own(car), weapon, (9000, 6000)) for weapon in (mg, fifty))
    for car, able in ((hurt(), True), (hurt(blocked={"gun": 2}), False), (hurt(shaken=1), False)):
        assert hulls.may_fire(*own(car), mg) == able
    assert hulls.may_fire(*own(hurt(blocked={"gun": 2})), fifty)
    assert not hulls.may_fire(*own(vehicle((60, 60), suppressed=True)), fifty)


@pytest.mark.rule("AE-OPEN-19", "AE-OPEN-05", "AE-FIRE-07", "AE-FIRE-01")
def test_a_jammed_turret_fires_at_those_ahead_wherever_their_leader_is() -> None:
    """The main weapon strikes nobody who is not ahead; the other one all round."""
    ahead, aside, enemy = (90, 62), (60, 75), GroupId("1.1")
    state = battle([hurt("tur")], [squad(aside, ahead), squad(aside), FOE])
    fight = Fight(state, *[6] * 10, *[1] * 10, 6).do(0, Fire(CAR, enemy))
    assert [(one.weapon, one.shots) for one in fight.events(VolleyFired)] == [("mg", 10), ("hmg50", 10)]
    assert fight.unit("1.1").figures == ("1.1.1",)
    shots = [Shot(FigureId("0.1.1"), weapon, GroupId("1.2")) for weapon in ("mg", "hmg50")]
    assert code(Fight(state), 0, Fire(CAR, shots=tuple(shots))) == "fire/bears"
    assert [one.weapon for one in arming.best(state, state.units[CAR], state.units[GroupId("1.2")])] == ["hmg50"]


@pytest.mark.rule("AE-OPEN-19", "AE-OPEN-02")
def test_a_jammed_turret_burns_ahead_alone() -> None:
    car = vehicle((60, 60), weapons=("ft", "hmg50"), hull=Wreckage(("tur",)))
    state = battle([car], [squad((20, 60)), FOE])
    burn = [Fire(CAR, shots=(Shot(FigureId("0.1.1"), "ft", facing=facing),)) for facing in (45, 50, 7)]
    assert Fight(state).do(0, burn[0]).events(BlastLanded)
    assert [code(Fight(state), 0, one) for one in burn[1:]] == ["fire/bears"] * 2
    back = Shot(FigureId("0.1.1"), "ft", at=(5000, 6000))
    assert code(Fight(state), 0, Fire(CAR, shots=(back,))) == "fire/bears"
    given = {"unit": ["group/0.1"], "figure": ["piece/0.1.1"], "weapon": "ft"}
    field: Any = VERBS.detail(state, Seat(0), "burn", given)
    assert field.angles == tuple(angle for angle in range(0, 360, 5) if not 45 < angle < 315)
    assert field.default == 0
    whole: Any = VERBS.detail(battle([vehicle((60, 60), weapons=("ft",))], [squad((20, 60))]), Seat(0), "burn", given)
    assert (len(whole.angles), whole.default) == (72, 180)


@pytest.mark.rule("AE-OPEN-16", "AE-FIRE-01")
def test_a_vehicle_that_has_aimed_a_flamethrower_fires_its_other_weapons_too() -> None:
    """A man does not."""
    car = vehicle((60, 60), weapons=("ft", "hmg50"))
    state = battle([car], [squad((70, 60), (80, 60)), FOE])
    burning = TakeAim(CAR, Shot(FigureId("0.1.1"), "ft", facing=0))
    fight = Fight(state, *[1] * 10, 2, 3, 3).do(0, burning).do(0, Fire(CAR, GroupId("1.1")))
    assert [one.weapon for one in fight.events(VolleyFired)] == ["hmg50"]
    assert len(fight.events(BlastLanded)) == 1
    man = battle([squad((60, 60), weapons=("ft", "hmg50"))], [squad((70, 60), (80, 60)), FOE])
    gun = Shot(FigureId("0.1.1"), "hmg50", GroupId("1.1"))
    fight = Fight(man, 2, 3, 3).do(0, burning).do(0, Fire(CAR, shots=(gun,)))
    assert not fight.events(VolleyFired)


@pytest.mark.rule("AE-OPEN-19", "AE-BLD-02")
def test_a_jammed_turret_fires_at_buildings_ahead() -> None:
    pieces = [block("ahead", "house", 80, 55, 90, 65), block("behind", "house", 30, 55, 40, 65)]
    state = battle([hurt("tur")], [FOE], features=pieces)
    mains = [Fire(CAR, shots=(Shot(FigureId("0.1.1"), "mg", house=house),)) for house in ("ahead", "behind")]
    assert Fight(state, *[1] * 10).do(0, mains[0]).events(BuildingHit)
    assert code(Fight(state), 0, mains[1]) == "fire/bears"


@pytest.mark.rule("AE-OPEN-18", "AE-OPEN-19", "AE-OPEN-16")
def test_lift_hover_and_command() -> None:
    ground = [block("a", "rubble", 64, 50, 68, 70)]

    def cost(**changes: Any) -> int:
        state = battle([vehicle((60, 60), size=(4, 4), **changes)], [FOE], features=ground)
        return lanes.piece_cost(state, state.units[CAR], (6000, 6000), (7000, 6000), 1000)

    assert cost(kind="skimmer", hull=Wreckage(("lift",))) == 600 + 3 * 400
    assert cost(kind="tracked", traits=("hover",)) == 1000
    assert cost(kind="tracked") == 600 + 2 * 400
    for traits, codes, works in ((("command",), (), True), (("command",), ("com",), False), ((), (), False)):
        state, unit = own(vehicle((60, 60), traits=traits, hull=Wreckage(codes)))
        assert hulls.is_radio(state, unit) == works


@pytest.mark.rule("AE-OPEN-16")
def test_the_edges_of_the_table_and_of_a_road() -> None:
    for at, facing in (((60, 4), 270), ((60, 116), 90), ((176, 60), 0), ((4, 60), 180)):
        state = battle([vehicle(at, facing)], [squad((90, 60))])
        assert code(Fight(state), 0, Drive(CAR, ((facing, 101),))) == "drive/off-table"
        assert Fight(state).may(0, Drive(CAR, ((facing, 100),)))
    beside = battle([vehicle((20, 60))], [FOE], features=[block("w", "marsh", 0, 57, 180, 63)])
    assert lanes.limit(beside, beside.units[CAR], [(2000, 6000), (6000, 6000)]) == 3600


@pytest.mark.rule("AE-OPEN-16")
def test_engaged_figures_are_kept_off_1_cm() -> None:
    fighting = Combat(1, (GroupId("0.2"),), (GroupId("1.1"),))
    state = battle([vehicle((40, 60)), squad((60, 60))], [squad((62, 60)), FOE], combats=(fighting,))
    assert code(Fight(state), 0, Drive(CAR, ((0, 1501),))) == "drive/figures"
    assert Fight(state).may(0, Drive(CAR, ((0, 1500),)))


@pytest.mark.rule("AE-OPEN-16", "AE-SETUP-04")
def test_a_vehicle_stops_before_hidden_men_in_cover_whom_it_comes_upon() -> None:
    broken = block("b", "broken", 58, 56, 70, 64)
    state = battle([vehicle((40, 60))], [squad((62, 60), hidden=True), FOE], features=[broken])
    fight = Fight(state).do(0, Drive(CAR, ((0, 3000),))).expire()
    assert not fight.unit("1.1").hidden
    x, _ = fight.place("0.1.1")
    assert 53 < x + 3 <= 61


@pytest.mark.rule("AE-OPEN-16")
def test_room_and_reach_of_boarding_to_the_hundredth() -> None:
    riders = squad(*row(2, 60, 60, 0), where=ABOARD, vessel=CAR)
    for y, able in ((71.51, True), (71.53, False)):
        state = battle([vehicle((60, 60)), squad((60, y)), riders], [FOE])
        assert Fight(state).may(0, BoardVehicle(TEAM, CAR)) == able
    for count, able in ((2, True), (3, False)):
        state = battle([vehicle((60, 60)), squad(*row(count, 58, 65)), riders], [FOE])
        assert Fight(state).may(0, BoardVehicle(TEAM, CAR)) == able
    for places in (0, 4):
        state = battle([vehicle((60, 6), places=places), squad((0, 0), where="away")], [FOE], phase=DEPLOY)
        placing = replace(state, placing=(TEAM,), placed=(0,))
        assert Fight(placing).may(0, Load(TEAM, CAR)) == bool(places)
    on_foot = battle([vehicle((60, 60)), squad((60, 65))], [FOE])
    assert code(Fight(on_foot), 0, GetOut(TEAM, (6000, 7000))) == "board/not-aboard"
    assert code(Fight(on_foot), 0, Drive(TEAM, ((0, 500),))) == "drive/no-vehicle"


@pytest.mark.rule("AE-OPEN-16", "AE-OVER-02")
def test_who_is_suppressed_on_the_way_does_not_board() -> None:
    state = battle([vehicle((60, 60)), squad(*row(3, 58, 68))], [squad((60, 90), overwatch=True)])
    fight = Fight(state, 6, 1, 1, 2, 1).do(0, BoardVehicle(TEAM, CAR))
    fight.answer(1, Reply("answer", {"each": {"group/1.1": "300"}})).expire()
    assert fight.unit("0.2").where == "table"


@pytest.mark.rule("AE-OPEN-16")
def test_landing_needs_free_places_for_all() -> None:
    state = battle([vehicle((60, 60)), squad(*row(3, 60, 60, 0), where=ABOARD, vessel=CAR)], [FOE])
    found = damage.beside(state, state.units[TEAM], hulls.base_of(state, state.units[CAR]))
    places = [*found.values()]
    gaps = [(a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 for n, a in enumerate(places) for b in places[:n]]
    assert len(places) == 3
    assert min(gaps) >= 200**2
    walls = [
        block(str(n), "water", *box)
        for n, box in enumerate([(40, 40, 80, 58), (40, 62, 80, 80), (40, 58, 56, 62), (64, 58, 80, 62)])
    ]
    shut = battle([vehicle((60, 60)), squad(*row(3, 60, 60, 0), where=ABOARD, vessel=CAR)], [FOE], features=walls)
    assert code(Fight(shut), 0, GetOut(TEAM, (6000, 7000))) == "place/no-room"


@pytest.mark.rule("AE-OPEN-16", "AE-POW-01", "AE-CAS-01")
def test_a_vehicle_leads_prisoners_and_takes_wounded() -> None:
    options = Options(prisoners=True, casualties=True)
    state = battle([vehicle((60, 60))], [squad((60, 63.5), (90, 63), (150, 100)), FOE], options=options)
    unit = replace(state.units[GroupId("1.1")], figures=(FigureId("1.1.3"),))
    held = Prisoners(GroupId("1.1"), CAR, 0, (FigureId("1.1.1"),))
    state = replace(
        state,
        units={**state.units, unit.id: unit},
        prisoners=(held,),
        wounded=(Wounded(FigureId("1.1.2"), unit.id),),
    )
    fight = Fight(state).do(0, Drive(CAR, ((0, 1000),)))
    assert captives.is_by(fight.now, fight.now.prisoners[0], fight.unit("0.1"))


@pytest.mark.rule("AE-OPEN-19", "AE-OPEN-18")
def test_stunned_in_its_own_action_a_crew_is_shaken_through_the_next() -> None:
    gunner = squad((60, 90), (62.5, 90), arms=(("hmg127",), ("pi",)), overwatch=True)
    fight = Fight(battle([vehicle((40, 60))], [gunner]), 6, *[1] * 9, 6, 6, 4, 4, 6).do(0, Drive(CAR, ((0, 3000),)))
    fight.answer(1, Reply("answer", {"each": {"group/1.1": "600"}})).expire()
    assert fight.unit("0.1").hull.shaken == 1  # its action is over, the next one still to come
    assert fight.place("0.1.1") == (46, 60)


@pytest.mark.rule("AE-OPEN-19")
def test_a_crash_throws_men_about_and_infantry_aside() -> None:
    riding = squad(*row(2, 60, 60, 0), where=ABOARD, vessel=GroupId("1.1"))
    target = vehicle((60, 60), 180, moved=True)
    state = battle([squad((20, 80), weapons=("rg",)), squad((54, 60))], [target, riding])
    fight = Fight(state, 5, 6, 5, 6, 1, 2, 1, 2, 6).do(0, Fire(CAR, GroupId("1.1")))
    assert fight.place("1.1.1") == (57, 60)
    assert fight.unit("1.2").figures == ("1.2.2",)
    x, y = fight.place("0.2.1")
    assert abs(y - 60) >= 2.5 or x <= 53


@pytest.mark.rule("AE-OPEN-19", "AE-OPEN-18")
def test_boom_of_a_car_bomb_is_its_bomb() -> None:
    bomb = vehicle((60, 60), 180, traits=("bomb",))
    far = squad((60, 70))
    fight = Fight(battle([squad((20, 60), weapons=("rg",))], [bomb, far]), 5, 6, 6, 6, 1).do(
        0, Fire(CAR, GroupId("1.1"))
    )
    assert not fight.now.features  # 10 cm, and no wreck
    assert fight.rolls[-1][1] == "ae.dice.kill"


@pytest.mark.rule("AE-OPEN-16")
def test_running_on_stops_before_what_bars_it() -> None:
    house = block("h", "house", 70, 50, 80, 70)
    still = battle([vehicle((60, 60))], [FOE], features=[house])
    around = lanes.Lanes(still, still.units[CAR], loose=True)
    assert around.fault((6000, 6000), 0, 700) == ""
    assert around.fault((6000, 6000), 0, 701) == "impassable"


@pytest.mark.rule("AE-VEH-01", "AE-OPEN-02")
def test_what_strikes_the_top() -> None:
    state = battle([vehicle((60, 60))], [FOE], features=[block("w", "woods", 15, 50, 30, 70)])
    unit, origin = state.units[CAR], (2000, 6000)
    shell = replace(WEAPONS["rg"], traits=("top",))
    assert damage.part_hit(state, unit, WEAPONS["rg"], origin) == "rear"
    assert damage.part_hit(state, unit, shell, origin) == "top"
    assert damage.part_hit(state, unit, WEAPONS["mo60"], origin) == "top"
    assert damage.part_hit(state, unit, state.resolved.cards["FS-3"], origin) == "top"
    on_hill = battle([vehicle((60, 60))], [FOE], features=[block("h", "hill", 40, 50, 70, 70)])
    assert damage.part_hit(on_hill, on_hill.units[CAR], WEAPONS["rg"], (4500, 6000)) == "rear"
    assert damage.part_hit(on_hill, on_hill.units[CAR], WEAPONS["rg"], (3900, 6000)) == "rear"
    smoke = replace(WEAPONS["rg"], penetration=HARMLESS)
    assert damage.chance(state, unit, smoke, origin) == 0


@pytest.mark.rule("AE-VEH-01", "AE-OPEN-02")
def test_a_railgun_goes_on_through_a_vehicle_into_the_next() -> None:
    target, behind = vehicle((60, 60), 180), vehicle((70, 60), 180)
    state = battle([squad((20, 60), weapons=("rg",))], [target, behind])
    fight = Fight(state, 5, 6, 4, 4, 4, 6, 4, 4, 6, 6).do(0, Fire(CAR, GroupId("1.1")))
    assert [one.unit for one in fight.events(VehiclePenetrated)] == ["1.1", "1.2"]


@pytest.mark.rule("AE-VEH-02", "AE-VEH-01", "AE-VEH-03")
def test_damage_stops_with_the_destruction() -> None:
    gun = squad((20, 60), (22.5, 60), arms=(("hmg127",), ("pi",)))
    fight = Fight(battle([gun], [vehicle((60, 60), 180), FOE]), 6, 6, *[1] * 8, 6, 6, 6, 6, 1, 1)
    fight.do(0, Fire(CAR, GroupId("1.1")))
    assert len(fight.events(VehiclePenetrated)) == 1


@pytest.mark.rule("AE-OPEN-19")
@pytest.mark.parametrize(("lost", "told_of"), [({}, ["0.1"]), ({"where": "gone", "fate": "destroyed"}, [])])
def test_nobody_takes_over_in_a_wreck(lost: dict[str, Any], told_of: list[str]) -> None:
    car = vehicle((60, 60), hull=Wreckage(blocked={"drv": 1}), acted=True, **lost)
    fight = Fight(battle([car, squad((20, 20))], [squad((150, 100), acted=True)], options=Options(overwatch=False)))
    fight.do(0, Finish(GroupId("0.2")))
    assert [one.unit for one in fight.events(CrewmanReplaced)] == told_of
