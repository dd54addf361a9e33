"""Vehicles, Walkers, Monsters (OP-VEH, OP-UNIT-04, -05)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from msgspec.structs import replace

from engine.core.rules.errors import IllegalIntent
from engine.rulesets.one_page.rules import damage, traits
from engine.rulesets.one_page.rules.assaults import Assault, check_assault
from engine.rulesets.one_page.rules.driving import Drive
from engine.rulesets.one_page.rules.moving import Hold, Move
from engine.rulesets.one_page.rules.shooting import Shoot
from engine.rulesets.one_page.state.events import Activated, BlowStruck, DamageRolled, Tracked, UnitMoved
from engine.rulesets.one_page.state.profiles import Kind
from engine.rulesets.one_page.state.state import Battle
from protocol.ids import FigureId, GroupId
from tests.support.systems.battle import Fight, Squad, battle, block, refusal, row, sound, squad, wall

GROUP_1_1 = GroupId("1.1")

GROUP_0_1 = GroupId("0.1")
FIGURE_0_1_1 = FigureId("0.1.1")


def tank(x: int = 3000, y: int = 1000, **more: object) -> Squad:
    """A Vehicle that looks north."""
    given = {"kind": "vehicle", "tough": 9, "size": 300, "facing": 90, "weapons": ["gun"], **more}
    return squad((x, y), **given)  # type: ignore[arg-type]


def wounded(target: Squad, gunner: tuple[int, int], *dice: int) -> Fight:
    """A gunner with three attacks holds and shoots at a machine."""
    state = battle([squad(gunner, weapons=["gun"])], [target, squad((9000, 6000))])
    return Fight(state, *dice).do(0, Hold(GROUP_0_1)).do(0, Shoot(GROUP_0_1, GROUP_1_1))


@pytest.mark.rule("OP-VEH-01", "OP-UNIT-04", "OP-UNIT-05")
def test_classes_bring_their_rules() -> None:
    state = battle([tank(), squad((5000, 1000), kind="walker"), squad((6000, 1000), kind="monster")], [squad((1, 1))])
    units = list(state.units.values())
    assert [traits.has(state, unit, "armored") for unit in units] == [True, True, True, False]
    assert [traits.has(state, unit, "relentless") for unit in units] == [True, True, True, False]
    assert [traits.has(state, unit, "fear") for unit in units] == [False, False, True, False]


@pytest.mark.rule("OP-UNIT-01")
def test_what_is_not_special_is_infantry() -> None:
    state = battle([tank(), squad((5000, 1000), kind="hero")], [squad((9000, 6000))])
    assert [traits.profile(state, unit).infantry for unit in state.units.values()] == [False, True, True]


@pytest.mark.rule("OP-VEH-02")
def test_a_vehicle_walks_12_and_runs_18_inches() -> None:
    state = battle([tank(), squad((9000, 1000))], [squad((9000, 6000))])
    assert Fight(state).do(0, Drive(GROUP_0_1, False, 90, 1200)).place("0.1.1") == (3000, 2200)
    assert Fight(state).do(0, Drive(GROUP_0_1, True, 90, 1800)).place("0.1.1") == (3000, 2800)
    for run, far in ((False, 1201), (True, 1801)):
        with pytest.raises(IllegalIntent):
            Fight(state).do(0, Drive(GROUP_0_1, run, 90, far))


@pytest.mark.rule("OP-VEH-03")
def test_one_turn_of_90_degrees_anywhere_and_reverse_at_half_speed() -> None:
    state = battle([tank(), squad((9000, 1000))], [squad((9000, 6000))])
    fight = Fight(state).do(0, Drive(GROUP_0_1, False, 0, 700, before=500))
    assert fight.place("0.1.1") == (3700, 1500)
    assert fight.now.figures[FIGURE_0_1_1].facing == 0
    with pytest.raises(IllegalIntent):
        Fight(state).do(0, Drive(GROUP_0_1, False, 185, 100))
    assert Fight(state).do(0, Drive(GROUP_0_1, False, 90, -600)).place("0.1.1") == (3000, 400)
    with pytest.raises(IllegalIntent):
        Fight(state).do(0, Drive(GROUP_0_1, False, 90, -601))
    turned = Fight(state).do(0, Hold(GROUP_0_1, 270))
    assert turned.now.figures[FIGURE_0_1_1].facing == 270
    with pytest.raises(IllegalIntent):
        Fight(state).do(0, Move(GROUP_0_1, False, (3300, 1000)))


@pytest.mark.rule("OP-VEH-03")
@pytest.mark.parametrize(
    ("kind", "facing", "code"),
    [
        ("vehicle", -1, ""),
        ("vehicle", 0, ""),
        ("vehicle", 270, ""),
        ("vehicle", 355, ""),
        ("vehicle", 360, "move/turn"),
        ("vehicle", 42, "move/turn"),
        ("walker", -1, ""),
        ("walker", 180, "move/turn"),
        ("walker", 0, "move/turn"),
    ],
)
def test_a_vehicle_that_holds_may_turn_anywhere_by_fives(kind: Kind, facing: int, code: str) -> None:
    fight = Fight(battle([tank(kind=kind), squad((9000, 1000))], [squad((9000, 6000))]))
    assert refusal(fight.do, 0, Hold(GROUP_0_1, facing)) == code
    assert [one.action for one in fight.events(Activated)] == ([] if code else ["hold"])
    turned = [] if code or facing < 0 else [facing]
    assert [move.facing for move in fight.events(UnitMoved)] == turned
    assert fight.now.figures[FIGURE_0_1_1].facing == (turned or [90])[0]


@pytest.mark.rule("OP-VEH-02", "OP-VEH-03")
@pytest.mark.parametrize(
    ("run", "facing", "before", "ahead", "code"),
    [
        (False, 90, 0, 1200, ""),
        (False, 90, 0, 1201, "move/too-far"),
        (True, 90, 0, 1800, ""),
        (True, 90, 0, 1801, "move/too-far"),
        (False, 90, 0, -600, ""),
        (False, 90, 0, -601, "move/too-far"),
        (False, 90, -300, 600, ""),
        (False, 90, -300, 601, "move/too-far"),
        (True, 90, 0, -900, ""),
        (True, 90, 0, -901, "move/too-far"),
        (False, 0, 600, 600, ""),
        (False, 180, 600, 600, ""),
        (False, 185, 0, 100, "move/turn"),
        (False, 355, 0, 100, "move/turn"),
        (False, 42, 0, 100, "move/turn"),
        (False, 360, 0, 100, "move/turn"),
        (False, -5, 0, 100, "move/turn"),
        (True, 90, 0, 10**12, "move/too-far"),
    ],
)
def test_how_a_vehicle_that_looks_north_may_drive(run: bool, facing: int, before: int, ahead: int, code: str) -> None:
    fight = Fight(battle([tank(3000, 2000), squad((9000, 1000))], [squad((9000, 6000))]))
    assert refusal(fight.do, 0, Drive(GROUP_0_1, run, facing, ahead, before)) == code
    assert [one.action for one in fight.events(Activated)] == ([] if code else ["run" if run else "walk"])


@pytest.mark.rule("OP-VEH-02", "OP-VEH-03")
@pytest.mark.parametrize(
    ("kind", "tracked", "code"),
    [("vehicle", True, "move/tracked"), ("walker", False, "move/walks"), ("vehicle", False, "")],
)
def test_only_a_vehicle_that_is_not_tracked_drives(kind: Kind, tracked: bool, code: str) -> None:
    state = battle([tank(kind=kind, tracked=tracked), squad((9000, 1000))], [squad((9000, 6000))])
    turning = {"move/walks": "move/turn"}.get(code, code)
    assert refusal(Fight(state).do, 0, Hold(GROUP_0_1, 180)) == turning
    assert refusal(Fight(state).do, 0, Drive(GROUP_0_1, False, 90, 100)) == code


@pytest.mark.rule("OP-VEH-04", "OP-MELEE-02")
def test_a_vehicle_that_charges_rams_for_d6_hits() -> None:
    state = battle([tank(), squad((9000, 1000))], [squad(*row(5, 2800, 2000)), squad((9000, 6000))])
    fight = Fight(state, 1, 1, 3, 6, 6, 6, *[1] * 5).do(0, Assault(GROUP_0_1, GROUP_1_1))
    blows = [one.blow for one in fight.events(BlowStruck)]
    assert [(blow.hits, blow.blocked) for blow in blows if blow.kind == "ram"] == [(3, 3)]


@pytest.mark.rule("OP-VEH-05", "OP-VEH-06")
def test_every_wound_rolls_on_the_table_of_its_side() -> None:
    """The worked example: rear, dice 2 and 5: Tracked. In front the lowest counts: 2, glanced."""
    rear = wounded(tank(3000, 2500, tough=6), (3000, 1000), 6, 1, 1, 1, 1, 2, 5)
    assert [(one.side, one.face) for one in rear.events(DamageRolled)] == [("rear", 5)]
    assert rear.unit(GROUP_1_1).tracked
    front = wounded(tank(3000, 2500, facing=270), (3000, 1000), 6, 1, 1, 1, 1, 2, 5)
    assert [(one.side, one.face) for one in front.events(DamageRolled)] == [("front", 2)]
    assert not front.unit(GROUP_1_1).tracked
    side = wounded(tank(3000, 2500, facing=0), (3000, 1000), 6, 1, 1, 1, 1, 3)
    assert [(one.side, one.face) for one in side.events(DamageRolled)] == [("side", 3)]
    assert side.unit(GROUP_1_1).shaken == 1


@pytest.mark.rule("OP-VEH-06")
def test_the_chance_of_a_high_face_is_that_of_the_side_hit() -> None:
    sides = ("front", "side", "rear")
    assert [damage.chance_above(4, side) for side in sides] == [Fraction(1, 9), Fraction(1, 3), Fraction(5, 9)]


@pytest.mark.rule("OP-VEH-06")
def test_four_quarters_about_the_axis() -> None:
    assert damage.side_hit((0, 0), 90, (50, 100)) == "front"
    assert damage.side_hit((0, 0), 90, (100, 50)) == "side"
    assert damage.side_hit((0, 0), 90, (-100, -50)) == "side"
    assert damage.side_hit((0, 0), 90, (10, -100)) == "rear"


@pytest.mark.rule("OP-VEH-05")
def test_the_wound_that_destroys_it_is_not_rolled_for() -> None:
    gone = wounded(tank(3000, 2500, tough=1), (3000, 1000), 6, 1, 1, 1, 1)
    assert not gone.events(DamageRolled)
    assert gone.unit(GROUP_1_1).where == "gone"


@pytest.mark.rule("OP-VEH-07")
def test_tracked_again_is_a_wound_more_and_another_roll() -> None:
    """The worked example: Tracked, from the side, dice 6, 5, 2: two more wounds, then glanced."""
    fight = wounded(tank(3000, 2500, facing=0, tracked=True), (3000, 1000), 6, 1, 1, 1, 1, 6, 5, 2)
    assert fight.now.figures[FigureId("1.1.1")].wounds == 3
    assert len(fight.events(DamageRolled)) == 3


@pytest.mark.rule("OP-VEH-05")
def test_a_tracked_machine_neither_moves_nor_turns() -> None:
    state = battle([tank(tracked=True), squad((9000, 1000))], [squad((9000, 6000))])
    for intent in (Drive(GROUP_0_1, False, 90, 100), Hold(GROUP_0_1, 180)):
        with pytest.raises(IllegalIntent):
            Fight(state).do(0, intent)
    assert Fight(state).do(0, Hold(GROUP_0_1)).log


@pytest.mark.rule("OP-OPEN-15")
def test_swamps_and_barricades_may_stop_a_vehicle() -> None:
    def drive(state: Battle, *dice: int) -> Fight:
        return Fight(state, *dice).do(0, Drive(GROUP_0_1, True, 90, 1500))

    bog = battle([tank(), squad((9000, 1000))], [squad((9000, 6000))], block("bog", "swamp", 2500, 1500, 3500, 1700))
    stuck = drive(bog, 1)
    assert stuck.events(Tracked)
    assert 1495 <= stuck.place("0.1.1")[1] <= 1505
    assert drive(bog, 2).place("0.1.1") == (3000, 2500)
    bar = battle([tank(), squad((9000, 1000))], [squad((9000, 6000))], wall("bar", (2500, 1500), (3500, 1500)))
    stopped = drive(bar, 1)
    assert 1490 <= stopped.place("0.1.1")[1] < 1500
    assert not stopped.events(Tracked)
    wood = battle([tank(), squad((9000, 1000))], [squad((9000, 6000))], block("wood", "forest", 2500, 1500, 3500, 1700))
    with pytest.raises(IllegalIntent):
        drive(wood)


@pytest.mark.rule("OP-SR-06", "OP-OPEN-15")
def test_who_flies_passes_over_units_and_obstacles_and_does_not_end_on_them() -> None:
    house = block("house", "building", 2800, 1400, 3200, 1600)
    own = squad((3000, 1000), rules=["flying"])
    state = battle([own, squad((9000, 1000))], [squad((3000, 1250)), squad((9000, 6000))], house)
    assert Fight(state).do(0, Move(GROUP_0_1, True, (3000, 2000))).events(UnitMoved)
    for place in ((3000, 1500), (3000, 1250)):
        with pytest.raises(IllegalIntent):
            Fight(state).do(0, Move(GROUP_0_1, True, place))
    walking = battle([squad((3000, 1000)), squad((9000, 1000))], [squad((9000, 6000))], house)
    with pytest.raises(IllegalIntent):
        Fight(walking).do(0, Move(GROUP_0_1, True, (3000, 2000)))


def crater(*corners: int) -> Battle:
    """A tank that looks north, an enemy 14 inches ahead of it, and a crater."""
    hole = block("hole", "crater", *corners)
    return battle([tank(), squad((9000, 1000))], [squad((3000, 2400)), squad((9000, 6000))], hole)


@pytest.mark.rule("OP-TERR-01", "OP-VEH-03", "OP-MELEE-01")
def test_a_vehicle_assaults_neither_through_cover_nor_into_it() -> None:
    """The crater lies across the way, or beside the enemy, under the base of the Vehicle."""
    for hole in (2500, 1400, 3500, 1700), (2500, 1300, 2900, 3000):
        assert refusal(check_assault, crater(*hole), 0, Assault(GROUP_0_1, GROUP_1_1)) == "move/cover"


@pytest.mark.rule("OP-VEH-03", "OP-MELEE-01")
@pytest.mark.parametrize("hole", [(2500, 1300, 2840, 3000), (2500, 2500, 3500, 3000)])
def test_a_vehicle_assaults_past_cover(hole: tuple[int, int, int, int]) -> None:
    """The crater lies farther beside the enemy, or behind it."""
    assert sound(check_assault, crater(*hole), 0, Assault(GROUP_0_1, GROUP_1_1)).way[-1][0] == 3000


@pytest.mark.rule("OP-TERR-03", "OP-MELEE-01")
def test_a_vehicle_assaults_a_unit_in_cover_at_its_edge() -> None:
    state = crater(2500, 2000, 3500, 3000)
    assert sound(check_assault, state, 0, Assault(GROUP_0_1, GROUP_1_1)).way[-1] == (3000, 1846)


def sheltered(enemy: int, rules: Sequence[str], *, out: bool) -> Battle:
    """A tank that looks north in a crater, whose edge is 6 inches ahead, and an enemy. `out`: units may assault out."""
    hole = block("hole", "crater", 2500, 800, 3500, 1600)
    state = battle([tank(rules=rules), squad((9000, 1000))], [squad((3000, enemy)), squad((9000, 6000))], hole)
    return replace(state, resolved=replace(state.resolved, assault_out=out))


@pytest.mark.rule("OP-TERR-01", "OP-VEH-03", "OP-MELEE-01")
@pytest.mark.parametrize(
    ("rules", "enemy", "code"),
    [([], 3600, ""), ([], 3700, "move/too-far"), (["flying"], 2900, ""), (["flying"], 3600, "assault/out-of-reach")],
)
def test_a_vehicle_assaults_out_of_cover_where_the_table_allows_it(rules: list[str], enemy: int, code: str) -> None:
    """Its 18 inches are then measured from the edge; the bases are 2 inches thick together. One that flies needs no
    leave, and is measured from where it stands."""
    assert refusal(check_assault, sheltered(enemy, rules, out=True), 0, Assault(GROUP_0_1, GROUP_1_1)) == code


@pytest.mark.rule("OP-TERR-01", "OP-MELEE-01")
@pytest.mark.parametrize(("rules", "code"), [([], "assault/from-cover"), (["flying"], "")])
def test_elsewhere_only_one_that_flies_does(rules: list[str], code: str) -> None:
    assert refusal(check_assault, sheltered(2900, rules, out=False), 0, Assault(GROUP_0_1, GROUP_1_1)) == code
