"""A server keeps nothing of the matches that are over: its memory is that of one that has just been started."""

from pathlib import Path

import pytest

from tests.support.longrun import LongRun
from tests.support.programs import until
from tests.support.soak.course import SoakServer, soak

SECONDS = 25 * 60.0
LEAST = 300
ROOM = 1.15


async def measured(folder: Path, seconds: float) -> dict[str, float]:
    """Have matches played, then compare the server's memory with that of a fresh start with the same tables."""
    server = SoakServer(folder)
    await server.start()
    try:
        matches = await soak(server, seconds)
        left: dict[str, int] = {"left": 1}

        async def none_left() -> bool:
            left.update(await server.memory())
            return not left["left"]

        await until(none_left)
        used = left["bytes"]
    finally:
        await server.end()
    await server.start()
    try:
        fresh = (await server.memory())["bytes"]
    finally:
        await server.end()
    return {"matches": matches, "worst_bytes": used, "worst_fresh_bytes": fresh}


@pytest.mark.long("soak")
async def test_long_matches_that_are_over_leave_nothing_in_memory(tmp_path: Path) -> None:
    run = LongRun("soak", batches=1)
    for batch in run.left():
        run.keep(batch, await measured(tmp_path, SECONDS))
    totals = run.totals()
    assert totals["matches"] >= LEAST, totals
    assert totals["worst_bytes"] <= ROOM * totals["worst_fresh_bytes"], totals
