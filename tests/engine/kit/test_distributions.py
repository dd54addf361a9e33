"""Distributions against every case counted one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import product

from hypothesis import given, settings, strategies as st

from engine.kit import distributions, pools
from engine.kit.distributions import Distribution

WEIGHTS = st.dictionaries(st.integers(-5, 20), st.integers(1, 10**6), min_size=1, max_size=12)


def counted(outcomes: Iterable[int]) -> dict[int, Fraction]:
    """Return the chance of each outcome of a list of equally likely ones."""
    count = Counter(outcomes)
    return {outcome: Fraction(number, sum(count.values())) for outcome, number in count.items()}


def chances(distribution: Distribution) -> dict[int, Fraction]:
    return {outcome: Fraction(weight, distribution.whole) for outcome, weight in distribution.weights}


def rolls(count: int, sides: int) -> list[tuple[int, ...]]:
    return list(product(range(1, sides + 1), repeat=count))


@given(st.integers(0, 4), st.integers(1, 6))
def test_a_total_is_that_of_all_rolls(count: int, sides: int) -> None:
    assert chances(distributions.total(count, sides)) == counted(map(sum, rolls(count, sides)))


def test_a_sum_is_that_of_all_its_parts() -> None:
    assert distributions.summed([]) == distributions.certain(0)
    parts = [distributions.total(1), distributions.total(1, 4), distributions.certain(3)]
    wanted = counted(one + other + 3 for one, other in product(range(1, 7), range(1, 5)))
    assert chances(distributions.summed(parts)) == wanted


@given(st.integers(0, 5), st.integers(0, 4), st.integers(1, 4))
def test_successes_are_those_of_all_rolls(count: int, yes: int, sides: int) -> None:
    wanted = counted(sum(face <= yes for face in faces) for faces in rolls(count, sides))
    assert chances(distributions.successes(count, Fraction(min(yes, sides), sides))) == wanted


@settings(max_examples=40)
@given(st.integers(0, 3), st.integers(2, 6), st.integers(0, 3), st.integers(2, 6), st.integers(1, 5))
def test_dice_left_over_are_those_of_all_rolls(
    attacks: int, attack_sides: int, defences: int, defence_sides: int, need: int
) -> None:
    every = product(rolls(attacks, attack_sides), rolls(defences, defence_sides))
    wanted = counted(pools.unmatched(attack, defence, need) for attack, defence in every)
    assert chances(distributions.unmatched(attacks, attack_sides, defences, defence_sides, need)) == wanted


@given(st.integers(0, 3), st.integers(1, 5))
def test_what_follows_is_weighed_by_what_it_follows(count: int, sides: int) -> None:
    first = distributions.successes(count, Fraction(1, 3))
    then = first.then(lambda hits: distributions.total(hits, sides))
    wanted: dict[int, Fraction] = {}
    for hits, chance in chances(first).items():
        for outcome, share in chances(distributions.total(hits, sides)).items():
            wanted[outcome] = wanted.get(outcome, Fraction(0)) + chance * share
    assert chances(then) == wanted
    assert then.mean == first.mean * Fraction(sides + 1, 2)


def test_sums_of_independent_outcomes() -> None:
    assert distributions.total(2).plus(distributions.total(3)) == distributions.total(5)
    assert distributions.total(5).plus(distributions.certain(4)).mean == Fraction(43, 2)


@given(WEIGHTS)
def test_thousandths_add_up_and_are_off_by_less_than_one(weights: dict[int, int]) -> None:
    distribution = Distribution(tuple(sorted(weights.items())), sum(weights.values()))
    shown = dict(distribution.thousandths())
    assert sum(shown.values()) == 1000
    for outcome, chance in chances(distribution).items():
        assert abs(shown.get(outcome, 0) - 1000 * chance) < 1


def test_the_chance_and_the_mean_of_a_shot() -> None:
    """Eight dice against a kill number of 24: only eight sixes kill two."""
    kills = distributions.total(8).mapped(lambda points: pools.multiples(points, 24, 3))
    assert kills.chance(lambda fallen: fallen > 0) == Fraction(689581, 839808)
    assert kills.thousandths() == ((0, 179), (1, 821))


def test_chances_are_those_given_in_lowest_terms() -> None:
    found = distributions.of_chances({2: Fraction(1, 6), 0: Fraction(1, 2), 1: Fraction(1, 3), 5: Fraction(0)})
    assert found.weights == ((0, 3), (1, 2), (2, 1))
    assert (found.whole, found.mean) == (6, Fraction(2, 3))
