"""The processes in which a server's bots think: as many as there are cores but one, each with matches of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.core.rules.audience import Seat
from engine.core.rules.system import System
from protocol.errors import EschatonError
from protocol.ids import MatchId, PromptId
from protocol.limits import Limits
from protocol.scene.nodes import Reply
from server.content.systems import import_path_of
from server.match.bots.bot_scheduler import BotScheduler
from server.match.bots.workers.orders import Close, DecisionRefused, Open, Order, Sit, Steps
from server.match.bots.workers.worker_process import Sampling, WorkerProcess
from server.runtime.child_processes import spare_cores
from server.runtime.logs import Log

MOST_UNSENT: Final = 64
"""Steps that are gathered until a bot is asked."""


class NoProcess(EschatonError):
    """The system has no process to give just now."""


class RemoteCopy:
    """The server's end of a copy of a match in another process: it is told of every step, and asked for decisions."""

    def __init__(self, line: WorkerProcess, number: int) -> None:
        self._line = line
        self._number = number
        self._unsent: list[bytes] = []
        line.matches += 1

    @property
    def is_lost(self) -> bool:
        """True once the process has ended: another one must make a copy from the first step on."""
        return self._line.has_ended

    def step(self, data: bytes) -> None:
        """Pass on the next durable step."""
        self._unsent.append(data)
        if len(self._unsent) >= MOST_UNSENT:
            self._say()

    def sit(self, seat: Seat, kind: str, seed: int, acts: tuple[Reply, ...] = ()) -> None:
        """Let a new bot play this seat, which tries `acts` first."""
        self._say(Sit(self._number, seat, kind, seed, acts))

    def refused(self, seat: Seat, code: str) -> None:
        """Tell the bot of this seat that its last decision was refused."""
        self._say(DecisionRefused(self._number, seat, code))

    def think(self, seat: Seat, seconds: float) -> asyncio.Future[Reply]:
        """Have the bot of this seat decide, after all steps so far; see WorkerProcess.think."""
        self._say()
        return self._line.think(self._number, seat, seconds)

    def sample(
        self, seat: Seat, prompt: PromptId, choice: str, fields: Mapping[str, object], seconds: float
    ) -> Sampling:
        """Have a choice sampled, after all steps so far; see WorkerProcess.sample."""
        self._say()
        return self._line.sample(self._number, seat, prompt, choice, fields, seconds)

    def close(self) -> None:
        """Drop the copy. Call it once."""
        self._line.matches -= 1
        self._line.say(Close(self._number))

    def _say(self, *orders: Order) -> None:
        steps = [Steps(self._number, tuple(self._unsent))] if self._unsent else []
        self._unsent.clear()
        self._line.say(*steps, *orders)


class BotWorkers:
    """A pool that starts a process when a match needs one, and another when that has died. `most`: processes at a time;
    `silence`: seconds without a word after which one that is to think is ended."""

    def __init__(self, log: Log, silence: float = Limits.bot_silence_seconds, most: int | None = None) -> None:
        self._log = log
        self._silence = silence
        self.turns: Final = BotScheduler()
        """In which what they come to is carried out."""
        self._most = spare_cores() if most is None else most
        self._lines: list[WorkerProcess] = []
        self._copies = 0
        self._places: dict[str, str] = {}
        self._starting = asyncio.Lock()
        self._is_closed = False

    @property
    def pids(self) -> list[int]:
        """Ids of the processes."""
        return [line.pid for line in self._lines]

    @property
    def waiting(self) -> int:
        """Decisions that have been asked for and not made yet, those included that are being thought about."""
        return sum(line.waiting for line in self._lines)

    async def copy(self, system: System[Any], match: MatchId, secret: bytes, steps: Sequence[bytes]) -> RemoteCopy:
        """Have this match copied from its steps so far, by the process that has the fewest. `secret`: that of its dice.
        Raises NoProcess."""
        line = await self._line()
        self._copies += 1
        copy = RemoteCopy(line, self._copies)
        if system.name not in self._places:
            self._places[system.name] = import_path_of(system)
        line.say(Open(self._copies, match, self._places[system.name], secret), Steps(self._copies, tuple(steps)))
        return copy

    async def _line(self) -> WorkerProcess:
        async with self._starting:
            if self._is_closed:
                raise NoProcess("the server ends")
            living = [line for line in self._lines if not line.has_ended]
            idlest = min(living, key=lambda line: line.matches, default=None)
            if idlest is not None and (not idlest.matches or len(living) >= self._most):
                return idlest
            try:
                line = await WorkerProcess.start(self._ended, self._silence)
            except OSError as problem:
                raise NoProcess(str(problem)) from problem
            self._lines.append(line)
            return line

    def _ended(self, line: WorkerProcess) -> None:
        if line not in self._lines:
            return
        self._lines.remove(line)
        if not self._is_closed:
            self._log.error("bot-worker", problem="a process in which bots think has ended", status=line.status)

    def stop(self) -> None:
        """End all processes at once, and start no others."""
        self._is_closed = True
        for line in self._lines:
            line.kill()

    async def close(self) -> None:
        """End all processes, and return when they have ended."""
        self.stop()
        async with self._starting:
            lines, self._lines = self._lines, []
        await asyncio.gather(*[line.close() for line in lines])
