"""TOML files of content read and checked: every fault of every file at once, by file, line, key and reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from engine.core.content.toml_source import Loc, TomlSource
from engine.core.rules.errors import ContentRefused
from engine.core.rules.implements import document_now

D = TypeVar("D", bound=BaseModel)

_REASONS: Final = {"extra_forbidden": "no such key is known here", "missing": "this key is missing"}


class ContentFault(NamedTuple):
    """A fault at a place of a document."""

    loc: Loc
    reason: str


Unread = Sequence[Mapping[str, Any]]
"""The readable parts of the files that have faults."""
Complaints = Callable[[Mapping[str, D], Unread], Iterable[tuple[str, ContentFault]]]
"""A function that yields, by file, every fault that a schema cannot see, from the sound documents and the parts of
others."""


def read(
    texts: Mapping[str, str], schema: type[D], complaints: Complaints[D]
) -> tuple[dict[str, dict[str, Any]], dict[str, D]]:
    """Read TOML files, {file name: text}: the values as written, and the checked documents. Raises ContentRefused with
    one line for every fault."""
    sources = {file: TomlSource(toml) for file, toml in texts.items()}
    found: list[tuple[str, int, str]] = []
    documents: dict[str, D] = {}
    for file, source in sources.items():
        found += [(file, line, reason) for line, reason in source.faults]
        try:
            document = schema.model_validate(source.values)
        except ValidationError as fault:
            problems = _faults(fault, source)
            found += [_located(file, source, problem) for problem in problems]
        else:
            if not source.faults:
                documents[file] = document
    unread = [source.values for file, source in sources.items() if file not in documents]
    found += [_located(file, sources[file], problem) for file, problem in complaints(documents, unread)]
    if found:
        order = {file: number for number, file in enumerate(texts)}
        found = sorted(dict.fromkeys(found), key=lambda fault: (order[fault[0]], fault[1]))
        raise ContentRefused([f"{file}:{line}: {reason}" for file, line, reason in found])
    return {file: source.values for file, source in sources.items()}, documents


def used_twice(table: Loc, ids: Iterable[str], key: str = "id") -> Iterator[ContentFault]:
    """Yield a fault for each entry of a table, in order, whose `key` an earlier one has."""
    seen: set[str] = set()
    for place, id in enumerate(ids):
        if id in seen:
            yield ContentFault((*table, place, key), f"the {key} {id} is used twice")
        seen.add(id)


def defined_twice(defined: Mapping[str, Iterable[tuple[Loc, str]]]) -> Iterator[tuple[str, ContentFault]]:
    """Yield a fault for each id that an earlier file defines, too. `defined`: ids by their place, by file; each table
    has ids of its own."""
    seen: dict[tuple[str | int, str], str] = {}
    for file, ids in defined.items():
        for loc, id in ids:
            first = seen.setdefault((loc[0], id), file)
            if first != file:
                yield file, ContentFault(loc, f"{id} is defined in {first} too")


def as_ruled(raw: Mapping[str, dict[str, Any]], checked: Mapping[str, D], schema: type[D]) -> Iterator[D]:
    """Yield the documents without the entries of disabled rules; in play those are whole."""
    for file, document in raw.items():
        kept = document_now(document)
        yield checked[file] if kept is document else schema.model_validate(kept)


def _located(file: str, source: TomlSource, problem: ContentFault) -> tuple[str, int, str]:
    key = ".".join(map(str, problem.loc)) or "file"
    return file, source.line_of(problem.loc), f"{key}: {problem.reason}"


def _faults(fault: ValidationError, source: TomlSource) -> Iterator[ContentFault]:
    """Yield one fault for each place that is not as the schema has it. Beside faults of form no missing key is a fault:
    it may stand where nothing could be read."""
    told: set[Loc] = set()
    for error in fault.errors(include_url=False, include_input=False):
        loc = _written(error, source.values)
        if loc not in told and not (source.faults and error["type"] == "missing"):
            told.add(loc)
            yield ContentFault(loc, _REASONS.get(error["type"], error["msg"].removeprefix("Value error, ")))


def _written(error: ErrorDetails, values: object) -> Loc:
    """Return the place of an error in the file, without the names of the types that a value might have had."""
    loc: Loc = ()
    for part in error["loc"]:
        if isinstance(values, dict) and (part in values or error["type"] == "missing"):
            values = values.get(part)
        elif isinstance(values, list) and isinstance(part, int) and part < len(values):
            values = values[part]
        else:
            break
        loc = (*loc, part)
    return loc
