"""Chances of dice as a bot weighs them, from the rules' own pools."""

from __future__ import annotations

from engine.kit.pools import mean_multiples as expected_kills
from engine.rulesets.action_cards.rules.special_actions import specials

__all__ = ["expected_kills", "success"]


def success(helpers: int) -> float:
    """Return the chance that an action roll succeeds."""
    return float(specials.SUCCESS.best_of(helpers))
