"""Bots of two levels, which see only the scene and the prompt, and ask for a few details a decision.

Level 1 shoots at near enemies, goes for enemies out of range, charges with units that strike better than they shoot,
and keeps Deep Strike units in reserve. Level 2 weighs what every shot and charge is worth in points of the mission,
acts first where most is to be won, walks into cover, uses its powers, and lets its characters join units and its troops
ride.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.core.bots.bot import BotView, default_reply
from engine.kit.bots.chooser import Chooser, Idea
from engine.kit.bots.look import offers, options_of, reached, usual_place
from engine.rulesets.one_page.bots import bot_units
from engine.rulesets.one_page.bots.bot_units import Look, SeenUnit, look_at
from engine.space.vectors.points import squared
from protocol.scene import fields as scene
from protocol.scene.fields import Option
from protocol.scene.nodes import Choice, Reply

MELEE_REACH: Final = 1900
DEPLOYS: Final = "op.prompt.deploy"
ARRIVES: Final = "op.prompt.reserves"
PACE: Final = 1200


class Level1(Chooser):
    """Bot of a sound beginner. The same seed and the same views give the same decisions."""

    asks_when_due = True

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._odds = bot_units.Odds()

    async def ideas(self, view: BotView) -> list[Idea]:
        """Return the one reply that its plans come to; none where the prompt's default will do."""
        reply = await self._reply(view)
        return [Idea(0.0, reply)] if reply is not None else []

    def key(self, reply: Reply) -> object:
        """Return the choice: it is not tried again at the same prompt."""
        return reply.choice

    async def _reply(self, view: BotView) -> Reply | None:
        offered = {choice.id: choice for choice in view.prompt.choices}
        # what was refused at this prompt is not tried again
        choices = {id: choice for id, choice in offered.items() if id not in self._refused}
        if "rest" in offered:
            return await self._place(view, choices)
        look = look_at(view)
        if "idle" in offered:
            return await self._activate(view, choices, look)
        power = await self._power(view, choices, look)
        if power is not None or "shoot" in offered:
            return power or self._shoot(offered["shoot"], look)
        unit = look.acting()  # it has just used a power
        if view.prompt.default == "finish" and unit is not None and "hold" in choices:
            return await self._act(view, choices, look, unit)
        return None

    async def _place(self, view: BotView, choices: dict[str, Choice]) -> Reply:
        return self._reserve(view, choices) or Reply("rest")

    def _reserve(self, view: BotView, choices: dict[str, Choice]) -> Reply | None:
        """Return a reply that keeps a unit in reserve, or lands one that need not wait any longer; None without
        either."""
        look, stage = look_at(view), view.prompt.title.k
        if stage == DEPLOYS:
            waits = [id for id in options_of(choices.get("keep")) if bot_units.drops(look.card(id))]
            return Reply("keep", {"unit": waits[:1]}) if waits else None
        arriving = options_of(choices.get("deploy"))
        card = look.card(arriving[0]) if stage == ARRIVES and arriving else None
        if card is not None and "deep_strike" in card.rules:
            unit = look.waiting(arriving[0], card.models)
            spots = bot_units.landings(look, self._odds, unit)[self._refused.count :]
            return Reply("deploy", {"unit": arriving[:1], "to": list(spots[0])}) if spots else None
        return None

    async def _power(self, view: BotView, choices: dict[str, Choice], look: Look) -> Reply | None:
        """Return a reply that tries a random power, if one can be tried."""
        return await self._cast(view, look, usual(choices["power"])) if "power" in choices else None

    async def _cast(self, view: BotView, look: Look, psyker: list[str]) -> Reply | None:
        """Return a reply that tries the chosen power with the suggested number of dice."""
        fields: dict[str, object] = {"unit": psyker}
        powers = await offers(view, "power", fields)
        power = self._chosen_power(powers, look) if powers else None
        if power is None:
            return None
        fields["power"] = power
        targets = await offers(view, "power", fields)
        if not targets:
            return None
        fields["target"] = [self._target(targets, look)]
        dice = await view.detail("power", fields)
        fields["dice"] = dice.default if isinstance(dice, scene.Number) else 1
        return Reply("power", fields)

    def _chosen_power(self, offered: Sequence[Option], look: Look) -> str | None:
        return self._chance.pick(offered).id

    def _target(self, targets: Sequence[Option], look: Look) -> str:
        """Return the unit with most points that a power can be aimed at."""
        known = look.among(option.id for option in targets)
        return max(known, key=lambda unit: unit.card.points).id if known else targets[0].id

    def _shoot(self, choice: Choice, look: Look) -> Reply:
        """Return a shot at the best target that is offered."""
        own, known = look.acting(), look.offered(choice)
        if own is None or not known:
            return Reply("shoot", {"target": usual(choice)})
        best = max(known, key=lambda target: self._shot_worth(own, target))
        return Reply("shoot", {"target": [best.id]})

    def _shot_worth(self, own: SeenUnit, target: SeenUnit) -> float:
        return -own.distance(target)

    async def _activate(self, view: BotView, choices: dict[str, Choice], look: Look) -> Reply:
        """Return the action of a random unit."""
        units = look.among(options_of(choices.get("hold")) or options_of(choices.get("disembark")))
        if not units:
            if "disembark" in choices:
                return await self._get_out(view, choices["disembark"])
            return default_reply(view.prompt)
        return await self._act(view, choices, look, self._chance.pick(units))

    async def _act(self, view: BotView, choices: dict[str, Choice], look: Look, unit: SeenUnit) -> Reply:
        """Return the action of one unit: a charge, a shot from where it is, or a move towards the enemy."""
        enemy = self._goal(look, unit)
        if enemy is None or "hold" not in choices:
            return default_reply(view.prompt)
        charge = await self._charge(view, choices, look, unit)
        if charge is not None:
            return charge
        distance = unit.distance(enemy)
        if distance <= unit.card.reach or self._refused.count > 1:
            return Reply("hold", {"unit": [unit.id]})
        runs = distance > unit.card.reach + 600
        return await self._advance(view, choices, unit, enemy, runs=runs) or Reply("hold", {"unit": [unit.id]})

    def _goal(self, look: Look, unit: SeenUnit) -> SeenUnit | None:
        """Return the enemy that a unit makes for: for a melee unit the one it does most to for the way there, for
        others the nearest."""
        if not bot_units.prefers_melee(unit):
            return look.nearest(unit)

        def promise(enemy: SeenUnit) -> float:
            won = bot_units.worth(enemy, self._odds.melee(unit, enemy, charging=True))
            return won / (PACE + max(0.0, unit.distance(enemy))) ** 2

        return max(look.enemies, key=promise, default=None)

    async def _charge(self, view: BotView, choices: dict[str, Choice], look: Look, unit: SeenUnit) -> Reply | None:
        """Return an assault, if one is possible and worth it."""
        if unit.id not in options_of(choices.get("assault")):
            return None
        near = [enemy for enemy in look.enemies if unit.distance(enemy) < MELEE_REACH]
        wanted = [enemy for enemy in near if self._charge_worth(unit, enemy) > 0]
        if not wanted:
            return None
        in_reach = {option.id for option in await offers(view, "assault", {"unit": [unit.id]})}
        able = [enemy for enemy in wanted if enemy.id in in_reach]
        if not able:
            return None
        best = max(able, key=lambda enemy: self._charge_worth(unit, enemy))
        return Reply("assault", {"unit": [unit.id], "target": [best.id]})

    def _charge_worth(self, unit: SeenUnit, enemy: SeenUnit) -> float:
        """Return 1 for a unit that strikes better than it shoots, else 0."""
        own = self._odds.melee(unit, enemy, charging=True)
        shots = self._odds.shooting(unit, enemy, max(0.0, unit.distance(enemy)), holds=True)
        return 1.0 if own > shots * 1.2 else 0.0

    async def _advance(
        self, view: BotView, choices: dict[str, Choice], unit: SeenUnit, enemy: SeenUnit, *, runs: bool
    ) -> Reply | None:
        """Return the walk, run or drive that brings a unit nearest to an enemy; None where none brings it nearer."""
        drive, walk = ("drive_fast", "run") if runs else ("drive", "walk")
        if unit.id in options_of(choices.get(drive)):
            return await self._drive(view, drive, unit, enemy)
        if unit.id not in options_of(choices.get(walk)):
            return None
        ends = await reached(view, walk, {"unit": [unit.id]})
        to = min(ends, key=lambda p: squared(p, enemy.lead), default=unit.lead)
        if squared(to, enemy.lead) >= squared(unit.lead, enemy.lead):
            return None
        return Reply(walk, {"unit": [unit.id], "to": list(to)})

    async def _drive(self, view: BotView, choice: str, unit: SeenUnit, enemy: SeenUnit) -> Reply | None:
        fields: dict[str, object] = {"unit": [unit.id]}
        ends = await reached(view, choice, fields)
        if not ends:
            return None
        far = min(ends, key=lambda p: squared(p, enemy.lead))
        share = 3 - self._chance.below(3)
        end = [begin + (edge - begin) * share // 3 for begin, edge in zip(unit.lead, far, strict=True)]
        return Reply(choice, {**fields, "way": end})

    async def _get_out(self, view: BotView, choice: Choice) -> Reply:
        fields: dict[str, object] = {"unit": usual(choice)}
        to = await usual_place(view, "disembark", fields)
        return Reply("disembark", {**fields, "to": to}) if to is not None else default_reply(view.prompt)


def usual(choice: Choice) -> list[str]:
    """Return what the first field of a choice has by default."""
    field = choice.fields[0]
    return [*field.default] if isinstance(field, scene.Pieces) else []
