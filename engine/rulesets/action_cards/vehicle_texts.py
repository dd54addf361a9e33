"""The English catalogue for vehicles, passengers, blast weapons, crewed weapons and organisations."""

from __future__ import annotations

from typing import Final

_NUMBERS: Final = "Move {move} inches; to destroy it: open {open}, cover {cover}, hard cover {building}"

VEHICLES: Final[dict[str, str]] = {
    "sheet.organisation": "{name}: groups of {size}, Move {move} inches",
    "sheet.gun": "{figure}: {crew} to a base; {least} of them fire their gun: {dice}D6, blast {blast}D6",
    "sheet.blast": "{weapon}: {dice}D6 on all under a circle of 6 inches",
    "sheet.vehicle.road": "{figure}, a vehicle for roads and open ground: " + _NUMBERS,
    "sheet.vehicle.off_road": "{figure}, an off-road vehicle: " + _NUMBERS,
    "sheet.vehicle.air": "{figure} flies: " + _NUMBERS,
    "sheet.seats": "{figure}: room for {seats|one figure|{seats} figures}",
    "sheet.aboard": "Aboard: {group}, {figures|one figure|{figures} figures}",
    "refuse.regroup/other-organisation": "That figure belongs to groups of another kind.",
}
