"""Directions of the clock, and points that deviate (AE-GEN-05, AE-GEN-01)."""

from __future__ import annotations

from typing import Final

from engine.kit.rules import Game, Pool, Seat, implements
from engine.rulesets.apocalypse_earth.state.state import Battle
from engine.space.vectors.headings import UNIT, heading
from engine.space.vectors.points import Point, divide, floor_sqrt, squared

CLOCK: Final = 12
HOUR: Final = 30
DIRECTION: Final = "ae.dice.direction"
CENTIMETRE: Final = 100


@implements("AE-GEN-05")
def moved(origin: Point, at: Point, hour: int, distance: int) -> Point:
    """Return a point moved so far in a direction of the clock, 12 being away from the origin, clockwise; where the two
    are the same, away from the table's south edge."""
    dx, dy = at[0] - origin[0], at[1] - origin[1]
    if dx == dy == 0:
        dy = 1
    length = floor_sqrt(squared((0, 0), (dx * UNIT, dy * UNIT)))
    x, y = heading(-HOUR * hour)
    turned = dx * x - dy * y, dx * y + dy * x
    return at[0] + divide(turned[0] * distance, length), at[1] + divide(turned[1] * distance, length)


@implements("AE-GEN-05", "AE-OPEN-02")
def scattered(
    game: Game[Battle], seat: Seat, origin: Point, at: Point, dice: int, purpose: str, each: int = CENTIMETRE
) -> Point:
    """Return a point that deviates in a random direction, by so many D6 of a length."""
    distance = each * game.roll(Pool(dice), purpose, seat).total
    return moved(origin, at, game.roll(Pool(1, CLOCK), DIRECTION, seat).total, distance)
