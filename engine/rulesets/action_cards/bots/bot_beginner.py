"""Decisions of a beginner, who sees to a condition only where it is at hand."""

from __future__ import annotations

from typing import Final

from engine.rulesets.action_cards.bots.bot_plain import PlainLook
from engine.rulesets.action_cards.bots.bot_plans import Plan, plan_to

AT_HAND: Final = 0.25
"""A ground is at hand within this part of a Move."""


class BeginnerLook(PlainLook):
    """Decision of a beginner."""

    def errands(self) -> dict[str, Plan]:
        """Return plans for groups on wanted ground, which stay there, and for one group close to such ground, which
        goes in."""
        conditions = [
            (condition, condition.ground) for condition in self.table.conditions if condition.ground is not None
        ]
        country = self.table.country
        made = {
            group.id: plan_to(group, ground, condition.points)
            for condition, ground in conditions
            if condition.kind != "done"
            for group in self.table.mine
            if any(ground.holds(figure.at) for figure in group.figures)
        }
        near = [
            (min(country.way(figure.at, ground) for figure in group.figures), group.id, condition, ground)
            for condition, ground in conditions
            for group in self.table.mine
            if not condition.is_met and group.hull is None and group.id not in made
        ]
        if near:
            far, id, condition, ground = min(near, key=lambda one: one[:2])
            if far <= AT_HAND * self.table.own.move:
                made[id] = plan_to(self.table.groups[id], ground, condition.points)
        return made
