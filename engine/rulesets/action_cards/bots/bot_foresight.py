"""A look that thinks ahead. Every act found is tried on an outline of the table, on which the row of cards is then
played: who shoots at whom before this player's next card, and what he could shoot at by then.

Its budget is counted in work: so many details asked, so many acts tried, the likeliest first, so that a seed repeats a
simulated match whatever the machine. Where somebody waits, the view says when an answer is due: it is asked between
acts, each of which takes about a millisecond, and the best act found so far is played.
"""

from __future__ import annotations

from typing import Final

from engine.rulesets.action_cards.bots.bot_counting import CountingLook
from engine.rulesets.action_cards.bots.bot_sketch import Sketch, ahead, sketch
from engine.rulesets.action_cards.bots.bot_table import Act

CAUTION: Final = 1.0
"""What the outline does not show, charges and who may come into sight, is feared as at a glance, by so much."""
MOST_TRIED: Final = 24
"""Acts, the likeliest first."""


class ForesightLook(CountingLook):
    """One decision of a player who thinks ahead."""

    async def acts(self) -> list[Act]:
        """What is found at a glance, each worth what comes of it, less what comes of ending the card."""
        found = await super().acts()
        now = sketch(self.judge)
        idle = ahead(now.copy(), 0)
        tried: list[Act] = []
        for act in sorted(found, key=lambda act: -act.worth)[:MOST_TRIED]:
            if tried and self.view.is_due():
                break
            tried.append(Act(self._tried(now.copy(), act) - idle, act.reply))
        return tried

    def _tried(self, outline: Sketch, act: Act) -> float:
        """What an act brings: where it leads, and what comes of it on the outline."""
        worth = act.worth
        if act.to is not None:
            outline.moved(act.group, act.to)
            worth = act.worth_there + CAUTION * (act.worth - act.worth_there)
        elif act.target:
            outline.hit(act.target, act.kills)
            worth = 0.0
        return worth + ahead(outline, self.table.row.left - act.actions)
