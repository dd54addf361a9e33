"""Rolls to hit: 6 in the open, 7 to 9 by two dice (AE-FIRE-02, AE-FIRE-04, AE-FIRE-05)."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from engine.core.rules.audience import ALL, Audience
from engine.kit.pools import DieTest
from engine.kit.rules import Game, Pool, Seat, implements
from engine.rulesets.apocalypse_earth.rules.table import aims, hulls, traits
from engine.rulesets.apocalypse_earth.state.profiles import Cover, SupportCard, Weapon
from engine.rulesets.apocalypse_earth.state.state import Battle, Unit

HIT: Final = "ae.dice.hit"
HIT_AGAIN: Final = "ae.dice.hit_again"
PIERCE: Final = "ae.dice.pierce"
SIX: Final = 6
MOST: Final = 9
"""AE-FIRE-05: the greatest number that can be rolled."""


@implements("AE-FIRE-02", "AE-FIRE-04", "AE-OPEN-02")
def need(state: Battle, unit: Unit, weapon: Weapon, cover: Cover) -> int:
    """Return the number to hit of a unit's weapon at a target in this cover; of what is thrown or lobbed, cover changes
    nothing."""
    aim = weapon.hit + hulls.aim(state, unit, weapon) + traits.fog(unit)
    return aim if weapon.lobbed else aim + aims.worth(cover)


@implements("AE-FIRE-05")
def second(number: int) -> int:
    """Return what a second die must show after a 6 to come to 7, 8 or 9."""
    return number - 3


@implements("AE-FIRE-02", "AE-FIRE-05")
def roll(game: Game[Battle], seat: Seat, shots: int, number: int) -> int:
    """Return the hits of so many shots: all first dice are rolled, then the second ones of their 6s."""
    if number > MOST:
        return 0
    first = DieTest(min(SIX, number))
    hits = first.successes(game.roll(first.pool(shots), HIT, seat).faces)
    if number <= SIX or not hits:
        return hits
    again = DieTest(second(number))
    return again.successes(game.roll(again.pool(hits), HIT_AGAIN, seat).faces)


@implements("AE-FIRE-02", "AE-FIRE-05")
def chance(number: int) -> Fraction:
    """Return the chance of one shot: 1/6, in soft cover 1/12, in hard cover 1/18; none where 10 is needed."""
    if number <= SIX:
        return DieTest(max(1, number)).chance
    return DieTest(SIX).chance * DieTest(second(number)).chance


@implements("AE-OPEN-02", "AE-VEH-01")
def penetrations(game: Game[Battle], seat: Seat, weapon: Weapon | SupportCard, count: int, rating: int) -> int:
    """Return how many of so many hits penetrate an armour rating: each rolls its penetration, which must reach it."""
    constant, dice = weapon.penetration
    if not count * dice:
        return 0
    faces = game.roll(Pool(count * dice), PIERCE, seat).faces
    return sum([constant + sum(faces[n * dice : (n + 1) * dice]) >= rating for n in range(count)])


@implements("AE-OPEN-02")
def pierced(game: Game[Battle], seat: Seat, weapon: Weapon | SupportCard, to: Audience = ALL) -> int:
    """Roll the penetration of one hit, before those who may know of it."""
    constant, dice = weapon.penetration
    return constant + game.roll(Pool(dice), PIERCE, seat, to).total if dice else 0
