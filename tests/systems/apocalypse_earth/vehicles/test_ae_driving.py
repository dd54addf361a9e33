"""Drives of vehicles (AE-OPEN-16, AE-OPEN-18, AE-VEH-04)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.rules.errors import IllegalIntent
from engine.rulesets.apocalypse_earth.rules.ending import Finish
from engine.rulesets.apocalypse_earth.rules.fire.firing import Fire
from engine.rulesets.apocalypse_earth.rules.moves.driving import Detonate, Drive, LaySmoke
from engine.rulesets.apocalypse_earth.state.turn_events import FiguresMoved, MarchEnded
from engine.space.vectors.points import squared
from protocol.ids import FigureId, GroupId
from protocol.scene.nodes import Reply
from tests.support.systems.ae_battle import Fight, Squad, battle, block, line, row, squad, vehicle

FOE = squad((170, 110))
CAR = GroupId("0.1")


def drive(*legs: tuple[int, float], facing: int = -1) -> Drive:
    """Return a drive over these headings and distances in centimetres."""
    return Drive(CAR, tuple((heading, round(cm * 100)) for heading, cm in legs), facing)


def played(one: Squad, *legs: tuple[int, float], others: tuple[Squad, ...] = (), **table: Any) -> Fight:
    """Drive a vehicle and return the fight."""
    return Fight(battle([one, *others], [FOE], **table)).do(0, drive(*legs))


def refused(one: Squad, *legs: tuple[int, float], **table: Any) -> str:
    """Return the code with which a drive is refused."""
    with pytest.raises(IllegalIntent) as caught:
        played(one, *legs, **table)
    return caught.value.refusal.code


def cost(fight: Fight) -> int:
    """Return what the drive cost, in hundredths."""
    [ended] = fight.events(MarchEnded)
    return ended.spent[FigureId("0.1.1")]  # type: ignore[no-any-return]


@pytest.mark.rule("AE-OPEN-16", "AE-VEH-04")
def test_a_vehicle_goes_straight_and_turns_on_the_spot() -> None:
    fight = played(vehicle((40, 40)), (0, 20), (45, 10))
    assert fight.now.figures[FigureId("0.1.1")].facing == 45
    assert fight.place("0.1.1") == (67.07, 47.07)
    assert cost(fight) == 3300


@pytest.mark.rule("AE-OPEN-16")
def test_reverse_costs_twice_and_turns_three_each() -> None:
    assert cost(played(vehicle((60, 60)), (0, -10))) == 2000
    assert refused(vehicle((60, 60)), (0, -19)) == "move/too-far"
    assert refused(vehicle((60, 60)), (50, 5)) == "move/turn"
    assert refused(vehicle((60, 60)), (45, 5), (90, 5), (45, 5), (0, 5)) == "drive/turns"
    walker = vehicle((60, 60), kind="walker", move=18, size=(4, 4))
    assert cost(played(walker, (45, 18))) == 1800


@pytest.mark.rule("AE-OPEN-16")
def test_the_lane_must_be_free() -> None:
    house = block("h", "house", 70, 55, 80, 65)
    assert refused(vehicle((60, 60)), (0, 10), features=[house]) == "drive/impassable"
    assert refused(vehicle((4, 60), 180), (180, 5)) == "drive/off-table"
    assert refused(vehicle((60, 60)), (0, 20), others=(vehicle((75, 60)),)) == "drive/vehicle"
    assert refused(vehicle((60, 60)), (0, 30), others=(vehicle((68, 60)),)) == "drive/vehicle", "not through it"


@pytest.mark.rule("AE-OPEN-16", "AE-OPEN-18", "AE-MOVE-03")
@pytest.mark.parametrize(
    ("kind", "traits", "ground", "spent"),
    [
        ("wheeled", (), "rubble", 2 * 600 + 400 * 3),
        ("tracked", (), "rubble", 2 * 600 + 400 * 2),
        ("tracked", ("heavy",), "rubble", 2 * 600 + 400 * 3 // 2),
        ("skimmer", (), "marsh", 1600),
        ("walker", ("heavy",), "woods", 1600),
        ("tracked", ("amphibious",), "water", 2 * 600 + 400 * 2),
        ("skimmer", (), "water", 1600),
    ],
)
def test_difficult_ground_costs_by_class(kind: str, traits: tuple[str, ...], ground: str, spent: int) -> None:
    one = vehicle((60, 60), kind=kind, traits=traits, size=(4, 4))
    fight = played(one, (0, 16), features=[block("a", ground, 66, 50, 70, 70)])
    assert cost(fight) == spent


@pytest.mark.rule("AE-OPEN-16", "AE-OPEN-18", "AE-MOVE-03")
@pytest.mark.parametrize(
    ("kind", "ground"), [("wheeled", "woods"), ("wheeled", "marsh"), ("skimmer", "woods"), ("tracked", "water")]
)
def test_some_ground_is_closed_to_a_class(kind: str, ground: str) -> None:
    assert (
        refused(vehicle((60, 60), kind=kind), (0, 16), features=[block("a", ground, 66, 50, 70, 70)]) == "drive/ground"
    )


@pytest.mark.rule("AE-OPEN-16")
def test_tracks_flatten_a_wall_that_stops_wheels() -> None:
    wall = line("w", "low_wall", (70, 40), (70, 80))
    assert refused(vehicle((60, 60)), (0, 16), features=[wall]) == "drive/ground"
    fight = played(vehicle((60, 60), kind="tracked", size=(8, 4)), (0, 16), features=[wall])
    assert cost(fight) == 1900
    left = {piece.id: piece.outline for piece in fight.now.features}
    assert left == {"w.1": ((7000, 4000), (7000, 5800)), "w.2": ((7000, 6200), (7000, 8000))}


@pytest.mark.rule("AE-OPEN-16", "AE-OPEN-18")
def test_wheels_go_farther_on_a_road() -> None:
    road = block("r", "road", 0, 57, 180, 63)
    assert cost(played(vehicle((20, 60)), (0, 42), features=[road])) == 4200
    assert refused(vehicle((20, 60)), (0, 42.1), features=[road]) == "move/too-far"
    assert refused(vehicle((20, 60)), (0, 42)) == "move/too-far"
    assert refused(vehicle((20, 60), kind="tracked"), (0, 42), features=[road]) == "move/too-far"


@pytest.mark.rule("AE-OPEN-16")
def test_infantry_steps_aside_out_of_the_lane() -> None:
    fight = Fight(battle([vehicle((40, 60))], [squad(*row(3, 60, 60)), FOE])).do(0, drive((0, 30)))
    assert fight.place("0.1.1") == (70, 60)
    [moved] = fight.events(FiguresMoved)
    assert moved.why == "aside"
    for figure, at in moved.places.items():
        assert abs(at[1] - 6000) >= 250
        assert squared(at, (int(100 * (60 + 2.5 * (int(figure[-1]) - 1))), 6000)) <= 600**2


@pytest.mark.rule("AE-OPEN-16")
def test_figures_in_cover_bar_the_lane() -> None:
    broken = block("b", "broken", 58, 50, 70, 70)
    with pytest.raises(IllegalIntent, match="drive/figures"):
        Fight(battle([vehicle((40, 60))], [squad((62, 60)), FOE], features=[broken])).do(0, drive((0, 30)))


@pytest.mark.rule("AE-OPEN-16", "AE-OVER-02")
def test_overwatch_stops_a_vehicle_on_its_way() -> None:
    gunner = squad((60, 90), (62.5, 90), arms=(("hmg127",), ("pi",)), overwatch=True)
    fight = Fight(battle([vehicle((40, 60))], [gunner]), 6, *[1] * 9, 6, 6, 4, 3, 6)
    fight.do(0, drive((0, 30)))
    fight.answer(1, Reply("answer", {"each": {"group/1.1": "600"}})).expire()
    assert fight.place("0.1.1") == (46, 60)
    assert fight.unit("0.1").hull.codes == ("whl",)
    with pytest.raises(IllegalIntent, match="act/step-past"):
        fight.do(0, drive((0, 5)))


@pytest.mark.rule("AE-OPEN-18")
def test_smoke_once_a_game() -> None:
    fight = Fight(battle([vehicle((40, 60), traits=("smoke",))], [FOE])).do(0, LaySmoke(CAR))
    [cloud] = fight.now.clouds
    assert (cloud.at, cloud.radius, cloud.until) == ((4000, 6000), 600, 2)
    fight.do(1, Finish(GroupId("1.1"))).expire()
    assert fight.now.turn == 2
    with pytest.raises(IllegalIntent, match="drive/no-smoke"):
        fight.do(0, LaySmoke(CAR))


@pytest.mark.rule("AE-OPEN-18")
def test_a_bomb_blows_up_with_all_around() -> None:
    bomb = vehicle((40, 60), armour=(7, 7, 7, 6), crew=1, places=0, weapons=(), traits=("bomb",))
    hit = vehicle((48, 60), 90)
    fight = Fight(battle([bomb], [squad((40, 52)), hit, FOE]), 3, 1, 1, 4, 4, 6)
    fight.do(0, Detonate(CAR))
    assert (fight.unit("0.1").where, fight.unit("0.1").fate) == ("gone", "destroyed")
    assert fight.unit("1.1").figures == ()
    assert fight.unit("1.2").hull.codes == ("stun",) or fight.unit("1.2").hull.shaken == 1
    assert not fight.now.features


@pytest.mark.rule("AE-OPEN-16", "AE-VEH-04")
def test_a_vehicle_fires_all_its_weapons_after_moving() -> None:
    tank = vehicle((40, 60), weapons=("mg", "hmg50"), size=(8, 4), kind="tracked")
    fight = Fight(battle([tank], [squad(*row(3, 80, 60))]), *[1] * 20)
    fight.do(0, drive((0, 10))).do(0, Fire(CAR, GroupId("1.1")))
    assert [roll[2] for roll in fight.rolls] == [10, 10]
