"""Decisions of a beginner, who looks at their own turn and after the groups in the thick of it.

They work where a condition asks for it, shoot at whoever is easiest to hit, go for wanted ground that is close, and
charge at clear odds. Cover, exposure and the time left do not count.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final, Self

from engine.rulesets.action_cards.bots.bot_ground import distance
from engine.rulesets.action_cards.bots.bot_look import WORTH_WHILE, Look, Shot
from engine.rulesets.action_cards.bots.bot_odds import expected_kills
from engine.rulesets.action_cards.bots.bot_plans import REACH, Plan, hunting_plan, plan_to
from engine.rulesets.action_cards.bots.bot_table import Act, SeenFigure, SeenGroup
from engine.rulesets.action_cards.bots.bot_vehicles import vehicle_acts
from engine.rulesets.action_cards.bots.bot_ways import Ways
from engine.space.vectors.points import Point, box_of, boxes_meet
from protocol.scene import fields as scene
from protocol.scene.nodes import Reply

STEP: Final = 800
"""Move of most groups, in hundredths of an inch."""
MARCH: Final = 4.0
"""Worth of a step nearer to a condition of one point, in hundredths of a force."""
ARRIVED: Final = 6.0
HUNT: Final = 2.0
"""Worth of a step nearer to an enemy."""
NEAR: Final = 600
"""Distance from an enemy at which a hunting group stops."""
GOOD_ENOUGH: Final = 4.0
"""With such an act at hand no move is looked for."""
SHOOTERS: Final = 3
MOVERS: Final = 3
"""Most groups tried until one finds a way."""
STRIDE: Final = 0.5
"""A way straight ahead is good if it is so much of what could be."""
LITTLE: Final = 50
"""A way round must lead nearer by more than that."""
ODDS: Final = 1.2
"""A charge must take so much more than it costs."""
AT_HAND: Final = 0.25
"""A ground is at hand within this part of a Move."""


class BeginnerLook(Look):
    """Decision of a beginner."""

    budget = 12
    work = 30.0

    def prepare(self, last: Self | None) -> None:
        """Plan for groups on wanted ground or close to it; the others hunt."""
        self.ways: Ways = last.ways if last is not None and last.ways.fit(self.table) else Ways(self.table)
        errands = self.errands()
        self.plans = {group.id: errands.get(group.id) or hunting_plan(self.table, group) for group in self.table.mine}

    def errands(self) -> dict[str, Plan]:
        """Return plans for groups on wanted ground, which stay there, and for one group close to such ground, which
        goes in."""
        conditions = [
            (condition, condition.ground) for condition in self.table.conditions if condition.ground is not None
        ]
        made = {
            group.id: plan_to(group, ground, condition.points)
            for condition, ground in conditions
            if condition.kind != "done"
            for group in self.table.mine
            if any(ground.holds(figure.at) for figure in group.figures)
        }
        near = [
            (self.table.way(group, ground), group.id, condition, ground)
            for condition, ground in conditions
            for group in self.table.mine
            if not condition.is_met and group.hull is None and group.id not in made
        ]
        if near:
            far, id, condition, ground = min(near, key=lambda one: one[:2])
            if far <= AT_HAND * self.table.own.move:
                made[id] = plan_to(self.table.groups[id], ground, condition.points)
        return made

    def prize(self, target: SeenGroup) -> float:
        """Return the worth of removing one figure: its part of its force."""
        return self.table.forces[target.owner].worth

    async def acts(self) -> list[Act]:
        """Return work, acts of vehicles, shots and charges; a move where none of these is good."""
        found = [*self.works(), *await vehicle_acts(self)]
        if not _is_good(found):
            found += await self._shoot()
            found += await self._assault(max([act.worth for act in found], default=0.0))
        if not _is_good(found):
            found += await self._march()
        return found

    async def _shoot(self) -> list[Act]:
        """Return shots, asked of the groups with most dice until one of them has a good shot."""
        found: list[Act] = []
        for group in self.shooters()[:SHOOTERS]:
            found += [self._shot(shot) for shot in await self.shots(group)]
            if _is_good(found):
                break
        return found

    def _shot(self, shot: Shot) -> Act:
        kills = expected_kills(shot.dice, shot.number, shot.target.count)
        reply = Reply("shoot", {"group": [shot.group.id], "target": [shot.target.id]})
        return Act(kills * self.prize(shot.target), reply)

    async def _assault(self, best: float) -> list[Act]:
        """Return the charge of the highest worth straight into an enemy, where that is above the best act so far."""
        reach = self.table.own.move + REACH
        promising = [
            (worth, group.id, other.id)
            for group in self.groups("move")
            for other in self.table.others
            if distance(group.at, other.at) <= reach and (worth := self._charge(group, other)) > max(best, WORTH_WHILE)
        ]
        if not promising:
            return []
        worth, id, target = max(promising)
        group, other = self.table.groups[id], self.table.groups[target]
        lead = group.nearest(other.at)
        to = self.ways.ahead(self.table, group, lead, other.nearest(lead.at).at)
        fields: dict[str, object] = {"group": [id], "lead": [lead.id], "to": list(to)}
        is_open = other.touches(to, lead.radius) and await self.detail("move", fields) is not None
        return [Act(worth, Reply("move", fields))] if is_open else []

    async def _march(self) -> list[Act]:
        """Return a move towards the goal of a group: first of the plan that weighs most and is nearest."""
        going = [plan for group in self.groups("move") if not (plan := self.plans[group.id]).stay]
        going.sort(key=lambda plan: (-plan.weight, distance(plan.group.at, plan.to), plan.group.id))
        for plan in going[:MOVERS]:
            act = await self._step(plan)
            if act is not None and act.worth >= WORTH_WHILE:
                return [act]
        return []

    async def _step(self, plan: Plan) -> Act | None:
        """Return a move straight ahead; where that does not lead far, to the best place in reach."""
        lead = plan.group.nearest(plan.to)
        start: dict[str, object] = {"group": [plan.group.id], "lead": [lead.id]}
        ahead = self.ways.ahead(self.table, plan.group, lead, plan.to)
        here = distance(lead.at, plan.to)
        worth = self._end(plan, here, ahead, lead.radius, self._near((ahead,)))
        is_far = distance(lead.at, ahead) >= STRIDE * min(self.table.own.move, here)
        if is_far and worth >= WORTH_WHILE and await self.detail("move", {**start, "to": list(ahead)}) is not None:
            return Act(worth, Reply("move", {**start, "to": list(ahead)}))
        field = await self.detail("move", start)
        if not isinstance(field, scene.PickPoint):
            return None
        ends = {corner for region in field.regions for corner in region}
        near = self._near(ends)
        worth, to = max(((self._end(plan, here, end, field.radius, near), end) for end in ends), default=(0.0, lead.at))
        if worth < WORTH_WHILE and ends:
            free = [end for end in ends if not any(other.touches(end, field.radius) for other in near)]
            worth, to = self._way_round(plan, lead, free)
        return Act(worth, Reply("move", {**start, "to": list(to)}))

    def _way_round(self, plan: Plan, lead: SeenFigure, ends: list[Point]) -> tuple[float, Point]:
        """Return the end from which the next move leads nearest, where no end is nearer now; worth 0 without one."""
        move = self.table.own.move
        limit = distance(lead.at, plan.to) - LITTLE
        found: tuple[int, Point] | None = None
        ahead = self.ways.ahead_from(self.table, plan.group, lead.radius, [lead.at, *ends])
        for at_best, end in sorted((distance(end, plan.to) - move, end) for end in ends):
            nearest = limit - 1 if found is None else found[0]
            if at_best > nearest:
                break
            after = ahead(end, plan.to, nearest)
            on = distance(after, plan.to) if after is not None else limit
            if on < limit and (found is None or (on, end) < found):
                found = on, end
        return (WORTH_WHILE, found[1]) if found is not None else (0.0, lead.at)

    def _near(self, ends: Collection[Point]) -> list[SeenGroup]:
        if not ends:
            return []
        box = box_of(tuple(ends))
        return [other for other in self.table.others if boxes_meet(other.near, box)]

    def _end(self, plan: Plan, here: int, end: Point, radius: int, near: Iterable[SeenGroup]) -> float:
        """Return the worth of ending a move there: the way made (`here`: the distance left now), or the fight with
        those `near` that it touches."""
        fights = [self._charge(plan.group, other) for other in near if other.touches(end, radius)]
        if fights:
            return sum(fights)
        there = distance(end, plan.to)
        if plan.ground is None:
            return HUNT * (max(NEAR, here) - max(NEAR, there)) / STEP
        return plan.weight * (ARRIVED if plan.ground.holds(end) else MARCH * (here - there) / STEP)

    def _charge(self, group: SeenGroup, other: SeenGroup) -> float:
        if other.hull is not None:
            return 0.0
        killed, lost = self.table.fight(group, other, other.cover)
        return killed * self.prize(other) - ODDS * lost * self.table.own.worth


def _is_good(found: list[Act]) -> bool:
    return any(act.worth >= GOOD_ENOUGH for act in found)
