"""Valuation of places and shots by a counting bot, in hundredths of a force; a victory point is worth many."""

from __future__ import annotations

from typing import Final

from engine.rulesets.action_cards.bots.bot_forecast import ActionForecast
from engine.rulesets.action_cards.bots.bot_ground import distance
from engine.rulesets.action_cards.bots.bot_odds import expected_kills
from engine.rulesets.action_cards.bots.bot_plans import REACH, Plan
from engine.rulesets.action_cards.bots.bot_sight import Lines
from engine.rulesets.action_cards.bots.bot_table import Reading, SeenGroup
from engine.space.vectors.points import Point, in_box, widened

POINT: Final = 36.0
"""A victory point, in hundredths of a force: all that counts in the end."""
PACE: Final = 9.0
"""Worth of one Move nearer to a condition of one point."""
ARRIVAL: Final = 5.0
DEPTH: Final = 2.0
"""Worth of one Move nearer to the middle, to a group in the ground that it was sent to."""
LEAVING: Final = 25.0
HUNT: Final = 1.5
IN_RANGE: Final = 1200
COVERED: Final = {"open": 0.0, "cover": 2.0, "building": 5.0}
ENMITY: Final = 1.4
"""A figure that falls shoots no more: it is worth more than what it is to its owner."""
FEAR: Final = 0.35
SHARE: Final = 0.4
"""Of all the shots that could be aimed at a group, so many are."""
AIMED: Final = 1.0
LATER: Final = 0.7
"""A shot that cannot come before one's next card is feared so much of one that can."""
KILLS: Final = 0.9
"""Figures that an action removes, roughly: a count that cannot be reached in time is worth little."""
SPOILING: Final = 0.6
SPARED: Final = 0.5
MARGIN: Final = 6
"""Figures above what a condition asks to keep, at which one begins to mind."""
GRUDGE: Final = 0.1
"""A rival is worth hurting so much more for every public point that they are ahead of this player."""
MOST_GRUDGE: Final = 0.3


class Scales:
    """Valuation of kills by their effect on everybody's conditions, and of places by the shots and charges that may
    come."""

    def __init__(self, table: Reading, plans: dict[str, Plan], lines: Lines, forecast: ActionForecast) -> None:
        self.table = table
        self.plans = plans
        self.lines = lines
        self.forecast = forecast
        self.wanted = [condition.ground for condition in table.conditions if condition.ground is not None]
        rivals = max(1, len(table.scores) - 1)
        self.spite = SPOILING / rivals
        self.own_worth = table.own.worth + self._survivor_worth(table.seat)
        self._prizes = {owner: self._prize_of(owner) for owner in table.forces}

    def prize(self, target: SeenGroup) -> float:
        """Return the worth of removing one figure of a group."""
        worth = self._prizes[target.owner]
        if any(ground.holds(target.at) for ground in self.wanted):
            worth *= 1.5
        return worth * ENMITY * self.grudge(target.owner)

    def grudge(self, owner: int) -> float:
        """Return the factor by which hurting a seat counts more for each point that it is ahead."""
        if len(self.table.scores) < 3:
            return 1.0  # with one rival there is nobody else to hurt
        ahead = self.table.scores.get(owner, 0) - self.table.scores.get(self.table.seat, 0)
        return 1.0 + max(0.0, min(MOST_GRUDGE, GRUDGE * ahead))

    def spared(self, owner: int) -> float:
        """Return the worth of a figure that falls to another player."""
        return SPARED * (self.table.forces[owner].worth + self._survivor_worth(owner)) * self.spite

    def _prize_of(self, owner: int) -> float:
        worth = self.table.forces[owner].worth + self.spite * self._survivor_worth(owner)
        left = self.forecast.of(self.table.seat)
        for condition in self.table.conditions:
            if condition.kind in ("destroy", "outlive") and not condition.is_met and condition.rival in (-1, owner):
                wanted = condition.goal - condition.progress
                if condition.kind == "outlive":
                    wanted = sum(group.count for group in self.table.others if group.owner == owner)
                worth += POINT * condition.points / max(1, wanted) * min(1.0, KILLS * left / max(1, wanted))
        return worth

    def _survivor_worth(self, seat: int) -> float:
        """Return the worth of a figure of a seat towards its conditions on survivors."""
        worth = 0.0
        for condition in self.table.conditions_of.get(seat, []):
            spare = condition.progress - condition.goal
            if condition.kind == "survive" and 0 <= spare <= MARGIN:
                worth += POINT * condition.points / (spare + 2)
        return worth

    def shot(self, target: SeenGroup, dice: int, number: int) -> float:
        """Return the worth of a shot, with a little more for wiping a group out: a group is an action."""
        kills = expected_kills(dice, number, target.count)
        return kills * self.prize(target) + (2.0 if kills > target.count - 0.5 else 0.0)

    def place(self, plan: Plan, place: Point) -> float:
        """Return the worth of having a plan's group at a place."""
        move = max(1, self.table.own.move)
        value = COVERED[self.lines.cover_at(place)]
        if plan.ground is None:
            return value - HUNT * max(0, distance(place, plan.to) - IN_RANGE) / move
        if plan.ground.holds(place):
            return value + ARRIVAL * plan.weight - DEPTH * distance(place, plan.ground.middle) / move
        value -= PACE * plan.weight * (self.table.country.way(place, plan.ground) / move + 0.2)
        return value - (LEAVING * max(1.0, plan.weight) if plan.stay else 0.0)

    def safety(self, group: SeenGroup, place: Point) -> float:
        """Return the likely cost of shots and charges at the group there, as a negative number."""
        return -self.exposure(group, place) - FEAR * self.danger(group, place)

    def exposure(self, group: SeenGroup, place: Point, cover: str = "") -> float:
        """Return the likely cost of fire at a group there before this player acts again; `cover`: as if it were in
        that."""
        number = self.table.own.kill[cover or self._cover(group, place)]
        worst, total = 0.0, 0.0
        for other in self.table.others:
            if "locked" not in other.status and other.dice:
                soon = LATER + (1.0 - LATER) * min(1.0, self.forecast.before.get(other.owner, 0.0))
                lost = soon * expected_kills(other.dice, number, group.count)
                if lost and self.lines.clear(other.at, place):
                    worst, total = max(worst, lost), total + lost
        return AIMED * min(worst, SHARE * total) * self.own_worth

    def danger(self, group: SeenGroup, place: Point) -> float:
        """Return the cost of the worst charge at a group there, less the attacker's."""
        worst = 0.0
        cover = self.lines.cover_at(place)
        for other in self.table.others:
            reach = self.table.forces[other.owner].move + REACH
            if "locked" in other.status or not in_box(place, widened(other.near, reach)):
                continue
            if distance(other.nearest(place).at, place) <= reach:
                worst = max(worst, self.fight(other, group, cover))
        return worst

    def fight(self, attacker: SeenGroup, defender: SeenGroup, cover: str) -> float:
        """Return the worth of a close combat to the attacker: the defender's losses less theirs, in hundredths of a
        force."""
        killed, lost = self.table.fight(attacker, defender, cover)
        forces = self.table.forces
        return killed * forces[defender.owner].worth - lost * forces[attacker.owner].worth

    def _cover(self, group: SeenGroup, place: Point) -> str:
        """Return the cover of a group at a place; a dug-in group has cover until it moves."""
        found = self.lines.cover_at(place)
        return "cover" if found == "open" and place == group.at and "dug_in" in group.status else found

    def menace(self, other: SeenGroup) -> float:
        """Return the likely cost of a group's best shot at this player on its next card."""
        if not other.dice or "locked" in other.status:
            return 0.0
        kill = self.table.own.kill
        return max(
            (
                expected_kills(other.dice, kill[group.cover], group.count) * self.own_worth
                for group in self.table.mine
                if group.hull is None and self.lines.clear(other.at, group.at)
            ),
            default=0.0,
        )
