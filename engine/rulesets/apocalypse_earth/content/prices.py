"""The sums by which figures, units and vehicles have their prices (AE-OPEN-06)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from engine.core.rules.implements import implements
from engine.rulesets.apocalypse_earth.content.army_schema import FULL, UnitEntry, VehicleEntry
from engine.rulesets.apocalypse_earth.state.profiles import Ability, VehicleProfile, VehicleTrait, Weapon

USUAL_CCR = 2
USUAL_MOVE = 1200
"""Figures pay for what they have beyond these."""
CM = 100


class Worth(NamedTuple):
    """Everything that has a price of its own: `figure` and `crew` by experience. `rate`: percent of the sums that units
    and vehicles of a faction cost."""

    weapons: Mapping[str, Weapon]
    abilities: Mapping[str, Ability]
    traits: Mapping[str, VehicleTrait]
    figure: Mapping[str, int]
    crew: Mapping[str, int]
    rate: int = FULL

    @implements("AE-OPEN-08")
    def rated(self, points: int) -> int:
        """Return what a unit or vehicle of this sum costs its faction, halves up."""
        return (points * self.rate + FULL // 2) // FULL

    @implements("AE-OPEN-06")
    def of_unit(self, entry: UnitEntry) -> int:
        """Return the price of an infantry unit. Raises KeyError for an unknown id."""
        return self.rated(sum(rank.times * self.of_figure(entry, rank.gear) for rank in entry.figures))

    @implements("AE-OPEN-06")
    def of_figure(self, entry: UnitEntry, gear: Iterable[str]) -> int:
        """Return the sum of a figure of a unit with these weapons and abilities. Raises KeyError for an unknown id."""
        body = self.figure[entry.experience] + max(entry.ccr - USUAL_CCR, 0) + (entry.armour + 1) // 2
        fast = -(-max(entry.move - USUAL_MOVE, 0) // (2 * CM))
        priced: Mapping[str, Weapon | Ability] = {**self.abilities, **self.weapons}
        return body + fast + sum(priced[id].price for id in (*gear, *entry.abilities))

    @implements("AE-OPEN-06")
    def of_vehicle(self, entry: VehicleEntry | VehicleProfile) -> int:
        """Return the price of a vehicle. Raises KeyError for an unknown id."""
        hull = (sum(entry.armour) + 1) // 2 - (-entry.move // (4 * CM)) + entry.places + self.crew[entry.experience]
        arms = sum(self.weapons[id].price for id in entry.weapons)
        return self.rated(hull + arms + sum(self.traits[id].price for id in entry.traits))
