"""Checks of army pages beyond the schema: references to one another, and prices by the points formula."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from engine.core.content.content_files import ContentFault, Unread, defined_twice, used_twice
from engine.core.content.toml_source import Loc
from engine.core.content.unsound import Unsound, is_unsound, part, sound
from engine.core.rules.errors import UnsoundValue
from engine.kit.lists.page_checks import row_faults, stray_faults
from engine.kit.lists.page_schema import PageEntry
from engine.kit.lists.price_checks import price_faults
from engine.rulesets.one_page.content.armies import Table, unit_of, weapon_of
from engine.rulesets.one_page.content.army_schema import (
    Arm,
    ChangeEntry,
    Document,
    SampleEntry,
    UnitEntry,
    Upgrade,
    WeaponEntry,
    slug,
)
from engine.rulesets.one_page.content.prices import Worth, nearest_five, unit_price, upgrade_price, worth_of
from engine.rulesets.one_page.state.profiles import PSYKER, SPECIAL, UnitProfile
from protocol import near_names


def complaints(documents: Mapping[str, Document], unread: Unread) -> Iterator[tuple[str, ContentFault]]:
    """Yield everything that is wrong with these files, by file."""
    known = Known.of(documents.values(), unread)
    for file, document in documents.items():
        for problem in sound(_document(document, known)):
            yield file, problem
    yield from defined_twice({file: sound(*_ids(document)) for file, document in documents.items()})


class Known(NamedTuple):
    """Definitions of all files. `worth` is unsound where a number of the formula is. `blind`: some could not be read,
    and weapons and points may be missing: then names of unknown ones are no faults."""

    table: Table
    worth: Worth
    blind: bool

    @classmethod
    def of(cls, documents: Collection[Document], unread: Unread) -> Known:
        torn = any(is_unsound(one.weapons) for one in documents)
        rows = [row for one in documents if not is_unsound(one.weapons) for row in one.weapons]
        named = [*sound(*[_row(row) for row in rows])]
        table, blind = dict(named), bool(unread) or torn or len(named) < len(rows)
        try:
            worth = worth_of(documents)
        except UnsoundValue as value:
            worth = Unsound(value.file)  # type: ignore[assignment]  # stands for any value
        return cls(table, worth, blind)

    def lacks(self, arm: Arm) -> bool:
        """Tell if a weapon is surely unknown."""
        return arm.weapon not in self.table and not self.blind

    def no_weapon(self, arm: Arm) -> str:
        """Return the words of the fault of an unknown weapon."""
        names = {id: row.name for id, row in self.table.items()}
        near = near_names.nearest(arm.weapon, names)
        return f"no weapon is called {arm.written}" + (f"; did you mean {names[near]}?" if near else "")


def _row(row: WeaponEntry) -> Iterator[tuple[str, WeaponEntry]]:
    yield slug(row.name), row


def _ids(document: Document) -> Iterator[Iterator[tuple[Loc, str]]]:
    """Yield the ids that no other file may define again, table by table."""
    if document.army is not None:
        yield ((("army", key), part(document.army, key)) for key in ("id", "code"))
    yield (
        own
        for place, known in enumerate(document.disciplines)
        for own in (
            (("disciplines", "row", place, "id"), known.id),
            (("disciplines", "row", place, "number"), f"number {known.number}"),
        )
    )
    yield ((("weapons", "row", place, "name"), slug(row.name)) for place, row in enumerate(document.weapons))


def _document(document: Document, known: Known) -> Iterator[ContentFault]:
    if document.army is None:
        yield from stray_faults(document, ("page", "upgrades", "changes", "draft"), "an army: its [army]")
        return
    yield from sound(
        _page(document, document.army, known),
        _upgrades(document, known),
        _changes(document, document.army),
        _strange("sample", document),
        _sample(document),
        _strange("draft", document),
    )


def _page(document: Document, army: PageEntry, known: Known) -> Iterator[ContentFault]:
    units = document.page
    if not units:
        yield ContentFault(("page",), "an army needs units: [[page.unit]]")
    yield from row_faults(("page", "unit"), units, army.code)
    for place, unit in enumerate(units):
        here = ("page", "unit", place)
        yield from sound(
            (ContentFault((*here, key), reason) for key, reason in _unit(unit, known)),
            _priced((*here, "points"), unit, known),
        )


def _priced(here: Loc, unit: UnitEntry, known: Known) -> Iterator[ContentFault]:
    profile = _profile(unit, known)
    if profile is not None:
        yield from price_faults(here, unit.points, partial(_price, profile, known), blind=known.blind)


def _profile(unit: UnitEntry, known: Known) -> UnitProfile | None:
    """Return a unit by value, None where something is wrong with it. Raises UnsoundValue where that cannot be told."""
    faults = [*_unit(unit, known)]
    if faults or not all(arm.weapon in known.table for arm in unit.weapons):
        return None
    return unit_of(unit, known.table)


def _unit(unit: UnitEntry, known: Known) -> Iterator[tuple[str, str]]:
    yield from (("weapons", known.no_weapon(arm)) for arm in unit.weapons if known.lacks(arm))
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
    exact = unit_price(known.worth, unit, partial(weapon_of, known.table))
    return nearest_five(exact), f"{nearest_five(exact)} of it ({float(exact):.2f})"


def _upgrades(document: Document, known: Known) -> Iterator[ContentFault]:
    rows = document.upgrades
    numbers = [part(row, "number") if is_unsound(part(row, "number")) else f"{row.unit}.{row.number}" for row in rows]
    yield from used_twice(("upgrades", "row"), numbers, "number")
    units = {unit.id: unit for unit in document.page}
    for place, row in enumerate(rows):
        yield from sound(_upgrade(("upgrades", "row", place), row, units, known))


def _upgrade(here: Loc, row: Upgrade, units: Mapping[str, UnitEntry], known: Known) -> Iterator[ContentFault]:
    if row.unit not in units:
        yield _no_unit((*here, "unit"), row.unit)
        return
    unit = _profile(units[row.unit], known)
    if unit is None:
        return
    faults = [ContentFault((*here, key), reason) for key, reason in _exchange(row, unit, known)]
    yield from faults
    if not faults and row.new.weapon in known.table:
        yield from price_faults((*here, "points"), row.points, partial(_rise, row, unit, known), blind=known.blind)


def _no_unit(here: Loc, id: str) -> ContentFault:
    """Return the fault of a unit that the page does not have. Ids are numbers, of which none is near another."""
    return ContentFault(here, f"the page has no unit {id}")


def _exchange(row: Upgrade, unit: UnitProfile, known: Known) -> Iterator[tuple[str, str]]:
    if row.old.id not in unit.weapons:
        yield "from", f"{unit.id} has no {row.old.written}{near_names.meant(row.old.id, unit.weapons)}"
    if known.lacks(row.new):
        yield "to", known.no_weapon(row.new)
    if row.models > unit.models:
        yield "models", f"{unit.id} has {unit.models} models"


def _rise(row: Upgrade, unit: UnitProfile, known: Known) -> tuple[int, str]:
    old, new = weapon_of(known.table, row.old.id), weapon_of(known.table, row.new.id)
    points = upgrade_price(known.worth, unit, row.models or unit.models, old, new)
    return points, f"{points:+} of it"


def _changes(document: Document, army: PageEntry) -> Iterator[ContentFault]:
    units = [unit.id for unit in document.page]
    for place, row in enumerate(document.changes):
        yield from sound(_change(("changes", "row", place), row, army.version, units))


def _change(here: Loc, row: ChangeEntry, version: int, units: Collection[str]) -> Iterator[ContentFault]:
    if row.version > version:
        yield ContentFault((*here, "version"), f"the page is at version {version}")
    if row.became and not row.upgrade and row.became not in units:
        yield _no_unit((*here, "became"), row.became)
    if row.became and row.upgrade and not row.became.isdecimal():
        yield ContentFault((*here, "became"), "an upgrade becomes another number of its unit")


def _sample(document: Document) -> Iterator[ContentFault]:
    """Check the page's totals of its ready list against its rows."""
    sample, units = document.sample, {unit.id: unit for unit in document.page}
    if sample is None or any(_strange("sample", document)):
        return
    counted = [(units[id], count) for id, count in sample.unit.items()]
    yield from sound(
        _total("points", sample, (unit.points * count for unit, count in counted)),
        _total("heroes", sample, (count for unit, count in counted if unit.type == "hero")),
        _total("special", sample, (count for unit, count in counted if unit.type in SPECIAL)),
    )


def _total(key: str, sample: SampleEntry, counts: Iterable[int]) -> Iterator[ContentFault]:
    found = sum(counts)
    if getattr(sample, key) != found:
        yield ContentFault(("sample", key), f"its rows make {found} of it")


def _strange(table: str, document: Document) -> Iterator[ContentFault]:
    """Yield the faults of units of a table that the page does not have."""
    entry, units = getattr(document, table), [unit.id for unit in document.page]
    for id in entry.unit if entry is not None else ():
        if id not in units:
            yield _no_unit((table, "unit", id), id)
