"""The sums by which figures, units and vehicles have their prices (AE-OPEN-06)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from engine.core.rules.implements import implements
from engine.rulesets.apocalypse_earth.state.profiles import Ability, Armour, VehicleTrait, Weapon

USUAL_CCR = 2
USUAL_MOVE = 1200
"""Figures pay for what they have beyond these."""
CM = 100


class Worth(NamedTuple):
    """Everything that has a price of its own: `figure` and `crew` by experience."""

    weapons: Mapping[str, Weapon]
    abilities: Mapping[str, Ability]
    traits: Mapping[str, VehicleTrait]
    figure: Mapping[str, int]
    crew: Mapping[str, int]

    @implements("AE-OPEN-06")
    def of_figure(self, experience: str, ccr: int, move: int, armour: int, gear: Iterable[str]) -> int:
        """Return the price of a figure with these weapons and abilities. Raises KeyError for an unknown id."""
        body = self.figure[experience] + max(ccr - USUAL_CCR, 0) + (armour + 1) // 2
        fast = -(-max(move - USUAL_MOVE, 0) // (2 * CM))
        return body + fast + sum(self.of_gear(id) for id in gear)

    def of_gear(self, id: str) -> int:
        """Return the price of a weapon or an ability. Raises KeyError for an unknown id."""
        return self.weapons[id].price if id in self.weapons else self.abilities[id].price

    @implements("AE-OPEN-06")
    def of_vehicle(
        self,
        experience: str,
        armour: Armour,
        move: int,
        places: int,
        weapons: Iterable[str],
        traits: Collection[str],
    ) -> int:
        """Return the price of a vehicle. Raises KeyError for an unknown id."""
        hull = (sum(armour) + 1) // 2 - (-move // (4 * CM)) + places + self.crew[experience]
        arms = sum(self.weapons[id].price for id in weapons)
        return hull + arms + sum(self.traits[id].price for id in traits)
