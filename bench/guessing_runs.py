"""Benchmark of the lobby beside people who guess at codes, 20,000 times a minute: a page of it, with and without them
in turn."""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Final

import msgspec
import uvloop

from bench import scenes
from bench.figures import AIMS, Figure, figure
from bench.lobby_runs import fill
from bench.players import Player, guests
from bench.processes import PATIENCE, Process, cores, started
from protocol.game_links import CODE_LETTERS

TABLES: Final = 5_000
LOOKERS: Final = 20
BETWEEN: Final = 0.2
"""Seconds from one look to the next of each of them."""
GUESSERS: Final = 50
A_MINUTE: Final = 20_000
"""Guesses, by all together."""
KINDS: Final = ("join", "watch", "follow", "use_seat_code")
"""Messages that take a code."""
MINUTE: Final = 60.0
SECONDS: Final = 10.0
ROUNDS: Final = 7
"""Of quiet and guesses in turn: what else the machine does meanwhile concerns both."""
SHARE: Final = 0.1
"""The p99 may rise by so much of itself, where that is more than the must."""
_TOLD: Final = msgspec.msgpack.Decoder(dict[str, object])


class Guesser:
    """Person who guesses at codes. `guesses`: how often; `refusals`: as often as that came to nothing."""

    def __init__(self, player: Player, seed: int) -> None:
        self.guesses = 0
        self.refusals = 0
        self._player = player
        self._chance = random.Random(seed)
        player.listener = self._heard

    async def guess(self, seconds: float) -> None:
        """Guess at an even pace."""
        began, pause = perf_counter(), MINUTE * GUESSERS / A_MINUTE
        for number in range(int(seconds / pause)):
            await asyncio.sleep(began + (number + self._chance.random()) * pause - perf_counter())
            code = "".join(self._chance.choices(CODE_LETTERS, k=10))
            self._player.say(KINDS[number % len(KINDS)], code=code)
            self.guesses += 1

    def _heard(self, data: bytes) -> None:
        self.refusals += _TOLD.decode(data)["t"] == "problem"


def guessing_figures() -> list[Figure]:
    """Measure a page of the lobby with and without guesses, at a server whose bounds are as shipped."""
    with tempfile.TemporaryDirectory(prefix="eschaton-bench-") as name:
        fill(Path(name), TABLES)
        with started("bench.server", cores()[0], name, "bounded", log=Path(name) / "log") as process:
            return uvloop.run(_besieged(process))


async def _besieged(process: Process) -> list[Figure]:
    lookers = await guests(process.port, LOOKERS, together=1)
    [owner] = await guests(process.port, 1, LOOKERS, together=1)
    owner.say("create", system=scenes.SYSTEM, scenario=scenes.SCENARIO, name="Guarded", private=True)
    await owner.until(lambda player: "table" in player.said)
    players = await guests(process.port, GUESSERS, LOOKERS + 1, together=1)
    guessers = [Guesser(player, number) for number, player in enumerate(players)]
    quiet, beside = list[float](), list[float]()
    for _ in range(ROUNDS):
        quiet.append(await _p99(lookers))
        siege = asyncio.gather(*[guesser.guess(SECONDS) for guesser in guessers])
        beside.append(await _p99(lookers))
        await siege
    guesses = await _all_refused(guessers)
    for player in (*lookers, owner, *players):
        player.close()
    alone = statistics.median(quiet)
    more = max(0.0, SHARE * alone - AIMS["guesses_rise"].must)
    return [
        figure("guesses_page", alone),
        figure("guesses_rise", statistics.median(beside) - alone, extra=more),
        figure("guesses_rate", guesses / (ROUNDS * SECONDS) * MINUTE),
    ]


async def _all_refused(guessers: Sequence[Guesser]) -> int:
    """Wait until all guesses have been refused, and return how many they were. Raises SystemExit."""
    guesses, until = sum(one.guesses for one in guessers), perf_counter() + PATIENCE
    while (refused := sum(one.refusals for one in guessers)) < guesses:
        if perf_counter() > until:
            raise SystemExit(f"of {guesses} guesses {refused} were refused")
        await asyncio.sleep(0.1)
    return guesses


async def _p99(lookers: list[Player]) -> float:
    """Return the milliseconds within which 99 of 100 pages of the lobby are there."""
    took = [one for found in await asyncio.gather(*[_looked(looker) for looker in lookers]) for one in found]
    return sorted(took)[len(took) * 99 // 100] * 1e3


async def _looked(looker: Player) -> list[float]:
    """Ask for a page again and again; return the seconds that each took."""
    end, took = perf_counter() + SECONDS, list[float]()
    while perf_counter() < end:
        await asyncio.sleep(random.uniform(0.5, 1.5) * BETWEEN)
        looker.said.pop("found", None)
        began = perf_counter()
        looker.say("find")
        await looker.until(lambda player: "found" in player.said)
        took.append(perf_counter() - began)
    return took
