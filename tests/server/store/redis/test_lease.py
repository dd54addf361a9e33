"""The lease on a Redis database: servers that wait, are refused, take over, or stop at once."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from protocol.ids import MatchId
from server.runtime.clock import Clock, RealClock
from server.store.port import StoredRecord, StoreInUse
from server.store.redis.connection import DEFAULT_TIMEOUTS, Timeouts
from server.store.redis.folder_claim import FolderClaim
from server.store.redis.lease import BEAT_SECONDS, SILENCE_SECONDS
from server.store.redis.store import RedisStore
from tests.support.clients.programs import until
from tests.support.doubles.clock import JumpingClock
from tests.support.doubles.redis_server import HOLDER, RedisServer
from tests.support.doubles.relay import Relay
from tests.support.doubles.store_contract import cause, fill
from tests.support.runs.patience import PATIENCE

MATCH = MatchId("m")

HURRIED = Timeouts(answer=0.5, patience=0.2, pause=0.05)
LONG_SILENCE, NEVER_SILENT = "0", str(10**15)


async def holding(redis: RedisServer, folder: Path, clock: Clock, waits: Timeouts = DEFAULT_TIMEOUTS) -> RedisStore:
    """Open a store with the lease for the server of this folder."""
    store = await RedisStore.open(redis.first, timeouts=waits)
    await store.take_lease(folder, clock)
    return store


async def passed(task: asyncio.Task[None], clock: JumpingClock, seconds: float) -> None:
    """Let so many seconds pass while something waits, or fewer if it ends."""
    end = clock.now() + seconds
    while clock.now() < end:
        await until(lambda: task.done() or 0 < clock.soonest() < BEAT_SECONDS)
        if task.done():
            return
        clock.advance(clock.soonest())


async def refused_all(store: RedisStore) -> None:
    """Check that nothing that would change anything is done."""
    fence = (1, b"nonce")
    changes: list[Callable[[], object]] = [
        lambda: store.open_match(MATCH),
        lambda: store.append("m", fence, cause(9), 1, b"step"),  # type: ignore[arg-type]
        lambda: store.seal("m", fence, "q", 0, cause(9), b"answer"),  # type: ignore[arg-type]
        lambda: store.put_snapshot(MATCH, 1, b"state"),
        lambda: store.delete_match(MATCH),
        lambda: store.put_records((StoredRecord("table", "a", b"of the former"),)),
        lambda: store.delete_record("table", "a"),
    ]
    for change in changes:
        with pytest.raises(StoreInUse, match="Another server has taken"):
            await change()  # type: ignore[misc]


async def test_a_second_server_waits_ten_seconds_and_is_refused(redis: RedisServer, tmp_path: Path) -> None:
    clock = JumpingClock()
    first = await holding(redis, tmp_path / "first", RealClock())
    second = await RedisStore.open(redis.first)
    waited: list[float] = []
    begun = clock.now()
    asking = asyncio.create_task(second.take_lease(tmp_path / "second", clock, lambda: waited.append(clock.now())))
    await passed(asking, clock, 2 * SILENCE_SECONDS)
    with pytest.raises(StoreInUse, match=r"sign of life \d+ s ago\. Stop it and try again, or give this server a"):
        await asking
    assert waited == [begun]
    assert clock.now() - begun == SILENCE_SECONDS
    await second.close()
    await fill(first, MATCH, 1)
    await first.close()


async def test_a_record_that_fell_silent_is_taken_while_one_waits(redis: RedisServer, tmp_path: Path) -> None:
    clock = JumpingClock()
    first = await holding(redis, tmp_path / "first", JumpingClock())
    await fill(first, MATCH, 1)
    second = await RedisStore.open(redis.first)
    asking = asyncio.create_task(second.take_lease(tmp_path / "second", clock))
    await passed(asking, clock, SILENCE_SECONDS / 2)
    assert not asking.done()
    redis.say("HSET", HOLDER, "beat", LONG_SILENCE)
    await passed(asking, clock, SILENCE_SECONDS)
    await asking
    await second.put_record("table", "a", b"of the next")
    await refused_all(first)
    assert await second.get_record("table", "a") == b"of the next"
    assert await second.version(MATCH) == 1
    await first.close()
    # the former one has not taken it away from the next by ending
    await second.put_record("table", "a", b"1")
    await second.close()


async def test_a_heartbeat_keeps_the_record_and_finds_its_loss(redis: RedisServer, tmp_path: Path) -> None:
    clock = JumpingClock()
    first = await holding(redis, tmp_path / "first", clock)
    for _ in range(3):
        redis.say("HSET", HOLDER, "beat", LONG_SILENCE)
        await clock.until_sleeping()
        clock.advance(BEAT_SECONDS)
        await until(lambda: redis.say("HSTRLEN", HOLDER, "beat") != f":{len(LONG_SILENCE)}")
    redis.say("HSET", HOLDER, "beat", LONG_SILENCE)
    second = await holding(redis, tmp_path / "second", JumpingClock())
    await clock.until_sleeping()
    lost = asyncio.create_task(first.taken_over())
    clock.advance(BEAT_SECONDS)
    await asyncio.wait_for(lost, 20)
    await refused_all(first)
    await first.close()
    await second.close()


async def test_a_store_that_was_closed_is_free_at_once(redis: RedisServer, tmp_path: Path) -> None:
    for name in ("first", "second", "first", "first"):
        store = await holding(redis, tmp_path / name, JumpingClock())
        await store.put_record("table", "a", name.encode())
        await store.close()


async def test_what_was_held_from_a_folder_is_taken_over_by_who_holds_its_lock(
    redis: RedisServer, tmp_path: Path
) -> None:
    claim = FolderClaim(tmp_path / "first")
    redis.say("HSET", HOLDER, "nonce", "of a killed one", "folder", claim.name, "beat", NEVER_SILENT)
    claim.close()
    other, clock = await RedisStore.open(redis.first), JumpingClock()
    asking = asyncio.create_task(other.take_lease(tmp_path / "second", clock))
    await passed(asking, clock, 1.0)
    assert not asking.done()
    asking.cancel()
    await other.close()
    # its clock stands still: it cannot have waited
    store = await asyncio.wait_for(holding(redis, tmp_path / "first", JumpingClock()), 20)
    await store.put_record("table", "a", b"1")
    await store.close()


async def test_a_folder_in_use_is_refused_at_once(redis: RedisServer, tmp_path: Path) -> None:
    first = await holding(redis, tmp_path / "first", JumpingClock())
    second = await RedisStore.open(redis.first)
    with pytest.raises(StoreInUse, match=r"Another server is using the data folder .*first"):
        await second.take_lease(tmp_path / "first", JumpingClock())
    await second.close()
    await first.close()


def test_a_folder_keeps_its_name_and_a_copy_of_it_has_another(tmp_path: Path) -> None:
    claim = FolderClaim(tmp_path / "first")
    names = {claim.name}
    claim.close()
    claim = FolderClaim(tmp_path / "first")
    assert {claim.name} == names
    shutil.copytree(tmp_path / "first", tmp_path / "copy")
    claim.close()
    copy = FolderClaim(tmp_path / "copy")
    assert copy.name not in names
    copy.close()


async def test_a_clock_of_redis_that_was_set_back_keeps_nobody_out_for_long(redis: RedisServer, tmp_path: Path) -> None:
    first = await holding(redis, tmp_path / "first", JumpingClock())
    redis.say("HSET", HOLDER, "beat", NEVER_SILENT)
    second = await RedisStore.open(redis.first)
    clock = JumpingClock()
    asking = asyncio.create_task(second.take_lease(tmp_path / "second", clock))
    await passed(asking, clock, 1.0)
    assert not asking.done()
    assert redis.say("HSTRLEN", HOLDER, "beat") == ":13"
    asking.cancel()
    await second.close()
    await first.close()


async def test_a_redis_that_comes_back_is_still_held(redis: RedisServer, tmp_path: Path) -> None:
    first = await holding(redis, tmp_path / "first", RealClock())
    fence = await fill(first, MATCH, 1)
    redis.kill()
    redis.start()
    await until(lambda: redis.say("EXISTS", HOLDER) == ":1")
    second = await RedisStore.open(redis.first)
    clock = JumpingClock()
    asking = asyncio.create_task(second.take_lease(tmp_path / "second", clock))
    await passed(asking, clock, 2 * SILENCE_SECONDS)
    with pytest.raises(StoreInUse):
        await asking
    await second.close()
    assert (await first.append(MATCH, fence, cause(2), 1, b"step")).version == 2  # type: ignore[union-attr]
    await first.close()


async def test_of_two_whose_record_is_lost_one_acts_at_most(redis: RedisServer, tmp_path: Path) -> None:
    """Simulate a failover to an older copy: the former holder does not know whether there has been another since."""
    first = await holding(redis, tmp_path / "first", JumpingClock())
    await fill(first, MATCH, 1)
    redis.say("DEL", HOLDER)
    await refused_all(first)
    second = await holding(redis, tmp_path / "second", JumpingClock())
    await second.put_record("table", "a", b"1")
    redis.say("HSET", HOLDER, "nonce", "of an older copy")
    await refused_all(second)
    for store in (first, second):
        await asyncio.wait_for(store.taken_over(), 20)
        await store.close()


async def test_what_a_parted_holder_had_on_its_way_is_not_done_when_the_link_is_back(
    redis: RedisServer, tmp_path: Path
) -> None:
    async with Relay(redis.port) as relay:
        first = await RedisStore.open(f"redis://127.0.0.1:{relay.port}/0")
        await first.take_lease(tmp_path / "first", JumpingClock())
        relay.is_pulled = True
        asked = asyncio.create_task(first.put_record("table", "a", b"of the former"))
        await until(lambda: first.waiting == 1)
        redis.say("HSET", HOLDER, "beat", LONG_SILENCE)
        second = await holding(redis, tmp_path / "second", JumpingClock())
        await second.put_record("table", "a", b"of the next")
        relay.is_pulled = False
        relay.cut()
        with pytest.raises(StoreInUse, match="has taken Redis"):
            await asked
        assert await second.get_record("table", "a") == b"of the next"
        await refused_all(first)
        await first.close()
    await second.close()


async def test_closing_does_not_wait_for_a_redis_that_is_gone(redis: RedisServer, tmp_path: Path) -> None:
    store = await holding(redis, tmp_path / "first", JumpingClock(), HURRIED)
    redis.kill()
    async with asyncio.timeout(PATIENCE):
        await store.close()
    FolderClaim(tmp_path / "first").close()
