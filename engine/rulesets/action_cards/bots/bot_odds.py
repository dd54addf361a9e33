"""Chances of dice as a bot weighs them, from the rules' own pools."""

from __future__ import annotations

from functools import lru_cache

from engine.kit import distributions
from engine.kit.pools import multiples
from engine.rulesets.action_cards.rules.special_actions import specials


@lru_cache(maxsize=8192)
def expected_kills(dice: int, number: int, figures: int) -> float:
    """Return the average number of `figures` that so many D6 remove, at `number` points each."""
    if dice <= 0 or figures <= 0 or number <= 0:
        return 0.0
    return float(distributions.total(dice).mapped(lambda points: multiples(points, number, figures)).mean)


def success(helpers: int) -> float:
    """Return the chance that an action roll succeeds."""
    return float(specials.SUCCESS.best_of(helpers))
