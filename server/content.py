"""Finds rule systems by their entry points and reads their content files; the systems parse them."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final

import msgspec

from engine.core.system import ContentProblem, ScenarioInfo, System
from engine.core.texts import ENGLISH as CORE_ENGLISH
from protocol.from_server import Catalogue, FactionChoice, ScenarioChoice, SystemChoice
from protocol.limits import Limits
from protocol.texts import ENGLISH as PROTOCOL_ENGLISH
from server.texts import ENGLISH as SERVER_ENGLISH

GROUP: Final = "eschaton.rulesets"
MOST_BYTES: Final = 4 * 1024 * 1024
RANDOM: Final = "random"


@dataclass
class Installed:
    """A rule system with its parsed content."""

    system: System[Any]
    content: object
    scenarios: Mapping[str, ScenarioInfo]
    _catalogues: dict[str, Catalogue] = field(default_factory=dict)

    def catalogue(self, language: str) -> Catalogue:
        """All texts that a client at a table of this system may meet, in this language, named by content hash."""
        if language not in self._catalogues:
            own = self.system.catalogue(language)
            entries = {**PROTOCOL_ENGLISH, **CORE_ENGLISH, **SERVER_ENGLISH, **own}
            packed = msgspec.msgpack.encode(sorted(entries.items()))
            name = hashlib.blake2b(packed, digest_size=12).hexdigest()
            self._catalogues[language] = Catalogue(self.system.name, language, name, entries)
        return self._catalogues[language]

    def choice(self) -> SystemChoice:
        """What the lobby shows of it."""
        scenarios = tuple(_scenario(info) for info in self.scenarios.values())
        return SystemChoice(self.system.name, self.system.title, scenarios, self.bot_kinds())

    def bot_kinds(self) -> tuple[str, ...]:
        """The system's own bots, and the random player that every system has."""
        return (*self.system.bots, *(() if RANDOM in self.system.bots else (RANDOM,)))


def _scenario(info: ScenarioInfo) -> ScenarioChoice:
    factions = tuple(FactionChoice(f.id, f.name, f.lines) for f in info.factions)
    return ScenarioChoice(info.id, info.name, info.about, info.seats, factions, info.minutes)


def install(system: System[Any], texts: Mapping[str, str]) -> Installed:
    """Parse the content of a system. Raises ContentProblem."""
    content = system.content(texts)
    most = Limits().seats
    crowded = [info for info in system.scenarios(content) if info.seats > most]
    if crowded:
        raise ContentProblem([f"{system.name}: scenario {i.id}: {i.seats} seats; a table has {most}" for i in crowded])
    return Installed(system, content, {info.id: info for info in system.scenarios(content)})


def find_systems(only: Sequence[str] = ()) -> dict[str, System[Any]]:
    """The systems that are installed, by name (of `only`, where it names any). Raises ContentProblem."""
    systems: dict[str, System[Any]] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        if only and point.name not in only:
            continue
        try:
            systems[point.name] = point.load()
        except (ImportError, AttributeError) as problem:
            raise ContentProblem([f"{point.value}: this rule system cannot be loaded: {problem}"]) from problem
    return systems


def load(systems: Iterable[System[Any]], folder: Path | None = None) -> dict[str, Installed]:
    """All systems with the content they bring and, over it, the files in the user's `folder`/<system name>.

    Raises ContentProblem naming file, line, key and reason.
    """
    return {system.name: install(system, texts_of(system, folder)) for system in systems}


def texts_of(system: System[Any], folder: Path | None = None) -> dict[str, str]:
    """{file name: text} of a system's TOML: its package's `data`, then the user's own. Raises ContentProblem."""
    texts: dict[str, str] = {}
    module = sys.modules[type(system).__module__]
    package = module.__name__ if hasattr(module, "__path__") else module.__name__.rpartition(".")[0]
    data = resources.files(package).joinpath("data")
    if data.is_dir():
        packaged = sorted((item for item in data.iterdir() if item.name.endswith(".toml")), key=lambda item: item.name)
        texts |= {item.name: item.read_text("utf-8") for item in packaged}
    own = folder / system.name if folder is not None else None
    if own is not None and own.is_dir():
        texts |= {path.name: _read(path) for path in sorted(own.glob("*.toml"))}
    return texts


def _read(path: Path) -> str:
    if path.stat().st_size > MOST_BYTES:
        raise ContentProblem([f"{path.name}: larger than {MOST_BYTES} bytes; split it"])
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as problem:
        raise ContentProblem([f"{path.name}: byte {problem.start} is not UTF-8; save the file as UTF-8"]) from problem
