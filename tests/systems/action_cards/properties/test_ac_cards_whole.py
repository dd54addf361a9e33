"""Property of all matches: deck, row, discards and cards out of the game hold each action card once."""

from __future__ import annotations

from collections import Counter
from functools import cache

import msgspec
import pytest

from engine.core.bots.bot import default_reply
from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.dice import MatchDice
from engine.core.rules.events import DeckShuffled
from engine.rulesets.action_cards import system
from engine.rulesets.action_cards.rules.cards import cards
from engine.rulesets.action_cards.state.event_facts import CardPlayedAgain, DiscardsReturned
from engine.rulesets.action_cards.state.model import EventCard, Resolved
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import MatchId
from tests.support.systems.shipped import resolved_scenario, shipped_content

MATCH = MatchId("m")

SCENARIOS = sorted(shipped_content().scenarios)
SHORT = {"first_patrol"}
"""Scenarios that end before their deck has been gone through again and again."""
MOVING = {"refill", "again", "reorder", "skip"}
"""Effects that deal with cards."""


def where_cards_are(match: Match[Skirmish]) -> Counter[str]:
    """Count how often each card is somewhere."""
    state = match.state
    deck = match.record.decks.get(cards.DECK)
    row = [card.id for card in state.row[state.current :]]
    return Counter((*(deck.undrawn() if deck else ()), *row, *state.discard, *state.out))


def of(scenario: str, seed: int = -1) -> Resolved:
    return msgspec.msgpack.decode(resolved_scenario(scenario, seed)[0], type=Resolved)


@cache
def moving_events() -> tuple[EventCard, ...]:
    """Return the events of all scenarios that move cards."""
    known = {event.id: event for scenario in SCENARIOS for event in of(scenario).scenario.mix}
    return tuple(event for event in known.values() if any(effect.kind in MOVING for effect in event.effects))


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_each_card_is_somewhere_once_after_every_step(scenario: str, seed: int) -> None:
    """The players only end cards, so that the deck is gone through again and again."""
    resolved = of(scenario, seed)
    changed = msgspec.structs.replace(resolved.scenario, mix=moving_events())
    packed = msgspec.msgpack.encode(msgspec.structs.replace(resolved, scenario=changed))
    seen: list[object] = []
    match: Match[Skirmish] = Match(system, MATCH, MatchDice(seed.to_bytes(32, "big"), MATCH))
    play = SelfPlay(match, lambda step, _: seen.extend(map(type, step.stored.entries)), watched=False)
    play.begin(Start(MATCH, len(resolved.factions), packed))
    whole = Counter(cards.composition(match.state.resolved))
    assert max(whole.values()) == 1
    while (seat := play.next_seat()) is not None:
        assert where_cards_are(match) == whole
        prompt = play.projector.prompt(seat)
        assert prompt is not None
        play.submit(seat, default_reply(prompt))
    assert where_cards_are(match) == whole
    if scenario not in SHORT:
        assert seen.count(DeckShuffled) > 2
        assert {DiscardsReturned, CardPlayedAgain} <= set(seen)
