"""Content of the system: armies (armies.py), terrain, powers and tables from TOML; and the content of one match, by
value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Final, NamedTuple

import msgspec
from msgspec.structs import replace
from pydantic import Field

from engine.core.content import content_files
from engine.core.content.content_files import ContentFault, Unread, defined_twice
from engine.core.content.unsound import part, sound
from engine.core.rules.errors import SetupRefused
from engine.core.rules.implements import implements
from engine.core.rules.lessons import LessonPlan
from engine.core.rules.options import RuleOption, all_values
from engine.core.rules.system import FactionInfo, ScenarioInfo, Setup
from engine.kit.lesson_schema import LessonEntry, lesson_faults, plan_of
from engine.kit.lists.forces import force_of
from engine.kit.scenario.references import defined, is_blind, not_among, own_ids, unknown
from engine.kit.scenario.seats import seat_faults
from engine.kit.terrain.checks import barrier_kinds, outlined_faults
from engine.kit.values import Keyed
from engine.rulesets.one_page.content import armies, army_checks, army_schema, laying
from engine.rulesets.one_page.content.army_lists import LISTS, muster
from engine.rulesets.one_page.state.model import SEATS, Power, Resolved, Scenario, Terrain
from protocol.text import Text, text

PIECES: Final = 15
"""OP-SETUP-02: the least number of pieces of terrain."""
IN_SIDES: Final = ":sides"
"""The end of the id of a scenario's form in sides."""
OPTIONS: Final = (
    RuleOption("assault_out", text("op.option.assault-out"), text("op.option.assault-out.hint"), "flag", default=False),
)
"""OP-TERR-01: what a table may choose."""
EFFECTS: Final = ("hits", "lasting", "haste", "whispers", "clear_mind", "passage")
"""Kinds of effects of psychic powers (psychic.py carries them out)."""
ARMY_TABLES: Final = frozenset(army_schema.Document.model_fields) - {"rule", "rules"}


class Content(NamedTuple):
    """All content that is installed."""

    book: armies.Book
    terrain: Mapping[str, Terrain]
    powers: tuple[Power, ...]
    scenarios: Mapping[str, Scenario]
    lessons: tuple[LessonPlan, ...] = ()


class ContentDocument(army_schema.Document):
    """One content file: armies, or terrain ([terrain.ID]), psychic powers ([power.ID]), a table or a lesson."""

    terrain: Annotated[Keyed[Terrain], Field(default_factory=dict)]
    power: Annotated[Keyed[Power], Field(default_factory=dict)]
    scenario: Scenario | None = None
    lesson: LessonEntry | None = None


def read(texts: Mapping[str, str]) -> Content:
    """Parse and check {file name: TOML}. Raises ContentRefused naming file, line, key and reason of every fault."""
    raw, checked = content_files.read(texts, ContentDocument, _all_complaints)
    found = list(content_files.as_ruled(raw, checked, ContentDocument))
    terrain = {id: kind for document in found for id, kind in document.terrain.items()}
    powers = tuple([power for document in found for power in document.power.values()])
    scenarios = {document.scenario.id: document.scenario for document in found if document.scenario is not None}
    lessons = tuple([plan_of(document.lesson) for document in found if document.lesson is not None])
    return Content(armies.book_of(found), terrain, powers, scenarios, lessons)


def _all_complaints(documents: Mapping[str, ContentDocument], unread: Unread) -> Iterator[tuple[str, ContentFault]]:
    ours = {file: one for file, one in documents.items() if ARMY_TABLES & one.model_fields_set}
    yield from army_checks.complaints(ours, [values for values in unread if ARMY_TABLES & values.keys()])
    rest = {file: one for file, one in documents.items() if file not in ours}
    yield from complaints(rest, [values for values in unread if not ARMY_TABLES & values.keys()])
    scenarios, known = [defined(table, documents.values(), unread, single=True) for table in ("scenario", "army")]
    lessons = {file: one.lesson for file, one in documents.items() if one.lesson is not None}
    blind = is_blind(unread, documents.values())
    for file, lesson in lessons.items():
        faults = sound(lesson_faults(lesson, scenarios.keys(), known.keys(), blind=blind))
        yield from ((file, fault) for fault in faults)


@implements("OP-SETUP-02", "OP-OPEN-15")
def complaints(documents: Mapping[str, ContentDocument], unread: Unread) -> Iterator[tuple[str, ContentFault]]:
    """Yield problems that the schema cannot see: unknown kinds and effects, too little terrain, outlines that cross."""
    kinds = barrier_kinds(documents.values(), unread)
    blind = is_blind(unread, documents.values())
    for file, document in documents.items():
        powers = [
            not_among(("power", id, "effect"), part(power, "effect"), EFFECTS) for id, power in document.power.items()
        ]
        table = () if document.scenario is None else _scenario_problems(document.scenario, kinds, blind=blind)
        for fault in sound(*powers, table):
            yield file, fault
    tables = ("terrain", "power", "scenario", "lesson")
    yield from defined_twice({file: own_ids(document, *tables) for file, document in documents.items()})


def _scenario_problems(entry: Scenario, kinds: Mapping[str, bool], *, blind: bool) -> Iterator[ContentFault]:
    features = outlined_faults(("scenario", "feature"), entry.features, entry.size, kinds, blind=blind)
    yield from sound(_number(entry), features, _lots(entry, kinds, blind=blind))


def _lots(entry: Scenario, kinds: Mapping[str, bool], *, blind: bool) -> Iterator[ContentFault]:
    for place, lot in enumerate(entry.lots):
        here = ("scenario", "lot", place, "kind")
        yield from sound(unknown(here, "terrain", (part(lot, "kind"),), kinds.keys(), blind=blind))


def _number(entry: Scenario) -> Iterator[ContentFault]:
    laid = sum(lot.count for lot in entry.lots)
    pieces = len(entry.features) + laid
    if pieces < PIECES:
        yield ContentFault(("scenario", "feature"), f"{pieces} pieces of terrain: a table has {PIECES} or more")
    if laid > laying.COLUMNS * laying.ROWS:
        yield ContentFault(("scenario", "lot"), f"the dice lay at most {laying.COLUMNS * laying.ROWS} pieces")
    if entry.sides:
        yield from seat_faults(("scenario",), len(entry.sides), entry.sides)
    if entry.lots and entry.features:
        yield ContentFault(("scenario", "lot"), "a table is laid by hand or by the dice, not both")


def scenarios(content: Content) -> list[ScenarioInfo]:
    """Return the playable scenarios: every table, with any army on either side, and those for two against two."""
    factions = tuple([FactionInfo(a.id, Text(a.name), tuple(map(Text, a.lines))) for a in content.book.armies.values()])
    return [
        ScenarioInfo(
            id,
            Text(one.name),
            Text(one.about),
            len(one.sides) or SEATS,
            factions,
            one.minutes,
            form_of=one.id if one.sides else "",
            points=one.points,
            sides=one.sides,
        )
        for id, one in _forms(content).items()
    ]


def _forms(content: Content) -> dict[str, Scenario]:
    """Return the scenarios as they are played, by the id of the form: each seat alone, then in sides, where each has
    half of the points."""
    tables = content.scenarios.values()
    alone = {one.id: replace(one, sides=()) for one in tables}
    return alone | {one.id + IN_SIDES: replace(one, points=one.points // 2) for one in tables if one.sides}


def setup(content: Content, setup: Setup) -> bytes:
    """Encode the content of one match by value: each seat brings its list, or the ready one of its army. Raises
    SetupRefused."""
    scenario = _forms(content).get(setup.scenario)
    if scenario is None:
        raise SetupRefused(text("op.setup.no-scenario", scenario=setup.scenario))
    seats = len(scenario.sides) or SEATS
    if len(setup.factions) != seats:
        raise SetupRefused(text("op.setup.seats", seats=seats, given=len(setup.factions)))
    known = list(content.book.armies)
    lists = setup.lists or ("",) * seats
    chosen = [faction or known[seat % len(known)] for seat, faction in enumerate(setup.factions)]
    brought = [
        force_of(LISTS, content.book, army, scenario.points, code, muster)
        for army, code in zip(chosen, lists, strict=True)
    ]
    whole = [id for a in content.book.armies.values() for id, row in a.upgrades.items() if not row.models]
    terrain = dict(content.terrain)
    assault_out = all_values(OPTIONS, setup.options)["assault_out"] is True
    resolved = Resolved(scenario, tuple(brought), terrain, content.powers, tuple(whole), assault_out)
    return msgspec.msgpack.encode(resolved)
