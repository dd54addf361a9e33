"""Average results of attacks: wounds, and points of the mission won by them."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from engine.kit.pools import DieTest
from engine.rulesets.one_page.bots.bot_look import SeenUnit, WeaponLine, life
from engine.rulesets.one_page.rules.attacks import SCOPER_QUALITY, block_test, wound_chance

PINNED_SHARE = 0.6
"""Share of a unit's points that its being Pinned is worth: it may rally."""
NONE: Final = Fraction(0)
HALF: Final = Fraction(1, 2)
FISTS = WeaponLine(models=1, range=0, attacks=1, single=False, rules=frozenset())


def chance(quality: int) -> float:
    """Return the chance to pass a Quality test."""
    return float(DieTest(quality).chance)


def prefers_melee(unit: SeenUnit) -> bool:
    """Tell if a unit strikes more often than it shoots at short range."""
    shots = sum(arm.models * arm.attacks for arm in unit.card.arms if arm.range)
    more = 2 if "furious" in unit.card.rules else 1
    blows = sum(arm.models * arm.attacks for arm in unit.card.arms if not arm.range) + more * unit.card.models
    return shots * 3 < blows


def worth(target: SeenUnit, wounds: float) -> float:
    """Return the points that a number of wounds on a unit is worth."""
    left = life(target)
    lost = min(1.0, wounds / left)
    nerve = float(DieTest(target.card.quality).best_of(2 if "fearless" in target.card.rules else 1))
    pinned = PINNED_SHARE * (1 - nerve) if wounds * 2 >= left and "pinned" not in target.status else 0.0
    return target.card.points * (lost * lost * 0.5 + lost * 0.5 + (1 - lost) * pinned)


def _share(unit: SeenUnit) -> float:
    """Return the share of a unit's models that are left."""
    return len(unit.places) / max(1, unit.card.models)


class Odds:
    """Average wounds of a bot's units. Few attacks differ in what they need: their chances are kept as long as the
    bot."""

    def __init__(self) -> None:
        self._chances: dict[tuple[DieTest, DieTest, bool, Fraction], float] = {}

    def wounds_of(self, arm: WeaponLine, quality: int, target: SeenUnit, *, covered: bool, more: int = 0) -> float:
        """Return the wounds that one model with these weapons causes on average."""
        pierces = bool(arm.rules & {"piercing", "poison"})
        armoured = ("armored" in target.card.rules or covered) and not pierces and not arm.single
        need = SCOPER_QUALITY if "scoper" in arm.rules else quality
        hit = DieTest(need, failures_again="linked" in arm.rules)
        block = block_test(target.card.quality, pierced=pierces)
        through = self._through(hit, block, rends="rending" in arm.rules, ignored=HALF if armoured else NONE)
        wounds = (arm.attacks + more) * through
        return min(wounds, float(target.card.tough)) if arm.single else wounds

    def _through(self, hit: DieTest, block: DieTest, *, rends: bool, ignored: Fraction) -> float:
        key = hit, block, rends, ignored
        if key not in self._chances:
            self._chances[key] = float(wound_chance(hit, rends=rends, ignored=ignored, block=block))
        return self._chances[key]

    def shooting(self, unit: SeenUnit, target: SeenUnit, distance: float, *, holds: bool) -> float:
        """Return the wounds that a unit shoots on average at this distance."""
        covered = "in_cover" in target.status
        every = holds and "relentless" in unit.card.rules
        found = [
            arm.models * self.wounds_of(arm, unit.card.quality, target, covered=covered)
            for arm in unit.card.arms
            if arm.range >= distance > -1000 and arm.range
        ]
        if not found:
            return 0.0
        # in a unit of one model only the best weapon is fired, unless it may fire all
        total = sum(found) if every or unit.card.models > 1 else max(found)
        return total * _share(unit)

    def melee(self, unit: SeenUnit, target: SeenUnit, *, charging: bool) -> float:
        """Return the wounds that a unit strikes on average."""
        more = (2 if "furious" in unit.card.rules else 1) if charging else 0
        arms = [arm for arm in unit.card.arms if not arm.range]
        if not arms:
            arms = [FISTS._replace(models=unit.card.models)]
        total = sum(
            arm.models * self.wounds_of(arm, unit.card.quality, target, covered=False, more=more if n == 0 else 0)
            for n, arm in enumerate(arms)
        )
        if charging and unit.card.kind == "vehicle":
            total += 3.5 * (0.5 if "armored" in target.card.rules else 1.0) * (1 - chance(target.card.quality))
        return total * _share(unit)
