"""Edges of setup, special actions and shots: both sides of each condition (AC-SETUP, AC-SPEC, AC-SHOOT)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.core.rules.errors import IllegalIntent, SetupRefused
from engine.core.rules.events import OrderMade
from engine.kit.terrain import scatter
from engine.kit.terrain.passability import Passability
from engine.rulesets.action_cards.rules.scenario import setup
from engine.rulesets.action_cards.rules.shooting.linked_fire import LinkedFire
from engine.rulesets.action_cards.rules.shooting.shooting import Shoot
from engine.rulesets.action_cards.rules.special_actions import specials
from engine.rulesets.action_cards.rules.special_actions.specials import UseSpecial
from engine.rulesets.action_cards.state.event_facts import TableLaid
from engine.rulesets.action_cards.state.model import Condition, Feature, Organisation, Scatter, Special, Terrain
from engine.rulesets.action_cards.state.state import Combat, Lasting, Skirmish
from engine.space.vectors.points import box_of
from protocol.ids import FigureId, GroupId
from tests.support.systems import skirmish
from tests.support.systems.motors import refusal
from tests.support.systems.skirmish import DALEKS, MILITIA, SPUGS, TERRAIN, UNIT, Play, area, barrier, line_up

GROUP_0_1 = GroupId("0.1")
GROUP_1_1 = GroupId("1.1")

# Set-up


@pytest.mark.rule("AC-SETUP-01")
def test_there_are_as_many_seats_as_factions_and_roles() -> None:
    state = setup.start(skirmish.resolved((UNIT, DALEKS)), 2)
    assert state.group_count == len(state.groups) == 3
    assert sorted(state.figures) == [f"0-{n:02}" for n in range(1, 9)] + [f"1-{n:02}" for n in range(1, 4)]
    for seats in (1, 3):
        with pytest.raises(SetupRefused):
            setup.start(skirmish.resolved((UNIT, DALEKS)), seats)


@pytest.mark.rule("AC-SETUP-01")
@pytest.mark.parametrize(("kinds", "told"), [(("", "riders"), ["", "riders"]), ((), ["", ""])])
def test_each_group_is_of_its_organisation(kinds: tuple[str, ...], told: list[str]) -> None:
    riders = Organisation("riders", "organisation.riders", 3, 1200)
    own = replace(MILITIA, force=(("rifle",) * 4, ("rifle",) * 3), organisations=(riders,), kinds=kinds)
    state = setup.start(skirmish.resolved((own, DALEKS)), 2)
    assert [group.kind for group in state.groups.values() if group.owner == 0] == told
    with pytest.raises(SetupRefused) as refused:
        setup.start(skirmish.resolved((replace(own, kinds=("riders", "")), DALEKS)), 2)
    assert refused.value.text.k == "setup.group-too-large"


def between(*features: Feature, kinds: dict[str, Terrain] | None = None) -> Passability:
    """Return two factions, on the left and on the right, and a house in the middle that one of them is to hold."""
    starts = [((x, 0), (x + 900, 0), (x + 900, 900), (x, 900)) for x in (0, 6000)]
    roles = [replace(skirmish.role(), start=start) for start in starts]
    hold = Condition("h", "hold", "h", "h", feature="house")
    house = area("house", "building", 3300, 2200, 3900, 2600)
    scenario = skirmish.scenario(
        2, roles=(replace(roles[0], conditions=(hold,)), roles[1]), features=(house, *features)
    )
    return setup.passability(scenario, {**TERRAIN, **(kinds or {})})


@pytest.mark.rule("AC-SETUP-01")
@pytest.mark.parametrize(("kind", "shut"), [("crag", [(0, 0)]), ("scrub", []), ("river", [])])
def test_only_what_nobody_may_enter_shuts_out(kind: str, shut: list[tuple[int, int]]) -> None:
    assert between(area("row", kind, 1600, 0, 1900, 4800)).shut_out() == shut


@pytest.mark.rule("AC-SETUP-01")
def test_a_barrier_shuts_nobody_out() -> None:
    """A figure beside an impassable barrier can still reach everything on its own side."""
    cliff = {"cliff": Terrain("cliff", "cover", True, line=True, impassable=True)}
    assert between(barrier("row", "cliff", (1600, 0), (1600, 4800)), kinds=cliff).shut_out() == []


@pytest.mark.rule("AC-SETUP-01")
def test_a_piece_that_would_shut_somebody_out_is_passed_over() -> None:
    crags = Scatter("crag", "crag", "feature.crag", 1, (300, 4800), ((0, 0), (7200, 0), (7200, 4800), (0, 4800)), 100)
    pieces = [
        scatter.LaidPiece(found.outline, box_of(found.outline))
        for found in (area("", "crag", 1600, 0, 1900, 4800), area("", "crag", 1600, 0, 1900, 2000))
    ]
    laid = scatter.chosen(crags, pieces, [], between())
    assert [piece.outline for piece in laid] == [pieces[1].outline]


@pytest.mark.rule("AC-SETUP-01")
@pytest.mark.parametrize(("width", "pieces"), [(800, 1), (7100, 0)])
def test_what_has_no_place_at_all_is_not_shuffled_for(width: int, pieces: int) -> None:
    whole = ((0, 0), (7200, 0), (7200, 4800), (0, 4800))
    wood = Scatter("wood", "trees", "feature.wood", 1, (width, 800), whole, 200)
    roles = tuple(
        replace(skirmish.role(), start=((x, 0), (x + 1500, 0), (x + 1500, 1500), (x, 1500))) for x in (0, 5700)
    )
    play = Play(setup.start(skirmish.resolved((UNIT, DALEKS), roles=roles, scatter=(wood,)), 2))
    assert [len(laid.features) for laid in play.events(TableLaid)] == [pieces]
    assert len(play.events(OrderMade)) == pieces


# Special actions

HOUSE = area("house", "building", 900, 900, 1320, 1100)
SEARCH = Special("search", "special.search", "search", roll=True, feature="house")
GROUPS = {"0.1": line_up(4, 1000, 1000), "0.2": line_up(2, 3000, 1000), "1.1": line_up(3, 1000, 4000)}


def searching() -> Skirmish:
    return skirmish.table(GROUPS, [HOUSE], specials=(SEARCH,))


@pytest.mark.rule("AC-SPEC-01")
@pytest.mark.parametrize(
    ("helpers", "dice"),
    [
        (("0.1/1", "0.1/2", "0.1/3"), 3),
        ((), 3),
        (("0.1/2",), 1),
        (("0.1/1", "0.1/1"), 0),
        (("0.1/1", "0.1/4"), 0),
    ],
)
def test_all_who_can_may_help_each_once(helpers: tuple[str, ...], dice: int) -> None:
    """Three of the four stand in the house."""
    play = Play(searching(), *(1,) * dice)
    assert refusal(play, 0, UseSpecial(GROUP_0_1, "search", tuple(map(FigureId, helpers)))) == (
        "" if dice else "special/cannot-help"
    )
    assert [count for _, _, count in play.rolls] == ([dice] if dice else [])


@pytest.mark.rule("AC-SPEC-01")
def test_an_action_that_nobody_knows_is_none() -> None:
    assert refusal(Play(searching()), 0, UseSpecial(GROUP_0_1, "sing")) == "special/unknown"


@pytest.mark.rule("AC-SPEC-01")
@pytest.mark.parametrize("left", [0, 1])
def test_what_is_offered_to_a_group_asks_for_its_hands_too(left: int) -> None:
    state = replace(searching(), left=left)
    locked = replace(state, combats=(Combat("combat.0", (GROUP_1_1, GROUP_0_1), 0, 1, 0),))
    with pytest.raises(IllegalIntent) as refused:
        specials.check_open(locked, 0, SEARCH, GROUP_0_1)
    assert refused.value.refusal.code == ("group/locked" if left else "card/no-actions-left")


@pytest.mark.rule("AC-SPEC-01")
@pytest.mark.parametrize(("kind", "code"), [("scrub", ""), ("crag", "burrow/not-open-ground")])
def test_a_base_may_come_up_over_an_edge_but_not_over_that_of_what_nobody_enters(kind: str, code: str) -> None:
    """The middle of the base is beside it, its rim over the edge."""
    state = skirmish.table(
        {"0.1": line_up(1, 1000, 1000), "1.1": line_up(3, 5000, 4000)},
        [area("it", kind, 1030, 2000, 1400, 2200)],
        factions=(SPUGS, DALEKS),
    )
    assert refusal(Play(state), 0, UseSpecial(GROUP_0_1, "burrow", (), (1000, 2100))) == code


# Shots

FACING = {"0.1": line_up(4, 1000, 1000), "1.1": line_up(3, 1000, 4000), "2.1": line_up(2, 5000, 1000)}


@pytest.mark.rule("AC-SHOOT-01", "AC-SHOOT-02")
def test_a_shot_takes_an_action_and_a_free_move_is_none() -> None:
    play = Play(skirmish.table(FACING), *(1,) * 8).do(0, Shoot(GROUP_0_1, GROUP_1_1))
    assert play.state.left == 2
    spent = replace(skirmish.table(FACING), left=0, free_moves={"0.1": 1})
    assert refusal(Play(spent), 0, Shoot(GROUP_0_1, GROUP_1_1)) == "card/no-actions-left"


@pytest.mark.rule("AC-SHOOT-01")
@pytest.mark.parametrize(
    ("truce", "faction", "code"),
    [((0, 1), -1, "truce/kept"), ((0, 2), -1, ""), ((0, 2), 2, "truce/kept"), ((0, 1), 2, "")],
)
def test_a_cease_fire_keeps_from_the_faction_that_is_named(truce: tuple[int, int], faction: int, code: str) -> None:
    """Seats 1 and 2 fight each other; fire at the group of seat 1 may name the other."""
    groups = {"0.1": line_up(4, 1000, 1000), "1.1": line_up(1, 1000, 3000), "2.1": line_up(1, 1101, 3000)}
    state = replace(
        skirmish.table(groups),
        combats=(Combat("combat.0", (GROUP_1_1, GroupId("2.1")), 0, 1, 0),),
        lasting=(Lasting("flag", 9, truce=truce),),
    )
    assert refusal(Play(state, *(() if code else (1,) * 8)), 0, Shoot(GROUP_0_1, GROUP_1_1, faction)) == code


@pytest.mark.rule("AC-SHOOT-01")
def test_only_figures_that_see_shoot_along_lines_of_their_own() -> None:
    """The first figure stands behind a rock, the second does not."""
    rock = area("rock", "crag", 900, 1500, 1100, 1700)
    state = skirmish.table({"0.1": ((1000, 1000), (1400, 1000)), "1.1": ((1000, 2200),)}, [rock])
    assert refusal(Play(state, 1, 1), 0, Shoot(GROUP_0_1, GROUP_1_1)) == ""


@pytest.mark.rule("AC-SHOOT-04")
def test_a_volley_takes_an_action_for_each_of_its_shots() -> None:
    play = Play(skirmish.table(FACING), *(1,) * 16).do(0, LinkedFire((GROUP_0_1, GROUP_0_1), GROUP_1_1))
    assert play.state.left == 1
