"""Deck and row, and cards that run out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from engine.core.rules.events import CardDrawn, DeckShuffled
from engine.core.rules.record import DeckState
from engine.rulesets.action_cards.rules.card_end import EndCard
from engine.rulesets.action_cards.rules.cards import cards
from engine.rulesets.action_cards.rules.scenario import setup
from engine.rulesets.action_cards.state.event_facts import EventStruck
from engine.rulesets.action_cards.state.events import DeckExhausted, GameEnded, RowLaid
from engine.rulesets.action_cards.state.model import CardMix, Faction
from engine.rulesets.action_cards.state.state import Danger, Skirmish
from engine.rulesets.action_cards.view.cues import cues
from protocol.scene.nodes import Cue
from tests.support.systems import skirmish
from tests.support.systems.skirmish import DALEKS, FACTIONS, MILITIA, SPUGS, UNIT, Play, line_up


def two_sides(**changes: Any) -> Skirmish:
    return skirmish.table(
        {"0.1": line_up(4, 500, 500), "1.1": line_up(3, 500, 4000)},
        factions=(UNIT, DALEKS),
        cards=("0.single.1",),
        **changes,
    )


def with_piles(state: Skirmish, discard: Sequence[str]) -> Skirmish:
    return msgspec.structs.replace(state, discard=tuple(discard))


def row(state: Skirmish) -> list[str]:
    return [card.id for card in state.row]


@pytest.mark.rule("AC-DECK-01")
@pytest.mark.parametrize(
    ("factions", "count"),
    [(FACTIONS, 40), ((*FACTIONS, UNIT, DALEKS), 58), ((UNIT, DALEKS), 20)],
)
def test_each_faction_adds_nine_cards_and_there_is_an_event_a_faction_up_to_four(
    factions: Sequence[Faction], count: int
) -> None:
    found = cards.composition(skirmish.resolved(factions))
    assert len(found) == len(set(found)) == count
    kinds = Counter((card.seat, card.kind) for card in map(cards.card, found))
    assert kinds.pop((-1, "event")) == min(4, len(factions))
    assert kinds == {(s, k): n for s in range(len(factions)) for k, n in (("single", 5), ("double", 3), ("triple", 1))}


@pytest.mark.rule("AC-DECK-01")
def test_by_an_option_the_deck_holds_no_special_events() -> None:
    plain = skirmish.resolved(FACTIONS)
    without = cards.composition(msgspec.structs.replace(plain, special_events=False))
    assert not [id for id in without if cards.card(id).kind == cards.EVENT]
    assert set(without) == {id for id in cards.composition(plain) if cards.card(id).kind != cards.EVENT}


@pytest.mark.rule("AC-DECK-01")
def test_a_scenario_may_change_a_factions_cards() -> None:
    roles = (
        msgspec.structs.replace(skirmish.role(), cards=CardMix(single=2, double=1, triple=0)),
        skirmish.role(left=2400),
    )
    found = cards.composition(skirmish.resolved((UNIT, DALEKS), roles=roles))
    assert [card for card in found if card.startswith("0.")] == ["0.single.1", "0.single.2", "0.double.1"]
    assert len([card for card in found if card.startswith("1.")]) == 9


@pytest.mark.rule("AC-DECK-01", "AC-SCEN-01")
def test_the_deck_is_shuffled_when_the_table_opens() -> None:
    play = Play(setup.start(skirmish.resolved(), 4))
    assert [(deck.deck, len(deck.cards)) for deck in play.events(DeckShuffled)] == [("actions", 40)]


@pytest.mark.rule("AC-DECK-02")
@pytest.mark.parametrize("factions", [(UNIT, DALEKS), (UNIT, DALEKS, SPUGS), (*FACTIONS, MILITIA)])
def test_as_many_cards_are_laid_open_as_there_are_factions_but_at_least_four(factions: Sequence[Faction]) -> None:
    play = Play(setup.start(skirmish.resolved(factions), len(factions)))
    assert len(play.state.row) == max(4, len(factions))
    drawn = play.events(CardDrawn)
    assert [card.card for card in drawn] == row(play.state)
    assert all(card.audience().public for card in drawn)


@pytest.mark.rule("AC-DECK-02", "AC-ACT-01", "AC-ACT-02")
def test_cards_are_played_in_order_then_discarded_and_the_next_set_is_drawn() -> None:
    state = two_sides()
    order = ("0.single.1", "1.single.1", "event.1", "0.single.2")
    play = Play(with_piles(skirmish.laid(state, *order), ["1.single.2", "1.single.3", "1.single.4", "1.single.5"]))
    assert play.match.may_act() == (0,)
    play.do(0, EndCard())
    assert play.match.may_act() == (1,)
    assert play.state.discard[-1] == "0.single.1"
    play.do(1, EndCard())
    assert play.match.may_act() == (0,)
    assert (play.state.current, play.state.row[2].state) == (3, "passed")
    assert play.state.discard[-2:] == ("1.single.1", "event.1")
    play.do(0, EndCard())
    assert (play.state.turn, play.state.current, len(play.state.row)) == (2, 0, 4)


@pytest.mark.rule("AC-DECK-03")
def test_when_the_deck_runs_out_in_mid_draw_the_discards_are_shuffled_and_drawing_goes_on() -> None:
    """The open cards that were drawn before are not among those shuffled."""
    play = Play(with_piles(two_sides(), [f"1.single.{n}" for n in range(1, 6)]))
    deck = DeckState(0, 0, (), ("0.double.1", "0.double.2", "0.double.3"), ("0.double.1",))
    play.with_deck("actions", deck)
    play.do(0, EndCard())
    assert row(play.state) == ["0.double.2", "0.double.3", "0.single.1", "1.single.1"]
    [shuffled] = play.events(DeckShuffled)
    assert sorted(shuffled.cards) == ["0.single.1", *(f"1.single.{n}" for n in range(1, 6))]
    assert (play.state.reshuffles, play.state.reshuffled, play.state.discard) == (1, True, ())


@pytest.mark.rule("AC-DECK-03", "AC-DECK-02")
def test_where_deck_and_discards_are_fewer_than_the_draw_all_are_drawn() -> None:
    play = Play(with_piles(two_sides(), ["1.single.1"]))
    play.do(0, EndCard())
    assert sorted(row(play.state)) == ["0.single.1", "1.single.1"]
    assert play.state.reshuffles == 1


@pytest.mark.rule("AC-DECK-03", "AC-DECK-02")
def test_at_the_last_exhaustion_the_short_set_is_played_and_the_game_ends() -> None:
    state = two_sides(reshuffles=2)
    play = Play(with_piles(msgspec.structs.replace(state, reshuffles=1), ["1.single.1", "1.single.2"]))
    play.with_deck("actions", DeckState(0, 0, (), ("0.double.1",)))
    play.do(0, EndCard())
    assert (row(play.state), play.state.last_row) == (["0.double.1"], True)
    assert [event.last for event in play.events(DeckExhausted)] == [True]
    assert play.events(DeckShuffled) == []
    play.do(0, EndCard())
    assert [event.why for event in play.events(GameEnded)] == ["clock"]
    assert play.match.may_act() == ()


@pytest.mark.rule("AC-DECK-03")
def test_a_deck_that_ends_with_a_full_set_leaves_nothing_to_draw_at_the_last_exhaustion() -> None:
    play = Play(with_piles(two_sides(reshuffles=1), ["1.single.1"]))
    play.do(0, EndCard())
    assert [event.cards for event in play.events(RowLaid)] == [()]
    assert [event.why for event in play.events(GameEnded)] == ["clock"]


def in_danger(discard: Sequence[str], reshuffles: int, *dice: int) -> Play:
    """Return a play in the only card of a row, with a danger among the figures of seat 0. Seat 2 has fallen."""
    groups = {"0.1": line_up(4, 500, 500), "1.1": line_up(3, 500, 4000)}
    state = skirmish.table(groups, factions=FACTIONS[:3], cards=("0.single.1",), reshuffles=reshuffles)
    danger = Danger("danger.1", "it", (700, 500), 300, 1, 99)
    return Play(msgspec.structs.replace(state, discard=tuple(discard), dangers=(danger,)), *dice)


@pytest.mark.rule("AC-DECK-03", "AC-ACT-02")
@pytest.mark.parametrize(
    ("deck", "discard", "reshuffles", "bites"),
    [
        ((), ["1.single.1"], 1, 0),
        (("1.single.2",), ["1.single.1"], 1, 1),
        (("2.single.1",), ["1.single.1"], 1, 0),
        ((), ["1.single.1"], 2, 1),
    ],
)
def test_dangers_strike_after_a_row_only_where_another_follows(
    deck: tuple[str, ...], discard: list[str], reshuffles: int, bites: int
) -> None:
    """Cards of seat 2, which has fallen, make no row."""
    play = in_danger(discard, reshuffles, *[1] * bites)
    play.with_deck("actions", DeckState(0, 0, (), ("0.single.2", *deck), ("0.single.2",)))
    play.do(0, EndCard())
    assert len(play.events(EventStruck)) == bites
    assert [event.why for event in play.events(GameEnded)] == ["clock"] * (1 - bites)


@pytest.mark.parametrize(("laid", "told"), [((), []), (("event.1",), ["log.row.last", "log.row.card"])])
def test_only_a_row_of_cards_is_told_as_the_last(laid: tuple[str, ...], told: list[str]) -> None:
    state = two_sides()
    event = RowLaid(tuple(map(cards.card, laid)), last=True)
    lines = cues.tell(event, state, event.apply(state))
    assert [line.text.k for line in lines if isinstance(line, Cue)] == told
