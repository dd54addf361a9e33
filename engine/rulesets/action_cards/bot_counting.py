"""A look that counts: how many actions are left and what each condition takes, so that groups are sent in time; what
kills do to everybody's conditions; what the tricks of a faction are worth.
"""

from __future__ import annotations

from engine.rulesets.action_cards.bot_course import Course
from engine.rulesets.action_cards.bot_errands import Pace, errands
from engine.rulesets.action_cards.bot_look import Look
from engine.rulesets.action_cards.bot_plans import Judge, Plan
from engine.rulesets.action_cards.bot_scales import Scales
from engine.rulesets.action_cards.bot_table import Act
from engine.rulesets.action_cards.bot_tricks import aimed_tricks, tricks


class CountingLook(Look):
    """One decision of a player who counts."""

    scales: type[Scales] = Scales
    pace = Pace()

    def opinion(self) -> tuple[dict[str, Plan], Judge]:
        """Errands in time, and what they make of places and shots."""
        course = Course(self.table)
        made = errands(self.table, course, self.pace)
        return made, self.scales(self.table, made, self.lines, course)

    async def extras(self) -> list[Act]:
        """The tricks of its faction."""
        assert isinstance(self.judge, Scales)
        return tricks(self, self.judge) + await aimed_tricks(self, self.judge)
