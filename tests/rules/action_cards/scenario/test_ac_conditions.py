"""Personal victory conditions: progress, conditions met for good, secrets, and the end."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.rules.audience import Seat, only
from engine.core.rules.events import CardDrawn
from engine.rulesets.action_cards.rules.card_end import EndCard
from engine.rulesets.action_cards.rules.scenario import conditions, setup
from engine.rulesets.action_cards.rules.shooting.shooting import Shoot
from engine.rulesets.action_cards.rules.special_actions.specials import UseSpecial
from engine.rulesets.action_cards.state.events import ConditionMet, FactionFell, GameEnded, SecretsDealt
from engine.rulesets.action_cards.state.model import Condition, Special, Zone
from engine.rulesets.action_cards.state.state import Combat, Skirmish
from protocol.ids import GroupId
from tests.support.systems import skirmish
from tests.support.systems.skirmish import DALEKS, MILITIA, UNIT, Play, area, line_up

GROUP_0_1 = GroupId("0.1")
GROUP_1_1 = GroupId("1.1")

HOUSE = area("house", "building", 900, 900, 1320, 1100)
ZONE = Zone("north", "zone.north", ((0, 3000), (7200, 3000), (7200, 4800), (0, 4800)))
GROUPS = {"0.1": line_up(4, 1000, 1000), "1.1": line_up(3, 1000, 4000), "2.1": line_up(2, 5000, 1000)}


def asks(kind: str, goal: int = 1, **more: Any) -> Condition:
    return msgspec.structs.replace(Condition(f"c-{kind}", kind, f"condition.{kind}", "text", goal=goal), **more)


def with_conditions(
    *own: Condition, groups: dict[str, tuple[tuple[int, int], ...]] | None = None, **more: Any
) -> Skirmish:
    roles = (skirmish.role(*own, win=2), *(skirmish.role(left=2400) for _ in range(3)))
    return skirmish.table(groups or GROUPS, [HOUSE], roles=roles, zones=(ZONE,), **more)


def progress(state: Skirmish, seat: int = 0) -> list[tuple[bool, int]]:
    return [(status.met, status.progress) for status in conditions.statuses(state, seat)]


pytestmark = pytest.mark.rule("AC-SCEN-01")


def test_hold_a_feature_that_no_other_faction_is_in() -> None:
    hold = asks("hold", feature="house")
    assert progress(with_conditions(hold)) == [(True, 1)]
    assert progress(with_conditions(hold, groups={**GROUPS, "2.2": ((1000, 1080),)})) == [(False, 0)]
    assert progress(with_conditions(hold, groups={**GROUPS, "0.1": line_up(4, 3000, 1000)})) == [(False, 0)]


def test_destroy_counts_the_figures_that_the_seat_removed() -> None:
    anybodys, daleks = asks("destroy", 3), asks("destroy", 2, id="two", seat=1)
    state = with_conditions(anybodys, daleks)
    seats = (msgspec.structs.replace(state.seats[0], removed={0: 9, 1: 1, 2: 1}), *state.seats[1:])
    assert progress(msgspec.structs.replace(state, seats=seats)) == [(False, 2), (False, 1)]
    seats = (msgspec.structs.replace(state.seats[0], removed={1: 2, 2: 1}), *state.seats[1:])
    assert progress(msgspec.structs.replace(state, seats=seats)) == [(True, 3), (True, 2)]


def test_survive_counts_ones_own_figures() -> None:
    assert progress(with_conditions(asks("survive", 4), asks("survive", 5, id="five"))) == [(True, 4), (False, 4)]


def test_reach_counts_ones_figures_in_a_zone_or_feature() -> None:
    there = asks("reach", 2, zone="north")
    assert progress(with_conditions(there)) == [(False, 0)]
    moved = {**GROUPS, "0.1": (*line_up(2, 1000, 3000), *line_up(2, 1000, 2000))}
    assert progress(with_conditions(there, groups=moved)) == [(True, 2)]
    assert progress(with_conditions(asks("reach", 3, feature="house"))) == [(True, 3)]


def test_done_counts_the_seats_own_successes() -> None:
    special = Special("work", "special.work", "work", feature="house", once=False)
    play = Play(with_conditions(asks("done", 2, special="work"), specials=(special,)))
    play.do(0, UseSpecial(GROUP_0_1, "work"))
    assert progress(play.state) == [(False, 1)]
    play.do(0, UseSpecial(GROUP_0_1, "work"))
    assert progress(play.state) == [(True, 2)]
    assert [(event.seat, event.condition) for event in play.events(ConditionMet)] == [(0, "c-done")]


def test_outlive_is_met_when_that_seat_has_no_figures_and_stays_met() -> None:
    state = with_conditions(asks("outlive", seat=1), groups={**GROUPS, "1.1": ((1000, 4000),)})
    play = Play(state, *[6] * 8).do(0, Shoot(GROUP_0_1, GROUP_1_1))
    assert play.state.seats[0].met == ("c-outlive",)
    assert progress(play.state) == [(True, 1)]


def test_what_was_met_for_good_stays_met_though_its_progress_is_lost() -> None:
    outlive = asks("outlive", seat=1)
    state = with_conditions(outlive)
    assert progress(state) == [(False, 0)]
    mine = msgspec.structs.replace(state.seats[0], met=(outlive.id,))
    assert progress(msgspec.structs.replace(state, seats=(mine, *state.seats[1:]))) == [(True, 0)]


def test_what_was_met_for_good_stays_met_and_the_rest_is_judged_at_the_end() -> None:
    state = with_conditions(asks("destroy", 3), asks("survive", 1), groups={**GROUPS, "0.1": line_up(1, 3000, 1000)})
    mine = msgspec.structs.replace(state.seats[0], removed={1: 3}, met=("c-destroy",), alive=False)
    groups = {id: group for id, group in state.groups.items() if group.owner}
    figures = {id: figure for id, figure in state.figures.items() if figure.owner}
    gone = msgspec.structs.replace(state, seats=(mine, *state.seats[1:]), groups=groups, figures=figures)
    assert progress(gone) == [(True, 3), (False, 0)]


def with_out(*out: int, met: tuple[str, ...] = (), sides: tuple[int, ...] = ()) -> Skirmish:
    """Return a state in which seat 0 wants the house to stand and a barn, which is gone, to fall; these seats are out
    of the game, seat 0 with what it has `met`."""
    stands, falls = asks("stands", feature="house", points=2), asks("falls", feature="barn")
    state = with_conditions(stands, falls, asks("destroy", 3), sides=sides)
    left = tuple([msgspec.structs.replace(own, alive=seat not in out) for seat, own in enumerate(state.seats)])
    seats = (msgspec.structs.replace(left[0], met=met), *left[1:])
    return msgspec.structs.replace(state, gone=("barn",), seats=seats)


@pytest.mark.rule("AC-ACT-02")
def test_who_is_out_keeps_what_it_has_met_for_good_and_meets_nothing_more() -> None:
    there, gone = with_out(), with_out(0, met=("c-destroy",))
    assert [one.met for one in conditions.statuses(there, 0)] == [True, True, False]
    assert [one.condition for one in conditions.newly_met(there)] == ["c-falls"]
    assert conditions.wins(there, 0)
    assert [one.met for one in conditions.statuses(gone, 0)] == [False, False, True]
    assert conditions.newly_met(gone) == ()
    assert not conditions.wins(gone, 0)


@pytest.mark.rule("AC-ACT-02")
@pytest.mark.parametrize(("out", "met"), [((0,), True), ((0, 1), True), ((0, 2), False)])
def test_a_seat_of_a_side_goes_on_as_long_as_an_ally_does(out: tuple[int, ...], met: bool) -> None:
    state = with_out(*out, sides=(0, 1, 0, 1))
    assert conditions.statuses(state, 0)[0].met is met
    assert [one.seat for one in conditions.newly_met(state)] == [0] * met


@pytest.mark.rule("AC-ACT-02")
def test_what_a_faction_meets_with_its_last_figure_counts_but_not_that_it_outlives_who_falls_with_it() -> None:
    """The last figures of seats 0 and 1 remove each other."""
    conditions_of_0 = (asks("destroy"), asks("outlive", seat=1))
    touching = {"0.1": line_up(1, 1000, 1000), "1.1": line_up(1, 1000, 1100), "2.1": line_up(2, 5000, 1000)}
    roles = (skirmish.role(*conditions_of_0), skirmish.role(), skirmish.role(asks("outlive", id="third", seat=1)))
    state = skirmish.table(touching, roles=roles, factions=(MILITIA,) * 3, cards=("0.double.1", "2.single.1"))
    combat = Combat("combat.0", (GROUP_1_1, GROUP_0_1), 0, 1, 0, charged=(GROUP_0_1,))
    play = Play(msgspec.structs.replace(state, combats=(combat,)), 6, 6).do(0, EndCard())
    assert [event.seat for event in play.events(FactionFell)] == [0, 1]
    assert [(event.seat, event.condition) for event in play.events(ConditionMet)] == [(0, "c-destroy"), (2, "third")]


@pytest.mark.rule("AC-ACT-02")
def test_who_outlives_a_faction_that_falls_in_the_last_combat_hears_of_it() -> None:
    """No row is left to be laid: the combat is fought as the game ends."""
    touching = {"0.1": line_up(3, 1000, 1000), "1.1": line_up(1, 1000, 1100), "2.1": line_up(2, 5000, 1000)}
    roles = (skirmish.role(), skirmish.role(), skirmish.role(asks("outlive", seat=1)))
    state = skirmish.table(touching, roles=roles, factions=(MILITIA,) * 3, cards=("0.single.1",), reshuffles=1)
    combat = Combat("combat.0", (GROUP_1_1, GROUP_0_1), 0, 1, 0, charged=(GROUP_0_1,))
    play = Play(msgspec.structs.replace(state, combats=(combat,)), 6, 6, 6, 1)
    play.do(0, EndCard())
    assert [event.why for event in play.events(GameEnded)] == ["clock"]
    assert [event.seat for event in play.events(ConditionMet)] == [2]


def test_several_factions_can_win() -> None:
    hold, survive = asks("hold", feature="house", points=2), asks("survive", points=2)
    roles = (skirmish.role(hold, win=2), skirmish.role(survive, win=2), skirmish.role(survive, win=3))
    state = skirmish.table(GROUPS, [HOUSE], roles=(*roles, skirmish.role()))
    assert [conditions.score(state, seat) for seat in range(3)] == [2, 2, 2]
    assert [conditions.wins(state, seat) for seat in range(3)] == [True, True, False]


SECRETS = tuple(asks("survive", id=f"secret-{n}", secret=True) for n in range(5))


@pytest.mark.rule("AC-DECK-01")
def test_secret_conditions_are_dealt_face_down() -> None:
    roles = (skirmish.role(secrets=2), skirmish.role(left=2400, secrets=1))
    play = Play(setup.start(skirmish.resolved((UNIT, DALEKS), roles=roles, secrets=SECRETS), 2))
    dealt = play.events(SecretsDealt)
    assert [(event.seat, len(event.conditions), event.audience()) for event in dealt] == [
        (0, 2, only(Seat(0))),
        (1, 1, only(Seat(1))),
    ]
    assert len({id for event in dealt for id in event.conditions}) == 3
    drawn = [card for card in play.events(CardDrawn) if card.deck == "secrets"]
    assert [card.audience() for card in drawn] == [only(Seat(0)), only(Seat(0)), only(Seat(1))]
    assert [status.condition.id for status in conditions.statuses(play.state, 1)] == list(dealt[1].conditions)


def test_that_a_secret_condition_is_met_is_told_to_its_seat_alone() -> None:
    secret = asks("destroy", 1, id="quiet", secret=True)
    state = with_conditions(secrets=(secret,), groups={**GROUPS, "1.1": ((1000, 4000),)})
    seats = (msgspec.structs.replace(state.seats[0], secrets=("quiet",)), *state.seats[1:])
    play = Play(msgspec.structs.replace(state, seats=seats), *[6] * 8).do(0, Shoot(GROUP_0_1, GROUP_1_1))
    [met] = play.events(ConditionMet)
    assert met.audience() == only(Seat(0))


def test_combats_still_open_when_the_game_ends_are_fought_out() -> None:
    touching = {"0.1": line_up(4, 1000, 1000), "1.1": line_up(3, 1000, 1100), "2.1": line_up(2, 5000, 1000)}
    state = with_conditions(groups=touching, cards=("0.single.1",))
    combat = Combat("combat.0", (GROUP_1_1, GROUP_0_1), 0, 1, 0, charged=(GROUP_0_1,))
    play = Play(msgspec.structs.replace(state, combats=(combat,), last_row=True), *[1] * 26)
    play.do(0, EndCard())
    while play.asked:
        play.expire()
    assert {seat for seat, purpose, _ in play.rolls if purpose == "dice.close_combat"} == {0, 1}
    assert [event.why for event in play.events(GameEnded)] == ["clock"]
    assert play.match.may_act() == ()
