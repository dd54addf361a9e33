"""The shipped content of One Page Apocalypse, read as the server reads it."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from engine.core.rules.system import Setup
from engine.rulesets.one_page.content.content import Content, read
from engine.rulesets.one_page.system import system


def texts() -> dict[str, str]:
    """Return TOML by path below the data folder."""
    return dict(_below(files("engine.rulesets.one_page") / "data", ""))


def _below(folder: Traversable, above: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        if item.is_dir():
            found += _below(item, f"{above}{item.name}/")
        elif item.name.endswith(".toml"):
            found.append((f"{above}{item.name}", item.read_text(encoding="utf-8")))
    return found


@cache
def content() -> Content:
    """Return all of it, parsed."""
    return read(texts())


@cache
def resolved(scenario: str = "open_field_3000", turn: int = 0) -> bytes:
    """Return the content of a match; `turn` picks the armies that meet."""
    armies = list(content().book.armies)
    chosen = (armies[turn % len(armies)], armies[(turn // len(armies) + turn + 1) % len(armies)])
    return system.setup(content(), Setup(scenario, chosen))


@cache
def mirrored(turn: int = 0) -> bytes:
    """Return the content of a match of an army against itself."""
    army = list(content().book.armies)[turn]
    return system.setup(content(), Setup("crossroads_3000", (army, army)))
