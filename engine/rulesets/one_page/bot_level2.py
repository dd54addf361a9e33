"""Level 2: weighs every unit's best shot and charge, and acts where most points are to be won."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.rulesets.one_page import bot_odds
from engine.rulesets.one_page.bot import Level1, default_reply, options_of
from engine.rulesets.one_page.bot_look import Band, Look
from protocol import scene
from protocol.scene import Choice, Reply

if TYPE_CHECKING:
    from engine.core.bot import View

CHARACTERS: Final = ("hero", "psyker")
DEPLOYS: Final = "op.prompt.deploy"
FRIENDLY: Final = ("heat_shield", "burning_blood", "mirror_step", "haste", "clear_mind")


class Level2(Level1):
    """A player who counts."""

    async def _place(self, view: View, choices: dict[str, Choice]) -> Reply:
        """Units first; then characters join them, and a unit rides in each transport; the rest goes where there is
        room."""
        look = Look(view)
        others = [id for id in options_of(choices.get("deploy")) if look.card(id).kind not in CHARACTERS]
        if others and "deploy" not in self._given_up and view.prompt.title.k == DEPLOYS:
            field = await view.detail("deploy", {"unit": others[:1]})
            if isinstance(field, scene.PickPoint) and field.default is not None:
                return Reply("deploy", {"unit": others[:1], "to": list(field.default)})
        for id, key in (("join", "host"), ("load", "vessel")):
            if id in choices and id not in self._given_up:
                unit = options_of(choices[id])[0]
                field = await view.detail(id, {"unit": [unit]})
                if isinstance(field, scene.Pieces) and field.options:
                    return Reply(id, {"unit": [unit], key: [field.options[-1].id]})
        return Reply("rest")

    async def _activate(self, view: View, choices: dict[str, Choice], look: Look) -> Reply:
        able = [look.bands[id] for id in options_of(choices.get("hold")) if id in look.bands]
        if not able:
            return await super()._activate(view, choices, look)
        if "disembark" in choices and "disembark" not in self._given_up and self._is_near(look, able):
            return await self._get_out(view, choices["disembark"])
        weighed = sorted(able, key=lambda band: -self._hope(look, band))
        return await self._act(view, choices, look, weighed[0]) if weighed else default_reply(view.prompt)

    def _is_near(self, look: Look, own: list[Band]) -> bool:
        """Whether enemies are near enough to get out for."""
        carriers = [band for band in own if "transport" in band.card.rules]
        return any(
            enemy is not None and band.distance(enemy) < 2000 for band in carriers if (enemy := look.nearest(band))
        )

    def _hope(self, look: Look, band: Band) -> float:
        """The most that a unit can win now; a little more for who is in danger of being shot first."""
        found = [0.0]
        for enemy in look.enemies:
            distance = max(0.0, band.distance(enemy))
            if distance <= band.card.reach:
                found.append(self._shot_worth(band, enemy))
            if distance < 1150:
                found.append(self._charge_worth(band, enemy))
        return max(found) + band.card.points / 1000

    def _shot_worth(self, own: Band, target: Band) -> float:
        wounds = bot_odds.shooting(own, target, max(0.0, own.distance(target)), "relentless" in own.card.rules)
        return bot_odds.worth(target, wounds)

    def _charge_worth(self, unit: Band, enemy: Band) -> float:
        """What the charge wins, less what the blows back cost, more than what shooting would win."""
        struck = bot_odds.melee(unit, enemy, True)
        back = bot_odds.melee(enemy, unit, False) * max(0.0, 1 - struck / enemy.life / 2)
        won = bot_odds.worth(enemy, struck) * (1.25 if struck > back else 0.8)
        lost = bot_odds.worth(unit, back) * (1.0 if struck > back else 1.4)
        best = bot_odds.worth(enemy, bot_odds.shooting(unit, enemy, max(0.0, unit.distance(enemy)), True))
        return won - lost - best

    async def _act(self, view: View, choices: dict[str, Choice], look: Look, unit: Band) -> Reply:
        """A charge, a shot, or a walk into range; who cannot shoot well from here goes nearer first."""
        enemy = look.nearest(unit)
        if enemy is None or self._refusals > 1:
            return await super()._act(view, choices, look, unit)
        charge = await self._charge(view, choices, look, unit)
        if charge is not None:
            return charge
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

    def _after_walk(self, unit: Band, enemy: Band) -> float:
        distance = max(0.0, unit.distance(enemy) - 550)
        return bot_odds.worth(enemy, bot_odds.shooting(unit, enemy, distance, False))

    async def _power(self, view: View, choices: dict[str, Choice], look: Look) -> Reply | None:
        """The power that needs most successes that the dice at hand are likely to bring."""
        if "power" not in choices or "power" in self._given_up:
            return None
        fields: dict[str, object] = {"unit": options_of(choices["power"])[:1]}
        offered = await view.detail("power", fields)
        if not isinstance(offered, scene.PickOption) or not offered.options:
            return None
        dice = self._power_dice(look)
        likely = [o for o in offered.options if o.hint is not None and 2 * int(str(o.hint.a["successes"])) <= dice + 1]
        harmful = [o for o in likely if o.id not in FRIENDLY] or likely
        if not harmful:
            return None
        fields["power"] = max(harmful, key=lambda o: int(str(o.hint.a["successes"])) if o.hint else 0).id
        targets = await view.detail("power", fields)
        if not isinstance(targets, scene.Pieces) or not targets.options:
            return None
        fields["target"] = [self._target(targets, look)]
        number = await view.detail("power", fields)
        fields["dice"] = number.default if isinstance(number, scene.Number) else 1
        return Reply("power", fields)

    def _power_dice(self, look: Look) -> int:
        counter = look.nodes.get(f"counter/power.{look.view.seat}")
        return counter.value if isinstance(counter, scene.Counter) else 0
