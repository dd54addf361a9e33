"""Level 3: thinks ahead. Everything that level 2 finds is tried on an outline of the table, on which the row of cards is
then played: who shoots at whom before this player's next card, and what he could shoot at by then.
"""

from __future__ import annotations

from typing import Final

from engine.rulesets.action_cards.bot_counting import CountingLook, Level2
from engine.rulesets.action_cards.bot_scales import Scales
from engine.rulesets.action_cards.bot_sketch import Sketch, ahead, sketch
from engine.rulesets.action_cards.bot_table import Act

TRIED: Final = 24
TURNS: Final = 0


class ForesightLook(CountingLook):
    """One decision of a player who thinks ahead."""

    good_enough = 1000.0
    optimism = -20.0
    movers = 4
    ends = 4
    budget = 20

    async def acts(self) -> list[Act]:
        """What level 2 finds, each worth what comes of it, less what comes of ending the card."""
        found = await super().acts()
        assert isinstance(self.judge, Scales)
        now = sketch(self.judge)
        idle = ahead(now.copy(), 0, TURNS)
        likely = sorted(found, key=lambda act: -act.worth)[:TRIED]
        return [Act(self._tried(now.copy(), act) - idle, act.reply) for act in likely]

    def _tried(self, outline: Sketch, act: Act) -> float:
        """What an act brings: where it leads, and what comes of it on the outline."""
        worth = act.worth
        if act.to is not None:
            outline.moved(act.group, act.to)
            worth = act.worth_there
        elif act.target:
            outline.hit(act.target, act.kills)
            worth = 0.0
        return worth + ahead(outline, self.table.row.left - act.actions, TURNS)


class Level3(Level2):
    """A player who sees what comes."""

    look = ForesightLook
