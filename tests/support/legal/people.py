"""Six players at a table beside an attack, who act and ping now and then, with the times of the answers."""

from __future__ import annotations

import asyncio
from time import perf_counter
from typing import Final

from protocol.limits import Limits
from protocol.wire import from_client as say
from tests.support.legal.guests import TICK, Guest, intent_of
from tests.support.legal.world import SIX, seat_six

ADDRESS: Final = "127.0.0.9"
PAUSE: Final = 0.4


class People:
    """Players of one match after another, at random."""

    def __init__(self, guests: list[Guest]) -> None:
        self.guests = guests

    @classmethod
    async def seated(cls, port: int) -> People:
        """Return six of them, their match begun."""
        guests = []
        for number in range(SIX):
            guests.append(await Guest.at(f"Person {number}", Limits(), port, ADDRESS))
            await guests[-1].greet()
            await asyncio.sleep(PAUSE)
        await seat_six(guests)
        return cls(guests)

    async def waits(self, seconds: float) -> list[float]:
        """Return the seconds from each act and ping of theirs to its answer."""
        found: list[float] = []
        end = perf_counter() + seconds
        while perf_counter() < end:
            if self.guests[0].table.get("state") == "finished":
                for guest in self.guests:
                    await guest.asked(say.LeaveTable())
                    guest.said.pop("table", None)
                await seat_six(self.guests)
            await asyncio.gather(*(self._play(guest, end, found) for guest in self.guests))
        return found

    async def _play(self, guest: Guest, end: float, found: list[float]) -> None:
        while perf_counter() < end and guest.table.get("state") == "live":
            reply = await guest.reply()
            for message in (intent_of(guest, reply) if reply is not None else None, say.Ping(n=guest.number())):
                if message is not None:
                    await guest.leave_for(type(message))
                    begun = perf_counter()
                    await guest.ask(message)
                    found.append(perf_counter() - begun)
            await asyncio.sleep(PAUSE if reply is not None else PAUSE + TICK)

    def leave(self) -> None:
        """Leave."""
        for guest in self.guests:
            guest.close()


def p99(waits: list[float]) -> float:
    """Return the milliseconds within which 99 in a hundred were answered."""
    return sorted(waits)[int(len(waits) * 0.99)] * 1000
