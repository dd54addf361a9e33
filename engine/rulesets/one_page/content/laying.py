"""Terrain laid by the dice: the table is divided into fields, and each piece goes into one of its own (OP-SETUP-02)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.core.rules.audience import Seat
from engine.core.rules.dice import Pool
from engine.core.rules.game import Game
from engine.core.rules.implements import implements
from engine.rulesets.one_page.state.model import Feature, Lot, Point
from engine.rulesets.one_page.state.state import Battle
from engine.space.vectors.headings import heading
from engine.space.vectors.points import divide

ORDER: Final = "op.order.terrain"
SHAPE: Final = "op.dice.shape"
COLUMNS, ROWS = 6, 5
APART: Final = 300
"""OP-OPEN-15: least distance between two pieces."""
CORNERS: Final = 8
PERCENT: Final = 100
UNIT: Final = 10_000


@implements("OP-SETUP-02", "OP-OPEN-15")
def lay(game: Game[Battle]) -> tuple[Feature, ...]:
    """Return the pieces laid by hand, and those laid by the dice."""
    scenario = game.state.resolved.scenario
    pieces = [lot for lot in scenario.lots for _ in range(lot.count)]
    if not pieces:
        return scenario.features
    fields = game.shuffle(COLUMNS * ROWS, ORDER)
    laid = [_piece(game, lot, field, number) for number, (lot, field) in enumerate(zip(pieces, fields, strict=False))]
    return (*scenario.features, *laid)


def _piece(game: Game[Battle], lot: Lot, field: int, number: int) -> Feature:
    """Lay one piece inside its field, 1.5 inches from the field's edge."""
    width, height = game.state.resolved.scenario.size
    wide, high = width // COLUMNS, height // ROWS
    rolls = game.roll(Pool(CORNERS + 4, PERCENT), SHAPE, Seat(0)).faces
    most = min(lot.most, wide - APART, high - APART)
    across = lot.least + (most - lot.least) * rolls[0] // PERCENT
    slack = (wide - APART - across, high - APART - across)
    x = field % COLUMNS * wide + wide // 2 + divide(slack[0] * (2 * rolls[1] - PERCENT), 2 * PERCENT)
    y = field // COLUMNS * high + high // 2 + divide(slack[1] * (2 * rolls[2] - PERCENT), 2 * PERCENT)
    kind = game.state.resolved.terrain[lot.kind]
    if kind.line:
        outline = _line((x, y), across, rolls[3])
    elif kind.difficult or kind.id == "crater" or (not kind.cover and not kind.impassable):
        outline = tuple(_blob((x, y), across, rolls[4:]))
    else:
        outline = _house((x, y), across, rolls[3], rolls[4])
    return Feature(f"{lot.kind}{number + 1}", lot.kind, outline)


def _line(middle: Point, length: int, roll: int) -> tuple[Point, ...]:
    """Return a barrier across or along the table, bent in its middle."""
    half, bend = length // 2, length // 8
    points = ((-half, 0), (0, bend), (half, 0))
    return tuple([(middle[0] + x, middle[1] + y) if roll % 2 else (middle[0] + y, middle[1] + x) for x, y in points])


def _blob(middle: Point, across: int, rolls: tuple[int, ...]) -> Iterator[Point]:
    """Yield eight corners, each between two thirds and all of the way out."""
    for corner in range(CORNERS):
        x, y = heading(corner * 45)
        reach = across // 3 + across * rolls[corner] // (6 * PERCENT)
        yield middle[0] + divide(x * reach, UNIT), middle[1] + divide(y * reach, UNIT)


def _house(middle: Point, across: int, roll: int, narrow: int) -> tuple[Point, ...]:
    """Return a rectangle across or along the table."""
    long, wide = across // 2, across * (60 + narrow * 40 // PERCENT) // 200
    a, b = (long, wide) if roll % 2 else (wide, long)
    x, y = middle
    return ((x - a, y - b), (x + a, y - b), (x + a, y + b), (x - a, y + b))
