"""A server killed while a card is drawn: the next card must be the one that would have come without the kill."""

from __future__ import annotations

import secrets
import signal
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from engine.core.match.folded_match import Step
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.events import CardDrawn
from engine.core.view.prompts import cause_of
from protocol.ids import MatchId
from protocol.scene.nodes import Reply
from protocol.wire import from_client as say
from protocol.wire.from_server import Ack, Reject
from server.lobby.table.table_record import TableRecord
from server.runtime.crash_points import CrashPoint
from server.runtime.sealing import SealingKey
from server.store.sqlite.reader import SqliteReader
from tests.support.clients.wire import Client
from tests.support.doubles.stored import records_of
from tests.support.faults.kills.crashing import CrashServer, check_file
from tests.support.systems.duel import Duel

POINTS: Final[tuple[CrashPoint, ...]] = (
    "received",
    "proposed",
    "begun",
    "inserted",
    "executed",
    "committed",
    "appended",
    "settled",
    "told",
)
"""All that a draw passes on its way into the log."""
DRAWS: Final = 19
"""Of two cards each: what is left of the duel's deck when both hidden cards are dealt."""
MOST_ASKED: Final = 5
"""Times that one draw is asked for."""
DRAW: Final = Reply("draw")


class Twin:
    """The same match beside the server, from its log and its secret alone."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._match: Match[Any] | None = None

    async def follow(self) -> list[Step[Any]]:
        """Take in the new steps of the log and return them."""
        reader = SqliteReader(self._data / "eschaton.db")
        try:
            if self._match is None:
                [(table, record)] = (await records_of(reader, "table")).items()
                id = MatchId(table)
                sealed = msgspec.msgpack.decode(record, type=TableRecord).sealed
                secret = SealingKey.at(self._data / "host.key").open(sealed, id)
                self._match = Match(Duel(), id, MatchDice(secret, id))
            steps = await reader.read(self._match.id, self._match.version)
        finally:
            await reader.close()
        return [self._match.replay(stored.step) for stored in steps]

    def would_draw(self) -> list[tuple[int, str]]:
        """Return the places and cards that come if the next act is a draw."""
        assert self._match is not None
        step = self._match.propose(cause_of(self._match, Seat(0), bytes(16), DRAW))
        self._match.withdraw(step)
        return drawn([step])


def drawn(steps: Iterable[Step[Any]]) -> list[tuple[int, str]]:
    """Return place in the deck and name of every card drawn openly in these steps."""
    entries = [entry for step in steps for entry in step.stored.entries if isinstance(entry, CardDrawn)]
    return [(entry.index, entry.card) for entry in entries]


class Drawer:
    """Client of Ann, against a bot that never gets its turn."""

    def __init__(self, server: CrashServer) -> None:
        self.server = server
        self.kills = self.refused = 0
        self._ann: Client | None = None
        self._twin = Twin(server.data)

    async def begin(self) -> None:
        """Begin Ann's first turn."""
        assert await self.server.serve()
        ann = self._ann = Client(self.server.port)
        await ann.connect()
        await ann.create()
        await ann.say(say.AddBot(kind="random"))
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.seats[1].bot == "random")
        await ann.say(say.StartMatch())
        await ann.my_turn("draw")
        await self.server.kill()
        await ann.until(lambda: ann.closed is not None)

    async def draw(self, point: CrashPoint) -> None:
        """Draw once, with the server killed at this point; the cards must be those of the twin."""
        ann = self._ann
        assert ann is not None
        await self._twin.follow()
        wanted = self._twin.would_draw()
        assert await self.server.serve(point, armed=True)
        await ann.connect()
        await ann.my_turn("draw")
        self.server.armed.touch()
        for _ in range(MOST_ASKED):
            id = await self._ask(ann)
            if await self._is_killed(ann, id):
                break
            # the picture was still that of the server before
            await ann.my_turn("draw")
        else:
            raise AssertionError(f"a draw never passes the point {point}")
        assert await self.server.ended() == signal.SIGKILL
        self.kills += 1
        self.server.armed.unlink()
        check_file(self.server.data / "eschaton.db")
        assert await self.server.serve()
        await ann.connect()
        await self._until_done(ann, id)
        assert drawn(await self._twin.follow()) == wanted, f"another card after a kill at {point}"
        await self.server.kill()
        await ann.until(lambda: ann.closed is not None)

    async def _ask(self, ann: Client) -> bytes:
        ann.heard.clear()
        id = ann.talk.intend(DRAW, secrets.token_bytes(16))
        with suppress(ConnectionClosed):
            await ann.flush()
        return id

    async def _is_killed(self, ann: Client, id: bytes) -> bool:
        await ann.until(lambda: ann.closed is not None or id not in ann.talk.pending)
        return ann.closed is not None

    async def _until_done(self, ann: Client, id: bytes) -> None:
        for _ in range(MOST_ASKED):
            await ann.until(lambda id=id: id not in ann.talk.pending)  # type: ignore[misc]  # a default has no type
            answers = [m for m in ann.heard if isinstance(m, Ack | Reject) and m.id == id]
            ann.heard.clear()
            assert len(answers) == 1
            if isinstance(answers[0], Ack):
                return
            # it was not durable when the server died, and the prompt that it fitted is gone
            assert answers[0].code == "stale"
            self.refused += 1
            await ann.my_turn("draw")
            id = await self._ask(ann)
        raise AssertionError("a draw is stale again and again")

    async def close(self) -> None:
        """Drop the link."""
        if self._ann is not None:
            with suppress(ConnectionClosed, OSError, InvalidHandshake):
                await self._ann.close()


async def kill_draws(folder: Path, points: Iterable[CrashPoint]) -> dict[str, float]:
    """Draw once for each of these points (DRAWS at most), and return counts of what happened."""
    data = folder / "data"
    data.mkdir(parents=True)
    server = CrashServer(data, folder / "server.log")
    await server.open()
    drawer = Drawer(server)
    try:
        await drawer.begin()
        for point in points:
            await drawer.draw(point)
        return {"kills": drawer.kills, "asked_again": drawer.refused}
    finally:
        await drawer.close()
        await server.close()
