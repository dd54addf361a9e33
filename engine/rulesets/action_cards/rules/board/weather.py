"""Lasting effects of Special Events: limits of sight and Move, extra actions, cease-fires."""

from __future__ import annotations

from engine.kit import modifiers
from engine.kit.modifiers import How, Modification
from engine.kit.rules import IllegalIntent, implements
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.state import Card, Lasting, Skirmish


@implements("AC-OPEN-01")
def sight_limit(state: Skirmish) -> int:
    """Return the limit of sight in hundredths of an inch; 0 without one. Of several limits the shortest holds."""
    if not state.lasting:  # the usual case, on a path taken for each line of sight
        return 0
    return min((one.sight for one in state.lasting if one.sight), default=0)


@implements("AC-OPEN-01")
def moved(state: Skirmish, allowance: int) -> int:
    """Apply every lasting percentage to a Move, in hundredths of an inch."""
    return modifiers.apply(allowance, [_change(state, one, one.move, "percent") for one in state.lasting]).number


@implements("AC-OPEN-01")
def actions_on(state: Skirmish, card: Card) -> int:
    """Return the actions that a faction's card gives, never fewer than one."""
    more = [_change(state, one, one.actions) for one in state.lasting]
    return max(1, modifiers.apply(state.resolved.scenario.actions.of(card.kind), more).number)


def _change(state: Skirmish, effect: Lasting, amount: int, how: How = "add") -> Modification:
    return Modification(names.event(state, effect.event), amount, how, "AC-OPEN-01")


@implements("AC-OPEN-01")
def in_truce(state: Skirmish, seat: int, other: int) -> bool:
    """Tell whether two factions keep a cease-fire with each other."""
    return bool(state.lasting) and any(seat in one.truce and other in one.truce for one in state.lasting)


@implements("AC-OPEN-01")
def check_truce(state: Skirmish, seat: int, other: int) -> None:
    """Check that a faction may shoot at or charge another. Raises IllegalIntent while both keep a cease-fire."""
    if in_truce(state, seat, other):
        raise IllegalIntent("truce/kept", faction=names.faction(state, other))
