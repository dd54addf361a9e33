"""What holds for a while by a Special Event: how far anybody sees and moves, extra actions, who holds his fire."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.errors import IllegalIntent
from engine.core.implements import implements
from engine.rulesets.action_cards import names
from protocol.text import Text

if TYPE_CHECKING:
    from engine.rulesets.action_cards.state import Skirmish


@implements("AC-OPEN-01")
def sight_limit(state: Skirmish) -> int:
    """How far anybody sees, in hundredths of an inch; 0 without a limit. Of several limits the shortest holds."""
    return min((one.sight for one in state.lasting if one.sight), default=0)


@implements("AC-OPEN-01")
def moved(state: Skirmish, allowance: int) -> int:
    """What is left, or made, of a Move: every percentage counts."""
    for one in state.lasting:
        allowance = allowance * one.move // 100
    return allowance


@implements("AC-OPEN-01")
def actions_of(state: Skirmish, actions: int) -> int:
    """How many actions a card gives that would give so many: never fewer than one."""
    return max(1, actions + sum(one.actions for one in state.lasting))


@implements("AC-OPEN-01")
def check_truce(state: Skirmish, seat: int, other: int) -> None:
    """Whether a faction may shoot at or charge another. Raises IllegalIntent while both keep a cease-fire."""
    if any(seat in one.truce and other in one.truce for one in state.lasting):
        code = "truce/kept"
        raise IllegalIntent(code, Text(f"refuse.{code}", {"faction": names.faction(state, other)}))
