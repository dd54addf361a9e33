"""Chances of dice as a bot weighs them, from the rules' own pools."""

from __future__ import annotations

from engine.kit.pools import mean_multiples
from engine.rulesets.action_cards.rules.special_actions import specials


def expected_kills(dice: int, number: int, most: int) -> float:
    """Return the figures that so many dice remove on average, `number` points each, `most` at most."""
    return float(mean_multiples(dice, number, most))


def success(helpers: int) -> float:
    """Return the chance that an action roll succeeds."""
    return float(specials.SUCCESS.best_of(helpers))
