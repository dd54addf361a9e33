"""TOML files of content read and checked: every fault of every file at once, by file, line, key and reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from engine.core.system import ContentProblem
from engine.core.toml_source import Loc, Source
from engine.rulesets.action_cards.content_checks import Problem, complaints
from engine.rulesets.action_cards.content_known import Known
from engine.rulesets.action_cards.schema import Document

_REASONS: Final = {"extra_forbidden": "no such key is known here", "missing": "this key is missing"}


def read(texts: Mapping[str, str]) -> tuple[dict[str, dict[str, Any]], dict[str, Document]]:
    """{file name: TOML} as it is written, and checked. Raises ContentProblem with one line for every fault."""
    sources = {file: Source(toml) for file, toml in texts.items()}
    found: list[tuple[str, int, str]] = []
    documents: dict[str, Document] = {}
    for file, source in sources.items():
        found += [(file, line, reason) for line, reason in source.faults]
        try:
            document = Document.model_validate(source.values)
        except ValidationError as fault:
            problems = _faults(fault, source)
            found += [_told(file, source, problem) for problem in problems]
        else:
            if not source.faults:
                documents[file] = document
    unread = [source.values for file, source in sources.items() if file not in documents]
    known = Known.of(documents.values(), unread)
    found += [_told(file, sources[file], problem) for file, problem in complaints(documents, known)]
    if found:
        order = {file: number for number, file in enumerate(texts)}
        found = sorted(dict.fromkeys(found), key=lambda fault: (order[fault[0]], fault[1]))
        raise ContentProblem([f"{file}:{line}: {reason}" for file, line, reason in found])
    return {file: source.values for file, source in sources.items()}, documents


def _told(file: str, source: Source, problem: Problem) -> tuple[str, int, str]:
    key = ".".join(map(str, problem.loc)) or "file"
    return file, source.line_of(problem.loc), f"{key}: {problem.reason}"


def _faults(fault: ValidationError, source: Source) -> Iterator[Problem]:
    """What is not as the schema has it, one reason a place. Beside faults of form nothing is missing: it may stand
    where nothing could be read."""
    told: set[Loc] = set()
    for error in fault.errors(include_url=False, include_input=False):
        loc = _written(error, source.values)
        if loc not in told and not (source.faults and error["type"] == "missing"):
            told.add(loc)
            yield Problem(loc, _REASONS.get(error["type"], error["msg"].removeprefix("Value error, ")))


def _written(error: ErrorDetails, values: object) -> Loc:
    """The place of an error as the file has it, without the names of the types that a value might have had."""
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
