"""A person at the real client, without its window: the session over a socket of the test's own loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from client.fairness.dice_round_check import LiveDiceCheck, Verdict
from client.input.prompt_driver import UNDO
from client.model.session import ClientSession
from client.net.address import Address
from client.net.connection import Down, Frame, News, Up
from client.storage.entropy_files import EntropyFiles
from client.storage.profile import UserProfile
from client.storage.shared_profile import SharedProfile
from protocol.fairness.round_parts import RoundMark, mark_of
from protocol.ids import TableId
from protocol.scene.nodes import Reply
from protocol.version import SUBPROTOCOL
from protocol.wire import from_client as say
from protocol.wire.from_server import SeatView
from server.match.entropy import WAIT_SECONDS
from tests.support.clients.wire import Running
from tests.support.runs.patience import PATIENCE


class LoopLink:
    """Link that carries frames in the loop of the test. `turn` is one turn of the window's loop. While it is deaf,
    received frames are lost and only counted (`unheard`)."""

    def __init__(self, address: Address, turn: Callable[[], None]) -> None:
        self._address = address
        self._turn = turn
        self._news: list[News] = []
        self._out: asyncio.Queue[bytes] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self.is_deaf = False
        self.unheard = 0

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    def send(self, data: bytes) -> None:
        self._out.put_nowait(data)

    def news(self) -> list[News]:
        found, self._news = self._news, []
        return found

    def close(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def ended(self) -> None:
        """Wait until all of its tasks have ended."""
        if self._task is not None:
            await asyncio.wait([self._task])

    def _tell(self, news: News) -> None:
        self._news.append(news)
        self._turn()

    async def _run(self) -> None:
        url = f"ws://{self._address.host}:{self._address.port}/"
        async with connect(url, subprotocols=[Subprotocol(SUBPROTOCOL)], max_size=2**24, compression=None) as socket:
            self._tell(Up())
            sending = asyncio.create_task(self._send(socket))
            try:
                async for frame in socket:
                    assert isinstance(frame, bytes)
                    if self.is_deaf:
                        self.unheard += 1
                        self._turn()
                    else:
                        self._tell(Frame(frame))
            except ConnectionClosed:
                pass
            finally:
                sending.cancel()
        self._tell(Down("closed", 0))

    async def _send(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            while True:
                await socket.send(await self._out.get())


class Person:
    """Player or spectator, with a profile in `folder`."""

    def __init__(self, run: Running, name: str, folder: Path, profile: UserProfile | None = None) -> None:
        self.run = run
        self.folder = folder
        self.profile = profile or UserProfile(name)
        self.file = SharedProfile(self.profile, name, folder)
        self.changed = asyncio.Event()
        address = Address("127.0.0.1", run.port, secure=False, name="here")
        self.session = ClientSession(
            address,
            self.profile,
            self._keep,
            run.clock.now,
            lambda where: LoopLink(where, self._turn),
            folder,
            hosts=folder.parent / f"hosts-{folder.name}.json",
            chains=EntropyFiles(folder / "entropy"),
            read_again=self.file.read_again,
        )
        # background work of a window runs at once in the loop of the test
        self.session.replays.beside = lambda work: work()
        self.session.start()

    def _keep(self) -> bool:
        self.file.keep()
        return True

    def _turn(self) -> None:
        self.session.pump()
        self.changed.set()

    @property
    def check(self) -> LiveDiceCheck:
        """The program's check of the dice."""
        assert self.session.table_check.check is not None
        return self.session.table_check.check

    @property
    def verdict(self) -> Verdict:
        return self.check.verdict

    @property
    def log(self) -> list[str]:
        """The lines of the table's log."""
        return [line.text for line in self.session.feed.log]

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition holds."""
        async with asyncio.timeout(PATIENCE):
            while not condition():
                self.changed.clear()
                await self.changed.wait()

    async def arrived(self) -> None:
        await self.until(lambda: self.session.conversation.lobby is not None)

    async def say(self, message: say.Message) -> None:
        self.session.say(message)

    async def at_table(self) -> None:
        await self.until(lambda: self.session.conversation.table is not None)

    async def told(self) -> None:
        """Wait until all facts so far are known here."""
        await self.until(lambda: self.session.table_check.check is not None and self.check.is_live)

    def offers(self, choice: str) -> bool:
        scene = self.session.conversation.scene
        prompt = scene.prompt if scene is not None else None
        if prompt is not None and choice == UNDO:
            return prompt.undo.can
        return prompt is not None and any(c.id == choice for c in prompt.choices)

    async def act(self, choice: str, **fields: object) -> None:
        """Act as soon as the choice is offered; return when it is acknowledged. Raises AssertionError where it is
        not."""
        await self.until(lambda: self.offers(choice))
        id = self.session.intend(Reply(choice, fields))
        await self.until(lambda: id not in self.session.conversation.pending)
        assert not self.session.notice, self.session.notice

    async def said_unheard(self, choice: str, **fields: object) -> bytes:
        """Send an act whose acknowledgement is lost as the link breaks. Return the intent's id."""
        await self.until(lambda: self.offers(choice))
        link = self.session.link
        assert isinstance(link, LoopLink)
        link.is_deaf = True
        id = self.session.intend(Reply(choice, fields))
        await self.until(lambda: link.unheard > 0)
        link.close()
        await link.ended()
        return id

    async def let_pass(self, seconds: float, condition: Callable[[], bool]) -> None:
        """Let time pass, once a waiter exists, and then wait until a condition holds; meanwhile rounds of dice open
        without absent programs."""
        await self.run.clock.until_sleeping()
        self.run.clock.advance(seconds)
        async with asyncio.timeout(PATIENCE):
            while not condition():
                if self.is_round_waiting_for_none_of(()):
                    self.run.clock.advance(WAIT_SECONDS)
                await asyncio.sleep(0)

    def is_round_waiting_for_none_of(self, people: Sequence[Person]) -> bool:
        """Tell if a round waits only for programs that will not answer: those of people who are not connected, and
        those of these people who have found their host to cheat."""
        silent = {person.check.seat for person in people if person.check.broken is not None}
        for live in self.run.server.lobby.tables():
            wanted = set(live.host._stepper.entropy._wanted) if live.host is not None else set()
            if wanted and not (wanted & set(live.participants.players.values())) - silent:
                return True
        return False

    async def come_back(self) -> None:
        """Connect again, and wait until all messages on their way have been answered."""
        self.session.reconnect()
        await self.until(lambda: self.session.conversation.is_welcome and not self.session.conversation.pending)

    async def checked(self) -> None:
        """Wait until the program has checked the finished match."""
        await self.until(lambda: self.session.replays.finished_check is not None and self._is_checked())

    def _is_checked(self) -> bool:
        after = self.session.replays.finished_check
        return after is not None and after.is_done

    async def leave(self) -> None:
        """Close the program."""
        self.session.close()
        assert isinstance(self.session.link, LoopLink)
        await self.session.link.ended()


@asynccontextmanager
async def duellists(
    run: Running, folder: Path, reaction_seconds: int = 0, seconds: int = 60
) -> AsyncIterator[tuple[Person, Person]]:
    """Return Ann and Ben at a duel for two that has started; Ann begins. Both programs add to the dice and check
    them."""
    ann, ben = Person(run, "Ann", folder / "ann" / "default"), Person(run, "Ben", folder / "ben" / "default")
    try:
        await ann.arrived()
        await ben.arrived()
        await ann.say(say.CreateTable(system="duel", scenario="two", name="Duel", private=False))
        await ann.at_table()
        table = ann.session.conversation.table
        assert table is not None
        await ann.say(say.ChangeTable(reaction_seconds=reaction_seconds, seconds=seconds, bank=0))
        await ben.say(say.JoinTable(code=table.code))
        await ben.at_table()
        await ben.say(say.SetReady(ready=True))
        await ann.until(lambda: all(s.ready or s.seat == 0 for s in _seats(ann)))
        await ann.say(say.StartMatch())
        for person in (ann, ben):
            await person.told()
        await ann.until(lambda: ann.offers("rest"))
        yield ann, ben
    finally:
        await ann.leave()
        await ben.leave()


def _seats(person: Person) -> tuple[SeatView, ...]:
    table = person.session.conversation.table
    return table.seats if table is not None else ()


@asynccontextmanager
async def visitor(run: Running, folder: Path, table: TableId) -> AsyncIterator[Person]:
    """Return a spectator who comes later, with all facts so far."""
    eve = Person(run, "Eve", folder / "eve" / "default")
    try:
        await eve.arrived()
        await eve.say(say.WatchTable(table=table))
        await eve.told()
        yield eve
    finally:
        await eve.leave()


async def rest_to_the_end(ann: Person, ben: Person) -> None:
    """Let whoever is to move rest, until the match is over; rounds of dice open without missing parts."""

    def is_next() -> bool:
        return any(person.offers("rest") or _is_over(person) for person in (ann, ben))

    while not any(_is_over(person) for person in (ann, ben)):
        async with asyncio.timeout(PATIENCE):
            while not is_next():
                if ann.is_round_waiting_for_none_of((ann, ben)):
                    ann.run.clock.advance(WAIT_SECONDS)
                await asyncio.sleep(0)
        mover = next((person for person in (ann, ben) if person.offers("rest")), None)
        if mover is not None:
            await mover.act("rest")
    for person in (ann, ben):
        await person.until(lambda person=person: _is_over(person))  # type: ignore[misc]  # a default has no type


def _is_over(person: Person) -> bool:
    table = person.session.conversation.table
    return table is not None and table.state == "finished"


def mark(person: Person, round: int) -> RoundMark:
    """Return the seats or the host that could have chosen the dice of a round, as judged by this program."""
    contributor, check = person.session.table_check.proof_client.contributor, person.check
    assert contributor is not None
    return mark_of(check.parts.rounds, round, check.seat, contributor.is_own)


async def strike(one: Person, other: Person, target: int) -> None:
    """Let one strike and the other stand."""
    await one.act("strike", target=[f"seat/{target}"])
    await other.act("no")
