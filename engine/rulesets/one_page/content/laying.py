"""Terrain laid by the dice: the table is divided into fields, and each piece goes into one of its own (OP-SETUP-02)."""

from __future__ import annotations

from typing import Final

from engine.kit.rules import Game, Pool, Seat, implements
from engine.kit.terrain.fields import PERCENT, FieldGrid, bent_line, blob, block
from engine.rulesets.one_page.state.model import Feature, Lot
from engine.rulesets.one_page.state.state import Battle

ORDER: Final = "op.order.terrain"
SHAPE: Final = "op.dice.shape"
COLUMNS, ROWS = 6, 5
APART: Final = 300
"""OP-OPEN-15: least distance between two pieces."""
CORNERS: Final = 8


@implements("OP-SETUP-02", "OP-OPEN-15")
def lay(game: Game[Battle]) -> tuple[Feature, ...]:
    """Return the pieces laid by hand, and those laid by the dice."""
    scenario = game.state.resolved.scenario
    pieces = [lot for lot in scenario.lots for _ in range(lot.count)]
    if not pieces:
        return scenario.features
    fields = FieldGrid(scenario.size, COLUMNS, ROWS, APART)
    dealt = enumerate(fields.dealt(game, pieces, ORDER), 1)
    return (*scenario.features, *[_piece(game, lot, fields, field, number) for number, (field, lot) in dealt])


def _piece(game: Game[Battle], lot: Lot, fields: FieldGrid, field: int, number: int) -> Feature:
    rolls = game.roll(Pool(CORNERS + 4, PERCENT), SHAPE, Seat(0)).faces
    across = lot.least + (min(lot.most, *fields.room) - lot.least) * rolls[0] // PERCENT
    middle, along = fields.place(field, across, (rolls[1], rolls[2])), rolls[3] % 2 == 1
    kind = game.state.resolved.terrain[lot.kind]
    if kind.line:
        outline = bent_line(middle, across, along=along)
    elif kind.difficult or kind.id == "crater" or (not kind.cover and not kind.impassable):
        outline = blob(middle, across, rolls[4:])
    else:
        outline = block(middle, across // 2, across * (60 + rolls[4] * 40 // PERCENT) // 200, along=along)
    return Feature(f"{lot.kind}{number}", lot.kind, outline)
