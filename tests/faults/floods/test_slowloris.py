"""Sockets that begin and never end are freed; whoever comes in earnest meanwhile is let in."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.limits import Limits
from tests.support.faults.hostile.slowloris import linger_at
from tests.support.faults.kills.killing import DUEL, ServerProcess, Stage
from tests.support.runs.longrun import LongRun
from tests.support.runs.patience import PATIENCE
from tests.support.systems.duel_server import HASTY

GRACE_SECONDS = 5.0


def stage(limits: str) -> Stage:
    """The duel with limits of this name."""
    return Stage(
        DUEL.system,
        DUEL.scenario,
        DUEL.seats,
        lambda data, port: ["tests.support.systems.duel_server", str(data), str(port), "--limits", limits],
    )


async def lingered(folder: Path, limits: str, count: int, grace: float) -> dict[str, float]:
    data = folder / "data"
    data.mkdir()
    server = ServerProcess(stage(limits), data, folder / "server.log")
    await server.start()
    try:
        return await linger_at(server, count, grace)
    finally:
        await server.kill()


def check(happened: dict[str, float], limits: Limits, grace: float) -> None:
    """Freed in the time that the limits give and `grace` seconds; nobody else was refused."""
    assert happened["let_in"] == happened["sockets"] - -(-happened["sockets"] // 3), "the test is held up by itself"
    assert happened["half_handshake_worst"] <= limits.handshake_seconds + grace
    assert happened["half_frame_worst"] <= limits.handshake_seconds + grace
    assert happened["no_pong_worst"] <= 2 * limits.ping_seconds + grace
    assert happened["refused"] == happened["left_open"] == 0
    assert happened["visitors"] > 5


@pytest.mark.waits(times=200)
async def test_sixty_lingering_sockets_are_freed(tmp_path: Path) -> None:
    check(await lingered(tmp_path, "hasty", 60, PATIENCE), HASTY, PATIENCE)


@pytest.mark.long("slowloris")
async def test_long_two_thousand_lingering_sockets(tmp_path: Path) -> None:
    run = LongRun("slowloris", batches=1)
    for batch in run.left():
        happened = await lingered(tmp_path, "promised", 2_000, GRACE_SECONDS)
        run.keep(batch, happened)
        check(happened, Limits(), GRACE_SECONDS)
