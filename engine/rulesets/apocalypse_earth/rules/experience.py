"""Checks that a unit's experience spares it (AE-EXP)."""

from __future__ import annotations

from typing import Final

from engine.core.rules.implements import implements
from engine.rulesets.apocalypse_earth.rules import traits
from engine.rulesets.apocalypse_earth.state.state import Battle, Unit

GREEN: Final = "green"
VETERAN: Final = "veteran"


def _of(state: Battle, unit: Unit) -> str:
    return state.profile(unit).experience


@implements("AE-EXP-01", "AE-EXP-02", "AE-EXP-03")
def checks_losses(state: Battle, unit: Unit, *, led_no_more: bool) -> bool:
    """Tell if casualties, or a lost round of close combat, call for a check. `led_no_more`: it has just lost its
    leader."""
    match _of(state, unit):
        case "experienced":
            return unit.lost > 1 or led_no_more or (unit.lost > 0 and unit.strength <= 2)
        case "veteran":
            return unit.lost > 0 and 2 * unit.lost >= unit.strength
    return True


@implements("AE-EXP-01", "AE-EXP-02", "AE-EXP-03")
def checks_charge(state: Battle, unit: Unit, chargers: int) -> bool:
    """Tell if a charge by so many figures calls for a check: of veterans only by twice their number."""
    return _of(state, unit) != VETERAN or chargers >= 2 * len(unit.figures)


@implements("AE-EXP-01", "AE-EXP-02", "AE-EXP-03")
def checks_coherency(state: Battle, unit: Unit) -> bool:
    """Tell if figures out of coherency check: those of green units alone."""
    return not traits.drives(state, unit) and _of(state, unit) == GREEN
