"""The administration phase: its steps in their order, then the next turn or the end (AE-TURN-04)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from engine.kit.rules import Game, implements
from engine.rulesets.apocalypse_earth.rules import (
    combats,
    damage,
    ending,
    fires,
    overwatch,
    rallying,
    repairs,
    scoring,
    support,
    turns,
)
from engine.rulesets.apocalypse_earth.state.state import Battle

Step = Callable[[Game[Battle]], Awaitable[None]]
STEPS: Final[tuple[Step, ...]] = (
    combats.fight_out,
    rallying.rally_all,
    support.land_all,
    fires.check_fires,
    overwatch.set_overwatch,
    repairs.repair_all,
    damage.replace_men,
    scoring.end_turn,
)
"""All steps in order; a battle that one side has lost ends after any of them."""


@implements("AE-TURN-04", "AE-OPEN-29")
async def administer(game: Game[Battle]) -> None:
    """Carry out all steps; then the next turn starts, or the battle ends with its last one."""
    for step in STEPS:
        await step(game)
        if ending.is_beaten(game.state):
            await ending.end(game, "destroyed")
            return
    if game.state.turn >= game.state.resolved.scenario.turns:
        await ending.end(game, "turns")
    else:
        await turns.start_turn(game)
