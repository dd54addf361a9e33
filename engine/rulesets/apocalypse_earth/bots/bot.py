"""Bot of level 1, greedy by forecasts: it fires where most falls, charges where that wins more, else goes for the
nearest place to hold, or the nearest enemy.

It sees only the scene and the prompt, and asks for a few details a decision.
"""

from __future__ import annotations

from math import dist
from typing import Final

from engine.core.bots.bot import BotView
from engine.kit.bots.chooser import Chooser, Idea
from engine.kit.bots.look import Cards, offers, options_of, reached, usual_place
from engine.rulesets.apocalypse_earth.bots import odds, riding
from engine.rulesets.apocalypse_earth.bots.look import Card, Look, Seen
from engine.space.vectors.points import Point
from protocol.ids import NodeId
from protocol.scene.fields import Option
from protocol.scene.nodes import Choice, Group, Reply

CHARGES: Final = 600
"""Distance by which a charge goes farther than a move."""
NEARER: Final = 100
"""A move that brings a unit less than this nearer to its goal is none."""
MOST_SPOTS: Final = 4
RALLIES, FIGHTS = 6.0, 60.0
"""Worth of an attempt to rally, and of a round of close combat, in points."""
HIDDEN: Final = "hidden."
"""Word before the ids of figures that its side alone sees."""
LEAST: Final = 1.0
"""Points below which fire is not worth staying for."""


class Level1(Chooser):
    """Bot of a sound beginner. The same seed and the same views give the same decisions."""

    asks_when_due = True
    most_refusals = 7

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.cards: Cards[Card] = {}
        self._found: list[Idea] = []

    async def ideas(self, view: BotView) -> list[Idea]:
        """Return what the unit that acts next might do; nothing where the prompt's default will do. Where the last
        reply was refused, nothing else has changed: those that were found before are left."""
        if not self._refused.is_retry:
            self._found = await self.thought(view)
        return [idea for idea in self._found if self.key(idea.reply) not in self._refused]

    async def thought(self, view: BotView) -> list[Idea]:
        """Return all ideas for a prompt."""
        choices = {choice.id: choice for choice in view.prompt.choices}
        found: list[Idea] = []
        if not {"stand", "finish"} & choices.keys():
            found = await self.answers(view, choices)
        else:
            look = Look(view, self.cards)
            unit = look.acting() or self.next_unit(look, choices)
            if unit is not None:
                found = await self.acts(view, look, choices, unit)
            elif "enter" in choices:
                found = await self.enters(view, choices)
            elif riders := await riding.riders(view, look, choices):
                found = await self.rides(view, look, choices, riders[0])
            elif "pass" in choices:
                found = [Idea(0.0, Reply("pass"))]
        return found

    async def enters(self, view: BotView, choices: dict[str, Choice]) -> list[Idea]:
        """Bring a unit in through its own edge, where the rules propose it."""
        fields: dict[str, object] = {"unit": options_of(choices["enter"])[:1]}
        to = await usual_place(view, "enter", fields)
        return [Idea(0.0, Reply("enter", {**fields, "to": to}))] if to is not None else []

    async def rides(self, view: BotView, look: Look, choices: dict[str, Choice], rider: Seen) -> list[Idea]:
        """Return what a unit aboard might do: get out where that brings it to its goal or its enemy, else ride on, and
        fire out of a truck."""
        found = [Idea(0.0, Reply("stand", {"unit": [rider.id]}))] + await self.shots(view, look, choices, rider)
        if riding.lands(look, rider):
            found.append(Idea(FIGHTS, Reply("get_out", {"unit": [rider.id], "to": list(rider.lead)})))
        return found

    async def answers(self, view: BotView, choices: dict[str, Choice]) -> list[Idea]:
        """Answer by default."""
        return []

    def next_unit(self, look: Look, choices: dict[str, Choice]) -> Seen | None:
        """Return the unit to act with: that whose fire promises most; those in hiding wait if they may."""
        able = look.offered(choices.get("stand"))
        if "pass" in choices:
            near = [one for one in able if any(one.distance(foe) < one.card.reach / 2 for foe in look.enemies)]
            able = [unit for unit in able if unit in near or "hidden" not in unit.status]
        return max(able, key=lambda unit: (self.promise(look, unit), unit.id), default=None)

    def promise(self, look: Look, unit: Seen) -> float:
        """Return about what a unit's best fire wins from where it stands, in points."""
        if "engaged" in unit.status:
            return FIGHTS
        if "suppressed" in unit.status:
            return RALLIES
        return odds.best_shot(look, unit)

    async def acts(self, view: BotView, look: Look, choices: dict[str, Choice], unit: Seen) -> list[Idea]:
        """Return what a unit might do, each with the points that it may bring."""
        for special in ("fight_on", "escape", "leave", "rally"):
            if unit.id in options_of(choices.get(special)):
                return [Idea(FIGHTS, Reply(special, {"unit": [unit.id]}))]
        ends = next((Reply(choice) for choice in ("away", "finish") if choice in choices), None)
        found = [Idea(0.0, ends or Reply("stand", {"unit": [unit.id]}))]
        found += await self.shots(view, look, choices, unit)
        best = max(idea.worth for idea in found)
        found += await self.charges(view, look, choices, unit)
        if best < LEAST and goes(choices, unit):
            goal = look.goal(unit)
            spots = await self.spots_towards(view, look, unit, goal) if goal is not None else []
            found += [Idea(LEAST - 0.01 * n, move(unit, spot)) for n, spot in enumerate(spots)]
        return found

    async def shots(self, view: BotView, look: Look, choices: dict[str, Choice], unit: Seen) -> list[Idea]:
        """Return fire at each enemy that the unit may fire at, by its forecast."""
        if unit.id not in options_of(choices.get("fire")):
            return []
        return [
            Idea(self.fired(look.units[one.id], mean_of(one)), Reply("fire", {"unit": [unit.id], "target": [one.id]}))
            for one in await offers(view, "fire", {"unit": [unit.id]})
            if one.id in look.units and mean_of(one) > 0
        ]

    def fired(self, target: Seen, losses: float) -> float:
        """Return the points that fire is worth which costs a target so many on average."""
        return odds.worth(target, losses)

    async def charges(self, view: BotView, look: Look, choices: dict[str, Choice], unit: Seen) -> list[Idea]:
        """Return charges that win something."""
        if unit.id not in options_of(choices.get("charge")):
            return []
        reach = unit.card.move + CHARGES
        wanted = {
            enemy.id: won
            for enemy in look.enemies
            if unit.distance(enemy) < reach and (won := odds.charge(unit, enemy, look.cover(enemy.lead))) > LEAST
        }
        if not wanted:
            return []
        able = {one.id for one in await offers(view, "charge", {"unit": [unit.id]})}
        return [
            Idea(won, Reply("charge", {"unit": [unit.id], "target": [id]})) for id, won in wanted.items() if id in able
        ]

    async def spots_towards(self, view: BotView, look: Look, unit: Seen, goal: Point) -> list[Point]:
        """Return places in reach of a unit's lead that are nearer to its goal, the nearest first."""
        start = unit.lead
        spots = [goal] if dist(start, goal) < unit.card.move else []
        spots += await reach(view, unit)
        nearer = {spot for spot in spots if dist(spot, goal) < dist(start, goal) - NEARER}
        return sorted(nearer, key=lambda spot: dist(spot, goal))[:MOST_SPOTS]


def goes(choices: dict[str, Choice], unit: Seen) -> bool:
    """Tell if a unit may move, or drive, now."""
    return unit.id in options_of(choices.get("drive" if unit.card.drives else "move"))


def move(unit: Seen, spot: Point) -> Reply:
    """Return the reply by which a unit's leader, or a vehicle, goes to a place."""
    return Reply("drive" if unit.card.drives else "move", {"unit": [unit.id], "way": list(spot)})


async def reach(view: BotView, unit: Seen) -> list[Point]:
    """Return the farthest places that a unit's leader can reach by straight ways, or a vehicle by one turn."""
    node = view.nodes.get(NodeId(unit.id))
    leader = node.pieces[0].replace(HIDDEN, "", 1) if isinstance(node, Group) and node.pieces else ""
    about: dict[str, object] = {"unit": [unit.id]} if unit.card.drives else {"unit": [unit.id], "lead": [leader]}
    return await reached(view, "drive" if unit.card.drives else "move", about)


def mean_of(option: Option) -> float:
    """Return the losses that a forecast promises."""
    return option.numbers.get("mean", 0) / 100
