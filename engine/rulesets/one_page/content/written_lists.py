"""Army lists as they are written: short codes, TOML files to keep, read and share, and lists from older pages.

The numbers of a code (engine/kit/lists/codes.py): the limit in hundreds of points, then for each entry the number of
its unit, twice the count (plus 1 where doubled), the number of its discipline (0: none), how many upgrades, and the
numbers of those. The name of a list is not in its code. Every number has the bounds that it has in a file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Final

from msgspec.structs import replace
from pydantic import Field

from engine.core.content import content_files
from engine.core.content.content_files import Complaints, ContentFault, Unread
from engine.core.content.content_schema import Entry, Id, Key
from engine.core.content.toml_source import Loc
from engine.core.rules.errors import ContentRefused, ListRefused
from engine.kit.lists.codes import LONGEST, bounded, coded, taken_apart
from engine.kit.values import value
from engine.rulesets.one_page.content import lists
from engine.rulesets.one_page.content.armies import Book
from engine.rulesets.one_page.content.army_schema import ChangeEntry
from engine.rulesets.one_page.content.lists import ArmyList, ListEntry, ListFault, faults, price, totals
from engine.rulesets.one_page.state.profiles import Army, Discipline
from engine.rulesets.one_page.text.texts import ARMY_LISTS
from protocol.text import Text, text
from protocol.text_format import format_text

HUNDREDS: Final = 100


def encode(book: Book, listed: ArmyList) -> str:
    """Return the code of a list, valid or not, of an army that is installed. Raises ListRefused where it is too
    long."""
    code = coded(f"{book.armies[listed.army].code}{listed.version}", _numbers(listed, book.disciplines))
    if len(code) > LONGEST:
        raise ListRefused([text("op.list.long-code", most=LONGEST)])
    return code


def decode(book: Book, code: str) -> ArmyList:
    """Return the list of a code. Raises ListRefused where it is damaged or of an unknown army."""
    parts = taken_apart(code)
    if parts is None:
        raise ListRefused([text("op.list.no-code")])
    army = book.coded(parts.letters)
    if army is None:
        raise ListRefused([text("op.list.no-army", army=parts.letters)])
    try:
        hundreds, *numbers = parts.numbers()
        limit = bounded(hundreds, 0, lists.MOST_LIMIT // HUNDREDS) * HUNDREDS
        entries = tuple(_entries(army.code, numbers, {known.number: known.id for known in book.disciplines.values()}))
    except (ValueError, IndexError, KeyError) as problem:
        raise ListRefused([text("op.list.damaged")]) from problem
    return ArmyList(army.id, parts.version, limit, entries)


def _numbers(listed: ArmyList, disciplines: Mapping[str, Discipline]) -> Iterator[int]:
    yield listed.limit // HUNDREDS
    for entry in listed.entries:
        yield int(entry.unit.rpartition("-")[2])
        yield 2 * entry.count + entry.doubled
        yield disciplines[entry.discipline].number if entry.discipline in disciplines else 0
        yield len(entry.upgrades)
        yield from entry.upgrades


def _entries(letters: str, numbers: Sequence[int], disciplines: Mapping[int, str]) -> Iterator[ListEntry]:
    """Yield the entries of a code's numbers. Raises ValueError, IndexError or KeyError for numbers that no list has."""
    rest = list(reversed(numbers))
    for _ in range(lists.MOST_ENTRIES):
        if not rest:
            return
        unit, count, studied, bought = rest.pop(), rest.pop(), rest.pop(), rest.pop()
        upgrades = tuple(
            bounded(rest.pop(), 1, lists.MOST_NUMBER) for _ in range(bounded(bought, 0, lists.MOST_UPGRADES))
        )
        discipline = disciplines[studied] if studied else ""
        id = f"{letters}-{bounded(unit, 1, lists.MOST_NUMBER):02}"
        yield ListEntry(id, bounded(count // 2, 0, lists.MOST_COUNT), upgrades, discipline, bool(count % 2))
    if rest:
        raise ValueError("more entries than a list has")


class HeadEntry(Entry):
    """Head of a list: its army, the version of the army's page, its limit of points."""

    army: Id
    version: Annotated[int, Field(ge=1, le=999)]
    limit: Annotated[int, Field(ge=0, le=lists.MOST_LIMIT, multiple_of=100)]
    name: Annotated[Key, Field(max_length=60)] = ""


class ListDocument(Entry):
    """An army list as a file."""

    list_: Annotated[HeadEntry, Field(alias="list")]
    unit: Annotated[list[ListEntry], Field(max_length=lists.MOST_ENTRIES, default_factory=list)]


def read_file(book: Book, written: str, file: str) -> ArmyList:
    """Read the list of a file. Raises ListRefused with every fault of form and of meaning: file, line, key and
    reason."""

    def complaints(documents: Mapping[str, ListDocument], unread: Unread) -> Iterator[tuple[str, ContentFault]]:
        for document in documents.values():
            yield from (
                (file, ContentFault(loc, format_text(told, ARMY_LISTS))) for loc, told in _wrong(book, document)
            )

    return _read(written, file, complaints)


def read_draft(book: Book, written: str) -> ArmyList:
    """Read the list of a file, even with faults of meaning. Raises ListRefused with every fault of form, or for an
    unknown army."""
    listed = _read(written, "list", lambda documents, unread: ())
    if listed.army not in book.armies:
        raise ListRefused([text("op.list.no-army", army=listed.army)])
    return listed


def _read(written: str, file: str, complaints: Complaints[ListDocument]) -> ArmyList:
    try:
        _, documents = content_files.read({file: written}, ListDocument, complaints)
    except ContentRefused as problem:
        raise ListRefused([text("op.list.file", problem=line) for line in problem.problems]) from problem
    return _listed(documents[file])


def _listed(document: ListDocument) -> ArmyList:
    return value(ArmyList, document.list_, entries=tuple(document.unit))


def _wrong(book: Book, document: ListDocument) -> Iterator[tuple[Loc, Text]]:
    listed = _listed(document)
    changed: list[Text] = []
    try:
        listed, changed = brought_up(book, listed)
    except ListRefused as refused:
        yield from ((("list", "version"), told) for told in refused.faults)
    found = faults(book, listed)
    yield from ((_place(fault), fault.text) for fault in found)
    if found:
        yield from ((("list", "version"), told) for told in changed)


def _place(fault: ListFault) -> Loc:
    if fault.at < 0:
        return ("list", fault.key) if fault.key else ("list",)
    return ("unit", fault.at, {"unit": "id"}.get(fault.key, fault.key))


def write_file(book: Book, listed: ArmyList) -> str:
    """Write a list as TOML, with names and points in comments."""
    army = book.armies[listed.army]
    points = totals(army, listed).points
    named = [f"name = {_quoted(listed.name)}"] if listed.name else []
    head = [f'army = "{listed.army}"', f"version = {listed.version}", f"limit = {listed.limit}"]
    lines = [f"# {army.name}: {points} of {listed.limit} points", "", "[list]", *named, *head]
    for entry in listed.entries:
        lines += ["", *_unit(army, entry)]
    return "\n".join(lines) + "\n"


def _unit(army: Army, entry: ListEntry) -> Iterator[str]:
    unit = army.units.get(entry.unit)
    yield "[[unit]]"
    yield f'id = "{entry.unit}"' + (f"  # {unit.name}, {price(army, entry)} points" if unit is not None else "")
    if entry.count != 1:
        yield f"count = {entry.count}"
    if entry.doubled:
        yield "doubled = true  # two copies as one big unit"
    if entry.upgrades:
        rows = [army.upgrades.get(f"{entry.unit}.{number}") for number in entry.upgrades]
        names = ", ".join(army.weapons[row.new].name for row in rows if row is not None)
        yield f"upgrades = {list(entry.upgrades)}  # {names}"
    if entry.discipline:
        yield f'discipline = "{entry.discipline}"'


def _quoted(words: str) -> str:
    escaped = words.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


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
