"""One script: people at a lobby whose server is killed at random moments, and what is there after each kill."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import Final

from protocol.ids import TableId
from server.lobby.table.table_record import FINISHED, OPEN
from tests.support.clients.programs import until
from tests.support.faults.kills.crash_server import MODERATOR
from tests.support.faults.kills.crashing import CrashServer
from tests.support.lobby_kills.choices import Cast, Deed, choices
from tests.support.lobby_kills.notes import Notes
from tests.support.lobby_kills.people_deeds import keep_name
from tests.support.lobby_kills.standing import KeptLobby, standing_of
from tests.support.lobby_kills.table_deeds import look
from tests.support.lobby_kills.visitor import LinkLost, Visitor

NAMES: Final = ("Ann", "Ben", "Cid", "Dora", "Eva")
GUESTS: Final = 1
"""Of them, who keep no name."""
AT_ONCE: Final = 4
"""Deeds that are done at a time."""
DEEDS: Final = 60
"""That are acknowledged between two kills, at most."""
PATIENT: Final = 1 / 2
"""Share of the kills that wait for those who look for players: it takes seconds, all else takes less."""
BEHIND: Final = 2.0
"""Seconds after which words that were told at a table are stored, at most."""


class Script:
    """The people at one server, which is killed again and again."""

    def __init__(self, server: CrashServer, seed: int) -> None:
        self.notes = Notes(seed)
        self.happened: Counter[str] = Counter()
        self._chance = self.notes.chance
        self._server = server
        self._cast = Cast([], self._visitor(MODERATOR), [])
        self._busy: set[Visitor] = set()
        self._held: set[TableId] = set()
        self._freed = asyncio.Event()
        self._is_up = False
        self._came_from: dict[str, str] = {}
        self._killed = 0.0
        self._over: set[TableId] = set()
        """Tables whose match was over when the server was last started."""

    async def run(self, kills: int) -> Counter[str]:
        """Let people come and do what they do, kill the server as often as that, and return counts of what happened.

        Raises AssertionError where something that was acknowledged is not there after a kill.
        """
        assert await self._server.serve()
        players = [self._visitor(name) for name in NAMES]
        self._cast = Cast(players, self._visitor(MODERATOR), [])
        for person in (*players, self._cast.moderator):
            await person.come()
        for person in (*players[GUESTS:], self._cast.moderator):
            await keep_name(self.notes, person)
        for _ in range(kills):
            await self._rowdies_come()
            await self._until_killed(self._chance.randrange(1, DEEDS))
            await self._settle()
            assert await self._server.serve()
            await self._come_back()
        await self._kill()
        await self._settle()
        for person in (*self._cast.players, self._cast.moderator, *self._cast.rowdies):
            await person.go()
        self.happened.update(kills=kills, acknowledged=self.notes.ledger.acknowledged)
        return self.happened

    def _visitor(self, name: str, address: str = "127.0.0.1") -> Visitor:
        return Visitor(self._server.port, name, adds=True, address=address)

    async def _rowdies_come(self) -> None:
        """Let somebody come who does harm, from an address where nobody has been."""
        number = len(self._came_from) + 1
        rowdy = self._visitor(f"Rowdy {number}", f"127.0.1.{number}")
        await rowdy.come()
        self._came_from[rowdy.who] = f"127.0.1.{number}"
        self._cast = self._cast._replace(rowdies=[*self._cast.rowdies, rowdy])

    async def _until_killed(self, deeds: int) -> None:
        """Let people do things until so many more have been acknowledged, then kill the server in the midst of it."""
        goal, found = self.notes.ledger.acknowledged + deeds, self.happened["find_a_match"]
        waits = self._chance.random() < PATIENT
        self._is_up = True
        workers = [asyncio.create_task(self._work()) for _ in range(AT_ONCE)]
        try:
            await until(lambda: self.notes.ledger.acknowledged >= goal, tasks=workers, pause=0)
            if waits and self.notes.seeks:
                # until those who look for players have begun
                await until(lambda: self.happened["find_a_match"] > found, tasks=workers, pause=0)
            await asyncio.sleep(self._chance.random() / 100)
        except TimeoutError:
            await self._server.tell_stacks()
            raise
        finally:
            await self._kill()
            # who has nothing to do, as all are busy, would wait for ever
            self._is_up = False
            self._freed.set()
            ended = await asyncio.gather(*workers, return_exceptions=True)
        for problem in ended:
            if isinstance(problem, BaseException) and not isinstance(problem, LinkLost):
                raise problem

    async def _kill(self) -> None:
        self._killed = time.monotonic()
        await self._server.kill()

    async def _work(self) -> None:
        """Do one thing after another until the server is killed. Raises LinkLost where that is in the midst of one."""
        while self._is_up:
            deeds = choices(self.notes, self._cast, self._busy, self._held)
            if deeds:
                await self._do(self._chance.choice(deeds))
            else:
                self._freed.clear()
                await self._freed.wait()

    async def _do(self, deed: Deed) -> None:
        self._busy.update(deed.people)
        self._held.add(deed.table)
        await deed.do()
        self.happened[deed.name] += 1
        self._busy.difference_update(deed.people)
        self._held.discard(deed.table)
        self._cast = self._cast._replace(rowdies=[one for one in self._cast.rowdies if one.closed is None])
        self._freed.set()

    async def _settle(self) -> None:
        """Compare what the store holds with what people were told."""
        kept = await KeptLobby.read(self._server.data, self._server.store)
        notes = self.notes
        self._forget_talk(kept)
        self.happened["done unheard"] += notes.ledger.settle(kept.of)
        known = [TableId(key[1]) for key in notes.ledger.known if key[0] == "table"]
        opened = Counter(table.owner for id, table in kept.tables.items() if id not in known and table.people)
        assert opened <= Counter(notes.creating), f"tables that nobody has opened: {opened - Counter(notes.creating)}"
        notes.creating.clear()
        notes.seeks = False
        self._settle_lines(kept)
        for id in {*known, *kept.tables}:
            self._take(id, kept)
        notes.relate(*kept.contacts.items())
        for person in self._cast.players:
            # a guest is called as their program says when it comes back
            person.talk.name = kept.accounts[person.who].name
        faults = list(kept.faults())
        assert not faults, faults
        self.happened["results"] = len(kept.results)
        self.happened["rated"] = sum(not result.unrated for result in kept.results)
        self._busy.clear()
        self._held.clear()

    def _forget_talk(self, kept: KeptLobby) -> None:
        """Let go what was said at tables that are not there any more, and what only two know where a match is over;
        where it was over before the server was last started nothing of that is left."""
        for key in list(self.notes.ledger.known):
            if key[0] in ("chat", "words"):
                id = TableId(key[1])
                if not kept.stays(id) or (key[0] == "words" and kept.tables[id].state == FINISHED):
                    self.notes.ledger.forget(key)
        left = self._over & {words.table for words in kept.words}
        assert not left, f"words between two are left of matches that are over: {left}"
        self._over = {id for id, table in kept.tables.items() if table.state == FINISHED}

    def _settle_lines(self, kept: KeptLobby) -> None:
        """Look for the words that were told at tables: they are told first and stored behind that, so that nobody waits
        for the store; what was found once stays."""
        for table, words, told in self.notes.said_at_tables:
            key = ("chat", table, words)
            is_kept = bool(kept.of(key))
            assert is_kept or not kept.stays(table) or self._killed - told < BEHIND, f"{words} was told, and is lost"
            self.happened["table lines"] += 1
            self.happened["table lines lost"] += not is_kept
            if is_kept:
                self.notes.ledger.known[key] = 1
        self.notes.said_at_tables.clear()

    def _take(self, id: TableId, kept: KeptLobby) -> None:
        """Know a table as it is kept, or no more where it is not, or is about to go, since nobody is there."""
        if kept.stays(id):
            self.notes.ledger.known["table", id] = standing_of(kept.tables[id])
            self.notes.names[id] = kept.tables[id].name
        else:
            self.notes.ledger.forget(("table", id))

    async def _come_back(self) -> None:
        """Let all come back, and see their tables as they were."""
        people = [*self._cast.players, self._cast.moderator, *self._cast.rowdies]
        for person in people:
            await person.go()
        players, moderator, rowdies = self._cast
        banned = self._who_are("sanction", is_so=True)
        out = banned | self._who_are("account", is_so=False)
        self._cast = Cast(
            [one.again() for one in players], moderator.again(), [one.again() for one in rowdies if one.who not in out]
        )
        for person in (*self._cast.players, self._cast.moderator, *self._cast.rowdies):
            await person.come()
        assert [one.who for one in self._cast.players] == [one.who for one in players]
        for table in self.notes.tables():
            for person in self._cast.players:
                if table.seat_of(person.who) >= 0:
                    await look(self.notes, person, table.id)
                    self._check_name(person)
        for who in sorted(banned):
            await self._stays_out(self._came_from[who])

    def _who_are(self, kind: str, *, is_so: bool) -> set[str]:
        """Return those who are banned, or whose account is there or is not."""
        known = self.notes.ledger.known
        return {key[1] for key, value in known.items() if key[0] == kind and key[-1] != "mute" and value == is_so}

    async def _stays_out(self, address: str) -> None:
        """Check that somebody new is not let in from a banned address."""
        other = self._visitor("Somebody else", address)
        await other.connect()
        assert other.talk.ended is not None
        assert other.talk.ended.code == "session/banned"
        await other.go()

    def _check_name(self, person: Visitor) -> None:
        """Check that one who sits at a table that has not begun bears their name there."""
        seat = person.view.seats[person.standing.seat_of(person.who)]
        assert person.state != OPEN or seat.name.startswith(person.talk.name), f"{person.talk.name} is {seat.name}"
