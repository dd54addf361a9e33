"""Spectators see what their role allows, to the byte, and nothing hidden earlier than the delay."""

import pytest

from tests.support.play.roles_runs import Roles
from tests.support.runs.longrun import LongRun


async def test_every_role_gets_its_bytes_and_nothing_early() -> None:
    happened = await Roles(1).run()
    assert happened["events"] > 100
    assert happened["late_pictures"] > 20


@pytest.mark.long("roles")
async def test_long_roles() -> None:
    run = LongRun("roles", batches=60)
    for seed in run.left():
        run.keep(seed, await Roles(100 + seed).run())
    totals = run.totals()
    assert totals["events"] >= 10_000
    assert totals["late_pictures"] >= 1_000
    assert totals["restarts"] > 10
