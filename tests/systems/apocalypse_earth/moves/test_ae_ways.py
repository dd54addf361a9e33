"""Ways: what they cost, what bars them, where others end, moves that are stopped (AE-MOVE, AE-BLD-01)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from engine.core.rules.errors import IllegalIntent
from engine.rulesets.apocalypse_earth.rules.assault.charging import Charge
from engine.rulesets.apocalypse_earth.rules.ending import Finish
from engine.rulesets.apocalypse_earth.rules.moves import planning
from engine.rulesets.apocalypse_earth.rules.moves.driving import Drive
from engine.rulesets.apocalypse_earth.rules.moves.moving import Move
from engine.rulesets.apocalypse_earth.rules.moves.planning import Planner
from engine.rulesets.apocalypse_earth.rules.table import ground, lanes, traits, ways
from engine.rulesets.apocalypse_earth.state.fire_events import MoraleChecked
from engine.rulesets.apocalypse_earth.state.lasting import Blaze, Prisoners
from engine.rulesets.apocalypse_earth.state.model import Feature, Options
from engine.rulesets.apocalypse_earth.state.setup_events import UnitRevealed
from engine.rulesets.apocalypse_earth.state.state import Activation
from engine.rulesets.apocalypse_earth.state.turn_events import FiguresMoved, MarchGone
from protocol.ids import FigureId, GroupId
from protocol.scene.nodes import Reply
from tests.support.systems.ae_battle import Fight, Squad, battle, block, cm, line, squad, vehicle

UNIT, FRIEND, ENEMY = GroupId("0.1"), GroupId("0.2"), GroupId("1.1")
LEAD = FigureId("0.1.1")
FAR = squad((150, 110))
HOUSE = block("house", "house", 84, 40, 96, 50)


def to(*corners: tuple[float, float], **move: Any) -> Move:
    """The move of the first unit over these corners."""
    return Move(UNIT, cm(*corners), **move)


def cost(features: tuple[Feature, ...], *path: tuple[float, float], own: Squad | None = None) -> float:
    """Return the cost of a way of a figure, in centimetres."""
    state = battle([own or squad((50, 50))], [FAR], features=features)
    return ways.cost(state, state.units[UNIT], cm(*path)) / 100


@pytest.mark.rule("AE-MOVE-02", "AE-MOVE-03", "AE-BLD-01")
def test_what_ground_costs() -> None:
    woods, broken = block("w", "woods", 56, 40, 60, 60), block("b", "broken", 56, 40, 60, 60)
    eased = squad((50, 50), abilities=("fieldcraft",))
    assert cost((woods,), (50, 50), (62, 50)) == 16
    assert cost((broken,), (50, 50), (62, 50)) == 12
    assert cost((woods,), (50, 50), (62, 50), own=eased) == 12
    assert cost((woods,), (50, 50), (62, 50), own=squad((50, 50), (52, 50), roles={0: ("fieldcraft",)})) == 16
    assert cost((HOUSE,), (85, 41), (95, 49)) == 0
    assert cost((HOUSE,), (90, 36), (90, 40), (95, 49)) == 6


@pytest.mark.rule("AE-MOVE-02")
def test_each_crossing_costs_once_wherever_a_way_bends() -> None:
    """Into a trench and out of it, 2 cm each; who stands on its edge is in it."""
    trench = (block("t", "trench", 56, 40, 60, 60),)
    for path, toll in (
        (((50, 50), (55, 50)), 0),
        (((50, 50), (58, 50)), 2),
        (((50, 50), (62, 50)), 4),
        (((50, 50), (56, 50)), 2),
        (((50, 50), (56, 50), (58, 50)), 2),
        (((50, 50), (56, 50), (62, 50)), 4),
        (((57, 50), (59, 50)), 0),
        (((58, 50), (60, 50)), 0),
        (((58, 50), (60, 50), (62, 50)), 2),
        (((56, 45), (56, 55)), 0),
        (((58, 50), (58, 50)), 0),
    ):
        length = sum(abs(b[0] - a[0]) + abs(b[1] - a[1]) for a, b in pairwise(path))
        assert cost(trench, *path) - length == toll
    hedge = (line("h", "hedge", (53, 40), (53, 60)),)
    assert cost(hedge, (50, 50), (55, 50)) == 7


@pytest.mark.rule("AE-MOVE-01", "AE-MOVE-02")
def test_why_a_way_may_not_be_gone() -> None:
    water, scrub = block("w", "water", 54, 40, 58, 60), block("b", "broken", 54, 40, 58, 60)
    corners = ((52, 50), (52, 52), (54, 52), (54, 54), (56, 54))
    hull = vehicle((57, 50), 90)
    cases: tuple[tuple[str, Move, list[Squad], tuple[Feature, ...]], ...] = (
        ("", to((62, 50)), [FAR], ()),
        ("move/too-far", to((62.01, 50)), [FAR], ()),
        ("", to(*corners[:4]), [FAR], ()),
        ("move/corners", to(*corners), [FAR], ()),
        ("move/corners", to(), [FAR], ()),
        ("move/lead", to((55, 50), lead=FigureId("1.1.1")), [FAR], ()),
        ("move/off-table", to((50, 50), (50, 0.9)), [FAR], ()),
        ("move/impassable", to((60, 50)), [FAR], (water,)),
        ("", to((60, 50)), [FAR], (scrub,)),
        ("move/too-near", to((53.01, 50)), [squad((56, 50)), FAR], ()),
        ("", to((53, 50)), [squad((56, 50)), FAR], ()),
        ("", to((53, 50)), [squad((56, 50), hidden=True), FAR], ()),
        ("move/vehicle", to((60, 50)), [hull, FAR], ()),
        ("move/vehicle", to((53.51, 50)), [hull, FAR], ()),  # 1.5 cm of it lie this side of its middle
        ("", to((53.5, 50)), [hull, FAR], ()),
    )
    for code, move, enemies, features in cases:
        fast = 40 if code == "move/off-table" else 12
        state = battle([squad((50, 50), move=fast)], enemies, features=features)
        assert Fight(state).why_not(0, move) == code
    through = battle([squad((50, 50))], [squad((56, 50), (59, 50), fired=True), FAR])
    charge = Charge(UNIT, ENEMY, cm((58.5, 52.1), (56.8, 50)))
    assert Fight(through).why_not(0, charge) == "move/enemy"
    across = Charge(UNIT, ENEMY, cm((54.1, 50), (57.9, 50)))
    assert Fight(through).why_not(0, across) == "move/enemy"


@pytest.mark.rule("AE-MOVE-02", "AE-MOVE-01")
def test_a_way_that_is_too_long_is_told_with_its_cost() -> None:
    state = battle([squad((50, 50))], [FAR])
    with pytest.raises(IllegalIntent) as refused:
        planning.plan(state, state.units[UNIT], LEAD, cm((62.01, 50)), 1200)
    assert refused.value.refusal.text.a == {"cost": 13, "most": 12}


@pytest.mark.rule("AE-MOVE-01", "AE-BLD-01")
def test_who_goes_into_a_building_with_room() -> None:
    state = battle([squad((90, 34))], [FAR], features=[HOUSE])
    assert Fight(state).do(0, to((86, 48))).place("0.1.1") == (86, 48)
    full = battle([squad((90, 34))], [squad((86, 48)), FAR], features=[HOUSE])
    assert Fight(full).why_not(0, to((86, 44))) == "move/impassable"


@pytest.mark.rule("AE-MOVE-01", "AE-OPEN-16")
def test_the_rating_is_less_in_the_action_of_getting_out() -> None:
    for acts, landed, rating in ((None, False, 1200), (UNIT, False, 1200), (UNIT, True, 900), (FRIEND, True, 1200)):
        active = Activation(acts, landed=landed) if acts else None
        state = battle([squad((50, 50)), squad((20, 20))], [FAR], active=active)
        assert traits.allowance(state, state.units[UNIT]) == rating


@pytest.mark.rule("AE-MOVE-01")
def test_others_go_as_far_towards_their_places_as_they_come() -> None:
    lake = block("w", "water", 52.3, 20, 90, 80)
    state = battle([squad((50, 50))], [FAR], features=[lake])
    planner = Planner(state, state.units[UNIT], LEAD, cm((50, 50)), 1200, ())
    assert planner.place(LEAD, cm((62, 50))[0]) == cm((50, 50), (51.2, 50))
    assert planner.place(LEAD, cm((62, 50))[0], cm((50, 52), (50, 53))) == cm((50, 50), (50, 52))
    assert planner.place(LEAD, cm((44, 50))[0]) == cm((50, 50), (44, 50))
    closed = battle([squad((50, 50))], [FAR])
    planner = Planner(closed, closed.units[UNIT], LEAD, cm((50, 50)), 1200, ())
    planner.stood[FigureId("x")] = cm((56, 50))[0]
    _, end = planner.place(LEAD, cm((56, 50))[0])
    assert 4 <= ((end[0] - 5600) ** 2 + (end[1] - 5000) ** 2) / 10000 < 4.5  # beside whoever stands there


@pytest.mark.rule("AE-MOVE-01", "AE-SETUP-04")
def test_a_hidden_enemy_in_the_way_stops_a_move() -> None:
    """One who is met beside it does not, even where the way bends round a building afterwards."""
    state = battle([squad((50, 50), hidden=True), FAR], [squad((60, 50), hidden=True), FAR])
    fight = Fight(state).do(0, to((62, 50)))
    assert [one.why for one in fight.events(UnitRevealed)] == ["acts"]
    fight.expire()
    assert [(one.unit, one.why) for one in fight.events(UnitRevealed)] == [("0.1", "acts"), ("1.1", "met")]
    assert fight.place("0.1.1") == (56, 50)  # it is met 3 cm off; where it would halt next is too near
    aside = battle(
        [squad((50, 50)), FAR], [squad((53, 54.5), hidden=True), FAR], features=[block("h", "house", 56, 40, 70, 49)]
    )
    fight = Fight(aside).do(0, to((54.9, 50), (54.9, 44), (54.9, 43))).expire()
    assert not fight.unit("1.1").hidden
    assert fight.place("0.1.1") == (54.9, 43)
    wall = (block("h", "house", 51.5, 44, 54, 48.5), block("i", "house", 56.5, 44, 70, 48.5))
    bent = battle([squad((50, 50)), FAR], [squad((50, 54.5), hidden=True), FAR], features=wall)
    fight = Fight(bent).do(0, to((55.2, 50), (55.2, 44))).expire()
    assert fight.place("0.1.1") == (55.2, 44)


@pytest.mark.rule("AE-MOVE-01", "AE-OVER-02", "AE-SCEN-02")
def test_what_a_move_brings_about() -> None:
    watching = squad((50, 90), overwatch=True)
    fight = Fight(battle([squad((50, 60)), FAR], [watching, FAR])).do(0, to((50, 62)))
    fight.answer(1, Reply("answer", {"each": {"group/1.1": "move"}})).expire().do(0, Finish())
    assert fight.asked == ("ae.reply", (1,))  # it moves by its overwatch, afterwards
    held = (Prisoners(ENEMY, UNIT, 0, (FigureId("1.1.1"),)),)
    state = battle([squad((50, 60))], [squad((50, 62.5)), FAR], options=Options(prisoners=True), prisoners=held)
    taken = replace(state.units[ENEMY], figures=(), where="gone")
    fight = Fight(replace(state, units={**state.units, ENEMY: taken})).do(0, to((58, 60)))
    assert fight.place("1.1.1")[0] > 54  # a prisoner walks with its escort
    for end, seen in ((64.5, True), (63.5, False)):
        state = battle([squad((50, 60))], [squad((50, 90.5)), FAR], table={"alarm": 1})
        assert Fight(state).do(0, to((50, end))).now.alarmed is seen


@pytest.mark.rule("AE-MOVE-01", "AE-OVER-02", "AE-QA-01")
def test_a_unit_that_is_suppressed_stops_and_a_vehicle_seeks_no_cover() -> None:
    shots = Reply("answer", {"each": {"group/1.1": "300"}})
    state = battle(
        [squad((50, 60), (52.5, 60), (55, 60)), FAR], [squad((50, 75), overwatch=True, weapons=("sr",)), FAR]
    )
    fight = Fight(state, 4, 1).do(0, to((62, 60))).answer(1, shots).expire()
    assert fight.unit("0.1").suppressed
    assert fight.place("0.1.1") == (53, 60)
    state = battle([squad((50, 60)), FAR], [squad((50, 75), overwatch=True, weapons=("sr",)), FAR])
    fight = Fight(state, 4).do(0, to((62, 60))).answer(1, shots).expire()
    assert [len(one.places) for one in fight.events(MarchGone)] == [1]  # who has fallen goes no further
    woods = block("w", "woods", 40, 50, 70, 57)
    car = vehicle((45, 60), armour=(11, 10, 9, 8))
    state = battle([car, FAR], [squad((50, 90), overwatch=True, weapons=("rg",)), FAR], features=[woods])
    fight = Fight(state, 5, 6, 4, 4, 1).do(0, Drive(UNIT, ((0, 1500),))).answer(1, shots).expire()
    assert [(one.why, one.passed) for one in fight.events(MoraleChecked)] == [("crew", False)]
    assert fight.unit("0.1").suppressed
    assert not fight.events(FiguresMoved)


@pytest.mark.rule("AE-MOVE-03", "AE-OPEN-16")
def test_where_a_vehicle_may_go() -> None:
    for kind, alight, may in (
        ("broken", False, True),
        ("broken", True, False),
        ("woods", False, False),
        ("marsh", False, False),
        ("water", False, False),
        ("rubble", False, True),
    ):
        fires = (Blaze("p", 1),) if alight else ()
        state = battle([vehicle((50, 50))], [FAR], features=[block("p", kind, 60, 40, 80, 60)], fires=fires)
        [area] = ground.scenery_of(state).areas
        assert lanes.may_enter(state, state.units[UNIT], area) is may
    for kind, traits_, may in (("skimmer", (), True), ("tracked", (), False), ("tracked", ("amphibious",), True)):
        own = vehicle((50, 50), kind=kind, traits=traits_)
        state = battle([own], [FAR], features=[block("p", "water", 60, 40, 80, 60)])
        [area] = ground.scenery_of(state).areas
        assert lanes.may_enter(state, state.units[UNIT], area) is may


@pytest.mark.rule("AE-BLD-01")
def test_walls_and_doors() -> None:
    state = battle([squad((90, 34))], [FAR], features=[HOUSE])
    [house] = ground.buildings(state)
    for a, b, barred in (
        ((90, 38), (90, 40), False),
        ((90, 40), (90, 38), False),
        ((86, 40), (86, 38), True),  # on the wall, but at no door
        ((86, 38), (86, 40), True),
        ((86, 44), (86, 38), True),
        ((85, 41), (95, 49), False),
        ((80, 45), (82.99, 45), False),
        ((80, 45), (83.01, 45), True),
        ((90, 40), (96.5, 46), True),
    ):
        start, end = cm(a, b)
        assert ways.bars(state, house, start, end, 100) is barred
    assert ways.routed(state, cm((90, 45), (90, 40))) == cm((90, 45), (90, 40))
    assert ways.routed(state, cm((90, 40), (90, 45))) == cm((90, 40), (90, 45))
    assert ways.routed(state, cm((90, 36), (90, 45))) == cm((90, 36), (90, 40), (90, 45))
