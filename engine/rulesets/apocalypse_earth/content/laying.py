"""Terrain laid by the dice: the table is cut into fields, and each piece lies in the middle of one (AE-OPEN-30)."""

from __future__ import annotations

from typing import Final

from engine.kit.rules import Game, Pool, Seat, implements
from engine.kit.terrain.fields import SquareFields, block
from engine.rulesets.apocalypse_earth.state.model import Feature, Lot, Scenario
from engine.rulesets.apocalypse_earth.state.state import Battle
from engine.space.vectors.outlines import Outline
from engine.space.vectors.points import Point

ORDER: Final = "ae.order.terrain"
SHAPE: Final = "ae.dice.terrain"
FIELD: Final = 3000
CLEAR: Final = 1200
"""Fields whose middle lies so near to an objective stay empty."""
LINE: Final = 2000
"""Length of a hedge or wall."""
CM: Final = 100
SIDES: Final = {"rubble": (6, 1)}
USUAL_SIDE: Final = (8, 2)
"""A side is so many cm and so many D6."""
ALONG: Final = 3
"""A line lies along the table up to this die."""


@implements("AE-OPEN-30")
def lay(game: Game[Battle]) -> tuple[Feature, ...]:
    """Return the pieces of the scenario, and those that the dice lay."""
    scenario = game.state.resolved.scenario
    pieces = [lot for lot in scenario.lots for _ in range(lot.count)]
    if not pieces:
        return scenario.features
    free = free_fields(scenario)
    fields = [free[place] for place in game.shuffle(len(free), ORDER)]
    laid = [
        Feature(f"{lot.kind}_{number}", lot.kind, _outline(game, lot, field))
        for number, (field, lot) in enumerate(zip(fields, pieces, strict=False), 1)
    ]
    return (*scenario.features, *laid)


@implements("AE-OPEN-30")
def free_fields(scenario: Scenario) -> list[Point]:
    """Return the middles of the fields that nothing of the scenario touches and no objective is near."""
    fields = SquareFields(scenario.size, FIELD)
    outlines = [feature.outline for feature in scenario.features]
    return fields.free([objective.at for objective in scenario.objectives], CLEAR, outlines)


@implements("AE-OPEN-30")
def _outline(game: Game[Battle], lot: Lot, middle: Point) -> Outline:
    x, y = middle
    if game.state.resolved.terrain[lot.kind].line:
        half = LINE // 2
        along = game.roll(Pool(1), SHAPE, Seat(0)).total <= ALONG
        return ((x - half, y), (x + half, y)) if along else ((x, y - half), (x, y + half))
    if lot.size != (0, 0):
        return block(middle, lot.size[0] // 2, lot.size[1] // 2, along=True)
    least, dice = SIDES.get(lot.kind, USUAL_SIDE)
    faces = game.roll(Pool(2 * dice), SHAPE, Seat(0)).faces
    length, width = ((least + sum(rolled)) * CM for rolled in (faces[:dice], faces[dice:]))
    return block(middle, length // 2, width // 2, along=True)
