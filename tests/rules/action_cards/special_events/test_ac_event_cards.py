"""Special Events that change cards: played again, lost, shuffled, put back into the deck."""

from __future__ import annotations

import pytest

from engine.core.rules.events import DeckShuffled
from engine.core.rules.system import all_parts
from engine.rulesets.action_cards.rules.card_end import EndCard
from engine.rulesets.action_cards.state.event_facts import EventOver
from engine.rulesets.action_cards.state.events import GroupStunned
from engine.rulesets.action_cards.state.model import Effect
from engine.rulesets.action_cards.state.state import Proposal, Skirmish
from engine.rulesets.action_cards.view import cues, scene
from protocol.ids import GroupId
from protocol.scene.nodes import Cue, Pile
from tests.support.systems.eventful import GROUPS, happen, table, with_open
from tests.support.systems.skirmish import Play

opened = pytest.mark.rule("AC-OPEN-01")


@opened
def test_a_discarded_card_is_played_again_at_once_but_never_an_event() -> None:
    state = with_open(table(Effect("again", who="next")), discard=("1.single.1", "1.triple.1", "event.2", "0.triple.1"))
    play = happen(state)
    assert play.asked == ("event", (1,))
    play.answer(1, "single")
    assert [card.id for card in play.state.row][2] == "1.single.1"
    assert (play.match.may_act(), play.state.left) == ((1,), 1)
    assert "1.single.1" not in play.state.discard
    play.do(1, EndCard())
    assert play.state.discard[-1] == "1.single.1"


@pytest.mark.rule("AC-ACT-01", "AC-ACT-02", "AC-DECK-01")
@opened
def test_a_lost_card_gives_no_actions() -> None:
    play = happen(table(Effect("skip", who="next")))
    assert play.match.may_act() == (2,)
    assert play.state.discard[-1] == "1.double.1"


@opened
def test_a_lost_card_lies_in_the_row_until_its_turn_and_not_in_the_deck() -> None:
    row = ("0.single.1", "event.1", "2.single.1", "1.double.1", "0.single.2")
    worn = {**GROUPS, "1.1": GROUPS["1.1"][:1]}
    state = table(Effect("skip", who="weakest"), groups=worn, row=row)
    play = happen(state)
    assert [card.state for card in play.state.row] == ["done", "done", "current", "passed", "waiting"]
    assert _deck(play.state) == _deck(state)


@opened
def test_a_lost_card_stays_in_the_row_when_the_others_are_shuffled() -> None:
    row = ("0.single.1", "event.1", "2.single.1", "1.double.1", "0.single.2")
    worn = {**GROUPS, "1.1": GROUPS["1.1"][:1]}
    play = Play(table(Effect("skip", who="weakest"), Effect("reorder"), groups=worn, row=row))
    play._dice._orders.append((0,))  # type: ignore[attr-defined]  # the deck of events
    play._dice._orders.append((1, 0))  # type: ignore[attr-defined]  # the row
    play.do(0, EndCard())
    assert [card.id for card in play.state.row[2:]] == ["0.single.2", "1.double.1", "2.single.1"]
    assert [card.state for card in play.state.row[2:]] == ["current", "passed", "waiting"]


@pytest.mark.parametrize(
    ("before", "rule"),
    [
        ({"happening": "it"}, "AC-OPEN-01"),
        ({"proposal": Proposal(0, GroupId("0.1"), "stun", "Boo", False, "1.1")}, "AC-SPEC-02"),
        ({}, "AC-SPEC-01"),
    ],
)
def test_the_log_names_the_rule_by_which_a_group_is_stunned(before: dict[str, object], rule: str) -> None:
    state, stunned = with_open(table(Effect("lift")), **before), GroupStunned(GroupId("1.1"))
    [cue] = cues.cues.tell(stunned, state, stunned.apply(state))
    assert isinstance(cue, Cue)
    assert cue.rule == rule


def _deck(state: Skirmish) -> int:
    pile = next(part.make() for part in all_parts(scene.public(state)) if part.id == "pile/deck")
    assert isinstance(pile, Pile)
    return pile.count


@opened
def test_the_cards_still_to_come_are_shuffled() -> None:
    state = table(Effect("reorder"))
    play = Play(state)
    play._dice._orders.append((0,))  # type: ignore[attr-defined]  # the deck of events
    play._dice._orders.append((2, 0, 1))  # type: ignore[attr-defined]  # the row
    play.do(0, EndCard())
    assert [card.id for card in play.state.row[2:]] == ["0.single.2", "1.double.1", "2.single.1"]


@opened
def test_discards_go_back_into_the_deck_once_a_deck() -> None:
    state = with_open(table(Effect("refill"), row=("0.single.1", "event.1", "event.2", "1.single.1")))
    play = happen(with_open(state, discard=("1.double.1",)))
    assert play.state.refilled == 0
    shuffled = [deck.cards for deck in play.events(DeckShuffled) if deck.deck == "actions"]
    assert [sorted(cards) for cards in shuffled] == [["0.single.1", "1.double.1"]]
    assert [over.idle for over in play.events(EventOver)] == [False, True]
