"""Deck of action cards: its composition, and the draw of a row (AC-DECK-*)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from engine.kit.rules import Game, implements
from engine.rulesets.action_cards.state.events import CardSetAside, DeckExhausted, RowLaid
from engine.rulesets.action_cards.state.model import CardMix, Resolved
from engine.rulesets.action_cards.state.state import Card, Skirmish

DECK: Final = "actions"
EVENT: Final = "event"
EVENTS: Final = "events"
LEAST_DRAWN: Final = 4
MOST_EVENTS: Final = 4


@implements("AC-DECK-01")
def composition(resolved: Resolved) -> tuple[str, ...]:
    """Return all cards: "SEAT.KIND.NUMBER" of each faction; unless by option none, "event.NUMBER", up to four."""
    cards: list[str] = []
    for seat in range(len(resolved.factions)):
        mix = mix_of(resolved, seat)
        for kind, count in (("single", mix.single), ("double", mix.double), ("triple", mix.triple)):
            cards.extend(f"{seat}.{kind}.{number}" for number in range(1, count + 1))
    events = min(len(resolved.factions), MOST_EVENTS) if resolved.special_events else 0
    return (*cards, *(f"{EVENT}.{number}" for number in range(1, events + 1)))


@implements("AC-DECK-01")
def mix_of(resolved: Resolved, seat: int) -> CardMix:
    """Count a faction's cards of each kind: its own mix, or its role's, with the scenario's adjustment."""
    role = resolved.scenario.roles[seat]
    mix = role.cards or resolved.factions[seat].cards
    return mix.adjusted(role.adjust) if role.adjust is not None else mix


def card(id: str) -> Card:
    """Return the card of this id. Raises ValueError for an id that is none."""
    seat, _, rest = id.partition(".")
    if seat == EVENT:
        return Card(id, EVENT, -1)
    return Card(id, rest.partition(".")[0], int(seat))


@implements("AC-DECK-02", "AC-ACT-02")
def row_size(state: Skirmish) -> int:
    """Return the number of cards drawn: one for each faction still in the game, at least four."""
    return max(LEAST_DRAWN, sum(seat.alive for seat in state.seats))


@implements("AC-DECK-02")
def draw_row(game: Game[Skirmish]) -> None:
    """Lay the next row open, one card after another, in the order drawn."""
    drawn: list[Card] = []
    before, last = game.state.reshuffles, False
    while len(drawn) < row_size(game.state):
        if not game.deck(DECK).left:
            last = _exhausted(game)
            if last or not game.deck(DECK).left:
                break
        found = card(game.deck(DECK).draw(1)[0])
        if _is_out(game.state, found):
            game.emit(CardSetAside(found.id))
        elif found.kind == EVENT and _lies_open(game.state):
            drawn.append(replace(found, event=draw_event(game)))
        else:
            drawn.append(found)
    game.emit(RowLaid(tuple(drawn), reshuffled=game.state.reshuffles > before and not last, last=last))


@implements("AC-DECK-03", "AC-ACT-02")
def none_left(game: Game[Skirmish]) -> bool:
    """Tell whether there is no card for another row, neither in the deck nor, unless it has run out for the last time,
    among the discards. Cards of fallen factions are none."""
    state, undrawn = game.state, game.deck(DECK).undrawn
    left = undrawn if _is_last_deck(state) else (*undrawn, *state.discard)
    return all(_is_out(state, card(id)) for id in left)


@implements("AC-DECK-03")
def _is_last_deck(state: Skirmish) -> bool:
    """Tell whether the game ends when the deck runs out."""
    return state.reshuffles + 1 >= state.resolved.scenario.reshuffles


@implements("AC-DECK-03")
def _exhausted(game: Game[Skirmish]) -> bool:
    """Make the discards the new deck once it has run out. Return True, and leave them, at the last time."""
    state = game.state
    if not state.discard:
        return False
    last = _is_last_deck(state)
    if not last:
        game.deck(DECK).new(state.discard)
    game.emit(DeckExhausted(last))
    return last


@implements("AC-DECK-01")
def draw_event(game: Game[Skirmish]) -> str:
    """Draw the scenario's next Special Event: they are shuffled, and again when all of them have come."""
    if not game.deck(EVENTS).left:
        game.deck(EVENTS).new(tuple(event.id for event in game.state.resolved.scenario.mix))
    return game.deck(EVENTS).draw(1)[0]


def _lies_open(state: Skirmish) -> bool:
    """Tell whether an event card shows in the row which event it is."""
    return bool(state.resolved.scenario.mix) and not state.resolved.scenario.face_down


@implements("AC-ACT-02")
def _is_out(state: Skirmish, found: Card) -> bool:
    """Tell whether a card belongs to a faction without figures: it is put out of the game and replaced."""
    return found.seat >= 0 and not state.seats[found.seat].alive
