"""The copy of one's data where the store holds much of others: their records are not gathered in memory."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from server.lobby.personal_data import personal_data
from server.order.audit import AUDIT, AuditEntry
from server.order.sanctions import SANCTIONS, StoredSanction
from server.runtime.sealing import SealingKey
from server.store.port import PAGE_RECORDS, StoredRecord
from server.store.sqlite.store import SqliteStore
from server.talk.reports import REPORTS, StoredReport

WORDS = "w" * 2_000
COUNT = 12 * PAGE_RECORDS
MOST_BYTES = 4 * PAGE_RECORDS * len(WORDS)
RECORDS: dict[str, Callable[[str], msgspec.Struct]] = {
    REPORTS: lambda who: StoredReport("someone", "", who, "", "abuse", WORDS, 1),
    AUDIT: lambda who: AuditEntry("mute", 1, "someone", "", who, reason=WORDS),
    SANCTIONS: lambda who: StoredSanction("s", "mute", who, "", WORDS, 1),
}
"""By kind: a record about a person."""


@pytest.mark.parametrize("kind", RECORDS)
async def test_records_of_others_are_in_memory_a_page_at_a_time(tmp_path: Path, kind: str) -> None:
    store = SqliteStore(tmp_path / "a.db")
    people = [*["other"] * COUNT, "me"]
    data = {who: msgspec.msgpack.encode(RECORDS[kind](who)) for who in set(people)}
    for first in range(0, len(people), PAGE_RECORDS):
        page = enumerate(people[first : first + PAGE_RECORDS], first)
        await store.put_records([StoredRecord(kind, f"{number:08}", data[who]) for number, who in page])
    tracemalloc.start()
    try:
        copy = await personal_data(store, SealingKey(bytes(32)), "me", 1)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    await store.close()
    found = json.loads(copy)[kind]
    assert len(found if kind == SANCTIONS else found["about"]) == 1
    assert peak < MOST_BYTES
