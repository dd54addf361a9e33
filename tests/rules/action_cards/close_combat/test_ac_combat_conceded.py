"""Concessions in close combat: with one faction left a combat ends at once, and locks nobody."""

from __future__ import annotations

import pytest

from engine.core.match.causes import Conceded
from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.rulesets.action_cards.rules.card_end import EndCard
from engine.rulesets.action_cards.rules.movement.moves import Move
from engine.rulesets.action_cards.rules.scenario import ending
from engine.rulesets.action_cards.state.combat_events import CombatEnded, CombatFought, GroundTaken
from engine.rulesets.action_cards.state.events import FiguresRemoved, GameEnded
from protocol.ids import FigureId, GroupId
from tests.support.systems import skirmish
from tests.support.systems.melee import run
from tests.support.systems.skirmish import MILITIA, Play, area, line_up

GROUP_0_1 = GroupId("0.1")
FIGURE_0_1_1 = FigureId("0.1/1")
CARDS = ("0.single.1", "2.single.1", "0.single.2", "2.double.1")
GROUPS = {
    "0.1": line_up(3, 2000, 1000),
    "1.1": line_up(3, 2000, 1600),
    "2.1": line_up(3, 5500, 1000),
    "3.1": line_up(3, 5500, 4000),
}


def charged(seats: int = 4) -> Play:
    """Play on a table of so many factions on which the group of seat 0 has charged that of seat 1, in a house."""
    groups = {id: places for id, places in GROUPS.items() if int(id[0]) < seats}
    house = area("house", "building", 1900, 1550, 2400, 1900)
    cards = [card for card in CARDS if int(card[0]) < seats]
    play = Play(skirmish.table(groups, [house], factions=(MILITIA,) * seats, cards=cards))
    return play.do(0, Move(GROUP_0_1, FIGURE_0_1_1, (2000, 1499)))


@pytest.mark.rule("AC-ACT-02", "AC-HTH-03")
def test_a_concession_ends_at_once_the_combat_in_which_one_faction_is_left() -> None:
    """The group that is left may take the ground, and is locked no longer."""
    play = charged()
    play.run(Conceded(1))
    assert [event.by for event in play.events(FiguresRemoved)] == [-1]
    assert play.asked == ("occupy", (0,))
    play.expire()
    assert [taken.group for taken in play.events(GroundTaken)] == [GROUP_0_1]
    assert [over.why for over in play.events(CombatEnded)] == ["won"]
    assert play.state.combats == ()
    play.do(2, EndCard())
    x, y = play.at("0.1/1")
    play.do(0, Move(GROUP_0_1, FIGURE_0_1_1, (x, y + 50)))


@pytest.mark.rule("AC-HTH-03")
def test_a_combat_that_two_factions_still_fight_stays_open_after_a_concession() -> None:
    play = charged()
    play.run(Conceded(3))
    assert len(play.state.combats) == 1
    assert play.events(CombatEnded) == []


@pytest.mark.rule("AC-HTH-03")
def test_cards_are_played_on_when_everybody_of_a_combat_has_conceded() -> None:
    play = charged()
    play.run(Conceded(1))
    play.expire()
    play.run(Conceded(0))
    play.do(2, EndCard()).do(2, EndCard())
    assert play.events(CombatFought) == []
    assert play.state.turn == 2


@pytest.mark.rule("AC-ACT-02", "AC-HTH-03", "AC-SCEN-01")
def test_with_one_faction_left_the_game_is_over_and_open_combats_just_close() -> None:
    play = charged(seats=2)
    play.run(Conceded(1))
    assert play.asked is None
    assert [event.why for event in play.events(GameEnded)] == ["last"]
    assert play.events(CombatEnded) == []


@pytest.mark.rule("AC-ACT-02", "AC-HTH-03")
def test_who_has_nothing_left_does_not_concede() -> None:
    state = skirmish.table({"0.1": GROUPS["0.1"]}, factions=(MILITIA,) * 2)
    with pytest.raises(IllegalIntent, match="concede/stays"):
        run(state, ending.leave_game, Seat(1), ending.LeaveGame())
