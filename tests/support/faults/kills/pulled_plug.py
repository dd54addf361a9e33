"""One player of six loses their window: two real windows and four wire bots, of whom one window dies and comes back.

`python -m tests.support.faults.kills.pulled_plug [--whole]` does it by hand; the pictures are then in out/plug.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import time
from pathlib import Path
from typing import NamedTuple

from engine.core.match.causes import Expiry, TableEvent
from engine.core.match.log import LogCodec
from protocol.scene.nodes import Result
from server.content.systems import find_systems
from tests.support.clients.company import Company, Guest, Spectator
from tests.support.clients.quick_server import QuickServer
from tests.support.play.sightings import PUBLIC, Sightings, compare, shown_by_server, stored_match
from tests.support.runs.patience import PATIENCE

SCENARIO = "low_water"
OUT = Path("out/plug")
BOTS = ("Cleo", "Dov", "Edda", "Finn")


class Course(NamedTuple):
    """Contents of the durable log: facts of the table about a seat, in order, and the number of its expiries; and the
    results that the guests saw."""

    notes: list[tuple[str, str]]
    expired: int
    results: list[Result | None]


class Plug:
    """Six players at their table, and a spectator who sees the fate of the second."""

    def __init__(self, company: Company, seconds: float) -> None:
        self.company = company
        self.seconds = seconds
        self.code = ""
        self.watcher = Spectator(company.server.url, "")
        self.seat = 1

    async def sit_down(self) -> None:
        """Seat all; the match has begun for all when this returns."""
        company = self.company
        ada = await company.window("Ada", "--scenario", SCENARIO, "--people", "6", seconds=self.seconds)
        self.code = await ada.code()
        await company.window("Ben", "--code", self.code, seconds=self.seconds)
        self.watcher = Spectator(company.server.url, self.code)
        company.guest(self.watcher)
        await company.wait(lambda: self.watcher.names[:2] == ["Ada", "Ben"], PATIENCE)
        for seed, name in enumerate(BOTS):
            company.guest(Guest(company.server.url, self.code, name, "level1", seed))
        await company.wait(lambda: all(guest.is_live for guest in company.guests), PATIENCE)

    @property
    def bot(self) -> str:
        """Return the bot that plays the seat, if there is one."""
        table = self.watcher.talk.table
        return table.seats[self.seat].bot if table is not None else ""

    async def pull(self) -> None:
        """Kill the second player's window once they have played."""
        await self.company.wait(lambda: self.watcher.cards_of(self.seat), self.seconds)
        ben = self.company.windows.pop()
        await ben.kill()

    async def stand_in(self) -> None:
        """Let the others vote, and a bot play on."""
        await self.company.wait(lambda: self.bot, self.seconds)
        await self._play_on()

    async def come_back(self) -> None:
        """Open the window anew, on the same computer: it has its seat at once, and plays.

        The others wait with their cards until the window is open: it takes as long as the machine is slow.
        """
        friends = [guest for guest in self.company.guests if guest is not self.watcher]
        for friend in friends:
            friend.plays.clear()
        ben = await self.company.window("Ben", "--code", self.code, seconds=self.seconds)
        await self.company.wait(lambda: not self.bot and self._is_connected(), self.seconds)
        for friend in friends:
            friend.plays.set()
        await self._play_on()
        # the others may see the card before a slow window has drawn its effects
        await self.company.wait(lambda: _has_followed(ben.seen), self.seconds)

    async def _play_on(self) -> None:
        """Play one more card of the seat."""
        played = self.watcher.cards_of(self.seat)
        await self.company.wait(lambda: self.watcher.cards_of(self.seat) > played, self.seconds)

    def _is_connected(self) -> bool:
        table = self.watcher.talk.table
        return table is not None and table.seats[self.seat].connected

    async def finish(self) -> None:
        """Let all play to the result and save the replay."""
        statuses = await asyncio.gather(*(window.wait(self.seconds) for window in self.company.windows))
        assert statuses == [0, 0], statuses
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*self.company.tasks)

    async def check(self) -> Course:
        """End all, and check that every client has seen what the durable log says, the returned one too. Raises
        AssertionError."""
        company = self.company
        await company.dismiss()
        assert await company.server.end() == 0
        match = await stored_match(company.server.data)
        viewers = [(guest.talk.name, guest.seat, guest.seen) for guest in company.guests]
        viewers += [(window.name, number, window.seen) for number, window in enumerate(company.windows)]
        (stream,) = {stream for _, _, seen in viewers for stream in seen.streams}
        server = shown_by_server(match, stream)
        assert all(compare(name, seat, seen, server, stream)[0] > 1 for name, seat, seen in viewers)
        codec = LogCodec(find_systems([match.table.system])[match.table.system])
        causes = [codec.decode(step).cause for step in match.steps]
        notes = [(c.kind, c.detail) for c in causes if isinstance(c, TableEvent) and c.kind in ("bot", "person")]
        expired = sum(isinstance(c, Expiry) and c.question < 0 and c.seat == self.seat for c in causes)
        return Course(notes, expired, [guest.result for guest in company.guests])


def _has_followed(seen: Sightings) -> bool:
    """Tell if something was seen to change."""
    return any(len(seen.of(stream, PUBLIC)) > 1 for stream in seen.streams)


async def play(folder: Path, seconds: float, *, whole: bool) -> Course:
    """Play the whole scenario; with `whole` to the end of the match. Raises AssertionError."""
    async with Company(folder, server=QuickServer) as company:
        plug = Plug(company, seconds)
        await plug.sit_down()
        await plug.pull()
        await plug.stand_in()
        await plug.come_back()
        if whole:
            await plug.finish()
        return await plug.check()


async def by_hand(*, whole: bool) -> None:
    shutil.rmtree(OUT, ignore_errors=True)
    began = time.monotonic()
    course = await play(OUT.absolute(), 900, whole=whole)
    print(f"{time.monotonic() - began:.0f} s: {course}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whole", action="store_true", help="play to the end")
    asyncio.run(by_hand(whole=parser.parse_args().whole))
