"""Moves: a straight line for the lead, the rest placed beside it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import pytest

from engine.core.rules.errors import IllegalIntent
from engine.rulesets.action_cards.rules.board import table as lookup
from engine.rulesets.action_cards.rules.movement.moves import Move
from engine.rulesets.action_cards.rules.shooting.shooting import Shoot
from engine.rulesets.action_cards.state.model import Point
from engine.space.terrain.contact import Base, gap
from protocol.ids import FigureId, GroupId
from tests.support.systems import skirmish
from tests.support.systems.skirmish import MILITIA, UNIT, Play, area, barrier, line_up

FIGURE_0_1_2 = FigureId("0.1/2")
FIGURE_0_1_1 = FigureId("0.1/1")

GROUP_0_1 = GroupId("0.1")

FAR = {"1.1": line_up(3, 6000, 4500)}
FOUR = {"0.1": line_up(4, 1000, 1000), **FAR}
pytestmark = pytest.mark.rule("AC-MOVE-01")


def refusal(play: Play, move: Move) -> str:
    with pytest.raises(IllegalIntent) as refused:
        play.do(0, move)
    return refused.value.refusal.code


def go(
    to: Point, places: Mapping[str, Point] | None = None, lead: FigureId = FIGURE_0_1_1, group: GroupId = GROUP_0_1
) -> Move:
    return Move(group, lead, to, {FigureId(id): at for id, at in (places or {}).items()})


def gap_between(play: Play, one: str, other: str) -> int:
    bases = [Base(id, play.at(id), lookup.radius(play.state, id)) for id in map(FigureId, (one, other))]
    return gap(*bases)


@pytest.mark.parametrize("to", [(1000, 1800), (1000, 200), (1800, 1000), (1560, 1570), (1000, 1001)])
def test_one_figure_moves_up_to_its_move_in_any_direction(to: Point) -> None:
    assert Play(skirmish.table(FOUR)).do(0, go(to)).at(FIGURE_0_1_1) == to


def test_it_moves_no_farther() -> None:
    assert refusal(Play(skirmish.table(FOUR)), go((1000, 1801))) == "move/too-far"
    assert refusal(Play(skirmish.table(FOUR)), go((1570, 1570))) == "move/too-far"
    near_the_edge = skirmish.table({"0.1": [(1000, 500)], **FAR})
    assert refusal(Play(near_the_edge), go((1000, 49))) == "move/off-table"


def test_the_others_distance_is_not_measured() -> None:
    """Only the lead is measured: the far end of the line comes along."""
    places = {"0.1/2": (1000, 300), "0.1/3": (1000, 420), "0.1/4": (850, 350)}
    play = Play(skirmish.table({"0.1": line_up(4, 1000, 1000, 900), **FAR})).do(0, go((1000, 200), places))
    assert all(play.at(id) == at for id, at in places.items())


def test_a_later_move_may_be_measured_from_another_figure() -> None:
    play = Play(skirmish.table(FOUR)).do(0, go((1000, 1800), {"0.1/2": (1100, 1800)}))
    play.do(0, go((1900, 1800), lead=FIGURE_0_1_2))
    assert play.at(FIGURE_0_1_2) == (1900, 1800)


def test_the_lead_is_one_of_the_group() -> None:
    assert refusal(Play(skirmish.table(FOUR)), go((1000, 1100), lead=FigureId("1.1/1"))) == "move/lead-not-in-group"
    assert refusal(Play(skirmish.table(FOUR)), go((1000, 1100), {"1.1/1": (1000, 1000)})) == "place/not-in-group"
    assert refusal(Play(skirmish.table(FOUR)), go((1000, 1100), {"0.1/1": (1000, 1000)})) == "place/lead"


def test_each_figure_may_be_placed_by_hand_within_two_inches_of_the_lead() -> None:
    play = Play(skirmish.table(FOUR)).do(0, go((1000, 1800), {"0.1/2": (700, 1800)}))
    assert gap_between(play, "0.1/1", "0.1/2") == 200
    assert refusal(Play(skirmish.table(FOUR)), go((1000, 1800), {"0.1/2": (699, 1800)})) == "place/too-far"


@pytest.mark.parametrize(("figures", "farthest"), [(8, 200), (9, 300)])
def test_a_group_of_more_than_eight_spreads_three_inches(figures: int, farthest: int) -> None:
    factions = (MILITIA, UNIT)
    state = skirmish.table({"0.1": line_up(figures, 1000, 1000), **FAR}, factions=factions)
    play = Play(state).do(0, go((1000, 1800), {"0.1/2": (900 - farthest, 1800)}))
    assert gap_between(play, "0.1/1", "0.1/2") == farthest
    assert refusal(Play(state), go((1000, 1800), {"0.1/2": (899 - farthest, 1800)})) == "place/too-far"


def test_by_default_they_stand_on_the_nearest_free_places() -> None:
    play = Play(skirmish.table(FOUR)).do(0, go((1000, 1800)))
    assert sorted(gap_between(play, "0.1/1", f"0.1/{n}") for n in (2, 3, 4)) == [0, 0, 0]
    assert [play.at(f"0.1/{n}")[1] <= 1800 for n in (2, 3, 4)] == [True] * 3


def test_those_not_placed_by_hand_stand_round_those_who_are() -> None:
    play = Play(skirmish.table(FOUR)).do(0, go((1000, 1800), {"0.1/4": (900, 1800)}))
    assert play.at("0.1/4") == (900, 1800)
    assert all(gap_between(play, "0.1/4", f"0.1/{n}") >= 0 for n in (1, 2, 3))


def test_no_base_overlaps_another() -> None:
    state = skirmish.table({**FOUR, "0.2": [(700, 1700)]})
    assert refusal(Play(state), go((1000, 1800), {"0.1/2": (750, 1750)})) == "place/overlap"
    assert refusal(Play(state), go((1000, 1800), {"0.1/2": (950, 1750)})) == "place/overlap"
    both = {"0.1/2": (1100, 1700), "0.1/3": (1150, 1700)}
    assert refusal(Play(state), go((1000, 1800), both)) == "place/overlap"
    assert refusal(Play(state), go((760, 1700))) == "move/no-room"


def test_no_base_overlaps_impassable_ground() -> None:
    state = skirmish.table(FOUR, [area("peak", "crag", 600, 1500, 800, 1900)])
    assert refusal(Play(state), go((1000, 1800), {"0.1/2": (849, 1700)})) == "place/impassable"
    assert Play(state).do(0, go((1000, 1800), {"0.1/2": (850, 1700)})).at(FIGURE_0_1_2) == (850, 1700)
    assert refusal(Play(state), go((849, 1700))) == "move/impassable"


def test_they_stand_in_the_same_feature_as_the_lead() -> None:
    state = skirmish.table(FOUR, [area("bush", "scrub", 800, 1300, 1200, 1700)])
    assert refusal(Play(state), go((1000, 1350), {"0.1/2": (1000, 1250)})) == "place/other-area"
    assert refusal(Play(state), go((1000, 1200), {"0.1/2": (1250, 1200), "0.1/3": (1100, 1300)})) == "place/beyond-lead"
    assert refusal(Play(state), go((750, 1300), {"0.1/2": (850, 1300)})) == "place/other-area"


def test_they_stand_on_the_leads_side_of_every_barrier() -> None:
    state = skirmish.table(FOUR, [barrier("wire", "wire_fence", (500, 1600), (2000, 1600))])
    assert refusal(Play(state), go((1000, 1650), {"0.1/2": (1000, 1550)})) == "place/barrier"


def test_they_are_placed_where_they_can_get_from_the_lead() -> None:
    """No figure is placed behind terrain that blocks the way from the lead."""
    state = skirmish.table(FOUR, [area("house", "building", 1090, 1650, 1110, 1900)])
    assert refusal(Play(state), go((1000, 1800), {"0.1/2": (1200, 1800)})) == "place/unreachable"
    harmless = skirmish.table(FOUR, [area("bush", "scrub", 1090, 1650, 1110, 1900)])
    assert Play(harmless).do(0, go((1000, 1800), {"0.1/2": (1200, 1800)})).at(FIGURE_0_1_2) == (1200, 1800)


def test_nobody_is_placed_beyond_the_lead() -> None:
    """A figure beyond it would give the next lead a head start."""
    assert refusal(Play(skirmish.table(FOUR)), go((1000, 1800), {"0.1/2": (1100, 1801)})) == "place/beyond-lead"


def test_the_path_passes_friends_but_not_enemies() -> None:
    state = skirmish.table({**FOUR, "0.2": [(1000, 1400)]})
    assert Play(state).do(0, go((1000, 1800))).at(FIGURE_0_1_1) == (1000, 1800)
    state = skirmish.table({**FOUR, "2.1": [(1000, 1400)]})
    assert refusal(Play(state), go((1000, 1800))) == "move/enemy-in-the-way"
    assert Play(state).do(0, go((1000, 1300))).state.combats


def test_only_an_enemy_group_that_the_lead_touches_may_be_touched() -> None:
    state = skirmish.table({**FOUR, "2.1": [(1000, 1500)], "2.2": [(1290, 1400)]})
    places = {"0.1/2": (1190, 1400)}
    assert refusal(Play(state), go((1000, 1400), places)) == "place/touches"
    play = Play(state).do(0, go((1000, 1400)))
    assert play.state.combats[0].groups == ("2.1", "0.1")
    assert all(gap_between(play, id, "2.2/1") >= 5 for id in play.state.groups[GROUP_0_1].figures)
    beside = skirmish.table({**FOUR, "2.1": [(1000, 1500), (1100, 1500)]})
    assert Play(beside).do(0, go((1000, 1400), {"0.1/2": (1100, 1400)})).at(FIGURE_0_1_2) == (1100, 1400)


def test_figures_that_find_no_room_in_a_feature_stand_outside_near_its_edge() -> None:
    """The lead fits, so the move is legal."""
    state = skirmish.table(FOUR, [area("hut", "building", 950, 1300, 1050, 1450)])
    play = Play(state).do(0, go((1000, 1350)))
    hut = lookup.board(play.state).scenery.area("hut")
    inside = [id for id in play.state.groups[GROUP_0_1].figures if hut.holds(play.at(id))]
    assert inside == ["0.1/1"]
    for id in (FIGURE_0_1_2, FigureId("0.1/3"), FigureId("0.1/4")):
        x, y = play.at(id)
        across, along = max(950 - x, 0, x - 1050), max(1300 - y, 0)
        assert across**2 + along**2 <= 250**2


def test_where_not_all_find_room_inside_they_may_be_placed_outside_by_hand() -> None:
    state = skirmish.table(FOUR, [area("hut", "building", 950, 1300, 1050, 1450)])
    places = {"0.1/2": (800, 1300), "0.1/3": (1200, 1300), "0.1/4": (1000, 1240)}
    play = Play(state).do(0, go((1000, 1350), places))
    assert all(play.at(id) == at for id, at in places.items())
    assert refusal(Play(state), go((1000, 1350), {"0.1/2": (690, 1300)})) == "place/too-far"
    roomy = skirmish.table(FOUR, [area("barn", "building", 500, 1300, 1500, 1800)])
    assert refusal(Play(roomy), go((1000, 1350), {"0.1/2": (1000, 1240)})) == "place/other-area"


def test_a_stunned_group_does_not_move() -> None:
    state = skirmish.table(FOUR)
    stunned = msgspec.structs.replace(state.groups[GROUP_0_1], stunned=True)
    play = Play(msgspec.structs.replace(state, groups={**state.groups, "0.1": stunned}))
    assert refusal(play, go((1000, 1100))) == "group/stunned"


def test_a_locked_group_does_not_move() -> None:
    state = skirmish.table({**FOUR, "2.1": [(1000, 1400)]})
    play = Play(state).do(0, go((1000, 1300)))
    assert refusal(play, go((1000, 1200))) == "group/locked"


def test_a_shot_and_a_move_can_be_mixed_and_a_move_undone() -> None:
    play = Play(skirmish.table(FOUR), *(1,) * 8)
    play.do(0, go((1000, 1800)))
    assert play.match.undo_refusal(play.match.may_act()[0]) == ""
    play.do(0, Shoot(GROUP_0_1, GroupId("1.1")))
    assert play.state.left == 1
    assert play.match.undo_refusal(play.match.may_act()[0]) == "dice"


def test_figures_on_one_base_move_together() -> None:
    state = skirmish.table({"0.1": line_up(3, 1000, 1000), **FAR})
    crew = {
        id: msgspec.structs.replace(state.figures[id], at=(1200, 1000), base="gun")
        for id in (FIGURE_0_1_2, FigureId("0.1/3"))
    }
    state = msgspec.structs.replace(state, figures={**state.figures, **crew})
    play = Play(state).do(0, go((1000, 1500), {"0.1/3": (1100, 1500)}))
    assert play.at(FIGURE_0_1_2) == play.at("0.1/3") == (1100, 1500)
    apart = {"0.1/2": (1100, 1500), "0.1/3": (900, 1500)}
    assert refusal(Play(state), go((1000, 1500), apart)) == "place/shared-base"
