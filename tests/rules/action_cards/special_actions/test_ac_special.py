"""Special actions, the action roll, and burrowing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import pytest

from engine.core.rules.errors import IllegalIntent
from engine.core.rules.system import Intent
from engine.rulesets.action_cards.rules.board import table as lookup
from engine.rulesets.action_cards.rules.movement.moves import Move
from engine.rulesets.action_cards.rules.special_actions.specials import UseSpecial
from engine.rulesets.action_cards.state.events import SpecialTried
from engine.rulesets.action_cards.state.model import Feature, Point, Special
from engine.rulesets.action_cards.state.state import Skirmish
from engine.space.terrain.contact import gap
from engine.space.vectors.outlines import place_near_outline
from protocol.ids import FigureId, GroupId
from tests.support.systems import motors, skirmish
from tests.support.systems.skirmish import DALEKS, SPUGS, UNIT, Play, area, barrier, line_up

GROUP_0_1 = GroupId("0.1")

HOUSE = area("house", "building", 900, 900, 1320, 1100)
SEARCH = Special("search", "special.search", "search", roll=True, feature="house")
WORK = Special("work", "special.work", "work", feature="house", goal=2, once=True)
GROUPS = {"0.1": line_up(4, 1000, 1000), "0.2": line_up(2, 3000, 1000), "1.1": line_up(3, 1000, 4000)}


def searching(*specials: Special, cards: Sequence[str] = ("0.triple.1",)) -> Skirmish:
    return skirmish.table(GROUPS, [HOUSE], cards=cards, specials=specials or (SEARCH,))


def refusal(play: Play, intent: Intent) -> str:
    with pytest.raises(IllegalIntent) as refused:
        play.do(0, intent)
    return refused.value.refusal.code


@pytest.mark.rule("AC-SPEC-01")
@pytest.mark.parametrize(("faces", "success"), [((1, 2, 6), True), ((5, 5, 5), False), ((6, 6, 6), True)])
def test_one_die_for_every_figure_that_helps_and_one_six_succeeds(faces: tuple[int, ...], success: bool) -> None:
    """Three of the four stand in the house that is searched."""
    play = Play(searching(), *faces).do(0, UseSpecial(GROUP_0_1, "search"))
    assert play.rolls == [(0, "dice.action_roll", 3)]
    [tried] = play.events(SpecialTried)
    assert (tried.helpers, tried.success) == (("0.1/1", "0.1/2", "0.1/3"), success)
    assert play.state.seats[0].done == ({"search": 1} if success else {})
    assert play.state.left == 2


@pytest.mark.rule("AC-SPEC-01")
def test_fewer_may_help() -> None:
    play = Play(searching(), 1, 1).do(0, UseSpecial(GROUP_0_1, "search", (FigureId("0.1/1"), FigureId("0.1/3"))))
    assert play.rolls == [(0, "dice.action_roll", 2)]
    assert refusal(play, UseSpecial(GROUP_0_1, "search", (FigureId("0.1/4"),))) == "special/cannot-help"
    assert refusal(play, UseSpecial(GROUP_0_1, "search", (FigureId("0.2/1"),))) == "special/cannot-help"


@pytest.mark.rule("AC-SPEC-01")
def test_it_is_done_where_it_belongs_and_not_after_it_is_over() -> None:
    play = Play(searching(), 6, 6, 6)
    assert refusal(play, UseSpecial(GroupId("0.2"), "search")) == "special/not-there"
    assert refusal(play, UseSpecial(GROUP_0_1, "dance")) == "special/unknown"
    play.do(0, UseSpecial(GROUP_0_1, "search"))
    assert refusal(play, UseSpecial(GROUP_0_1, "search")) == "special/over"


@pytest.mark.rule("AC-SPEC-01", "AC-ACT-01")
def test_without_a_roll_it_succeeds_and_may_take_several_successes() -> None:
    play = Play(searching(WORK)).do(0, UseSpecial(GROUP_0_1, "work")).do(0, UseSpecial(GROUP_0_1, "work"))
    assert (play.rolls, play.state.seats[0].done) == ([], {"work": 2})
    assert refusal(play, UseSpecial(GROUP_0_1, "work")) == "special/over"


@pytest.mark.rule("AC-SPEC-01")
def test_a_feature_that_is_gone_cannot_be_searched() -> None:
    play = Play(msgspec.structs.replace(searching(), gone=("house",)))
    assert refusal(play, UseSpecial(GROUP_0_1, "search")) == "special/not-there"


@pytest.mark.rule("AC-SPEC-01")
def test_it_costs_an_action() -> None:
    play = Play(searching(cards=("0.single.1", "0.single.2")), 1, 1, 1).do(0, UseSpecial(GROUP_0_1, "search"))
    assert play.state.current == 1


# Burrowing


def warren(features: Sequence[Feature] = (), others: Mapping[str, Sequence[Point]] | None = None) -> Play:
    places = {"0.1": line_up(4, 1000, 1000), "1.1": line_up(3, 5000, 4000)}
    places |= {id: tuple(at) for id, at in (others or {}).items()}
    return Play(skirmish.table(places, features, factions=(SPUGS, DALEKS, UNIT)))


def under(to: Point | None) -> UseSpecial:
    return UseSpecial(GROUP_0_1, "burrow", (), to)


@pytest.mark.rule("AC-SPEC-01")
def test_spugs_burrow_a_move_in_a_straight_line_without_a_roll() -> None:
    play = warren().do(0, under((1000, 2600)))
    assert (play.at("0.1/1"), play.rolls, play.state.left) == ((1000, 2600), [], 2)
    assert refusal(warren(), under((1000, 2601))) == "burrow/too-far"
    assert refusal(warren(), under(None)) == "burrow/no-place"
    assert refusal(warren(), under((1000, 40))) == "burrow/off-table"


@pytest.mark.rule("AC-SPEC-01")
def test_the_figure_nearest_to_the_place_leads() -> None:
    assert warren().do(0, under((2960, 1000))).at("0.1/4") == (2960, 1000)


@pytest.mark.rule("AC-SPEC-01")
def test_the_others_come_up_next_to_the_lead_and_not_beyond_it() -> None:
    """Bases are an inch wide: there is room at both sides of the lead and behind it."""
    play = warren().do(0, under((1000, 2600)))
    beside = sorted(play.at(f"0.1/{n}") for n in (2, 3, 4))
    assert beside == [(900, 2600), (1000, 2500), (1100, 2600)]


@pytest.mark.rule("AC-SPEC-01")
def test_they_pass_below_features_barriers_and_groups() -> None:
    over = [area("rock", "crag", 800, 1300, 1200, 1500), barrier("wall", "wall", (500, 1600), (2000, 1600))]
    play = warren(over, {"1.1": line_up(3, 900, 1900)}).do(0, under((1000, 2400)))
    assert play.at("0.1/1") == (1000, 2400)
    assert not play.state.combats


@pytest.mark.rule("AC-SPEC-01")
def test_they_come_up_on_open_ground_only() -> None:
    things = [area("bush", "scrub", 900, 2000, 1100, 2200), barrier("wire", "wire_fence", (500, 2400), (2000, 2400))]
    assert refusal(warren(things), under((1000, 2100))) == "burrow/not-open-ground"
    assert refusal(warren(things), under((1000, 2400))) == "burrow/not-open-ground"


@pytest.mark.rule("AC-SPEC-01")
@pytest.mark.parametrize("group", ["1.1", "0.2"])
def test_they_come_up_an_inch_clear_of_every_base(group: str) -> None:
    assert refusal(warren((), {group: [(1000, 2199)]}), under((1000, 2000))) == "burrow/not-clear"
    play = warren((), {group: [(1000, 2200)]}).do(0, under((1000, 2000)))
    other = lookup.base(play.state, FigureId(f"{group}/1"))
    assert all(gap(other, base) >= 100 for base in lookup.board(play.state).bases(GROUP_0_1))


def beside_a_lorry(places: Sequence[Point], facing: int, *, airborne: bool = False) -> Play:
    """Play with Spugs of seat 0, and a lorry of seat 1, 4 inches by 2, at (2000, 2000)."""
    factions = (SPUGS, motors.MOTORS)
    state = skirmish.table({"0.1": places, "1.1": line_up(1, 6000, 4500)}, factions=factions)
    return Play(motors.with_vehicle(state, GroupId("1.9"), "lorry", (2000, 2000), facing, airborne=airborne))


@pytest.mark.rule("AC-SPEC-01")
@pytest.mark.parametrize(
    ("to", "code"),
    [
        ((2000, 2249), "burrow/not-clear"),
        ((2000, 2250), ""),
        ((2349, 2000), "burrow/not-clear"),
        ((2350, 2000), ""),
        ((2305, 2205), "burrow/not-clear"),
        ((2307, 2207), ""),
        ((2000, 2149), "burrow/not-open-ground"),
    ],
)
def test_they_come_up_an_inch_clear_of_the_hull_of_a_vehicle(to: Point, code: str) -> None:
    """It looks to the right: its hull reaches from 1800 to 2200, and from 1900 to 2100."""
    assert beside_a_lorry([(1500, 2600)], 0).why_not(0, under(to)) == code
    assert beside_a_lorry([(1500, 2600)], 0, airborne=True).why_not(0, under(to)) == ""


@pytest.mark.rule("AC-SPEC-01")
@pytest.mark.parametrize("facing", [0, 30, 45, 90])
@pytest.mark.parametrize("to", [(2000, 2380), (2380, 2000), (2260, 2260), (1740, 2260)])
def test_the_others_too_come_up_clear_of_a_vehicle(to: Point, facing: int) -> None:
    """The lead comes up beyond the lorry, and the others between them."""
    play = beside_a_lorry(line_up(12, 1400, 1400), facing).do(0, under(to))
    outline = lookup.board(play.state).scenery.area("1.9/1").outline
    figures = lookup.board(play.state).bases(GROUP_0_1)
    assert not [base.id for base in figures if place_near_outline(base.at, outline, base.radius + 100)]


@pytest.mark.rule("AC-SPEC-01")
def test_a_locked_group_does_not_burrow() -> None:
    play = warren((), {"1.1": [(1000, 1400)]}).do(0, Move(GROUP_0_1, FigureId("0.1/1"), (1000, 1300)))
    assert refusal(play, under((1000, 2000))) == "group/locked"
