"""People at human pace: `python -m bench.human_pace PORT SYSTEM SCENARIO TABLES SEATS`.

Each is a program of level 1 on a connection of its own, who takes a few seconds for each decision and asks the rules
what a person's window asks. Prints a line, then answers each line read with the acts that they have sent, and how
many of them are in a match that goes on.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
from typing import Any, Final

import uvloop

from engine.core.bots.bot import Bot
from protocol.ids import TableId
from protocol.wire import from_client as say
from protocol.wire.from_server import FromServer, TableView
from server.cli.wire_bot import WirePlayer, WireView
from server.content.systems import find_systems
from server.runtime.clock import RealClock

KIND: Final = "level1"
SECONDS: Final = (4.0, 16.0)
"""A decision takes between so many seconds, each as likely as another."""
AT_ONCE: Final = 10
PATIENCE: Final = 300.0


class Person(WirePlayer):
    """A player at one table, who waits before each decision as long as a person thinks. The first one opens the table
    and starts the match. `table`: its id, once it is known."""

    def __init__(self, place: Place, number: int, table: asyncio.Future[TableId], *, is_owner: bool) -> None:
        super().__init__(place.url, "", KIND, f"Person {number}", number, place.systems, RealClock())
        self._place = place
        self._open_table = table
        self._is_owner = is_owner
        self._has_started = False
        self.is_live = asyncio.get_running_loop().create_future()

    def ask_for_seat(self) -> None:
        """Open the table, or join it."""
        if self._is_owner:
            named = say.CreateTable(system=self._place.system, scenario=self._place.scenario, name=self.talk.name)
            self.talk.say(named)
        else:
            self.talk.say(say.JoinTable(table=self._open_table.result()))

    def look_at(self, message: FromServer) -> None:
        """Act on a message; the owner starts the match when all are ready."""
        super().look_at(message)
        if not isinstance(message, TableView):
            return
        if self._is_owner and not self._open_table.done():
            self._open_table.set_result(message.id)
        if message.state == "live" and not self.is_live.done():
            self.is_live.set_result(None)
        ready = sum(seat.ready for seat in message.seats)
        if self._is_owner and not self._has_started and ready == self._place.seats:
            self._has_started = True
            self.talk.say(say.StartMatch())

    async def _think(self, bot: Bot, view: WireView) -> None:
        await asyncio.sleep(self._place.dice.uniform(*SECONDS))
        await super()._think(bot, view)


class Place:
    """A server, and the game that is played there."""

    def __init__(self, url: str, system: str, scenario: str, seats: int) -> None:
        self.url = url
        self.seats = seats
        self.system = system
        self.scenario = scenario
        self.systems = find_systems([system])
        self.dice = random.Random(system)


async def play(port: int, system: str, scenario: str, tables: int, seats: int) -> None:
    """Say that it listens, seat all tables, and play until standard input ends."""
    loop = asyncio.get_running_loop()
    place = Place(f"ws://127.0.0.1:{port}", system, scenario, seats)
    people: list[Person] = []
    playing: list[asyncio.Task[Any]] = []
    gate = asyncio.Semaphore(AT_ONCE)

    async def seated(number: int) -> None:
        async with gate:
            table: asyncio.Future[TableId] = loop.create_future()
            ours = [Person(place, seats * number + seat, table, is_owner=seat == 0) for seat in range(seats)]
            playing.append(asyncio.create_task(ours[0].play()))
            await asyncio.wait_for(table, PATIENCE)
            playing.extend(asyncio.create_task(one.play()) for one in ours[1:])
            await asyncio.wait_for(asyncio.gather(*[one.is_live for one in ours]), PATIENCE)
            people.extend(ours)

    print(json.dumps({"port": port}), flush=True)
    ended = asyncio.Event()

    def hear() -> None:
        # a line arrives whole, and the next one only after the answer
        if os.read(sys.stdin.fileno(), 4096):
            live = sum(not one.is_finished for one in people)
            print(json.dumps({"acts": sum(one.intents for one in people), "live": live}), flush=True)
        else:
            ended.set()

    loop.add_reader(sys.stdin.fileno(), hear)
    await asyncio.gather(*[seated(number) for number in range(tables)])
    await ended.wait()
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)


if __name__ == "__main__":
    port, system, scenario, tables, seats = sys.argv[1:]
    uvloop.run(play(int(port), system, scenario, int(tables), int(seats)))
