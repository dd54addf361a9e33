"""Effects of psychic powers that last until the psychic's unit acts again (AE-OPEN-25)."""

from __future__ import annotations

from typing import Final

from engine.core.rules.implements import implements
from engine.rulesets.apocalypse_earth.state.profiles import COVERS, Cover
from engine.rulesets.apocalypse_earth.state.state import Unit

IRON_FAITH: Final = "iron_faith"
FOG: Final = "fog_of_mind"
SHROUD: Final = "shroud"
FRENZY: Final = "frenzy"
FAR_VOICE: Final = "far_voice"


def has(unit: Unit, power: str) -> bool:
    """Tell if a unit is under the effect of a power."""
    return any(effect.power == power for effect in unit.effects)


@implements("AE-OPEN-25")
def fog(unit: Unit) -> int:
    """Return what Fog of mind adds to the number that a unit needs to hit."""
    return int(has(unit, FOG))


@implements("AE-OPEN-25", "AE-FIRE-06")
def shrouded(unit: Unit, cover: Cover) -> Cover:
    """Return the cover of a unit's figure: one step better under Shroud, hard at most."""
    return COVERS[min(COVERS.index(cover) + has(unit, SHROUD), len(COVERS) - 1)]
