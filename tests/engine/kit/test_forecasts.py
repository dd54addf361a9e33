"""Forecasts made of distributions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, strategies as st

from engine.kit import distributions
from engine.kit.casualties import Harm, allot
from engine.kit.distributions import Distribution
from engine.kit.forecasts import figures_lost, forecast, hundredths, lines_of, pool_of
from engine.kit.pools import DicePool, PoolPart
from protocol.ids import FigureId
from protocol.scene.advice import ForecastLine, ForecastPool
from protocol.text import text


def test_losses_are_told_in_thousandths_and_their_mean_in_hundredths() -> None:
    found = forecast(distributions.successes(2, Fraction(1, 2)), cover=text("wood"))
    assert found.outcomes == ((0, 250), (1, 500), (2, 250))
    assert (found.mean, found.chance, found.sure, found.cover) == (100, 750, "exact", text("wood"))


@pytest.mark.parametrize(
    ("number", "rounded"), [(Fraction(1, 3), 33), (Fraction(2, 3), 67), (Fraction(1, 200), 1), (Fraction(0), 0)]
)
def test_means_are_rounded_to_the_nearest_hundredth(number: Fraction, rounded: int) -> None:
    assert hundredths(number) == rounded


def test_a_pool_is_shown_with_its_parts_and_their_rules() -> None:
    pool = DicePool((PoolPart(text("rifles"), 2, 3, "R-1"), PoolPart(text("smoke"), -1, 1, "R-2")))
    assert pool_of(pool, text("fire"), 4) == ForecastPool(text("fire"), 5, 6, 4)
    assert lines_of(pool) == (ForecastLine(text("rifles"), "R-1"), ForecastLine(text("smoke"), "R-2"))


def listed(distribution: Distribution) -> list[tuple[int, Fraction]]:
    return [(outcome, Fraction(weight, distribution.whole)) for outcome, weight in distribution.weights]


@given(
    st.lists(st.integers(1, 3), min_size=1, max_size=4),
    st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=3),
)
def test_figures_fall_as_the_wounds_are_shared_out(lives: list[int], harms: list[tuple[int, bool]]) -> None:
    """Beside a plain sum over all that can come of the dice."""
    chance = Fraction(1, 3)
    wounds = [(distributions.successes(most, chance), single) for most, single in harms]
    order = [(FigureId(str(n)), life) for n, life in enumerate(lives)]
    plain: dict[int, Fraction] = {}
    for each in product(*(listed(distribution) for distribution, _ in wounds)):
        together = [Harm(count, single) for (count, _), (_, single) in zip(each, harms, strict=True)]
        share = Fraction(1)
        for _, part in each:
            share *= part
        fallen = len(allot(order, together).fallen)
        plain[fallen] = plain.get(fallen, Fraction(0)) + share
    assert dict(listed(figures_lost(lives, wounds))) == plain
