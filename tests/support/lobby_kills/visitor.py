"""A person whose server may die at any moment, and who waits until each thing that they ask for is done."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from protocol.ids import NO_TABLE, TableId
from protocol.scene.nodes import Reply
from protocol.wire import from_client as say
from protocol.wire.from_server import Ack, Pong, Problem, Reject, TableView
from protocol.wire.seating import GetInvitations
from server.match.news import PARKED
from tests.support.clients.wire import Client
from tests.support.lobby_kills.standing import Standing, standing_of

DICE: Final = ("entropy/", "proof/")
"""Beginnings of the codes of refusals about dice."""


class LinkLost(Exception):
    """The server has gone, or has closed this connection."""


class Visitor(Client):
    """A client whose requests raise LinkLost where the link ends before they are answered."""

    @property
    def who(self) -> str:
        """Id of the person."""
        return self.talk.you

    @property
    def view(self) -> TableView:
        """The table that they are at."""
        assert self.talk.table is not None
        return self.talk.table

    @property
    def place(self) -> TableId:
        """Id of the table that they are at."""
        return self.talk.table.id if self.talk.table is not None else NO_TABLE

    @property
    def standing(self) -> Standing:
        """The table that they are at, as they see it."""
        return standing_of(self.view)

    def again(self) -> Visitor:
        """Return the same person, whose program has been started again."""
        return Visitor(
            self.port, self.talk.name, self.talk.token, adds=True, address=self._place[0], chains=self.chains
        )

    async def come(self) -> None:
        """Connect, and be told of friends, seats, and words in the lobby. Raises LinkLost."""
        try:
            await self.connect()
        except (ConnectionClosed, InvalidHandshake, OSError) as problem:
            raise LinkLost from problem
        await self.done(GetInvitations(), say.GetLobbyChat(), say.GetPeople(list="friends"))

    async def done(self, *messages: say.Message) -> list[str]:
        """Say this, and return the codes of what is refused once all of it is done. What is heard meanwhile stays in
        `heard`. Raises LinkLost."""
        self.heard.clear()
        self._pings += 1
        number = self._pings
        for message in (*messages, say.Ping(n=number)):
            self.talk.say(message)
        try:
            await self.flush()
        except ConnectionClosed as problem:
            raise LinkLost from problem
        await self.wait(lambda: any(isinstance(one, Pong) and one.n == number for one in self.heard))
        # what the program asks by itself about dice, or says too late, is nothing that was asked for here
        codes = [one.code for one in self.heard if isinstance(one, Problem) and not one.code.startswith(DICE)]
        assert PARKED not in codes, f"a match at {self.place} was parked"
        return codes

    async def wait(self, condition: Callable[[], bool]) -> None:
        """Wait until this holds. Raises LinkLost."""
        await self.until(lambda: condition() or self.closed is not None)
        if not condition():
            raise LinkLost

    async def go_to(self, table: TableId) -> list[str]:
        """Look at a table anew; return what is refused. Raises LinkLost."""
        return await self.done(say.OpenTable(table=table))

    async def act(self, choice: str) -> None:
        """Choose this, which is offered, and wait until it is acknowledged. Raises LinkLost."""
        id = self.talk.intend(Reply(choice, {}), secrets.token_bytes(16))
        try:
            await self.flush()
        except ConnectionClosed as problem:
            raise LinkLost from problem
        await self.wait(lambda: any(isinstance(one, Ack | Reject) and one.id == id for one in self.heard))
        assert any(isinstance(one, Ack) and one.id == id for one in self.heard)

    async def go(self) -> None:
        """Drop the link."""
        with suppress(ConnectionClosed):
            await self.close()
