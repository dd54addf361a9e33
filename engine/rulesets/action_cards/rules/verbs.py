"""All verbs of the action-card skirmish, and the prompt of the current card's owner."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.kit.rules import Game, Seat
from engine.kit.verbs import Verbs
from engine.rulesets.action_cards.rules.board import table
from engine.rulesets.action_cards.rules.card_end import END
from engine.rulesets.action_cards.rules.cards import actions
from engine.rulesets.action_cards.rules.movement.moves import MOVE
from engine.rulesets.action_cards.rules.scenario.ending import LeaveGame, leave_game
from engine.rulesets.action_cards.rules.shooting import linked_fire
from engine.rulesets.action_cards.rules.shooting.blast import BLAST
from engine.rulesets.action_cards.rules.shooting.hunting import HUNT
from engine.rulesets.action_cards.rules.shooting.shooting import SHOOT
from engine.rulesets.action_cards.rules.special_actions.proposals import PROPOSE
from engine.rulesets.action_cards.rules.special_actions.specials import SPECIAL
from engine.rulesets.action_cards.rules.vehicles.boarding import EMBARK
from engine.rulesets.action_cards.rules.vehicles.driving import DRIVE
from engine.rulesets.action_cards.rules.vehicles.flying import FLY, LAND, TAKE_OFF
from engine.rulesets.action_cards.rules.vehicles.transports import DISEMBARK
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.scene.nodes import Choice, Prompt
from protocol.text import text


def _deciding(state: Skirmish, seat: Seat) -> tuple[object, ...]:
    """Return the parts of the state that decide a seat's choices, beside what a board stands for."""
    # who links no shots can do with one action left what they can do with any number
    left = min(state.left, linked_fire.MOST_SHOTS if linked_fire.is_able(state, seat) else 1)
    around = (state.seats, state.combats, state.aboard, state.opened, state.lasting, state.dangers)
    return (*around, left, state.free_moves, state.proposed)


def _kept(state: Skirmish, seat: Seat, make: Callable[[], tuple[Choice, ...]]) -> tuple[Choice, ...]:
    # details and the next prompt need them again
    return table.board(state).get(("choices", seat), _deciding(state, seat), make)


VERBS: Final[Verbs[Skirmish]] = Verbs(
    (
        MOVE,
        DRIVE,
        TAKE_OFF,
        FLY,
        LAND,
        EMBARK,
        DISEMBARK,
        SHOOT,
        linked_fire.LINKED_FIRE,
        BLAST,
        HUNT,
        SPECIAL,
        PROPOSE,
        END,
    ),
    others={LeaveGame: leave_game},
    keep=_kept,
)


def prompt(game: Game[Skirmish], seat: Seat) -> Prompt:
    """Return the prompt of the current card's owner: the same object after an act that leaves them the same choices.

    The row shows how many actions are left on the card. The prompt tells its place and turn, so that no two cards'
    prompts are the same: an act meant for one is never taken at another.
    """
    state = game.state
    key = (*_deciding(state, seat), state.row, state.current, state.turn)
    return table.board(state).get(("prompt", seat), key, _prompt, state, seat)


def _prompt(state: Skirmish, seat: Seat) -> Prompt:
    card = names.card(state, state.row[state.current])
    key = "prompt.card" if actions.can_go_on(state) else "prompt.card.done"
    title = text(key, card=card, number=state.current + 1, turn=state.turn)
    return VERBS.prompt(state, seat, title, "end")
