"""Forecasts made of exact distributions: losses of figures, with the pools and the modifiers behind them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ParamSpec

from engine.core.rules.advice import Counted as Counted
from engine.kit import distributions
from engine.kit.casualties import Harm, allot
from engine.kit.distributions import Distribution, hundredths as hundredths
from engine.kit.pools import DicePool
from protocol.ids import FigureId
from protocol.scene.advice import Forecast as Forecast, ForecastLine, ForecastPool
from protocol.text import Text

P = ParamSpec("P")

Wounds = tuple[Distribution, bool]
"""Wounds that come together, and whether all of them go to one figure (`Harm`)."""


def forecast(
    losses: Distribution,
    pools: Sequence[ForecastPool] = (),
    lines: Sequence[ForecastLine] = (),
    cover: Text | None = None,
) -> Forecast:
    """Return the forecast of these losses."""
    return Forecast(tuple(pools), losses.thousandths(), hundredths(losses.mean), lines=tuple(lines), cover=cover)


def mean_of(forecast: Callable[P, Forecast | None], *given: P.args, **named: P.kwargs) -> int:
    """Return the mean that a forecast made of what is given comes to, in hundredths; -1 where there is none."""
    found = forecast(*given, **named)
    return -1 if found is None else found.mean


def pool_of(pool: DicePool, purpose: Text, needs: int = 0) -> ForecastPool:
    """Return a pool as it is shown before its roll; `needs`: the face that a die must show, 0 where dice are added."""
    return ForecastPool(purpose, pool.count, pool.sides, needs)


def lines_of(pool: DicePool) -> tuple[ForecastLine, ...]:
    """Return the parts of a pool as lines, each with its rule."""
    return tuple([ForecastLine(part.words, part.rule) for part in pool.parts])


def figures_lost(lives: Sequence[int], wounds: Sequence[Wounds]) -> Distribution:
    """Return the distribution of the figures that fall. `lives`: how many more wounds each takes, in the order in which
    they fall; the wounds come one after another, as `allot` shares them out."""
    order = [(FigureId(str(number)), life) for number, life in enumerate(lives)]
    total = sum(lives)

    def after(taken: int, wounded: int, *, single: bool) -> int:
        """Return the wounds that figures have taken once these are shared out as well."""
        allotment = allot(order, (Harm(taken), Harm(wounded, single)))
        return sum(allotment.taken.values())

    taken = distributions.certain(0)
    for harm, single in wounds:
        taken = taken.then(
            lambda so_far, harm=harm, single=single: harm.mapped(  # type: ignore[misc]  # a default has no type
                lambda wounded: after(so_far, min(wounded, total), single=single)
            )
        )
    return taken.mapped(lambda wounds: len(allot(order, (Harm(wounds),)).fallen))
