"""What holds for a while by a Special Event: how far anybody sees and moves, extra actions, who holds his fire."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.rules.errors import IllegalIntent
from engine.core.rules.implements import implements
from engine.rulesets.action_cards.state import names
from protocol.text import Text

if TYPE_CHECKING:
    from engine.rulesets.action_cards.state.state import Card, Skirmish


@implements("AC-OPEN-01")
def sight_limit(state: Skirmish) -> int:
    """How far anybody sees, in hundredths of an inch; 0 without a limit. Of several limits the shortest holds."""
    if not state.lasting:  # nearly always, and asked for each line of sight
        return 0
    return min((one.sight for one in state.lasting if one.sight), default=0)


@implements("AC-OPEN-01")
def moved(state: Skirmish, allowance: int) -> int:
    """What is left, or made, of a Move: every percentage counts."""
    for one in state.lasting:
        allowance = allowance * one.move // 100
    return allowance


@implements("AC-OPEN-01")
def actions_on(state: Skirmish, card: Card) -> int:
    """How many actions a faction's card gives: never fewer than one."""
    return max(1, state.resolved.scenario.actions.of(card.kind) + sum(one.actions for one in state.lasting))


@implements("AC-OPEN-01")
def in_truce(state: Skirmish, seat: int, other: int) -> bool:
    """Whether two factions keep a cease-fire with each other."""
    return bool(state.lasting) and any(seat in one.truce and other in one.truce for one in state.lasting)


@implements("AC-OPEN-01")
def check_truce(state: Skirmish, seat: int, other: int) -> None:
    """Whether a faction may shoot at or charge another. Raises IllegalIntent while both keep a cease-fire."""
    if in_truce(state, seat, other):
        code = "truce/kept"
        raise IllegalIntent(code, Text(f"refuse.{code}", {"faction": names.faction(state, other)}))
