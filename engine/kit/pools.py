"""Dice pools: their dice with the reasons for them, tests of single dice, dice matched against dice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeVar

import msgspec

from engine.core.rules.audience import ALL, Audience, Seat
from engine.core.rules.dice import Pool, Roll
from engine.core.rules.game import Game
from engine.kit import distributions
from engine.kit.distributions import Distribution
from protocol.text import Text

S = TypeVar("S")
T = TypeVar("T")


class PoolPart(NamedTuple):
    """Dice of a pool with one reason: `times` things that bring `dice` each. `dice` is negative for a penalty."""

    words: Text
    dice: int
    times: int = 1
    rule: str = ""


class DicePool(msgspec.Struct, frozen=True, dict=True):
    """Pool built part by part, as it is shown: dice of one kind that are rolled together. It never holds fewer dice
    than none."""

    parts: tuple[PoolPart, ...] = ()
    sides: int = 6

    @staticmethod
    def of(parts: Iterable[PoolPart], sides: int = 6) -> DicePool:
        """Return the pool of these parts; parts that differ in their times only are counted together."""
        counted: list[PoolPart] = []
        for part in parts:
            alike = next((n for n, one in enumerate(counted) if one == part._replace(times=one.times)), None)
            if alike is None:
                counted.append(part)
            else:
                counted[alike] = part._replace(times=part.times + counted[alike].times)
        return DicePool(tuple(counted), sides)

    @cached_property
    def count(self) -> int:
        """Number of dice."""
        return max(0, sum([part.dice * part.times for part in self.parts]))

    @property
    def total(self) -> Distribution:
        """Distribution of the sum of all dice."""
        return distributions.total(self.count, self.sides)

    def roll(self, game: Game[S], purpose: str, seat: Seat) -> Roll:
        """Roll all dice."""
        return game.roll(Pool(self.count, self.sides), purpose, seat)


def multiples(points: int, number: int, most: int) -> int:
    """Return how often points hold a number, `most` times at most: the figures that they remove at so many points
    each."""
    return min(points // number, most)


class DieTest(NamedTuple):
    """Test of a die: it succeeds on `need` or more. Dice that failed, or that succeeded, may be rolled again, once."""

    need: int
    sides: int = 6
    failures_again: bool = False
    successes_again: bool = False

    def passed(self, face: int) -> bool:
        """Tell whether this face is a success."""
        return face >= self.need

    def is_rolled_again(self, face: int) -> bool:
        """Tell whether a die that shows this face is rolled a second time."""
        return self.successes_again if self.passed(face) else self.failures_again

    def successes(self, faces: Sequence[int]) -> int:
        """Count the successes among these faces."""
        return sum([face >= self.need for face in faces])

    def pool(self, count: int) -> Pool:
        """Return so many dice, of which the successes count."""
        return Pool(count, self.sides, self.need, self.sides)

    def roll(self, game: Game[S], seat: Seat, count: int, purpose: str, again: str = "") -> tuple[int, ...]:
        """Roll so many dice, then those again that are (under the purpose `again`), and return the final faces."""
        faces = game.roll(self.pool(count), purpose, seat).faces
        return reroll(game, seat, faces, self.is_rolled_again, again or purpose, self.pool)

    def passing(self, game: Game[S], seat: Seat, things: Sequence[T], purpose: str, to: Audience = ALL) -> list[T]:
        """Roll one die for each of several things, before those who may know of it, and return those whose die
        succeeds."""
        faces = game.roll(self.pool(len(things)), purpose, seat, to).faces
        return [thing for thing, face in zip(things, faces, strict=True) if self.passed(face)]

    def succeeds(self, game: Game[S], seat: Seat, purpose: str) -> bool:
        """Roll one die, and tell whether it succeeds."""
        return self.passed(game.roll(self.pool(1), purpose, seat).faces[0])

    def ends_on(self, holds: Callable[[int], bool]) -> Fraction:
        """Return the chance that a die lies on a face for which `holds` is true, after the second roll if it has
        one."""
        faces = range(1, self.sides + 1)
        good, again = sum(map(holds, faces)), sum(map(self.is_rolled_again, faces))
        stays = sum(holds(face) and not self.is_rolled_again(face) for face in faces)
        return Fraction(stays * self.sides + again * good, self.sides**2)

    @property
    def chance(self) -> Fraction:
        """Chance that a die succeeds in the end."""
        return self.ends_on(self.passed)

    def best_of(self, dice: int) -> Fraction:
        """Return the chance that the highest of so many dice succeeds, where the test is passed by one."""
        return 1 - (1 - self.chance) ** dice

    def against(self, sides: int) -> Fraction:
        """Return the chance that a die succeeds and shows more than another die of so many sides."""
        faces = range(1, self.sides + 1)
        won = sum(min(face - 1, sides) for face in faces if self.passed(face))
        return Fraction(won, self.sides * sides)


def of_multiples(total: Distribution, number: int, most: int) -> Distribution:
    """Return the distribution of the `multiples` of a number that a total of points holds."""
    return total.mapped(lambda points: multiples(points, number, most))


@lru_cache(maxsize=8192)
def mean_multiples(dice: int, number: int, most: int, sides: int = 6) -> float:
    """Return the average of the `multiples` that the points of so many dice come to; none where `number` is."""
    if min(dice, number, most) <= 0:
        return 0.0
    return float(of_multiples(distributions.total(dice, sides), number, most).mean)


@lru_cache(maxsize=8192)
def expected_multiples(dice: int, number: int, most: int, sides: int = 6) -> int:
    """Return the same in hundredths, as a forecast tells it; `number` is at least 1."""
    return distributions.hundredths(of_multiples(distributions.total(dice, sides), number, most).mean)


def unmatched(attack: Sequence[int], defence: Sequence[int], need: int) -> int:
    """Count the attack dice of `need` or more that no defence die cancels. A defence die cancels one that it equals or
    beats; they are laid so that the fewest are left over."""
    free = sorted(defence)
    left = 0
    for face in sorted(attack, reverse=True):
        if face >= need:
            if free and free[-1] >= face:
                free.pop()
            else:
                left += 1
    return left


def reroll(
    game: Game[S],
    seat: Seat,
    faces: tuple[int, ...],
    which: Callable[[int], bool],
    purpose: str,
    pool: Callable[[int], Pool] = Pool,
) -> tuple[int, ...]:
    """Return the faces that count once the dice for which `which` holds are rolled again, so many by `pool`; without
    such dice no roll is made. The result is no roll of its own: what is shown are the rolls that were made, each by its
    number."""
    places = [place for place, face in enumerate(faces) if which(face)]
    if not places:
        return faces
    fresh = game.roll(pool(len(places)), purpose, seat).faces
    final = list(faces)
    for place, face in zip(places, fresh, strict=True):
        final[place] = face
    return tuple(final)
