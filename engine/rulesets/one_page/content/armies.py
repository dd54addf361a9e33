"""Army pages: TOML files read and checked, and every army by value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from engine.core.content import content_files
from engine.core.content.content_schema import paragraphs
from engine.core.rules.implements import implements
from engine.kit.values import value
from engine.rulesets.one_page.content.army_checks import complaints
from engine.rulesets.one_page.content.army_pages import Table, arsenal_of, readable, table_of, unit_of, upgrade_of
from engine.rulesets.one_page.content.army_schema import ArmyEntry, ChangeEntry, Document, DraftEntry
from engine.rulesets.one_page.content.prices import Worth, worth_of
from engine.rulesets.one_page.state.profiles import Army, Discipline


class Book(NamedTuple):
    """All armies that are installed, by id. `changes`: what later versions of their pages changed; `samples`: number of
    each unit in a ready list; `drafts`: weights of randomly drawn lists; `worth`: the numbers of the points formula;
    `table`: every weapon without special rules."""

    armies: Mapping[str, Army]
    disciplines: Mapping[str, Discipline]
    changes: Mapping[str, tuple[ChangeEntry, ...]]
    samples: Mapping[str, Mapping[str, int]]
    drafts: Mapping[str, DraftEntry]
    worth: Worth
    table: Table

    def coded(self, code: str) -> Army | None:
        """Return the army with these letters, if there is one."""
        return next((army for army in self.armies.values() if army.code == code), None)


def read(texts: Mapping[str, str]) -> Book:
    """Parse and check {file name: TOML}. Raises ContentRefused naming file, line, key and reason of every fault."""
    raw, documents = content_files.read(texts, Document, complaints)
    return book_of(content_files.as_ruled(raw, documents, Document))


@implements("OP-OPEN-01")
def book_of(documents: Iterable[Document]) -> Book:
    """Build the armies of files that have been checked."""
    found = list(documents)
    table = table_of(found)
    pages = [(document.army, document) for document in found if document.army is not None]
    armies = [_army(army, document, table) for army, document in pages]
    disciplines = {row.id: row for one in found for row in one.disciplines}
    changes = {army.id: tuple(one.changes) for army, one in pages}
    samples = {army.id: one.sample.unit for army, one in pages if one.sample is not None}
    drafts = {army.id: one.draft or DraftEntry() for army, one in pages}
    by_id = {army.id: army for army in armies}
    return Book(by_id, disciplines, changes, samples, drafts, worth_of(found), table)


def _army(army: ArmyEntry, document: Document, table: Table) -> Army:
    units = {row.id: unit_of(row, table) for row in readable(document.page, table)}
    upgrades = [upgrade_of(row) for row in document.upgrades if row.unit in units and row.to.weapon in table]
    return value(
        Army,
        army,
        lines=paragraphs(army.about),
        units=units,
        upgrades={upgrade.id: upgrade for upgrade in upgrades},
        weapons=arsenal_of(units.values(), upgrades, table),
    )
