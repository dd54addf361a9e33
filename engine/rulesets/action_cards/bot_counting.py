"""Level 2: counts. It knows how many actions are left and what each condition takes, sends its groups in time, weighs
kills by what they do to everybody's conditions, places by what may be shot at from there, and uses its tricks.

It looks at its scene and prompt only, and asks for no more details than level 1.
"""

from __future__ import annotations

from typing import Final

from engine.rulesets.action_cards.bot import Level1
from engine.rulesets.action_cards.bot_course import Course
from engine.rulesets.action_cards.bot_errands import errands
from engine.rulesets.action_cards.bot_look import GOOD_ENOUGH, Look
from engine.rulesets.action_cards.bot_plans import Judge, Plan
from engine.rulesets.action_cards.bot_scales import Scales
from engine.rulesets.action_cards.bot_table import Act
from engine.rulesets.action_cards.bot_tricks import aimed_tricks, tricks

PRESSED: Final = 1.5
AT_LAST: Final = 60.0
"""When it is high time to be somewhere, no shot is so good that moves are not thought of."""
HIDING: Final = 0.0
"""So much of what a group has to fear where it stands is mostly gained by a move."""


class CountingLook(Look):
    """One decision of a player who counts."""

    optimism = 6.0

    def opinion(self) -> tuple[dict[str, Plan], Judge]:
        """Errands in time, and what they make of places and shots."""
        course = Course(self.table)
        made = errands(self.table, course)
        pressed = any(plan.weight > PRESSED for plan in made.values())
        self.good_enough = AT_LAST if pressed else GOOD_ENOUGH
        return made, Scales(self.table, made, self.lines, course)

    async def extras(self) -> list[Act]:
        """The tricks of its faction."""
        assert isinstance(self.judge, Scales)
        return tricks(self, self.judge) + await aimed_tricks(self, self.judge)

    def promise(self, plan: Plan) -> float:
        """Who stands in somebody's sight may gain by leaving it."""
        return super().promise(plan) - HIDING * self.judge.safety(plan.band, plan.band.at)


class Level2(Level1):
    """A player who knows what he came for."""

    look = CountingLook
