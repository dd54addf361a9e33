"""Guessing codes: nobody hits one, and whoever tries is locked out before the tenth try, by whichever message."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from protocol.game_links import CODE_LETTERS
from protocol.wire import from_client as say
from protocol.wire.from_server import Problem
from protocol.wire.links import FollowLink
from tests.support.clients.wire import Client, running
from tests.support.faults.kills.crash_server import UNHURRIED
from tests.support.runs.longrun import Figures, LongRun

MOST_TRIES: Final = 10
LOCKED: Final = ("table/code-tries", "seat-code/tries")
MINUTE: Final = 60
A_MINUTE: Final = 20_000
"""Guesses, by all together."""
BATCH: Final = 100
"""Guesses of one person at a time."""


def guess(chance: random.Random) -> say.Message:
    """Return a message with a random code, of any of the kinds that take one."""
    code = "".join(chance.choices(CODE_LETTERS, k=10))
    kinds = (say.JoinTable(code=code), say.WatchTable(code=code), FollowLink(code=code), say.UseSeatCode(code=code))
    return chance.choice(kinds)


async def guesses(guesser: Client, chance: random.Random, count: int) -> Counter[str]:
    """Guess so often; return how often it came to what."""
    guesser.heard.clear()
    for _ in range(count):
        guesser.talk.say(guess(chance))
    await guesser.flush()
    await guesser.pinged()
    assert guesser.talk.table is None, "a code was hit"
    return Counter(one.code for one in guesser.heard if isinstance(one, Problem))


async def besiege(folder: Path, guessers: int, count: int, seed: int) -> Figures:
    """Let people from addresses of their own guess at the code of a private table and of a seat, within a minute."""
    folder.mkdir(exist_ok=True)
    chance = random.Random(seed)
    async with running(folder, limits=UNHURRIED) as run:
        ann = await run.client("Ann")
        await ann.create("three", private=True)
        await ann.say(say.GetSeatCode())
        clients = [Client(run.port, f"Guesser {n}", address=f"127.0.2.{n + 1}") for n in range(guessers)]
        for client in clients:
            await client.connect()
        tries: Counter[tuple[int, str]] = Counter()
        rounds = count // (guessers * BATCH)
        for _ in range(rounds):
            for number, client in enumerate(clients):
                said = await guesses(client, chance, BATCH)
                assert said.total() == BATCH
                # codes of tables and of seats have a bound each
                tries.update({(number, code.partition("/")[0]): n for code, n in said.items() if code not in LOCKED})
            run.clock.advance(MINUTE / rounds)
        for client in clients:
            await client.close()
    return {"guesses": rounds * guessers * BATCH, "looked at": tries.total(), "worst_tries": max(tries.values())}


@pytest.mark.waits
async def test_whoever_guesses_codes_is_locked_out(tmp_path: Path) -> None:
    assert (await besiege(tmp_path, 2, 400, seed=1))["worst_tries"] <= MOST_TRIES


def batch(folder: Path, number: int) -> Figures:
    return asyncio.run(besiege(folder / str(number), 50, A_MINUTE, number))


@pytest.mark.long("lobby")
def test_long_an_hour_of_guesses(tmp_path: Path) -> None:
    totals = LongRun("code-guesses", batches=60).complete(partial(batch, tmp_path))
    assert totals["guesses"] >= 60 * A_MINUTE
    assert totals["worst_tries"] <= MOST_TRIES, totals
