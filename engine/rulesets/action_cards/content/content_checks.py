"""Checks beyond the schema: references between entries, shapes, places on the table."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from typing import Final, NamedTuple

from engine.core.content.content_files import ContentFault, Unread, defined_twice, used_twice
from engine.core.content.toml_source import Loc
from engine.kit.lesson_schema import lesson_faults
from engine.kit.scenario.references import defined, is_blind, not_among, own_ids, unknown
from engine.kit.terrain.checks import layout_faults, on_table
from engine.rulesets.action_cards.content import playable
from engine.rulesets.action_cards.content.content_forces import force_faults
from engine.rulesets.action_cards.content.schema import ConditionEntry, Document, FactionEntry, MapEntry, ScenarioEntry
from engine.rulesets.action_cards.rules.scenario.conditions import KINDS
from engine.rulesets.action_cards.rules.special_actions.specials import CHANGING, EFFECTS
from engine.rulesets.action_cards.rules.special_events.event_choices import GROUPS, SEATS
from engine.rulesets.action_cards.rules.special_events.event_play import KINDS as KINDS_OF_EFFECTS
from engine.rulesets.action_cards.state.model import EventCard, Special
from engine.rulesets.action_cards.text.texts import ENGLISH

TABLES: Final = ("terrain", "event", "map", "faction", "scenario", "lesson")
LEAST_SEATS: Final = 2
MOST_SEATS: Final = 6
MOST_FIGURES: Final = 60


class Known(NamedTuple):
    """Names that other files may use: kinds of terrain (by id; whether they are barriers), factions, maps (None where
    one has faults), events, scenarios. `blind`: a file could not be read at all, and might define anything."""

    kinds: Mapping[str, bool]
    factions: Set[str]
    maps: Mapping[str, MapEntry | None]
    events: Set[str]
    scenarios: Set[str]
    blind: bool

    @classmethod
    def of(cls, documents: Collection[Document], unread: Unread) -> Known:
        kinds = {id: _is_line(kind) for id, kind in defined("terrain", documents, unread).items()}
        maps = defined("map", documents, unread, single=True)
        return cls(
            kinds,
            defined("faction", documents, unread, single=True).keys(),
            {id: table if isinstance(table, MapEntry) else None for id, table in maps.items()},
            defined("event", documents, unread).keys(),
            defined("scenario", documents, unread, single=True).keys(),
            is_blind(unread),
        )


def _is_line(kind: object) -> bool:
    return kind.get("line") is True if isinstance(kind, dict) else getattr(kind, "line", False)


def complaints(documents: Mapping[str, Document], unread: Unread) -> Iterator[tuple[str, ContentFault]]:
    """Yield everything that is wrong with these files, by file."""
    known = Known.of(documents.values(), unread)
    faults = [(file, fault) for file, document in documents.items() for fault in _document(document, known)]
    faults += defined_twice({file: own_ids(document, *TABLES) for file, document in documents.items()})
    yield from faults
    if not faults and not unread:
        yield from _unplayable(documents, known)


def _unplayable(documents: Mapping[str, Document], known: Known) -> Iterator[tuple[str, ContentFault]]:
    """Yield problems that only sound files can be checked for, with the maps and terrain of others."""
    terrain = {id: kind for document in documents.values() for id, kind in document.terrain.items()}
    factions = [document.faction for document in documents.values() if document.faction is not None]
    forces = {one.id: sum(squad.count * len(squad.figures) for squad in one.squad) for one in factions}
    for file, document in documents.items():
        if document.scenario is not None:
            scenario = document.scenario.laid_on(known.maps.get(document.scenario.map))
            yield from ((file, fault) for fault in playable.problems(scenario, terrain, forces))


def _document(document: Document, known: Known) -> Iterator[ContentFault]:
    for id, event in document.event.items():
        yield from _event(("event", id, "effect"), event, known)
    if document.map is not None:
        own = document.map
        yield from layout_faults("map", own.feature, own.zone, own.size, known.kinds, blind=known.blind)
    if document.faction is not None:
        yield from _faction(document.faction)
    if document.scenario is not None:
        yield from _scenario(document.scenario, known)
        yield from _suggestions(document.scenario, known)
        yield from _mix(document.scenario, known)
    if document.lesson is not None:
        yield from lesson_faults(document.lesson, known.scenarios, known.factions, blind=known.blind)
    if not document.model_fields_set - {"rule", "rules"}:
        known_tables = "[terrain.ID], [event.ID], [map], [faction], [scenario], [lesson]"
        yield ContentFault((), f"the file holds none of {known_tables}")


def _event(loc: Loc, event: EventCard, known: Known) -> Iterator[ContentFault]:
    for place, effect in enumerate(event.effects):
        here = (*loc, place)
        for key, possible in (("kind", KINDS_OF_EFFECTS), ("who", SEATS), ("by", SEATS), ("groups", GROUPS)):
            yield from not_among((*here, key), getattr(effect, key), possible)
        yield from unknown((*here, "terrain"), "terrain", effect.terrain, known.kinds.keys(), blind=known.blind)
        if effect.kind in ("strike", "collapse", "danger", "monster") and not effect.dice:
            yield ContentFault((*here, "dice"), f"{effect.kind} needs dice")
        if effect.kind == "danger" and not effect.radius:
            yield ContentFault((*here, "radius"), "a danger needs a radius")
        if effect.kind == "monster" and not (effect.kill and effect.base > 0):
            lacks = "kill" if effect.base > 0 else "base"
            yield ContentFault((*here, lacks), "a monster needs a kill number and a base")
        if effect.kind == "monster" and effect.radius <= effect.base + 50:
            yield ContentFault((*here, "radius"), "a monster reaches farther than half an inch beyond its base")


def _mix(scenario: ScenarioEntry, known: Known) -> Iterator[ContentFault]:
    yield from unknown(("scenario", "events"), "event", scenario.events, known.events, blind=known.blind)
    for id in sorted({id for id in scenario.events if scenario.events.count(id) > 1}):
        yield ContentFault(("scenario", "events"), f"{id} is named twice")


def _faction(faction: FactionEntry) -> Iterator[ContentFault]:
    yield from used_twice(("faction", "weapon"), [weapon.id for weapon in faction.weapon])
    yield from used_twice(("faction", "figure"), [figure.id for figure in faction.figure])
    yield from _specials(("faction", "special"), faction.special, None)
    weapons = {weapon.id for weapon in faction.weapon}
    figures = {figure.id: figure for figure in faction.figure}
    for place, figure in enumerate(faction.figure):
        yield from unknown(("faction", "figure", place, "weapons"), "weapon", figure.weapons, weapons)
        if figure.base <= 0:
            yield ContentFault(("faction", "figure", place, "base"), "a base is wider than nothing")
    for place, squad in enumerate(faction.squad):
        here = ("faction", "squad", place, "figures")
        yield from unknown(here, "figure", squad.figures, figures.keys())
        for id, figure in figures.items():
            if squad.figures.count(id) % figure.crew:
                yield ContentFault(here, f"{id} stand {figure.crew} to a base: name them so many at a time")
    for place, trait in enumerate(faction.traits):
        if f"trait.{trait}" not in ENGLISH:
            yield ContentFault(("faction", "traits", place), f"no trait is called {trait}")
    figures_in_all = sum(squad.count * len(squad.figures) for squad in faction.squad)
    if figures_in_all > MOST_FIGURES:
        yield ContentFault(("faction", "squad"), f"a force of {figures_in_all} figures: {MOST_FIGURES} at most")
    if not faction.squad:
        yield ContentFault(("faction", "squad"), "a faction needs at least one squad")
    yield from force_faults(faction)


def _scenario(written: ScenarioEntry, known: Known) -> Iterator[ContentFault]:
    if bool(written.map) == any(written.size):
        yield ContentFault(("scenario",), "give the table in one way: a size of its own, or a map")
        return
    table = known.maps.get(written.map)
    if written.map:
        yield from unknown(("scenario", "map"), "map", (written.map,), known.maps.keys(), blind=known.blind)
        if table is None:
            return
    scenario = written.laid_on(table)
    places = ("scenario", written.feature, written.zone)
    yield from layout_faults(*places, scenario.size, known.kinds, blind=known.blind)
    for name in ("feature", "zone"):
        taken = {entry.id for entry in getattr(table, name, ())}
        for place, entry in enumerate(getattr(written, name)):
            if entry.id in taken:
                yield ContentFault(("scenario", name, place, "id"), f"the map has {entry.id} already")
    features = {feature.id for feature in scenario.feature}
    yield from _specials(("scenario", "special"), scenario.special, features)
    if not LEAST_SEATS <= len(scenario.role) <= MOST_SEATS:
        yield ContentFault(("scenario", "role"), f"a scenario has {LEAST_SEATS} to {MOST_SEATS} roles")
    for place, role in enumerate(scenario.role):
        if not on_table(role.start, scenario.size):
            yield ContentFault(("scenario", "role", place, "start"), "the start zone reaches beyond the table")
        for number, reserve in enumerate(role.reserve):
            if not on_table(reserve.start or role.start, scenario.size):
                here = ("scenario", "role", place, "reserve", number, "start")
                yield ContentFault(here, "the place where they come on reaches beyond the table")
        yield from _conditions(("scenario", "role", place, "condition"), role.condition, scenario)
        reachable = sum(c.points for c in role.condition) + _best_secrets(scenario, role.secrets)
        if reachable < role.win:
            yield ContentFault(("scenario", "role", place, "win"), f"only {reachable} points can be had")
    yield from _conditions(("scenario", "secret"), scenario.secret, scenario)
    every = [c.id for role in scenario.role for c in role.condition] + [c.id for c in scenario.secret]
    yield from used_twice(("scenario", "secret"), every)
    if len(scenario.secret) < sum(role.secrets for role in scenario.role):
        yield ContentFault(("scenario", "secret"), "there are fewer secret conditions than the roles are dealt")


def _suggestions(scenario: ScenarioEntry, known: Known) -> Iterator[ContentFault]:
    """Yield problems of a scenario's references to other files: usual factions, terrain that suits vehicles."""
    usual = [role.faction for role in scenario.role]
    for place, faction in enumerate(usual):
        here = ("scenario", "role", place, "faction")
        if faction:
            yield from unknown(here, "faction", (faction,), known.factions, blind=known.blind)
        if faction and faction in usual[:place]:
            yield ContentFault(here, f"{faction} is another role's already")
    for key in sorted(scenario.travel.model_fields_set & {"road", "off_road"}):
        suited = getattr(scenario.travel, key)
        yield from unknown(("scenario", "travel", key), "terrain", suited, known.kinds.keys(), blind=known.blind)


def _best_secrets(scenario: ScenarioEntry, count: int) -> int:
    return sum(sorted((secret.points for secret in scenario.secret), reverse=True)[:count])


def _conditions(loc: Loc, conditions: Sequence[ConditionEntry], scenario: ScenarioEntry) -> Iterator[ContentFault]:
    features = {feature.id for feature in scenario.feature}
    zones = {zone.id for zone in scenario.zone}
    specials = {special.id for special in scenario.special}
    for place, condition in enumerate(conditions):
        here = (*loc, place)
        yield from not_among((*here, "kind"), condition.kind, KINDS)
        for key, known in (("feature", features), ("zone", zones), ("special", specials)):
            named = getattr(condition, key)
            if named and named not in known:
                yield ContentFault((*here, key), f"the scenario has no {key} {named}")
        if condition.seat >= len(scenario.role):
            yield ContentFault((*here, "seat"), f"the scenario has seats 0 to {len(scenario.role) - 1}")
        needed = _NEEDED.get(condition.kind, ())
        if needed and not any(getattr(condition, key) not in ("", -1) for key in needed):
            yield ContentFault(here, f"{condition.kind} needs {' or '.join(needed)}")


_NEEDED: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("hold", "stands", "falls"), ("feature",)),
    **dict.fromkeys(("done", "together"), ("special",)),
    "reach": ("feature", "zone"),
    "outlive": ("seat",),
}


def _specials(loc: Loc, specials: Sequence[Special], features: set[str] | None) -> Iterator[ContentFault]:
    yield from used_twice(loc, [special.id for special in specials])
    for place, special in enumerate(specials):
        yield from not_among((*loc, place, "effect"), special.effect, EFFECTS)
        if special.effect in CHANGING and not special.feature:
            yield ContentFault((*loc, place), f"{special.effect} needs a feature")
        if special.feature and special.feature not in (features or ()):
            yield ContentFault((*loc, place, "feature"), f"no feature {special.feature} is known here")
