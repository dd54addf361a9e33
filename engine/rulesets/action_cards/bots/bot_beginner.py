"""Decisions of a beginner, who sees to a condition only where it is at hand."""

from __future__ import annotations

from typing import Final

from engine.rulesets.action_cards.bots.bot_plain import PlainLook
from engine.rulesets.action_cards.bots.bot_plans import Plan, sent

AT_HAND: Final = 0.25
"""A ground is at hand within this part of a Move."""


class BeginnerLook(PlainLook):
    """Decision of a beginner."""

    def errands(self) -> dict[str, Plan]:
        """Return plans for groups on wanted ground, which stay there, and for one group close to such ground, which
        goes in."""
        aims = [(aim, aim.ground) for aim in self.table.aims if aim.ground is not None]
        country = self.table.country
        made = {
            band.id: sent(band, ground, aim.points)
            for aim, ground in aims
            if aim.kind != "done"
            for band in self.table.mine
            if any(ground.holds(body.at) for body in band.bodies)
        }
        near = [
            (min(country.way(body.at, ground) for body in band.bodies), band.id, aim, ground)
            for aim, ground in aims
            for band in self.table.mine
            if not aim.is_met and band.hull is None and band.id not in made
        ]
        if near:
            far, id, aim, ground = min(near, key=lambda one: one[:2])
            if far <= AT_HAND * self.table.own.move:
                made[id] = sent(self.table.bands[id], ground, aim.points)
        return made
