"""The sums by which figures, units and vehicles have their prices (AE-OPEN-06)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from engine.core.rules.implements import implements
from engine.rulesets.apocalypse_earth.content.army_schema import VehicleEntry
from engine.rulesets.apocalypse_earth.state.profiles import Ability, VehicleProfile, VehicleTrait, Weapon

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
        priced: Mapping[str, Weapon | Ability] = {**self.abilities, **self.weapons}
        return body + fast + sum(priced[id].price for id in gear)

    @implements("AE-OPEN-06")
    def of_vehicle(self, entry: VehicleEntry | VehicleProfile) -> int:
        """Return the price of a vehicle. Raises KeyError for an unknown id."""
        hull = (sum(entry.armour) + 1) // 2 - (-entry.move // (4 * CM)) + entry.places + self.crew[entry.experience]
        arms = sum(self.weapons[id].price for id in entry.weapons)
        return hull + arms + sum(self.traits[id].price for id in entry.traits)
