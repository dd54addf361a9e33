"""Names that nearly every module of rules uses, from one place: the game, seats, refusals, dice, and verbs."""

from __future__ import annotations

from engine.core.rules.advice import Counted
from engine.core.rules.audience import Seat
from engine.core.rules.dice import Pool
from engine.core.rules.errors import IllegalIntent, first_passing, forbid, passing
from engine.core.rules.game import Game, Pending
from engine.core.rules.implements import implements
from engine.core.rules.system import Intent
from engine.kit.units import UnitIntent
from engine.kit.verbs import Label, Verb
from protocol.scene.advice import Forecast, Gesture

__all__ = [
    "Counted",
    "Forecast",
    "Game",
    "Gesture",
    "IllegalIntent",
    "Intent",
    "Label",
    "Pending",
    "Pool",
    "Seat",
    "UnitIntent",
    "Verb",
    "first_passing",
    "forbid",
    "implements",
    "passing",
]
