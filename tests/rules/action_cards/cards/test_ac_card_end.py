"""The end of a card: by itself with its last action, or by its player's word."""

from __future__ import annotations

import pytest

from engine.core.match.causes import Seats
from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.rulesets.action_cards.rules.card_end import EndCard
from engine.rulesets.action_cards.rules.movement.moves import Move
from engine.rulesets.action_cards.rules.shooting.shooting import Shoot
from engine.rulesets.action_cards.rules.verbs import prompt
from engine.rulesets.action_cards.state.events import CardDiscarded, CardEnded
from protocol.ids import FigureId, GroupId
from protocol.scene.nodes import Prompt
from protocol.text import Text
from tests.support.systems import skirmish
from tests.support.systems.skirmish import Play, line_up

OWN = GroupId("0.1")
GROUPS = {"0.1": line_up(1, 600, 600), "1.1": line_up(2, 600, 4000)}
CARDS = ("0.single.1", "1.single.1", "0.double.1")


def forward(play: Play) -> Play:
    x, y = play.at("0.1/1")
    return play.do(0, Move(OWN, FigureId("0.1/1"), (x, y + 100)))


def offered(play: Play) -> Prompt:
    return prompt(play.match.probe(Seat(0)), Seat(0))


@pytest.mark.rule("AC-ACT-01")
def test_a_card_whose_player_says_so_waits_after_its_last_action() -> None:
    play = forward(Play(skirmish.table(GROUPS, cards=CARDS)).wait(0))
    assert (play.match.may_act(), play.state.left) == ((0,), 0)
    shown = offered(play)
    assert shown.title.k == "prompt.card.done"
    assert [(choice.id, choice.confirm) for choice in shown.choices] == [("end", None)]
    with pytest.raises(IllegalIntent):
        forward(play)
    play.do(0, EndCard())
    assert play.match.may_act() == (1,)
    assert [event.seat for event in play.events(CardEnded)] == [0]
    assert len(play.events(CardDiscarded)) == 1


@pytest.mark.rule("AC-ACT-01")
def test_without_a_word_a_card_ends_with_its_last_action() -> None:
    play = forward(Play(skirmish.table(GROUPS, cards=CARDS)).wait(1))
    assert play.match.may_act() == (1,)
    assert not play.events(CardEnded)


@pytest.mark.rule("AC-ACT-01")
def test_the_end_of_time_ends_a_card_that_waits() -> None:
    play = forward(Play(skirmish.table(GROUPS, cards=CARDS)).wait(0)).expire()
    assert play.match.may_act() == (1,)


@pytest.mark.rule("AC-ACT-01")
def test_a_bots_card_never_waits() -> None:
    play = Play(skirmish.table(GROUPS, cards=CARDS)).wait(0)
    play.run(Seats(("bot", *["person"] * (len(play.state.seats) - 1))))
    assert forward(play).match.may_act() == (1,)


@pytest.mark.rule("AC-ACT-02", "AC-ACT-01")
def test_a_card_of_a_faction_that_has_fallen_waits_for_nobody() -> None:
    groups = {**GROUPS, "2.1": line_up(1, 2000, 3000)}
    play = Play(skirmish.table(groups, cards=CARDS)).wait(0)
    leaving = play.match.leaving(Seat(0))
    assert leaving is not None
    play.do(0, leaving)
    assert play.match.may_act() == (1,)


@pytest.mark.rule("AC-ACT-01")
def test_to_end_a_card_with_actions_left_asks_first() -> None:
    play = Play(skirmish.table(GROUPS, cards=CARDS)).wait(0)
    end = next(choice for choice in offered(play).choices if choice.id == "end")
    assert end.confirm == Text("choice.end.confirm")


@pytest.mark.rule("AC-ACT-01")
def test_the_end_of_a_card_is_taken_back_while_nothing_else_has_happened() -> None:
    play = forward(Play(skirmish.table(GROUPS, cards=CARDS)).wait(0)).do(0, EndCard())
    play.undo(0)
    assert (play.match.may_act(), play.state.left) == ((0,), 0)
    play.undo(0)
    assert (play.match.may_act(), play.state.left, play.at("0.1/1")) == ((0,), 1, (600, 600))
    forward(play).do(0, EndCard()).do(1, EndCard())
    with pytest.raises(IllegalIntent) as refused:
        play.undo(0)
    assert refused.value.refusal.code == "undo/another-acted"


@pytest.mark.rule("AC-ACT-01")
def test_after_dice_a_card_waits_too_and_its_end_alone_is_taken_back() -> None:
    near = {"0.1": line_up(1, 600, 600), "1.1": line_up(2, 600, 2000)}
    play = Play(skirmish.table(near, cards=CARDS), 1).wait(0).do(0, Shoot(OWN, GroupId("1.1")))
    assert play.match.may_act() == (0,)
    play.do(0, EndCard()).undo(0)
    assert play.match.may_act() == (0,)
    with pytest.raises(IllegalIntent):
        play.undo(0)
