"""The guests of an attack, connected and seated."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from protocol.limits import Limits
from protocol.wire import from_client as say
from tests.support.legal.work import COMER, HOST, PAIR, PLAYER
from tests.support.legal.workers import Worker, arrive
from tests.support.legal.world import SIX, World, end_alone, end_together, seat_six, seat_two

SMALL: Final = (*[PLAYER] * SIX, *[PAIR] * 2, HOST, COMER)
LARGE: Final = (*[PLAYER] * 4 * SIX, *[PAIR] * 12, *[HOST] * 9, *[COMER] * 9)
"""54 of them."""


@dataclass
class Stage:
    """Workers at the tables that they need."""

    workers: list[Worker]

    @property
    def sent(self) -> Counter[str]:
        """Return the counts of messages sent, by kind."""
        return sum((worker.sent for worker in self.workers), Counter())

    @property
    def refused(self) -> Counter[str]:
        """Return the counts of refusals, by code."""
        return sum((worker.refused for worker in self.workers), Counter())

    def of(self, role: str) -> list[Worker]:
        """Return all of this kind."""
        return [worker for worker in self.workers if worker.role == role]

    async def leave(self) -> None:
        """End the matches that can be ended together, and disconnect."""
        tables = []
        for role, size in ((PLAYER, SIX), (PAIR, 2)):
            guests = [worker.guest for worker in self.of(role)]
            tables += [guests[first : first + size] for first in range(0, len(guests), size)]
        whole = [table for table in tables if not any(guest.is_lost for guest in table)]
        await asyncio.gather(*(end_together(table) for table in whole))
        for worker in self.of(HOST):
            if not worker.guest.is_lost:
                worker.guest.tell(say.LeaveTable())
        for worker in self.workers:
            worker.end()


async def staged(port: int, limits: Limits, roles: Sequence[str], network: int = 0) -> Stage:
    """Return guests of these roles from three addresses of a network, players of them at live tables."""
    addresses = [f"127.0.{network}.{host}" for host in (2, 3, 4)]
    world = World()
    stage = Stage(await arrive(port, limits, addresses, roles, world))
    world.finished = await end_alone(stage.of(COMER)[0].guest)
    players, pairs = ([worker.guest for worker in stage.of(role)] for role in (PLAYER, PAIR))
    for first in range(0, len(players), SIX):
        world.live = await seat_six(players[first : first + SIX])
    for first in range(0, len(pairs), 2):
        await seat_two(pairs[first : first + 2])
    host = stage.of(HOST)[0].guest
    await host.asked(say.CreateTable(system="action_cards", scenario="harrow_cross", name="Open"))
    world.open = (await host.until("table"))["id"]
    return stage
