"""Decisions by counting: actions left against the cost of each condition, effects of kills on everybody's conditions,
worth of special actions, and worth and safety of places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Self

from engine.rulesets.action_cards.bots.bot_errands import errands
from engine.rulesets.action_cards.bots.bot_forecast import ActionForecast
from engine.rulesets.action_cards.bots.bot_ground import distance
from engine.rulesets.action_cards.bots.bot_look import WORTH_WHILE, Look, Shot
from engine.rulesets.action_cards.bots.bot_odds import expected_kills
from engine.rulesets.action_cards.bots.bot_plans import REACH, Plan
from engine.rulesets.action_cards.bots.bot_scales import Scales
from engine.rulesets.action_cards.bots.bot_sight import Lines
from engine.rulesets.action_cards.bots.bot_sketch import Sketch, ahead, sketch
from engine.rulesets.action_cards.bots.bot_table import Act, SeenGroup
from engine.rulesets.action_cards.bots.bot_tricks import aimed_tricks, shelters, tricks
from engine.rulesets.action_cards.bots.bot_vehicles import vehicle_acts
from engine.space.vectors.outlines import contains
from engine.space.vectors.points import Point, box_of, boxes_meet, in_box, towards, widened
from protocol.scene import fields as scene
from protocol.scene.nodes import Reply

MOST_SHOOTERS: Final = 6
MOST_MOVERS: Final = 4
MOST_ENDS: Final = 6
"""Ends of a group's move whose safety is weighed."""
BEST_ENDS: Final = 4
"""Of these so many are kept."""
TRUST: Final = 20.0
"""A move is tried even where its promise falls short of the best act by so much: part of its worth shows only then."""
BOLD: Final = 3.0
"""A charge must promise so much more than it costs."""
SPECIAL: Final = "special/"
FRESH: Final = 1.0
"""Worth of bringing a group into the match, for each action that is left: one that comes late comes to little."""
_ALL_AROUND: Final = ((1, 0), (0, 1), (-1, 0), (0, -1))
AT_ONCE: Final = 1.5
"""A shot counts so much more than on the outline: what it removes is sure, what the outline shows may not come."""
MOST_TRIED: Final = 24
"""Acts, the likeliest first."""


class CountingLook(Look):
    """Decision of a counting bot, which thinks of its own acts and not of what others will do."""

    budget = 20
    work = 60.0
    way = 3.0

    def prepare(self, last: Self | None) -> None:
        """Plan by the actions that are left, and set the scales by it."""
        same = last is not None and last.lines.features == self.table.features
        self.lines: Lines = last.lines if last is not None and same else Lines(self.table.size, self.table.features)
        forecast = ActionForecast(self.table)
        self.fresh = FRESH * forecast.of(self.table.seat)
        self.plans = errands(self.table, forecast)
        self.scales = Scales(self.table, self.plans, self.lines, forecast)

    def prize(self, target: SeenGroup) -> float:
        """Return the worth of removing one figure of a group."""
        return self.scales.prize(target)

    async def acts(self) -> list[Act]:
        """Return every act worth considering, with its immediate worth."""
        shots = [shot for group in self.shooters()[:MOST_SHOOTERS] for shot in await self.shots(group)]
        found = [self._shoot(shot) for shot in shots]
        found += self._linked(shots)
        found += self.works()
        found += await vehicle_acts(self)
        found += tricks(self, self.scales) + await aimed_tricks(self, self.scales)
        best = max([act.worth for act in found], default=0.0)
        for promise, plan in self._movers():
            # with nothing else worth doing, even a move of little promise is tried
            if promise > (best - TRUST if best > WORTH_WHILE else WORTH_WHILE):
                moves = await self._moves(plan)
                found += moves
                best = max([best, *[act.worth for act in moves]])
        return found + await self._burrows()

    def safety(self, group: SeenGroup, place: Point) -> float:
        """Return the likely cost of what others do to a group at a place, as a negative number."""
        return 0.0

    # Shooting

    def _shoot(self, shot: Shot) -> Act:
        worth = self.scales.shot(shot.target, shot.dice, shot.number)
        if shot.inside and "locked" not in shot.group.status:
            worth *= 0.5  # from outside only the even dice count
        reply = Reply("shoot", {"group": [shot.group.id], "target": [shot.target.id]})
        kills = expected_kills(shot.dice, shot.number, shot.target.count)
        return Act(worth, reply, shot.group.id, target=shot.target.id, kills=kills)

    def _linked(self, shots: list[Shot]) -> Iterator[Act]:
        """Yield linked fire of one group, two or three shots added up: better than single shots at hard targets."""
        if "linked" not in self.choices:
            return
        for shot in shots:
            for times in range(2, min(self.table.row.left, 3) + 1):
                worth = self.scales.shot(shot.target, times * shot.dice, shot.number) / times
                fields: dict[str, object] = {"first": [shot.group.id], "second": [shot.group.id]}
                if times > 2:
                    fields["third"] = [shot.group.id]
                if ("linked", shot.group.id) not in self.refused and not shot.inside:
                    kills = expected_kills(times * shot.dice, shot.number, shot.target.count)
                    reply = Reply("linked", {**fields, "target": [shot.target.id]})
                    yield Act(worth, reply, shot.group.id, target=shot.target.id, kills=kills, actions=times)

    # Moving

    async def _burrows(self) -> list[Act]:
        """Return travels under or over the ground of the group that has farthest to go."""
        found: list[Act] = []
        for id, choice in self.choices.items():
            groups = sorted(self.groups(id), key=lambda group: (-distance(group.at, self.plans[group.id].to), group.id))
            if id.startswith(SPECIAL) and groups and any(field.key == "to" for field in choice.fields):
                start: dict[str, object] = {"group": [groups[0].id]}
                found += self._go(id, self.plans[groups[0].id], start, await self.detail(id, start))
        return found

    def _movers(self) -> list[tuple[float, Plan]]:
        movable = [self.plans[group.id] for group in self.groups("move")]
        promising = sorted(
            [(-self.promise(plan) - self.fresh * self.is_idle(plan.group.id), plan.group.id) for plan in movable]
        )
        return [(-promise, self.plans[id]) for promise, id in promising[:MOST_MOVERS]]

    def promise(self, plan: Plan) -> float:
        """Estimate the worth of a group's move before asking for its region: to a few places, as if nothing stood in
        the way."""
        group, move = plan.group, self.table.own.move
        lead = group.nearest(plan.to)
        ends = [(lead.at[0] + x * move, lead.at[1] + y * move) for x, y in _ALL_AROUND]
        ends.append(towards(lead.at, plan.to, move))
        on_table = [end for end in ends if self._is_on_table(end, lead.radius)]
        worth = max([self.scales.place(plan, end) for end in on_table], default=0.0)
        for other in self.table.others:
            if in_box(lead.at, widened(other.near, move)):
                figure = other.nearest(lead.at)
                if distance(figure.at, lead.at) <= move + REACH:
                    worth = max(worth, self._end(plan, figure.at, lead.radius, [other]))
        return worth - self.scales.place(plan, group.at)

    def _is_on_table(self, place: Point, radius: int) -> bool:
        width, height = self.table.size
        return radius <= place[0] <= width - radius and radius <= place[1] <= height - radius

    async def _moves(self, plan: Plan) -> list[Act]:
        start: dict[str, object] = {"group": [plan.group.id], "lead": [plan.group.nearest(plan.to).id]}
        return self._go("move", plan, start, await self.detail("move", start))

    def _go(self, choice: str, plan: Plan, start: dict[str, object], field: scene.AnyField | None) -> list[Act]:
        if not isinstance(field, scene.PickPoint):
            return []
        ends = {corner for region in field.regions for corner in region}
        is_open = choice == "move" or not any(
            ground.is_terrain for ground in self.table.country.holding(plan.to).values()
        )
        if is_open and any(contains(plan.to, region) for region in field.regions):
            ends.add(plan.to)  # a burrowing group comes up on open ground only
        if not ends:
            return []
        box = box_of(tuple(ends))
        others = [other for other in self.table.others if boxes_meet(other.near, box)]
        hopeful = sorted(((self._end(plan, end, field.radius, others), end) for end in ends), reverse=True)[:MOST_ENDS]
        weighed = sorted(((hope + self.safety(plan.group, end), end, hope) for hope, end in hopeful), reverse=True)
        place = self.scales.place(plan, plan.group.at)
        here = place + self.safety(plan.group, plan.group.at)
        return [
            Act(worth - here, Reply(choice, {**start, "to": list(to)}), plan.group.id, to, hope - place)
            for worth, to, hope in weighed[:BEST_ENDS]
        ]

    def _end(self, plan: Plan, end: Point, radius: int, others: list[SeenGroup]) -> float:
        """Return the worth of ending a move there: of the place, and of the fight with any of `others` that it
        touches."""
        touched = [other for other in others if other.touches(end, radius)]
        if not touched:
            return self.scales.place(plan, end)
        return self.scales.place(plan, end) + sum(self._charge(plan.group, other) for other in touched) - BOLD

    def _charge(self, group: SeenGroup, other: SeenGroup) -> float:
        killed, lost = self.table.fight(group, other, other.cover)
        return killed * self.scales.prize(other) - lost * self.table.own.worth


class ForesightLook(CountingLook):
    """Decision of a bot that looks ahead: it tries each act on an outline of the table, and plays out there, in shots,
    the row of cards until this player's next card.

    Its budget is counted in work (details asked, acts tried), so that a seed repeats a simulated match whatever the
    machine. Where somebody waits, the view says when an answer is due: it is asked between acts, and the best act found
    so far is played.
    """

    def safety(self, group: SeenGroup, place: Point) -> float:
        """Return the likely cost of shots and charges at a group at a place, as a negative number."""
        return self.scales.safety(group, place)

    async def acts(self) -> list[Act]:
        """Return the likeliest acts, each worth its outcome on the outline less that of ending the card."""
        found = await super().acts() + shelters(self, self.scales)
        now = sketch(self.scales)
        idle = ahead(now.copy(), 0)
        tried: list[Act] = []
        for act in sorted(found, key=lambda act: -act.worth - self.eagerness(act.reply))[:MOST_TRIED]:
            if tried and self.view.is_due():
                break
            tried.append(Act(self._tried(now.copy(), act) - idle, act.reply))
        return tried

    def _tried(self, outline: Sketch, act: Act) -> float:
        """Return the worth of an act: that of its end, and its outcome on the outline."""
        worth = act.worth
        if act.to is not None:
            outline.moved(act.group, act.to)
            worth = act.worth_there
        elif act.target:
            outline.hit(act.target, act.kills)
            worth *= AT_ONCE
        return worth + ahead(outline, self.table.row.left - act.actions)
