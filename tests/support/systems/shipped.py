"""The shipped content of the action-card game, read as the server reads it."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import pytest

from engine.core.rules.errors import ContentRefused
from engine.core.rules.system import Setup, own_content
from engine.rulesets.action_cards import system
from engine.rulesets.action_cards.content import content
from engine.rulesets.action_cards.content.content import Content
from engine.rulesets.action_cards.content.schema import ScenarioEntry


def shipped_texts() -> dict[str, str]:
    """Return TOML by file name."""
    folder = files("engine.rulesets.action_cards") / "data"
    return {f.name: f.read_text(encoding="utf-8") for f in sorted(folder.iterdir(), key=lambda f: f.name)}


def faults_with(file: str, old: str, new: str, **more: str) -> tuple[str, ...]:
    """Return the complaints about the shipped content with one passage of a file changed, and `more` files beside it.
    Fails without any."""
    texts = {**shipped_texts(), **more}
    assert old in texts[file], f"{file} has no {old!r}"
    with pytest.raises(ContentRefused) as caught:
        system.content({**texts, file: texts[file].replace(old, new, 1)})
    return caught.value.problems


@cache
def resolved_scenario(scenario: str, turn: int = -1) -> tuple[bytes, int]:
    """Return the resolved content and the number of seats: with the default factions, or with all of them turned
    round."""
    installed = _content()
    info = next(s for s in system.scenarios(installed) if s.id == scenario)
    ids = [faction.id for faction in info.factions]
    factions = tuple(ids[(turn + seat) % len(ids)] if turn >= 0 else "" for seat in range(info.seats))
    return system.setup(installed, Setup(scenario, factions)), info.seats


@cache
def shipped_content() -> Content:
    """Return all of it, read once for all tests of a process."""
    return content.read(shipped_texts())


@cache
def _content() -> object:
    return system.content(shipped_texts())


def shipped_scenario(id: str) -> ScenarioEntry:
    """Return a scenario as it is written."""
    return own_content(_content(), Content).scenarios[id]


def held_for_lessons() -> frozenset[str]:
    """Return the ids of the scenarios that lessons are held at: small, for two, and over soon."""
    return frozenset([plan.lesson.scenario for plan in system.lessons(_content())])


def shipped_scenarios() -> list[str]:
    """Return the ids of all scenarios, those for fewer players too."""
    return [info.id for info in system.scenarios(_content())]
