"""Army lists as text: short codes, TOML files to keep, read and share, and lists from older pages.

The numbers of a code (codes.py): the limit in steps, then those of each line. The name of a list is not in its code.
Every number has the bounds that it has in a file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from msgspec.structs import replace
from pydantic import BaseModel, Field, create_model

from engine.core.content import content_files
from engine.core.content.content_files import Complaints, ContentFault, Unread
from engine.core.content.content_schema import Entry, Id, Key
from engine.core.content.toml_source import Loc
from engine.core.rules.errors import ContentRefused, ListRefused
from engine.kit.lists.codes import LONGEST, bounded, coded, looks_like_code, taken_apart
from engine.kit.lists.page_rules import MOST_ENTRIES, MOST_LIMIT, WHOLE, ArmyList, B, E, ListFault, ListLine, PageRules
from engine.kit.values import value
from protocol.text import Text
from protocol.text_format import format_text

Rules = PageRules[B, E]


class HeadEntry(Entry):
    """Head of a list: its army, the version of the army's page, its limit of points."""

    army: Id
    version: Annotated[int, Field(ge=1, le=999)]
    limit: Annotated[int, Field(ge=0, le=MOST_LIMIT)]
    name: Annotated[Key, Field(max_length=60)] = ""


def document_of(line: type[ListLine], step: int) -> type[BaseModel]:
    """Make the schema of a list as a file; `step`: limits are multiples of it."""
    limit: Any = (Annotated[int, Field(ge=0, le=MOST_LIMIT, multiple_of=step)], ...)
    head = create_model("HeadEntry", __base__=HeadEntry, __doc__=HeadEntry.__doc__, limit=limit)
    fields: dict[str, Any] = {
        "list_": (Annotated[head, Field(alias="list")], ...),
        "unit": (Annotated[list[line], Field(max_length=MOST_ENTRIES, default_factory=list)], ...),  # type: ignore[valid-type]
    }
    return create_model("ListDocument", __base__=Entry, __doc__="An army list as a file.", **fields)


def encode(rules: Rules[B, E], book: B, listed: ArmyList[E]) -> str:
    """Return the code of a list, valid or not, of a faction that is installed. Raises ListRefused where it is too
    long."""
    lines = [number for entry in listed.entries for number in rules.numbers(book, entry)]
    page = rules.pages(book)[listed.army]
    code = coded(f"{page.code}{listed.version}", [listed.limit // rules.step, *lines])
    if len(code) > LONGEST:
        raise rules.refused("long-code", most=LONGEST)
    return code


def decode(rules: Rules[B, E], book: B, code: str) -> ArmyList[E]:
    """Return the list of a code. Raises ListRefused where it is damaged or of an unknown faction."""
    parts = taken_apart(code)
    if parts is None:
        raise rules.refused("no-code")
    page = next((page for page in rules.pages(book).values() if page.code == parts.letters), None)
    if page is None:
        raise rules.refused("no-army", army=parts.letters)
    entries: list[E] = []
    try:
        *rest, limit = reversed(parts.numbers())
        limit = bounded(limit, 0, MOST_LIMIT // rules.step) * rules.step
        while rest:
            entries.append(rules.entry(book, page, rest))
        bounded(len(entries), 0, MOST_ENTRIES)
    except (ValueError, IndexError, KeyError) as problem:
        raise rules.refused("damaged") from problem
    return ArmyList(page.id, parts.version, limit, tuple(entries))


def read_list(rules: Rules[B, E], book: B, written: str, file: str = "") -> ArmyList[E]:
    """Read a list from its code or as TOML; its version may be an older one. Raises ListRefused with every fault of
    form and of meaning: of TOML with file, line, key and reason."""
    if looks_like_code(written):
        return decode(rules, book, written)

    def complaints(documents: Mapping[str, Any], unread: Unread) -> Iterator[tuple[str, ContentFault]]:
        for name, document in documents.items():
            for loc, told in _wrong(rules, book, _listed(document)):
                yield name, ContentFault(loc, format_text(told, rules.english))

    return _read(rules, written, file or "list", complaints)


def read_draft(rules: Rules[B, E], book: B, written: str) -> ArmyList[E]:
    """Read a list from its code or as TOML, even with faults of meaning. Raises ListRefused with every fault of form,
    or for an unknown faction."""
    if looks_like_code(written):
        return decode(rules, book, written)
    listed = _read(rules, written, "list", lambda documents, unread: ())
    if listed.army not in rules.pages(book):
        raise rules.refused("no-army", army=listed.army)
    return listed


def _read(rules: Rules[B, E], written: str, file: str, complaints: Complaints[Any]) -> ArmyList[E]:
    try:
        _, documents = content_files.read({file: written}, rules.document, complaints)
    except ContentRefused as problem:
        key = f"{rules.words}list.file"
        raise ListRefused([Text(key, {"problem": line}) for line in problem.problems]) from problem
    return _listed(documents[file])


def _listed(document: Any) -> ArmyList[Any]:
    return value(ArmyList, document.list_, entries=tuple(document.unit))


def _wrong(rules: Rules[B, E], book: B, listed: ArmyList[E]) -> Iterator[tuple[Loc, Text]]:
    changed: list[Text] = []
    try:
        listed, changed = brought_up(rules, book, listed)
    except ListRefused as outdated:
        yield from ((("list", "version"), told) for told in outdated.faults)
    found = rules.faults(book, listed)
    yield from ((_place(fault), fault.text) for fault in found)
    if found:
        yield from ((("list", "version"), told) for told in changed)


def _place(fault: ListFault) -> Loc:
    if fault.at == WHOLE:
        return ("list", fault.key) if fault.key else ("list",)
    return ("unit", fault.at, {"unit": "id"}.get(fault.key, fault.key))


def write_file(rules: Rules[B, E], book: B, listed: ArmyList[E]) -> str:
    """Write a list as TOML, with names and points in comments."""
    points, page = rules.points(book, listed), rules.pages(book)[listed.army]
    named = [f"name = {_quoted(listed.name)}"] if listed.name else []
    head = [f'army = "{listed.army}"', f"version = {listed.version}", f"limit = {listed.limit}"]
    lines = [f"# {page.name}: {points} of {listed.limit} points", "", "[list]", *named, *head]
    for entry in listed.entries:
        lines += ["", "[[unit]]", *rules.written(book, listed, entry)]
    return "\n".join(lines) + "\n"


def _quoted(words: str) -> str:
    escaped = words.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def brought_up(rules: Rules[B, E], book: B, listed: ArmyList[E]) -> tuple[ArmyList[E], list[Text]]:
    """Return the list at the page's present version, and what changed about it, in order. Raises ListRefused with what
    changed where something in it is no more, or where its version is newer than the page."""
    page = rules.pages(book).get(listed.army)
    if page is None or listed.version == page.version:
        return listed, []
    if listed.version > page.version:
        raise rules.refused("newer", army=Text(page.name), version=listed.version, known=page.version)
    told: list[Text] = []
    gone = False
    for change in sorted(rules.changes(book, page.id), key=lambda change: change.version):
        touched = [rules.touched(change, entry) for entry in listed.entries]
        what = next(filter(None, touched), "")
        if change.version > listed.version and what:
            words: dict[str, str | int | Text] = {"version": change.version, "unit": what, "why": change.why}
            told.append(Text(f"{rules.words}list.changed", words))
            gone = gone or change.gone
            lines = zip(listed.entries, touched, strict=True)
            entries = [rules.changed(change, entry) if is_touched else entry for entry, is_touched in lines]
            listed = replace(listed, entries=tuple(entries))
    if gone:
        outdated = rules.refused("outdated", version=listed.version, known=page.version)
        raise ListRefused([*outdated.faults, *told])
    return replace(listed, version=page.version), told


def sound(rules: Rules[B, E], book: B, listed: ArmyList[E]) -> tuple[ArmyList[E], list[Text]]:
    """Return a list as it stands today, and what has been brought up to date in it. Raises ListRefused with every
    fault, of a list from an older page also with what changed."""
    current, changed = brought_up(rules, book, listed)
    wrong = [fault.text for fault in rules.faults(book, current)]
    if wrong:
        raise ListRefused([*changed, *wrong])
    return current, changed
