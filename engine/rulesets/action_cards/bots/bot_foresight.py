"""Decisions by looking ahead: every act found is tried on an outline of the table, on which the row of cards is then
played out in shots until this player's next card.

Its budget is counted in work (details asked, acts tried, the likeliest first), so that a seed repeats a simulated match
whatever the machine. Where somebody waits, the view says when an answer is due: it is asked between acts, each of which
takes about a millisecond, and the best act found so far is played.
"""

from __future__ import annotations

from typing import Final

from engine.rulesets.action_cards.bots.bot_counting import CountingLook
from engine.rulesets.action_cards.bots.bot_sketch import Sketch, ahead, sketch
from engine.rulesets.action_cards.bots.bot_table import Act

CAUTION: Final = 1.0
"""Weight of what the outline does not show: charges, and enemies that may come into sight."""
MOST_TRIED: Final = 24
"""Acts, the likeliest first."""


class ForesightLook(CountingLook):
    """Decision of a bot that looks ahead."""

    async def acts(self) -> list[Act]:
        """Return the likeliest acts, each worth its outcome on the outline less that of ending the card."""
        found = await super().acts()
        now = sketch(self.scales)
        idle = ahead(now.copy(), 0)
        tried: list[Act] = []
        for act in sorted(found, key=lambda act: -act.worth)[:MOST_TRIED]:
            if tried and self.view.is_due():
                break
            tried.append(Act(self._tried(now.copy(), act) - idle, act.reply))
        return tried

    def _tried(self, outline: Sketch, act: Act) -> float:
        """Return the worth of an act: that of its end, and its outcome on the outline."""
        worth = act.worth
        if act.to is not None:
            outline.moved(act.group, act.to)
            worth = act.worth_there + CAUTION * (act.worth - act.worth_there)
        elif act.target:
            outline.hit(act.target, act.kills)
            worth = 0.0
        return worth + ahead(outline, self.table.row.left - act.actions)
