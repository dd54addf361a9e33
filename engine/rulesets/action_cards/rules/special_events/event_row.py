"""Special Events that change the row of cards or the discards (AC-DECK-01, AC-OPEN-01)."""

from __future__ import annotations

from typing import Final

from engine.core.rules.audience import Seat
from engine.core.rules.game import Game
from engine.core.rules.implements import implements
from engine.rulesets.action_cards.rules.cards import cards
from engine.rulesets.action_cards.rules.special_events import event_choices
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.event_facts import CardLost, CardPlayedAgain, DiscardsReturned, RowReordered
from engine.rulesets.action_cards.state.model import Effect
from engine.rulesets.action_cards.state.state import Card, Skirmish
from protocol.scene.fields import Option

BEST_FIRST: Final = ("triple", "double", "single")


@implements("AC-OPEN-01")
async def again(game: Game[Skirmish], effect: Effect) -> None:
    """Lay one of a faction's discarded cards open again, as the next; never an event. The faction chooses its kind."""
    for seat in await event_choices.seats(game, effect.who):
        discarded = [card for card in map(cards.card, game.state.discard) if card.seat == seat]
        kinds = [kind for kind in BEST_FIRST if any(card.kind == kind for card in discarded)]
        if kinds:
            options = [Option(kind, names.card(game.state, _first(discarded, kind))) for kind in kinds]
            kind = await event_choices.ask(game, Seat(seat), "ask.event.again", options, kinds[0])
            game.emit(CardPlayedAgain(_first(discarded, kind).id))


@implements("AC-OPEN-01")
async def skip(game: Game[Skirmish], effect: Effect) -> None:
    """Take the actions from the next open card of each of these factions."""
    for seat in await event_choices.seats(game, effect.who):
        waiting = [card for card in _waiting(game.state) if card.seat == seat]
        if waiting:
            game.emit(CardLost(waiting[0].id))


@implements("AC-OPEN-01")
async def reorder(game: Game[Skirmish], effect: Effect) -> None:
    """Shuffle the open cards that are still to come."""
    waiting = _waiting(game.state)
    if len(waiting) > 1:
        order = game.shuffle(len(waiting), event_choices.ORDER)
        game.emit(RowReordered(tuple(waiting[place].id for place in order)))


@implements("AC-OPEN-01")
async def refill(game: Game[Skirmish], effect: Effect) -> None:
    """Return the discards to the deck before it has run out: once a deck, or it might never run out."""
    state = game.state
    if state.discard and state.refilled != state.reshuffles:
        game.deck(cards.DECK).add(state.discard)
        game.emit(DiscardsReturned())


def _waiting(state: Skirmish) -> list[Card]:
    return [card for card in state.row[state.current + 1 :] if card.state == "waiting"]


def _first(found: list[Card], kind: str) -> Card:
    return next(card for card in found if card.kind == kind)
