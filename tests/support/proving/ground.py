"""The game's own units, against which one seat plays alone."""

from __future__ import annotations

from typing import Final

from engine.core.rules.game import Game
from tests.support.proving import events
from tests.support.proving.fire import fire, reveal
from tests.support.proving.hexes import distance, neighbours
from tests.support.proving.state import GRID, Field, Unit, in_range

GROUND: Final = -1
"""The owner of what belongs to the game."""
FIRST: Final = 90
PLACES: Final = ((6, 2), (6, 4))


def hostile_units() -> tuple[Unit, ...]:
    """Return the game's units as they are set out, in the open."""
    return tuple(Unit(FIRST + n, GROUND, cell, "", f"g{n}", strength=2) for n, cell in enumerate(PLACES))


def act(game: Game[Field]) -> None:
    """Let each of the game's units fire at the nearest unit in range, or come a cell nearer to it."""
    for id in [unit.id for unit in game.state.of(GROUND)]:
        unit = game.state.unit(id)
        seen = [other for other in game.state.units if other.owner != GROUND and not other.hidden]
        if unit is None or not seen:
            continue
        cell = unit.cell
        target = min(seen, key=lambda other: (distance(cell, other.cell), other.id))
        if in_range(cell, target.cell):
            fire(game, unit, target, unit.strength)
            continue
        free = [onward for onward in neighbours(GRID, cell) if game.state.open_at(onward) is None]
        goal = min(free, key=lambda onward: (distance(onward, target.cell), onward), default=cell)
        met = next((other for other in game.state.units if other.hidden and other.cell == goal), None)
        if met is not None:
            reveal(game, met.id)
        elif goal != cell:
            game.emit(events.Shifted(id, goal))
