"""Repeated kills of a real server while wire bots play, with checks that no acknowledged act is ever lost."""

from __future__ import annotations

import asyncio
import json
import random
import signal
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from client.fairness.receipts import receipt_files
from client.fairness.replay_check import ReplayCase, check_replay
from engine.core.match.causes import Answered, Intended, Undo
from engine.core.match.folded_match import Step
from engine.core.match.match import Match
from engine.core.rules.events import DiceRolled, QuestionClosed
from engine.core.rules.system import System
from engine.rulesets.action_cards import system as action_cards
from protocol.fairness.replay import read
from protocol.ids import MatchId, NodeId
from protocol.limits import Limits
from protocol.scene.nodes import Counter, Reply
from protocol.wire import from_client as say
from protocol.wire.from_server import Ack, Delta, FromServer, Reject
from server.cli.wire_bot import WirePlayer
from server.match.checking import check
from server.runtime.clock import RealClock
from server.runtime.signing import HostKey
from server.store.choice import open_store
from tests.support.clients.programs import until
from tests.support.doubles.redis_server import RedisServer
from tests.support.doubles.stored import records_of, steps_of
from tests.support.fairness.receipt_keeper import Keeper
from tests.support.forks.forked_process import ForkedProcess, fork
from tests.support.runs.patience import PATIENCE
from tests.support.systems.duel import Duel
from tests.support.systems.duel_state import TurnBegun
from tests.support.systems.scripted import ScriptedDice


@dataclass(frozen=True)
class Stage:
    """System and scenario under test, and the module with its arguments that is their server on a folder and a
    port."""

    system: System[Any]
    scenario: str
    seats: int
    command: Callable[[Path, int], list[str]]


DUEL = Stage(Duel(), "long", 6, lambda data, port: ["tests.support.systems.duel_server", str(data), str(port)])
SKIRMISH = Stage(
    action_cards,
    "harrow_cross",
    4,
    lambda data, port: ["server.cli.main", "serve", "--listen", f"127.0.0.1:{port}", "--data", str(data)],
)


class ServerProcess:
    """A server in a process of its own, which is forked, always on the same port."""

    def __init__(self, stage: Stage, data: Path, log: Path, store: str = "", *options: str) -> None:
        self.port = 0
        self._more = [*(("--store", store) if store else ()), *options]
        self._stage = stage
        self._data = data
        self._log = log
        self._process: ForkedProcess | None = None

    async def start(self) -> None:
        """Start it, and wait until it listens."""
        with self._log.open("ab") as log:
            command = self._stage.command(self._data, self.port)
            self._process = await fork(*command, *self._more, stderr=log.fileno())
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            line = await self._process.stdout.readline()
        assert line, f"the server did not start; see {self._log}"
        self.port = json.loads(line)["port"]

    @property
    def pid(self) -> int:
        """Id of the process that runs."""
        assert self._process is not None
        return self._process.pid

    def signal(self, number: int) -> None:
        """Send it a signal."""
        assert self._process is not None
        self._process.send_signal(number)

    async def ended(self, seconds: float) -> int:
        """Return its exit status, once it has ended by itself. Raises TimeoutError where it does not in this time."""
        assert self._process is not None
        return await asyncio.wait_for(self._process.wait(), seconds)

    async def stop(self, seconds: float) -> int:
        """Send SIGTERM and return its exit status. Raises TimeoutError."""
        self.signal(signal.SIGTERM)
        return await self.ended(seconds)

    async def kill(self) -> None:
        """Send SIGKILL."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()


class Recorder(WirePlayer):
    """Wire bot that remembers the acknowledged acts and the dice that it was shown, and keeps receipts."""

    def __init__(self, stage: Stage, port: int, code: str, name: str, seed: int, receipts: Path) -> None:
        systems = {stage.system.name: stage.system}
        super().__init__(f"ws://127.0.0.1:{port}/", code, "random", name, seed, systems, RealClock())
        self.keeper = Keeper(self.talk, receipts / name)
        self._unanswered: dict[bytes, say.Intent] = {}
        self.acts: set[bytes] = set()
        self.answers: dict[int, Reply] = {}
        self.dice: list[tuple[int, ...]] = []
        self.acked = asyncio.Event()
        self._turns: dict[str, int] = {}

    @property
    def seat(self) -> int:
        assert self.talk.table is not None
        return self.talk.table.seat

    async def _take(self, frame: bytes) -> None:
        self._unanswered = dict(self.talk.pending)
        await super()._take(frame)

    def look_at(self, message: FromServer) -> None:
        self.keeper.hear([message], self._unanswered)
        if isinstance(message, Delta):
            self.dice += [cue.dice.faces for cue in message.cues if cue.dice is not None]
        super().look_at(message)

    def _consider(self) -> None:
        scene = self.talk.scene
        if scene is not None and scene.prompt is not None:
            turn = scene.nodes.get(NodeId("counter/turn"))
            self._turns[scene.prompt.id] = turn.value if isinstance(turn, Counter) else 0
        super()._consider()

    def _hear(self, message: Ack | Reject) -> None:
        if isinstance(message, Ack) and self._sent is not None and self._sent[0] == message.id:
            _, reply, prompt = self._sent
            if prompt:
                self.answers[self._turns[prompt]] = reply
            else:
                self.acts.add(message.id)
            self.acked.set()
        super()._hear(message)


async def kill_again_and_again(
    stage: Stage, folder: Path, kills: int, seed: int, redis: RedisServer | None = None
) -> dict[str, int]:
    """Play a match with wire bots in all seats, the server being killed `kills` times at random moments; with `redis`,
    its store, server and Redis in turns.

    Checks the log after each kill, and the whole match at the end; returns counts of what happened.
    """
    chance = random.Random(seed)
    data = folder / "data"
    data.mkdir()
    place = redis.place() if redis is not None else ""
    server = ServerProcess(stage, data, folder / "server.log", place)
    await server.start()
    players, playing = await seat_players(stage, server.port, seed, folder / "receipts")
    try:
        for number in range(kills):
            await some_acts(players, chance.randrange(1, 25))
            await asyncio.sleep(chance.random() / 100)
            if all(player.result is not None for player in players):
                break
            if redis is not None and number % 2:
                redis.kill()
                await asyncio.to_thread(redis.start)
                continue
            await server.kill()
            await check_log(stage, data, players, place)
            await server.start()
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*playing)
        await server.kill()
        assert all(player.result is not None for player in players)
        # a server that died before it had written the replay does so when it is back
        await server.start()
        await until(lambda: list(data.glob("replays/*.replay")))
        await server.kill()
        return (
            await check_log(stage, data, players, place)
            | check_end(stage, data)
            | check_receipts(data, players, folder / "receipts")
            | {"links": sum(p.links for p in players)}
        )
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        await server.kill()


async def seat_players(
    stage: Stage, port: int, seed: int, receipts: Path, kind: type[Recorder] | None = None
) -> tuple[list[Recorder], list[asyncio.Task[Any]]]:
    """Seat bots (of `kind`) at one table, the first of them its owner, who starts it; each keeps receipts in a folder
    of its own."""
    kind = kind or Recorder
    owner = kind(stage, port, "", "Bot 0", seed, receipts)
    # owners of other tables, who look for a free seat as soon as they are in, do not see it
    owner.talk.say(say.CreateTable(system=stage.system.name, scenario=stage.scenario, name="Long", private=True))
    owner.talk.say(say.ChangeTable(reaction_seconds=0))
    playing: list[asyncio.Task[Any]] = [asyncio.create_task(owner.play())]
    await until(lambda: owner.talk.table is not None)
    assert owner.talk.table is not None
    code = owner.talk.table.code
    players = [owner, *(kind(stage, port, code, f"Bot {n}", seed + n, receipts) for n in range(1, stage.seats))]
    playing += [asyncio.create_task(player.play()) for player in players[1:]]
    await until(lambda: owner.talk.table is not None and all(seat.ready for seat in owner.talk.table.seats))
    owner.talk.say(say.StartMatch())
    owner.talk.say(say.Ping(n=1))
    await owner._flush()
    return players, playing


async def some_acts(players: list[Recorder], count: int) -> None:
    """Wait until a number of further intents has been acknowledged, or the match is over."""
    for _ in range(count):
        if any(player.result is not None for player in players):
            return
        for player in players:
            player.acked.clear()
        waits = [asyncio.create_task(player.acked.wait()) for player in players]
        try:
            done, _ = await asyncio.wait(waits, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        assert done or any(player.result is not None for player in players), "the match stands still"


async def check_log(stage: Stage, data: Path, players: list[Recorder], place: str = "") -> dict[str, int]:
    """Check that every acknowledged act is in the log exactly once, every closed answer is the one acknowledged last,
    and the dice that each client saw are those of the log."""
    store = await open_store(place, data)
    try:
        tables = await records_of(store, "table")
        steps = [step for id in tables for step in await steps_of(store, data, MatchId(id))]
    finally:
        await store.close()
    return check_steps(stage, steps, players)


def check_steps(stage: Stage, steps: Sequence[bytes], players: Sequence[Recorder]) -> dict[str, int]:
    """Check the steps of one match as `check_log` says."""
    match: Match[Any] = Match(stage.system, MatchId("check"), ScriptedDice())
    folded = [match.replay(step) for step in steps]
    acts = acts_in(folded)
    for player in players:
        assert player.acts <= set(acts), "an acknowledged intent is gone"
    if isinstance(stage.system, Duel):
        check_answers(folded, players)
    rolled = [e.faces for step in folded for e in step.stored.entries if isinstance(e, DiceRolled)]
    for player in players:
        assert is_subsequence(player.dice, rolled), "dice were shown that the log does not have"
    return {"steps": len(steps), "acts": len(acts), "acknowledged": sum(len(player.acts) for player in players)}


def acts_in(folded: Iterable[Step[Any]]) -> list[bytes]:
    """Return the ids of all acts in the steps of a match. Raises AssertionError where one was done twice."""
    causes = [step.cause for step in folded]
    acts = [cause.id for cause in causes if isinstance(cause, Intended | Undo | Answered)]
    assert len(acts) == len(set(acts)), "an intent was done twice"
    return acts


def check_answers(folded: list[Step[Any]], players: Sequence[Recorder]) -> None:
    """Check the answers of a duel, where a question is asked at most once a turn, so that turns name questions."""
    turn = 0
    for step in folded:
        for entry in step.stored.entries:
            if isinstance(entry, QuestionClosed):
                given = {answer.seat: answer for answer in entry.answers}
                for player in players:
                    answer = player.answers.get(turn)
                    mine = given.get(player.seat)
                    if answer is not None and mine is not None:
                        assert not mine.by_default, "a sealed answer is gone"
                        assert mine.reply.choice == answer.choice, "a sealed answer is gone"
            turn += isinstance(entry, TurnBegun)


def check_end(stage: Stage, data: Path) -> dict[str, int]:
    """Check that the replay of the match is verified under the rules, with the same dice all along."""
    [file] = (data / "replays").glob("*.replay")
    replay = read(file.read_bytes(), Limits())
    check(replay, stage.system)
    return {"replayed": len(replay.log)}


def check_receipts(data: Path, players: list[Recorder], receipts: Path) -> dict[str, int]:
    """Check all receipts against the replay, as each player's own program would."""
    [file] = (data / "replays").glob("*.replay")
    key = HostKey.at(data / "host.ed25519").public
    finding = check_replay(ReplayCase(file.read_bytes(), key, [], receipt_files(MatchId(file.stem), receipts)))
    assert (finding.kind, finding.files) == ("holds", len(players)), finding.said
    for player in players:
        player.keeper.check()
    proven = len(set().union(*(player.keeper.acked for player in players)))
    assert finding.acts >= proven, "an act was acknowledged without a receipt"
    return {"receipts": proven}


def is_subsequence(some: Iterable[object], all_of_them: Iterable[object]) -> bool:
    """Tell if `some` appear in this order among the others."""
    rest = iter(all_of_them)
    return all(item in rest for item in some)
