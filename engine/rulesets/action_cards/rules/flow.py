"""Flow of the game: rows of cards, one card after another, until it ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from engine.core.rules.audience import only
from engine.core.rules.system import Procedure, Turn
from engine.kit.board.board import kept
from engine.kit.rules import Game, Intent, Seat, implements
from engine.rulesets.action_cards.rules import card_end
from engine.rulesets.action_cards.rules.board import table, weather
from engine.rulesets.action_cards.rules.cards import actions, cards
from engine.rulesets.action_cards.rules.scenario import conditions, ending, setup
from engine.rulesets.action_cards.rules.scenario.ending import LeaveGame
from engine.rulesets.action_cards.rules.special_events import event_play
from engine.rulesets.action_cards.rules.vehicles import transports
from engine.rulesets.action_cards.rules.verbs import VERBS
from engine.rulesets.action_cards.state.events import CardPassed, CardTurned, SecretsDealt
from engine.rulesets.action_cards.state.state import Skirmish

SECRETS = "secrets"
Unasked = Callable[["Game[Skirmish]"], Procedure]
"""Makes the procedure of something that happens unasked."""


class SkirmishRules:
    """Procedures of the action-card skirmish."""

    procedure = staticmethod(VERBS.procedure)

    def flow(self, game: Game[Skirmish]) -> Procedure | None:
        """Return the next procedure without an intent; None where the card's owner is to act, or the game is over."""
        state = game.state
        if state.ending is not None:
            return None
        if not state.turn:
            return open_table(game)
        called_for = due(state)
        if called_for is not None:
            return called_for(game)
        if state.current >= len(state.row):
            return ending.end(game, ending.CLOCK) if ending.played_out(state) else next_row(game)
        if state.row[state.current].state == "waiting":
            return turn_up(game)
        return card_end.finish_card(game) if card_end.ends_by_itself(game) else None

    def turn(self, state: Skirmish) -> Mapping[Seat, Turn]:
        """Return the turn of the current card's owner; when their time runs out, the card ends."""
        if state.ending is not None or state.current >= len(state.row) or not actions.is_open(state):
            return {}
        return {Seat(state.row[state.current].seat): Turn(card_end.EndCard())}

    def leave(self, state: Skirmish, seat: Seat) -> Intent | None:
        """Return the intent to leave; None before the table is open, after the end, or for a fallen faction."""
        return LeaveGame() if state.turn and state.ending is None and ending.figures_of(state, seat) else None


@kept(table.board, "seats", "aboard")
def due(state: Skirmish) -> Unasked | None:
    """Return the procedure that comes before anybody goes on, whatever card is played: passengers leave a wreck,
    factions fall, conditions are met, the game ends. None where nothing is due."""
    if transports.stranded(state):
        return transports.bail_out
    if ending.fallen(state) or conditions.newly_met(state):
        return ending.take_stock
    why = ending.decided(state)
    return partial(ending.end, why=why) if why else None


@implements("AC-DECK-01", "AC-SCEN-01")
async def open_table(game: Game[Skirmish]) -> None:
    """Lay the terrain left to chance, shuffle the deck, deal the secret conditions face down, lay the first row."""
    await game.round()
    if game.state.resolved.scenario.scatter:
        setup.lay_terrain(game)
    scenario = game.state.resolved.scenario
    game.deck(cards.DECK).new(cards.composition(game.state.resolved))
    if scenario.secrets:
        game.deck(SECRETS).new(tuple(condition.id for condition in scenario.secrets))
    for seat, role in enumerate(scenario.roles):
        if role.secrets:
            drawn = game.deck(SECRETS).draw(role.secrets, only(Seat(seat)))
            game.emit(SecretsDealt(seat, drawn))
    cards.draw_row(game)


@implements("AC-DECK-02")
async def next_row(game: Game[Skirmish]) -> None:
    """Begin a new dice round and lay the next row. Effects of events come before it, reserves after it; where no card
    is left, neither does."""
    await game.round()
    if (game.state.lasting or game.state.dangers) and not cards.none_left(game):
        await event_play.row_ends(game)
        await ending.take_stock(game)
    cards.draw_row(game)
    if game.state.row:
        await setup.bring_reserves(game)


@implements("AC-ACT-01", "AC-ACT-02")
async def turn_up(game: Game[Skirmish]) -> None:
    """Turn up the next card: its faction acts, or a Special Event happens. Cards of fallen factions pass."""
    state = game.state
    card = state.row[state.current]
    if card.kind == cards.EVENT and state.resolved.scenario.mix:
        await event_play.play(game)
    elif card.kind == cards.EVENT or not state.seats[card.seat].alive:
        game.emit(CardPassed())
    else:
        game.emit(CardTurned(card.seat, weather.actions_on(state, card)))
