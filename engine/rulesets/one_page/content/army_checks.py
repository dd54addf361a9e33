"""Checks of army pages beyond the schema: references to one another, and prices by the points formula."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.core.content.content_files import ContentFault, Unread, defined_twice, used_twice
from engine.core.content.toml_source import Loc
from engine.rulesets.one_page.content.army_pages import Table, table_of, unit_of, upgrade_of, weapon_of
from engine.rulesets.one_page.content.army_schema import Arm, Document, UnitEntry, UpgradeEntry, slug
from engine.rulesets.one_page.content.prices import Worth, unit_price, upgrade_price, worth_of
from engine.rulesets.one_page.state.profiles import PSYKER, SPECIAL, UnitProfile


def complaints(documents: Mapping[str, Document], unread: Unread) -> Iterator[tuple[str, ContentFault]]:
    """Yield everything that is wrong with these files, by file. Where a file cannot be read, its weapons and points are
    missing: then names of unknown weapons and points are not reported."""
    table, worth = table_of(documents.values()), worth_of(documents.values())
    blind = bool(unread)
    for file, document in documents.items():
        for problem in _document(document, table, worth, blind=blind):
            yield file, problem
    yield from defined_twice({file: _ids(document) for file, document in documents.items()})


def _ids(document: Document) -> Iterator[tuple[Loc, str]]:
    """Yield the ids that no other file may define again."""
    if document.army is not None:
        yield ("army", "id"), document.army.id
        yield ("army", "code"), document.army.code
    for place, known in enumerate(document.disciplines.row if document.disciplines else ()):
        yield ("disciplines", "row", place, "id"), known.id
        yield ("disciplines", "row", place, "number"), f"number {known.number}"
    for place, row in enumerate(document.weapons.row if document.weapons else ()):
        yield ("weapons", "row", place, "name"), slug(row.name)


def _document(document: Document, table: Table, worth: Worth, *, blind: bool) -> Iterator[ContentFault]:
    army = document.army
    if army is None:
        for name in ("page", "upgrades", "changes", "draft"):
            if getattr(document, name) is not None:
                yield ContentFault((name,), "belongs to an army: its [army] stands in the same file")
        if not document.model_fields_set - {"rule", "rules"}:
            yield ContentFault((), "the file holds nothing that is known here")
        return
    units = document.page.unit if document.page is not None else []
    if not units:
        yield ContentFault(("page",), "an army needs units: [[page.unit]]")
    yield from used_twice(("page", "unit"), [unit.id for unit in units])
    known: dict[str, UnitProfile] = {}
    for place, unit in enumerate(units):
        here = ("page", "unit", place)
        if not unit.id.startswith(f"{army.code}-"):
            yield ContentFault((*here, "id"), f"the units of this army begin with {army.code}-")
        faults = list(_unit(unit, table, blind=blind))
        yield from (ContentFault((*here, key), reason) for key, reason in faults)
        if not faults and all(Arm(written).weapon in table for written in unit.weapons):
            known[unit.id] = unit_of(unit, table)
            yield from _price((*here, "points"), known[unit.id], table, worth, blind=blind)
    yield from _upgrades(document, {unit.id for unit in units}, known, table, worth, blind=blind)
    yield from _changes(document, {unit.id for unit in units})
    yield from _sample(document, {unit.id: unit for unit in units})
    for id in document.draft.unit if document.draft is not None else ():
        if id not in {unit.id for unit in units}:
            yield ContentFault(("draft", "unit", id), f"the page has no unit {id}")


def _unit(unit: UnitEntry, table: Table, *, blind: bool) -> Iterator[tuple[str, str]]:
    for written in unit.weapons:
        if Arm(written).weapon not in table and not blind:
            yield "weapons", f"no weapon is called {written}"
    length, width = unit.size
    if not 0 < width <= length <= 1200:
        yield "size", "size is length and width in inches: the longer first, more than nothing, at most 12"
    if unit.type != "vehicle" and length != width:
        yield "size", "only the base of a vehicle is longer than wide"
    if unit.type in ("hero", "psyker") and unit.models != 1:
        yield "models", f"a {unit.type} is one model"
    has_level = any(written.startswith("Psyker") for written in unit.special)
    if unit.type == "psyker" and not has_level:
        yield "special", f"a {PSYKER} has a level: Psyker(1)"


def _price(loc: Loc, unit: UnitProfile, table: Table, worth: Worth, *, blind: bool) -> Iterator[ContentFault]:
    try:
        price = unit_price(worth, unit, lambda id: weapon_of(table, id))
    except KeyError as unknown:
        if not blind:
            yield ContentFault(loc, f"the points formula has no number for {unknown.args[0]}")
        return
    if price.points != unit.points:
        yield ContentFault(loc, f"the points formula makes {price.points} of it ({float(price.exact):.2f})")


def _upgrades(
    document: Document, named: set[str], known: Mapping[str, UnitProfile], table: Table, worth: Worth, *, blind: bool
) -> Iterator[ContentFault]:
    rows = document.upgrades.row if document.upgrades is not None else []
    yield from used_twice(("upgrades", "row"), [f"{row.unit}.{row.number}" for row in rows], "number")
    for place, row in enumerate(rows):
        here = ("upgrades", "row", place)
        if row.unit not in named:
            yield ContentFault((*here, "unit"), f"the page has no unit {row.unit}")
        elif row.unit in known:
            faults = list(_upgrade(row, known[row.unit], table, blind=blind))
            yield from (ContentFault((*here, key), reason) for key, reason in faults)
            if not faults and Arm(row.to).weapon in table:
                yield from _upgrade_price((*here, "points"), row, known[row.unit], table, worth, blind=blind)


def _upgrade(row: UpgradeEntry, unit: UnitProfile, table: Table, *, blind: bool) -> Iterator[tuple[str, str]]:
    if Arm(row.from_).id not in unit.weapons:
        yield "from", f"{unit.id} has no {row.from_}"
    if Arm(row.to).weapon not in table and not blind:
        yield "to", f"no weapon is called {row.to}"
    if row.models != "all" and row.models > unit.models:
        yield "models", f"{unit.id} has {unit.models} models"


def _upgrade_price(
    loc: Loc, row: UpgradeEntry, unit: UnitProfile, table: Table, worth: Worth, *, blind: bool
) -> Iterator[ContentFault]:
    upgrade = upgrade_of(row)
    try:
        old, new = weapon_of(table, upgrade.old), weapon_of(table, upgrade.new)
        points = upgrade_price(worth, unit, upgrade.models or unit.models, old, new)
    except KeyError as unknown:
        if not blind:
            yield ContentFault(loc, f"the points formula has no number for {unknown.args[0]}")
        return
    if points != row.points:
        yield ContentFault(loc, f"the points formula makes {points:+} of it")


def _changes(document: Document, units: set[str]) -> Iterator[ContentFault]:
    assert document.army is not None
    for place, row in enumerate(document.changes.row if document.changes is not None else ()):
        here = ("changes", "row", place)
        if row.version > document.army.version:
            yield ContentFault((*here, "version"), f"the page is at version {document.army.version}")
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
