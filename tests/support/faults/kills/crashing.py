"""Two players at a real server that may die under them, and the checks of all that they were told."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import signal
import sqlite3
import sys
from asyncio.subprocess import PIPE
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec
from websockets.exceptions import ConnectionClosed

from engine.core.match.causes import Answered, Intended, Undo
from engine.core.match.match import Match
from engine.core.rules.dice import MatchDice
from engine.core.rules.events import DiceRolled, QuestionClosed
from engine.core.view.projection import Projector
from protocol.ids import MatchId, match_of
from protocol.scene.nodes import Reply
from protocol.wire import from_client as say
from protocol.wire.from_server import Ack, Delta, Pong, Reject
from server.lobby.table.table_record import TableRecord
from server.match.checking import repeat
from server.match.frames import public_snapshot
from server.runtime.crash_points import CrashPoint
from server.runtime.sealing import SealingKey
from server.runtime.signing import HostKey
from server.store.choice import open_store
from tests.support.clients.programs import until
from tests.support.clients.wire import Client
from tests.support.fairness.receipt_keeper import Keeper, hold
from tests.support.forks.forked_process import ForkedProcess, fork
from tests.support.runs.patience import PATIENCE
from tests.support.systems.duel import Duel

STACK_SECONDS: Final = 5.0


class CrashServer:
    """The program of crash_server.py. `store` is where its servers keep their matches: see open_store.

    It is forked, unless its memory is measured: then its command line starts it, which `before` stands before.
    """

    def __init__(
        self, data: Path, log: Path, store: str = "", before: tuple[str, ...] = (), *, is_measured: bool = False
    ) -> None:
        self.data = data
        self._is_measured = is_measured
        self._before = before
        self.store = store
        self.port = 0
        self.pid = 0
        self._log = log
        self._program: asyncio.subprocess.Process | ForkedProcess | None = None

    async def open(self) -> None:
        """Start the program; no server yet."""
        words = ("tests.support.faults.kills.crash_server", str(self.data))
        with self._log.open("ab") as log:
            if self._is_measured:
                self._program = await asyncio.create_subprocess_exec(
                    *(*self._before, sys.executable, "-m", *words), stdin=PIPE, stdout=PIPE, stderr=log
                )
            else:
                self._program = await fork(*words, stdin=PIPE, stderr=log.fileno())

    @property
    def armed(self) -> Path:
        """The file at whose presence a server dies that was told to wait for it."""
        return self.data / "armed"

    async def serve(self, point: CrashPoint | None = None, hits: int = 1, *, armed: bool = False) -> bool:
        """Run a server that dies at this point (once it is armed, where that is asked for). Return False where it died
        before it could listen."""
        assert self._program is not None
        assert self._program.stdin is not None
        wanted = {"port": self.port, "point": point or "", "hits": hits, "armed": armed, "store": self.store}
        self._program.stdin.write(json.dumps(wanted).encode() + b"\n")
        said = await self._said()
        if said["event"] == "ended":
            return False
        self.port = said["port"]
        self.pid = json.loads((self.data / "server.json").read_text())["pid"]
        return True

    async def ended(self) -> int:
        """Wait until the server has ended, and return its wait status."""
        said = await self._said()
        assert said["event"] == "ended", said
        return int(said["status"])

    def signal(self, number: signal.Signals) -> None:
        """Signal the running server to stop or go on; do nothing where it is dead."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    async def tell_stacks(self) -> None:
        """Have the running server write the stacks of its threads to the log: of one that does nothing any more."""
        before = self._log.stat().st_size
        self.signal(signal.SIGUSR1)
        # one that waits for the disk cannot tell
        with suppress(TimeoutError):
            await until(lambda: self._log.stat().st_size > before, STACK_SECONDS)

    async def kill(self) -> None:
        """Kill the running server."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        await self.ended()

    async def close(self) -> None:
        """End the program; the server that it waits for, too."""
        program = self._program
        if program is None or program.returncode is not None:
            return
        assert program.stdin is not None
        program.stdin.close()
        # it ends with its input, after the server: if it were killed first, the server would be left running
        if self.pid:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
        try:
            await asyncio.wait_for(program.wait(), PATIENCE)
        except TimeoutError:
            program.kill()
            await program.wait()

    async def _said(self) -> dict[str, Any]:
        assert self._program is not None
        assert self._program.stdout is not None
        async with asyncio.timeout(PATIENCE):
            line = await self._program.stdout.readline()
        assert line, f"the server's program ended; see {self._log}"
        said: dict[str, Any] = json.loads(line)
        return said


class Pair:
    """Ann and Ben at an endless duel: each strikes in turn, the other braces."""

    def __init__(self, server: CrashServer) -> None:
        self.server = server
        self.players: list[Client] = []
        self.acts: dict[bytes, Ack] = {}
        self.answers: dict[bytes, Ack] = {}
        self.dice: list[list[tuple[int, ...]]] = [[], []]
        self.crashes = self.resent = self.retried = self.refused = 0
        self.has_sent = False
        self._answers: dict[bytes, Ack | Reject] = {}
        self._turn = 0

    async def seat(self) -> None:
        """Seat both at the server that runs, and start the match."""
        self.players = [Client(self.server.port, name) for name in ("Ann", "Ben")]
        ann, ben = self.players
        for player in self.players:
            player.keeper = Keeper(player.talk, self.receipts / player.talk.name)
            await player.connect()
        await ben.join(await ann.create("endless"))
        await ann.say(say.ChangeTable(reaction_seconds=0))
        await ben.ready()
        await ann.until(lambda: ann.talk.table is not None and all(s.ready or not s.seat for s in ann.talk.table.seats))
        await ann.say(say.StartMatch())
        await ann.my_turn("strike")

    @property
    def receipts(self) -> Path:
        """Return the folder of each player's receipts."""
        return self.server.data.parent / "receipts"

    @property
    def match(self) -> MatchId:
        """The id of their match."""
        table = self.players[0].talk.table
        assert table is not None
        return match_of(table.id)

    async def play_on(self) -> None:
        """Carry out the next act, or the answer to it, until it is acknowledged, through every crash."""
        player, reply = self._next()
        while True:
            await self._ready(player, reply.choice)
            id = player.talk.intend(reply, secrets.token_bytes(16))
            answer = await self._answer(player, id)
            if isinstance(answer, Ack):
                break
            # it was not durable when the server died, and its prompt is gone; or the store was away
            assert answer.code in ("stale", "store/unavailable"), answer
            self.refused += 1
        (self.answers if self._turn % 2 else self.acts)[id] = answer
        self._turn += 1

    def _next(self) -> tuple[Client, Reply]:
        seat, is_answer = self._turn // 2 % 2, self._turn % 2 == 1
        if is_answer:
            return self.players[1 - seat], Reply("yes")
        return self.players[seat], Reply("strike", {"target": [f"seat/{1 - seat}"]})

    async def be_ready(self) -> None:
        """Wait until the next act can be sent."""
        player, reply = self._next()
        await self._ready(player, reply.choice)

    async def _ready(self, player: Client, choice: str) -> None:
        """Wait until it is offered."""
        while True:
            await player.until(lambda: player.closed is not None or player.offers(choice))
            if player.closed is None:
                return
            await self._recover()

    async def _answer(self, player: Client, id: bytes) -> Ack | Reject:
        """Return the server's answer to this intent, which every new link sends again."""
        crashes, was_kept = self.crashes, False
        while True:
            if player.closed is None:
                with suppress(ConnectionClosed):
                    await player.flush()
                    self.has_sent = True
            await player.until(lambda: player.closed is not None or id not in player.talk.pending)
            self.has_sent = False
            self._note_dice()
            answer = self._answers.pop(id, None)
            if answer is not None:
                assert isinstance(answer, Ack) or not was_kept, "it was done, and then refused"
                self.resent += self.crashes > crashes and isinstance(answer, Ack)
                self.retried += was_kept
                return answer
            await self._recover()
            was_kept = was_kept or self._was_kept(self.players.index(player), id)

    def _note_dice(self) -> None:
        self._answers = {}
        for seat, one in enumerate(self.players):
            cues = [cue for message in one.heard if isinstance(message, Delta) for cue in message.cues]
            self.dice[seat] += [cue.dice.faces for cue in cues if cue.dice is not None]
            self._answers |= {message.id: message for message in one.heard if isinstance(message, Ack | Reject)}
            one.heard.clear()

    async def _recover(self) -> None:
        """Wait until a server is there again, and come back to it."""
        raise AssertionError("the server died")

    def _was_kept(self, seat: int, id: bytes) -> bool:
        """Tell if the dead server left this act on the disk, as far as is known."""
        return False

    async def settle(self) -> None:
        """Wait until both have been shown all events."""
        for number, player in enumerate(self.players):
            player.heard.clear()
            await player.say(say.Ping(n=number))
            await player.hear(Pong)

    async def close(self) -> None:
        """Drop both links."""
        for player in self.players:
            await player.close()


def check_file(path: Path) -> None:
    """Check that SQLite finds nothing wrong, and that every match's steps are numbered without a gap, each of another
    cause."""
    database = sqlite3.connect(path)
    try:
        assert database.execute("PRAGMA quick_check").fetchone() == ("ok",)
        counts = "count(*), max(version), count(DISTINCT version), count(DISTINCT cause)"
        rows = database.execute(f"SELECT {counts} FROM steps GROUP BY match").fetchall()
        assert all(len(set(row)) == 1 for row in rows), rows
    finally:
        database.close()


async def check_match(two: Pair) -> dict[str, int]:
    """Check that the log holds each acknowledged act exactly once and every acknowledged answer counted, nothing else;
    replayed, all of it with its dice follows from the secret that the match was bound to before the first of them."""
    id = two.match
    store = await open_store(two.server.store, two.server.data)
    try:
        record = await store.get_record("table", id)
        assert record is not None
        steps = [stored.step for stored in await store.read(id)]
        open_answers = len(await store.sealed(id))
    finally:
        await store.close()
    assert record is not None
    table = msgspec.msgpack.decode(record, type=TableRecord)
    secret = SealingKey.at(two.server.data / "host.key").open(table.sealed, id)
    match: Match[Any] = Match(Duel(), id, MatchDice(secret, id))
    heads, pictures = {0: match.head}, {0: 0}
    for step in steps:
        version = repeat(match, step).version
        heads[version] = match.head
        pictures[version] = public_snapshot(Projector(match, "check")).hash
    stored = [match.codec.decode(step) for step in steps]
    acts = [step.cause.id for step in stored if isinstance(step.cause, Intended | Undo | Answered)]
    assert len(acts) == len(set(acts)), "an act was done twice"
    assert list(two.acts) == acts, "an acknowledged act is gone, or another one was done, or in another order"
    for ack in (*two.acts.values(), *two.answers.values()):
        assert heads[ack.version] == ack.head, "an acknowledgement does not fit the log"
    # steps that follow the last act by themselves may be durable and not shown when the server is killed
    last = max(ack.version for ack in (*two.acts.values(), *two.answers.values()))
    shown = [picture for version, picture in pictures.items() if version >= last]
    assert (two.players[0].talk.drifts, two.players[1].talk.drifts) == (0, 0), "a player's picture has drifted"
    assert all(player.scene.public.hash in shown for player in two.players), "a picture is not that of the log"
    entries = [entry for step in stored for entry in step.entries]
    given = [answer for entry in entries if isinstance(entry, QuestionClosed) for answer in entry.answers]
    assert not any(answer.by_default for answer in given), "an answer came too late"
    assert len(given) + open_answers == len(two.answers), "an answer is gone"
    rolled = [entry.faces for entry in entries if isinstance(entry, DiceRolled)]
    for seen in two.dice:
        rest = iter(rolled)
        assert all(faces in rest for faces in seen), "dice were shown that the log does not have"
    proven = hold(id, steps, secret, HostKey.at(two.server.data / "host.ed25519"), 2, two.receipts)
    keepers = [player.keeper for player in two.players if player.keeper is not None]
    for keeper in keepers:
        keeper.check()
    assert proven == sum(len(keeper.acked) for keeper in keepers) == len(two.acts) + len(two.answers)
    return {"steps": len(steps), "acts": len(acts), "answers": len(given), "rolls": len(rolled), "receipts": proven}
