"""Bot of level 2: it weighs what a unit can do from each place that it may go to against what the enemy does to it
there, spreads out, keeps watch, and charges by its odds."""

from __future__ import annotations

from math import dist
from typing import ClassVar, Final

from engine.core.bots.bot import BotView
from engine.kit.bots.chooser import Idea
from engine.kit.bots.look import offers, options_of
from engine.rulesets.apocalypse_earth.bots import ambush, explosives, odds, powers, riding
from engine.rulesets.apocalypse_earth.bots.bot import LEAST, Level1, goes, move, reach
from engine.rulesets.apocalypse_earth.bots.look import Look, Seen
from engine.space.vectors.points import Point, towards
from protocol.ids import NodeId
from protocol.scene.fields import Assign, Order, Pieces, Template
from protocol.scene.nodes import Choice, Reply

HELD: Final = 600
"""So near to an objective a unit holds it."""
PRIZE: Final = 10.0
"""Worth of standing at an objective, in points, in a decision."""
PULL: Final = 0.004
"""Worth of each hundredth of a centimetre nearer to an objective, in points."""
HIDES: Final = 0.2
"""Share of the enemy's expected fire for which a vehicle gives up its own and hides in smoke."""
PATIENCE: Final = 0.8
"""Share of a unit's best shot for which it gives up its own action to a reaction."""
TURNING: Final = 300
"""Movement that a turn costs a vehicle."""
STAGES: Final = 3
"""Places on each way that a vehicle might drive."""
CALLS: Final = 20.0
"""Worth of a call of fire support, in points."""
GUN: Final = 10.0
"""Worth of a gun that is taken over, in points."""
CLEAR: Final = 1800
"""Distance that friends have from where it is to fall."""
SMOKE: Final = "FS-10"
"""The smoke mission, which a bot has no use for."""
BEFORE_MOVES: Final = ("charge", "lob")
"""Choices that a unit gives up by moving: nobody charges after it, and a mortar is served on the spot."""
HOLD: Final = "hold"
LINE: Final = "line"
WATCH: Final = "ae.ask.overwatch"


class Level2(Level1):
    """Bot of a player who weighs places. `every`: of the places at the rim of a unit's reach it thinks of each such
    one; `fear`: the share of the enemy's expected fire that a place costs."""

    every: ClassVar[int] = 3
    fear: ClassVar[float] = 0.2

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.aimed: list[str] = []
        """The figures that have aimed at something and not fired yet."""

    async def decide(self, view: BotView) -> Reply:
        """Return the reply of the greatest worth."""
        reply = await super().decide(view)
        figure = explosives.aiming(reply)
        self.aimed = [*self.aimed, figure] if figure else []
        return reply

    def refused(self, reply: Reply, code: str) -> None:
        """Remember a refused reply: who was to aim by it has not aimed."""
        super().refused(reply, code)
        if explosives.aiming(reply):
            self.aimed.pop()

    async def acts(self, view: BotView, look: Look, choices: dict[str, Choice], unit: Seen) -> list[Idea]:
        """Return what a unit might do: fire and end where it stands, or go where it does better."""
        found = await super().acts(view, look, choices, unit)
        fire = max((idea.worth for idea in found if idea.reply.choice == "fire"), default=0.0)
        found += await explosives.lobbed(view, look, choices, unit, self.aimed, fire)
        found += beside(await explosives.placed(view, look, choices, unit, self.aimed), fire)
        found += await self.calls(view, look, choices, unit)
        found += self.tricks(look, choices, unit)
        best = max(idea.worth for idea in found)
        tried = beside(await powers.ideas(view, look, choices, unit, LEAST), best)
        if not goes(choices, unit):
            return found + tried
        found = [idea for idea in found if idea.reply.choice not in ("move", "drive")]
        best = max(idea.worth for idea in found if idea.reply.choice not in BEFORE_MOVES)
        here = self.place(look, unit, unit.lead)
        for spot in await self.spots(view, look, unit):
            more = self.place(look, unit, spot) - here
            if more > LEAST:
                found.append(Idea(best + more, move(unit, spot)))
        return found + tried + await riding.boards(view, look, choices, unit, PULL)

    def tricks(self, look: Look, choices: dict[str, Choice], unit: Seen) -> list[Idea]:
        """Return what a unit does with what it carries, once it has moved: blow itself up, hide in smoke, take up a
        radio set while its side has cards, take over a gun."""
        found: list[Idea] = []
        if unit.id in options_of(choices.get("detonate")):
            found.append(Idea(explosives.bomb(look, unit, unit.lead), Reply("detonate", {"unit": [unit.id]})))
        if goes(choices, unit):
            return found
        if unit.id in options_of(choices.get("lay_smoke")):
            danger = sum(odds.threat(look, enemy, unit) for enemy in look.enemies)
            found.append(Idea(HIDES * danger, Reply("lay_smoke", {"unit": [unit.id]})))
        if unit.id in options_of(choices.get("take_set")) and NodeId(f"pile/support.{unit.owner}") in look.nodes:
            found.append(Idea(CALLS, Reply("take_set", {"unit": [unit.id]})))
        if unit.id in options_of(choices.get("take_gun")):
            found.append(Idea(GUN, Reply("take_gun", {"unit": [unit.id]})))
        return found

    async def calls(self, view: BotView, look: Look, choices: dict[str, Choice], unit: Seen) -> list[Idea]:
        """Return a call of fire support on the nearest enemy in sight, well away from friends."""
        if unit.id not in options_of(choices.get("call")):
            return []
        for card in [one.id for one in await offers(view, "call", {"unit": [unit.id]}) if one.id != SMOKE]:
            spot = await view.detail("call", {"unit": [unit.id], "card": card})
            at = spot.default if isinstance(spot, Template) else None
            if at is not None and not any(dist(at, place) < CLEAR for one in look.friends for place in one.places):
                return [Idea(CALLS, Reply("call", {"unit": [unit.id], "card": card, "at": list(at)}))]
        return []

    async def spots(self, view: BotView, look: Look, unit: Seen) -> list[Point]:
        """Return places that a unit might go to: at the rim of its reach, half-way there, in cover, at objectives."""
        rim = await reach(view, unit)
        if not rim:
            return []
        if unit.card.drives:
            long = [(spot, int(dist(unit.lead, spot)) - TURNING) for spot in rim]
            far = [(spot, most * n // STAGES) for spot, most in long for n in range(1, STAGES + 1) if most > 0]
            ways = [towards(unit.lead, spot, away) for spot, away in far]
            return [spot for spot in dict.fromkeys(ways) if look.is_lane(unit, spot)]
        found = rim[:: self.every]
        found += [towards(unit.lead, spot, unit.card.move // 2) for spot in rim[:: 2 * self.every]]
        found += look.covers(rim, unit.lead, unit.card.move)[:4]
        for goal in [zone.at for zone in look.objectives if zone.at is not None] + look.goals:
            if dist(goal, unit.lead) > HELD:
                found.append(min(rim, key=lambda spot: dist(spot, goal)))
                near = towards(goal, unit.lead, HELD // 2)
                found += [near] if dist(near, unit.lead) < unit.card.move else []
        return list(dict.fromkeys(found))

    def place(self, look: Look, unit: Seen, spot: Point) -> float:
        """Return what a place is worth to a unit: its best shot from there, and the ground."""
        shot = max(odds.best_shot(look, unit, spot), explosives.bomb(look, unit, spot))
        return shot + self.ground(look, unit, spot)

    def ground(self, look: Look, unit: Seen, spot: Point) -> float:
        """Return what it is worth for a unit to stand at a place: objectives, less what the enemy does to it there."""
        moved = unit.at(spot)
        threat = sum(odds.threat(look, enemy, moved) for enemy in look.enemies)
        return self.pull(look, unit, spot) - self.fear * threat

    def pull(self, look: Look, unit: Seen, spot: Point) -> float:
        """Return what its goal makes of a place: to hold it, or to come nearer to it."""
        goal = look.goal(unit)
        away = dist(goal, spot) if goal is not None else 0.0
        rides = 1 + bool(unit.counters.get("aboard"))
        return self.prize(look, spot) - PULL * away * rides

    def prize(self, look: Look, spot: Point) -> float:
        """Return what it is worth to hold the objective at a place, 0 where there is none."""
        return PRIZE * any(zone.at is not None and dist(zone.at, spot) <= HELD for zone in look.objectives)

    async def answers(self, view: BotView, choices: dict[str, Choice]) -> list[Idea]:
        """Set every unit on overwatch, which costs nothing; fire at who moves where no better shot is to be had; put
        units aboard or into hiding at the start; use charges in contact where they win something."""
        if "deploy_rest" in choices:
            look = Look(view, self.cards)
            return ambush.hides(look, choices) or await riding.aboard(view, look, choices)
        if LINE in choices and len(choices[LINE].fields) > 1:
            order, bearers = choices[LINE].fields
            if isinstance(order, Order) and isinstance(bearers, Pieces):
                chosen = explosives.blown(Look(view, self.cards), bearers)
                return [Idea(0.0, Reply(LINE, {order.key: list(order.default), bearers.key: chosen}))]
        if view.prompt.title.k == WATCH:
            return [Idea(0.0, Reply("pick", {"picked": options_of(choices["pick"])}))]
        each = choices["answer"].fields[0] if "answer" in choices else None
        return self.reactions(view, each) if isinstance(each, Assign) else []

    def reactions(self, view: BotView, field: Assign) -> list[Idea]:
        """Return the reply to an enemy's move: units that see it well fire at once, others hold."""
        look = Look(view, self.cards)
        mover = look.acting()
        if mover is None:
            return []
        chosen: dict[str, str] = dict(field.default)
        points = [slot.id for slot in field.slots if slot.id.isdigit()]
        for unit in look.among(chosen):
            barred = {bar.id for bar in field.bars.get(unit.id, ())}
            able = [point for point in points if point not in barred]
            now = odds.shot(look, unit, mover)
            if able and now > max(LEAST, PATIENCE * self.promise(look, unit)):
                chosen[unit.id] = able[0]
        if all(slot == HOLD for slot in chosen.values()):
            return []
        return [Idea(0.0, Reply("answer", {field.key: chosen}))]


def beside(ideas: list[Idea], worth: float) -> list[Idea]:
    """Return ideas with the worth of what may follow them in the same action."""
    return [idea._replace(worth=worth + idea.worth) for idea in ideas]
