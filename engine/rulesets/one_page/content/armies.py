"""Armies of TOML pages, by value: units, weapons and upgrades, and all that is installed together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

from engine.core.content.content_schema import paragraphs
from engine.core.rules.implements import implements
from engine.kit.lists.page_schema import PageEntry
from engine.kit.values import value
from engine.rulesets.one_page.content import army_schema as schema
from engine.rulesets.one_page.content.army_schema import Document, UnitEntry, Upgrade, WeaponEntry, slug
from engine.rulesets.one_page.content.prices import Worth, worth_of
from engine.rulesets.one_page.state import profiles
from engine.rulesets.one_page.state.profiles import ALWAYS, FISTS, SpecialRule, UnitProfile, WeaponProfile

Table = Mapping[str, WeaponEntry]
"""The weapon table, by id."""


def table_of(documents: Iterable[Document]) -> dict[str, WeaponEntry]:
    """Return the weapon table of these files."""
    return {slug(row.name): row for document in documents for row in document.weapons}


def weapon_of(table: Table, id: str) -> WeaponProfile:
    """Return the weapon of an id, with its rules. Raises KeyError for one that is not in the table."""
    base, *rules = id.split(".")
    row, words = table[base], ", ".join(map(str.capitalize, rules))
    name = f"{row.name} ({words})" if words else row.name  # as a page writes it: Rifle (Rending, Scoper)
    return WeaponProfile(id, name, row.range * 100, row.attacks, row.single, tuple(rules))


@implements("OP-OPEN-05")
def unit_of(entry: UnitEntry, table: Table) -> UnitProfile:
    """Return a unit of a page by value. Raises KeyError for a weapon that is not in the table."""
    weapons = [arm.id for arm in entry.weapons for _ in range(arm.copies)]
    return value(
        UnitProfile,
        entry,
        kind=entry.type,
        rules=with_class_rules(entry.type, entry.special),
        weapons=with_fists(weapons, table),
        length=entry.size[0],
        width=entry.size[1],
    )


@implements("OP-UNIT-04", "OP-UNIT-05", "OP-VEH-01")
def with_class_rules(kind: profiles.Kind, rules: Iterable[SpecialRule]) -> tuple[SpecialRule, ...]:
    """Add the rules of a unit's class: a Special unit is Armored and Relentless, a Monster spreads Fear too."""
    given = {rule.id: rule for rule in rules}
    return tuple({**given, **{rule: SpecialRule(rule) for rule in ALWAYS.get(kind, ())}}.values())


@implements("OP-WPN-01")
def with_fists(weapons: Iterable[str], table: Table) -> tuple[str, ...]:
    """Return the weapons of a model, with fists or claws where none of them is for melee."""
    carried = tuple(weapons)
    return carried if any(not table[id.partition(".")[0]].range for id in carried) else (*carried, FISTS)


class Army(msgspec.Struct, frozen=True):
    """An army page. `code`: the letters before its units' numbers. `version`: of its data. `weapons`: every weapon that
    its units can have, by id. `lines`: paragraphs on its background and on how it plays; `glyph`: its emblem; `strong`,
    `weak`: what it is good and bad at."""

    id: str
    code: str
    name: str
    version: int
    lines: tuple[str, ...]
    units: Mapping[str, UnitProfile]
    upgrades: Mapping[str, Upgrade]
    weapons: Mapping[str, WeaponProfile]
    glyph: str = ""
    strong: str = ""
    weak: str = ""

    def upgrades_of(self, unit: str) -> tuple[Upgrade, ...]:
        """Return the upgrade rows of a unit, in order."""
        return tuple(upgrade for upgrade in self.upgrades.values() if upgrade.unit == unit)


class Book(NamedTuple):
    """All armies that are installed, by id. `changes`: what later versions of their pages changed; `samples`: number of
    each unit in a ready list; `drafts`: weights of randomly drawn lists; `worth`: the numbers of the points formula;
    `table`: every weapon without special rules."""

    armies: Mapping[str, Army]
    disciplines: Mapping[str, profiles.Discipline]
    changes: Mapping[str, tuple[schema.ChangeEntry, ...]]
    samples: Mapping[str, Mapping[str, int]]
    drafts: Mapping[str, schema.DraftEntry]
    worth: Worth
    table: Table


@implements("OP-OPEN-01")
def book_of(documents: Iterable[Document]) -> Book:
    """Build the armies of files that have been checked."""
    found = list(documents)
    table = table_of(found)
    pages = [(document.army, document) for document in found if document.army is not None]
    armies = {army.id: _army(army, document, table) for army, document in pages}
    disciplines = {row.id: row for one in found for row in one.disciplines}
    changes = {army.id: tuple(one.changes) for army, one in pages}
    samples = {army.id: one.sample.unit for army, one in pages if one.sample is not None}
    drafts = {army.id: one.draft or schema.DraftEntry() for army, one in pages}
    return Book(armies, disciplines, changes, samples, drafts, worth_of(found), table)


def _army(army: PageEntry, document: Document, table: Table) -> Army:
    readable = [row for row in document.page if all(arm.weapon in table for arm in row.weapons)]
    units = {row.id: unit_of(row, table) for row in readable}
    upgrades = [row for row in document.upgrades if row.unit in units and row.new.weapon in table]
    ids = [id for unit in units.values() for id in unit.weapons] + [upgrade.new.id for upgrade in upgrades]
    ids += [FISTS] if FISTS in table else []
    return value(
        Army,
        army,
        lines=paragraphs(army.about),
        units=units,
        upgrades={upgrade.id: upgrade for upgrade in upgrades},
        weapons={id: weapon_of(table, id) for id in sorted(ids)},
    )
