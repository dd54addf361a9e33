"""How a beginner looks at a table: he fights whom he meets, and what he came for he sees to only where he stands."""

from __future__ import annotations

from engine.rulesets.action_cards.bot_plain import PlainLook
from engine.rulesets.action_cards.bot_plans import Plan, sent


class BeginnerLook(PlainLook):
    """One decision of a beginner."""

    def errands(self) -> dict[str, Plan]:
        """Who has come upon ground that is wanted stays there; nobody is sent anywhere."""
        grounds = [(aim.ground, aim.points) for aim in self.table.aims if aim.ground is not None and aim.kind != "done"]
        plans = [sent(band, ground, points) for ground, points in grounds for band in self.table.mine]
        return {plan.band.id: plan for plan in plans if plan.stay}
