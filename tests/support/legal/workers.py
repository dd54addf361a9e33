"""Guests at work: each goes through the courses of its kind, and comes back as another person where it must."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from protocol.limits import Limits
from protocol.wire import from_client as say
from tests.support.legal.guests import Guest
from tests.support.legal.work import COURSES, Said
from tests.support.legal.world import World

IDLE_SECONDS: Final = 0.05
KNOCK_SECONDS: Final = 1.0
"""Between two connections of one worker: an address has ten a second, and less than twenty workers."""


class Worker:
    """One guest after another, from one address. `sent`, `refused` and `lost`: over all of them."""

    def __init__(self, guest: Guest, role: str, world: World) -> None:
        self.guest = guest
        self.role = role
        self.sent: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.lost = 0
        self._world = world
        self._next = [0] * len(COURSES[role])

    async def renew(self) -> None:
        """Disconnect and connect anew; the next message is a Hello."""
        old = self.guest
        self.end()
        self.guest = await Guest.at(old.name, old.limits, old.port, old.address)

    async def next_of(self, course: int) -> tuple[Said, say.Message | None]:
        """Return the next entry of a course with its message; None where that cannot be sent now."""
        row = COURSES[self.role][course]
        one = row[self._next[course] % len(row)]
        self._next[course] += 1
        return one, await one.make(self.guest, self._world)

    async def work(self, course: int) -> None:
        """Send this course, again and again, as often as allowed, until cancelled."""
        while True:
            try:
                await self._once(course)
            except (OSError, TimeoutError, asyncio.CancelledError) as problem:
                current = asyncio.current_task()
                if isinstance(problem, asyncio.CancelledError) and current is not None and current.cancelling():
                    raise
                await asyncio.sleep(KNOCK_SECONDS)

    async def _once(self, course: int) -> None:
        one, message = await self.next_of(course)
        if message is None:
            await asyncio.sleep(IDLE_SECONDS)
            return
        if one.kind is say.Hello:
            await asyncio.sleep(KNOCK_SECONDS)
            await self.renew()
        elif self.guest.is_lost:
            self.lost += 1
            await asyncio.sleep(KNOCK_SECONDS)
            await self.renew()
            await self.guest.greet()
            return
        await self.guest.leave_for(one.kind)
        self.guest.tell(message)

    def end(self) -> None:
        """Disconnect."""
        self.guest.close()
        self.count()

    def count(self) -> None:
        """Add the present guest's messages and refusals so far."""
        self.sent += self.guest.sent
        self.refused += self.guest.refused
        self.guest.sent.clear()
        self.guest.refused.clear()


async def arrive(
    port: int, limits: Limits, addresses: Sequence[str], roles: Sequence[str], world: World
) -> list[Worker]:
    """Return workers of these roles, each group from an address of its own, all of them greeted."""
    workers = []
    for number, role in enumerate(roles):
        guest = await Guest.at(f"Guest {number}", limits, port, addresses[number % len(addresses)])
        await guest.greet()
        workers.append(Worker(guest, role, world))
        # an address may connect ten times a second
        await asyncio.sleep(0 if limits.handshakes_per_second > 100 else 0.4 / len(addresses))
    return workers


async def all_at_once(workers: Sequence[Worker], seconds: float) -> None:
    """Let all of them work, for this time."""
    tasks = [
        asyncio.create_task(worker.work(course)) for worker in workers for course in range(len(COURSES[worker.role]))
    ]
    done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    pending = set(tasks)
    while pending:
        # again where a wait that ended at the same moment has swallowed the cancellation, as asyncio.wait_for does
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=IDLE_SECONDS)
    for task in done:
        with suppress(asyncio.CancelledError):
            task.result()
