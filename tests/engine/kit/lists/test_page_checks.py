"""Checks of pages: tables without a head, and the ids of rows."""

from __future__ import annotations

from types import SimpleNamespace

from engine.core.content.content_schema import Entry
from engine.core.content.unsound import Unsound
from engine.kit.lists.page_checks import row_faults, stray_faults


class Page(Entry):
    page: int = 0
    draft: int = 0


def test_tables_of_a_page_need_its_head() -> None:
    faults = stray_faults(Page(draft=1), ("page", "draft"), "an army: its [army]")
    assert [(fault.loc, fault.reason) for fault in faults] == [
        (("draft",), "belongs to an army: its [army] stands in the same file")
    ]


def test_rows_have_the_letters_of_their_page_and_an_id_each() -> None:
    ids: list[object] = ["IM-01", "IM-01", "XX-02", Unsound("a.toml"), "XX-03"]
    rows = [SimpleNamespace(id=id) for id in ids]
    found = [(fault.loc, fault.reason) for fault in row_faults(("page", "unit"), rows, "IM")]
    assert found == [
        (("page", "unit", 1, "id"), "the id IM-01 is used twice"),
        (("page", "unit", 2, "id"), "the units of this army begin with IM-"),
        (("page", "unit", 4, "id"), "the units of this army begin with IM-"),
    ]
