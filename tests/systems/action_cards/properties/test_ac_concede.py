"""Concession: all figures of the faction leave the table, and the game goes on without it, or ends."""

from typing import Any

import pytest

from engine.core.match.causes import Conceded
from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.rulesets.action_cards.rules.card_end import EndCard
from engine.rulesets.action_cards.rules.movement.moves import Move
from engine.rulesets.action_cards.state.events import CardPassed, FactionFell, FiguresRemoved, GameEnded
from protocol.ids import FigureId, GroupId
from tests.support.systems import skirmish
from tests.support.systems.skirmish import Play, line_up

GROUPS = {"0.1": line_up(3, 600, 600), "1.1": line_up(3, 600, 4000), "2.1": line_up(2, 4000, 4000)}
CARDS = ("0.double.1", "1.single.1", "2.single.1")


def table(**changes: Any) -> Play:
    return Play(skirmish.table(GROUPS, cards=CARDS, factions=skirmish.FACTIONS[:3], **changes))


def test_figures_leave_in_anothers_turn_and_the_cards_of_their_faction_pass() -> None:
    play = table()
    play.run(Conceded(1))
    assert play.events(FiguresRemoved)[0].by == -1
    assert len(play.events(FiguresRemoved)[0].figures) == 3
    assert [event.seat for event in play.events(FactionFell)] == [1]
    assert list(play.match.may_act()) == [0]
    play.do(0, EndCard())
    assert len(play.events(CardPassed)) == 1
    assert list(play.match.may_act()) == [2]


def test_who_concedes_in_his_own_turn_ends_it() -> None:
    play = table()
    play.run(Conceded(0))
    assert list(play.match.may_act()) == [1]


def test_with_one_faction_left_the_game_is_over() -> None:
    play = table()
    play.run(Conceded(0))
    play.run(Conceded(2))
    assert [event.why for event in play.events(GameEnded)] == ["last"]


def test_nobody_takes_an_act_back_over_it_or_concedes_twice() -> None:
    play = table()
    x, y = play.at("0.1/1")
    play.do(0, Move(GroupId("0.1"), FigureId("0.1/1"), (x, y + 100)))
    play.run(Conceded(1))
    assert play.match.undo_refusal(Seat(0)) == "another-acted"
    with pytest.raises(IllegalIntent, match="concede/stays"):
        play.match.propose(Conceded(1))
