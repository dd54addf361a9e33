"""Army lists as TOML files, for people to keep, read and share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

from pydantic import Field

from engine.core.content import content_files
from engine.core.content.content_files import Complaints, ContentFault, Unread
from engine.core.content.content_schema import Entry, Id, Key
from engine.core.content.toml_source import Loc
from engine.core.rules.errors import ContentRefused, ListRefused
from engine.kit.values import value
from engine.rulesets.one_page.content.armies import Book
from engine.rulesets.one_page.content.list_versions import brought_up
from engine.rulesets.one_page.content.lists import (
    MOST_ENTRIES,
    MOST_LIMIT,
    ArmyList,
    ListEntry,
    ListFault,
    faults,
    price,
    totals,
)
from engine.rulesets.one_page.state.profiles import Army
from engine.rulesets.one_page.text.texts import ARMY_LISTS
from protocol.text import Text, text
from protocol.text_format import format_text


class HeadEntry(Entry):
    """Head of a list: its army, the version of the army's page, its limit of points."""

    army: Id
    version: Annotated[int, Field(ge=1, le=999)]
    limit: Annotated[int, Field(ge=0, le=MOST_LIMIT, multiple_of=100)]
    name: Annotated[Key, Field(max_length=60)] = ""


class ListDocument(Entry):
    """An army list as a file."""

    list_: Annotated[HeadEntry, Field(alias="list")]
    unit: Annotated[list[ListEntry], Field(max_length=MOST_ENTRIES, default_factory=list)]


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
