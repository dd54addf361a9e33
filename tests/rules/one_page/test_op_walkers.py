"""Facings of Walkers, which decide the side from which they are hit (OP-UNIT-05, OP-MOVE-01, OP-VEH-06)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.rulesets.one_page.rules.arrivals import DeployRest
from engine.rulesets.one_page.rules.assaults import Assault
from engine.rulesets.one_page.rules.deployment import Deploy
from engine.rulesets.one_page.rules.moving import Hold, Move
from engine.rulesets.one_page.rules.shooting import Shoot
from engine.rulesets.one_page.state.events import DamageRolled, UnitMoved
from engine.rulesets.one_page.state.profiles import Kind
from engine.rulesets.one_page.state.state import Battle
from engine.space.vectors.points import Point
from protocol.ids import FigureId, GroupId
from protocol.scene.nodes import Reply
from tests.support.systems.battle import Fight, Squad, altered, battle, refusal, squad

OWN, FOE = GroupId("0.1"), GroupId("1.1")
HIS = FigureId("0.1.1")
FAR = squad((9000, 6000))
EAST, NORTH, WEST, SOUTH = 0, 90, 180, 270


def walker(x: int = 3000, y: int = 1000, kind: Kind = "walker", **more: object) -> Squad:
    """A Walker that looks east."""
    given = {"tough": 6, "size": 200, "weapons": ["gun", "sword"], **more}
    return squad((x, y), kind=kind, **given)  # type: ignore[arg-type]  # each as of `squad`


def facing(fight: Fight, model: FigureId = HIS) -> int:
    return fight.now.figures[model].facing


def deploying(phase: str = "deploy", rules: Sequence[str] = ()) -> Battle:
    """Seat 0 deploys in the south, or seat 1 in the north."""
    late = "reserve" if phase == "reserves" else "away"
    own, theirs = walker(where=late, rules=rules), walker(where=late, rules=rules)
    state = battle([own, squad((9000, 400))], [theirs, FAR], phase=phase, placing=("0.1",), placed=(0,))
    return altered(state, FOE, where="away") if phase == "deploy" else state


@pytest.mark.rule("OP-UNIT-05", "OP-SETUP-03")
@pytest.mark.parametrize(("phase", "rules"), [("deploy", []), ("scouts", ["scout"]), ("reserves", ["deep_strike"])])
def test_a_walker_comes_on_looking_at_the_enemys_side(phase: str, rules: list[str]) -> None:
    placed = Fight(deploying(phase, rules)).do(0, Deploy(OWN, (3000, 500)))
    assert facing(placed) == NORTH
    rest = Fight(deploying(phase, rules)).do(0, DeployRest())
    assert facing(rest) == NORTH


@pytest.mark.rule("OP-UNIT-05", "OP-SETUP-03")
def test_so_does_one_in_the_north() -> None:
    fight = Fight(deploying()).do(0, Deploy(OWN, (3000, 500))).do(1, Deploy(FOE, (3000, 6700)))
    assert facing(fight, FigureId("1.1.1")) == SOUTH


@pytest.mark.rule("OP-SETUP-03")
@pytest.mark.parametrize(
    ("wish", "looks", "code"), [(-1, NORTH, ""), (0, EAST, ""), (45, 45, ""), (42, 0, "move/turn")]
)
def test_a_vehicle_comes_on_looking_where_its_player_says(wish: int, looks: int, code: str) -> None:
    state = battle([walker(kind="vehicle", where="away")], [FAR], phase="deploy", placing=("0.1",), placed=(0,))
    fight = Fight(state)
    assert refusal(fight.do, 0, Deploy(OWN, (3000, 500), wish)) == code
    assert facing(fight) == looks


@pytest.mark.rule("OP-UNIT-05")
@pytest.mark.parametrize(
    ("to", "via", "run", "looks"),
    [
        ((3000, 1500), (), False, NORTH),
        ((2000, 1000), (), True, WEST),
        ((3400, 1000), ((3400, 1100),), False, SOUTH),
        ((3000, 1300), ((3000, 1300),), False, NORTH),
        ((3000, 1000), (), False, EAST),
    ],
)
def test_a_walker_looks_along_the_last_piece_of_its_way(
    to: Point, via: tuple[Point, ...], run: bool, looks: int
) -> None:
    fight = Fight(battle([walker(), squad((9000, 1000))], [FAR])).do(0, Move(OWN, run, to, via))
    assert facing(fight) == looks


@pytest.mark.rule("OP-UNIT-05", "OP-MELEE-01", "OP-MELEE-05")
def test_a_walker_looks_at_whom_it_assaults_and_then_where_it_goes_on() -> None:
    """It comes round from the east, kills its enemy, and goes on to the south."""
    state = battle([walker(weapons=["sword"]), squad((9000, 1000))], [squad((3000, 1500)), FAR])
    fight = Fight(state, 6, 1, 1, 1, 1).do(0, Assault(OWN, FOE, ((3300, 1500),)))
    assert facing(fight) == WEST
    assert fight.asked == ("op.pursue", (0,))
    x, y = fight.place("0.1.1")
    fight.answer(0, Reply("go", {"to": [x, y - 300]}))
    assert facing(fight) == SOUTH


@pytest.mark.rule("OP-UNIT-05", "OP-SHOOT-02", "OP-VEH-06")
def test_a_walker_turns_to_whom_it_shoots_and_is_hit_in_the_front_from_there() -> None:
    """The other one shoots back in its own activation, and turns too."""
    state = battle([walker(), squad((9000, 1000))], [walker(3000, 2500), FAR])
    fight = Fight(state, 1, 1, 1, 6, 1, 1, 1, 1, 2, 2)
    fight.do(0, Hold(OWN)).do(0, Shoot(OWN, FOE))
    assert facing(fight) == NORTH
    fight.do(1, Hold(FOE)).do(1, Shoot(FOE, OWN))
    assert facing(fight, FigureId("1.1.1")) == SOUTH
    assert [one.side for one in fight.events(DamageRolled)] == ["front"]
    assert [(one.unit, one.how) for one in fight.events(UnitMoved)] == [(OWN, "turn"), (FOE, "turn")]


@pytest.mark.rule("OP-UNIT-05")
@pytest.mark.parametrize(
    ("kind", "tracked", "turns"), [("walker", False, True), ("walker", True, False), ("vehicle", False, False)]
)
def test_only_a_walker_that_is_not_tracked_turns_to_its_target(kind: Kind, tracked: bool, turns: bool) -> None:
    state = battle([walker(kind=kind, tracked=tracked), squad((9000, 1000))], [squad((3000, 2500)), FAR])
    fight = Fight(state, 1, 1, 1).do(0, Hold(OWN)).do(0, Shoot(OWN, FOE))
    assert facing(fight) == (NORTH if turns else EAST)
    assert len(fight.events(UnitMoved)) == int(turns)


@pytest.mark.rule("OP-UNIT-05")
def test_a_walker_that_looks_at_its_target_already_does_not_turn() -> None:
    state = battle([walker(facing=NORTH), squad((9000, 1000))], [squad((3000, 2500)), FAR])
    fight = Fight(state, 1, 1, 1).do(0, Hold(OWN)).do(0, Shoot(OWN, FOE))
    assert not fight.events(UnitMoved)
