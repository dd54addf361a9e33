"""Connections that send a thousand messages a second: each is closed at once, and others hardly notice."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.clients.programs import Program
from tests.support.faults.hostile.flooding import measure
from tests.support.runs.longrun import LongRun


async def flood(folder: Path, **how: Any) -> dict[str, Any]:
    """A real server with the limits of a real host, flooded."""
    (folder / "data").mkdir(parents=True)
    server = Program(
        *(folder, "server", "tests.support.systems.duel_server", str(folder / "data"), "0", "--limits", "promised"),
        is_forked=True,
    )
    await server.start()
    try:
        port = (await server.said())["port"]
        assert isinstance(port, int)
        return await measure(folder, port, **how)
    finally:
        await server.end()


@pytest.mark.waits(times=200)
async def test_twenty_floods_are_closed_as_such_while_others_play(tmp_path: Path) -> None:
    found = await flood(tmp_path, sockets=20, pairs=1, seconds=1.0, tables=2)
    assert found["statuses"] == [1008]
    assert found["samples"] >= 4


@pytest.mark.long("floods")
async def test_long_a_hundred_floods(tmp_path: Path) -> None:
    run = LongRun("floods", batches=1)
    for batch in run.left():
        found = await flood(tmp_path / str(batch), sockets=100, pairs=5, seconds=5.0, tables=10)
        assert found.pop("statuses") == [1008]
        run.keep(batch, {f"worst_{name}": value for name, value in found.items()})
    figures = run.totals()
    assert figures["worst_worst_close_ms"] <= 1000
    allowed = max(1.2 * figures["worst_p99_quiet_ms"], figures["worst_p99_quiet_ms"] + 0.5)
    assert figures["worst_p99_flood_ms"] <= allowed, figures
