"""TOML files of content read and checked: every fault of every file at once, by file, line, key and reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from engine.core.content.salvage import ContentFault as ContentFault, Salvage, salvage
from engine.core.content.toml_source import Loc, TomlSource
from engine.core.content.unsound import is_unsound
from engine.core.rules.errors import ContentRefused, UnsoundValue
from engine.core.rules.implements import document_now

D = TypeVar("D", bound=BaseModel)

Unread = Sequence[Mapping[str, Any]]
"""The readable parts of files that have faults, where there is no document of them."""
Complaints = Callable[[Mapping[str, D], Unread], Iterable[tuple[str, ContentFault]]]
"""A function that yields, by file, every fault that a schema cannot see, from the documents and the parts of others.

The document of a file with faults has unsound values (unsound.py) in their places. What cannot be checked without one
of them is not checked: `sound` ends such checks one by one. Where the function ends at one as a whole, it is asked
again without that file.
"""


class _Located(NamedTuple):
    """A fault with its file and line."""

    file: str
    line: int
    reason: str


def read(
    texts: Mapping[str, str], schema: type[D], complaints: Complaints[D]
) -> tuple[dict[str, dict[str, Any]], dict[str, D]]:
    """Read TOML files, {file name: text}: the values as written, and the checked documents. Raises ContentRefused with
    one line for every fault."""
    sources = {file: TomlSource(toml) for file, toml in texts.items()}
    wrecks: dict[str, Salvage[D]] = {}
    documents: dict[str, D] = {}
    for file, source in sources.items():
        document = _whole(source, schema)
        if document is not None:
            documents[file] = document
        else:
            wrecks[file] = salvage(file, source, schema)
    found = [_Located(file, *fault) for file, source in sources.items() for fault in source.faults]
    found += [_located(file, sources[file], fault) for file, wreck in wrecks.items() for fault in wreck.faults]
    for file, problem in _complaints(sources, documents, wrecks, complaints):
        written = wrecks[file].written(problem.loc) if file in wrecks else problem.loc
        found.append(_located(file, sources[file], ContentFault(written, problem.reason)))
    if found:
        order = {file: number for number, file in enumerate(texts)}
        found = sorted(dict.fromkeys(found), key=lambda fault: (order[fault.file], fault.line))
        raise ContentRefused([f"{fault.file}:{fault.line}: {fault.reason}" for fault in found])
    return {file: source.values for file, source in sources.items()}, documents


def _whole(source: TomlSource, schema: type[D]) -> D | None:
    """Return the document of a file without faults, None for any other."""
    try:
        return None if source.faults else schema.model_validate(source.values)
    except ValidationError:
        return None


def _complaints(
    sources: Mapping[str, TomlSource],
    documents: Mapping[str, D],
    wrecks: Mapping[str, Salvage[D]],
    complaints: Complaints[D],
) -> Iterator[tuple[str, ContentFault]]:
    """Yield what is complained of; each time that ends at an unsound value, ask again without the file that has it."""
    usable = {file: document for file, wreck in wrecks.items() if (document := wreck.document) is not None}
    for _ in range(len(wrecks) + 1):
        both = {**documents, **usable}
        given = {file: both[file] for file in sources if file in both}
        unread = [source.values for file, source in sources.items() if file not in given]
        try:
            yield from complaints(given, unread)
        except UnsoundValue as value:
            if usable.pop(value.file, None) is None:
                return
        else:
            return


def used_twice(table: Loc, ids: Iterable[str], key: str = "id") -> Iterator[ContentFault]:
    """Yield a fault for each entry of a table, in order, whose `key` an earlier one has."""
    seen: set[str] = set()
    for place, id in enumerate(ids):
        if is_unsound(id):
            continue
        if id in seen:
            yield ContentFault((*table, place, key), f"the {key} {id} is used twice")
        seen.add(id)


def defined_twice(defined: Mapping[str, Iterable[tuple[Loc, str]]]) -> Iterator[tuple[str, ContentFault]]:
    """Yield a fault for each id that an earlier file defines, too. `defined`: ids by their place, by file; each table
    has ids of its own."""
    seen: dict[tuple[str | int, str], str] = {}
    for file, ids in defined.items():
        for loc, id in ids:
            if is_unsound(id):
                continue
            first = seen.setdefault((loc[0], id), file)
            if first != file:
                yield file, ContentFault(loc, f"{id} is defined in {first} too")


def as_ruled(raw: Mapping[str, dict[str, Any]], checked: Mapping[str, D], schema: type[D]) -> Iterator[D]:
    """Yield the documents without the entries of disabled rules; in play those are whole."""
    for file, document in raw.items():
        kept = document_now(document)
        yield checked[file] if kept is document else schema.model_validate(kept)


def _located(file: str, source: TomlSource, problem: ContentFault) -> _Located:
    key = ".".join(map(str, problem.loc)) or "file"
    return _Located(file, source.line_of(problem.loc), f"{key}: {problem.reason}")
