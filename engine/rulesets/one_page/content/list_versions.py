"""Lists from an older version of their army page, brought up to the present one."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.rules.errors import ListRefused
from engine.rulesets.one_page.content.armies import Book
from engine.rulesets.one_page.content.army_schema import ChangeEntry
from engine.rulesets.one_page.content.lists import ArmyList, ListEntry
from protocol.text import Text, text


def brought_up(book: Book, listed: ArmyList) -> tuple[ArmyList, list[Text]]:
    """Return the list at the page's present version, and what changed about it, in order. Raises ListRefused with what
    changed where something in it is no more, or where its version is newer than the page."""
    army = book.armies.get(listed.army)
    if army is None or listed.version == army.version:
        return listed, []
    if listed.version > army.version:
        raise ListRefused([text("op.list.newer", army=army.name, version=listed.version, known=army.version)])
    told: list[Text] = []
    gone = False
    for change in sorted(book.changes.get(army.id, ()), key=lambda change: change.version):
        if change.version > listed.version and any(_touches(change, entry) for entry in listed.entries):
            what = change.unit if not change.upgrade else f"{change.unit}.{change.upgrade}"
            told.append(text("op.list.changed", version=change.version, unit=what, why=change.why))
            gone = gone or change.gone
            entries = [_changed(change, entry) if _touches(change, entry) else entry for entry in listed.entries]
            listed = replace(listed, entries=tuple(entries))
    if gone:
        raise ListRefused([text("op.list.outdated", version=listed.version, known=army.version), *told])
    return replace(listed, version=army.version), told


def _touches(change: ChangeEntry, entry: ListEntry) -> bool:
    return entry.unit == change.unit and (not change.upgrade or change.upgrade in entry.upgrades)


def _changed(change: ChangeEntry, entry: ListEntry) -> ListEntry:
    if not change.became:
        return entry
    if not change.upgrade:
        return replace(entry, unit=change.became)
    upgrades = (int(change.became) if number == change.upgrade else number for number in entry.upgrades)
    return replace(entry, upgrades=tuple(sorted(upgrades)))
