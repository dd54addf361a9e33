"""Edges of cards, rows and the game's end: both sides of each condition (AC-ACT, AC-DECK, AC-SCEN-01)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.core.rules.events import DeckShuffled
from engine.core.rules.record import DeckState
from engine.rulesets.action_cards.content import forms
from engine.rulesets.action_cards.content.schema import ScenarioEntry
from engine.rulesets.action_cards.rules import flow
from engine.rulesets.action_cards.rules.card_end import EndCard
from engine.rulesets.action_cards.rules.cards import actions
from engine.rulesets.action_cards.rules.scenario import setup
from engine.rulesets.action_cards.rules.scenario.ending import LeaveGame
from engine.rulesets.action_cards.state.combat_events import CombatFought
from engine.rulesets.action_cards.state.event_facts import EventShown, GroupArrived, TableLaid
from engine.rulesets.action_cards.state.events import (
    CardPassed,
    CardSetAside,
    ConditionMet,
    DeckExhausted,
    FactionFell,
    GameEnded,
    RowLaid,
)
from engine.rulesets.action_cards.state.model import Condition, Effect, EventCard
from engine.rulesets.action_cards.state.state import Combat, Danger, Ride, Skirmish
from protocol.ids import GroupId
from tests.support.systems import melee, motors, skirmish
from tests.support.systems.eventful import happen, table, with_open
from tests.support.systems.skirmish import DALEKS, SPUGS, UNIT, Play, line_up

FOUR = {f"{seat}.1": line_up(3, 500 + 1700 * seat, 600 + 1000 * seat) for seat in range(4)}


def without(state: Skirmish, seat: int) -> Skirmish:
    groups = {id: group for id, group in state.groups.items() if group.owner != seat}
    figures = {id: figure for id, figure in state.figures.items() if figure.owner != seat}
    return replace(state, groups=groups, figures=figures)


# Whose card it is


@pytest.mark.rule("AC-ACT-01")
@pytest.mark.parametrize(("group", "goes_on"), [("0.1", True), ("0.9", False)])
def test_free_moves_keep_a_card_open_for_those_who_are_there(group: str, goes_on: bool) -> None:
    state = replace(skirmish.table(FOUR), left=0, free_moves={group: 1})
    assert actions.can_go_on(state) is goes_on


@pytest.mark.rule("AC-ACT-01")
def test_free_moves_keep_a_card_open_for_passengers_too() -> None:
    state = skirmish.table(FOUR)
    rider = GroupId("0.9")
    state = replace(state, left=0, free_moves={rider: 1}, aboard={rider: Ride(state.groups[GroupId("0.1")], ())})
    assert actions.can_go_on(state)


@pytest.mark.rule("AC-ACT-01", "AC-ACT-02")
@pytest.mark.parametrize("card", ["event.1", "2.single.1"])
def test_an_event_without_a_mix_and_a_card_of_the_fallen_pass(card: str) -> None:
    state = skirmish.table(FOUR, cards=("0.single.1", card, "1.single.1"))
    gone = replace(state.seats[2], alive=False)
    state = replace(without(state, 2), seats=(*state.seats[:2], gone, state.seats[3]), current=1)
    ran = melee.run(state, flow.turn_up)
    assert len(ran.of(CardPassed)) == 1
    assert ran.state.row[1].state == "passed"


@pytest.mark.rule("AC-ACT-02")
@pytest.mark.parametrize("seat", [0, 1, 3])
def test_whichever_faction_has_fallen_its_cards_are_put_aside_and_events_stay(seat: int) -> None:
    others = [other for other in range(4) if other != seat]
    play = Play(without(skirmish.table(FOUR, cards=(f"{others[0]}.single.1",)), seat))
    fallen, *drawn = (f"{seat}.double.1", "event.1", *(f"{other}.single.2" for other in others))
    play.with_deck("actions", DeckState(0, 0, (), tuple(sorted((fallen, *drawn)))))
    play.do(others[0], EndCard())
    assert [event.card for event in play.events(CardSetAside)] == [fallen]
    assert sorted(card.id for card in play.state.row) == sorted(drawn)


@pytest.mark.rule("AC-ACT-02", "AC-OPEN-01")
def test_no_reinforcements_come_to_a_faction_of_vehicles_alone() -> None:
    wheels = replace(motors.MOTORS, force=(("car",),))
    mix = (EventCard("it", "event.it", "event.it.text", (Effect("reinforce", most=3),)),)
    groups = {"1.1": line_up(4, 3000, 4000)}
    state = skirmish.table(groups, (), (wheels, UNIT), ("1.single.1", "event.1", "1.single.2"), mix=mix)
    play = Play(motors.with_vehicle(state, GroupId("0.1"), "car", (500, 2000))).do(1, EndCard())
    play.expire()
    assert [came.group.owner for came in play.events(GroupArrived)] == [1]


# The row and the deck


@pytest.mark.rule("AC-DECK-01")
def test_an_event_that_lies_open_is_the_one_that_happens() -> None:
    two = tuple(EventCard(id, "event.it", "event.it.text", (Effect("lift"),)) for id in ("one", "two"))
    state = table(Effect("lift"))
    content = replace(state.resolved, scenario=replace(state.resolved.scenario, mix=two))
    row = (state.row[0], replace(state.row[1], event="two"), *state.row[2:])
    play = happen(replace(state, resolved=content, row=row))
    assert [shown.event for shown in play.events(EventShown)] == ["two"]


@pytest.mark.rule("AC-DECK-01")
def test_each_event_of_the_mix_comes_before_one_comes_again() -> None:
    mix = tuple(EventCard(id, "event.it", "event.it.text", (Effect("lift"),)) for id in ("one", "two"))
    row = ("0.single.1", "event.1", "event.2", "event.3", "0.single.2")
    play = Play(skirmish.table(FOUR, cards=row, mix=mix)).do(0, EndCard())
    assert [shown.event for shown in play.events(EventShown)] == ["one", "two", "one"]
    assert len(play.events(DeckShuffled)) == 2


@pytest.mark.rule("AC-DECK-01", "AC-DECK-02", "AC-SCEN-01")
def test_a_table_without_random_terrain_is_laid_by_nobody_and_begins_with_a_round() -> None:
    play = Play(setup.start(skirmish.resolved((UNIT, DALEKS)), 2))
    assert play.events(TableLaid) == []
    assert play.match.record.round == 1
    for _ in range(4):
        play.do(play.match.may_act()[0], EndCard())
    assert (play.state.turn, play.match.record.round) == (2, 2)


@pytest.mark.rule("AC-DECK-02")
@pytest.mark.parametrize(("fallen", "cards"), [((500, 4000), 4), ((5000, 3000), 5)])
def test_who_falls_between_two_rows_counts_no_more_for_the_next(fallen: tuple[int, int], cards: int) -> None:
    """A danger in the marsh hits one of five factions at the end of a row, or does not."""
    factions = (*skirmish.FACTIONS, SPUGS)
    groups = {f"{seat}.1": line_up(1, 500, 500 + 700 * seat) for seat in range(4)} | {"4.1": ((500, 4000),)}
    state = skirmish.table(groups, factions=factions, cards=("0.single.1",))
    bitten = [6, 6, 6, 6] if cards == 4 else []
    play = Play(with_open(state, dangers=(Danger("danger.1", "it", fallen, 100, 4, 9),)), *bitten)
    deck = tuple(f"{seat}.single.{n}" for seat in range(4) for n in (2, 3))
    play.with_deck("actions", DeckState(0, 0, (), deck))
    play.do(0, EndCard())
    assert len(play.state.row) == cards


@pytest.mark.rule("AC-DECK-02", "AC-DECK-03")
@pytest.mark.parametrize(("of", "last"), [(2, True), (3, False)])
def test_the_deck_is_made_anew_until_the_last_time(of: int, last: bool) -> None:
    state = skirmish.table(FOUR, cards=("0.single.1",), reshuffles=of)
    play = Play(replace(state, reshuffles=1, discard=tuple(f"1.single.{n}" for n in range(1, 6))))
    play.do(0, EndCard())
    assert [event.last for event in play.events(DeckExhausted)] == [last]
    assert [event.reshuffled for event in play.events(RowLaid)] == [not last]


# The end


def fighting(*own: Condition, cards: tuple[str, ...] = ("0.single.1",)) -> Skirmish:
    """Return one figure of seat 0 and one of seat 1 in a combat, and seat 2 far off, before the last draw."""
    groups = {"0.1": line_up(4, 1000, 1000), "1.1": ((1000, 1100),), "2.1": line_up(2, 5000, 1000)}
    roles = (skirmish.role(*own), *(skirmish.role(left=2400) for _ in range(2)))
    state = skirmish.table(groups, factions=(UNIT, DALEKS, SPUGS), cards=cards, roles=roles, reshuffles=1)
    return replace(
        state, combats=(Combat("combat.0", (GroupId("1.1"), GroupId("0.1")), 0, 1, 0, charged=(GroupId("0.1"),)),)
    )


@pytest.mark.rule("AC-SCEN-01", "AC-ACT-02")
def test_what_is_fought_out_at_the_last_moment_counts() -> None:
    """The last draw finds no card: open combats are resolved, and casualties and conditions count."""
    blood = Condition("blood", "destroy", "b", "b", goal=1)
    play = Play(replace(fighting(blood), discard=("1.single.1",)), *(6,) * 8, *(1,) * 6)
    play.do(0, EndCard())
    while play.asked:
        play.expire()
    assert len(play.events(CombatFought)) == 1
    assert [fell.seat for fell in play.events(FactionFell)] == [1]
    assert [met.condition for met in play.events(ConditionMet)] == ["blood"]
    assert [ended.why for ended in play.events(GameEnded)] == ["clock"]


@pytest.mark.rule("AC-SCEN-01", "AC-ACT-02")
def test_with_one_faction_left_open_combats_close_without_a_fight() -> None:
    state = without(fighting(), 2)
    play = Play(replace(state, seats=(*state.seats[:2], replace(state.seats[2], alive=False))))
    play.do(0, LeaveGame())
    assert [ended.why for ended in play.events(GameEnded)] == ["last"]
    assert (play.events(CombatFought), play.rolls, play.state.combats) == ([], [], ())


@pytest.mark.rule("AC-SCEN-01")
def test_what_is_met_for_good_is_told_at_once() -> None:
    state = without(fighting(Condition("gone", "outlive", "g", "g", seat=2)), 2)
    assert [met.condition for met in Play(state).events(ConditionMet)] == ["gone"]


@pytest.mark.rule("AC-SCEN-01", "AC-SETUP-01")
@pytest.mark.parametrize(("minutes", "seats", "left"), [(75, 4, 37), (80, 5, 32), (90, 6, 30), (1, 4, 1)])
def test_fewer_players_need_their_part_of_the_time(minutes: int, seats: int, left: int) -> None:
    role = {"name": "role.wardens", "start": [1, 1, 16, 11], "win": 3}
    plain = {"id": "s", "name": "scenario.s", "about": "scenario.s", "size": [72, 48], "reshuffles": 2}
    scenario = ScenarioEntry.model_validate({**plain, "minutes": minutes, "role": [role] * seats})
    two = forms.for_seats(scenario, 2)
    assert (two.minutes, len(two.role)) == (left, 2)
