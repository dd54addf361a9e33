"""Result of a match: every condition of every seat, secret ones open, and the seats that have the points they need."""

from __future__ import annotations

from engine.rulesets.action_cards.rules.scenario import conditions
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.scene.nodes import Condition, Result, SeatResult
from protocol.text import Text


def result(state: Skirmish) -> Result | None:
    """Return the result, once the match is over."""
    return final(state) if state.ending is not None else None


def final(state: Skirmish) -> Result:
    """Return the result as if the game ended now; `why` names what ended it."""
    why = state.ending.why if state.ending is not None else "clock"
    return Result(Text(f"ending.{why}"), tuple(_seat(state, seat) for seat in range(len(state.seats))))


def _seat(state: Skirmish, seat: int) -> SeatResult:
    statuses = conditions.statuses(state, seat)
    told = tuple(
        Condition(
            names.condition_text(state, one.condition, one.condition.name),
            names.condition_text(state, one.condition, one.condition.text),
            one.met,
            one.condition.secret,
        )
        for one in statuses
    )
    return SeatResult(seat, conditions.wins(state, seat), conditions.score(state, seat), told)
