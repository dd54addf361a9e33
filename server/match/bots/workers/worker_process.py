"""The server's end of one process in which bots think."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple, cast

import msgspec

from engine.core.rules.audience import Seat
from protocol.child_commands import child_command
from protocol.errors import EschatonError, FaultError
from protocol.ids import PromptId
from protocol.scene.nodes import Reply
from server.match.bots.workers.orders import (
    Frames,
    GiveUp,
    Order,
    Sample,
    SampledForecast,
    Think,
    Thought,
    framed,
    thought_of,
)

END_SECONDS: Final = 5.0
WORKER: Final = "server.match.bots.workers.worker"


class BotFailed(FaultError):
    """The bot itself has failed, or its process has died over its decision again and again."""


class ProcessEnded(EschatonError):
    """The process has ended. `at_this`: while it was to think of what was asked."""

    def __init__(self, *, at_this: bool) -> None:
        super().__init__()
        self.at_this = at_this


class Sampling(NamedTuple):
    """A forecast that is being sampled. `answer` raises ProcessEnded; where `give_up` has been called it comes soon,
    and still tells how long it took."""

    answer: asyncio.Future[SampledForecast]
    give_up: Callable[[], None]


class WorkerProcess(asyncio.SubprocessProtocol):
    """A process to which orders go out at once. Each thought is waited for by a future; the process is at the oldest.

    `on_end` is called once, when the process has ended. One that is to think and says nothing for `silence` seconds is
    ended.
    """

    def __init__(self, on_end: Callable[[WorkerProcess], object], silence: float) -> None:
        self.matches = 0
        """How many it has copies of."""
        self.has_ended = False
        self._on_end = on_end
        self._silence = silence
        self._loop = asyncio.get_running_loop()
        self._frames = Frames()
        self._thoughts = 0
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        """What is to come of each thought."""
        self._heard_at = 0.0
        self._watch: asyncio.TimerHandle | None = None
        self._exited = asyncio.Event()

    @classmethod
    async def start(cls, on_end: Callable[[WorkerProcess], object], silence: float) -> WorkerProcess:
        """Start a process. Raises OSError where the system gives none."""
        pipe = subprocess.PIPE
        _, line = await asyncio.get_running_loop().subprocess_exec(
            lambda: cls(on_end, silence), *child_command(WORKER), stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
        )
        return line

    # What goes out

    def say(self, *orders: Order) -> None:
        """Send these orders as soon as the pipe takes them; what is sent to a process that has ended is lost."""
        # a pipe is closed some turns of the loop before this is heard, and that of uvloop raises then
        if not (self.has_ended or self._input.is_closing()):
            self._input.write(b"".join(map(framed, orders)))

    def think(self, copy: int, seat: Seat, seconds: float) -> asyncio.Future[Reply]:
        """Have the bot of this seat decide. The future raises BotFailed, and ProcessEnded; when it is cancelled, the
        thought is given up."""
        return self._ask(lambda number: Think(copy, seat, number, seconds))

    def sample(
        self, copy: int, seat: Seat, prompt: PromptId, choice: str, fields: Mapping[str, object], seconds: float
    ) -> Sampling:
        """Have a choice of a seat's prompt sampled, within so many seconds of CPU."""
        answer = self._ask(lambda number: Sample(copy, seat, number, prompt, choice, fields, seconds))
        number = self._thoughts
        return Sampling(answer, lambda: self.say(GiveUp(number)))

    def _ask(self, order: Callable[[int], Order]) -> asyncio.Future[Any]:
        self._thoughts += 1
        number = self._thoughts
        reply: asyncio.Future[Any] = self._loop.create_future()
        if self.has_ended:
            reply.set_exception(ProcessEnded(at_this=False))
            return reply
        if not self._waiting:
            self._heard_at = self._loop.time()
        self._waiting[number] = reply
        self.say(order(number))
        reply.add_done_callback(lambda done: self.say(GiveUp(number)) if done.cancelled() else None)
        if self._watch is None:
            self._watch = self._loop.call_later(self._silence, self._look)
        return reply

    def _look(self) -> None:
        """End a process that is to think and has said nothing for long."""
        self._watch = None
        left = self._heard_at + self._silence - self._loop.time()
        if self._waiting and left <= 0:
            self.kill()
        elif self._waiting:
            self._watch = self._loop.call_later(left, self._look)

    # What comes in (asyncio.SubprocessProtocol)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.SubprocessTransport", transport)
        self._input = cast("asyncio.WriteTransport", self._transport.get_pipe_transport(0))
        self._pid = self._transport.get_pid()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self._heard_at = self._loop.time()
        try:
            for frame in self._frames.take(data):
                self._hear(thought_of(frame))
        except msgspec.MsgspecError:
            self.kill()

    def _hear(self, thought: Thought) -> None:
        reply = self._waiting.pop(thought.thought, None)
        if reply is None or reply.done():
            return
        found = thought.reply if thought.sampled is None else thought.sampled
        if found is None:
            reply.set_exception(BotFailed(thought.fault))
        else:
            reply.set_result(found)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        # it has ended, and will be found so; one that has but closed its pipes is of no use
        if self._watch is not None:
            self._watch.cancel()
        self._watch = self._loop.call_later(END_SECONDS, self.kill)
        self._end()

    def process_exited(self) -> None:
        self._end()
        if self._watch is not None:
            self._watch.cancel()
        self._exited.set()
        self._transport.close()
        self._on_end(self)

    @property
    def status(self) -> int | None:
        """Exit status of the process, None while it runs."""
        return self._transport.get_returncode()

    @property
    def pid(self) -> int:
        """Process id."""
        return self._pid

    @property
    def waiting(self) -> int:
        """Thoughts that have not come back yet."""
        return len(self._waiting)

    def kill(self) -> None:
        """End the process at once; that it has ended is heard later."""
        with suppress(ProcessLookupError):
            self._transport.kill()

    def _end(self) -> None:
        """Fail all thoughts that are waited for: nothing more comes."""
        if self.has_ended:
            return
        self.has_ended = True
        for place, reply in enumerate(self._waiting.values()):
            if not reply.done():
                reply.set_exception(ProcessEnded(at_this=place == 0))
        self._waiting.clear()

    async def close(self) -> None:
        """End the process, and return when it has ended."""
        self._end()
        # it has nothing to put in order, and on a busy machine it would be long about ending by itself
        self.kill()
        await self._exited.wait()
