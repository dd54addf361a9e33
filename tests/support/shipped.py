"""The shipped content of the action-card game, read as the server reads it."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from engine.core.system import Setup
from engine.rulesets.action_cards import system


def shipped_texts() -> dict[str, str]:
    """TOML by file name."""
    folder = files("engine.rulesets.action_cards") / "data"
    return {f.name: f.read_text(encoding="utf-8") for f in sorted(folder.iterdir(), key=lambda f: f.name)}


@cache
def resolved_scenario(scenario: str) -> tuple[bytes, int]:
    """The resolved content with the default factions, and the number of seats."""
    content = system.content(shipped_texts())
    seats = next(s.seats for s in system.scenarios(content) if s.id == scenario)
    return system.setup(content, Setup(scenario, ("",) * seats)), seats
