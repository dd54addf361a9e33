"""Bot of level 2: weighs every unit's best shot and charge, and acts where most points are to be won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.core.bots.bot import BotView
from engine.kit.bots.look import offers, options_of, reached, usual_place
from engine.rulesets.one_page.bots import bot_units
from engine.rulesets.one_page.bots.bot import DEPLOYS, PACE, Level1
from engine.rulesets.one_page.bots.bot_units import Look, SeenUnit, life, look_at
from engine.rulesets.one_page.state.names import power_node
from engine.space.vectors.outlines import outline_of
from engine.space.vectors.points import box_around
from protocol.scene.fields import Option
from protocol.scene.nodes import Choice, Counter, Reply

CHARACTERS: Final = ("hero", "psyker")
CHARGE: Final = 1150
FAST_CHARGE: Final = 1750
"""Usual greatest distance of a charge, and of a Fast unit's, in hundredths."""
HIDES: Final = 1.1
"""Factor of a shot that is fired from cover."""
DICE_TO_LIFT: Final = 7
"""Passage needs four successes."""
FRIENDLY: Final = ("heat_shield", "burning_blood", "mirror_step", "haste", "clear_mind")


class Level2(Level1):
    """Bot of a player who calculates odds."""

    async def _place(self, view: BotView, choices: dict[str, Choice]) -> Reply:
        """Place units first; then let characters join them, and a unit ride in each transport; leave the rest to the
        rules."""
        early = self._reserve(view, choices)
        if early is not None:
            return early
        look = look_at(view)
        others = [id for id in options_of(choices.get("deploy")) if look.card(id).kind not in CHARACTERS]
        if others and view.prompt.title.k == DEPLOYS:
            to = await usual_place(view, "deploy", {"unit": others[:1]})
            if to is not None:
                return Reply("deploy", {"unit": others[:1], "to": to})
        for id, key in (("join", "host"), ("load", "vessel")):
            if id in choices:
                unit = options_of(choices[id])[:1]
                options = await offers(view, id, {"unit": unit})
                if options:
                    return Reply(id, {"unit": unit, key: [options[-1].id]})
        return Reply("rest")

    async def _activate(self, view: BotView, choices: dict[str, Choice], look: Look) -> Reply:
        able = look.offered(choices.get("hold"))
        if not able:
            return await super()._activate(view, choices, look)
        if "disembark" in choices and self._is_near(look, able):
            return await self._get_out(view, choices["disembark"])
        return await self._act(view, choices, look, max(able, key=lambda unit: self._hope(look, unit)))

    def _is_near(self, look: Look, own: list[SeenUnit]) -> bool:
        """Tell if enemies are near enough to a transport to get out."""
        carriers = [unit for unit in own if "transport" in unit.card.rules]
        return any(
            enemy is not None and unit.distance(enemy) < 2000 for unit in carriers if (enemy := look.nearest(unit))
        )

    def _hope(self, look: Look, unit: SeenUnit) -> float:
        """Return the most points that a unit can win now, and a little more for a dear unit."""
        found = [0.0]
        for enemy in look.enemies:
            distance = max(0.0, unit.distance(enemy))
            if distance <= unit.card.reach:
                found.append(self._shot_worth(unit, enemy))
            if distance < (FAST_CHARGE if "fast" in unit.card.rules else CHARGE):
                found.append(self._charge_worth(unit, enemy))
        return max(found) + unit.card.points / 1000

    def _shot_worth(self, own: SeenUnit, target: SeenUnit) -> float:
        wounds = self._odds.shooting(own, target, max(0.0, own.distance(target)), holds="relentless" in own.card.rules)
        return bot_units.worth(target, wounds)

    def _charge_worth(self, unit: SeenUnit, enemy: SeenUnit) -> float:
        """Return the points that a charge wins, less what the blows back cost, beyond what shooting would win."""
        struck = self._odds.melee(unit, enemy, charging=True)
        back = self._odds.melee(enemy, unit, charging=False) * max(0.0, 1 - struck / life(enemy) / 2)
        won = bot_units.worth(enemy, struck) * (1.25 if struck > back else 0.8)
        lost = bot_units.worth(unit, back) * (1.0 if struck > back else 1.4)
        best = bot_units.worth(enemy, self._odds.shooting(unit, enemy, max(0.0, unit.distance(enemy)), holds=True))
        return won - lost - best

    async def _act(self, view: BotView, choices: dict[str, Choice], look: Look, unit: SeenUnit) -> Reply:
        """Return a charge, a shot, or a walk into range; a unit that cannot shoot well from its place goes nearer
        first."""
        enemy = self._goal(look, unit)
        if enemy is None or self._refused.count > 1:
            return await super()._act(view, choices, look, unit)
        charge = await self._charge(view, choices, look, unit)
        if charge is not None:
            return charge
        if hidden := await self._hide(view, choices, look, unit):
            return hidden
        held = max((self._shot_worth(unit, foe) for foe in look.enemies), default=0.0)
        walked = max((self._after_walk(unit, foe) for foe in look.enemies), default=0.0)
        if walked > held * 1.05 + 0.5:
            aim = max(look.enemies, key=lambda foe: self._after_walk(unit, foe))
            step = await self._advance(view, choices, unit, aim, runs=False)
            if step is not None:
                return step
        if held > 0 and unit.card.reach:
            return Reply("hold", {"unit": [unit.id]})
        return await self._advance(view, choices, unit, enemy, runs=True) or Reply("hold", {"unit": [unit.id]})

    async def _hide(self, view: BotView, choices: dict[str, Choice], look: Look, unit: SeenUnit) -> Reply | None:
        """Return a walk into cover from which the unit shoots about as well as from its place."""
        shoots = unit.card.reach and not bot_units.prefers_melee(unit) and "relentless" not in unit.card.rules
        if not shoots or unit.id not in options_of(choices.get("walk")) or "in_cover" in unit.status:
            return None
        limit = 900 if "fast" in unit.card.rules else 600
        if not look.covers(outline_of(box_around(unit.lead, limit)), unit.lead, limit):
            return None
        ends = await reached(view, "walk", {"unit": [unit.id]})
        spots = look.covers(ends, unit.lead, limit) if ends else []
        held = max((self._shot_worth(unit, foe) for foe in look.enemies), default=0.0)
        for spot in spots:
            if max((self._shot_worth(unit.at(spot), foe) for foe in look.enemies), default=0.0) * HIDES >= held:
                return Reply("walk", {"unit": [unit.id], "to": list(spot)})
        return None

    def _after_walk(self, unit: SeenUnit, enemy: SeenUnit) -> float:
        distance = max(0.0, unit.distance(enemy) - 550)
        return bot_units.worth(enemy, self._odds.shooting(unit, enemy, distance, holds=False))

    async def _power(self, view: BotView, choices: dict[str, Choice], look: Look) -> Reply | None:
        """Return the power that needs most successes of those that the dice at hand are likely to bring."""
        lifted = await self._passage(view, choices, look)
        if lifted is not None:
            return lifted
        return await self._cast(view, look, options_of(choices["power"])[:1]) if "power" in choices else None

    def _chosen_power(self, offered: Sequence[Option], look: Look) -> str | None:
        dice = self._power_dice(look)
        likely = [o for o in offered if 2 * o.numbers["successes"] <= dice + 1]
        harmful = [o for o in likely if o.id not in FRIENDLY] or likely
        best = max(harmful, key=lambda o: o.numbers["successes"], default=None)
        return best.id if best is not None else None

    async def _passage(self, view: BotView, choices: dict[str, Choice], look: Look) -> Reply | None:
        """Return a Passage that puts a melee unit where it can charge, if the dice are likely to bring it."""
        dice = self._power_dice(look)
        if "passage" not in choices or dice < DICE_TO_LIFT:
            return None
        fields: dict[str, object] = {"unit": options_of(choices["passage"])[:1]}
        units = look.among(option.id for option in await offers(view, "passage", fields))
        fresh = [unit for unit in units if bot_units.prefers_melee(unit) and not unit.status & {"done", "pinned"}]
        for unit in sorted(fresh, key=lambda unit: -unit.card.points):
            enemy = look.nearest(unit)
            spots = bot_units.lifts(look, self._odds, unit) if enemy and unit.distance(enemy) > PACE else []
            if spots:
                return Reply("passage", {**fields, "target": [unit.id], "to": list(spots[0]), "dice": dice})
        return None

    def _power_dice(self, look: Look) -> int:
        counter = look.nodes.get(power_node(look.view.seat))
        return counter.value if isinstance(counter, Counter) else 0
