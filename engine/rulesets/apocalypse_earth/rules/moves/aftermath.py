"""Consequences of a move that has ended, for prisoners and for men down (AE-POW-01, AE-CAS-01)."""

from __future__ import annotations

from engine.kit.rules import Game
from engine.rulesets.apocalypse_earth.rules.moves import captives, errands
from engine.rulesets.apocalypse_earth.state.state import Battle
from protocol.ids import GroupId


def after_move(game: Game[Battle], id: GroupId) -> None:
    """Let prisoners follow a unit that has ended a move, or be freed by it, and let it take men down near it."""
    captives.after_move(game, id)
    errands.after_move(game, id)
