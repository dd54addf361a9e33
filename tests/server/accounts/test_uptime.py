"""Uptime, by which tokens end: no wall clock can end or keep one."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path

import pytest

from server.accounts.uptime import STORE_SECONDS, Uptime
from server.runtime.logs import make_log
from server.store.port import StoreDamaged
from tests.server.accounts.test_identities import returns
from tests.server.lobby.test_seat_codes import code_of, use
from tests.support.clients.wire import running, two_players
from tests.support.doubles.clock import JumpingClock
from tests.support.doubles.stores import FailingStore

DAY = 24 * 3600


class SetClock(JumpingClock):
    """A clock whose wall time can be set."""

    def __init__(self, wall: int = 0) -> None:
        super().__init__()
        self.off = wall

    def wall(self) -> int:
        return super().wall() + self.off


@pytest.mark.parametrize("off", [15 * DAY, 10_000 * DAY, -15 * DAY])
async def test_a_clock_that_jumps_ahead_or_back_ends_no_token_and_keeps_none(tmp_path: Path, off: int) -> None:
    clock = SetClock()
    async with running(tmp_path, clock=clock) as run:
        ann = await run.client("Ann")
        clock.off = off
        again = await run.client("Ann", ann.talk.token)
        assert again.talk.you == ann.talk.you
        await again.close()
    # nor does one that is wrong when the server starts, or a time in which it does not run
    async with running(tmp_path, clock=SetClock(2 * off)) as run:
        ann = await run.client("Ann", again.talk.token)
        assert ann.talk.you == again.talk.you
        await ann.close()
        run.clock.advance(14 * DAY + 120)
        assert await returns(run, ann.talk.token) == "session/unknown-token"


async def test_a_seat_code_ends_after_ten_minutes_whatever_the_clock_says(tmp_path: Path) -> None:
    clock = SetClock()
    async with running(tmp_path, clock=clock) as run:
        ann, _ = await two_players(run)
        phone, late = await run.client("Phone"), await run.client("Late")
        code = await code_of(ann)
        clock.off = DAY
        assert await use(phone, code) == ""
        code = await code_of(phone)
        clock.off = -DAY
        run.clock.advance(601)
        assert await use(late, code) == "seat-code/unknown"


async def a_minute_of(clock: SetClock) -> None:
    """Let a minute pass for a sleeper, and wait until it sleeps again."""
    await clock.until_sleeping()
    clock.advance(STORE_SECONDS)
    await asyncio.sleep(0)
    await clock.until_sleeping()


async def test_they_go_on_over_starts_and_lose_a_minute_at_most() -> None:
    store, clock, log = FailingStore(), SetClock(), make_log(io.StringIO())
    first = Uptime(store, clock, log)
    await first.open()
    begun = first.seconds
    assert begun == clock.wall()
    keeping = asyncio.create_task(first.keep(clock.sleep))
    for _ in range(10):
        await a_minute_of(clock)
    clock.advance(STORE_SECONDS - 1)
    assert first.seconds - begun == 659
    # killed, and started again much later
    keeping.cancel()
    second = Uptime(store, SetClock(9 * DAY), log)
    await second.open()
    assert second.seconds - begun == 600
    # ended in order, while the disk is full, and started once more
    store.failing = True
    await second.store()
    store.failing = False
    third = Uptime(store, clock, log)
    await third.open()
    assert third.seconds - begun == 600


@pytest.mark.parametrize(("jump", "told"), [(14 * DAY, [14 * DAY]), (-90, [-90]), (60, []), (-60, [])])
async def test_a_difference_of_more_than_a_minute_is_logged_once(jump: int, told: list[int]) -> None:
    lines, clock = io.StringIO(), SetClock()
    counted = Uptime(FailingStore(), clock, make_log(lines))
    await counted.open()
    keeping = asyncio.create_task(counted.keep(clock.sleep))
    for off in (0, jump, jump, jump):
        clock.off = off
        await a_minute_of(clock)
    keeping.cancel()
    found = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert [line["seconds"] for line in found if line["event"] == "clock-jumped"] == told


async def test_a_count_that_cannot_be_read_is_damage() -> None:
    store = FailingStore()
    await store.put_record("uptime", "seconds", b"long")
    with pytest.raises(StoreDamaged, match="how long"):
        await Uptime(store, SetClock(), make_log(io.StringIO())).open()
