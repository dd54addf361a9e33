"""Cover of targets against shooters."""

from __future__ import annotations

import msgspec
import pytest

from engine.rulesets.action_cards.rules.board import cover, table as lookup
from engine.rulesets.action_cards.rules.shooting.shooting import Shoot
from engine.rulesets.action_cards.state.events import VolleyFired
from engine.rulesets.action_cards.state.model import Feature, Point
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import GroupId
from tests.support.systems import skirmish
from tests.support.systems.skirmish import DALEKS, UNIT, Play, area, barrier, line_up

GROUP_1_1 = GroupId("1.1")
GROUP_0_1 = GroupId("0.1")

pytestmark = pytest.mark.rule("AC-TERR-01")
SHOOTERS = line_up(3, 1000, 1000)


def facing(features: list[Feature], places: tuple[Point, ...] = line_up(4, 1000, 4000)) -> Skirmish:
    return skirmish.table({"0.1": SHOOTERS, "1.1": places}, features, factions=(DALEKS, UNIT))


def number(state: Skirmish, target: GroupId = GROUP_1_1, shooters: GroupId = GROUP_0_1) -> int:
    return cover.kill_number(state, state.groups[shooters].figures, target)


@pytest.mark.parametrize(
    ("kind", "points"), [("scrub", 9), ("trees", 12), ("building", 12), ("river", 6), ("vehicle", 9)]
)
def test_a_group_in_a_feature_has_its_protection(kind: str, points: int) -> None:
    state = facing([area("it", kind, 900, 3900, 1500, 4100)])
    assert number(state) == points
    [shot] = Play(state, *(1,) * 18).do(0, Shoot(GROUP_0_1, GROUP_1_1)).events(VolleyFired)
    assert shot.volley.kill_number == points


def test_in_the_open_it_has_none() -> None:
    assert number(facing([area("it", "building", 2900, 3900, 3500, 4100)])) == 6


@pytest.mark.parametrize(("inside", "points"), [(1, 6), (2, 6), (3, 9), (4, 9)])
def test_more_than_half_of_its_figures_must_be_in_it(inside: int, points: int) -> None:
    bush = area("bush", "scrub", 900, 3900, 950 + 120 * inside, 4100)
    assert number(facing([bush])) == points


def test_a_barrier_protects_when_all_lines_of_fire_cross_it_near_the_figure_aimed_at() -> None:
    assert number(facing([barrier("wall", "wall", (500, 3950), (2000, 3950))])) == 9


def test_a_barrier_that_some_shooter_sees_round_protects_nobody() -> None:
    half = facing([barrier("wall", "wall", (500, 3950), (1190, 3950))])
    assert len(lookup.sight(half, GROUP_0_1, GROUP_1_1).lines) == 3
    assert number(half) == 6


def test_a_shooter_without_sight_does_not_count() -> None:
    """The third shooter sees past the end of the wall, unless trees stand before them."""
    wall, target = barrier("wall", "wall", (500, 3950), (1003, 3950)), ((1000, 4000),)
    trees = area("trees", "trees", 1200, 1100, 1300, 1300)
    seeing, blind = facing([wall], target), facing([wall, trees], target)
    assert [len(lookup.sight(state, GROUP_0_1, GROUP_1_1).lines) for state in (seeing, blind)] == [3, 2]
    assert [number(state) for state in (seeing, blind)] == [6, 9]


@pytest.mark.parametrize(("distance", "points"), [(150, 9), (151, 6)])
def test_a_barrier_protects_those_at_most_an_inch_behind_it(distance: int, points: int) -> None:
    """The inch counts from the edge of the base. The fence is low, since behind a wall only figures that touch it are
    seen."""
    kinds = {**skirmish.TERRAIN, "fence": msgspec.structs.replace(skirmish.TERRAIN["wall"], id="fence", blocks=False)}
    state = skirmish.table(
        {"0.1": [(1000, 1000)], "1.1": [(1000, 4000)]},
        [barrier("low", "fence", (500, 4000 - distance), (2000, 4000 - distance))],
        factions=(DALEKS, UNIT),
    )
    resolved = msgspec.structs.replace(state.resolved, terrain=kinds)
    assert number(msgspec.structs.replace(state, resolved=resolved)) == points


def test_a_wire_fence_protects_nobody() -> None:
    assert number(facing([barrier("wire", "wire_fence", (500, 3950), (2000, 3950))])) == 6


def test_a_vehicle_protects_those_behind_it() -> None:
    assert number(facing([area("truck", "vehicle", 800, 3700, 1600, 3900)])) == 9
    assert number(facing([area("truck", "vehicle", 800, 3500, 1600, 3700)])) == 6  # too far in front
    assert number(facing([area("truck", "vehicle", 800, 4100, 1600, 4300)])) == 6  # on the wrong side


def test_of_several_protections_the_best_counts() -> None:
    bush, wall = area("bush", "scrub", 900, 3900, 1500, 4100), barrier("wall", "wall", (500, 3950), (2000, 3950))
    house = area("house", "building", 950, 3950, 1450, 4050)
    assert number(facing([bush, wall])) == 9
    assert number(facing([bush, house])) == 12
    assert cover.group_cover(facing([bush, house]), GROUP_1_1) == "building"


def test_a_wall_does_not_block_the_line_of_who_touches_it() -> None:
    """This holds at either end of the line."""
    wall = barrier("wall", "wall", (0, 1050), (7000, 1050))
    assert lookup.sight(facing([wall]), GROUP_0_1, GROUP_1_1).clear
    assert number(facing([wall])) == 6  # it stands by the shooters, not by their target
    away = barrier("wall", "wall", (0, 1060), (7000, 1060))
    assert not lookup.sight(facing([away]), GROUP_0_1, GROUP_1_1).clear


def test_what_has_been_cleared_protects_nobody() -> None:
    state = facing([area("bush", "scrub", 900, 3900, 1500, 4100)])
    assert number(msgspec.structs.replace(state, gone=("bush",))) == 6
