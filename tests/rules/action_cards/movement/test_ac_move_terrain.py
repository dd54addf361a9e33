"""Terrain ends a move, and a move that leaves terrain is measured from its edge."""

from __future__ import annotations

import msgspec
import pytest

from engine.core.rules.errors import IllegalIntent
from engine.rulesets.action_cards.rules.movement.moves import Move
from engine.rulesets.action_cards.state.model import Feature, Point
from protocol.ids import FigureId, GroupId
from tests.support.systems import skirmish
from tests.support.systems.skirmish import Play, area, barrier, line_up

pytestmark = pytest.mark.rule("AC-MOVE-02")
FAR = {"1.1": line_up(3, 6000, 4500)}


def play(features: list[Feature], *places: Point) -> Play:
    return Play(skirmish.table({"0.1": places or [(1000, 1000)], **FAR}, features))


def refusal(game: Play, to: Point) -> str:
    with pytest.raises(IllegalIntent) as refused:
        game.do(0, Move(GroupId("0.1"), FigureId("0.1/1"), to))
    return refused.value.refusal.code


def reaches(game: Play, to: Point) -> bool:
    return game.do(0, Move(GroupId("0.1"), FigureId("0.1/1"), to)).at("0.1/1") == to


@pytest.mark.rule("AC-MOVE-01")
@pytest.mark.parametrize("kind", ["scrub", "building", "river", "vehicle"])
def test_a_move_ends_when_it_enters_a_feature(kind: str) -> None:
    """The lead may end a base's width inside the edge at most."""
    bush = [area("bush", kind, 500, 1200, 1500, 1500)]
    assert reaches(play(bush), (1000, 1200))
    assert reaches(play(bush), (1000, 1300))
    assert refusal(play(bush), (1000, 1301)) == "move/ends-at-feature"
    assert refusal(play(bush), (1000, 1600)) == "move/ends-at-feature"


@pytest.mark.parametrize("kind", ["wall", "wire_fence"])
def test_a_move_ends_when_it_crosses_a_barrier(kind: str) -> None:
    fence = [barrier("fence", kind, (500, 1200), (1500, 1200))]
    assert reaches(play(fence), (1000, 1300))
    assert refusal(play(fence), (1000, 1400)) == "move/ends-at-barrier"


def test_the_next_move_goes_on() -> None:
    fence = [barrier("fence", "wall", (500, 1200), (1500, 1200))]
    game = play(fence)
    assert reaches(game, (1000, 1260))
    assert reaches(game, (1000, 2060))


def test_a_move_that_leaves_a_feature_is_measured_from_any_edge_of_it() -> None:
    wood = [area("wood", "trees", 900, 600, 1700, 1400)]
    assert reaches(play(wood), (1000, 2200))
    assert refusal(play(wood), (1000, 2201)) == "move/too-far"
    assert reaches(play(wood), (2500, 1000))  # by the far side
    assert refusal(play(wood), (2501, 1000)) == "move/too-far"


def test_a_move_inside_one_feature_is_measured_from_the_figure() -> None:
    wood = [area("wood", "trees", 900, 900, 2100, 1100)]
    assert reaches(play(wood), (1800, 1000))
    assert refusal(play(wood), (1801, 1000)) == "move/too-far"


@pytest.mark.parametrize("kind", ["building", "vehicle"])
def test_a_building_or_vehicle_is_left_by_a_door(kind: str) -> None:
    house = [area("house", kind, 900, 800, 1300, 1200, (1300, 1000))]
    assert reaches(play(house), (2100, 1000))
    assert refusal(play(house), (2101, 1000)) == "move/too-far"
    assert refusal(play(house), (890, 1000)) == "move/no-door"  # not straight back through the house


def test_of_several_doors_any_serves() -> None:
    house = [area("house", "building", 900, 800, 1300, 1200, (1300, 1000), (900, 1000))]
    assert reaches(play(house), (100, 1000))
    assert reaches(play(house), (2100, 1000))


def test_without_doors_any_edge_serves() -> None:
    house = [area("house", "building", 900, 800, 1300, 1200)]
    assert reaches(play(house), (100, 1000))
    assert reaches(play(house), (1000, 2000))


def test_an_opened_building_is_left_on_every_side() -> None:
    house = area("house", "building", 900, 800, 1300, 1200, (1300, 1000))
    state = skirmish.table({"0.1": [(1000, 1000)], **FAR}, [house])
    assert refusal(Play(state), (1000, 2000)) == "move/no-door"
    assert reaches(Play(msgspec.structs.replace(state, opened=("house",))), (1000, 2000))


def test_a_feature_longer_than_twelve_inches_is_left_by_the_section_that_holds_the_group() -> None:
    """Otherwise a group could travel along a river without using its Move."""
    river = [area("river", "river", 900, 900, 4900, 1100)]
    assert refusal(play(river), (4000, 1300)) == "move/too-far"
    assert reaches(play(river), (1500, 1800))  # a point of the first six inches' bank is near enough
    along = play(river, (1000, 1000), (2200, 1000))  # its second figure holds another section
    assert reaches(along, (2600, 1800))
    alone = play(river)
    assert refusal(alone, (2600, 1800)) == "move/too-far"


def test_a_feature_of_twelve_inches_is_one_piece() -> None:
    pond = [area("pond", "river", 900, 950, 2090, 1050)]
    assert reaches(play(pond), (2800, 1000))


def test_what_has_been_cleared_away_stops_nobody() -> None:
    bush = area("bush", "scrub", 500, 1200, 1500, 1500)
    state = skirmish.table({"0.1": [(1000, 1000)], **FAR}, [bush])
    assert reaches(Play(msgspec.structs.replace(state, gone=("bush",))), (1000, 1700))
