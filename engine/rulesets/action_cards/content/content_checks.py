"""Checks of all files beyond the schema: references between entries, shapes, places on the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from engine.core.content.content_files import ContentFault, Unread, defined_twice
from engine.core.content.toml_source import Loc
from engine.core.content.unsound import sound
from engine.kit.lesson_schema import lesson_faults
from engine.kit.scenario.references import not_among, own_ids, unknown
from engine.kit.terrain.checks import layout_faults
from engine.rulesets.action_cards.content.faction_checks import faction_faults
from engine.rulesets.action_cards.content.known_names import Known
from engine.rulesets.action_cards.content.scenario_checks import scenario_faults
from engine.rulesets.action_cards.content.schema import Document, MapEntry
from engine.rulesets.action_cards.rules.special_events.event_choices import GROUPS, SEATS
from engine.rulesets.action_cards.rules.special_events.event_play import KINDS as KINDS_OF_EFFECTS
from engine.rulesets.action_cards.state.model import Effect

TABLES: Final = ("terrain", "event", "map", "faction", "scenario", "lesson")


def complaints(documents: Mapping[str, Document], unread: Unread) -> Iterator[tuple[str, ContentFault]]:
    """Yield everything that is wrong with these files, by file."""
    known = Known.of(documents.values(), unread)
    for file, document in documents.items():
        for fault in sound(*_document(document, known)):
            yield file, fault
    yield from defined_twice({file: own_ids(document, *TABLES) for file, document in documents.items()})


def _document(document: Document, known: Known) -> Iterator[Iterator[ContentFault]]:
    yield _events(document, known)
    if document.map is not None:
        yield _map(document.map, known)
    if document.faction is not None:
        yield faction_faults(document.faction)
    if document.scenario is not None:
        yield scenario_faults(document.scenario, known)
    if document.lesson is not None:
        yield lesson_faults(document.lesson, known.scenarios, known.factions, blind=known.blind)
    if not document.model_fields_set - {"rule", "rules"}:
        known_tables = "[terrain.ID], [event.ID], [map], [faction], [scenario], [lesson]"
        yield iter([ContentFault((), f"the file holds none of {known_tables}")])


def _map(own: MapEntry, known: Known) -> Iterator[ContentFault]:
    yield from layout_faults("map", own.feature, own.zone, own.size, known.kinds, blind=known.blind)


def _events(document: Document, known: Known) -> Iterator[ContentFault]:
    for id, event in document.event.items():
        for place, effect in enumerate(event.effects):
            yield from sound(*_effect(("event", id, "effect", place), effect, known))


def _effect(here: Loc, effect: Effect, known: Known) -> Iterator[Iterator[ContentFault]]:
    for key, possible in (("kind", KINDS_OF_EFFECTS), ("who", SEATS), ("by", SEATS), ("groups", GROUPS)):
        yield not_among((*here, key), getattr(effect, key), possible)
    yield unknown((*here, "terrain"), "terrain", effect.terrain, known.kinds.keys(), blind=known.blind)
    yield _dice(here, effect)
    yield _danger(here, effect)


def _dice(here: Loc, effect: Effect) -> Iterator[ContentFault]:
    if effect.kind in ("strike", "collapse", "danger", "monster") and not effect.dice:
        yield ContentFault((*here, "dice"), f"{effect.kind} needs dice")


def _danger(here: Loc, effect: Effect) -> Iterator[ContentFault]:
    if effect.kind == "danger" and not effect.radius:
        yield ContentFault((*here, "radius"), "a danger needs a radius")
    if effect.kind == "monster" and not (effect.kill and effect.base > 0):
        lacks = "kill" if effect.base > 0 else "base"
        yield ContentFault((*here, lacks), "a monster needs a kill number and a base")
    if effect.kind == "monster" and effect.radius <= effect.base + 50:
        yield ContentFault((*here, "radius"), "a monster reaches farther than half an inch beyond its base")
