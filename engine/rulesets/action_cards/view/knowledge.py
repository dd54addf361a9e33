"""The table as a seat knows it: all but the secret conditions of the others, and which of these they have met."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.rulesets.action_cards.state.state import SeatState, Skirmish

if TYPE_CHECKING:
    from engine.core.bots.random_bot import Chance

OPEN: Final = (
    *("figures", "groups", "turn", "row", "current", "left", "used", "free_moves", "proposed", "discard", "out"),
    *("reshuffles", "reshuffled", "last_row", "combats", "combat_count", "group_count", "gone", "opened", "markers"),
    *("volley", "burst", "aboard", "proposal", "ending", "happening", "lasting", "dangers", "danger_count", "ruined"),
    *("arrived", "refilled"),
)
"""The fields of the state that lie open to all, in their order, after the content and the seats."""
_OPEN: Final = attrgetter(*OPEN)
_ALL_OPEN: Final = Skirmish.__struct_fields__ == ("resolved", "seats", *OPEN)
"""The seats alone hold anything hidden: who knows all of them knows the state as it is."""


def known(state: Skirmish, seat: Seat) -> Skirmish:
    """Return the state as this seat knows it, built up from what lies open and what is its own."""
    seats = _seats(state, seat)
    if _ALL_OPEN and seats is state.seats:
        return state
    return Skirmish(state.resolved, seats, *_OPEN(state))


def imagine(known: Skirmish, chance: Chance) -> Skirmish:
    """Return a state that could be behind it: secret conditions are dealt to the others, none of them met."""
    if not known.turn:
        return known
    scenario = known.resolved.scenario
    held = {id for one in known.seats for id in one.secrets}
    left = chance.some(
        [condition.id for condition in scenario.secrets if condition.id not in held], len(scenario.secrets)
    )
    seats = list(known.seats)
    for number, (one, role) in enumerate(zip(known.seats, scenario.roles, strict=True)):
        if not one.secrets:
            dealt, left = left[: role.secrets], left[role.secrets :]
            seats[number] = replace(one, secrets=tuple(dealt))
    return replace(known, seats=tuple(seats))


def _seats(state: Skirmish, seat: Seat) -> tuple[SeatState, ...]:
    if not state.resolved.scenario.secrets:
        return state.seats
    # the same object while the seats are: prompts are found again by it
    return state.resolved.memo.get(("known", seat), (state.seats,), partial(_known_seats, state, seat))


def _known_seats(state: Skirmish, seat: Seat) -> tuple[SeatState, ...]:
    secret = {condition.id for condition in state.resolved.scenario.secrets}
    return tuple(
        own
        if not state.hostile(number, seat)
        else SeatState(own.faction, own.alive, tuple([id for id in own.met if id not in secret]), own.removed, own.done)
        for number, own in enumerate(state.seats)
    )
