"""Reports in the store, through both adapters: the newest first, with the lines around the reported one."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.ids import TableId
from protocol.wire.from_server import ChatLine
from server.cli.data.fsck import Host, examine
from server.store.port import Store, StoreDamaged
from server.talk.reports import REPORTS, ReportBook, StoredReport, around
from tests.support.doubles.memory_store import MemoryStore
from tests.support.doubles.stored import records_of

pytestmark = pytest.mark.waits

LINES = tuple(ChatLine("ben", "Ben", "player", f"line {number}", number) for number in range(50))


def report(words: str) -> StoredReport:
    return StoredReport("ann", "Ann", "ben", "Ben", "abuse", words, 5, LINES[:3], 1, TableId("t1"))


async def test_reports_are_read_by_page_the_newest_first_and_by_the_server_that_follows(store: Store) -> None:
    book = ReportBook(store)
    for number in range(1, 5):
        assert await book.add(report(f"report {number}")) == number
    after = ReportBook(store)
    assert await after.page(None, 2) == [(4, report("report 4")), (3, report("report 3"))]
    assert await after.page(3, 9) == [(2, report("report 2")), (1, report("report 1"))]


@pytest.mark.parametrize(("place", "first", "last"), [(0, 0, 20), (25, 5, 45), (49, 29, 49)])
def test_so_many_lines_before_and_behind_are_kept_with_one(place: int, first: int, last: int) -> None:
    lines, at = around(LINES, place)
    assert (lines[0], lines[-1], lines[at]) == (LINES[first], LINES[last], LINES[place])


async def test_a_damaged_report_is_named(tmp_path: Path) -> None:
    store = MemoryStore()
    book = ReportBook(store)
    await book.add(report("whole"))
    [key] = await records_of(store, REPORTS)
    await store.put_record(REPORTS, key, b"\xc1")
    with pytest.raises(StoreDamaged, match=f"The report {key}"):
        await book.page(None, 9)
    [finding] = [finding async for finding in examine(store, Host({}, None, None, tmp_path))]
    assert finding.place == REPORTS
