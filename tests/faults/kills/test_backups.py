"""Backup and restore of a host that goes on writing: nothing acknowledged before is lost, and it is quick."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import time
from hashlib import sha256
from pathlib import Path

import pytest

from server.store.sqlite.store import SqliteStore
from tests.support.clients.programs import run, until
from tests.support.faults.crowded import STEPS, Writer, crowd
from tests.support.runs.longrun import LongRun

MOST_CPU = 20.0
"""Seconds of the processor for both commands of a hundred matches, start included; they take about 3."""


def digest(data: Path) -> str:
    """Of all that was there before somebody began to write."""
    database = sqlite3.connect(data / "eschaton.db")
    found = sha256()
    for row in database.execute(
        "SELECT name, version, cause, step FROM steps, matches AS m WHERE m.id = match AND name != 'busy' ORDER BY 1, 2"
    ):
        found.update(repr(row).encode())
    database.close()
    return found.hexdigest()


async def there_and_back(folder: Path, matches: int) -> dict[str, float]:
    """Back up while somebody writes, and restore, by the commands; how long each takes, its start included."""
    data = folder / "data"
    await asyncio.to_thread(crowd, data, matches)
    before = await asyncio.to_thread(digest, data)
    store = SqliteStore(data / "eschaton.db")
    writer = Writer(store)
    writing = asyncio.create_task(writer.write())
    try:
        await until(lambda: writer.acknowledged >= 50, tasks=[writing])
        told, begun = writer.acknowledged, time.monotonic()
        assert await run(folder, "server.cli.main", "backup", str(folder / "copy"), "--data", str(data)) == 0
        copied, meanwhile = time.monotonic() - begun, writer.acknowledged - told
    finally:
        writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)
        await store.close()
    begun = time.monotonic()
    assert await run(folder, "server.cli.main", "restore", str(folder / "copy"), "--data", str(folder / "other")) == 0
    restored = time.monotonic() - begun
    made = json.loads((folder / "copy" / "manifest.json").read_text())
    assert made["matches"] == matches + 1
    assert told <= made["steps"] - matches * STEPS <= told + meanwhile + 1
    assert await asyncio.to_thread(digest, folder / "other") == before
    replays = sorted(path.name for path in (folder / "other" / "replays").iterdir())
    assert len(replays) == matches
    return {"matches": matches, "backup_worst": copied, "restore_worst": restored, "written_meanwhile": meanwhile}


@pytest.mark.waits(times=200)
async def test_a_hundred_matches_there_and_back(tmp_path: Path) -> None:
    before = os.times()
    await there_and_back(tmp_path, 100)
    after = os.times()
    assert after.children_user + after.children_system - before.children_user - before.children_system < MOST_CPU


@pytest.mark.long("backup")
async def test_long_ten_thousand_matches_there_and_back(tmp_path: Path) -> None:
    long = LongRun("backup", batches=1)
    for batch in long.left():
        long.keep(batch, await there_and_back(tmp_path, 10_000))
    assert long.totals()["backup_worst"] + long.totals()["restore_worst"] <= 60
