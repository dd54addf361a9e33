"""One of two twins: a table of a whole server with all its viewers, moved by acts that the other can repeat."""

from __future__ import annotations

import asyncio
import dataclasses
import io
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from engine.core.match.match import Match
from engine.core.rules.dice import DiceSource
from engine.core.rules.sides import allies_of
from protocol.ids import TableId
from protocol.limits import Bucket, Limits
from protocol.wire import from_client as say
from server.app import Server
from server.content.systems import Installed
from server.lobby.table.live_table import LiveTable
from server.match.host import MatchHost
from server.runtime.logs import make_log
from tests.support.doubles.clock import JumpingClock
from tests.support.doubles.memory_store import MemoryStore
from tests.support.runs.patience import PATIENCE
from tests.support.servers.limits import FREE
from tests.support.twins.loop import quiet
from tests.support.twins.stubs import constants
from tests.support.twins.viewer import Frame, Viewer

SECONDS: Final = 30
REACTION: Final = 5
BANK: Final = 20
MOST_TURNS: Final = 200
"""Of words to and fro that follow one act."""
LIMITS: Final = dataclasses.replace(
    Limits(**FREE), intents=Bucket(1000, 1000), details=Bucket(1000, 1000), frames=Bucket(1000, 1000)
)
PEOPLE: Final = ("Ann", "Ben", "Cleo", "Dan", "Eli", "Fay")
"""Those who play, by seat."""
SPECTATOR: Final = "Sue"
GUEST: Final = "Gil"
"""Looks into seat 0."""
LATE: Final = "Lea"
"""Sees everything, late."""
PASSER: Final = "Pat"
"""Has only the lobby before them."""


class Say(NamedTuple):
    """Act: send a message; `live`: at the prompt shown at that time."""

    who: str
    message: say.Message
    live: bool = True


class Garble(NamedTuple):
    """Act: send an unreadable frame."""

    who: str
    data: bytes


class ComeBack(NamedTuple):
    """Act: lose the connection and make another."""

    who: str


class Wait(NamedTuple):
    """Act: let time pass."""

    seconds: float


class Restart(NamedTuple):
    """Act: stop the server, and start another over the same store, to which all come back."""


Act = Say | Garble | ComeBack | Wait | Restart


class Stage:
    """Stage of a match. `marks`: how many frames each viewer had been sent after each act; `questions`: the open
    question then, and the number of its answers."""

    def __init__(self, make_server: Callable[[], Server], clock: JumpingClock, log: io.StringIO) -> None:
        self._make_server = make_server
        self.server = make_server()
        self.log = log
        self.viewers: dict[str, Viewer] = {}
        self.marks: list[dict[str, int]] = []
        self.questions: list[tuple[int, int]] = []
        self.seats = 0
        self.speak_up: Callable[[Stage], Say | None] = lambda _: None
        """Tells what somebody says by themselves as soon as they may; it is asked until it gives nothing."""
        self.clock = clock

    async def open(self) -> None:
        """Let the server begin."""
        await self.server.lobby.open()
        self.server.lobby.begin()

    @property
    def live(self) -> LiveTable:
        """The table."""
        [live] = self.server.lobby.tables()
        return live

    @property
    def host(self) -> MatchHost:
        """The host of its match."""
        host = self.live.host
        assert host is not None
        return host

    @property
    def match(self) -> Match[Any]:
        """The match."""
        return self.host.match

    @property
    def players(self) -> list[Viewer]:
        """Players by seat."""
        return [self.viewers[name] for name in PEOPLE[: self.seats]]

    def frames(self, name: str, acts: int | None = None) -> list[Frame]:
        """Return the frames of this viewer, in all or by the end of a number of acts."""
        frames = self.viewers[name].frames
        return frames if acts is None else frames[: self.marks[acts - 1][name] if acts else 0]

    # Acts

    async def do(self, act: Act) -> None:
        """Do this, and all that follows of it at this time."""
        match act:
            case Say(who, message, live):
                self.viewers[who].say(message, live=live)
                await self.settle()
                # slices follow by the loop's own time, which no clock here moves
                async with asyncio.timeout(PATIENCE):
                    await self.viewers[who].answered.wait()
            case Garble(who, data):
                await self.viewers[who].hear(data)
            case ComeBack(who):
                await self.viewers[who].come_back()
            case Wait(seconds):
                await self._pass(seconds)
            case Restart():
                await self._restart()
        await self.settle()
        self.marks.append({name: len(viewer.frames) for name, viewer in self.viewers.items()})
        match = self.match
        self.questions.append((-1 if match.question is None else match.question.id, len(match.sealed)))

    async def settle(self) -> None:
        """Let all effects follow that take no time."""
        for _ in range(MOST_TURNS):
            await quiet()
            if any([await viewer.flush() for viewer in self.viewers.values()]):
                continue
            said = self.speak_up(self)
            if said is None:
                return
            self.viewers[said.who].say(said.message, live=said.live)
        raise AssertionError("words to and fro without end")

    async def _pass(self, seconds: float) -> None:
        """Let time pass from one waking to the next, so that every frame is sent at its exact time."""
        end = self.clock.now() + seconds
        while (left := end - self.clock.now()) > 0:
            self.clock.advance(min(left, self.clock.soonest()))
            await self.settle()

    async def _restart(self) -> None:
        for viewer in self.viewers.values():
            await viewer.leave()
        await self.server.close()
        self.server = self._make_server()
        await self.open()
        for viewer in self.viewers.values():
            viewer.go_to(self.server)
        await self.settle()
        # these are not stored
        await self._give_roles(self.live.record.id)

    # Before the match

    async def tell(self, who: str, message: say.Message) -> None:
        """Send a message before the match has begun."""
        self.viewers[who].say(message, live=False)
        await self.settle()

    async def enter(self, name: str, entropy: bytes = b"") -> None:
        """Connect a viewer."""
        self.viewers[name] = Viewer(self.server, name, entropy)
        await self.settle()

    async def set_up(self, system: str, scenario: str) -> None:
        """Connect all, and begin the match."""
        installed = self.server.systems[system]
        info = installed.scenarios[scenario]
        self.seats = info.seats
        for seat, name in enumerate(PEOPLE[: self.seats]):
            await self.enter(name, bytes([seat + 1]) * 32)
        for name in (SPECTATOR, GUEST, LATE, PASSER):
            await self.enter(name)
        await self.tell(PASSER, say.FindTables())
        owner, *others = PEOPLE[: self.seats]
        await self.tell(owner, say.CreateTable(system=system, scenario=scenario, name="Twin"))
        pace = say.ChangeTable(seconds=SECONDS, reaction_seconds=REACTION, bank=BANK)
        await self.tell(owner, replace(pace, all_views=True, watchers_heard=True))
        table = self.live.record.id
        for name in others:
            await self.tell(name, say.JoinTable(table=table))
        if info.points:
            for name in PEOPLE[: self.seats]:
                await self.tell(name, say.BringList())
        for name in PEOPLE[: self.seats]:
            await self.tell(name, say.SetReady(ready=True, delayed_view=True))
        for name in (SPECTATOR, GUEST, LATE):
            await self.tell(name, say.WatchTable(table=table))
        await self.tell(owner, say.StartMatch())
        assert self.live.host is not None, self.log.getvalue()
        await self._give_roles(table)

    async def _give_roles(self, table: TableId) -> None:
        await self.tell(LATE, say.LookAs(sees="all"))
        await self.tell(GUEST, say.LookAs(sees="seat", seat=0))
        for ally in allies_of(self.match.record.sides, 0):
            await self.tell(PEOPLE[ally], say.Consent(who=self.viewers[GUEST].session.who, allow=True))
        for name in (*PEOPLE[: self.seats], SPECTATOR, GUEST):
            await self.tell(name, say.GetProof(table=table))

    async def close(self) -> None:
        """Disconnect all, and end the server. Raises AssertionError where it has met a bug."""
        for viewer in self.viewers.values():
            await viewer.leave()
        await self.server.close()
        faults = [line for line in self.log.getvalue().splitlines() if json.loads(line)["level"] == "error"]
        assert not faults, faults


def unchanged(dice: DiceSource) -> DiceSource:
    """Return the dice unchanged."""
    return dice


@asynccontextmanager
async def staged(
    systems: dict[str, Installed], system: str, scenario: str, dice: Callable[[DiceSource], DiceSource] = unchanged
) -> AsyncIterator[Stage]:
    """Yield a table at which the match has begun, with `dice` applied to its own dice. Runs in a QuietLoop."""
    with TemporaryDirectory() as folder, constants(dice):
        clock, log = JumpingClock(), io.StringIO()
        store = MemoryStore()
        stage = Stage(
            lambda: Server(systems, store, Path(folder), clock, make_log(log, clock.wall), LIMITS), clock, log
        )
        try:
            await stage.open()
            await stage.set_up(system, scenario)
            yield stage
        finally:
            await stage.close()
            await store.close()


async def replay(stage: Stage, acts: Sequence[Act]) -> None:
    """Repeat the acts of another table."""
    for act in acts:
        await stage.do(act)
