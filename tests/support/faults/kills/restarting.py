"""Restarts of a server under play at many tables, after which everybody comes back and nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from engine.core.bots.bot import Bot
from protocol.ids import match_of
from server.cli.doctor.checks import Trouble, examine
from server.cli.doctor.facts import gather
from server.cli.settings.settings import ServerSettings
from server.cli.wire_bot import WireView
from server.runtime.backup_mark import mark_backup
from server.store.choice import open_store
from tests.support.clients.programs import until
from tests.support.doubles.redis_server import free_port
from tests.support.doubles.stored import steps_of
from tests.support.faults.kills.killing import Recorder, ServerProcess, Stage, check_steps, seat_players
from tests.support.runs.patience import PATIENCE
from tests.support.servers.data_folder import findings
from tests.support.systems.duel import Duel

CROWD: Final = Stage(
    Duel(),
    "endless",
    2,
    lambda data, port: ["tests.support.systems.duel_server", str(data), str(port), "--limits", "crowd"],
)
AT_ONCE: Final = 8
THINKING: Final = 1.0
"""Most seconds that a player takes for a decision."""


class Thinker(Recorder):
    """Recorder that takes its time, so that many tables leave the server some."""

    async def _think(self, bot: Bot, view: WireView) -> None:
        await asyncio.sleep(random.random() * THINKING)
        await super()._think(bot, view)


@dataclass
class Hall:
    """A server with players at all its tables. `links`: times that each has been let in."""

    server: ServerProcess
    tables: list[list[Recorder]] = field(default_factory=list)
    playing: list[asyncio.Task[Any]] = field(default_factory=list)
    links: int = 1

    @property
    def players(self) -> Sequence[Recorder]:
        """All players."""
        return [player for table in self.tables for player in table]

    async def fill(self, count: int, seed: int, receipts: Path) -> None:
        """Begin matches at this number of tables."""
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(number: int) -> None:
            async with gate:
                here = receipts / str(number)
                players, playing = await seat_players(CROWD, self.server.port, seed + 10 * number, here, Thinker)
                self.tables.append(players)
                self.playing += playing

        await asyncio.gather(*[one(number) for number in range(count)])

    async def play(self, acts: int) -> None:
        """Wait until so many more acts have been acknowledged, and all are connected."""
        goal = self.acknowledged() + acts
        try:
            await until(lambda: self.acknowledged() >= goal and all(p.links >= self.links for p in self.players))
        except TimeoutError:
            raise AssertionError(f"{self.acknowledged()} of {goal} acts; {self.standing()}") from None

    def standing(self) -> list[str]:
        """Return how each player stands, for whoever looks why nothing goes on."""
        found = []
        for place, player in enumerate(self.players):
            scene = player.talk.scene
            prompt = scene.prompt if scene is not None else None
            choices = [choice.id for choice in prompt.choices] if prompt is not None else []
            pending = [intent.prompt for intent in player.talk.pending.values()]
            about = f"links {player.links}, prompt {prompt.id if prompt is not None else ''} {choices}"
            found.append(f"{place}: {about}, pending {pending}, ended {player.talk.ended}")
        return found

    def acknowledged(self) -> int:
        """Return the number of acts and answers that have been acknowledged."""
        return sum(len(player.acts) + len(player.answers) for player in self.players)

    async def close(self) -> None:
        """Stop the players and the server."""
        for task in self.playing:
            task.cancel()
        await asyncio.gather(*self.playing, return_exceptions=True)
        await self.server.kill()


async def restart_again_and_again(folder: Path, tables: int, restarts: int, seed: int) -> dict[str, float]:
    """Play at tables of two, the server being ended by SIGTERM and SIGKILL in turn, each time after a SIGHUP that ends
    nothing. Checks all logs at the end; returns counts of what happened."""
    chance = random.Random(seed)
    data = folder / "data"
    data.mkdir(parents=True, mode=0o700)
    shown = f"127.0.0.1:{free_port()}"
    hall = Hall(ServerProcess(CROWD, data, folder / "server.log", "", "--metrics", shown))
    await hall.server.start()
    slowest = 0.0
    try:
        await hall.fill(tables, seed, folder / "receipts")
        for number in range(restarts):
            await hall.play(chance.randrange(tables))
            hall.server.signal(signal.SIGHUP)
            await hall.play(tables // 2)
            await asyncio.sleep(chance.random() / 100)
            if number % 2:
                await hall.server.kill()
            else:
                assert await hall.server.stop(PATIENCE) == 0
            hall.links += 1
            began = perf_counter()
            await hall.server.start()
            await hall.play(0)
            slowest = max(slowest, perf_counter() - began)
        await hall.play(tables)
        assert not any(task.done() for task in hall.playing), "somebody was sent away"
        mark_backup(data)
        troubles = await asyncio.to_thread(troubles_of, ServerSettings(data=data, metrics=shown))
        assert not troubles, troubles
    finally:
        await hall.close()
    counts = {"restarts": restarts, "worst_seconds_back": round(slowest, 1)}
    return counts | await check_hall(data, hall.tables) | {"tables": tables}


async def check_hall(data: Path, tables: list[list[Recorder]]) -> dict[str, int]:
    """Check the logs of all tables as `check_log` does for one, then the whole installation; return sums."""
    sums: dict[str, int] = {}
    store = await open_store("", data)
    try:
        for players in tables:
            table = players[0].talk.table
            assert table is not None
            steps = await steps_of(store, data, match_of(table.id))
            for name, count in check_steps(CROWD, steps, players).items():
                sums[name] = sums.get(name, 0) + count
    finally:
        await store.close()
    found = [finding for finding in await findings(data) if not finding.harmless]
    assert not found, found
    return sums | {"answers": sum(len(player.answers) for players in tables for player in players)}


def troubles_of(settings: ServerSettings) -> list[Trouble]:
    """Return what the doctor finds wrong with an installation whose server runs."""
    return list(examine(gather(settings)))
