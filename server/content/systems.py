"""Rule systems, found by their entry points, with their content files; the systems parse these."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib import resources
from importlib.metadata import entry_points
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

import msgspec

from engine.core.match.rule_code import UNNAMED, RuleCode
from engine.core.rules import options
from engine.core.rules.errors import ContentRefused
from engine.core.rules.lessons import LessonPlan
from engine.core.rules.options import RuleOption, options_of
from engine.core.rules.sides import fault_of
from engine.core.rules.system import ScenarioInfo, System
from engine.core.view.texts import ENGLISH as CORE_ENGLISH
from protocol import words
from protocol.english import ENGLISH as PROTOCOL_ENGLISH
from protocol.limits import Limits
from protocol.scene.cue_templates import CatalogueTemplate
from protocol.text import Text
from protocol.wire.choices import FactionChoice, OptionChoice, ScenarioChoice, SystemChoice, ValueChoice
from protocol.wire.from_server import Catalogue
from server.content.content_folder import read_folder
from server.content.lesson_checks import lesson_faults
from server.content.scenario_checks import unplayable_scenarios
from server.runtime.errors import CommandError
from server.runtime.rule_code import code_of, package_of
from server.runtime.texts import ENGLISH as SERVER_ENGLISH

GROUP: Final = "eschaton.rulesets"
RANDOM: Final = "random"
SHARED: Final = {"protocol": PROTOCOL_ENGLISH, "engine.core.view": CORE_ENGLISH, "server.runtime": SERVER_ENGLISH}
"""Texts that all systems have, by the package whose folders hold them in other languages."""


@dataclass
class Installed:
    """A rule system with its parsed content; `code`: its rule code by name, where changes of it matter."""

    system: System[Any]
    content: object
    scenarios: Mapping[str, ScenarioInfo]
    code: RuleCode = UNNAMED
    lessons: Mapping[str, LessonPlan] = field(default_factory=dict)
    _catalogues: dict[str, Catalogue] = field(default_factory=dict)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that some of its texts are in, English first."""
        others = {*self.system.languages, *(code for package in SHARED for code in words.languages_of(package))}
        return (words.ENGLISH, *sorted(others - {words.ENGLISH}))

    def catalogue(self, language: str) -> Catalogue:
        """Return all texts that a client of this system may need, and the forms of its cues: in this language, line by
        line in English where it has none in that.

        It is named by its content hash.
        """
        if language not in self.languages:
            language = words.ENGLISH
        if language not in self._catalogues:
            own = self.system.catalogue(language)
            shared = [{**english, **words.words_in(language, package)} for package, english in SHARED.items()]
            entries = {key: line for part in (*shared, own) for key, line in part.items()}
            forms = tuple(CatalogueTemplate(form.id, form.template) for form in self.system.cue_templates)
            packed = msgspec.msgpack.encode((sorted(entries.items()), [form.id for form in forms]))
            name = hashlib.blake2b(packed, digest_size=12).hexdigest()
            self._catalogues[language] = Catalogue(self.system.name, language, name, entries, forms)
        return self._catalogues[language]

    def choice(self) -> SystemChoice:
        """Return the system as the lobby lists it."""
        scenarios = tuple(_scenario(info) for info in self.scenarios.values())
        options = tuple(map(_option, self.system.options))
        lessons = tuple([plan.lesson for plan in self.lessons.values()])
        return SystemChoice(self.system.name, self.system.title, scenarios, self.bot_kinds(), options, lessons)

    def options_of(self, scenario: str) -> tuple[RuleOption, ...]:
        """Return the options that a scenario has."""
        info = self.scenarios.get(scenario)
        return options_of(self.system.options, scenario, info.form_of if info is not None else "")

    def bot_kinds(self) -> tuple[str, ...]:
        """Return the system's own bots, and the random player that every system has."""
        return (*self.system.bots, *(() if RANDOM in self.system.bots else (RANDOM,)))

    def stand_in(self) -> str:
        """Return the kind of bot that plays for an absent person.

        Of the system's own kinds that is the middle one, which is no beginner, and quicker than the best; the random
        player where there are none.
        """
        own = tuple(self.system.bots)
        return own[len(own) // 2] if own else RANDOM


def scenario_in(systems: Mapping[str, Installed], system: str, scenario: str) -> ScenarioInfo | None:
    """Return a scenario of a system, None where one of them is not installed (any more)."""
    installed = systems.get(system)
    return installed.scenarios.get(scenario) if installed is not None else None


def scenario_name(info: ScenarioInfo | None, scenario: str) -> Text:
    """Return the name of a scenario for players, its id where it is not installed."""
    return info.name if info is not None else Text(scenario)


def _option(option: RuleOption) -> OptionChoice:
    values = tuple(ValueChoice(choice.id, choice.name) for choice in option.choices)
    about = option.key, option.name, option.hint, option.kind, option.default
    return OptionChoice(*about, option.low, option.high, values, option.scenarios)


def _scenario(info: ScenarioInfo) -> ScenarioChoice:
    factions = tuple(FactionChoice(f.id, f.name, f.lines) for f in info.dealt_first)
    return ScenarioChoice(
        info.id, info.name, info.about, info.seats, factions, info.minutes, info.form_of, info.points, info.sides
    )


def install(system: System[Any], texts: Mapping[str, str]) -> Installed:
    """Parse the content of a system. Raises ContentRefused."""
    installed, faults = _parsed(system, texts)
    if faults:
        raise ContentRefused(faults)
    return installed


def _parsed(system: System[Any], texts: Mapping[str, str]) -> tuple[Installed, list[str]]:
    """Return a system with its content, and everything in it that cannot be played; scenarios among that are left out.
    Raises ContentRefused where the content cannot be read."""
    content = system.content(texts)
    scenarios = {info.id: info for info in system.scenarios(content)}
    lessons = {plan.lesson.id: plan for plan in system.lessons(content)}
    odd = {id: [*_seat_faults(info)] for id, info in scenarios.items()}
    faults = [f"scenario {id}: {fault}" for id, found in odd.items() for fault in found]
    faults += [fault for option in system.options if (fault := options.fault_of(option))]
    faults += [fault for plan in lessons.values() for fault in lesson_faults(system, content, plan, scenarios)]
    fit = {id: info for id, info in scenarios.items() if not odd[id]}
    return Installed(system, content, fit, lessons=lessons), [f"{system.name}: {fault}" for fault in faults]


def _seat_faults(info: ScenarioInfo) -> Iterator[str]:
    most = Limits().seats
    if info.seats > most:
        yield f"{info.seats} seats; a table has {most}"
    if fault := fault_of(info.sides, info.seats):
        yield fault


def own_faults(system: System[Any], shipped: Mapping[str, str], own: Mapping[str, str]) -> list[str]:
    """Return a line for everything that is wrong with a user's own files of a system, in one round.

    Where files have faults the others are tried without them, and without those that need them: what can be set up, and
    what lessons ask for.
    """
    told: list[str] = []
    kept = dict(own)
    while kept:
        try:
            installed, faults = _parsed(system, {**shipped, **kept})
        except ContentRefused as refused:
            told = told or list(refused.problems)
            named = {file for file in kept if any(line.startswith(f"{file}:") for line in refused.problems)}
            kept = {file: text for file, text in kept.items() if file not in named} if named else {}
        else:
            return told + faults + unplayable_scenarios(installed, install(system, shipped))
    return told


def find_systems(only: Sequence[str] = ()) -> dict[str, System[Any]]:
    """Return the installed systems by name (of `only`, where it names any). Raises ContentRefused."""
    systems: dict[str, System[Any]] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        if only and point.name not in only:
            continue
        try:
            systems[point.name] = point.load()
        except (ImportError, AttributeError) as problem:
            raise ContentRefused([f"{point.value}: this rule system cannot be loaded: {problem}"]) from problem
    return systems


def installed_names() -> frozenset[str]:
    """Return the names of the installed systems, without loading any."""
    return frozenset([point.name for point in entry_points(group=GROUP)])


@contextmanager
def faults_told() -> Iterator[None]:
    """Raise CommandError with all faults of content that is refused within the block."""
    try:
        yield
    except ContentRefused as problem:
        raise CommandError("Content that cannot be used:\n  " + "\n  ".join(problem.problems), 1) from problem


def import_path_of(system: System[Any]) -> str:
    """Return where another process finds this rule system, MODULE:NAME: its entry point, else its class, to be made
    without arguments."""
    for point in entry_points(group=GROUP):
        if point.name == system.name and point.load() is system:
            return point.value
    return f"{type(system).__module__}:{type(system).__qualname__}"


def load(systems: Iterable[System[Any]], folder: Path | None = None) -> dict[str, Installed]:
    """Load all systems with the content they bring, and the user's own files in `folder`/<system name> beside it.

    Each has its rule code by name. Raises ContentRefused with every fault of every file: file, line, key and reason.
    """
    found = {system.name: system for system in systems}
    own: dict[str, dict[str, str]] = {}
    problems: list[str] = []
    if folder is not None:
        # files of a system that is not asked for are in their place all the same
        known = {*found, *installed_names()}
        own, unread = read_folder(folder, known, Limits())
        problems += unread
    installed: dict[str, Installed] = {}
    for name, system in found.items():
        try:
            shipped = texts_of(system)
            faults = own_faults(system, shipped, own[name]) if name in own else []
            problems += faults
            if not faults:
                installed[name] = replace(install(system, {**shipped, **own.get(name, {})}), code=code_of(system))
        except ContentRefused as problem:
            problems += problem.problems
    if problems:
        raise ContentRefused(problems)
    return installed


def texts_of(system: System[Any]) -> dict[str, str]:
    """Return {path: text} of the TOML files in the `data` folder of a system's package, and in folders there."""
    data = resources.files(package_of(system)).joinpath("data")
    return dict(sorted(_texts_in(data, ""))) if data.is_dir() else {}


def _texts_in(folder: Traversable, above: str) -> Iterator[tuple[str, str]]:
    """Yield path below the data folder, and text, of every TOML file in it and its folders."""
    for item in folder.iterdir():
        if item.is_dir():
            yield from _texts_in(item, f"{above}{item.name}/")
        elif item.name.endswith(".toml"):
            yield f"{above}{item.name}", item.read_text("utf-8")
