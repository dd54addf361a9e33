"""Levels 2 and 3: players who count and think ahead. They differ in how much they look at, and in whom they hurt.

They look at their scene and prompt only.
"""

from __future__ import annotations

from engine.rulesets.action_cards.bot import Level1
from engine.rulesets.action_cards.bot_foresight import ForesightLook


class DeepLook(ForesightLook):
    """Level 3 looks at more groups and places, and tries more of what it finds."""

    movers = 4
    ends = 4
    budget = 20
    tried = 24


class Level2(Level1):
    """A player who knows what he came for, and sees the next shots coming."""

    look = ForesightLook


class Level3(Level2):
    """The best: weighs more, and who is winning."""

    look = DeepLook
