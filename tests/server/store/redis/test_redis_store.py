"""The Redis store: the contract, and what is its own: refused servers, one slot a match, and lost connections."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import given
from redis.crc import key_slot

from protocol.ids import MatchId
from server.runtime.logs import make_log
from server.runtime.metrics import Metrics
from server.runtime.tasks import TaskSupervisor
from server.store.port import (
    NOBODY,
    Appended,
    DueTime,
    Duplicate,
    Fenced,
    Line,
    StoreDamaged,
    StoredRecord,
    StoreUnavailable,
)
from server.store.redis import keys
from server.store.redis.address import parse_address
from server.store.redis.command_queue import CommandQueue
from server.store.redis.connection import DEFAULT_TIMEOUTS, ConnectionLost, RedisConnection, Timeouts
from server.store.redis.connector import Connector
from server.store.redis.record_scripts import MEMORY
from server.store.redis.requests import RedisRequest
from server.store.redis.store import RedisStore
from tests.support.clients.programs import until
from tests.support.doubles.clock import JumpingClock
from tests.support.doubles.memory_store import MemoryStore
from tests.support.doubles.redis_server import DURABLE, RedisServer
from tests.support.doubles.relay import Relay
from tests.support.doubles.store_contract import DurableStoreContract, cause, fill
from tests.support.doubles.store_operations import OPERATIONS, Operation, answers
from tests.support.doubles.stored import records_of
from tests.support.runs.patience import PATIENCE

MATCH = MatchId("m")

pytestmark = pytest.mark.waits

HURRIED = Timeouts(answer=0.5, patience=0.2, pause=0.05)
PATIENT = Timeouts(patience=60.0, pause=0.05)
"""Where what waits for a lost connection is to be done, however long a busy machine takes to connect anew."""
TRIES_OF_AN_HOUR = int(3600 / DEFAULT_TIMEOUTS.pause)
EVERYSEC = ("--appendonly", "yes", "--appendfsync", "everysec")


class TestRedisStore(DurableStoreContract):
    adapter = "redis"

    @pytest.fixture
    def place(self, redis_server: RedisServer) -> str:
        return redis_server.place()


def through(relay: Relay, place: str) -> str:
    """Return the place of the same database by way of the relay."""
    return f"redis://127.0.0.1:{relay.port}/{place.rpartition('/')[2]}"


@given(operations=OPERATIONS)
def test_redis_and_memory_answer_alike(operations: list[Operation], redis_server: RedisServer) -> None:
    async def both() -> tuple[list[object], list[object]]:
        in_redis = await answers(await RedisStore.open(redis_server.place()), operations)
        return in_redis, await answers(MemoryStore(), operations)

    in_redis, in_memory = asyncio.run(both())
    assert in_redis == in_memory


@pytest.mark.parametrize("match", ["m", "{m}", "a}b{c", "}", "äöü/%", "with space"])
async def test_a_match_lies_on_one_slot_and_is_found_again(match: MatchId, redis_server: RedisServer) -> None:
    places = keys.of_match(match, "owner", "log", "causes", "sealed", "snapshot")
    assert len({key_slot(place.encode()) for place in places}) == 1
    store = await RedisStore.open(redis_server.place())
    await fill(store, match, 1)
    await store.put_record(match, match, b"1")
    assert (await store.matches(), await store.kinds(), await records_of(store, match)) == (
        [match],
        [match],
        {match: b"1"},
    )
    await store.close()


async def test_a_long_log_is_read_in_pages(redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.store.redis.store.PAGE", 10)
    store = await RedisStore.open(redis_server.place())
    for number, steps in enumerate((9, 10, 11, 30)):
        await fill(store, MatchId(f"m{number}"), steps)
        assert [step.version for step in await store.read(MatchId(f"m{number}"), after=3)] == list(range(4, steps + 1))
    assert len(await store.matches()) == 4
    await store.close()


async def test_many_matches_share_a_round_trip(redis: RedisServer) -> None:
    store = await RedisStore.open(redis.place())
    fences = {match: await store.open_match(match) for match in [MatchId(f"m{number}") for number in range(200)]}
    redis.stall()
    appending = [store.append(match, fence, cause(1), 0, b"step") for match, fence in fences.items()]
    waiting = asyncio.gather(*appending)
    await asyncio.sleep(0)
    redis.go_on()
    assert await waiting == [Appended(1)] * 200
    assert store.batches - len(fences) <= 2
    await store.close()


# Whom it refuses


async def refusal(place: str) -> str:
    with pytest.raises(StoreUnavailable) as refused:
        await RedisStore.open(place, timeouts=HURRIED)
    return str(refused.value)


async def test_a_server_that_may_lose_writes_is_refused_with_what_to_do(tmp_path: Path) -> None:
    for number, (settings, wrong) in enumerate(
        [
            (EVERYSEC, "appendfsync is everysec"),
            (("--appendonly", "no"), "appendonly is no, appendfsync is everysec"),
            ((*DURABLE, "--no-appendfsync-on-rewrite", "yes"), "no-appendfsync-on-rewrite is yes"),
        ]
    ):
        server = RedisServer(tmp_path / str(number), settings)
        said = await refusal(server.place())
        server.close()
        assert f"may lose what it has acknowledged: {wrong}" in said
        assert "\n  appendonly yes\n  appendfsync always\n" in said
        assert ("--durability second" in said) is (settings is EVERYSEC)


async def test_a_loss_that_is_accepted_is_no_reason_to_refuse(tmp_path: Path) -> None:
    server = RedisServer(tmp_path / "everysec", EVERYSEC)
    store = await RedisStore.open(server.place(), durability="second")
    await fill(store, MATCH, 2)
    await store.close()
    server.close()
    server = RedisServer(tmp_path / "none", ("--appendonly", "no"))
    with pytest.raises(StoreUnavailable, match="appendonly is no"):
        await RedisStore.open(server.place(), durability="second")
    server.close()


async def test_a_server_that_throws_data_out_is_refused(tmp_path: Path) -> None:
    server = RedisServer(tmp_path, (*DURABLE, "--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"))
    assert "maxmemory-policy noeviction" in await refusal(server.place())
    server.close()


async def test_a_replica_is_refused(tmp_path: Path, redis_server: RedisServer) -> None:
    server = RedisServer(tmp_path, (*DURABLE, "--replicaof", "127.0.0.1", str(redis_server.port)))
    assert "is a replica" in await refusal(server.place())
    server.close()


async def test_whoever_may_not_ask_for_the_settings_is_told_what_to_allow(redis: RedisServer) -> None:
    redis.say("ACL", "SETUSER", "eschaton", "on", ">s3cret", "~eschaton:*", "+@all", "-config")
    said = await refusal(f"redis://eschaton:s3cret@127.0.0.1:{redis.port}/0")
    assert "+config|get" in said
    assert "s3cret" not in said
    said = await refusal(f"redis://eschaton:wrong-one@127.0.0.1:{redis.port}/0")
    assert "refuses the user or password" in said
    assert "wrong-one" not in said


async def test_few_rights_are_enough(redis: RedisServer, tmp_path: Path) -> None:
    rights = "+evalsha +script|load +config|get +info +client|id +client|kill +select +scan +xrange +xlen"
    rights += (
        " +hget +hmget +hgetall +hdel +hset +hincrby +hkeys +hexists +xadd +xrevrange +exists +del +get +set +time"
    )
    rights += " +zadd +zrem +zrangebylex +zrangebyscore +lpush +rpop +rpush +lindex +lrange"
    redis.say("ACL", "SETUSER", "eschaton", "on", ">s3cret", "~eschaton:*", *rights.split())
    store = await RedisStore.open(f"redis://eschaton:s3cret@127.0.0.1:{redis.port}/1")
    await store.take_lease(tmp_path, JumpingClock())
    fence = await fill(store, MATCH, 2)
    await store.seal(MATCH, fence, "q", 0, cause(9), b"answer")
    assert await store.append(MATCH, fence, cause(3), 2, b"step", closes="q") == Appended(3)
    assert await store.put_snapshot(MATCH, 2, b"state")
    assert await store.snapshot(MATCH)
    await store.put_record("table", "a", b"1")
    await store.put_records([StoredRecord("code", "a", b"1", seconds=0.001)])
    for _ in range(MEMORY + 1):
        await store.put_record("table", "b", b"1")
    assert (await store.page("table"), await store.changes("table", 2)) != ([], [])
    for key in "ab":
        await store.delete_record("table", key)
    await store.append_line("chat", b"hello", 1)
    assert await store.newest_lines("chat", 1) == [Line(1, b"hello")]
    await store.delete_lines("chat")
    await store.put_due("due", {"a": 1, "b": 2})
    await store.drop_due("due", "b")
    assert await store.take_due("due", 9, 9) == [DueTime("a", 1)]
    assert (await store.matches(), await store.kinds()) == (["m"], [])
    await store.delete_match(MATCH)
    await store.close()


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("redis://127.0.0.1:1/0", "cannot be reached"),
        ("redis://127.0.0.1/zero", "is no number of a database"),
        ("redis://127.0.0.1:port/0", "cannot be read"),
        ("redis://127.0.0.1/0?socket_timeout=9", "takes no options"),
        ("http://127.0.0.1/0", "cannot be read"),
    ],
)
async def test_an_address_that_leads_nowhere_is_refused(place: str, why: str) -> None:
    assert why in await refusal(place)


async def test_what_is_not_a_match_is_damage(redis: RedisServer) -> None:
    store = await RedisStore.open(redis.first)
    redis.say("SET", "eschaton:match:{m}:owner", "something else")
    with pytest.raises(StoreDamaged, match="holds something else"):
        await store.open_match(MATCH)
    assert (await store.open_match(MatchId("n"))).counter == 1
    await store.close()


# Lost connections


async def test_an_append_whose_answer_is_lost_is_made_once_and_reported_as_made(redis_server: RedisServer) -> None:
    place = redis_server.place()
    async with Relay(redis_server.port) as relay:
        store = await RedisStore.open(through(relay, place), timeouts=HURRIED)
        fence = await fill(store, MATCH, 2)
        links = relay.links
        relay.mute = True
        asked = asyncio.create_task(store.append(MATCH, fence, cause(3), 2, b"third", closes="q"))
        other = await RedisStore.open(place)
        async with asyncio.timeout(PATIENCE):
            while await other.version(MATCH) != 3:
                pass
        relay.mute = False
        relay.cut()
        assert await asked == Appended(3)
        assert relay.links > links
        assert [step.step for step in await store.read(MATCH)] == [b"step", b"step", b"third"]
        assert await store.append(MATCH, fence, cause(3), 2, b"third") == Duplicate(3)
        await store.close()
        await other.close()


@asynccontextmanager
async def lost_answer(redis: RedisServer, setting: str) -> AsyncIterator[tuple[RedisStore, asyncio.Task[object]]]:
    """Have a third append stored and its answer lost; Redis refuses writes by this setting when it is asked again.
    Yields the store, which closes after the block, and the append."""
    place = redis.place()
    async with Relay(redis.port) as relay:
        store, other = await RedisStore.open(through(relay, place), timeouts=HURRIED), await RedisStore.open(place)
        fence = await fill(store, MATCH, 2)
        relay.mute = True
        asked: asyncio.Task[object] = asyncio.create_task(store.append(MATCH, fence, cause(3), 2, b"third"))
        await until(lambda: is_stored(other, 3))
        redis.say("CONFIG", "SET", setting, "1")
        relay.mute = False
        relay.cut()
        try:
            yield store, asked
        finally:
            await store.close()
            await other.close()


async def test_a_refusal_says_nothing_of_what_was_done_before_it(redis: RedisServer) -> None:
    """An append is stored, its answer is lost, and Redis refuses all writes when it is asked again."""
    async with lost_answer(redis, "maxmemory") as (store, asked):
        await until(lambda: is_refused(store, "no memory left"))
        assert not asked.done()
        redis.say("CONFIG", "SET", "maxmemory", "0")
        assert await asked == Appended(3)


async def test_a_refusal_of_what_is_asked_again_keeps_nobody_else_waiting(redis: RedisServer) -> None:
    """Redis lets the store connect all the while, and takes no writes."""
    async with lost_answer(redis, "min-replicas-to-write") as (store, asked):
        # until the store has heard of it, what it asks goes into the link that was cut
        await until(lambda: is_refused(store, "no replica that follows it"))
        for _ in range(3):
            with pytest.raises(StoreUnavailable, match="no replica that follows it"):
                await asyncio.wait_for(store.put_record("table", "a", b"1"), PATIENCE)
        assert not asked.done()
        redis.say("CONFIG", "SET", "min-replicas-to-write", "0")
        assert await asked == Appended(3)
        await until(lambda: is_put(store))


async def is_put(store: RedisStore) -> bool:
    with suppress(StoreUnavailable):
        await store.put_record("table", "a", b"1")
        return True
    return False


async def is_stored(store: RedisStore, version: int) -> bool:
    return await store.version(MATCH) == version


async def is_refused(store: RedisStore, why: str) -> bool:
    try:
        await store.put_record("table", "a", b"1")
    except StoreUnavailable as problem:
        return why in str(problem)
    return False


async def test_a_primary_that_was_left_while_connecting_to_it_is_asked_nothing(
    redis: RedisServer, tmp_path: Path
) -> None:
    """One queue meets the new primary while the other is still on its way to the former one."""
    former, now = redis, RedisServer(tmp_path / "now")
    now.say("SET", "name", "now")
    begun, goes_on = asyncio.Event(), asyncio.Event()
    connectors = [Connector(parse_address(server.first), "disk", HURRIED) for server in (former, now)]
    there = await connectors[1](None)

    async def connects(before: RedisConnection | None) -> RedisConnection:
        begun.set()
        await goes_on.wait()
        return await (connectors.pop(0) if len(connectors) > 1 else connectors[0])(before)

    try:
        first = await connectors[0](None)
        tasks = TaskSupervisor(make_log(), Metrics(), JumpingClock())
        queue = CommandQueue(connects, first, 9, PATIENT, tasks, is_writing=False)
        former.say("CLIENT", "KILL", "TYPE", "normal")
        asked = asyncio.create_task(queue.submit(RedisRequest(("GET", "name"), bytes)))
        await begun.wait()
        queue.renew(there.run)
        goes_on.set()
        assert await asked == b"now"
        await queue.stop()
        await there.close()
    finally:
        now.close()


async def test_a_redis_that_was_away_for_an_hour_is_found_again(redis: RedisServer) -> None:
    redis.say("SET", "name", "here")
    connector = Connector(parse_address(redis.first), "disk", PATIENT)
    tries = 0

    async def connects(before: RedisConnection | None) -> RedisConnection:
        nonlocal tries
        tries += 1
        if tries < TRIES_OF_AN_HOUR:
            raise ConnectionLost("It is away.")
        return await connector(before)

    tasks = TaskSupervisor(make_log(), Metrics(), JumpingClock())
    first = await connector(None)
    queue = CommandQueue(connects, first, 9, PATIENT._replace(pause=0.0), tasks, is_writing=False)
    redis.say("CLIENT", "KILL", "TYPE", "normal")
    assert await asyncio.wait_for(queue.submit(RedisRequest(("GET", "name"), bytes)), PATIENCE) == b"here"
    assert tries == TRIES_OF_AN_HOUR
    await queue.stop()


async def test_opening_and_deleting_are_done_once_too(redis_server: RedisServer) -> None:
    place = redis_server.place()
    async with Relay(redis_server.port) as relay:
        store, other = await RedisStore.open(through(relay, place), timeouts=PATIENT), await RedisStore.open(place)
        for counter in range(1, 6, 2):
            relay.mute = True
            opening = asyncio.create_task(store.open_match(MATCH))
            deleting = asyncio.create_task(store.delete_match(MATCH))
            async with asyncio.timeout(PATIENCE):
                while await other.append(MATCH, NOBODY, cause(1), 0, b"step") != Fenced(counter):
                    pass
            relay.mute = False
            relay.cut()
            assert (await opening).counter == counter
            await deleting
        await store.close()
        await other.close()


async def test_records_lines_and_due_times_whose_answers_are_lost_are_changed_once(redis_server: RedisServer) -> None:
    place = redis_server.place()
    async with Relay(redis_server.port) as relay:
        store, other = await RedisStore.open(through(relay, place), timeouts=PATIENT), await RedisStore.open(place)
        await store.put_due("due", {str(number): number for number in range(4)})
        await store.put_record("table", "gone", b"1")
        relay.mute = True
        asked = [
            store.put_records([StoredRecord("table", "a", b"1", expected=0)]),
            store.put_records([StoredRecord("table", "a", b"2", expected=3)]),
            store.delete_record("table", "gone"),
            store.put_records([StoredRecord("table", "gone", b"3", expected=0)]),
            store.take_due("due", 9, 3),
            store.append_line("chat", b"one", 9),
            store.append_line("chat", b"two", 9),
        ]
        waiting = asyncio.gather(*asked)
        async with asyncio.timeout(PATIENCE):
            while not await other.newest_lines("chat", 1):
                pass
        relay.mute = False
        relay.cut()
        assert await waiting == [[3], [4], None, [6], [DueTime(str(number), number) for number in range(3)], 1, 2]
        assert [(record.key, record.version) for record in await store.page("table")] == [("a", 4), ("gone", 6)]
        changes = await store.changes("table", 2)
        assert isinstance(changes, list)
        assert [change.number for change in changes] == [3, 4, 5, 6]
        assert [line.line for line in await store.newest_lines("chat", 9)] == [b"one", b"two"]
        assert await store.take_due("due", 9, 9) == [DueTime("3", 3)]
        await store.close()
        await other.close()


async def test_what_was_sent_over_a_lost_link_is_not_done_later(redis: RedisServer) -> None:
    """Stall Redis, so that the connection times out with a command in it; whatever comes after must stand."""
    place = redis.place()
    store = await RedisStore.open(place, timeouts=HURRIED)
    for number in range(3):
        redis.stall()
        older = asyncio.create_task(store.put_record("table", "a", b"older"))
        await asyncio.sleep(0.6)
        newer = [asyncio.create_task(store.put_record("table", "a", b"newer %d" % number)) for _ in range(2)]
        await asyncio.sleep(0)
        redis.go_on()
        await older
        done = await asyncio.gather(*newer, return_exceptions=True)
        expected = b"older" if all(isinstance(one, StoreUnavailable) for one in done) else b"newer %d" % number
        for _ in range(20):
            assert await store.get_record("table", "a") == expected
    await store.close()


async def test_a_server_that_is_away_is_said_in_plain_words_and_found_again(redis: RedisServer) -> None:
    store = await RedisStore.open(redis.place(), limit=20, timeouts=HURRIED)
    fence = await fill(store, MATCH, 3)
    redis.kill()
    asked = [asyncio.create_task(store.append(MATCH, fence, cause(9), 3, b"step")) for _ in range(30)]
    results = await asyncio.gather(*asked[1:], return_exceptions=True)
    assert store.waiting <= 20
    said = {str(result) for result in results if isinstance(result, StoreUnavailable)}
    assert any("busy: 20 operations" in text for text in said)
    with pytest.raises(StoreUnavailable, match=r"Redis at 127\.0\.0\.1:\d+ .* Nothing was stored; try again soon"):
        await store.append(MATCH, fence, cause(10), 3, b"step")
    redis.start()
    # the one that was on its way when the server died is made, and once only
    assert await asked[0] in (Appended(4), Duplicate(4))
    assert [step.cause for step in await store.read(MATCH)] == [cause(n) for n in (1, 2, 3, 9)]
    assert await store.append(MATCH, fence, cause(11), 4, b"step") == Appended(5)
    await store.close()


async def test_a_server_that_comes_back_unsafe_is_refused_until_it_is_set_right(redis: RedisServer) -> None:
    store = await RedisStore.open(redis.place(), timeouts=HURRIED)
    fence = await fill(store, MATCH, 1)
    redis.say("CONFIG", "SET", "appendfsync", "everysec")
    redis.say("CLIENT", "KILL", "TYPE", "normal")
    made = asyncio.create_task(store.append(MATCH, fence, cause(2), 1, b"step"))
    await asyncio.sleep(0)  # it goes first: what is on its way is never refused
    refused: set[str] = set()

    async def is_made(number: int) -> bool:
        try:
            result = await store.append(MATCH, fence, cause(number), number - 1, b"step")
        except StoreUnavailable as problem:
            refused.add(str(problem))
            return False
        assert result in (Appended(number), Duplicate(number))
        return True

    async def is_told_why() -> bool:
        assert not await is_made(3)
        return any("appendfsync is everysec" in said for said in refused)

    await until(is_told_why)
    redis.say("CONFIG", "SET", "appendfsync", "always")
    await asyncio.wait([made])
    await until(lambda: is_made(2))
    await store.close()


async def test_scripts_that_were_forgotten_are_given_again(redis: RedisServer) -> None:
    store = await RedisStore.open(redis.place(), timeouts=PATIENT)
    fence = await fill(store, MATCH, 1)
    redis.say("SCRIPT", "FLUSH")
    both = [store.append(MATCH, fence, cause(n), n - 1, b"step") for n in (2, 3)]
    assert await asyncio.gather(*both) == [Appended(2), Appended(3)]
    await store.close()


async def test_closing_does_not_wait_for_a_server_that_is_gone(redis: RedisServer) -> None:
    store = await RedisStore.open(redis.place(), timeouts=HURRIED)
    redis.kill()
    asked = asyncio.create_task(store.put_record("table", "a", b"1"))
    await asyncio.sleep(0.05)
    async with asyncio.timeout(PATIENCE):
        await store.close()
    with pytest.raises(StoreUnavailable):
        await asked
