"""Ends of walks and runs: offered places are accepted, and few acceptable ones are left out."""

from __future__ import annotations

from itertools import product

import pytest

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.steps import finished
from engine.rulesets.one_page.rules import moving
from engine.rulesets.one_page.rules.flow import VERBS
from engine.rulesets.one_page.state.state import Battle
from engine.space.vectors.outlines import contains
from engine.space.vectors.points import Point, squared
from protocol.ids import GroupId
from protocol.scene.fields import PickPoint
from tests.support.systems.battle import battle, block, row, squad, wall

GROUP_0_1 = GroupId("0.1")

LEAD = (4800, 3600)
STEP = 40


def crowded(*rules: str) -> Battle:
    """A unit among woods, a swamp, a barricade, water, friends and enemies."""
    return battle(
        [squad(LEAD, rules=rules), squad(*row(5, 4300, 4300)), squad((5300, 3300), kind="vehicle", size=300)],
        [squad(*row(4, 5000, 4100)), squad((4100, 3200), kind="monster", size=240)],
        block("1", "forest", 4900, 2700, 5500, 3200),
        block("2", "swamp", 3700, 3500, 4500, 4000),
        wall("3", (5600, 3300), (5600, 4100)),
        block("4", "water", 4300, 2500, 4600, 3000),
    )


def offered(state: Battle, choice: str) -> PickPoint:
    field = VERBS.detail(state, Seat(0), choice, {"unit": ["group/0.1"]})
    assert isinstance(field, PickPoint)
    return field


def is_legal(state: Battle, to: Point, limit: int) -> bool:
    try:
        moving.check_way(state, state.units[GROUP_0_1], (LEAD, to), limit)
    except IllegalIntent:
        return False
    return True


@pytest.mark.parametrize("choice", ["walk", "run"])
@pytest.mark.parametrize("rules", [(), ("strider",), ("fast",)])
def test_what_is_offered_is_accepted(choice: str, rules: tuple[str, ...]) -> None:
    state = crowded(*rules)
    field = offered(state, choice)
    limit = moving.allowance(state, state.units[GROUP_0_1], choice)
    assert field.reach == limit
    (region,) = field.regions
    steps = range(-limit, limit + 1, STEP)
    spots = [(LEAD[0] + x, LEAD[1] + y) for x, y in product(steps, steps)]
    spots = [spot for spot in spots if squared(spot, LEAD) <= limit * limit]
    within = {spot for spot in spots if contains(spot, region)}
    legal = {spot for spot in spots if is_legal(state, spot, limit)}
    assert len(within) > 100
    assert len(within - legal) <= len(within) // 50
    assert len(legal - within) <= len(legal) // 4
    assert all(is_legal(state, corner, limit) for corner in region)


def test_who_flies_may_end_beyond_what_stops_others() -> None:
    walking, flying = (offered(crowded(*rules), "run").regions[0] for rules in ((), ("flying",)))
    beyond = (4240, 2760)
    assert contains(beyond, flying)
    assert not contains(beyond, walking)
    assert all(is_legal(crowded("flying"), corner, 1200) for corner in flying)


def test_difficult_ground_costs_twice() -> None:
    region = offered(crowded(), "run").regions[0]
    west = min(x for x, y in region if abs(y - LEAD[1]) < 60)
    assert LEAD[0] - west < 1000


def test_a_leader_who_is_hemmed_in_is_offered_the_own_place() -> None:
    state = crowded()
    assert finished(moving.reach_of(state, state.units[GROUP_0_1], 0)) == (LEAD,)
