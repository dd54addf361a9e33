"""Bot of level 2: it weighs what a unit can do from each place that it may go to against what the enemy does to it
there, spreads out, keeps watch, and charges by its odds."""

from __future__ import annotations

from math import dist
from typing import Final

from engine.core.bots.bot import BotView
from engine.kit.bots.chooser import Idea
from engine.kit.bots.look import offers, options_of
from engine.rulesets.apocalypse_earth.bots import odds
from engine.rulesets.apocalypse_earth.bots.bot import LEAST, Level1, goes, move, reach
from engine.rulesets.apocalypse_earth.bots.look import Look, Seen
from engine.space.vectors.points import Point, towards
from protocol.scene.fields import Assign, Template
from protocol.scene.nodes import Choice, Reply

HELD: Final = 600
"""So near to an objective a unit holds it."""
PRIZE: Final = 10.0
"""Worth of standing at an objective, in points, in a decision."""
PULL: Final = 0.004
"""Worth of each hundredth of a centimetre nearer to an objective, in points."""
FEAR: Final = 0.2
"""Share of the enemy's expected fire that a place costs."""
PATIENCE: Final = 0.8
"""Share of a unit's best shot for which it gives up its own action to a reaction."""
EVERY: Final = 3
"""Of the places at the rim of a unit's reach it thinks of each third."""
CALLS: Final = 20.0
"""Worth of a call of fire support, in points."""
CLEAR: Final = 1800
"""Distance that friends have from where it is to fall."""
BACKLASH: Final = 1 / 18
"""Chance that a power takes the psychic who tries it."""
SMOKE: Final = "FS-10"
"""The smoke mission, which a bot has no use for."""
HOLD: Final = "hold"
WATCH: Final = "ae.ask.overwatch"


class Level2(Level1):
    """Bot of a player who weighs places."""

    async def acts(self, view: BotView, look: Look, choices: dict[str, Choice], unit: Seen) -> list[Idea]:
        """Return what a unit might do: fire and end where it stands, or go where it does better."""
        found = await super().acts(view, look, choices, unit)
        found += await self.calls(view, look, choices, unit)
        best = max(idea.worth for idea in found)
        powers = [idea._replace(worth=best + idea.worth) for idea in await self.powers(view, look, choices, unit)]
        if not goes(choices, unit):
            return found + powers
        found = [idea for idea in found if idea.reply.choice not in ("move", "drive")]
        best = max(idea.worth for idea in found)
        here = self.place(look, unit, unit.lead)
        for spot in await self.spots(view, look, unit):
            more = self.place(look, unit, spot) - here
            if more > LEAST:
                found.append(Idea(best + more, move(unit, spot)))
        return found + powers

    async def powers(self, view: BotView, look: Look, choices: dict[str, Choice], unit: Seen) -> list[Idea]:
        """Return attempts at powers by what each wins beside the fire that may follow: by its chance to work, less
        the psychic whom it may strike."""
        if unit.id not in options_of(choices.get("power")):
            return []
        price = unit.card.points / max(1, unit.card.figures)
        found: list[Idea] = []
        for option in await offers(view, "power", {"unit": [unit.id]}):
            works = max(0, 7 - option.numbers.get("need", 7)) / 6
            about: dict[str, object] = {"unit": [unit.id], "power": option.id}
            if not any(odds.power(option.id, other) * works > LEAST for other in look.units.values()):
                continue
            for target in look.among([one.id for one in await offers(view, "power", about)]):
                won = odds.power(option.id, target) * works - BACKLASH * price
                if won > LEAST:
                    found.append(Idea(won, Reply("power", about | {"target": [target.id]})))
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
        found = rim[::EVERY]
        found += [towards(unit.lead, spot, unit.card.move // 2) for spot in rim[:: 2 * EVERY]]
        found += look.covers(rim, unit.lead, unit.card.move)[:4]
        for goal in [zone.at for zone in look.objectives if zone.at is not None] + look.goals:
            if dist(goal, unit.lead) > HELD:
                found.append(min(rim, key=lambda spot: dist(spot, goal)))
                near = towards(goal, unit.lead, HELD // 2)
                found += [near] if dist(near, unit.lead) < unit.card.move else []
        return list(dict.fromkeys(found))

    def place(self, look: Look, unit: Seen, spot: Point) -> float:
        """Return what a place is worth to a unit: its best shot from there, and the ground."""
        shot = max((self.fire_worth(look, unit, enemy, spot) for enemy in look.enemies), default=0.0)
        return shot + self.ground(look, unit, spot)

    def ground(self, look: Look, unit: Seen, spot: Point) -> float:
        """Return what it is worth for a unit to stand at a place: objectives, less what the enemy does to it there."""
        moved = unit.at(spot)
        threat = sum(self.threat(look, enemy, moved) for enemy in look.enemies)
        return self.pull(look, unit, spot) - FEAR * threat

    def threat(self, look: Look, enemy: Seen, unit: Seen) -> float:
        """Return what an enemy's fire costs a unit, in points."""
        away = dist(enemy.lead, unit.lead)
        if away > enemy.card.reach or "suppressed" in enemy.status or not look.sees(enemy.lead, unit.lead):
            return 0.0
        later = 1.0 if "overwatch" in enemy.status or "done" not in enemy.status else 0.6
        return later * odds.worth(unit, odds.fire(enemy, unit, away, look.cover(unit.lead)))

    def pull(self, look: Look, unit: Seen, spot: Point) -> float:
        """Return what its goal makes of a place: to hold it, or to come nearer to it."""
        holds = any(zone.at is not None and dist(zone.at, spot) <= HELD for zone in look.objectives)
        goal = self.goal(look, unit)
        away = dist(goal, spot) if goal is not None else 0.0
        return (PRIZE if holds else 0.0) - PULL * away

    async def answers(self, view: BotView, choices: dict[str, Choice]) -> list[Idea]:
        """Set every unit on overwatch, which costs nothing; fire at who moves where no better shot is to be had."""
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
            now = self.fire_worth(look, unit, mover)
            if able and now > max(LEAST, PATIENCE * self.promise(look, unit)):
                chosen[unit.id] = able[0]
        if all(slot == HOLD for slot in chosen.values()):
            return []
        return [Idea(0.0, Reply("answer", {field.key: chosen}))]
