"""Units as a bot reads them off their cards: what their attacks come to on average, in wounds and in points of the
mission, and places for them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import dist
from typing import Final, NamedTuple

from engine.core.bots.bot import BotView
from engine.kit.bots.look import GroupSeen, TableLook, parts_of
from engine.kit.pools import DieTest
from engine.kit.remembered import remembered
from engine.rulesets.one_page.rules.attacks import SCOPER_QUALITY, block_test, wound_chance
from engine.space.vectors.points import Point
from protocol.scene.nodes import Feature

PINNED_SHARE = 0.6
"""Share of a unit's points that its being Pinned is worth: it may rally."""
NONE: Final = Fraction(0)
HALF: Final = Fraction(1, 2)
LANDS: Final = 1500
"""Distance of a landing leader from an enemy: 12 inches, and room for the other models between."""
LIFTED: Final = 1800
CLEAR: Final = 450
ROOM: Final = 350
SHORT: Final = 1800
"""Greatest weapon range, in hundredths, of units that had better land near their enemies than walk there."""


class WeaponLine(NamedTuple):
    """A line of weapons on a card: `models` of them in the unit, `range` in hundredths."""

    models: int
    range: int
    attacks: int
    single: bool
    rules: frozenset[str]


class UnitCard(NamedTuple):
    """The numbers of a unit's card."""

    quality: int
    models: int
    tough: int
    points: int
    kind: str
    rules: frozenset[str]
    arms: tuple[WeaponLine, ...]

    @property
    def reach(self) -> int:
        """The longest range of its weapons, in hundredths."""
        return max((arm.range for arm in self.arms), default=0)


SeenUnit = GroupSeen[UnitCard]
Look = TableLook[UnitCard]


def look_at(view: BotView) -> Look:
    """Return the table as a seat sees it now."""
    return Look(view, card_of)


def life(unit: SeenUnit) -> int:
    """Return the wounds that a unit can still take, at least 1."""
    return max(1, len(unit.places) * unit.card.tough - unit.counters.get("wounds", 0))


def card_of(numbers: Mapping[str, int]) -> UnitCard:
    """Read a unit's card."""
    told, arms = parts_of(numbers)
    own = {"quality": 4, "models": 1, "tough": 1, "points": 100, **told}
    kind = next(iter(arms.pop("kind", {})), "infantry")
    quality, models, tough, points = [own.pop(key) for key in ("quality", "models", "tough", "points")]
    carried = tuple([_arm(arm) for arm in arms.values()])
    return UnitCard(quality, models, tough, points, kind, frozenset(own), carried)


def _arm(told: dict[str, int]) -> WeaponLine:
    models, reach, attacks, single = [told.pop(key) for key in ("count", "range", "attacks", "single")]
    return WeaponLine(models, reach, attacks, bool(single), frozenset(told))


FISTS = WeaponLine(models=1, range=0, attacks=1, single=False, rules=frozenset())


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
    """Average wounds of a bot's units."""

    def __init__(self) -> None:
        # few attacks differ in what they need
        self._chance = remembered(wound_chance)

    def wounds_of(self, arm: WeaponLine, quality: int, target: SeenUnit, *, covered: bool, more: int = 0) -> float:
        """Return the wounds that one model with these weapons causes on average."""
        pierces = bool(arm.rules & {"piercing", "poison"})
        armoured = ("armored" in target.card.rules or covered) and not pierces and not arm.single
        need = SCOPER_QUALITY if "scoper" in arm.rules else quality
        hit = DieTest(need, failures_again="linked" in arm.rules)
        block = block_test(target.card.quality, pierced=pierces)
        ignored = HALF if armoured else NONE
        through = self._chance(hit, rends="rending" in arm.rules, ignored=ignored, block=block)
        wounds = (arm.attacks + more) * float(through)
        return min(wounds, float(target.card.tough)) if arm.single else wounds

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
            total += (
                3.5
                * (0.5 if "armored" in target.card.rules else 1.0)
                * (1 - float(DieTest(target.card.quality).chance))
            )
        return total * _share(unit)


def drops(card: UnitCard) -> bool:
    """Tell if a unit had better wait in reserve."""
    return "deep_strike" in card.rules and card.reach <= SHORT


def landings(look: Look, odds: Odds, unit: SeenUnit) -> list[Point]:
    """Return places for a unit of the reserve, the best first: near the enemies that it does most to, away from all
    others."""
    prey = sorted(look.enemies, key=lambda enemy: -_does(odds, unit, enemy))[:4]
    return list(look.free_around(prey, LANDS, LANDS, ROOM, _is_bad))


def lifts(look: Look, odds: Odds, unit: SeenUnit) -> list[Point]:
    """Return places to which Passage could take a unit so that it can charge."""
    near = [enemy for enemy in look.enemies if dist(unit.lead, enemy.lead) < LIFTED + CLEAR]
    prey = sorted(near, key=lambda enemy: -_does(odds, unit, enemy))[:3]
    free = look.free_around(prey, CLEAR + 300, CLEAR, ROOM, _is_bad)
    return [p for p in free if dist(unit.lead, p) < LIFTED - 50]


def _does(odds: Odds, unit: SeenUnit, enemy: SeenUnit) -> float:
    """Return the points that a unit wins by charging or shooting one enemy at short range."""
    struck = worth(enemy, odds.melee(unit, enemy, charging=True))
    return max(struck, worth(enemy, odds.shooting(unit, enemy, 600, holds=False)))


def _is_bad(feature: Feature) -> bool:
    """Tell if a piece is no place for a unit that means to charge."""
    return not feature.line and bool(feature.cover or set(feature.states) & {"impassable", "mined"})
