"""The end of a card: by its player's word, when time runs out, or with its last action (AC-ACT-01, AC-DECK-02)."""

from __future__ import annotations

from typing import Final

from engine.kit.activations import waits_for_end
from engine.kit.rules import Game, Gesture, Intent, Label, Seat, Verb, implements
from engine.rulesets.action_cards.rules.board import combats
from engine.rulesets.action_cards.rules.cards import actions
from engine.rulesets.action_cards.rules.close_combat import resolution
from engine.rulesets.action_cards.state.events import CardDiscarded, CardEnded
from engine.rulesets.action_cards.state.state import Skirmish


class EndCard(Intent, frozen=True, tag="end_card"):
    """End the current card."""


@implements("AC-ACT-01")
def ends_by_itself(game: Game[Skirmish]) -> bool:
    """Tell whether the current card ends now: nothing can be done with it, and its player does not keep it open."""
    state = game.state
    if actions.can_go_on(state):
        return False
    return not (actions.is_open(state) and waits_for_end(game, state.row[state.current].seat))


@implements("AC-ACT-01")
async def end_card(game: Game[Skirmish], seat: Seat, intent: EndCard) -> None:
    """End the current card for its player; actions may be left unused."""
    game.emit(CardEnded(seat))
    await finish_card(game)


@implements("AC-DECK-02")
async def finish_card(game: Game[Skirmish]) -> None:
    """Finish the current card: combats that are due are resolved, then it goes to the discard pile."""
    await resolution.resolve(game, combats.due(game.state))
    game.emit(CardDiscarded())


END: Final = Verb(
    Label("end", "e", "End the card", "Actions left on it are lost.", "Actions are left on this card. End it?"),
    end_card,
    gesture=Gesture(rank=9, ends=True),
    asks=lambda state, seat: actions.can_go_on(state),
)
