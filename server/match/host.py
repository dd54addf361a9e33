"""The match host: the queue of a match, its timer, and the bots in its seats."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from time import thread_time
from typing import Final
from weakref import WeakMethod

from engine.core.match.causes import TableEvent
from engine.core.rules.audience import Seat
from engine.core.rules.errors import refusal
from protocol.ids import PromptId
from protocol.scene.nodes import Reply
from protocol.wire.from_client import Intent, Propose
from protocol.wire.from_server import unanswered
from server.match.actions import Actions, Outcomes, PendingIntent
from server.match.advice import Question, Recipient
from server.match.alarm import Alarm
from server.match.bots.bot_seats import Act, BotSeats, Post
from server.match.bots.match_mirror import MatchMirror
from server.match.bots.seated_bot import SeatedBot
from server.match.bots.workers.pool import BotWorkers, NoProcess
from server.match.channels import Channels, Viewpoint
from server.match.news import PARKED, MatchParked, StepsLost, TablePort, TableState
from server.match.proof_plane import FactReceiver, ProofPlane
from server.match.receipts import ReceiptSigner
from server.match.sampled_forecasts import SampledForecasts
from server.match.step import Stepper
from server.match.stored_log import LostSteps
from server.runtime.clock import Clock
from server.runtime.logs import Log
from server.runtime.loop_turns import LoopTurns
from server.runtime.metrics import Metrics
from server.runtime.tasks import TaskSupervisor
from server.store.port import StoreError

RETRY_SECONDS: Final = 1.0
LOST: Final = "store/unavailable"
"""The code with which acts are refused at a host whose store has fewer steps than were told."""
QUEUE: Final = 256
"""What people may have waiting at one match; beyond it they are told that it is busy."""

Work = Callable[[], Awaitable[None]]


class MatchHost:
    """Host of one match that has started. All that changes it is done one after another. There is a task only while
    something is being done. `secret`: that of the match's dice."""

    def __init__(
        self,
        stepper: Stepper,
        table: TablePort,
        clock: Clock,
        tasks: TaskSupervisor,
        log: Log,
        receipts: ReceiptSigner,
        metrics: Metrics,
        turns: LoopTurns,
        workers: BotWorkers,
        secret: bytes,
    ) -> None:
        self._stepper = stepper
        self._journal = stepper.journal
        self.match: Final = stepper.match
        """Change it only through this host."""
        self.deadlines: Final = self._journal.deadlines
        """Whom the table waits for, since when."""
        self._table = table
        self._clock = clock
        self._tasks = tasks
        self._turns = turns
        self._log = log
        self._sampled = metrics.cpu.sampled
        outcomes = Outcomes(metrics, clock, log)
        self._actions = Actions(stepper, receipts, outcomes)
        post = _post_to(self)
        mirror = MatchMirror(stepper, workers, secret)
        self._bots = BotSeats(stepper, post, _acts_of_bots(self._actions, metrics), workers, mirror)
        mirror.on_new = self._bots.sit
        self._forecasts = SampledForecasts(stepper, mirror, post)
        self._journal.on_step = mirror.step
        self._is_ended = False
        self._works: deque[Work] = deque()
        self._is_busy = True
        """Something is being done, or nothing may be yet."""
        self._has_failed = False
        """What was done last is to be tried again."""
        self._is_in_doubt = False
        """The store is to be asked whether it still has all."""
        self._task: asyncio.Task[None] | None = None
        self._alarm = Alarm(clock, tasks, lambda: post(_nothing))

    @property
    def channels(self) -> Channels:
        """Viewers of the match."""
        return self._journal.channels

    @property
    def waiting(self) -> int:
        """Number of works in the queue."""
        return len(self._works)

    @property
    def is_at_rest(self) -> bool:
        """True where nothing happens any more until somebody comes: nothing is at work or has failed, the store has
        all that was told, and no question waits for those alone who are connected. Clocks do not count, which stop when
        all have gone."""
        if self._is_busy or self._works or self._has_failed or self._bots.is_busy or self._journal.notes:
            return False
        if self._actions.closed:
            # it is being folded again, or is parked
            return False
        question = self.match.question
        return not self._stepper.has_more and (question is None or not question.window.present)

    # From outside

    def run(self, *, is_over: bool = False) -> None:
        """Begin to host. A match that `is_over` is only shown."""
        self._stepper.is_over = is_over
        self._is_busy = False
        self._works.appendleft(_nothing)
        self._serve_soon()

    def stop_bots(self) -> None:
        """Let no bot decide any more."""
        self._bots.stop()

    def finish(self) -> asyncio.Task[None] | None:
        """Do what waits, and then no more. Return the task that ends when that is done."""
        self._bots.stop()
        self._post(self._end)
        return self._task

    async def _end(self) -> None:
        self._set_ended()

    def _set_ended(self) -> None:
        self._is_ended = True
        self._forecasts.stop()
        self._journal.proofs.give_up()

    def stop(self) -> list[asyncio.Task[None]]:
        """End hosting; what was being stored is stored or not, as after a crash. Return the tasks that now end.

        Nothing in the match leads back to its host then, or round in a circle: once the table has let go of it, all of
        it leaves the memory without a garbage collection.
        """
        self._bots.stop()
        self._set_ended()
        tasks = self._alarm.stop() + self._journal.stop()
        if self._task is not None:
            self._task.cancel()
            tasks.append(self._task)
            self._task = None
        self._works.clear()
        return tasks

    def learn(self, table: TableState) -> None:
        """Take this as the state of the table."""
        self._table.state = table

    def hold(self, *, on: bool) -> None:
        """Do nothing, and let nothing follow, while the table rests."""
        if self._stepper.is_held != on:
            self._stepper.is_held = on
            self._post(_nothing)

    def end(self) -> None:
        """End the match, as its people have decided: nothing more is played."""
        self._stepper.is_ending = True
        self._post(_nothing)

    def present(self, *, anyone: bool) -> None:
        """Run the clocks while any person is connected."""
        if self.deadlines.time.running != anyone:
            self.deadlines.time.run(self._clock.now(), on=anyone)
            self._journal.tell_clocks(players_told=False)
            self._alarm.set(None if self._actions.closed else self._stepper.due())

    def set_time(self, seconds: float | None) -> None:
        """Give this time for each decision from now on; None: no clock runs."""
        if self.deadlines.set_time(self.match, seconds, self._clock.now()):
            self._journal.tell_clocks(players_told=False)
            self._alarm.set(None if self._actions.closed else self._stepper.due())

    def act(self, seat: Seat, intent: Intent, recipient: Recipient) -> None:
        """Carry out a person's intent; `recipient` gets an Ack or a Reject."""
        pending = PendingIntent(self._actions, seat, intent, self._clock.now(), recipient)
        if len(self._works) >= QUEUE:
            pending.refuse(refusal("busy"))
            return
        if self._actions.closed == LOST:
            # it would wait here for ever: what comes next is for the host that is folded from what is left
            pending.refuse(refusal(LOST))
            return
        reply = Reply(intent.choice, dict(intent.fields))
        act = self._actions.act
        said, durable, refuse = pending.said, pending.durable, pending.refuse

        def work() -> Awaitable[None]:
            return self._sampled("acts", act(seat, intent.id, intent.prompt, reply, said, durable, refuse))

        self._works.append(work)
        self._serve_soon()

    def answer(
        self, seat: Seat, question: Question, recipient: Recipient, charge: Callable[[float], None]
    ) -> Iterator[None]:
        """Answer a person's question of the rules, a slice at each step of the iterator: at once, however slow the
        store is, but for a question that is just closing. `charge` takes the seconds of CPU where the answer comes
        later."""
        if isinstance(question, Propose):
            self._forecasts.drop(seat)
        if self._journal.is_told:
            for _ in self._actions.answer(seat, question, recipient, self._forecasts, charge):
                yield
                if not self._journal.is_told:
                    stale = refusal("stale")
                    recipient.say(unanswered(question, stale.code, stale.text))
                    return
            return
        if len(self._works) >= QUEUE or self._actions.closed == LOST:
            busy = refusal("busy")
            recipient.say(unanswered(question, busy.code, busy.text))
            return

        async def later() -> None:
            answering = self._actions.answer(seat, question, recipient, self._forecasts, charge)
            is_over = False
            while not is_over:
                began = thread_time()
                is_over = next(answering, True) is True
                charge(thread_time() - began)
                await asyncio.sleep(0)

        self._post(later)

    async def proofs(self) -> ProofPlane:
        """Return the proof plane, with the facts of all steps so far. Raises StoreError where the log cannot be read
        now, HostEnded where this host ends before it is."""
        proofs = self._journal.proofs
        await proofs.loaded(self._journal.stored.steps, self._post)
        return proofs

    async def load_history(self) -> None:
        """Have the whole history of the match in memory. Raises StoreError where the log cannot be read now."""
        await self._journal.history.load(self._journal.stored.steps)

    def shown_version(self, view: Viewpoint) -> int:
        """Return the version of the match that such a viewer has been shown."""
        delayed = self.channels.delayed
        return self.match.version if not view.delayed else delayed.version if delayed is not None else 0

    def has_history(self, view: Viewpoint, upto: int) -> bool:
        """Tell whether such a viewer was told anything up to a version, once the history is loaded."""
        return self._journal.history.has_any(view, upto)

    def history(self, view: Viewpoint, upto: int, before: int | None = None) -> bytes:
        """Return a page of the history (MatchHistory.page), once it is loaded."""
        return self._journal.history.page(view, self._journal.projector, upto, before)

    def facts_told(self, connection: FactReceiver) -> int | None:
        """Return the number of facts that this connection has been told, None where it is not told those that come."""
        view = self.channels.view_of(connection)
        return None if view is None else self._journal.proofs.told_to(connection, view.seat)

    def know_tip(self, seat: Seat, tip: bytes, key: bytes) -> str:
        """Take the tip of a person's program; return the code of its refusal, or an empty string."""
        return self._stepper.entropy.know(seat, tip, key)

    def give_part(self, seat: Seat, round: int, link: bytes, proof: bytes) -> str:
        """Take a program's part; return the code of its refusal, or an empty string. It does not queue: the round waits
        for it."""
        code = self._stepper.entropy.give(seat, round, link, proof)
        note = self._stepper.entropy.late_note(seat) if code == "entropy/late" else None
        if note is not None:
            self.note(note)
        return code

    def show_delayed(self) -> bool:
        """Show what has become due of the delayed view. Return False where that is nothing."""
        return self._journal.show_delayed(is_over=self._stepper.is_over)

    def lost(self, seat: Seat) -> None:
        """Note that the program of this seat is not connected any more."""
        self._stepper.entropy.gone(seat)
        self._post(_nothing)  # a question may have waited for this seat alone

    def seat_bot(self, bot: SeatedBot) -> None:
        """Let this bot play its seat from now on."""
        self._bots.seat(bot)
        self._post(_nothing)

    def remove_figures(self, seat: Seat) -> None:
        """Have the figures of this seat leave the board as soon as nothing waits."""
        self._stepper.leaving.add(seat)
        self._post(_nothing)

    def unseat_bot(self, seat: Seat) -> None:
        """Let a person play this seat from now on."""
        self._bots.unseat(seat)

    def compare(self) -> None:
        """Check that the store still has all that has been acknowledged, again and again until it answers."""
        self._is_in_doubt = True
        self._post(_nothing)

    async def _ask_store(self) -> None:
        self._is_in_doubt = False
        try:
            await self._journal.stored.compare()
        except StoreError:
            self._is_in_doubt = True
            raise

    def archived(self, steps: Sequence[bytes]) -> None:
        """Find the steps of this match, which is over, here from now on and not in the store."""
        self._journal.stored.archived(steps)

    def note(self, event: TableEvent) -> None:
        """Put a fact of the table into the log."""
        self._journal.notes.append(event)
        self._post(_nothing)

    # The work

    def _post(self, work: Work) -> None:
        """Do this after all that was asked before, and never within the call."""
        self._works.append(work)
        self._serve_soon()

    def _serve_soon(self) -> None:
        if self._is_ended:
            self._works.clear()  # what comes late is never done
        elif not self._is_busy:
            self._is_busy = True
            self._task = self._tasks.begin(self._serve(), "match")

    async def _serve(self) -> None:
        """Do one work after another, with what follows of itself. Whatever goes wrong concerns this match alone."""
        while self._works and not self._is_ended:
            try:
                if self._turns.is_long():
                    await self._turns.wait()
                await self._works.popleft()()
                if self._is_in_doubt and not self._is_ended:
                    await self._ask_store()
                if not self._actions.closed and not self._is_ended:
                    self._alarm.set(await self._stepper.follow())
                    await self._bots.wake()
                self._has_failed = False
            except (StoreError, NoProcess) as problem:
                self._has_failed = True
                self._log.error("store" if isinstance(problem, StoreError) else "bot-worker", problem=str(problem))
                self._alarm.set(self._clock.now() + RETRY_SECONDS)
            except LostSteps as problem:
                self._log.error("store", problem=str(problem))
                self._actions.closed = LOST
                self._table.tell(StepsLost())
            except Exception as problem:  # noqa: BLE001 - any other fault parks this match alone
                self._park(problem)
        self._is_busy = False

    def _park(self, problem: Exception) -> None:
        self._log.error("parked", problem=f"{type(problem).__name__}: {problem}", exc_info=problem)
        self.park()
        self._table.tell(MatchParked())

    def park(self) -> None:
        """Carry out no action any more: the match cannot go on."""
        self._actions.closed = self._actions.closed or PARKED  # steps that were lost remain the reason
        self._bots.stop()


def _post_to(host: MatchHost) -> Post:
    """Return a way for the parts of a host to queue work there, by which they do not keep it in memory."""
    known = WeakMethod(host._post)

    def post(work: Work) -> None:
        to_host = known()
        if to_host is not None:
            to_host(work)

    return post


def _acts_of_bots(actions: Actions, metrics: Metrics) -> Act:
    """Return a way to carry out the acts of bots, whose CPU is sampled."""
    sampled = metrics.cpu.sampled

    def act(seat: Seat, prompt: PromptId, reply: Reply, refused: Callable[[str], None]) -> Awaitable[None]:
        return sampled("bots", actions.act_of_bot(seat, prompt, reply, refused))

    return act


async def _nothing() -> None:
    """Do nothing: only what follows of itself is done."""
