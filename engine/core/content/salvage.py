"""A document read as far as it is sound: its faults, and everything else of it, to be checked in the same round.

What cannot be read is unsound (unsound.py). A misspelt key is read as the one that was meant, where that is not there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Generic, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from engine.core.content.content_schema import KnownKeys
from engine.core.content.toml_source import MOST_DEPTH, Loc, TomlSource
from engine.core.content.unsound import Unsound
from protocol import near_names

D = TypeVar("D", bound=BaseModel)

_REASONS: Final = {"extra_forbidden": "no such key is known here", "missing": "this key is missing"}
_QUOTED: Final = re.compile(r"'([^']*)'")


class ContentFault(NamedTuple):
    """A fault at a place of a document."""

    loc: Loc
    reason: str


class Salvage(NamedTuple, Generic[D]):
    """Sound part of a document: None where nothing is. `meant`: keys as they are written, by the way that the
    document has to them."""

    document: D | None
    faults: tuple[ContentFault, ...]
    meant: Mapping[Loc, str]

    def written(self, loc: Loc) -> Loc:
        """Return a place of the document as the file has it."""
        return tuple([self.meant.get(loc[: length + 1], part) for length, part in enumerate(loc)])


def salvage(file: str, source: TomlSource, schema: type[D]) -> Salvage[D]:
    """Read the document of a file, with one fault for each place that is not as the schema has it. Beside faults of
    form no key is missing in the same table: it may stand where nothing could be read. Of a file that gives no values
    there is no document."""
    if source.faults and not source.values:
        return Salvage(None, (), {})
    wreck = _Wreck(file, source, schema)
    wreck.take_unknown_keys_out()
    wreck.note_faults()
    document = wreck.document()
    order = sorted(wreck.faults, key=lambda fault: source.line_of(fault.loc))
    return Salvage(document, tuple(order), wreck.meant)


class _Wreck(Generic[D]):
    """A document with faults, in work."""

    def __init__(self, file: str, source: TomlSource, schema: type[D]) -> None:
        self.schema = schema
        self.unsound = Unsound(file)
        self.values: Any = _copy(source.values)
        self.torn = [_at(self.values, loc) for loc in source.torn]
        self.faults: list[ContentFault] = []
        self.meant: dict[Loc, str] = {}
        self.keys = KnownKeys()

    def take_unknown_keys_out(self) -> None:
        """Rename or remove keys that the schema does not know. Behind a renamed one there may be others."""
        for _ in range(MOST_DEPTH + 1):
            unknown = [loc for error, loc in self._errors() if error["type"] == "extra_forbidden"]
            if not unknown:
                return
            for loc in unknown:
                self._take_out(loc)

    def _take_out(self, loc: Loc) -> None:
        table, key = _at(self.values, loc[:-1]), str(loc[-1])
        known = self.keys.of(table)
        self._note(loc, f"{_REASONS['extra_forbidden']}{near_names.meant(key, known)}")
        value, meant = table.pop(key), near_names.nearest(key, known)
        if meant is not None and meant not in table:
            table[meant] = value
            self.meant[*loc[:-1], meant] = key

    def note_faults(self) -> None:
        """Note what is not as the schema has it, each place once."""
        told: set[Loc] = set()
        for error, loc in self._errors():
            if loc in told or (error["type"] == "missing" and any(_at(self.values, loc[:-1]) is t for t in self.torn)):
                continue
            told.add(loc)
            self._note(loc, _reason(error))

    def _note(self, loc: Loc, reason: str) -> None:
        written = Salvage(None, (), self.meant).written(loc)
        self.faults.append(ContentFault(written, reason))

    def document(self) -> D | None:
        """Return the document with unsound values where it has faults: at their places, or around them where such a
        value cannot stand there."""
        for table in self.torn:
            for key in self.keys.of(table):
                table.setdefault(key, self.unsound)
        for _ in range(MOST_DEPTH + 1):
            found = self._errors()
            if not found:
                return self.schema.model_validate(self.values)
            spoilt: set[Loc] = set()
            for _, loc in found:
                if not any(loc[:length] in spoilt for length in range(len(loc) + 1)):
                    spoilt.add(self._spoil(loc))
            if () in spoilt:
                return None
        return None

    def _spoil(self, loc: Loc) -> Loc:
        """Make a value unsound; where it is that already, the one around it. Return the place of what was made so, ()
        where there was nothing."""
        while loc:
            inside, last = _at(self.values, loc[:-1]), loc[-1]
            if isinstance(inside, dict | list) and _at(inside, (last,)) is not self.unsound:
                inside[last] = self.unsound  # type: ignore[index]  # a key of a dict, a number of a list
                return loc
            loc = loc[:-1]
        return ()

    def _errors(self) -> list[tuple[ErrorDetails, Loc]]:
        self.keys = KnownKeys()
        try:
            self.schema.model_validate(self.values, context=self.keys)
        except ValidationError as fault:
            return [(error, _place(error, self.values)) for error in fault.errors(include_url=False)]
        return []


def _reason(error: ErrorDetails) -> str:
    if error["type"] == "literal_error":
        possible = _QUOTED.findall(error["ctx"]["expected"])
        return f"{error['msg']}{near_names.meant(str(error['input']), possible)}"
    return _REASONS.get(error["type"], error["msg"].removeprefix("Value error, "))


def _copy(values: Any) -> Any:
    if isinstance(values, dict):
        return {key: _copy(value) for key, value in values.items()}
    return [_copy(value) for value in values] if isinstance(values, list) else values


def _at(values: Any, loc: Iterable[str | int]) -> Any:
    """Return what stands at a place; None where nothing does."""
    for part in loc:
        if isinstance(values, dict):
            values = values.get(part)
        elif isinstance(values, list) and isinstance(part, int) and part < len(values):
            values = values[part]
        else:
            return None
    return values


def _place(error: ErrorDetails, values: object) -> Loc:
    """Return the place of an error in the file, without the names of the types that a value might have had."""
    return tuple(_parts(error, values))


def _parts(error: ErrorDetails, values: object) -> Iterator[str | int]:
    for part in error["loc"]:
        if isinstance(values, dict) and (part in values or error["type"] == "missing"):
            values = values.get(part)
        elif isinstance(values, list) and isinstance(part, int) and part < len(values):
            values = values[part]
        else:
            return
        yield part
