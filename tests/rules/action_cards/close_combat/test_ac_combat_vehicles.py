"""Vehicles in close combat: reached and locked, fought, destroyed with passengers, and parted from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import pytest
from msgspec.structs import replace

from engine.rulesets.action_cards.rules.board import combats, table as lookup
from engine.rulesets.action_cards.rules.card_end import EndCard
from engine.rulesets.action_cards.rules.close_combat import damage
from engine.rulesets.action_cards.rules.movement import moves
from engine.rulesets.action_cards.rules.movement.moves import Move
from engine.rulesets.action_cards.rules.shooting.blast import Blast
from engine.rulesets.action_cards.rules.shooting.shooting import Shoot
from engine.rulesets.action_cards.rules.vehicles.driving import Drive
from engine.rulesets.action_cards.rules.vehicles.flying import Land, TakeOff
from engine.rulesets.action_cards.rules.vehicles.transports import Disembark
from engine.rulesets.action_cards.state.combat_events import CombatEnded, CombatStruck, GroupRetreated, GroupsReformed
from engine.rulesets.action_cards.state.events import FiguresRemoved
from engine.rulesets.action_cards.state.model import Feature, Kill, Point
from engine.rulesets.action_cards.state.state import Skirmish
from engine.rulesets.action_cards.state.vehicle_events import GroupDisembarked
from engine.space.terrain.contact import gap
from engine.space.vectors.headings import SIDES
from protocol.ids import FigureId, GroupId
from tests.support.systems import motors
from tests.support.systems.motors import aboard, refusal, with_vehicle
from tests.support.systems.skirmish import Play, area, barrier, laid, line_up

GROUP_1_1 = GroupId("1.1")
FIGURE_1_1_1 = FigureId("1.1/1")
GROUP_0_1 = GroupId("0.1")
GROUP_0_2 = GroupId("0.2")
FIGURE_0_1_1 = FigureId("0.1/1")

FAR = {"0.9": line_up(2, 6000, 300), "2.9": line_up(1, 6500, 4500), "3.1": line_up(4, 6000, 4500)}
BESIDE = (1000, 1850)
"""Place at which a base an inch across touches a vehicle at (1000, 2000) that looks along the table."""


SQUAD = ((1000, 1400), (1100, 1400), (1200, 1400), (900, 1400))


def road(
    kind: str = "car",
    cards: tuple[str, ...] = ("1.double.1", "0.double.1"),
    *,
    airborne: bool = False,
    features: Sequence[Feature] = (),
    groups: Mapping[str, Sequence[Point]] = MappingProxyType({}),
) -> Skirmish:
    """Return a vehicle of seat 0, and a group of four of seat 1 that can reach it; others where `groups` has them."""
    state = motors.table({"1.1": SQUAD, **FAR, **groups}, features, cards)
    return with_vehicle(state, GROUP_0_1, kind, (1000, 2000), 0, airborne=airborne)


def stormed(state: Skirmish, *dice: int) -> Play:
    """Reach the vehicle with seat 1."""
    return Play(state, *dice).do(1, Move(GROUP_1_1, FIGURE_1_1_1, BESIDE))


@pytest.mark.rule("AC-HTH-01", "AC-MOVE-02", "AC-TERR-01")
def test_a_group_that_reaches_a_vehicle_locks_it() -> None:
    """Both are locked: the vehicle neither drives off nor fights anybody else."""
    play = stormed(road(cards=("1.single.1", "0.double.1")))
    [combat] = play.state.combats
    assert (combat.groups, combat.charged, combat.defended) == (("0.1", "1.1"), ("1.1",), "")
    assert refusal(play, 0, Drive(GROUP_0_1, 3, 0)) == "group/locked"
    assert refusal(play, 0, Shoot(GROUP_0_1, GroupId("3.1"))) == "shoot/locked"
    assert refusal(play, 0, Shoot(GroupId("0.9"), GROUP_1_1)) == "shoot/own-combat"


@pytest.mark.rule("AC-HTH-01", "AC-HTH-03")
def test_a_locked_vehicle_shoots_into_its_own_combat() -> None:
    play = stormed(road(cards=("1.single.1", "0.single.1", "2.single.1")), 6, 6, 1, 1, 1)
    play.do(0, Shoot(GROUP_0_1, GROUP_1_1)).answer(1, ["piece/1.1/2", "piece/1.1/3"])
    assert play.rolls == [(0, "dice.shooting", 5)]
    assert play.state.groups[GROUP_1_1].figures == ("1.1/1", "1.1/4")
    assert len(play.state.combats) == 1


@pytest.mark.rule("AC-HTH-01", "AC-MOVE-02")
@pytest.mark.parametrize(("to", "locked"), [((1000, 1850), True), ((1000, 1846), True), ((1000, 1845), False)])
def test_it_has_to_be_touched(to: tuple[int, int], locked: bool) -> None:
    play = Play(road(cards=("1.single.1", "0.single.1"))).do(1, Move(GROUP_1_1, FIGURE_1_1_1, to))
    assert bool(play.state.combats) is locked


@pytest.mark.rule("AC-HTH-01")
@pytest.mark.parametrize("side", SIDES)
def test_every_side_of_it_can_be_reached_by_what_is_offered(side: str) -> None:
    """Some of the farthest places offered touch the vehicle."""
    start = {"front": (1700, 2000), "rear": (300, 2000), "left": (1000, 2600), "right": (1000, 1400)}[side]
    state = road(groups={"1.1": (start,)})
    ends = [place for region in moves.regions(state, GROUP_1_1, FIGURE_1_1_1) for place in region]
    touching = [
        end
        for end in ends
        if combats.touches_hull(state, replace(lookup.base(state, FIGURE_1_1_1), at=end), FIGURE_0_1_1)
    ]
    assert len(touching) > 3
    for end in touching:
        assert refusal(Play(state), 1, Move(GROUP_1_1, FIGURE_1_1_1, end)) == ""


@pytest.mark.rule("AC-HTH-01", "AC-MOVE-04")
def test_nobody_reaches_what_is_in_the_air_and_what_is_reached_does_not_rise() -> None:
    above = Play(road("gull", airborne=True)).do(1, Move(GROUP_1_1, FIGURE_1_1_1, (1000, 2000)))
    assert not above.state.combats
    landed = stormed(road("gull", ("1.single.1", "0.single.1")))
    assert refusal(landed, 0, TakeOff(GROUP_0_1)) == "group/locked"
    assert refusal(landed, 0, Land(GROUP_0_1)) != ""


@pytest.mark.rule("AC-HTH-01")
def test_a_friends_vehicle_and_figures_beside_the_lead_make_no_contact() -> None:
    own = Play(road(cards=("0.single.1",), groups={"0.2": ((1000, 1400),)})).do(
        0, Move(GROUP_0_2, FigureId("0.2/1"), BESIDE)
    )
    assert not own.state.combats
    followed = Play(road()).do(1, Move(GROUP_1_1, FIGURE_1_1_1, (740, 1850), {FigureId("1.1/2"): (850, 1850)}))
    assert combats.touches_hull(followed.state, lookup.base(followed.state, FigureId("1.1/2")), FIGURE_0_1_1)
    assert not followed.state.combats


@pytest.mark.rule("AC-HTH-04")
@pytest.mark.parametrize(("total", "destroyed"), [((6, 6, 4, 3), False), ((6, 6, 4, 4), True)])
def test_it_falls_to_its_own_number_in_the_open(total: tuple[int, ...], destroyed: bool) -> None:
    """A car of 20 in scrub would need 24 against shots; rifles fight with a die each, the car with none."""
    scrub = area("scrub", "scrub", 700, 1900, 1400, 2200)
    state = road(features=(scrub,))
    rifles = {id: replace(figure, profile="rifle") for id, figure in state.figures.items() if id.startswith("1.1/")}
    play = stormed(replace(state, figures={**state.figures, **rifles}), *total).do(1, EndCard())
    assert play.rolls == [(1, "dice.close_combat", 4)]
    assert ("0.1" not in play.state.groups) is destroyed
    assert [event.why for event in play.events(CombatEnded)] == ["won" if destroyed else "apart"]
    assert play.state.seats[1].removed == ({0: 1} if destroyed else {})


def frail(state: Skirmish) -> Skirmish:
    """Return the table with vehicles that four points destroy."""
    assert motors.CAR.vehicle is not None
    car = replace(motors.CAR, vehicle=replace(motors.CAR.vehicle, kill=Kill(4, 4, 4)))
    profiles = tuple(car if profile.id == car.id else profile for profile in motors.MOTORS.profiles)
    factions = (replace(motors.MOTORS, profiles=profiles), *state.resolved.factions[1:])
    return replace(state, resolved=replace(state.resolved, factions=factions))


@pytest.mark.rule("AC-HTH-04")
@pytest.mark.parametrize(
    ("total", "falls"), [(5, (0, 0)), (11, (1, 0)), (19, (2, 0)), (31, (2, 0)), (32, (2, 1)), (90, (2, 1))]
)
def test_those_on_foot_fall_first_and_the_vehicle_to_what_is_left(total: int, falls: tuple[int, int]) -> None:
    """Two figures fall at 6 each, then the car at 20."""
    state = with_vehicle(
        motors.table({"0.2": ((1000, 1200), (900, 1200)), "1.1": ((1000, 1060),), **FAR}),
        GROUP_0_1,
        "car",
        (1000, 2000),
    )
    play = Play(laid(state, "1.single.1", "0.single.1")).do(1, Move(GROUP_1_1, FIGURE_1_1_1, (1000, 1098)))
    [combat] = play.state.combats
    together = replace(combat, groups=(*combat.groups, "0.1"))
    assert damage.falling(play.state, together, 0, total, ()) == falls
    assert damage.falling(frail(play.state), together, 0, 5, ()) == (0, 0), "not even where it would fall to the rest"


@pytest.mark.rule("AC-HTH-03")
def test_fire_from_outside_meets_it_in_the_cover_that_it_is_in() -> None:
    """A third faction names it: in scrub 24 points of even dice destroy it, and 22 do not."""
    scrub = area("scrub", "scrub", 700, 1900, 1400, 2200)
    for faces, destroyed in (((6, 6, 6, 6, 1, 1), True), ((6, 6, 6, 4, 1, 1), False)):
        groups = {"1.1": ((1000, 1400),), "2.1": ((1000, 3000),)}
        state = road(cards=("1.single.1", "2.single.1", "0.single.1"), features=(scrub,), groups=groups)
        play = stormed(state, *faces).do(2, Shoot(GroupId("2.1"), GROUP_0_1))
        assert ("0.1" not in play.state.groups) is destroyed
        assert bool(play.state.combats) is not destroyed


@pytest.mark.rule("AC-HTH-04", "AC-OPEN-01")
def test_a_transport_destroyed_in_a_combat_puts_its_passengers_out() -> None:
    """Of four aboard one does not get out; all is to the credit of those who stormed it."""
    loaded = aboard(road("lorry", groups={"0.2": line_up(4, 3000, 3000)}), GROUP_0_2, FIGURE_0_1_1)
    play = stormed(loaded, *[6] * 8, 1, 3, 4, 5).do(1, EndCard())
    assert [rolled for rolled in play.rolls if rolled[1] == "dice.bail_out"] == [(0, "dice.bail_out", 4)]
    [out] = play.events(GroupDisembarked)
    assert (out.group, out.how) == ("0.2", "wreck")
    play.answer(0, ["piece/0.2/1"])
    assert play.state.groups[GROUP_0_2].figures == ("0.2/2", "0.2/3", "0.2/4")
    assert play.state.seats[1].removed == {0: 2}
    assert not play.state.combats
    assert not play.state.aboard
    mine, theirs = (
        [lookup.base(play.state, id) for id in play.state.groups[group].figures] for group in (GROUP_0_2, GROUP_1_1)
    )
    assert all(gap(one, other) >= 5 for one in mine for other in theirs)


@pytest.mark.rule("AC-HTH-05")
def test_a_vehicle_stays_and_those_who_did_not_destroy_it_go_back() -> None:
    play = stormed(road(), *[1] * 8).do(1, EndCard())
    assert [(event.group, event.how) for event in play.events(GroupRetreated)] == [("1.1", "path")]
    assert play.at("0.1/1") == (1000, 2000)
    assert play.at("1.1/1")[1] <= 1060
    assert not play.state.combats
    play.do(0, Drive(GROUP_0_1, 6, 0))
    assert play.at("0.1/1") == (1600, 2000)


@pytest.mark.rule("AC-HTH-05")
def test_who_is_charged_beside_his_own_vehicle_joins_no_group_with_it() -> None:
    """Regrouping takes figures on foot only; a squad that goes back touches no vehicle, its own or others'."""
    state = road(groups={"0.2": ((1000, 1700),), "1.1": ((1000, 1300),)})
    play = Play(state).do(1, Move(GROUP_1_1, FIGURE_1_1_1, (1000, 1598)))
    [combat] = play.state.combats
    joined = replace(play.state, combats=(replace(combat, groups=(*combat.groups, "0.1")),))
    after = Play(joined, *[1] * 2).do(1, EndCard())
    assert after.events(GroupsReformed) == []
    assert after.state.groups[GROUP_0_1].figures == ("0.1/1",)
    assert after.at("0.1/1") == (1000, 2000)
    moved = [event.group for event in after.events(GroupRetreated)]
    assert moved == ["1.1", "0.2"]
    assert not combats.touches_hull(after.state, lookup.base(after.state, FigureId("0.2/1")), FIGURE_0_1_1)


@pytest.mark.rule("AC-HTH-05")
def test_who_was_charged_beside_an_enemys_vehicle_goes_away_from_it() -> None:
    """The squad's lead is locked with the vehicle alone, without a way back: directly away from its nearest side."""
    play = Play(road()).do(1, Move(GROUP_1_1, FIGURE_1_1_1, (880, 1850)))
    [combat] = play.state.combats
    still = replace(play.state, combats=(replace(combat, paths={}, charged=()),))
    ended = Play(still, *[1] * 8).do(1, EndCard())
    [back] = ended.events(GroupRetreated)
    assert (back.how, ended.at("1.1/1")) == ("away", (880, 1050))


@pytest.mark.rule("AC-HTH-01")
def test_those_who_storm_out_of_a_wood_but_stay_in_it_keep_its_cover() -> None:
    """Only these figures were in the wood; a vehicle itself holds no position."""
    wood = area("wood", "trees", 600, 1200, 1400, 1880)
    [combat] = stormed(road(features=(wood,))).state.combats
    assert (combat.defended, combat.defender) == ("wood", 1)
    held = area("scrub", "scrub", 700, 1900, 1400, 2200)
    assert stormed(road(features=(held,))).state.combats[0].defended == ""


@pytest.mark.rule("AC-HTH-04")
def test_it_strikes_back_with_the_close_combat_dice_of_its_profile() -> None:
    """A vehicle rolls even if it is destroyed in the same round: shipped vehicles fight with their guns."""
    state = road()
    factions = list(state.resolved.factions)
    armed = tuple(replace(p, close=p.dice) if p.id == "car" else p for p in factions[0].profiles)
    factions[0] = replace(factions[0], profiles=armed)
    state = replace(state, resolved=replace(state.resolved, factions=tuple(factions)))
    play = stormed(state, *[6] * 13).do(1, EndCard())
    struck = [event.strike for event in play.events(CombatStruck)]
    assert [(one.seat, one.total, one.kills, one.wrecks) for one in struck] == [
        (0, 30, {1: 4}, {}),
        (1, 48, {0: 1}, {0: 1}),
    ]
    assert [event.why for event in play.events(CombatEnded)] == ["nobody"]


@pytest.mark.rule("AC-HTH-03", "AC-MOVE-02")
def test_passengers_may_get_out_of_a_locked_vehicle_and_join() -> None:
    state = road("lorry", ("1.single.1", "0.single.1"), groups={"0.2": line_up(2, 3000, 3000), "1.1": ((1000, 1400),)})
    play = Play(aboard(state, GROUP_0_2, FIGURE_0_1_1)).do(1, Move(GROUP_1_1, FIGURE_1_1_1, (850, 1850)))
    play.do(0, Disembark(GROUP_0_2, (952, 1846)))
    [combat] = play.state.combats
    assert set(combat.groups) == {"0.1", "0.2", "1.1"}


@pytest.mark.rule("AC-OPEN-01")
def test_a_circle_lies_on_no_combat_of_ones_own_vehicle() -> None:
    state = motors.with_crew(road(cards=("1.single.1", "0.single.1")), GroupId("0.5"), (3000, 1500))
    assert refusal(stormed(state), 0, Blast(GroupId("0.5"), (1000, 1700))) == "blast/own-combat"


@pytest.mark.rule("AC-HTH-05")
def test_who_has_destroyed_it_stays_where_the_fight_was() -> None:
    play = stormed(road(), *[6] * 8).do(1, EndCard())
    [lost] = play.events(FiguresRemoved)
    assert (lost.by, lost.figures) == (1, ("0.1/1",))
    assert play.at("1.1/1") == BESIDE


@pytest.mark.rule("AC-HTH-04")
def test_a_vehicle_shot_at_by_several_has_the_number_against_the_worst_placed_of_them() -> None:
    wall = barrier("wall", "wall", (900, 1000), (900, 3000))
    state = motors.table({"1.1": ((200, 2000),), "1.2": ((3000, 2000),)}, (wall,))
    state = motors.with_vehicle(state, GroupId("0.9"), "lorry", (1000, 2000))
    behind, open_ground = GroupId("1.1"), GroupId("1.2")
    numbers = [
        damage.number_of_vehicle(state, shooters, GroupId("0.9"))
        for shooters in ((), (open_ground,), (behind,), (open_ground, behind), (behind, open_ground))
    ]
    assert numbers == [motors.HULL.open, motors.HULL.open, *(motors.HULL.cover,) * 3]
