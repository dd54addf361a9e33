"""Level 3: a bot that counts, looks ahead, and minds who is winning. It sees its scene and prompt only."""

from __future__ import annotations

from engine.core.bots.bot import BotView
from engine.rulesets.action_cards.bots.bot import Player
from engine.rulesets.action_cards.bots.bot_foresight import ForesightLook
from engine.rulesets.action_cards.bots.bot_look import Look
from engine.rulesets.action_cards.bots.bot_sight import Lines
from engine.rulesets.action_cards.bots.bot_table import Reading


class Level3(Player):
    """Strongest level: counts, looks ahead over the next shots, and weighs who is winning."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._last: Reading | None = None
        self._lines: Lines | None = None

    def at(self, view: BotView) -> Look:
        """Return the analysis of a view, reusing lines of sight and readings of nodes while terrain and nodes stay."""
        look = ForesightLook(view, self._refused, self._last, self._lines)
        self._last, self._lines = look.table, look.lines
        return look
