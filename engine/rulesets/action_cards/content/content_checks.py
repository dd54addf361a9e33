"""Checks beyond the schema: references between entries, shapes, places on the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from engine.core.content.content_files import ContentFault, Unread, defined_twice, used_twice
from engine.core.content.toml_source import Loc
from engine.rulesets.action_cards.content import playable
from engine.rulesets.action_cards.content.content_forces import force_faults
from engine.rulesets.action_cards.content.maps import laid_out
from engine.rulesets.action_cards.content.references import Known
from engine.rulesets.action_cards.content.schema import (
    ConditionEntry,
    Document,
    EventEntry,
    FactionEntry,
    FeatureEntry,
    MapEntry,
    ScenarioEntry,
    SpecialEntry,
    ZoneEntry,
)
from engine.rulesets.action_cards.content.shapes import box, corners, point, terrain_of
from engine.rulesets.action_cards.rules.scenario.conditions import KINDS
from engine.rulesets.action_cards.rules.special_actions.specials import CHANGING, EFFECTS
from engine.rulesets.action_cards.rules.special_events.event_choices import GROUPS, SEATS
from engine.rulesets.action_cards.rules.special_events.event_play import KINDS as KINDS_OF_EFFECTS
from engine.rulesets.action_cards.state.model import Point
from engine.rulesets.action_cards.text.texts import ENGLISH
from engine.space.vectors.hulls import edges_of
from engine.space.vectors.outlines import checked, nearest_on_edges
from engine.space.vectors.points import within

LEAST_SEATS: Final = 2
MOST_SEATS: Final = 6
MOST_FIGURES: Final = 60
AT_DOOR: Final = 10
"""A door is at most so far from the outline of its building."""


def complaints(documents: Mapping[str, Document], unread: Unread) -> Iterator[tuple[str, ContentFault]]:
    """Yield everything that is wrong with these files, by file."""
    known = Known.of(documents.values(), unread)
    sound = known.whole
    for file, problem in _faults(documents, known):
        sound = False
        yield file, problem
    if sound:
        yield from _unplayable(documents, known)


def _faults(documents: Mapping[str, Document], known: Known) -> Iterator[tuple[str, ContentFault]]:
    for file, document in documents.items():
        for problem in _document(document, known):
            yield file, problem
    yield from defined_twice({file: _ids(document) for file, document in documents.items()})


def _unplayable(documents: Mapping[str, Document], known: Known) -> Iterator[tuple[str, ContentFault]]:
    """Yield problems that only sound files can be checked for, with the maps and terrain of others."""
    terrain = {id: terrain_of(id, kind) for document in documents.values() for id, kind in document.terrain.items()}
    factions = [document.faction for document in documents.values() if document.faction is not None]
    forces = {one.id: sum(squad.count * len(squad.figures) for squad in one.squad) for one in factions}
    for file, document in documents.items():
        if document.scenario is not None:
            scenario = laid_out(document.scenario, known.maps)
            yield from ((file, ContentFault(*fault)) for fault in playable.problems(scenario, terrain, forces))


def _ids(document: Document) -> Iterator[tuple[Loc, str]]:
    """Yield the ids that no other file may define again, with their places."""
    yield from ((("terrain", id), id) for id in document.terrain)
    yield from ((("event", id), id) for id in document.event)
    for table, entry in (("map", document.map), ("faction", document.faction), ("scenario", document.scenario)):
        if entry is not None:
            yield (table, "id"), entry.id


def _document(document: Document, known: Known) -> Iterator[ContentFault]:
    for id, event in document.event.items():
        yield from _event(("event", id, "effect"), event, known)
    if document.map is not None:
        yield from _map("map", document.map, known, point(document.map.size))
    if document.faction is not None:
        yield from _faction(document.faction)
    if document.scenario is not None:
        yield from _scenario(document.scenario, known)
        yield from _suggestions(document.scenario, known)
        yield from _mix(document.scenario, known)
    if not document.model_fields_set - {"rule", "rules"}:
        yield ContentFault((), "the file holds none of [terrain.ID], [event.ID], [map], [faction], [scenario]")


def _map(table: str, entry: MapEntry | ScenarioEntry, known: Known, size: Point) -> Iterator[ContentFault]:
    """Yield problems of features and zones on a table of this size."""
    yield from used_twice((table, "feature"), [feature.id for feature in entry.feature])
    yield from used_twice((table, "zone"), [zone.id for zone in entry.zone])
    for place, feature in enumerate(entry.feature):
        yield from _feature((table, "feature", place), feature, known, size)
    for place, zone in enumerate(entry.zone):
        yield from _shape((table, "zone", place), zone, line=False, size=size)


def _event(loc: Loc, event: EventEntry, known: Known) -> Iterator[ContentFault]:
    for place, effect in enumerate(event.effect):
        here = (*loc, place)
        for key, given, possible in (
            ("kind", effect.kind, KINDS_OF_EFFECTS),
            ("who", effect.who, SEATS),
            ("by", effect.by, SEATS),
            ("groups", effect.groups, GROUPS),
        ):
            if given not in possible:
                yield ContentFault((*here, key), f"{given} is none of {', '.join(sorted(possible))}")
        for unknown in sorted(set() if known.blind else set(effect.terrain) - known.kinds.keys()):
            yield ContentFault((*here, "terrain"), f"no terrain has the id {unknown}")
        if effect.kind in ("strike", "collapse", "danger", "monster") and not effect.dice:
            yield ContentFault((*here, "dice"), f"{effect.kind} needs dice")
        if effect.kind == "danger" and not effect.radius:
            yield ContentFault((*here, "radius"), "a danger needs a radius")
        if effect.kind == "monster" and not (effect.kill and effect.base > 0):
            yield ContentFault(
                (*here, "kill" if effect.base > 0 else "base"), "a monster needs a kill number and a base"
            )
        if effect.kind == "monster" and effect.radius * 2 <= effect.base + 1:
            yield ContentFault((*here, "radius"), "a monster reaches farther than half an inch beyond its base")


def _mix(scenario: ScenarioEntry, known: Known) -> Iterator[ContentFault]:
    for unknown in sorted(set() if known.blind else set(scenario.events) - known.events):
        yield ContentFault(("scenario", "events"), f"no event has the id {unknown}")
    for id in sorted({id for id in scenario.events if scenario.events.count(id) > 1}):
        yield ContentFault(("scenario", "events"), f"{id} is named twice")


def _faction(faction: FactionEntry) -> Iterator[ContentFault]:
    yield from used_twice(("faction", "weapon"), [weapon.id for weapon in faction.weapon])
    yield from used_twice(("faction", "figure"), [figure.id for figure in faction.figure])
    yield from _specials(("faction", "special"), faction.special, None)
    weapons = {weapon.id for weapon in faction.weapon}
    figures = {figure.id: figure for figure in faction.figure}
    for place, figure in enumerate(faction.figure):
        for unknown in sorted(set(figure.weapons) - weapons):
            yield ContentFault(("faction", "figure", place, "weapons"), f"no weapon has the id {unknown}")
        if figure.base <= 0:
            yield ContentFault(("faction", "figure", place, "base"), "a base is wider than nothing")
    for place, squad in enumerate(faction.squad):
        here = ("faction", "squad", place, "figures")
        for unknown in sorted(set(squad.figures) - figures.keys()):
            yield ContentFault(here, f"no figure has the id {unknown}")
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
    if bool(written.map) == bool(written.size):
        yield ContentFault(("scenario",), "give the table in one way: a size of its own, or a map")
        return
    if written.map and written.map not in known.maps and not known.blind:
        yield ContentFault(("scenario", "map"), f"no map has the id {written.map}")
    if written.map and known.maps.get(written.map) is None:
        return
    scenario = laid_out(written, known.maps)
    size = point(scenario.size)
    yield from _map("scenario", written, known, size)
    for table in ("feature", "zone"):
        own, every = getattr(written, table), getattr(scenario, table)
        taken = {entry.id for entry in every[: len(every) - len(own)]}
        for place, entry in enumerate(own):
            if entry.id in taken:
                yield ContentFault(("scenario", table, place, "id"), f"the map has {entry.id} already")
    features = {feature.id for feature in scenario.feature}
    yield from _specials(("scenario", "special"), scenario.special, features)
    if not LEAST_SEATS <= len(scenario.role) <= MOST_SEATS:
        yield ContentFault(("scenario", "role"), f"a scenario has {LEAST_SEATS} to {MOST_SEATS} roles")
    for place, role in enumerate(scenario.role):
        if any(not _on_table(corner, size) for corner in box(role.start)):
            yield ContentFault(("scenario", "role", place, "start"), "the start zone reaches beyond the table")
        for number, reserve in enumerate(role.reserve):
            if any(not _on_table(corner, size) for corner in box(reserve.start or role.start)):
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
        if faction and faction not in known.factions and not known.blind:
            yield ContentFault(("scenario", "role", place, "faction"), f"no faction has the id {faction}")
        if faction and faction in usual[:place]:
            yield ContentFault(("scenario", "role", place, "faction"), f"{faction} is another role's already")
    for key in sorted(scenario.travel.model_fields_set & {"road", "off_road"}):
        for unknown in sorted(set() if known.blind else set(getattr(scenario.travel, key)) - known.kinds.keys()):
            yield ContentFault(("scenario", "travel", key), f"no terrain has the id {unknown}")


def _best_secrets(scenario: ScenarioEntry, count: int) -> int:
    return sum(sorted((secret.points for secret in scenario.secret), reverse=True)[:count])


def _feature(loc: Loc, feature: FeatureEntry, known: Known, size: Point) -> Iterator[ContentFault]:
    if feature.kind not in known.kinds:
        if not known.blind:
            yield ContentFault((*loc, "kind"), f"no terrain has the id {feature.kind}")
        return
    faults = list(_shape(loc, feature, line=known.kinds[feature.kind], size=size))
    yield from faults
    if not faults:
        edges = edges_of(corners(feature))
        for door in map(point, feature.doors):
            if not within(door, nearest_on_edges(door, edges), AT_DOOR):
                yield ContentFault((*loc, "doors"), "a door is not on the outline of its building")


def _shape(loc: Loc, shape: FeatureEntry | ZoneEntry, *, line: bool, size: Point) -> Iterator[ContentFault]:
    given = [key for key in ("outline", "box", "patch") if getattr(shape, key)]
    if len(given) != 1:
        yield ContentFault(loc, "give the place in one way: outline, box or patch")
        return
    here = (*loc, given[0])
    found = corners(shape)
    if any(not _on_table(corner, size) for corner in found):
        yield ContentFault(here, "reaches beyond the table")
    if line:
        if any(a == b for a, b in pairwise(found)):
            yield ContentFault(here, "names a point twice running")
        return
    try:
        checked(found)
    except ValueError as fault:
        yield ContentFault(here, str(fault))


def _conditions(loc: Loc, conditions: Sequence[ConditionEntry], scenario: ScenarioEntry) -> Iterator[ContentFault]:
    features = {feature.id for feature in scenario.feature}
    zones = {zone.id for zone in scenario.zone}
    specials = {special.id for special in scenario.special}
    for place, condition in enumerate(conditions):
        here = (*loc, place)
        if condition.kind not in KINDS:
            yield ContentFault((*here, "kind"), f"{condition.kind} is none of {', '.join(sorted(KINDS))}")
        for key, named, known in (
            ("feature", condition.feature, features),
            ("zone", condition.zone, zones),
            ("special", condition.special, specials),
        ):
            if named and named not in known:
                yield ContentFault((*here, key), f"the scenario has no {key} {named}")
        if condition.seat >= len(scenario.role):
            yield ContentFault((*here, "seat"), f"the scenario has seats 0 to {len(scenario.role) - 1}")
        needed = _NEEDED.get(condition.kind, ())
        if needed and not any(getattr(condition, key) not in ("", -1) for key in needed):
            yield ContentFault(here, f"{condition.kind} needs {' or '.join(needed)}")


_NEEDED: Final[Mapping[str, tuple[str, ...]]] = {
    "hold": ("feature",),
    "reach": ("feature", "zone"),
    "done": ("special",),
    "outlive": ("seat",),
    "stands": ("feature",),
    "falls": ("feature",),
    "together": ("special",),
}


def _specials(loc: Loc, specials: Sequence[SpecialEntry], features: set[str] | None) -> Iterator[ContentFault]:
    yield from used_twice(loc, [special.id for special in specials])
    for place, special in enumerate(specials):
        if special.effect not in EFFECTS:
            yield ContentFault((*loc, place, "effect"), f"{special.effect} is none of {', '.join(sorted(EFFECTS))}")
        if special.effect in CHANGING and not special.feature:
            yield ContentFault((*loc, place), f"{special.effect} needs a feature")
        if special.feature and special.feature not in (features or ()):
            yield ContentFault((*loc, place, "feature"), f"no feature {special.feature} is known here")


def _on_table(place: Point, size: Point) -> bool:
    return 0 <= place[0] <= size[0] and 0 <= place[1] <= size[1]
