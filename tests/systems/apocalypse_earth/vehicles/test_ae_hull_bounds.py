"""Drives, passengers and damage of vehicles at their bounds (AE-OPEN-16, -18, -19, AE-VEH)."""

from __future__ import annotations

from typing import Any, Final

import pytest
from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.rulesets.apocalypse_earth.rules.assault.charging import Charge
from engine.rulesets.apocalypse_earth.rules.ending import Finish
from engine.rulesets.apocalypse_earth.rules.fire import arming
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.harm import damage
from engine.rulesets.apocalypse_earth.rules.moves import carrying
from engine.rulesets.apocalypse_earth.rules.moves.carrying import BoardVehicle, GetOut
from engine.rulesets.apocalypse_earth.rules.moves.driving import Drive
from engine.rulesets.apocalypse_earth.rules.table import ground, hulls, lanes, traits
from engine.rulesets.apocalypse_earth.state.fire_events import BlastLanded, Surrendered, WeaponsFired
from engine.rulesets.apocalypse_earth.state.lasting import Blaze, March, Wreckage
from engine.rulesets.apocalypse_earth.state.model import Options
from engine.rulesets.apocalypse_earth.state.state import ABOARD, Activation, Battle
from engine.rulesets.apocalypse_earth.state.turn_events import FiguresMoved, MarchEnded
from engine.rulesets.apocalypse_earth.state.vehicle_events import RepairTried, UnitBoarded, VehicleDriven
from protocol.ids import FigureId, GroupId
from protocol.scene.nodes import Reply
from tests.support.systems.ae_battle import Fight, Squad, battle, block, cm, line, row, squad, vehicle
from tests.support.systems.ae_bounds import refusal, told

CAR, TEAM, FOE = GroupId("0.1"), GroupId("0.2"), GroupId("1.1")
LEAD: Final = FigureId("0.1.1")
FAR = squad((170, 110))


def drive(*legs: tuple[int, float], facing: int = -1) -> Drive:
    """A drive over these headings and distances in centimetres."""
    return Drive(CAR, tuple((heading, round(cm * 100)) for heading, cm in legs), facing)


def driven(
    one: Squad, *legs: tuple[int, float], facing: int = -1, others: tuple[Squad, ...] = (), **table: Any
) -> Fight:
    """Drive a vehicle."""
    return Fight(battle([one, *others], [FAR], **table)).do(0, drive(*legs, facing=facing))


def spent(fight: Fight) -> list[int]:
    """What the drive cost, in hundredths."""
    return [one.spent[LEAD] for one in fight.events(MarchEnded)]


@pytest.mark.rule("AE-OPEN-16", "AE-VEH-04")
@pytest.mark.parametrize(
    ("legs", "code"),
    [
        ((), "drive/turns"),
        (((0, 1),), ""),
        (((0, 1), (0, 1), (0, 1), (0, 1)), ""),
        (((0, 1), (0, 1), (0, 1), (0, 1), (0, 1)), "drive/turns"),
        (((5, 1), (10, 1), (5, 1)), ""),
        (((5, 1), (10, 1), (5, 1), (0, 1)), "drive/turns"),
        (((45, 1),), ""),
        (((46, 1),), "move/turn"),
        (((50, 1),), "move/turn"),
        (((0, 36),), ""),
        (((0, 36.01),), "move/too-far"),
        (((0, -18),), ""),
        (((0, -18.01),), "move/too-far"),
    ],
)
def test_what_a_drive_may_be(legs: tuple[tuple[int, float], ...], code: str) -> None:
    state = battle([vehicle((60, 60))], [FAR])
    assert refusal(state, 0, drive(*legs)) == code


@pytest.mark.rule("AE-OPEN-16", "AE-VEH-04")
def test_a_refusal_tells_what_it_costs_and_what_it_may() -> None:
    refused = Fight(battle([vehicle((60, 60))], [FAR])).match.can(Seat(0), drive((0, 36.01)))
    assert refused is not None
    assert (refused.text.a, refused.at) == ({"cost": 37, "most": 36}, (9601, 6000))
    house = block("h", "house", 70, 55, 80, 65)
    assert refusal(battle([vehicle((60, 60))], [FAR], features=[house]), 0, drive((0, 8)), at=True) == (
        *("drive/impassable", (6800, 6000)),
    )


@pytest.mark.rule("AE-OPEN-16", "AE-VEH-04")
def test_a_vehicle_ends_with_the_heading_that_was_said() -> None:
    for facing, found in ((-1, 45), (0, 0), (90, 90)):
        fight = driven(vehicle((60, 60)), (45, 5), facing=facing)
        assert fight.now.figures[LEAD].facing == found


@pytest.mark.rule("AE-OPEN-16", "AE-VEH-04")
def test_nobody_drives_over_those_who_have_no_room_to_step_aside() -> None:
    walls = [block("a", "water", 55, 52, 90, 58.2), block("b", "water", 55, 61.8, 90, 68)]
    state = battle([vehicle((50, 60))], [squad((70, 60)), FAR], features=walls)
    assert refusal(state, 0, drive((0, 30)), at=True) == ("drive/crowd", (8000, 6000))
    assert refusal(replace(state, features=()), 0, drive((0, 30))) == ""


@pytest.mark.rule("AE-OPEN-16")
def test_who_drives_now() -> None:
    far, near = [FAR], [squad((75, 60)), FAR]
    assert refusal(battle([vehicle((0, 0), where="coming")], far, turn=2), 0, drive((0, 5))) == "drive/no-vehicle"
    assert refusal(battle([squad((60, 60))], far), 0, drive((0, 5))) == "drive/no-vehicle"
    assert refusal(battle([vehicle((60, 60), hull=Wreckage(("eng",)))], far), 0, drive((0, 5))) == "drive/immobile"
    fight = Fight(battle([vehicle((60, 60))], near)).do(0, drive((0, 5)))
    assert (fight.now.active is not None and fight.now.active.step) == 1
    assert refusal(fight.now, 0, drive((0, 5))) == "act/step-past"
    assert told(fight) == ["done"]


@pytest.mark.rule("AE-OPEN-16")
def test_two_straight_pieces_move_men_as_one_does() -> None:
    men = squad(*row(3, 68, 60))
    found = []
    for legs in (((0, 30.0),), ((0, 10.0), (0, 20.0)), ((0, 10.0), (0, 8.0), (0, 12.0))):
        fight = Fight(battle([vehicle((50, 60))], [men, FAR])).do(0, drive(*legs))
        found.append({id: at for one in fight.events(FiguresMoved) for id, at in one.places.items()})
        assert fight.place("0.1.1") == (80, 60)
    assert found[0] == found[1] == found[2]
    assert len(found[0]) == 3


def fired_on(*dice: int, at: str = "600", legs: tuple[tuple[int, float], ...] = ((0, 30),), **foe: Any) -> Fight:
    """Fire a heavy machine gun at a vehicle on its way."""
    gunner = squad((60, 90), (62.5, 90), arms=(("hmg127",), ("pi",)), overwatch=True)
    fight = Fight(battle([vehicle((40, 60), **foe), squad((20, 20))], [gunner, FAR]), 6, *[1] * 9, *dice)
    return fight.do(0, drive(*legs)).answer(1, Reply("answer", {"each": {"group/1.1": at}})).expire()


@pytest.mark.rule("AE-OPEN-16")
def test_a_vehicle_that_is_stopped_has_spent_its_share() -> None:
    stopped = fired_on(6, 6, 4, 4, 6)
    assert (stopped.place("0.1.1"), spent(stopped), told(stopped)[-1]) == ((46, 60), [600], "stopped")
    turned = fired_on(6, 6, 4, 4, 6, legs=((45, 10), (0, 20)))
    assert spent(turned) == [3600 * 600 // 3000]
    assert spent(driven(vehicle((60, 60)), (45, 0))) == [300]
    passed = fired_on(1, 1)
    assert (passed.place("0.1.1"), spent(passed), told(passed)[-1]) == ((70, 60), [3000], "done")
    for own in ((), ("bomb",)):
        gone = fired_on(6, 6, 6, 6, traits=own)
        assert gone.unit("0.1").where == "gone"
        assert [one.at for one in gone.events(VehicleDriven)] == [(4300, 6000), (4600, 6000)]


@pytest.mark.rule("AE-OPEN-16")
def test_a_vehicle_stops_where_it_touches_whom_it_comes_upon() -> None:
    broken = block("b", "broken", 58, 56, 70, 64)
    state = battle([vehicle((40, 60))], [squad((63, 60), hidden=True), FAR], features=[broken])
    fight = Fight(state).do(0, drive((0, 30))).expire()
    assert fight.place("0.1.1") == (59, 60)


@pytest.mark.rule("AE-OPEN-16")
def test_walls_fall_to_what_flattens_them_alone() -> None:
    wall, fence = line("w", "low_wall", (70, 40), (70, 80)), line("f", "fence", (72, 40), (72, 80))
    walker = driven(vehicle((60, 60), kind="walker", size=(4, 4)), (0, 16), features=[wall, fence])
    assert ([piece.id for piece in walker.now.features], spent(walker)) == (["w", "f"], [1600 + 200 + 100])
    tracked = driven(vehicle((60, 60), kind="tracked", size=(8, 4)), (0, 16), features=[wall, fence])
    assert ([piece.id for piece in tracked.now.features], spent(tracked)) == (["w.1", "w.2", "f"], [1600 + 300 + 100])


@pytest.mark.rule("AE-OPEN-16")
def test_only_wheels_gain_by_a_road_and_only_on_it() -> None:
    road = [block("r", "road", 0, 57, 180, 63)]
    way = [(2000, 6000), (6000, 6000)]

    def limit(kind: str, *points: tuple[int, int]) -> int:
        state = battle([vehicle((20, 60), kind=kind)], [FAR], features=road)
        return lanes.limit(state, state.units[CAR], points or way)

    assert [limit(kind) for kind in ("wheeled", "tracked", "walker")] == [4200, 3600, 3600]
    assert limit("wheeled", (2000, 6000), (6000, 6400)) == 3600
    assert limit("wheeled", (2000, 6000), (4000, 6000), (4000, 7000)) == 3600
    assert limit("wheeled", (2000, 6000), (2000, 6000)) == 4200
    assert limit("wheeled", (2000, 8000), (2000, 8000)) == 3600


@pytest.mark.rule("AE-OPEN-16", "AE-OPEN-18")
def test_what_a_vehicle_may_enter() -> None:
    def enters(kind_of: str, kind: str, *own: str, fires: tuple[Blaze, ...] = ()) -> bool:
        area = block("a", kind_of, 66, 50, 70, 70)
        state = battle([vehicle((60, 60), kind=kind, traits=own)], [FAR], features=[area], fires=fires)
        return lanes.may_enter(state, state.units[CAR], ground.scenery_of(state).areas[0])

    assert [enters("woods", kind) for kind in ("wheeled", "tracked", "skimmer", "walker")] == [False, True, False, True]
    assert [enters("water", kind) for kind in ("wheeled", "tracked", "skimmer", "walker")] == [
        False,
        False,
        True,
        False,
    ]
    assert enters("water", "tracked", "amphibious")
    assert enters("marsh", "tracked")
    assert not enters("marsh", "wheeled")
    assert not enters("woods", "tracked", fires=(Blaze("a", 1),))


@pytest.mark.rule("AE-OPEN-16", "AE-FIRE-01")
def test_who_fires_out_of_a_vehicle() -> None:
    def out(*, kind: str = "wheeled", top: int = 6, count: int = 3, before: int = 0) -> list[str]:
        riders = [squad(*[(60, 60)] * n, where=ABOARD, vessel=CAR) for n in (before, count) if n]
        state = battle([vehicle((60, 60), kind=kind, armour=(7, 7, 7, top)), *riders], [FAR])
        last = state.units[GroupId(f"0.{len(riders) + 1}")]
        assert arming.is_in_place(state, last) == bool(hulls.fires_out(state, last))
        return [id.rpartition(".")[2] for id in hulls.fires_out(state, last)]

    assert out() == ["1", "2", "3"]
    assert out(count=6) == ["1", "2", "3", "4"]
    assert out(before=2) == ["1", "2"]
    assert out(before=4) == []
    assert out(top=7) == []
    assert out(kind="tracked") == []
    state = battle([squad((20, 20)), squad((30, 30), where="coming")], [FAR])
    assert [arming.is_in_place(state, state.units[id]) for id in (CAR, TEAM)] == [True, False]


@pytest.mark.rule("AE-OPEN-16", "AE-MOVE-01")
def test_the_rating_of_who_has_got_out() -> None:
    state = battle([squad((20, 20)), squad((30, 30))], [FAR])
    landed = replace(state, active=Activation(CAR, landed=True))
    assert [traits.allowance(landed, landed.units[id]) for id in (CAR, TEAM)] == [900, 1200]
    begun = replace(state, active=Activation(CAR))
    assert traits.allowance(begun, begun.units[CAR]) == 1200


@pytest.mark.rule("AE-OPEN-16")
def test_a_unit_boards_with_what_it_has_left_of_its_rating() -> None:
    def march(x: float, y: float, **table: Any) -> March:
        state = battle([squad((x, y)), vehicle((60, 60))], [FAR], **table)
        return carrying.check_board(state, 0, BoardVehicle(CAR, TEAM))

    there = march(60, 62.51)
    assert there.ways == {LEAD: ((6000, 6251), (6000, 6251))}
    assert march(60, 70).ways[LEAD][1] == (6000, 6251)
    state = battle([squad((60, 72)), vehicle((60, 60))], [FAR])
    assert refusal(state, 0, BoardVehicle(CAR, TEAM), at=True) == ("board/too-far", (6000, 7200))
    water = block("w", "water", 55, 64, 65, 66)
    shut = battle([squad((60, 70)), vehicle((60, 60))], [FAR], features=[water])
    assert refusal(shut, 0, BoardVehicle(CAR, TEAM)) == "board/too-far"
    aboard = battle([squad((60, 60), where=ABOARD, vessel=TEAM), vehicle((60, 60))], [FAR])
    assert refusal(aboard, 0, BoardVehicle(CAR, TEAM)) == "act/not-yours"
    alone = battle([squad((60, 62.51))], [FAR])
    assert refusal(alone, 0, BoardVehicle(CAR, FOE), at=True) == ("board/no-vehicle", None)


@pytest.mark.rule("AE-OPEN-16")
def test_who_is_suppressed_at_the_vehicle_does_not_get_in() -> None:
    state = battle([vehicle((60, 60)), squad((58, 64.5), (60, 64.5))], [squad((60, 90), overwatch=True), FAR])
    for check, boarded in ((1, 0), (6, 1)):
        fight = Fight(state, 6, 1, 1, 2, check).do(0, BoardVehicle(TEAM, CAR))
        fight.answer(1, Reply("answer", {"each": {"group/1.1": "199"}})).expire()
        assert len(fight.events(UnitBoarded)) == boarded
        assert told(fight)[-1] == ("done" if boarded else "stopped")


@pytest.mark.rule("AE-OPEN-16", "AE-OPEN-19")
def test_places_beside_a_vehicle_are_in_contact_as_long_as_there_is_room() -> None:
    def beside(count: int, wish: tuple[int, int] | None = None, **table: Any) -> list[tuple[int, int]]:
        state = battle([vehicle((60, 60)), squad(*[(60, 60)] * count, where=ABOARD, vessel=CAR)], [FAR], **table)
        return [*damage.beside(state, state.units[TEAM], hulls.base_of(state, state.units[CAR]), wish).values()]

    assert beside(3) == [(5599, 5749), (5799, 5749), (5999, 5749)]
    assert beside(1, (6000, 9000))[0][1] == 6251
    ring = beside(30)
    assert len(ring) == 30
    walls = [
        block(str(n), "water", *box)
        for n, box in enumerate([(40, 40, 80, 58), (40, 62, 80, 80), (40, 58, 56, 62), (64, 58, 80, 62)])
    ]
    assert beside(3, features=walls) == []


@pytest.mark.rule("AE-OPEN-16")
def test_who_gets_out_beside_a_beaten_enemy_takes_it() -> None:
    riders = squad((60, 60), where=ABOARD, vessel=CAR)
    state = battle([vehicle((60, 60), weapons=()), riders], [squad((60, 66), suppressed=True), FAR])
    fight = Fight(state).do(0, GetOut(TEAM, (6000, 6300)))
    assert [(one.unit, one.captor) for one in fight.events(Surrendered)] == [("1.1", "0.2")]


@pytest.mark.rule("AE-OPEN-16", "AE-OPEN-02")
def test_chargers_use_what_they_have_until_the_vehicle_is_gone() -> None:
    cases: list[tuple[str, int, tuple[int, ...], bool]] = [
        ("dc", 11, (1, 1, 6, 6, 6, 6, 1, 1, 1), True),
        ("dc", 40, (6, 1, 1, 1, 6), False),
        ("ar", 40, (1, 1, 1, 1), False),
    ]
    for second, armour, dice, gone in cases:
        own = squad((58, 50), (60.1, 50), (62.2, 50), arms=(("dc",), (second,), ("ar",)))
        truck = vehicle((60, 60), 270, weapons=(), armour=(armour, armour, armour, armour))
        fight = Fight(battle([own, FAR], [truck, FAR]), 6, 3, *dice).do(0, Charge(CAR, FOE)).expire()
        assert (fight.unit("1.1").where == "gone") == gone
        assert [one.figures for one in fight.events(WeaponsFired)] == [("0.1.1",)]


@pytest.mark.rule("AE-OPEN-18", "AE-OPEN-19")
@pytest.mark.parametrize(
    ("target", "dice", "weapon"),
    [
        (vehicle((60, 60), 180), (6, 6), "boom"),
        (vehicle((60, 60), 180, traits=("bomb",)), (6, 6), "bomb"),
    ],
)
def test_an_explosion_is_of_the_vehicle_or_of_its_bomb(target: Squad, dice: tuple[int, ...], weapon: str) -> None:
    fight = Fight(battle([squad((20, 60), weapons=("rg",))], [target, FAR]), 5, 6, *dice).do(0, Fire(CAR, FOE))
    assert [one.weapon for one in fight.events(BlastLanded)] == [weapon]


@pytest.mark.rule("AE-OPEN-19")
def test_what_counts_as_moving() -> None:
    def moving(march: str = "", **own: Any) -> bool:
        state = battle([vehicle((60, 60), **own), squad((20, 20))], [FAR])
        if march:
            lead = FigureId(f"{march}.1")
            state = replace(state, march=March(GroupId(march), "move", lead, {lead: cm((0, 0), (1, 0))}, 100))
        return hulls.is_moving(state, state.units[CAR])

    assert [moving(), moving(moved=True), moving("0.1"), moving("0.2")] == [False, True, True, False]


def hit(target: Squad, *dice: int, others: tuple[Squad, ...] = (), **table: Any) -> Fight:
    """Fire one shot of a railgun that hits and penetrates, with these dice for what follows."""
    fight = Fight(battle([squad((20, 60), weapons=("rg",))], [target, *others], **table), 5, 6, *dice)
    return fight.do(0, Fire(CAR, FOE))


@pytest.mark.rule("AE-OPEN-19")
def test_without_passengers_the_damage_is_another() -> None:
    state = battle([squad((20, 60))], [vehicle((60, 60), weapons=("mg", "hmg50")), FAR])
    for code, lost, shaken in (("pas3", (), 1), ("pas6", ("sec/hmg50",), 0)):
        codes = [id for id, one in state.resolved.codes.items() if id == code]
        assert codes == [code]
        found = suffered(state, code)
        assert (found.unit("1.1").hull.codes, found.unit("1.1").hull.shaken) == (lost, shaken)


def suffered(state: Battle, code: str) -> Fight:
    """Let a vehicle take one damage, whatever the dice of its table say."""
    classes = {
        id: replace(one, front=(code,) * len(one.front), side=(code,) * len(one.side), rear=(code,) * len(one.rear))
        for id, one in state.resolved.classes.items()
    }
    own = replace(state.resolved, classes=classes)
    armed = battle([squad((20, 60), weapons=("rg",))], [vehicle((60, 60), 180, weapons=("mg", "hmg50")), FAR])
    return Fight(replace(armed, resolved=replace(armed.resolved, classes=own.classes)), 5, 6, 3, 4, 6).do(
        0, Fire(CAR, FOE)
    )


@pytest.mark.rule("AE-OPEN-20", "AE-OPEN-21")
@pytest.mark.parametrize(
    ("kind", "facing", "dice", "codes"),
    [("wheeled", 90, (3, 4), ("whl",)), ("tracked", 180, (4, 4), ("trk",)), ("tracked", 90, (3, 4), ("trk",))],
)
def test_what_a_table_says_is_done(kind: str, facing: int, dice: tuple[int, int], codes: tuple[str, ...]) -> None:
    assert hit(vehicle((60, 60), facing, kind=kind), *dice, 6).unit("1.1").hull.codes == codes


@pytest.mark.rule("AE-VEH-01", "AE-OPEN-02")
def test_who_is_blown_up_by_a_shot_harms_those_around_at_once() -> None:
    fight = hit(vehicle((60, 60), 180), 6, 6, 3, others=(squad((66, 63)), FAR))
    assert [one.weapon for one in fight.events(BlastLanded)] == ["boom"]
    assert fight.unit("1.2").figures == ()


@pytest.mark.rule("AE-VEH-05")
def test_a_mechanic_may_leave_it() -> None:
    crew = squad((60, 62.5), roles={0: ("mechanic",)})
    state = battle(
        [vehicle((60, 60), hull=Wreckage(("whl",))), crew], [FAR], options=Options(repairs=True, overwatch=False)
    )
    fight = Fight(state)
    for unit in ("0.1", "1.1", "0.2"):
        fight.do(int(unit[0]), Finish(GroupId(unit)))
    fight.answer(0, "none")
    assert (fight.events(RepairTried), fight.now.turn) == ([], 2)


@pytest.mark.rule("AE-OPEN-19")
def test_who_finds_no_place_beside_a_wreck_falls_with_it() -> None:
    walls = [
        block(str(n), "water", *box)
        for n, box in enumerate(
            [(30, 40, 90, 58.4), (30, 61.6, 90, 80), (30, 58.4, 56.9, 61.6), (63.1, 58.4, 90, 61.6)]
        )
    ]
    riding = squad(*[(60, 60)] * 2, where=ABOARD, vessel=FOE)
    fight = hit(vehicle((60, 60), 180), 1, 2, 3, 4, others=(riding, FAR), features=walls)
    assert fight.unit("1.2").where == "gone"


@pytest.mark.rule("AE-OPEN-19")
def test_a_crash_stops_before_a_building() -> None:
    house = block("h", "house", 50, 50, 54, 59)
    fight = hit(vehicle((60, 60), 180, moved=True), 5, 6, 3, 4, 6, features=[house], others=(FAR,))
    assert fight.place("1.1.1") == (57, 60)
