"""Content of the system: armies, terrain and scenarios from TOML; and the content of one match, by value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import fields

from engine.core.content import content_files
from engine.core.content.content_files import ContentFault, Unread
from engine.core.rules.errors import SetupRefused
from engine.core.rules.implements import implements
from engine.core.rules.lessons import LessonPlan
from engine.core.rules.options import RuleOption, all_values
from engine.core.rules.sides import ALONE, Sides
from engine.core.rules.system import FactionInfo, ScenarioInfo, Setup
from engine.kit.lesson_schema import LessonEntry, lesson_faults, plan_of
from engine.kit.lists.forces import force_of
from engine.kit.scenario.references import is_blind
from engine.rulesets.apocalypse_earth.content import army_checks, scenario_checks
from engine.rulesets.apocalypse_earth.content.armies import Book, book_of
from engine.rulesets.apocalypse_earth.content.army_lists import LISTS, force, muster
from engine.rulesets.apocalypse_earth.content.army_schema import ArmsDocument
from engine.rulesets.apocalypse_earth.content.battle_schema import BattleDocument, GivenForce
from engine.rulesets.apocalypse_earth.content.scenarios import PlayedForm, forms_of
from engine.rulesets.apocalypse_earth.state.model import Options, Resolved, Scenario, Terrain
from engine.rulesets.apocalypse_earth.state.profiles import COMMAND, Force, VehicleProfile
from protocol.text import Text, text


def _option(name: str, *, default: bool) -> RuleOption:
    return RuleOption(name, Text(f"ae.option.{name}"), Text(f"ae.option.{name}.hint"), "flag", default=default)


OPTIONS: Final = tuple([_option(one.name, default=one.default) for one in fields(Options)])
"""AE-GEN-07: what a table may choose."""


class Content(NamedTuple):
    """All content that is installed. `forms`: scenarios in each of their forms, by id."""

    book: Book
    terrain: Mapping[str, Terrain]
    forms: Mapping[str, PlayedForm]
    lessons: tuple[LessonPlan, ...] = ()


class ContentDocument(ArmsDocument, BattleDocument):
    """One content file: arms, men, an army list, terrain, a scenario or a lesson."""

    lesson: LessonEntry | None = None


def read(texts: Mapping[str, str]) -> Content:
    """Parse and check {file name: TOML}. Raises ContentRefused naming file, line, key and reason of every fault."""
    raw, checked = content_files.read(texts, ContentDocument, _complaints)
    found = list(content_files.as_ruled(raw, checked, ContentDocument))
    laid = {row.id: row for document in found for row in document.laid}
    entries = [document.scenario for document in found if document.scenario is not None]
    forms = {form.id: form for entry in entries for form in forms_of(entry, laid)}
    lessons = tuple([plan_of(document.lesson) for document in found if document.lesson is not None])
    terrain = {id: kind for document in found for id, kind in document.terrain.items()}
    return Content(book_of(found), terrain, forms, lessons)


def _complaints(documents: Mapping[str, ContentDocument], unread: Unread) -> Iterator[tuple[str, ContentFault]]:
    yield from army_checks.complaints(documents, unread)
    prices = {
        one.faction.id: {row.id: row.points for row in one.page} | {row.id: row.points for row in one.motor_pool}
        for one in documents.values()
        if one.faction is not None
    }
    yield from scenario_checks.complaints(documents, unread, prices)
    tables = [document.scenario for document in documents.values() if document.scenario is not None]
    forces = {force.id for table in tables for force in table.force} | prices.keys()
    for file, document in documents.items():
        if document.lesson is not None:
            faults = lesson_faults(document.lesson, {one.id for one in tables}, forces, blind=is_blind(unread))
            yield from ((file, fault) for fault in faults)


def scenarios(content: Content) -> list[ScenarioInfo]:
    """Return the playable scenarios in each of their forms."""
    return [_info(content.book, form) for form in content.forms.values()]


def _info(book: Book, form: PlayedForm) -> ScenarioInfo:
    given = [own for own in form.given if own]
    infos = [FactionInfo(own[0].id, Text(own[0].name)) for own in given]
    if len(given) < form.seats:
        infos = [*(FactionInfo(f.id, Text(f.name), tuple(map(Text, f.lines))) for f in book.factions.values()), *infos]
    usual = [own[0].id if own else usual for own, usual in zip(form.given, form.usual, strict=True)]
    plan = form.scenario
    points = () if any(form.given) else tuple([seat.points for seat in plan.seats])
    told = (form.id, Text(plan.name), Text(plan.about), form.seats, tuple(infos), plan.minutes, form.of, tuple(usual))
    return ScenarioInfo(*told, max(points, default=0), sides_of(plan), points if len(set(points)) > 1 else ())


def sides_of(scenario: Scenario) -> Sides:
    """Return the side of each seat; none where each stands alone."""
    sides = scenario.sides
    return sides if len(set(sides)) < len(sides) else ALONE


def setup(content: Content, setup: Setup) -> bytes:
    """Encode the content of one match by value: each seat brings its list or the ready one of its faction, or has what
    the scenario gives. Raises SetupRefused."""
    form = content.forms.get(setup.scenario)
    if form is None:
        raise SetupRefused(text("ae.setup.no-scenario", scenario=setup.scenario))
    if len(setup.factions) != form.seats:
        raise SetupRefused(text("ae.setup.seats", seats=form.seats, given=len(setup.factions)))
    options = Options(**{key: value is True for key, value in all_values(OPTIONS, setup.options).items()})
    lists = setup.lists or ("",) * form.seats
    book = content.book
    forces = [_force(book, form, seat, faction, lists[seat], options) for seat, faction in enumerate(setup.factions)]
    return msgspec.msgpack.encode(_resolved(content, form, forces, options))


@implements("AE-GEN-07")
def _resolved(content: Content, form: PlayedForm, forces: Sequence[Force], options: Options) -> Resolved:
    """Return all content of a match; powers and cards that its options take away are not in it."""
    book, (weapons, abilities, traits, *_) = content.book, content.book.worth
    cards = book.cards if options.support else {}
    powers = {id: one for id, one in book.powers.items() if not one.option or getattr(options, one.option)}
    lasting = (content.terrain, weapons, cards, powers, book.classes, book.damage)
    return Resolved(form.scenario, tuple(forces), *lasting, options, abilities, traits)


def _force(book: Book, form: PlayedForm, seat: int, faction: str, code: str, options: Options) -> Force:
    """Return the force of a seat: what the scenario gives it, whatever was chosen; else of its list, or the ready one
    of its faction. Raises SetupRefused."""
    given, limit = form.given[seat], form.scenario.seats[seat].points
    if given:
        return _given(book, given)
    known = list(book.factions)
    if not faction or any(faction == own[0].id for own in form.given if own):
        faction = form.usual[seat] or known[seat % len(known)]
    own = force_of(LISTS, book, faction, limit, code, muster)
    return own if options.support else _without_support(book, own, chosen=bool(code))


def _given(book: Book, given: Iterable[GivenForce]) -> Force:
    """Return the forces that a scenario gives to one seat, as one."""
    page = book.factions[next(iter(given)).faction]
    named = [one for force in given for one in force.units for _ in range(one.times)]
    units = [profile for one in named if (profile := page.profile(one.id)) is not None]
    return force(book, page, units)


@implements("AE-GEN-07")
def _without_support(book: Book, own: Force, *, chosen: bool) -> Force:
    """Return a force at a table without fire support: a ready one without its cards. Raises SetupRefused where somebody
    chose what does nothing there."""
    command = any(isinstance(unit, VehicleProfile) and unit.has(COMMAND) for unit in own.units)
    if chosen and (own.cards or command):
        raise SetupRefused(text("ae.setup.cards"))
    return force(book, book.factions[own.faction], own.units)
