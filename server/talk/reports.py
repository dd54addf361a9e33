"""Reports of people and of what they have said, for the host, kept for a year.

A report holds a copy of the line with those around it in the same conversation: what was said may be gone, and between
two people nothing else of theirs is anybody's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from protocol.ids import NO_TABLE, TableId
from protocol.wire.from_server import ChatLine
from server.store.numbered_records import NumberedRecords
from server.store.port import Store
from server.store.record_form import read_record

REPORTS: Final = "report"
"""Kind of the reports, by their falling numbers."""
KEPT_SECONDS: Final = 365 * 24 * 3600
AROUND: Final = 20
"""Lines before a reported one, and as many behind it, that are kept with it."""


class StoredReport(msgspec.Struct, frozen=True, omit_defaults=True):
    """A report by one person, `by`, of another, `who`, each with the name that they had; `at`: Unix seconds. `place`:
    that of the reported line among `lines`, -1 where the person is reported; `table`: where that was said, none for the
    lobby."""

    by: str
    by_name: str
    who: str
    name: str
    reason: str
    words: str
    at: int
    lines: tuple[ChatLine, ...] = ()
    place: int = -1
    table: TableId = NO_TABLE


def read_report(data: bytes) -> StoredReport:
    """Decode a stored report. Raises MsgspecError."""
    return msgspec.msgpack.decode(data, type=StoredReport)


def around(lines: Sequence[ChatLine], place: int) -> tuple[tuple[ChatLine, ...], int]:
    """Return the lines that are kept with the one at a place, and its place among them."""
    first = max(place - AROUND, 0)
    return tuple(lines[first : place + AROUND + 1]), place - first


class NumberedReport(NamedTuple):
    """A report with its number, which counts up."""

    number: int
    report: StoredReport


class ReportBook:
    """The reports of one store."""

    def __init__(self, store: Store) -> None:
        self._reports = NumberedRecords(store, REPORTS, KEPT_SECONDS)

    async def add(self, report: StoredReport) -> int:
        """Store a report, and return its number. Raises StoreError: then nothing is stored."""
        return await self._reports.add(msgspec.msgpack.encode(report))

    async def page(self, before: int | None, most: int) -> list[NumberedReport]:
        """Return the newest reports with numbers below `before`, at most so many. Raises StoreError."""
        found = await self._reports.page(before, most)
        return [NumberedReport(one.number, read_record(REPORTS, one.key, one.data, StoredReport)) for one in found]
