"""Guests who do all that they may, as often as they may: each message costs little, and those beside them play on."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, get_args

import pytest

from protocol.wire import from_client as say
from tests.support.clients.programs import Program
from tests.support.legal.costs import Costs, cpu, measured, table_of
from tests.support.legal.people import People, p99
from tests.support.legal.server import LIMITS
from tests.support.legal.stage import LARGE, SMALL, staged
from tests.support.legal.work import kinds
from tests.support.legal.workers import all_at_once
from tests.support.runs.longrun import FOLDER, LongRun

ROOM_MS: Final = 200.0
"""Of CPU for a message on average: some ten times what the dearest took when this was written."""
WORK_SECONDS: Final = 2.0
MESSAGES: Final = 50
BATCHES: Final = 4
QUIET_SECONDS: Final = 30.0
SPAN_SECONDS: Final = 30.0
SPANS: Final = 4
P99_MS: Final = 50.0
TIMES: Final = 4.0
END_SECONDS: Final = 12 * 60.0
LOOK_SECONDS: Final = 5.0
ROOM: Final = 1.25
SPARE: Final = 200_000
"""Blocks of memory, some 12 MB: texts, content and formations that are kept once they have been asked for."""
AGAIN: Final = 1.15
"""A second attack on the same server adds no more: what is free is used again, though not given to the system."""
PATIENCE: Final = 120.0


class LegalServer(Program):
    """Its program, on a data folder in `folder`."""

    def __init__(self, folder: Path, limits: str) -> None:
        data = folder / "data"
        data.mkdir(parents=True)
        super().__init__(folder, "server", "tests.support.legal.server", str(data), limits, is_held=True)
        self.port = 0

    async def memory(self) -> dict[str, int]:
        """Return its memory after a full collection: "bytes", "blocks", and "left" of matches."""
        await self.send(b"memory\n")
        return {name: int(str(value)) for name, value in (await self.said()).items()}


@asynccontextmanager
async def serving(folder: Path, limits: str) -> AsyncIterator[LegalServer]:
    """The server, until the end."""
    server = LegalServer(folder, limits)
    await server.start()
    try:
        server.port = int(str((await server.said())["port"]))
        yield server
    finally:
        await server.end()


def test_every_message_that_there_is_belongs_to_the_attack() -> None:
    assert kinds() == set(get_args(say.FromClient))


async def costs(folder: Path, rounds: int, settle: float) -> tuple[Costs, Counter[str]]:
    """Measure the server's cost of each kind of message, and count the refusals meanwhile."""
    async with serving(folder, "free") as server:
        stage = await staged(server.port, LIMITS["free"], SMALL)
        assert server.pid is not None
        found = await measured(server.pid, stage.workers, rounds, settle)
        for worker in stage.workers:
            worker.end()
        assert "Traceback" not in server.log.read_text(), server.end_told
        return found, stage.refused


async def test_every_kind_of_message_is_done_and_costs_little(tmp_path: Path) -> None:
    found, refused = await costs(tmp_path, rounds=1, settle=0.0)
    done = {name.partition(" ")[0] for name in found}
    assert done >= {kind.__name__ for kind in kinds()} - {"AnswerOffer"}, done
    for name, each in found.items():
        assert sum(each) / len(each) <= ROOM_MS, (name, each)
    assert not {"server/fault", "busy"} & refused.keys(), refused


async def test_who_keeps_within_the_limits_is_no_flood_and_hardly_refused(tmp_path: Path) -> None:
    async with serving(tmp_path, "promised") as server:
        stage = await staged(server.port, LIMITS["promised"], SMALL)
        assert server.pid is not None
        used = cpu(server.pid)
        await all_at_once(stage.workers, WORK_SECONDS)
        used = cpu(server.pid) - used
        await stage.leave()
        assert not stage.refused["session/flood"], stage.refused
        said, refused = stage.sent.total(), stage.refused
        assert said > MESSAGES
        assert refused["busy"] <= said // 4, said
        assert not refused["server/fault"], refused
        assert used * 1000 / said <= ROOM_MS, (used, said)
        assert "Traceback" not in server.log.read_text(), server.end_told


@pytest.mark.long("legal-work")
async def test_long_what_each_message_costs(tmp_path: Path) -> None:
    run = LongRun("legal-costs", batches=1)
    for batch in run.left():
        found, _ = await costs(tmp_path, rounds=2, settle=0.6)
        FOLDER.mkdir(parents=True, exist_ok=True)
        (FOLDER / "legal-costs.md").write_text(table_of(found) + "\n")
        print(table_of(found))
        run.keep(batch, {f"worst_ms_{name}": sum(each) / len(each) for name, each in found.items()})
    assert max(run.totals().values()) <= ROOM_MS


class Attack(Program):
    """The program of the 54 guests. Those of another network have bounds of their own."""

    def __init__(self, folder: Path, port: int, network: int) -> None:
        super().__init__(folder, "attack", "tests.support.legal.attack", str(port), str(network), is_held=True)

    async def work(self, seconds: float) -> dict[str, object]:
        """Let them work for so long; what they have said and were refused so far."""
        await self.send(b"%d\n" % seconds)
        return await self.said(seconds + PATIENCE)

    async def leave(self) -> None:
        """Let them go."""
        await self.send(b"\n")
        await self.said(PATIENCE)
        await self.wait(PATIENCE)


def counts(told: object) -> Counter[str]:
    """A map of JSON."""
    assert isinstance(told, dict)
    return Counter(told)


@asynccontextmanager
async def attacking(folder: Path, server: LegalServer, network: int = 0) -> AsyncIterator[Attack]:
    """The guests, ready; they have left at the end."""
    attack = Attack(folder, server.port, network)
    await attack.start()
    try:
        assert (await attack.said(PATIENCE))["ready"] == len(LARGE)
        yield attack
        await attack.leave()
    finally:
        await attack.end()


async def beside(people: People, attack: Attack, spans: int, seconds: float) -> tuple[list[float], dict[str, object]]:
    """Return the waits of the six under attack, and what the attackers have said and were refused."""
    waits: list[float] = []
    told: dict[str, object] = {}
    for _ in range(spans):
        working = asyncio.create_task(attack.work(seconds))
        waits += await people.waits(seconds)
        told = await working
    return waits, told


async def attacked(folder: Path, spans: int, quiet: float, seconds: float, end: float) -> dict[str, float]:
    """A match of six in quiet, then under attack; and the server's memory before, under attack and, where `end` is not
    0, when the attackers have been gone for so many seconds at most, and when others have attacked again."""
    async with serving(folder, "promised") as server:
        people = await People.seated(server.port)
        alone = await people.waits(quiet)
        before = await server.memory()
        async with attacking(folder, server) as attack:
            pid = server.pid
            assert pid is not None
            used, begun = cpu(pid), time.monotonic()
            waits, told = await beside(people, attack, spans, seconds)
            used, lasted = cpu(pid) - used, time.monotonic() - begun
            peak = await server.memory()
        found = {
            "cpu_seconds": used,
            "attack_seconds": lasted,
            "answers": len(waits),
            "worst_p99_quiet_ms": p99(alone),
            "worst_p99_attack_ms": p99(waits),
            "worst_bytes_before": before["bytes"],
            "worst_bytes_attack": peak["bytes"],
        }
        if end:
            found |= await afterwards(folder, server, people, before["blocks"], end)
        people.leave()
        assert "Traceback" not in server.log.read_text(), server.end_told
        sent, refused = counts(told["sent"]), counts(told["refused"])
        print(sent, refused, told["lost"])
        return found | {"said": sent.total(), "refused": refused.total(), "lost": float(str(told["lost"]))}


async def afterwards(
    folder: Path, server: LegalServer, people: People, blocks: int, seconds: float
) -> dict[str, float]:
    """Return the server's memory when the attackers have gone, and when they have come again for a while."""
    after, over = await server.memory(), time.monotonic() + seconds
    while after["blocks"] > ROOM * blocks + SPARE and time.monotonic() < over:
        await people.waits(LOOK_SECONDS)
        after = await server.memory()
    async with attacking(folder, server, network=1) as attack:
        await beside(people, attack, SPANS // 2, SPAN_SECONDS)
        again = await server.memory()
    return {
        "worst_blocks_before": blocks,
        "worst_blocks_after": after["blocks"],
        "worst_bytes_after": after["bytes"],
        "worst_bytes_again": again["bytes"],
    }


@pytest.mark.long("legal-work")
async def test_long_six_play_on_beside_all_that_is_allowed(tmp_path: Path) -> None:
    run = LongRun("legal-work", batches=BATCHES)
    for batch in run.left():
        is_last = batch == BATCHES - 1
        end = END_SECONDS if is_last else 0.0
        run.keep(batch, await attacked(tmp_path / str(batch), SPANS, QUIET_SECONDS, SPAN_SECONDS, end))
    totals = run.totals()
    assert totals["worst_p99_attack_ms"] <= max(P99_MS, TIMES * totals["worst_p99_quiet_ms"]), totals
    assert totals["worst_blocks_after"] <= ROOM * totals["worst_blocks_before"] + SPARE, totals
    assert totals["worst_bytes_again"] <= AGAIN * max(totals["worst_bytes_attack"], totals["worst_bytes_after"]), totals
