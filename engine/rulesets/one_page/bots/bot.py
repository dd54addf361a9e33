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
from engine.kit.bots.look import options_of
from engine.rulesets.one_page.bots import bot_odds, bot_places
from engine.rulesets.one_page.bots.bot_look import Look, SeenUnit, look_at
from engine.space.vectors.points import squared
from protocol.scene import fields as scene
from protocol.scene.fields import Option
from protocol.scene.nodes import Choice, Prompt, Reply

MELEE_REACH: Final = 1900
DEPLOYS: Final = "op.prompt.deploy"
ARRIVES: Final = "op.prompt.reserves"
PACE: Final = 1200


class Level1(Chooser):
    """Bot of a sound beginner. The same seed and the same views give the same decisions."""

    asks_when_due = True

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._odds = bot_odds.Odds()

    async def ideas(self, view: BotView) -> list[Idea]:
        """Return the one reply that its plans come to; none where the prompt's default will do."""
        reply = await self._reply(view, {choice.id: choice for choice in view.prompt.choices})
        return [Idea(0.0, reply)] if reply is not None else []

    def key(self, reply: Reply) -> object:
        """Return the choice: it is not tried again at the same prompt."""
        return reply.choice

    async def _reply(self, view: BotView, choices: dict[str, Choice]) -> Reply | None:
        if "rest" in choices:
            return await self._place(view, choices)
        look = look_at(view)
        if "shoot" in choices:
            return await self._power(view, choices, look) or self._shoot(choices["shoot"], look)
        if "idle" in choices:
            return await self._activate(view, choices, look)
        if view.prompt.default in ("fight", "finish"):
            return await self._power(view, choices, look) or await self._carry_on(view, choices, look, view.prompt)
        return None

    async def _place(self, view: BotView, choices: dict[str, Choice]) -> Reply:
        return self._reserve(view, choices) or Reply("rest")

    def _reserve(self, view: BotView, choices: dict[str, Choice]) -> Reply | None:
        """Return a reply that keeps a unit in reserve, or lands one that need not wait any longer; None without
        either."""
        look, stage = look_at(view), view.prompt.title.k
        if stage == DEPLOYS and "keep" not in self._refused:
            waits = [id for id in options_of(choices.get("keep")) if bot_places.drops(look.card(id))]
            return Reply("keep", {"unit": waits[:1]}) if waits else None
        arriving = options_of(choices.get("deploy"))
        card = look.card(arriving[0]) if stage == ARRIVES and arriving else None
        if card is not None and "deep_strike" in card.rules:
            unit = look.waiting(arriving[0], card.models)
            spots = bot_places.landings(look, self._odds, unit)[self._refused.count :]
            return Reply("deploy", {"unit": arriving[:1], "to": list(spots[0])}) if spots else None
        return None

    async def _power(self, view: BotView, choices: dict[str, Choice], look: Look) -> Reply | None:
        """Return a reply that tries a random power, if one can be tried."""
        if "power" not in choices or "power" in self._refused:
            return None
        return await self._cast(view, look, list(_default(choices["power"].fields[0])))

    async def _cast(self, view: BotView, look: Look, psyker: list[str]) -> Reply | None:
        """Return a reply that tries the chosen power with the suggested number of dice."""
        fields: dict[str, object] = {"unit": psyker}
        offered = await view.detail("power", fields)
        if not isinstance(offered, scene.PickOption) or not offered.options:
            return None
        power = self._chosen_power(offered.options, look)
        if power is None:
            return None
        fields["power"] = power
        targets = await view.detail("power", fields)
        if not isinstance(targets, scene.Pieces) or not targets.options:
            return None
        fields["target"] = [self._target(targets, look)]
        dice = await view.detail("power", fields)
        fields["dice"] = dice.default if isinstance(dice, scene.Number) else 1
        return Reply("power", fields)

    def _chosen_power(self, offered: Sequence[Option], look: Look) -> str | None:
        return self._chance.pick(offered).id

    def _target(self, targets: scene.Pieces, look: Look) -> str:
        """Return the unit with most points that a power can be aimed at."""
        known = look.among(option.id for option in targets.options)
        return max(known, key=lambda unit: unit.card.points).id if known else targets.options[0].id

    def _shoot(self, choice: Choice, look: Look) -> Reply:
        """Return a shot at the best target that is offered."""
        field = choice.fields[0]
        assert isinstance(field, scene.Pieces)
        own, known = look.acting(), look.offered(choice)
        if own is None or not known:
            return Reply("shoot", {"target": list(field.default)})
        best = max(known, key=lambda target: self._shot_worth(own, target))
        return Reply("shoot", {"target": [best.id]})

    def _shot_worth(self, own: SeenUnit, target: SeenUnit) -> float:
        return -own.distance(target)

    async def _activate(self, view: BotView, choices: dict[str, Choice], look: Look) -> Reply:
        """Return the action of a random unit."""
        units = look.among(options_of(choices.get("hold")) or options_of(choices.get("disembark")))
        if not units:
            if "disembark" in choices and "disembark" not in self._refused:
                return await self._get_out(view, choices["disembark"])
            return default_reply(view.prompt)
        unit = self._chance.pick(units)
        return await self._act(view, choices, look, unit)

    async def _carry_on(self, view: BotView, choices: dict[str, Choice], look: Look, prompt: Prompt) -> Reply:
        """Return the action of the unit that has just used a power."""
        unit = look.acting()
        if prompt.default == "finish" and unit is not None and "hold" in choices:
            return await self._act(view, choices, look, unit)
        return default_reply(prompt)

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
        if not bot_odds.prefers_melee(unit):
            return look.nearest(unit)

        def promise(enemy: SeenUnit) -> float:
            won = bot_odds.worth(enemy, self._odds.melee(unit, enemy, charging=True))
            return won / (PACE + max(0.0, unit.distance(enemy))) ** 2

        return max(look.enemies, key=promise, default=None)

    async def _charge(self, view: BotView, choices: dict[str, Choice], look: Look, unit: SeenUnit) -> Reply | None:
        """Return an assault, if one is possible and worth it."""
        if unit.id not in options_of(choices.get("assault")) or "assault" in self._refused:
            return None
        near = [enemy for enemy in look.enemies if unit.distance(enemy) < MELEE_REACH]
        wanted = [enemy for enemy in near if self._charge_worth(unit, enemy) > 0]
        if not wanted:
            return None
        field = await view.detail("assault", {"unit": [unit.id]})
        reached = {option.id for option in field.options} if isinstance(field, scene.Pieces) else set()
        able = [enemy for enemy in wanted if enemy.id in reached]
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
        if unit.id in options_of(choices.get(drive)) and drive not in self._refused:
            return await self._drive(view, drive, unit, enemy)
        if unit.id not in options_of(choices.get(walk)) or walk in self._refused:
            return None
        field = await view.detail(walk, {"unit": [unit.id]})
        if not isinstance(field, scene.PickPoint) or not field.regions:
            return None
        to = min(field.regions[0], key=lambda p: squared(p, enemy.lead))
        if squared(to, enemy.lead) >= squared(unit.lead, enemy.lead):
            return None
        return Reply(walk, {"unit": [unit.id], "to": list(to)})

    async def _drive(self, view: BotView, choice: str, unit: SeenUnit, enemy: SeenUnit) -> Reply | None:
        fields: dict[str, object] = {"unit": [unit.id]}
        way = await view.detail(choice, fields)
        if not isinstance(way, scene.Way) or way.start is None:
            return None
        far = min(way.bands[0].regions[0], key=lambda p: squared(p, enemy.lead))
        share = 3 - self._chance.below(3)
        end = [begin + (edge - begin) * share // 3 for begin, edge in zip(way.start, far, strict=True)]
        return Reply(choice, {**fields, "way": end})

    async def _get_out(self, view: BotView, choice: Choice) -> Reply:
        fields: dict[str, object] = {"unit": list(_default(choice.fields[0]))}
        to = await view.detail("disembark", fields)
        if not isinstance(to, scene.PickPoint) or to.default is None:
            return default_reply(view.prompt)
        return Reply("disembark", {**fields, "to": list(to.default)})


def _default(field: object) -> tuple[str, ...]:
    return field.default if isinstance(field, scene.Pieces) else ()
