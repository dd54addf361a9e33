"""A server keeps nothing of the matches that are over: its memory is that of one that has just been started.

The fresh one has the same tables, and one match has been played at as many of them at once as in the soak: modules that
are imported late, what is worked out of the content, threads and connections of the store, and the most that matches
need at a time are on both sides. What grows with the number of matches is on one.
"""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.support.clients.programs import until
from tests.support.runs.longrun import LongRun
from tests.support.soak.course import SoakServer, once, soak

SECONDS = 25 * 60.0
LEAST = 300
ROOM = 1.15


async def measured(folder: Path, seconds: float) -> dict[str, float]:
    """Have matches played, then compare the server's memory with that of a fresh start with the same tables."""
    server = SoakServer(folder)
    matches, used = await after(server, lambda: soak(server, seconds))
    _, fresh = await after(server, lambda: once(server))
    return {"matches": matches, "worst_bytes": used, "worst_fresh_bytes": fresh}


async def after(server: SoakServer, played: Callable[[], Awaitable[int]]) -> tuple[int, int]:
    """Start a server and have matches played; how many, and the bytes that it holds once nothing of them is left."""
    await server.start()
    try:
        matches = await played()
        left: dict[str, int] = {"left": 1}

        async def none_left() -> bool:
            left.update(await server.memory())
            return not left["left"]

        await until(none_left, pause=1.0)
        return matches, left["bytes"]
    finally:
        await server.end()


@pytest.mark.long("soak")
async def test_long_matches_that_are_over_leave_nothing_in_memory(tmp_path: Path) -> None:
    run = LongRun("soak", batches=1)
    for batch in run.left():
        run.keep(batch, await measured(tmp_path, SECONDS))
    totals = run.totals()
    assert totals["matches"] >= LEAST, totals
    assert totals["worst_bytes"] <= ROOM * totals["worst_fresh_bytes"], totals
