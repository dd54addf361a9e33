"""Redis goes away for a while, stalled or killed, under play: nobody is closed, chat goes on, acts wait or are refused,
and all goes on by itself when it is back."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from pathlib import Path
from typing import Literal, cast

import pytest

from protocol.scene.nodes import Reply
from protocol.wire import from_client as say
from protocol.wire.from_server import Ack, ChatLine, Reject
from server.runtime.clock import RealClock
from server.store.redis.connection import DEFAULT_TIMEOUTS, Timeouts
from server.store.redis.store import RedisStore
from tests.support.clients.wire import Client, Running, running, two_players
from tests.support.doubles.clock import JumpingClock
from tests.support.doubles.redis_server import RedisServer
from tests.support.runs.longrun import LongRun

How = Literal["stalled", "killed"]
HURRIED = Timeouts(answer=0.3, patience=0.2, pause=0.05)
ROUND_SECONDS = 1.0
"""Pause between two rounds of chat and acts: who talks more is refused."""
LOOK_SECONDS = 0.1
PROMPT_SECONDS = 1.0
"""Most that a word of chat may take while Redis is away."""
BACK_SECONDS = 5.0
"""Most until acts are acknowledged again."""


class Table:
    """Ann and Ben at a live match, who go on acting and talking whatever becomes of the store."""

    def __init__(self, ann: Client, ben: Client) -> None:
        self.ann, self.ben = ann, ben
        self.words = 0
        self.slowest = 0.0
        self._waiting: list[asyncio.Task[Ack | Reject]] = []

    async def talk(self) -> None:
        """Ann says something, which Ben hears."""
        word, begun = f"word {self.words}", time.monotonic()
        await self.ann.say(say.Chat(text=word))
        await self.ben.hear(ChatLine, lambda line: line.text == word, keep=True)
        self.slowest = max(self.slowest, time.monotonic() - begun)
        self.words += 1

    async def act(self) -> None:
        """Ann acts, unless her last act waits for its answer still."""
        if self._waiting and not self._waiting[-1].done():
            return
        id = self.ann.talk.intend(Reply("focus"), secrets.token_bytes(16))
        await self.ann.flush()
        self._waiting.append(asyncio.ensure_future(self.ann.answer(id)))

    async def answers(self) -> list[Ack | Reject]:
        """Return what has become of all acts so far."""
        found, self._waiting = self._waiting, []
        return [await answer for answer in found]


async def away(
    folder: Path, how: How, seconds: float, waits: Timeouts, pause: float = ROUND_SECONDS
) -> dict[str, float]:
    """Take Redis away for so long while two people play; return what happened."""
    redis = RedisServer(folder / "redis")
    try:
        store = await RedisStore.open(redis.first, timeouts=waits)
        await store.take_lease(folder, RealClock())
        async with running(folder, store=store, clock=cast(JumpingClock, RealClock())) as run:
            ann, ben = await two_players(run)
            eva = await run.client("Eva")
            table = Table(ann, ben)
            assert await ann.intend("focus") == ""
            happened = await _play_without(redis, how, seconds, pause, table)
            begun = time.monotonic()
            while isinstance(await _answered(ann), Reject):
                assert time.monotonic() - begun < BACK_SECONDS, "acts are refused still"
                await asyncio.sleep(LOOK_SECONDS)
            happened["worst_back"] = time.monotonic() - begun
            await _all_are_there(run, (ann, ben, eva))
            return happened
    finally:
        redis.close()


async def _play_without(redis: RedisServer, how: How, seconds: float, pause: float, table: Table) -> dict[str, float]:
    redis.stall() if how == "stalled" else redis.kill()
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        await table.act()
        await table.talk()
        await asyncio.sleep(pause)
    redis.go_on() if how == "stalled" else redis.start()
    answers = await table.answers()
    refused = Counter(answer.code for answer in answers if isinstance(answer, Reject))
    assert set(refused) <= {"store/unavailable", "stale"}, refused
    return {
        "words": table.words,
        "worst_word": table.slowest,
        "refused": refused["store/unavailable"],
        "waited": len(answers) - sum(refused.values()),
    }


async def _answered(client: Client) -> Ack | Reject:
    id = client.talk.intend(Reply("focus"), secrets.token_bytes(16))
    await client.flush()
    return await client.answer(id)


async def _all_are_there(run: Running, clients: tuple[Client, ...]) -> None:
    for client in clients:
        await client.pinged()
        assert client.closed is None
    events = {line["event"] for line in run.lines}
    assert not events & {"closed", "parked", "store-taken", "steps-lost", "task"}, events


@pytest.mark.waits(times=20)
@pytest.mark.parametrize("how", ["stalled", "killed"])
async def test_redis_is_away_for_a_moment(tmp_path: Path, how: How) -> None:
    happened = await away(tmp_path, how, 1.5, HURRIED, 0.4)
    assert happened["words"] >= 2
    assert happened["worst_word"] < PROMPT_SECONDS


@pytest.mark.long("redis-away")
async def test_redis_is_away_for_forty_seconds(tmp_path: Path) -> None:
    run = LongRun("redis-away", batches=4)
    for batch in run.left():
        how: How = "stalled" if batch % 2 == 0 else "killed"
        run.keep(batch, await away(tmp_path / str(batch), how, 40.0, DEFAULT_TIMEOUTS))
    totals = run.totals()
    assert totals["words"] >= 4 * 25
    assert totals["refused"] > 0
