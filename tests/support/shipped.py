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
def resolved_scenario(scenario: str, turn: int = -1) -> tuple[bytes, int]:
    """The resolved content and the number of seats: with the default factions, or with all of them turned round."""
    content = _content()
    info = next(s for s in system.scenarios(content) if s.id == scenario)
    ids = [faction.id for faction in info.factions]
    factions = tuple(ids[(turn + seat) % len(ids)] if turn >= 0 else "" for seat in range(info.seats))
    return system.setup(content, Setup(scenario, factions)), info.seats


@cache
def _content() -> object:
    return system.content(shipped_texts())


def shipped_scenarios() -> list[str]:
    """The ids of all scenarios, those for fewer players too."""
    return [info.id for info in system.scenarios(_content())]
