"""Names that files of content use of one another, checked though some of the files have faults.

Of a faulty file the ids count, so that no other file is blamed for naming them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Set
from typing import Any

from pydantic import BaseModel

from engine.core.content.content_files import ContentFault, Unread
from engine.core.content.toml_source import Loc


def defined(table: str, documents: Iterable[BaseModel], unread: Unread, *, single: bool = False) -> dict[str, Any]:
    """Return what files define as tables [table.ID], by id, or (`single`) as one [table] each with a key `id`.

    Of files with faults it is the raw values.
    """
    found: dict[str, Any] = {}
    for values in unread:
        given = values.get(table)
        if isinstance(given, dict):
            found |= given if not single else {given["id"]: given} if isinstance(given.get("id"), str) else {}
    for document in documents:
        own = getattr(document, table)
        found |= own if not single else {own.id: own} if own is not None else {}
    return found


def is_blind(unread: Unread) -> bool:
    """Tell whether a file could not be read at all, and might define anything."""
    return not all(unread)


def unknown(
    loc: Loc, what: str, named: Iterable[str], known: Set[str], *, blind: bool = False
) -> Iterator[ContentFault]:
    """Yield a fault for each name that nothing defines, in the order of the names; none while `blind`."""
    for name in () if blind else sorted(set(named) - known):
        yield ContentFault(loc, f"no {what} has the id {name}")


def not_among(loc: Loc, given: str, possible: Collection[str]) -> Iterator[ContentFault]:
    """Yield the fault of a word that is none of the possible ones, told in their order, or sorted where they have
    none."""
    if given not in possible:
        told = possible if isinstance(possible, tuple) else sorted(possible)
        yield ContentFault(loc, f"{given} is none of {', '.join(told)}")


def own_ids(document: BaseModel, *tables: str) -> Iterator[tuple[Loc, str]]:
    """Yield the ids that a file defines in these tables and no other file may define again, each with its place."""
    for table in tables:
        own = getattr(document, table)
        if isinstance(own, dict):
            yield from (((table, id), id) for id in own)
        elif own is not None:
            yield (table, "id"), own.id
