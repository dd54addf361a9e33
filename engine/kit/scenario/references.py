"""Names that files of content use of one another, checked though some of the files have faults.

Of a faulty file the ids count, so that no other file is blamed for naming them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Set
from typing import Any

from pydantic import BaseModel

from engine.core.content.content_files import ContentFault, Unread
from engine.core.content.toml_source import Loc
from engine.core.content.unsound import is_unsound, part
from protocol import near_names


def defined(table: str, documents: Iterable[BaseModel], unread: Unread, *, single: bool = False) -> dict[str, Any]:
    """Return what files define as tables [table.ID], by id, or (`single`) as one [table] each with a key `id`.

    Of files without a document it is the raw values. What has an id that could not be read is left out.
    """
    found: dict[str, Any] = {}
    for values in unread:
        given = values.get(table)
        if isinstance(given, dict):
            found |= given if not single else {given["id"]: given} if isinstance(given.get("id"), str) else {}
    for document in documents:
        own = getattr(document, table)
        if own is not None and not is_unsound(own) and not (single and is_unsound(own.id)):
            found |= own if not single else {own.id: own}
    return found


def is_blind(unread: Unread, documents: Iterable[BaseModel] = ()) -> bool:
    """Tell whether a file could not be read at all, or the id of something in it: it might define anything."""
    return not all(unread) or any(map(_is_nameless, documents))


def _is_nameless(document: BaseModel) -> bool:
    tables = [getattr(document, name) for name in type(document).model_fields]
    return any(is_unsound(table) or is_unsound(getattr(table, "id", None)) for table in tables)


def unknown(
    loc: Loc, what: str, named: Iterable[str], known: Set[str], *, blind: bool = False
) -> Iterator[ContentFault]:
    """Yield a fault for each name that nothing defines, in the order of the names; none while `blind`."""
    for name in () if blind else sorted(set(named) - known):
        yield ContentFault(loc, f"no {what} has the id {name}{near_names.meant(name, known)}")


def not_among(loc: Loc, given: str, possible: Collection[str]) -> Iterator[ContentFault]:
    """Yield the fault of a word that is none of the possible ones, told in their order, or sorted where they have
    none."""
    if given not in possible:
        told = possible if isinstance(possible, tuple) else sorted(possible)
        yield ContentFault(loc, f"{given} is none of {', '.join(told)}{near_names.meant(given, told)}")


def ids_of(entries: Iterable[Any]) -> list[str]:
    """Return the ids of entries; an entry that could not be read stands for its own."""
    return [part(one, "id") for one in entries]


def own_ids(document: BaseModel, *tables: str) -> Iterator[tuple[Loc, str]]:
    """Yield the ids that a file defines in these tables and no other file may define again, each with its place."""
    for table in tables:
        own = getattr(document, table)
        if isinstance(own, dict):
            yield from (((table, id), id) for id in own)
        elif own is not None and not is_unsound(own):
            yield (table, "id"), own.id
