"""Exact distributions of whole-number outcomes: sums of dice, numbers of successes, dice matched against dice.

Every weight is a whole number and every mean a Fraction: no distribution is rounded before it is shown
(`Distribution.thousandths`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache, lru_cache, reduce
from math import comb, gcd, lcm
from typing import NamedTuple

from engine.core.rules.advice import thousandths


class Distribution(NamedTuple):
    """Outcomes from the least to the greatest, each with its weight (positive); its chance is its share of `whole`."""

    weights: tuple[tuple[int, int], ...]
    whole: int

    @property
    def mean(self) -> Fraction:
        """Average outcome."""
        return Fraction(sum(outcome * weight for outcome, weight in self.weights), self.whole)

    def chance(self, holds: Callable[[int], bool]) -> Fraction:
        """Return the chance of an outcome for which `holds` is true."""
        return Fraction(sum(weight for outcome, weight in self.weights if holds(outcome)), self.whole)

    def mapped(self, change: Callable[[int], int]) -> Distribution:
        """Return the distribution of `change` of the outcome, such as the figures that a total of points kills."""
        return _gathered((change(outcome), weight, 1) for outcome, weight in self.weights)

    def then(self, follow: Callable[[int], Distribution]) -> Distribution:
        """Return the distribution of what follows: `follow` gives, for each outcome, that of the next roll."""
        following = [(weight, follow(outcome)) for outcome, weight in self.weights]
        scale = lcm(*(next_one.whole for _, next_one in following))
        return _gathered(
            (outcome, weight * each, scale // next_one.whole)
            for weight, next_one in following
            for outcome, each in next_one.weights
        )

    def plus(self, other: Distribution) -> Distribution:
        """Return the distribution of the sum of two outcomes that do not depend on each other."""
        return self.then(lambda outcome: other.mapped(lambda more: outcome + more))

    def thousandths(self) -> tuple[tuple[int, int], ...]:
        """Return the chance of each outcome in thousandths, 1000 together (`thousandths` of the core)."""
        return thousandths(self.weights, self.whole)


def hundredths(number: Fraction) -> int:
    """Return a number in hundredths, rounded to the nearest, halves up."""
    # in whole numbers: each act that is declared asks for it
    return (200 * number.numerator + number.denominator) // (2 * number.denominator)


def _gathered(outcomes: Iterable[tuple[int, int, int]]) -> Distribution:
    """Add up outcomes given as (outcome, weight, factor of the weight), in lowest terms."""
    weights: dict[int, int] = {}
    for outcome, weight, factor in outcomes:
        weights[outcome] = weights.get(outcome, 0) + weight * factor
    shared = gcd(*weights.values())
    lowest = tuple([(outcome, weights[outcome] // shared) for outcome in sorted(weights)])
    return Distribution(lowest, sum(weight for _, weight in lowest))


def of_chances(chances: Mapping[int, Fraction]) -> Distribution:
    """Return the distribution of outcomes with these chances, 1 together; those without a chance are left out."""
    whole = lcm(*(chance.denominator for chance in chances.values()))
    return _gathered((outcome, int(chance * whole), 1) for outcome, chance in chances.items() if chance)


def certain(outcome: int) -> Distribution:
    """Return the distribution of an outcome that does not depend on chance."""
    return Distribution(((outcome, 1),), 1)


def summed(parts: Iterable[Distribution]) -> Distribution:
    """Return the distribution of the sum of several numbers that do not depend on each other; certainly 0 of none."""
    return reduce(Distribution.plus, parts, certain(0))


@lru_cache(maxsize=1024)
def total(count: int, sides: int = 6) -> Distribution:
    """Return the distribution of the sum of so many dice; with no dice it is 0."""
    ways = [1]
    for _ in range(count):
        grown = [0] * (len(ways) + sides - 1)
        running = 0
        for place in range(len(grown)):
            running += ways[place] if place < len(ways) else 0
            running -= ways[place - sides] if place >= sides else 0
            grown[place] = running
        ways = grown
    return Distribution(tuple([(count + place, way) for place, way in enumerate(ways)]), sides**count)


@lru_cache(maxsize=1024)
def successes(count: int, chance: Fraction) -> Distribution:
    """Return the distribution of the successes among so many dice that each succeed with this chance."""
    yes, whole = chance.numerator, chance.denominator
    weights = [(n, comb(count, n) * yes**n * (whole - yes) ** (count - n)) for n in range(count + 1)]
    return Distribution(tuple([one for one in weights if one[1]]), whole**count)


@lru_cache(maxsize=256)
def unmatched(attacks: int, attack_sides: int, defences: int, defence_sides: int, need: int) -> Distribution:
    """Return the distribution of the attack dice that `pools.unmatched` leaves over.

    Faces are dealt out from the highest down to `need`: a defence die that is free at one face is free at all below
    it, and cancels the next attack die.
    """

    @cache
    def below(face: int, attack: int, defence: int, free: int) -> Distribution:
        """Return those left over of so many dice that all show less than `face`, with free defence dice above."""
        if face <= need:
            return certain(0)
        hits = successes(attack, _shows(face - 1, attack_sides))
        blocks = successes(defence, _shows(face - 1, defence_sides))

        def hit(number: int) -> Distribution:
            def met(more: int) -> Distribution:
                left_over, still_free = max(0, number - free - more), max(0, free + more - number)
                rest = below(face - 1, attack - number, defence - more, still_free)
                return rest.mapped(lambda outcome: outcome + left_over)

            return blocks.then(met)

        return hits.then(hit)

    return below(max(attack_sides, defence_sides) + 1, attacks, defences, 0)


def _shows(face: int, sides: int) -> Fraction:
    """Return the chance that a die shows this face, if it shows no higher one."""
    return Fraction(1, face) if face <= sides else Fraction(0)
