"""What bounds of Apocalypse: Earth are looked at by: refusals with their code, and how declared acts ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.events import ActionResolved
from engine.core.rules.system import Intent
from engine.rulesets.apocalypse_earth.state.state import Battle
from tests.support.systems.ae_battle import Fight


def refusal(state: Battle, seat: int, intent: Intent, *, at: bool = False) -> Any:
    """Return the code with which an intent is refused, "" where it is not; with `at` the place at fault too."""
    fight = Fight(state)
    fight.may(seat, intent)  # a fault is an AssertionError here
    found = fight.match.can(Seat(seat), intent)
    if found is None:
        return ""
    return (found.code, found.at) if at else found.code


def told(fight: Fight) -> list[str]:
    """Return how all declared acts ended, in words."""
    return [one.how for one in fight.events(ActionResolved)]


def code_of(run: Callable[[], Any]) -> str:
    """Return the code with which a call is refused."""
    with pytest.raises(IllegalIntent) as caught:
        run()
    return caught.value.refusal.code
