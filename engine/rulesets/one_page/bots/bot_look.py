"""Units as a bot reads them off their cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.core.bots.bot import BotView
from engine.kit.bots.look import GroupSeen, TableLook, parts_of


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
