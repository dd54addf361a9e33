"""Kills of Redis under play in each class of durability, and the fate of every acknowledged act."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

from engine.core.match.match import Match
from protocol.fairness.replay import read
from protocol.ids import MatchId
from protocol.limits import Limits
from protocol.wire.from_server import FromServer, Problem
from server.store.redis.durability import Durability
from tests.support.doubles.redis_group import FOLLOWED, GUARDED, RedisGroup
from tests.support.doubles.redis_server import RedisServer
from tests.support.faults.kills.killing import (
    DUEL,
    Recorder,
    ServerProcess,
    acts_in,
    check_end,
    seat_players,
    some_acts,
)
from tests.support.runs.patience import PATIENCE
from tests.support.systems.scripted import ScriptedDice

LOST = "match/steps-lost"


class Redises:
    """The Redis that a class is for: one alone, or a primary with a replica and Sentinels."""

    def __init__(self, folder: Path, durability: Durability) -> None:
        self._one = RedisServer(folder) if durability == "disk" else None
        settings = GUARDED if durability == "replica" else FOLLOWED
        self._group = RedisGroup(folder, settings) if durability != "disk" else None
        self._places = 0

    def place(self) -> str:
        """Return the address of an empty database."""
        self._places += 1
        if self._one is not None:
            return self._one.place()
        return f"{self._group.place}/{self._places}" if self._group is not None else ""

    async def begin(self) -> None:
        if self._group is not None:
            await self._group.begin()

    async def whole(self) -> None:
        """Wait until all agree on the primary, where there is more than one Redis."""
        if self._group is not None:
            await self._group.whole()

    def part(self) -> bool:
        """Let what is written from now on reach no replica; return False where there is none."""
        if self._group is not None:
            self._group.part()
        return self._group is not None

    async def kill(self) -> None:
        """Kill Redis; return when it is back, or when another is the primary."""
        if self._one is not None:
            self._one.kill()
            await asyncio.to_thread(self._one.start)
        if self._group is not None:
            await self._group.fail_over()

    async def mend(self) -> None:
        """Bring the killed one back, as replica."""
        if self._group is not None:
            await self._group.mend()

    def close(self) -> None:
        for each in (self._one, self._group):
            if each is not None:
                each.close()


async def kill_redis(folder: Path, durability: Durability, kills: int, seed: int) -> dict[str, float]:
    """Play matches with wire bots in all seats until Redis has been killed so often; return counts of what happened.

    With a replica, every third time that is cut off shortly before. In `disk` and `replica` every acknowledged act must
    be in the log once at the end; in `second` those at the table must have been told of every one that is not.
    """
    chance = random.Random(seed)
    figures: Counter[str] = Counter()
    redises = Redises(folder / "redis", durability)
    try:
        await redises.begin()
        for number in range(kills):
            if figures["kills"] >= kills:
                break
            figures += Counter(
                await _one_match(
                    folder / str(number), redises, durability, kills - figures["kills"], chance, seed + number
                )
            )
    finally:
        redises.close()
    return dict(figures)


async def _one_match(
    folder: Path, redises: Redises, durability: Durability, kills: int, chance: random.Random, seed: int
) -> dict[str, int]:
    data = folder / "data"
    data.mkdir(parents=True)
    log = folder / "server.log"
    server = ServerProcess(DUEL, data, log, redises.place(), "--durability", durability)
    await server.start()
    players, playing = await seat_players(DUEL, server.port, seed, folder / "receipts")
    told = _Told(players[0])
    done = parted = 0
    try:
        while done < kills and all(player.result is None for player in players):
            await some_acts(players, chance.randrange(1, 20))
            await redises.whole()
            if chance.random() < 1 / 3 and redises.part():
                parted += 1
                if durability == "second":
                    await some_acts(players, chance.randrange(1, 4))
            await redises.kill()
            await redises.mend()
            done += 1
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*playing)
        await server.stop(PATIENCE)
        assert all(player.result is not None for player in players)
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        await server.kill()
    check_end(DUEL, data)
    acts = _acts(data)
    acknowledged = set().union(*(player.acts for player in players))
    gone = acknowledged - set(acts)
    events = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
    lost = sum(event["steps"] for event in events if event["event"] == "steps-lost")
    assert len(gone) <= lost, f"{len(gone)} acknowledged acts are gone, and {lost} steps were counted"
    assert told.steps == lost, f"{lost} steps were counted, and {told.steps} told at the table"
    if durability != "second":
        assert not gone
        assert not lost
    compared = sum(event["event"] == "store-in-doubt" for event in events)
    return {
        "kills": done,
        "matches": 1,
        "parted": parted,
        "acknowledged": len(acknowledged),
        "acts_lost": len(gone),
        "steps_lost": lost,
        "compared": compared,
    }


class _Told:
    """Number of steps of which a player was told that they are gone."""

    def __init__(self, player: Recorder) -> None:
        self.steps = 0
        looked = player.look_at

        def look_at(message: FromServer) -> None:
            if isinstance(message, Problem) and message.code == LOST:
                self.steps += int(str(message.text.a["steps"]))
            looked(message)

        player.look_at = look_at  # type: ignore[method-assign]


def _acts(data: Path) -> list[bytes]:
    """Return the ids of all acts of the match, each of which was done once, as its replay has them: that was written
    from what the store held."""
    [file] = (data / "replays").glob("*.replay")
    steps = read(file.read_bytes(), Limits()).log
    match: Match[Any] = Match(DUEL.system, MatchId("check"), ScriptedDice())
    return acts_in(match.replay(step) for step in steps)
