"""The server's CPU for each kind of message, measured one message at a time."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

from protocol.wire import from_client as say
from tests.support.clients.programs import until
from tests.support.legal.work import ACTS, COMER, COURSES, HOST, PAIR, PLAYER, QUESTIONS
from tests.support.legal.workers import Worker

Costs = dict[str, list[float]]
"""Milliseconds of each message, by kind."""
SOON: Final = 1.0
ARMIES: Final = " (armies)"
ORDER: Final = (COMER, PLAYER, PAIR, HOST)
"""Hosts last: they leave matches of bots behind, which play on."""
PLAY: Final = (ACTS, QUESTIONS)
"""What differs most from one prompt to the next."""
ROUNDS_OF_PLAY: Final = 12
"""In each round of all courses."""


def cpu(pid: int) -> float:
    """Return the seconds of CPU of a process, all its threads together: see clock_getcpuclockid(3)."""
    return time.clock_gettime((~pid << 3) | 2)


async def measured(pid: int, workers: Sequence[Worker], rounds: int, settle: float) -> Costs:
    """Run all courses of all kinds of guests, one message after another. settle: seconds for which the server is
    observed before a message and after it, so that delayed effects, such as lists of tables, are counted with it, and
    background work is not."""
    found: Costs = defaultdict(list)
    for role in ORDER:
        of_role = [worker for worker in workers if worker.role == role]
        for course in [course for _ in range(rounds) for course in _round(role)]:
            plays = COURSES[role][course] in PLAY
            await _one(pid, await _asked(of_role) if plays else of_role[0], course, found, settle)
    return found


def _round(role: str) -> Iterator[int]:
    """Yield the number of the course of each message of one round. Acts and questions alternate, so that the questions
    are asked at many prompts: not every prompt has something to ask about."""
    rows = COURSES[role]
    played = [course for course, row in enumerate(rows) if row in PLAY]
    for course in [course for course in range(len(rows)) if course not in played] + played * ROUNDS_OF_PLAY:
        yield from [course] * len(rows[course])


async def _one(pid: int, worker: Worker, course: int, found: Costs, settle: float) -> None:
    one, message = await worker.next_of(course)
    if message is None:
        return
    if worker.guest.is_lost and one.kind is not say.Hello:
        # what it said last has ended its connection
        await worker.renew()
        await worker.guest.greet()
    idle = await _rate(pid, settle)
    before, begun = cpu(pid), time.monotonic()
    if one.kind is say.Hello:
        await worker.renew()
        worker.guest.tell(message)
        await worker.guest.until("lobby")
    elif one.kind in (say.Logout, say.DeleteAccount):
        worker.guest.tell(message)
        await _gone(worker)
    else:
        await worker.guest.asked(message)
    await asyncio.sleep(settle)
    used = cpu(pid) - before - idle * (time.monotonic() - begun)
    found[one.kind.__name__ + ARMIES * (worker.role == PAIR)].append(max(used, 0.0) * 1000)


async def _asked(players: Sequence[Worker]) -> Worker:
    """Return a player of whom something is asked, if that comes to be soon."""
    with suppress(TimeoutError):
        async with asyncio.timeout(SOON):
            while True:
                for worker in players:
                    if worker.guest.choices is not None:
                        return worker
                await asyncio.sleep(0.01)
    return players[0]


async def _gone(worker: Worker) -> None:
    await until(lambda: worker.guest.is_lost, 20)


async def _rate(pid: int, seconds: float) -> float:
    """Return the CPU seconds a second of background work."""
    if not seconds:
        return 0.0
    before, begun = cpu(pid), time.monotonic()
    await asyncio.sleep(seconds)
    return (cpu(pid) - before) / (time.monotonic() - begun)


def table_of(costs: Costs) -> str:
    """Format the kinds, the dearest first: milliseconds of CPU a message, on average and at worst."""
    rows = sorted(costs.items(), key=lambda row: -sum(row[1]) / len(row[1]))
    lines = ["| message | said | ms CPU each | worst |", "|---|---|---|---|"]
    for name, row in rows:
        lines.append(f"| {name} | {len(row)} | {sum(row) / len(row):.2f} | {max(row):.1f} |")
    return "\n".join(lines)
