"""Shooting: sight, dice, casualties, linked fire."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.events import DiceRolled
from engine.rulesets.action_cards.rules.card_end import EndCard
from engine.rulesets.action_cards.rules.movement.moves import Move
from engine.rulesets.action_cards.rules.shooting import place_sight, shooting
from engine.rulesets.action_cards.rules.shooting.linked_fire import LinkedFire
from engine.rulesets.action_cards.rules.shooting.shooting import Shoot
from engine.rulesets.action_cards.rules.verbs import VERBS
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.events import FiguresRemoved, VolleyFired
from engine.rulesets.action_cards.state.model import Feature
from engine.rulesets.action_cards.state.state import Lasting, Volley
from engine.space.vectors.outlines import contains
from protocol.ids import FigureId, GroupId
from protocol.scene.fields import Pieces
from protocol.text import Text
from tests.support.systems import skirmish
from tests.support.systems.skirmish import DALEKS, MILITIA, SPUGS, UNIT, Play, area, barrier, line_up

GROUP_1_1 = GroupId("1.1")
GROUP_0_1 = GroupId("0.1")
GROUP_0_2 = GroupId("0.2")
GROUP_NODE = names.group_node(GROUP_0_1)

SECTION_ROLL = (2, 2, 2, 3, 3, 5, 6, 6)
DALEK_ROLL = (1, 2, 2, 4, 4, 4, 4, 5, 5, 5, 5, 6)
SHOT = Shoot(GROUP_0_1, GROUP_1_1)
FACING = {"0.1": line_up(4, 1000, 1000), "1.1": line_up(3, 1000, 4000)}


def refusal(play: Play, intent: Shoot | LinkedFire) -> str:
    with pytest.raises(IllegalIntent) as refused:
        play.do(0, intent)
    return refused.value.refusal.code


def sees(features: list[Feature] | None = None, **groups: tuple[tuple[int, int], ...]) -> bool:
    """Tell whether one figure at (1000, 1000) sees one at (1000, 3000), with other groups as given."""
    places = {"0.1": ((1000, 1000),), "1.1": ((1000, 3000),)} | {f"{k[1]}.{k[2]}": v for k, v in groups.items()}
    play = Play(skirmish.table(places, features or ()))
    if play.may(0, SHOT):
        shot = Play(play.state, *(1,) * (1, 2, 4)[len(places["0.1"]) - 1]).do(0, SHOT)
        return bool(shot.rolls)
    return refusal(play, SHOT) != "shoot/no-line-of-sight"


@pytest.mark.rule("AC-SHOOT-01")
def test_there_is_no_range_limit() -> None:
    assert sees(g01=((50, 50),), g11=((7150, 4750),))


@pytest.mark.rule("AC-SHOOT-01")
def test_any_figure_that_sees_any_is_enough() -> None:
    wall = [area("rock", "trees", 900, 1900, 2000, 2100)]
    assert not sees(wall)
    assert sees(wall, g01=((1000, 1000), (700, 1000)), g11=((1000, 3000), (700, 3000)))
    assert sees(wall, g01=((1000, 1000), (2100, 1000)), g11=((1000, 3000), (3200, 3000)))


@pytest.mark.rule("AC-SHOOT-01")
def test_an_intervening_group_blocks_as_a_whole() -> None:
    """A group blocks between its figures too, and a friendly group blocks as well."""
    assert not sees(g21=((600, 2000), (1400, 2000)))
    assert not sees(g02=((600, 2000), (1400, 2000)))
    assert sees(g21=((600, 2000),), g22=((1400, 2000),))


@pytest.mark.rule("AC-SHOOT-01")
def test_a_line_that_only_touches_the_group_is_not_blocked() -> None:
    assert not sees(g21=((1049, 2000),))
    assert sees(g21=((1050, 2000),))


@pytest.mark.rule("AC-SHOOT-01")
def test_shooters_and_targets_never_block_their_own_shot() -> None:
    assert sees(g01=((1000, 1000), (500, 1500), (1500, 1500)), g11=((1000, 3000), (500, 2500), (1500, 2500)))


@pytest.mark.rule("AC-SHOOT-01")
@pytest.mark.parametrize(
    ("kind", "clear"),
    [("trees", False), ("building", False), ("crag", False), ("scrub", True), ("river", True), ("vehicle", True)],
)
def test_blocking_terrain_blocks_and_a_vehicle_never_does(kind: str, clear: bool) -> None:
    assert sees([area("it", kind, 800, 1900, 1200, 2100)]) is clear


@pytest.mark.rule("AC-SHOOT-01")
@pytest.mark.parametrize(("kind", "clear"), [("wall", False), ("wire_fence", True)])
def test_a_blocking_barrier_blocks(kind: str, clear: bool) -> None:
    assert sees([barrier("it", kind, (800, 2000), (1200, 2000))]) is clear


@pytest.mark.rule("AC-SHOOT-01")
def test_figures_inside_a_blocking_feature_see_out_and_are_seen() -> None:
    own, other = area("own", "trees", 800, 800, 1200, 1200), area("other", "building", 800, 2800, 1200, 3200)
    assert sees([own])
    assert sees([other])
    assert sees([own, other])
    assert not sees([own, other, area("third", "trees", 800, 1900, 1200, 2100)])


@pytest.mark.rule("AC-SHOOT-01")
def test_why_not_is_told_by_what_stands_between() -> None:
    play = Play(skirmish.table({**FACING, "2.1": line_up(8, 700, 2500)}))
    with pytest.raises(IllegalIntent) as refused:
        play.do(0, SHOT)
    assert refused.value.refusal.text.a["blocker"] == names.group(play.state, GroupId("2.1"))


@pytest.mark.rule("AC-SHOOT-01")
def test_one_shoots_at_others_groups_that_exist() -> None:
    play = Play(skirmish.table({**FACING, "0.2": line_up(2, 3000, 1000)}))
    assert refusal(play, Shoot(GROUP_0_1, GROUP_0_2)) == "shoot/own-group"
    assert refusal(play, Shoot(GROUP_0_1, GroupId("1.9"))) == "shoot/no-such-target"
    assert refusal(play, Shoot(GROUP_1_1, GROUP_0_1)) == "group/not-yours"


@pytest.mark.rule("AC-SHOOT-02")
def test_a_unit_section_at_three_daleks() -> None:
    """29 points: one Dalek is killed, five points are lost."""
    play = Play(skirmish.table(FACING), *SECTION_ROLL).do(0, SHOT)
    assert play.rolls == [(0, "dice.shooting", 8)]
    [rolled] = play.events(DiceRolled)
    assert rolled.faces == SECTION_ROLL
    assert [shot.volley for shot in play.events(VolleyFired)] == [
        Volley("shooting", 0, GROUP_1_1, (GROUP_0_1,), rolled.id, dice=8, total=29, kill_number=24, kills=1)
    ]
    play.answer(1, ["piece/1.1/2"])
    assert play.state.groups[GROUP_1_1].figures == ("1.1/1", "1.1/3")


@pytest.mark.rule("AC-SHOOT-02")
def test_two_daleks_at_four_humans_in_the_open() -> None:
    """47 points at 6 each: all four die."""
    groups = {"0.1": line_up(2, 1000, 1000), "1.1": line_up(4, 1000, 4000), "1.2": line_up(1, 5000, 4000)}
    play = Play(skirmish.table(groups, factions=(DALEKS, UNIT)), *DALEK_ROLL).do(0, SHOT)
    assert play.rolls == [(0, "dice.shooting", 12)]
    assert "1.1" not in play.state.groups
    assert play.state.seats[0].removed == {1: 4}


@pytest.mark.rule("AC-SHOOT-02")
def test_the_same_roll_at_humans_in_a_building() -> None:
    """47 points at 12 each: three die."""
    groups = {"0.1": line_up(2, 1000, 1000), "1.1": line_up(4, 1000, 4000)}
    house = [area("house", "building", 900, 3900, 1500, 4100)]
    play = Play(skirmish.table(groups, house, (DALEKS, UNIT)), *DALEK_ROLL).do(0, SHOT)
    [shot] = play.events(VolleyFired)
    assert (shot.volley.kill_number, shot.volley.kills) == (12, 3)
    play.answer(1, ["piece/1.1/1", "piece/1.1/2", "piece/1.1/4"])
    assert play.state.groups[GROUP_1_1].figures == ("1.1/3",)


@pytest.mark.rule("AC-SHOOT-02")
def test_less_than_the_kill_number_is_lost() -> None:
    play = Play(skirmish.table(FACING), 5, 5, 5, 1, 1, 1, 1, 4, *(1,) * 8).do(0, SHOT).do(0, SHOT)
    assert play.asked is None
    assert len(play.state.groups[GROUP_1_1].figures) == 3


@pytest.mark.rule("AC-SHOOT-02")
def test_a_group_without_weapons_does_not_shoot() -> None:
    unarmed = msgspec.structs.replace(MILITIA, profiles=(msgspec.structs.replace(skirmish.RIFLE, weapons=()),))
    assert refusal(Play(skirmish.table(FACING, factions=(unarmed, DALEKS))), SHOT) == "shoot/no-dice"


@pytest.mark.rule("AC-SHOOT-03")
def test_the_owner_of_the_target_chooses_who_falls() -> None:
    play = Play(skirmish.table(FACING), *[6] * 8).do(0, SHOT)
    assert play.asked == ("casualties", (1,))
    with pytest.raises(IllegalIntent):
        play.answer(1, ["piece/1.1/1"])
    with pytest.raises(IllegalIntent):
        play.answer(0, ["piece/1.1/1", "piece/1.1/2"])
    play.answer(1, ["piece/1.1/3", "piece/1.1/1"])
    assert play.state.groups[GROUP_1_1].figures == ("1.1/2",)


@pytest.mark.rule("AC-SHOOT-03")
def test_casualties_are_removed_before_the_next_shot() -> None:
    play = Play(skirmish.table(FACING), *SECTION_ROLL, *SECTION_ROLL, *SECTION_ROLL)
    play.do(0, SHOT).answer(1, ["piece/1.1/1"])
    assert "1.1/1" not in play.state.figures
    play.do(0, SHOT).answer(1, ["piece/1.1/2"])
    play.do(0, SHOT)
    assert "1.1" not in play.state.groups
    assert [event.figures for event in play.events(FiguresRemoved)] == [("1.1/1",), ("1.1/2",), ("1.1/3",)]


@pytest.mark.rule("AC-SHOOT-03")
def test_nobody_is_asked_when_all_fall() -> None:
    groups = {"0.1": line_up(4, 1000, 1000), "1.1": line_up(1, 1000, 4000)}
    play = Play(skirmish.table(groups, factions=(UNIT, DALEKS, SPUGS)), *[6] * 8).do(0, SHOT)
    assert play.asked is None
    assert set(play.state.groups) == {"0.1"}


@pytest.mark.rule("AC-SHOOT-03")
def test_a_choice_not_made_in_time_falls_to_the_cheapest_then_the_highest_id() -> None:
    """Two rifles of one die, a gunner of two, a rocket of four: first the second rifle goes, last the rocket."""
    groups = {"0.1": line_up(1, 1000, 1000), "1.1": line_up(4, 1000, 4000)}
    state = skirmish.table(groups, factions=(DALEKS, UNIT))
    left = [Play(state, *[face] * 6).do(0, SHOT).expire().state.groups[GROUP_1_1].figures for face in (1, 2, 3)]
    assert left == [("1.1/1", "1.1/3", "1.1/4"), ("1.1/3", "1.1/4"), ("1.1/4",)]


LINKED = LinkedFire((GROUP_0_1, GROUP_0_1), GROUP_1_1)


@pytest.mark.rule("AC-SHOOT-04")
def test_two_shots_of_one_section_are_totalled_once() -> None:
    """16D6 at the Daleks: twice 23 points kill one together, where apart they kill none."""
    roll = (3, 3, 3, 3, 3, 3, 3, 2) * 2
    play = Play(skirmish.table(FACING, cards=("0.double.1", "1.single.1")), *roll).do(0, LINKED)
    assert play.rolls == [(0, "dice.shooting", 16)]
    play.answer(1, ["piece/1.1/1"])
    assert len(play.state.groups[GROUP_1_1].figures) == 2
    assert play.match.may_act() == (1,)  # both actions are spent
    apart = Play(skirmish.table(FACING, cards=("0.double.1", "1.single.1")), *roll).do(0, SHOT).do(0, SHOT)
    assert len(apart.state.groups[GROUP_1_1].figures) == 3


@pytest.mark.rule("AC-SHOOT-04")
def test_shots_of_two_groups_are_totalled_once() -> None:
    play = Play(skirmish.table({**FACING, "0.2": line_up(2, 3000, 1000)}), *[6] * 10)
    play.do(0, LinkedFire((GROUP_0_1, GROUP_0_2), GROUP_1_1))
    assert play.rolls == [(0, "dice.shooting", 10)]
    assert (play.state.left, play.state.used) == (1, {"0.1": 1, "0.2": 1})


@pytest.mark.rule("AC-SHOOT-04")
def test_three_shots_of_a_triple_card_may_be_linked() -> None:
    play = Play(skirmish.table(FACING), *(1,) * 24).do(0, LinkedFire((GROUP_0_1,) * 3, GROUP_1_1))
    assert play.rolls == [(0, "dice.shooting", 24)]


@pytest.mark.rule("AC-SHOOT-04", "AC-ACT-01")
def test_a_volley_needs_the_trait_an_action_a_shot_and_sight_for_every_group() -> None:
    assert refusal(Play(skirmish.table(FACING, cards=("0.single.1",))), LINKED) == "card/no-actions-left"
    assert refusal(Play(skirmish.table(FACING)), LinkedFire((GROUP_0_1,), GROUP_1_1)) == "linked/one-shot"
    assert refusal(Play(skirmish.table(FACING, factions=(MILITIA, DALEKS))), LINKED) == "linked/not-able"
    blind = {**FACING, "0.2": [(6000, 1000)], "2.1": line_up(3, 3500, 2500)}
    play = Play(skirmish.table(blind))
    assert refusal(play, LinkedFire((GROUP_0_1, GROUP_0_2), GROUP_1_1)) == "shoot/no-line-of-sight"
    play.do(0, Move(GROUP_0_1, FigureId("0.1/1"), (1000, 1100))).do(0, Move(GROUP_0_1, FigureId("0.1/1"), (1000, 1200)))
    assert refusal(play, LINKED) == "card/no-actions-left"


@pytest.mark.rule("AC-SHOOT-04")
def test_the_highest_kill_number_among_the_shots_counts() -> None:
    """The first section sees the Daleks over their wall, the second from behind it."""
    wall = [barrier("wall", "wall", (500, 3950), (1600, 3950))]
    groups = {**FACING, "0.2": line_up(2, 1000, 4600)}
    play = Play(skirmish.table(groups, wall), *(1,) * 10).do(0, LinkedFire((GROUP_0_1, GROUP_0_2), GROUP_1_1))
    [shot] = play.events(VolleyFired)
    assert shot.volley.kill_number == 30
    alone = Play(skirmish.table(groups, wall), 1, 1).do(0, Shoot(GROUP_0_2, GROUP_1_1))
    assert [event.volley.kill_number for event in alone.events(VolleyFired)] == [24]


@pytest.mark.rule("AC-SHOOT-04")
def test_odds_of_linked_fire_tell_the_highest_kill_number_and_its_cover() -> None:
    """The wall protects from the first section, not from the second."""
    wall = [barrier("wall", "wall", (500, 3950), (1600, 3950))]
    play = Play(skirmish.table({**FACING, "0.2": line_up(2, 1000, 4600)}, wall))
    groups = {"first": ["group/0.1"], "second": ["group/0.2"]}
    targets = VERBS.detail_for(play.match.probe(Seat(0)), Seat(0), "linked", groups)
    assert isinstance(targets, Pieces)
    [target] = targets.options
    assert target.hint == Text("hint.shot", {"dice": 10, "number": 30, "figures": 3, "cover": Text("cover.cover")})
    aim = shooting.check_aim(play.state, 0, GROUP_0_1, GROUP_1_1)
    forecast = shooting.forecast_of(play.state, shooting.checked_shot(play.state, (GROUP_0_1, GROUP_0_2), aim))
    assert forecast is not None
    assert forecast.cover == Text("cover.cover")


@pytest.mark.rule("AC-SHOOT-04")
def test_without_linked_fire_each_shot_is_resolved_on_its_own() -> None:
    state = skirmish.table(FACING, cards=("0.double.1", "1.single.1"))
    play = Play(state, *(1,) * 8).do(0, SHOT).do(0, EndCard())
    assert len(play.rolls) == 1


def test_the_ground_that_a_group_sees_is_hidden_by_terrain_and_by_groups_and_cut_by_the_weather() -> None:
    places = {"0.1": ((1000, 1000), (1200, 1000)), "0.2": ((1000, 2000),), "1.1": ((5000, 1000),)}
    state = skirmish.table(places, [area("rock", "trees", 3000, 900, 3200, 1100)])
    first, second = place_sight.lookouts(state, GROUP_NODE)
    assert (first, second) == ((1000, 1000), (1200, 1000))
    seen = place_sight.seen_from(state, GROUP_NODE, first)
    assert contains((2900, 1000), seen)
    assert not contains((3400, 1000), seen)  # behind the trees
    assert not contains((1000, 2500), seen)  # behind a group
    assert contains((1200, 2000), seen)
    assert contains((2900, 1000), place_sight.seen_from(state, GROUP_NODE, second))
    fog = replace(state, lasting=(Lasting("fog", 9, sight=1200),))
    assert not contains((2900, 1000), place_sight.seen_from(fog, GROUP_NODE, first))
    assert place_sight.lookouts(state, names.group_node(GroupId("0.9"))) == ()
