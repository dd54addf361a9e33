"""A server killed while a step is put off at a strict table: its cause and its dice must be those without the kill."""

from __future__ import annotations

import random
import secrets
import signal
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from engine.core.match.causes import AnyCause, Deferred
from engine.core.match.folded_match import Step
from engine.core.match.match import Match
from engine.core.rules.dice import MatchDice, Pool
from engine.core.rules.events import DeferralOpened, DiceRolled, RoundCalled
from protocol.fairness.entropy_chain import mixed
from protocol.ids import MatchId
from protocol.scene.nodes import Reply
from protocol.wire import from_client as say
from protocol.wire.from_server import Ack, Reject
from server.cli.data.command_inputs import open_reader
from server.lobby.table.table_record import TableRecord
from server.runtime.crash_points import CrashPoint
from server.runtime.sealing import SealingKey
from tests.support.clients.dice.drawing import POINTS
from tests.support.clients.dice.linking import own_chain
from tests.support.clients.wire import Client
from tests.support.doubles.stored import records_of
from tests.support.faults.kills.crashing import CrashServer, check_file
from tests.support.systems.gamblers import Gamblers

COMMITS: Final = 3
"""Steps on the way of an act that rolls: put off, opened, carried out."""
MOST_ASKED: Final = 5
"""Times that one act is asked for."""


class Kill(NamedTuple):
    """Where the server dies: at which passing of a point, and whether a question's answers are put off with it."""

    point: CrashPoint
    hits: int
    strikes: bool


EVERYWHERE: Final = [
    Kill(point, hits, strikes)
    for point in POINTS
    for hits in range(1, 1 + (1 if point == "received" else COMMITS))
    for strikes in (False, True)
]
OF_FILE: Final[tuple[CrashPoint, ...]] = ("begun", "inserted", "executed", "committed")
"""Points that are passed where a match is kept in a file alone."""
EVERYWHERE_BUT_IN_FILES: Final = [kill for kill in EVERYWHERE if kill.point not in OF_FILE]


def by_chance(seed: int, number: int, among: Sequence[Kill] = EVERYWHERE) -> list[Kill]:
    """Return so many of these kills."""
    return random.Random(f"strict {seed}").choices(among, k=number)


class Twin:
    """The same match beside the server, from its log and its secret alone."""

    def __init__(self, data: Path, store: str) -> None:
        self._data = data
        self._store = store
        self.match: Match[Any] | None = None
        self.dice: MatchDice | None = None

    async def follow(self) -> list[Step[Any]]:
        """Take in the new steps of the log and return them."""
        reader = await open_reader(self._data, self._store)
        try:
            # what the server had sent to Redis is behind this
            await reader.kinds()
            if self.match is None:
                [(table, record)] = (await records_of(reader, "table")).items()
                id = MatchId(table)
                sealed = msgspec.msgpack.decode(record, type=TableRecord).sealed
                secret = SealingKey.at(self._data / "host.key").open(sealed, id)
                self.dice = MatchDice(secret, id)
                self.match = Match(Gamblers(), id, self.dice)
            match = self.match
            steps = await reader.read(match.id, match.version)
        finally:
            await reader.close()
        return [match.replay(stored.step) for stored in steps]

    def would_roll(self, players: Sequence[Client], actor: int, rolls: int) -> list[tuple[int, ...]]:
        """Return the dice of the next step that is put off, of an act of this seat (-1: closing a question), where all
        who are called give their parts."""
        assert self.match is not None
        assert self.dice is not None
        record, origin = self.match.record, self.match.origin
        number = record.participation.called + 1
        links = [b""] * record.seats
        for seat in record.participation.due_deferred(actor):
            links[seat] = own_chain(players[seat], origin).links.link(number)
        mix = mixed(record.mix, self.match.id, number, links)
        numbers = range(record.rolls, record.rolls + rolls)
        return [self.dice.faces(record.round, mix, n, Pool(2), hidden=False) for n in numbers]


class Gambling:
    """Clients of Ann and Ben at a strict table: an act that rolls, or one whose question is answered and then rolls."""

    def __init__(self, server: CrashServer) -> None:
        self.server = server
        self.kills = self.between = self.refused = self.absent = 0
        self._players: list[Client] = []
        self._twin = Twin(server.data, server.store)
        self._turn = 0

    async def begin(self) -> None:
        """Begin the match, and kill the server."""
        assert await self.server.serve()
        self._players = [Client(self.server.port, name, adds=True) for name in ("Ann", "Ben")]
        ann, ben = self._players
        for player in self._players:
            await player.connect()
        await ben.join(await ann.create("endless"))
        await ann.change(strict=True, reaction_seconds=0)
        await ben.ready()
        await ann.until(lambda: ann.talk.table is not None and all(s.ready or not s.seat for s in ann.talk.table.seats))
        await ann.say(say.StartMatch())
        await ann.my_turn("gamble")
        await self._die()

    async def play(self, kill: Kill) -> None:
        """Let the server die so in the next act, and check what the next ones make of it."""
        await self._twin.follow()
        assert await self.server.serve(kill.point, kill.hits, armed=True)
        await self._back(*self._players)
        actor, other = self._players[self._turn % 2], self._players[1 - self._turn % 2]
        seat, reply, rolls = self._turn % 2, Reply("gamble"), 3
        if kill.strikes:
            await self._done(actor, Reply("strike", {"target": [f"seat/{1 - self._turn % 2}"]}))
            await other.my_turn("yes")
            actor, other, seat, reply, rolls = other, actor, -1, Reply("yes"), 1
            self._turn += 1
        await actor.my_turn(reply.choice)
        await self._twin.follow()
        wanted = self._twin.would_roll(self._players, seat, rolls)
        self.server.armed.touch()
        id = await self._ask(actor, reply)
        # a sealed answer is acknowledged before the step that it leads to
        await actor.until(lambda: actor.closed is not None or (id not in actor.talk.pending and not kill.strikes))
        assert await self.server.ended() == signal.SIGKILL, f"the server does not die at {kill}"
        self.kills += 1
        self.server.armed.unlink()
        if not self.server.store:
            check_file(self.server.data / "eschaton.db")
        before = await self._twin.follow()
        pending = self._twin.match.deferred_cause if self._twin.match is not None else None
        self.between += pending is not None
        assert await self.server.serve()
        await self._back(other, actor)
        await self._until_done(actor, reply, id)
        await self._players[self._turn % 2].my_turn("gamble")
        await self._die()
        steps = [*before, *await self._twin.follow()]
        rolled = check_outcome(steps, pending, kill)
        if rolled != wanted:
            # whoever is not back a second after a new call is absent, but what was put off waits for them
            assert pending is None, f"other dice after a kill at {kill}"
            assert missing(steps), f"other dice after a kill at {kill}"
            self.absent += 1

    async def _ask(self, player: Client, reply: Reply) -> bytes:
        player.heard.clear()
        id = player.talk.intend(reply, secrets.token_bytes(16))
        with suppress(ConnectionClosed):
            await player.flush()
        return id

    async def _done(self, player: Client, reply: Reply) -> None:
        await player.my_turn(reply.choice)
        await self._until_done(player, reply, await self._ask(player, reply))

    async def _until_done(self, player: Client, reply: Reply, id: bytes) -> None:
        for _ in range(MOST_ASKED):
            await player.until(lambda id=id: id not in player.talk.pending)  # type: ignore[misc]  # a default has no type
            answers = [m for m in player.heard if isinstance(m, Ack | Reject) and m.id == id]
            if isinstance(answers[-1], Ack):
                return
            # it was not durable when the server died, and the prompt that it fitted is gone
            assert answers[-1].code == "stale"
            self.refused += 1
            await player.my_turn(reply.choice)
            id = await self._ask(player, reply)
        raise AssertionError(f"{reply.choice} is stale again and again")

    async def _back(self, *players: Client) -> None:
        """Connect these again, each when the program of the one before follows the match."""
        for player in players:
            await player.connect()
            program = player.proof
            assert program is not None
            await player.until(lambda program=program: program.stream is not None and program.stream.is_live)  # type: ignore[misc]  # a default has no type
            await player.pinged()

    async def _die(self) -> None:
        await self.server.kill()
        for player in self._players:
            await player.until(lambda player=player: player.closed is not None)  # type: ignore[misc]  # a default has no type

    async def close(self) -> None:
        """Drop the links."""
        for player in self._players:
            with suppress(ConnectionClosed, OSError, InvalidHandshake):
                await player.close()


def missing(steps: Sequence[Step[Any]]) -> set[int]:
    """Return the seats that were called in these steps and gave no part."""
    called, found = tuple[int, ...](), set[int]()
    for step in steps:
        for entry in step.stored.entries:
            if isinstance(entry, RoundCalled):
                called = entry.seats
            elif isinstance(entry, DeferralOpened):
                found |= {seat for seat in called if not entry.links[seat]}
    return found


def check_outcome(steps: Sequence[Step[Any]], pending: AnyCause | None, kill: Kill) -> list[tuple[int, ...]]:
    """Check that one step was put off and carried out; where it was `pending` when the server died, by that very cause.
    Return its dice."""
    put_off = [step.cause.cause for step in steps if isinstance(step.cause, Deferred)]
    assert len(put_off) == 1, f"put off {len(put_off)} times after a kill at {kill}"
    assert pending in (None, put_off[0])
    outcomes = [step for step in steps if step.cause == put_off[0]]
    assert len(outcomes) == 1, f"carried out {len(outcomes)} times after a kill at {kill}"
    return [entry.faces for entry in outcomes[0].stored.entries if isinstance(entry, DiceRolled)]


async def kill_strict_steps(folder: Path, kills: Sequence[Kill], store: str = "") -> dict[str, float]:
    """Play an act for each of these kills, and return counts of what happened. `store`: where the match is kept, a file
    of the folder unless told; `between`: the server died when a step had been put off and not carried out; `absent`:
    somebody was not back in time for a call after it."""
    data = folder / "data"
    data.mkdir(parents=True)
    server = CrashServer(data, folder / "server.log", store)
    await server.open()
    gambling = Gambling(server)
    try:
        await gambling.begin()
        for kill in kills:
            await gambling.play(kill)
        return {
            "kills": gambling.kills,
            "between": gambling.between,
            "asked_again": gambling.refused,
            "absent": gambling.absent,
        }
    finally:
        await gambling.close()
        await server.close()
