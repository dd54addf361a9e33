"""The owner of a match is cut off from its store while people play: it acknowledges nothing any more, another one
goes on, and there is one history only."""

from __future__ import annotations

import secrets
import time
from pathlib import Path
from typing import Any

import pytest

from engine.core.match.causes import Expiry
from engine.core.match.match import Match
from engine.core.rules.dice import MatchDice
from protocol.ids import match_of
from protocol.scene.nodes import Reply
from protocol.wire import from_client as say
from protocol.wire.from_server import Ack, Pong, Reject
from server.match.stored_log import StoredLog
from server.runtime.loop_turns import LoopTurns
from server.runtime.sealing import SealingKey
from server.store.redis.connection import DEFAULT_TIMEOUTS, Timeouts
from server.store.redis.store import RedisStore
from tests.support.clients.wire import Client, Running, running, two_players
from tests.support.doubles.redis_server import RedisServer
from tests.support.doubles.relay import Relay
from tests.support.runs.longrun import LongRun
from tests.support.systems.duel import Duel

TENTH = Timeouts(answer=0.3, patience=0.2, pause=0.05)
LEASE_SECONDS = 5.0


async def answered(client: Client, choice: str) -> Ack | Reject:
    """Return the answer to an intent."""
    id = client.talk.intend(Reply(choice), secrets.token_bytes(16))
    await client.flush()
    return await client.answer(id)


async def another_owner(place: str, run: Running, data: Path) -> int:
    """Another process takes the match over and plays on; how many steps there are then."""
    [live] = run.server.lobby.tables()
    secret = SealingKey.at(data / "host.key").open(live.record.sealed, live.record.match)
    match: Match[Any] = Match(Duel(), live.record.match, MatchDice(secret, live.record.match))
    store = await RedisStore.open(place)
    try:
        ledger = StoredLog(match, store, await store.open_match(match.id), LoopTurns())
        await ledger.recover()
        for _ in range(2):
            await ledger.commit(Expiry(-1, match.may_act()[0]))
        return match.version
    finally:
        await store.close()


async def cut_off(folder: Path, redis: RedisServer, waits: Timeouts) -> dict[str, float]:
    """Make one partition: acts asked for in it are not acknowledged, and afterwards the former owner is refused."""
    place = redis.place()
    async with Relay(redis.port) as relay:
        url = f"redis://127.0.0.1:{relay.port}/{place.rpartition('/')[2]}"
        async with running(folder, store=await RedisStore.open(url, timeouts=waits)) as run:
            ann, _ = await two_players(run)
            assert isinstance(await answered(ann, "draw"), Ack)
            relay.mute = True
            id = ann.talk.intend(Reply("draw"), secrets.token_bytes(16))
            await ann.flush()
            version = await another_owner(place, run, folder)
            await ann.say(say.Ping(n=1))
            await ann.hear(Pong, keep=True)
            early = [message for message in ann.heard if isinstance(message, Ack)]
            assert not early, "an owner without its store has acknowledged"
            relay.mute = False
            begun = time.monotonic()
            assert isinstance(await ann.answer(id), Reject), "a former owner has acknowledged"
            seconds = time.monotonic() - begun
            assert isinstance(await answered(ann, "focus"), Reject)
            match = run.server.lobby.tables()[0].record.id
    store = await RedisStore.open(place)
    try:
        steps = await store.read(match_of(match))
    finally:
        await store.close()
    # the history of the new owner, whole, and nothing beside it
    assert [step.version for step in steps] == list(range(1, version + 1))
    return {"partitions": 1, "settled_worst": seconds}


@pytest.mark.waits(times=200)
async def test_an_owner_that_is_cut_off_acknowledges_nothing(tmp_path: Path, redis_server: RedisServer) -> None:
    await cut_off(tmp_path, redis_server, TENTH)


@pytest.mark.long("partitions")
async def test_long_partitions(tmp_path: Path, redis_server: RedisServer) -> None:
    run = LongRun("partitions", batches=200)
    for number in run.left():
        waits = DEFAULT_TIMEOUTS if number % 20 == 0 else TENTH
        run.keep(number, await cut_off(tmp_path / str(number), redis_server, waits))
    assert run.totals()["partitions"] == 200
    assert run.totals()["settled_worst"] <= LEASE_SECONDS
