"""Checks of army pages beyond the schema: references to one another, and prices by the points formula."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from functools import partial
from typing import NamedTuple

from engine.core.content.content_files import ContentFault, Unread, defined_twice, used_twice
from engine.core.content.toml_source import Loc
from engine.kit.lists.price_checks import price_faults
from engine.rulesets.one_page.content.armies import Table, table_of, unit_of, weapon_of
from engine.rulesets.one_page.content.army_schema import Arm, Document, UnitEntry, Upgrade, slug
from engine.rulesets.one_page.content.prices import Worth, unit_price, upgrade_price, worth_of
from engine.rulesets.one_page.state.profiles import PSYKER, SPECIAL, UnitProfile


def complaints(documents: Mapping[str, Document], unread: Unread) -> Iterator[tuple[str, ContentFault]]:
    """Yield everything that is wrong with these files, by file."""
    known = Known(table_of(documents.values()), worth_of(documents.values()), bool(unread))
    for file, document in documents.items():
        for problem in _document(document, known):
            yield file, problem
    yield from defined_twice({file: _ids(document) for file, document in documents.items()})


class Known(NamedTuple):
    """Definitions of all files. `blind`: some could not be read, and weapons and points may be missing: then names of
    unknown ones are no faults."""

    table: Table
    worth: Worth
    blind: bool

    def lacks(self, arm: Arm) -> bool:
        """Tell if a weapon is surely unknown."""
        return arm.weapon not in self.table and not self.blind


def _ids(document: Document) -> Iterator[tuple[Loc, str]]:
    """Yield the ids that no other file may define again."""
    if document.army is not None:
        yield ("army", "id"), document.army.id
        yield ("army", "code"), document.army.code
    for place, known in enumerate(document.disciplines):
        yield ("disciplines", "row", place, "id"), known.id
        yield ("disciplines", "row", place, "number"), f"number {known.number}"
    for place, row in enumerate(document.weapons):
        yield ("weapons", "row", place, "name"), slug(row.name)


def _document(document: Document, known: Known) -> Iterator[ContentFault]:
    army, units = document.army, document.page
    if army is None:
        for name in ("page", "upgrades", "changes", "draft"):
            if name in document.model_fields_set:
                yield ContentFault((name,), "belongs to an army: its [army] stands in the same file")
        if not document.model_fields_set - {"rule", "rules"}:
            yield ContentFault((), "the file holds nothing that is known here")
        return
    if not units:
        yield ContentFault(("page",), "an army needs units: [[page.unit]]")
    yield from used_twice(("page", "unit"), [unit.id for unit in units])
    sound: dict[str, UnitProfile] = {}
    for place, unit in enumerate(units):
        here = ("page", "unit", place)
        if not unit.id.startswith(f"{army.code}-"):
            yield ContentFault((*here, "id"), f"the units of this army begin with {army.code}-")
        faults = [ContentFault((*here, key), reason) for key, reason in _unit(unit, known)]
        yield from faults
        if not faults and all(arm.weapon in known.table for arm in unit.weapons):
            sound[unit.id] = unit_of(unit, known.table)
            price = partial(_price, sound[unit.id], known)
            yield from price_faults((*here, "points"), unit.points, price, blind=known.blind)
    by_id = {unit.id: unit for unit in units}
    yield from _upgrades(document, by_id.keys(), sound, known)
    yield from _changes(document, army.version, by_id.keys())
    yield from _sample(document, by_id)
    for id in document.draft.unit if document.draft is not None else ():
        if id not in by_id:
            yield ContentFault(("draft", "unit", id), f"the page has no unit {id}")


def _unit(unit: UnitEntry, known: Known) -> Iterator[tuple[str, str]]:
    for arm in unit.weapons:
        if known.lacks(arm):
            yield "weapons", f"no weapon is called {arm.written}"
    length, width = unit.size
    if not 0 < width <= length <= 1200:
        yield "size", "size is length and width in inches: the longer first, more than nothing, at most 12"
    if unit.type != "vehicle" and length != width:
        yield "size", "only the base of a vehicle is longer than wide"
    if unit.type in ("hero", "psyker") and unit.models != 1:
        yield "models", f"a {unit.type} is one model"
    if unit.type == "psyker" and not any(rule.id == PSYKER for rule in unit.special):
        yield "special", f"a {PSYKER} has a level: Psyker(1)"


def _price(unit: UnitProfile, known: Known) -> tuple[int, str]:
    price = unit_price(known.worth, unit, partial(weapon_of, known.table))
    return price.points, f"{price.points} of it ({float(price.exact):.2f})"


def _upgrades(
    document: Document, named: Set[str], sound: Mapping[str, UnitProfile], known: Known
) -> Iterator[ContentFault]:
    rows = document.upgrades
    yield from used_twice(("upgrades", "row"), [f"{row.unit}.{row.number}" for row in rows], "number")
    for place, row in enumerate(rows):
        here = ("upgrades", "row", place)
        if row.unit not in named:
            yield ContentFault((*here, "unit"), f"the page has no unit {row.unit}")
        elif row.unit in sound:
            unit = sound[row.unit]
            faults = [ContentFault((*here, key), reason) for key, reason in _upgrade(row, unit, known)]
            yield from faults
            if not faults and row.new.weapon in known.table:
                price = partial(_rise, row, unit, known)
                yield from price_faults((*here, "points"), row.points, price, blind=known.blind)


def _upgrade(row: Upgrade, unit: UnitProfile, known: Known) -> Iterator[tuple[str, str]]:
    if row.old.id not in unit.weapons:
        yield "from", f"{unit.id} has no {row.old.written}"
    if known.lacks(row.new):
        yield "to", f"no weapon is called {row.new.written}"
    if row.models > unit.models:
        yield "models", f"{unit.id} has {unit.models} models"


def _rise(row: Upgrade, unit: UnitProfile, known: Known) -> tuple[int, str]:
    old, new = weapon_of(known.table, row.old.id), weapon_of(known.table, row.new.id)
    points = upgrade_price(known.worth, unit, row.models or unit.models, old, new)
    return points, f"{points:+} of it"


def _changes(document: Document, version: int, units: Set[str]) -> Iterator[ContentFault]:
    for place, row in enumerate(document.changes):
        here = ("changes", "row", place)
        if row.version > version:
            yield ContentFault((*here, "version"), f"the page is at version {version}")
        if row.became and not row.upgrade and row.became not in units:
            yield ContentFault((*here, "became"), f"the page has no unit {row.became}")
        if row.became and row.upgrade and not row.became.isdigit():
            yield ContentFault((*here, "became"), "an upgrade becomes another number of its unit")


def _sample(document: Document, units: Mapping[str, UnitEntry]) -> Iterator[ContentFault]:
    """Check the page's totals of its ready list against its rows."""
    sample = document.sample
    if sample is None:
        return
    unknown = [id for id in sample.unit if id not in units]
    yield from (ContentFault(("sample", "unit", id), f"the page has no unit {id}") for id in unknown)
    if unknown:
        return
    counted = [(units[id], count) for id, count in sample.unit.items()]
    for key, stated, found in (
        ("points", sample.points, sum(unit.points * count for unit, count in counted)),
        ("heroes", sample.heroes, sum(count for unit, count in counted if unit.type == "hero")),
        ("special", sample.special, sum(count for unit, count in counted if unit.type in SPECIAL)),
    ):
        if stated != found:
            yield ContentFault(("sample", key), f"its rows make {found} of it")
