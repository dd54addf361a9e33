"""Backup and restore of a host that goes on writing: nothing acknowledged before is lost, and it is quick."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from hashlib import sha256
from pathlib import Path

import pytest

from server import backup
from server.store.sqlite import SqliteStore
from tests.support.crowded import STEPS, Writer, crowd
from tests.support.longrun import LongRun


def digest(data: Path) -> str:
    """Of all that was there before somebody began to write."""
    database = sqlite3.connect(data / "eschaton.db")
    found = sha256()
    for row in database.execute(
        "SELECT name, version, cause, step FROM steps JOIN matches ON id = match WHERE name != 'busy' ORDER BY 1, 2"
    ):
        found.update(repr(row).encode())
    database.close()
    return found.hexdigest()


async def there_and_back(folder: Path, matches: int) -> dict[str, float]:
    """Back up while somebody writes, and restore; how long that takes."""
    data = folder / "data"
    await asyncio.to_thread(crowd, data, matches)
    before = await asyncio.to_thread(digest, data)
    store = SqliteStore(data / "eschaton.db")
    writer = Writer(store)
    writing = asyncio.create_task(writer.write())
    try:
        while writer.acknowledged < 50:
            await asyncio.sleep(0)
        told, begun = writer.acknowledged, time.monotonic()
        made = await asyncio.to_thread(backup.back_up, data, folder / "copy", False)
        copied, meanwhile = time.monotonic() - begun, writer.acknowledged - told
    finally:
        writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)
        await store.close()
    begun = time.monotonic()
    await asyncio.to_thread(backup.restore, folder / "copy", folder / "other")
    restored = time.monotonic() - begun
    assert made.matches == matches + 1
    assert told <= made.steps - matches * STEPS <= told + meanwhile + 1
    assert await asyncio.to_thread(digest, folder / "other") == before
    replays = sorted(path.name for path in (folder / "other" / "replays").iterdir())
    assert len(replays) == matches
    return {"matches": matches, "backup_worst": copied, "restore_worst": restored, "written_meanwhile": meanwhile}


async def test_a_hundred_matches_there_and_back(tmp_path: Path) -> None:
    took = await there_and_back(tmp_path, 100)
    assert took["backup_worst"] + took["restore_worst"] < 10


@pytest.mark.long("backup")
async def test_long_ten_thousand_matches_there_and_back(tmp_path: Path) -> None:
    run = LongRun("backup", batches=1)
    for batch in run.left():
        run.keep(batch, await there_and_back(tmp_path, 10_000))
    assert run.totals()["backup_worst"] + run.totals()["restore_worst"] <= 60
