"""The shipped content of Apocalypse: Earth, read as the server reads it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from engine.core.rules.system import Setup
from engine.rulesets.apocalypse_earth.content import content as files
from engine.rulesets.apocalypse_earth.content.army_schema import UnitEntry
from engine.rulesets.apocalypse_earth.content.content import Content
from engine.rulesets.apocalypse_earth.state.model import Resolved
from engine.rulesets.apocalypse_earth.state.profiles import Faction, UnitProfile, VehicleProfile
from protocol.wire.choices import OptionValue

DATA: Final = Path(files.__file__).parents[1] / "data"


def texts() -> dict[str, str]:
    """Return TOML by path below the data folder."""
    return {path.relative_to(DATA).as_posix(): path.read_text("utf-8") for path in sorted(DATA.rglob("*.toml"))}


@cache
def content() -> Content:
    """Return all of it, parsed."""
    return files.read(texts())


def faction(code: str) -> Faction:
    """Return an army list by its two letters."""
    return next(faction for faction in content().book.factions.values() if faction.code == code)


def unit(id: str) -> UnitProfile:
    """Return a unit of the army lists."""
    return faction(id[:2]).units[id]


def vehicle(id: str) -> VehicleProfile:
    """Return a vehicle of the army lists."""
    return faction(id[:2]).vehicles[id]


def unit_entry(**changes: object) -> UnitEntry:
    """Return a unit of a page, of six green riflemen with pistols but for these changes, written as in TOML."""
    numbers = {"experience": "green", "ccr": 2, "move": 12, "points": 30}
    plain = {"id": "WA-09", "name": "Unit", "role": "squad", "figures": ["6 rifleman (PI)"], **numbers}
    return UnitEntry.model_validate(plain | changes)


def resolved(
    scenario: str, *factions: str, lists: tuple[str, ...] = (), options: dict[str, OptionValue] | None = None
) -> Resolved:
    """Return the content of a match of these factions, or of any."""
    chosen = factions or ("",) * content().forms[scenario].seats
    raw = files.setup(content(), Setup(scenario, chosen, lists, options or {}))
    return msgspec.msgpack.decode(raw, type=Resolved)
