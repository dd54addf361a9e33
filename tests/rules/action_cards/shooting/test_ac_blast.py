"""Blast weapons and crewed weapons (AC-SETUP-01, AC-SETUP-02, AC-OPEN-01)."""

import pytest
from msgspec.structs import replace

from engine.core.rules.dice import Roll
from engine.rulesets.action_cards.rules.board import casualties, firepower, table as lookup
from engine.rulesets.action_cards.rules.board.combats import combat_of
from engine.rulesets.action_cards.rules.movement.moves import Move
from engine.rulesets.action_cards.rules.shooting import blast, place_sight
from engine.rulesets.action_cards.rules.shooting.blast import Blast
from engine.rulesets.action_cards.rules.shooting.shooting import Shoot
from engine.rulesets.action_cards.state.model import Feature
from engine.rulesets.action_cards.state.state import Lasting, Skirmish
from engine.rulesets.action_cards.state.vehicle_events import BurstFell
from engine.space.movement.reach import DIRECTIONS, along
from protocol.ids import FigureId, GroupId
from tests.support.systems import motors
from tests.support.systems.battle import sound
from tests.support.systems.motors import refusal, with_crew, with_vehicle
from tests.support.systems.skirmish import Play, area, barrier, laid, line_up

GROUP_0_5 = GroupId("0.5")
GROUP_1_1 = GroupId("1.1")
GROUP_0_1 = GroupId("0.1")

FOUR_SIXES = Roll((6,) * 4, 1, 0)

FAR = {"3.1": line_up(4, 6000, 4500)}


def battery(groups: dict[str, tuple[tuple[int, int], ...]], *features: Feature, crew: int = 3) -> Skirmish:
    """Return a mortar of six blast dice at (1000, 2000)."""
    return with_crew(motors.table({**groups, **FAR}, features), GROUP_0_5, (1000, 2000), crew)


@pytest.mark.rule("AC-OPEN-01", "AC-SETUP-02")
def test_one_roll_against_each_group_under_the_circle() -> None:
    """Six dice make 20: of rifles in the open (6 each) three fall, of Daleks (24) none."""
    state = battery({"1.1": line_up(4, 2800, 2000), "2.1": ((3000, 2250),)})
    play = Play(state, 1, 2, 3, 4, 5, 5).do(0, Blast(GROUP_0_5, (3000, 2000)))
    [fell] = play.events(BurstFell)
    assert fell.burst.falls == {"1.1": 3, "2.1": 0}
    assert fell.burst.numbers == {"1.1": 6, "2.1": 24}
    assert play.state.left == 2
    play.expire()
    assert len(play.state.groups[GROUP_1_1].figures) == 1
    assert play.state.burst is None
    assert play.rolls[-1] == (0, "dice.shooting", 6)


@pytest.mark.rule("AC-OPEN-01", "AC-SETUP-02")
def test_no_more_fall_than_are_under_the_circle() -> None:
    """The circle is six inches across: its edge just touches the base of the second figure, not that of the third."""
    state = battery({"1.1": ((3000, 2000), (3350, 2000), (3351, 2200), (3600, 2000))})
    assert blast.figures_under(state, GROUP_1_1, (3000, 2000)) == ("1.1/1", "1.1/2")
    play = Play(state, 6, 6, 6, 6, 6, 6).do(0, Blast(GROUP_0_5, (3000, 2000)))
    assert [fell.burst.falls for fell in play.events(BurstFell)] == [{"1.1": 2}], "nor are more told"
    assert play.state.groups[GROUP_1_1].figures == ("1.1/3", "1.1/4")


@pytest.mark.rule("AC-OPEN-01")
def test_friends_are_hit_too() -> None:
    state = battery({"0.1": line_up(2, 2900, 2100), "1.1": line_up(2, 2900, 1900)})
    play = Play(state, 6, 6, 1, 1, 1, 1).do(0, Blast(GROUP_0_5, (3000, 2000)))
    assert "0.1" not in play.state.groups
    assert "1.1" not in play.state.groups
    assert play.state.seats[0].removed == {0: 2, 1: 2}


@pytest.mark.rule("AC-OPEN-01")
def test_each_group_counts_its_own_cover() -> None:
    """A feature that holds the group protects it; a wall does not, since nobody fires over it."""
    features = (area("wood", "trees", 2800, 2000, 3300, 2300), barrier("w", "wall", (2700, 1950), (3400, 1950)))
    state = battery({"1.1": line_up(4, 2850, 2100), "1.2": line_up(3, 2850, 1850)}, *features)
    at = (3000, 1900)
    assert blast.burst_of(state, 0, GROUP_0_5, at, FOUR_SIXES).numbers == {"1.1": 12, "1.2": 6}


@pytest.mark.rule("AC-OPEN-01", "AC-SETUP-02")
def test_the_middle_must_be_in_sight_of_a_figure() -> None:
    house = area("house", "building", 1500, 1500, 2000, 2500)
    state = battery({"1.1": line_up(4, 2800, 2000), "1.2": line_up(2, 2300, 3000)}, house)
    assert refusal(Play(state), 0, Blast(GROUP_0_5, (3000, 2000))) == "blast/no-line-of-sight"
    assert refusal(Play(state, 1, 1, 1, 1, 1, 1), 0, Blast(GROUP_0_5, (1700, 2000))) == ""
    assert refusal(Play(state, 1, 1, 1, 1, 1, 1), 0, Blast(GROUP_0_5, (1500, 3500))) == ""
    assert refusal(Play(state), 0, Blast(GROUP_0_5, (7300, 3500))) == "blast/off-table"


@pytest.mark.rule("AC-OPEN-01")
def test_in_fog_the_figure_that_is_near_enough_must_be_the_one_that_sees() -> None:
    """The first figure is 8 inches from the place, behind a house; the second sees it, from 16 inches."""
    house = area("house", "building", 1300, 1900, 1500, 2100)
    state = motors.table({"0.1": ((1000, 2000), (1000, 3400)), **FAR}, [house])
    assert place_sight.sees(state, GROUP_0_1, (1800, 2000))
    assert not place_sight.sees(replace(state, lasting=(Lasting("fog", 9, sight=1200),)), GROUP_0_1, (1800, 2000))
    assert place_sight.sees(replace(state, lasting=(Lasting("fog", 9, sight=1800),)), GROUP_0_1, (1800, 2000))


@pytest.mark.rule("AC-OPEN-01")
def test_a_group_hides_what_is_behind_it_but_not_itself() -> None:
    state = battery({"1.1": line_up(4, 2800, 2000)})
    assert place_sight.sees(state, GROUP_0_5, (2900, 2000))
    assert not place_sight.sees(state, GROUP_0_5, (3600, 2000))


@pytest.mark.rule("AC-OPEN-01")
def test_what_is_seen_along_a_way_is_what_is_seen_at_each_place_of_it() -> None:
    """`sees_along` agrees with `sees`, whatever stands beside the way or holds one of its places."""
    seen = 0
    features = (
        area("house", "building", 1500, 1500, 2000, 2500),
        area("wood", "trees", 2500, 2600, 3100, 3300),
        barrier("wall", "wall", (700, 2600), (1600, 2800)),
    )
    state = battery(
        {"0.1": line_up(3, 1100, 1500), "1.1": line_up(4, 1800, 2900), "1.2": line_up(5, 600, 900)}, *features
    )
    start = lookup.board(state).standing[GROUP_0_5].centre
    for direction in DIRECTIONS:
        sees = place_sight.sees_along(state, GROUP_0_5, start, along(start, direction, 12_000))
        for far in range(0, 4_000, 170):
            place = along(start, direction, far)
            seen += sees(place)
            assert sees(place) == place_sight.sees(state, GROUP_0_5, place)
    assert 300 < seen < 900


@pytest.mark.rule("AC-OPEN-01")
def test_not_on_a_combat_of_ones_own() -> None:
    state = battery({"0.1": ((3000, 2000),), "1.1": ((3300, 2000), (3450, 2000))})
    play = Play(state, 1, 1, 1, 1, 1, 1).do(0, Move(GROUP_0_1, FigureId("0.1/1"), (3198, 2000)))
    assert combat_of(play.state, GROUP_0_1) is not None
    assert refusal(play, 0, Blast(GROUP_0_5, (3200, 2300))) == "blast/own-combat"
    # beside it the circle may lie: it is 3 inches from its middle to its edge, and a base half an inch
    assert refusal(play, 0, Blast(GROUP_0_5, (3200, 2349))) == "blast/own-combat"
    assert refusal(play, 0, Blast(GROUP_0_5, (3200, 2350))) == ""


@pytest.mark.rule("AC-OPEN-01", "AC-HTH-03")
def test_on_another_combat_the_circle_replaces_even_and_odd() -> None:
    state = battery({"1.1": ((3000, 2000),), "2.1": ((3300, 2000),)})
    faces = (5, 5, 5, 5, 3, 1)
    play = Play(laid(state, "1.single.1", "0.triple.1"), *faces).do(1, Move(GROUP_1_1, FigureId("1.1/1"), (3198, 2000)))
    play.do(0, Blast(GROUP_0_5, (3200, 2000)))
    [fell] = play.events(BurstFell)
    assert fell.burst.falls == {"1.1": 1, "2.1": 1}
    assert not play.state.combats


@pytest.mark.rule("AC-OPEN-01")
def test_who_is_locked_fires_no_blast() -> None:
    state = battery({"1.1": ((1300, 2000),)})
    play = Play(laid(state, "1.single.1", "0.single.1")).do(1, Move(GROUP_1_1, FigureId("1.1/1"), (1142, 2000)))
    assert refusal(play, 0, Blast(GROUP_0_5, (3000, 2000))) == "group/locked"


@pytest.mark.rule("AC-OPEN-01", "AC-SETUP-02")
def test_vehicles_on_the_ground_are_hit_and_those_in_the_air_not() -> None:
    state = with_vehicle(battery({}), GroupId("1.8"), "rifle", (3000, 3000))
    state = with_vehicle(state, GroupId("0.7"), "car", (3000, 2000), 0)
    state = with_vehicle(state, GroupId("0.8"), "gull", (3000, 2100), 0, airborne=True)
    assert blast.figures_under(state, GroupId("0.7"), (3500, 2000)) == ("0.7/1",)
    assert blast.figures_under(state, GroupId("0.7"), (3501, 2000)) == ()
    assert blast.figures_under(state, GroupId("0.8"), (3000, 2100)) == ()
    assert blast.burst_of(state, 0, GROUP_0_5, (3000, 2000), FOUR_SIXES).numbers == {"0.7": 20}


@pytest.mark.rule("AC-OPEN-01", "AC-SHOOT-02")
def test_blast_weapons_and_others_are_fired_apart() -> None:
    state = battery({"1.1": line_up(4, 2800, 2000)})
    state = with_crew(state, GroupId("0.6"), (1000, 3000), 1, "lobber")
    assert refusal(Play(state), 0, Shoot(GROUP_0_5, GROUP_1_1)) == "shoot/no-dice"
    assert firepower.dice_of(state, GroupId("0.6"), blast=True) == 3
    assert firepower.dice_of(state, GroupId("0.6")) == 0
    assert refusal(Play(state), 0, Blast(GroupId("0.9"), (3000, 2000))) == "group/unknown"
    rifles = motors.table({"0.1": line_up(4, 1000, 2000), **FAR})
    assert refusal(Play(rifles), 0, Blast(GROUP_0_1, (3000, 2000))) == "blast/no-dice"


@pytest.mark.rule("AC-SETUP-02", "AC-OPEN-01")
def test_nobody_in_the_air_is_under_a_circle() -> None:
    state = with_vehicle(motors.table(FAR), GroupId("0.9"), "gull", (3000, 2000), airborne=True)
    assert sound(blast.figures_under, state, GroupId("0.9"), (3000, 2000)) == ()


@pytest.mark.rule("AC-SETUP-01")
def test_a_crewed_weapon_fires_while_enough_of_its_crew_are_left() -> None:
    assert [firepower.dice_of(battery({}, crew=crew), GROUP_0_5, blast=True) for crew in (3, 2, 1)] == [6, 6, 0]
    assert refusal(Play(battery({}, crew=1)), 0, Blast(GROUP_0_5, (3000, 2000))) == "blast/no-dice"


@pytest.mark.rule("AC-SETUP-01", "AC-SHOOT-03")
def test_the_crew_falls_one_by_one_and_the_base_goes_with_the_last() -> None:
    state = battery({"1.1": line_up(4, 2800, 2000)})
    play = Play(laid(state, "1.triple.1"), 6, 1, 1, 1, 1, 1, 1, 1).do(1, Shoot(GROUP_1_1, GROUP_0_5))
    assert play.asked == ("casualties", (0,))
    play.expire()
    assert play.state.groups[GROUP_0_5].figures == ("0.5/1",)
    assert lookup.board(play.state).bases(GROUP_0_5)[0].at == (1000, 2000)


@pytest.mark.rule("AC-SHOOT-03")
def test_a_gunner_is_worth_his_share_of_the_gun() -> None:
    state = with_crew(battery({"0.1": line_up(4, 2800, 2000)}), GroupId("0.6"), (1000, 3000), 1, "lobber")
    mixed = tuple(map(FigureId, ("0.1/1", "0.5/1", "0.6/1")))
    assert casualties.cheapest_first(state, mixed) == ("0.1/1", "0.5/1", "0.6/1")
