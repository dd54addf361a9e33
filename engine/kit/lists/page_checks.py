"""Checks of the pages of factions: tables that belong to one, and the ids of their rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pydantic import BaseModel

from engine.core.content.content_files import ContentFault, used_twice
from engine.core.content.toml_source import Loc
from engine.core.content.unsound import sound
from engine.kit.scenario.references import ids_of


def stray_faults(document: BaseModel, tables: Iterable[str], what: str) -> Iterator[ContentFault]:
    """Yield a fault for each of these tables of a file without the head of a page. `what`: it is called, "an army: its
    [army]"."""
    for name in tables:
        if name in document.model_fields_set:
            yield ContentFault((name,), f"belongs to {what} stands in the same file")


def row_faults(loc: Loc, rows: Sequence[Any], code: str) -> Iterator[ContentFault]:
    """Yield the faults of the ids of a page's rows: one that stands twice, or lacks the letters of the page."""
    coded = [_coded((*loc, place), row, code) for place, row in enumerate(rows)]
    yield from sound(used_twice(loc, ids_of(rows)), *coded)


def _coded(loc: Loc, row: Any, code: str) -> Iterator[ContentFault]:
    if not row.id.startswith(f"{code}-"):
        yield ContentFault((*loc, "id"), f"the units of this army begin with {code}-")
