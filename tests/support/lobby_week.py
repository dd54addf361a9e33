"""Ten people with habits of their own, two of them hostile, who use one server day after day by a clock that jumps."""

from __future__ import annotations

import gc
from typing import Final

from protocol.limits import Limits
from protocol.wire import from_client as say
from protocol.wire.codec import decode_message
from protocol.wire.from_server import ChatHistory, ChatLine, FromServer, LobbyChat
from protocol.wire.people import PeoplePage, PersonCard
from protocol.wire.seating import GetInvitations, Invitation, KeepSeat
from server.lobby.sessions import Session
from server.lobby.table.live_table import LiveTable
from server.lobby.table.table_record import FINISHED, OPEN, TableRecord
from tests.support.clients.programs import until
from tests.support.clients.wire import Running
from tests.support.lobby_kills.people_deeds import PASSWORD
from tests.support.lobby_kills.visitor import Visitor
from tests.support.servers.hours import hours

PLAYERS: Final = ("Ann", "Ben", "Cid", "Dora")
"""They come each evening, and play in pairs; the second of them is bothered, and has blocked the hostile ones."""
OTHERS: Final = ("Eva", "Finn", "Gus", "Hana")
"""One who only talks, one who promises and stays away, one whose link breaks at a table of his own, one who watches."""
HOSTILE: Final = ("Mallory", "Trudy")
HOUR: Final = 3600
VISITS: Final = 3
"""A day, each eight hours after the one before."""


class Week:
    """The people at one server. `heard` of the bothered one is looked through after each visit."""

    def __init__(self, run: Running) -> None:
        self._run = run
        self.people = {name: Visitor(run.port, name, adds=True) for name in (*PLAYERS, *OTHERS, *HOSTILE)}
        self.played = 0
        self.told = 0
        """Messages that the bothered one has heard."""
        self.left: list[dict[str, int]] = []
        """What is in memory and in the store at the end of each day."""

    async def begin(self) -> None:
        """Let all come for the first time; the players keep their names, and the bothered one blocks the hostile."""
        await self._come()
        for name in PLAYERS:
            await self.people[name].done(say.KeepName(password=PASSWORD))
        for name in HOSTILE:
            await self.people["Ben"].done(say.Relate(what="block", who=self.people[name].who))
        await self._go()

    async def day(self, number: int) -> None:
        """Let one day pass: a morning, an afternoon and an evening."""
        for visit in range(VISITS):
            await self._come()
            await self._others(visit)
            await self._hostile()
            if visit == VISITS - 1:
                await self._play("Ann", "Ben")
                await self._play("Cid", "Dora")
            await self._not_bothered()
            await self._go()
            await hours(self._run.clock, 24 // VISITS)
        self.left.append(await self._left(number))

    async def _come(self) -> None:
        for name, person in self.people.items():
            if person.talk.token is not None:
                self.people[name] = person.again()
            await self.people[name].come()

    async def _go(self) -> None:
        for person in self.people.values():
            await person.go()
        await until(lambda: not self._run.server.lobby.sessions())

    # What they do

    async def _play(self, one: str, other: str) -> None:
        """Have two play a match to its end, though somebody hostile takes the other's seat first."""
        owner, guest, mallory = self.people[one], self.people[other], self.people["Mallory"]
        await owner.done(say.CreateTable(system="duel", scenario="two", name=f"{one} and {other}"))
        table = owner.place
        await mallory.done(say.JoinTable(table=table))
        assert await owner.done(say.RemoveSeat(seat=1)) == []
        assert await mallory.done(say.JoinTable(table=table)) == ["table/unknown"]
        assert await guest.done(say.JoinTable(table=table)) == []
        await guest.done(say.SetReady(ready=True))
        assert await owner.done(say.StartMatch()) == []
        players = (owner, guest)
        while not all(player.state == FINISHED for player in players):
            await until(lambda: any(one.offers("rest") or one.state == FINISHED for one in players))
            for player in players:
                if player.offers("rest"):
                    await player.act("rest")
        self.played += 1

    async def _others(self, visit: int) -> None:
        """Let one talk, one promise to come to a date and stay away, one lose his link at his table, one watch."""
        eva, finn, gus, hana = (self.people[name] for name in OTHERS)
        await eva.done(say.Chat(text="Who plays?", where="lobby"))
        await gus.done(say.CreateTable(system="duel", scenario="three", name="Left alone"))
        await hana.done(say.WatchTable(table=gus.place), say.FindTables(words="left"))
        await gus.cut()
        if visit == 0:
            cid = self.people["Cid"]
            await cid.done(say.CreateTable(system="duel", scenario="three", name="At noon"))
            await cid.done(say.ChangeTable(begins=self._run.clock.wall() + 5 * HOUR))
            await finn.done(say.JoinTable(table=cid.place))

    async def _hostile(self) -> None:
        """Let them bother one person by all that they have, fill tables, and look for codes."""
        ben = self.people["Ben"].who
        for name in HOSTILE:
            person = self.people[name]
            await person.done(say.CreateTable(system="duel", scenario="three", name="Come here, Ben"))
            await person.done(KeepSeat(seat=1, who=ben), KeepSeat(seat=2, locked=True), say.Chat(text="Ben!"))
            await person.done(say.Chat(text="Ben! Ben!", where="lobby"), say.Relate(what="ask", who=ben))
            await person.done(*[say.JoinTable(code=f"AAAAAAAA{letter}A") for letter in "BCDEFGHJ"])
            await person.done(say.GetPerson(who=ben), say.Report(who=ben, reason="other"))

    # What must hold

    async def _not_bothered(self) -> None:
        """Check that nothing has reached the bothered one from those whom he has blocked, while others hear them."""
        ann, ben = self.people["Ann"], self.people["Ben"]
        for person in (ann, ben):
            await person.done(say.GetLobbyChat(), GetInvitations(), say.GetPeople(list="asking"))
        # an invitation has the name alone
        hostile = {self.people[name].who for name in HOSTILE} | {*HOSTILE}
        heard = _heard_by(ben)
        self.told += len(heard)
        assert not [message for message in heard if hostile & _speakers(message)]
        assert [message for message in _heard_by(ann) if hostile & _speakers(message)]

    async def _left(self, number: int) -> dict[str, int]:
        """Return what is left when all have gone for hours: what is kept by design grows by the day, and no more."""
        # the store is a thread of its own: the clock may be hours ahead of what it still deletes
        await until(lambda: not self._stuck())
        gc.collect()
        kinds = (Session, LiveTable)
        alive = {kind.__name__: sum(issubclass(type(one), kind) for one in gc.get_objects()) for kind in kinds}
        kept = {kind: await self._count(kind) for kind in ("table", "token", "account", "came-from", "contacts")}
        return {**alive, **kept, "day": number}

    def _stuck(self) -> list[TableRecord]:
        """Return the tables that are neither over nor wait for a date."""
        records = [live.record for live in self._run.server.lobby.tables()]
        return [one for one in records if one.state != FINISHED and (one.state != OPEN or not one.begins)]

    async def _count(self, kind: str) -> int:
        return sum(1 for _ in await self._run.server.store.page(kind, None, 1000))


def _heard_by(person: Visitor) -> list[FromServer]:
    """Return all that a person was told on the present link."""
    return [decode_message(frame, Limits()) for frame in person.frames]


def _speakers(message: FromServer) -> set[str]:
    """Return those by whom a message has come about."""
    match message:
        case ChatLine() | PersonCard(news=True):
            return {message.who}
        case LobbyChat() | ChatHistory():
            return {line.who for line in message.lines}
        case PeoplePage(list="asking"):
            return {row.who for row in message.rows}
        case Invitation():
            return {message.by}
    return set()
