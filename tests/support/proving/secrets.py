"""Knowledge of a seat: units in the dark and cards of others are markers."""

from __future__ import annotations

from engine.core.bots.random_bot import Chance
from engine.core.rules.audience import Seat
from engine.core.rules.sides import allies_of
from tests.support.proving.state import CARDS, HOMES, NOWHERE, Field, Unit


def marker(id: int, owner: int) -> Unit:
    """Return a unit in the dark as everybody else knows it."""
    return Unit(id, owner, NOWHERE, "", strength=2)


def known(state: Field, seat: Seat) -> Field:
    """Return what this seat knows of the state, built up from what lies open and what is its side's."""
    own = allies_of(state.sides, seat)
    return Field(
        seats=state.seats,
        turns=state.turns,
        sides=state.sides,
        units=tuple(u if not u.hidden or u.owner in own else marker(u.id, u.owner) for u in state.units),
        hands=tuple(hand if owner in own else ("",) * len(hand) for owner, hand in enumerate(state.hands)),
        smoke=state.smoke,
        charges=state.charges,
        flags=state.flags,
        activation=state.activation,
        reveals=state.reveals,
        turn=state.turn,
        acts=state.acts,
        over=state.over,
        preparing=state.preparing,
        ready=state.ready,
    )


def imagine(known: Field, chance: Chance) -> Field:
    """Return a state that could be behind what a seat knows: each marker stands somewhere at home, and any card may be
    in the hands of others."""
    field = known
    for unit in known.units:
        if unit.cell == NOWHERE:
            field = field.with_unit(unit.id, cell=chance.pick(HOMES[unit.owner][2:]), known=f"imagined-{unit.id}")
    hands = tuple(tuple(card or chance.pick(CARDS) for card in hand) for hand in known.hands)
    return field.with_hands(hands)
