"""The match host: one task with a queue per live match. Validate, run, append, then tell."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from engine.core.audience import Seat
from engine.core.causes import Answered, Expiry, RoundOpened, TableEvent, Void
from engine.core.errors import IllegalIntent, LogDamaged, Refusal, RuleBug, RuleDiverged
from engine.core.projection import Projector
from engine.core.prompts import SETTINGS, cause_of, detail_for
from protocol.from_server import Ack, Detail, Reject, ServerMessage
from protocol.scene import Reply
from protocol.text import Text
from server.bots import PATIENCE, SeatedBot, SeatView
from server.channels import Channels
from server.deadlines import Deadlines
from server.ledger import AlreadyDone, Ledger, LostMatch
from server.store.port import StoreError

if TYPE_CHECKING:
    from engine.core.causes import AnyCause
    from engine.core.course import Step
    from engine.core.match import Match
    from protocol.from_client import DetailRequest, Intent
    from protocol.scene import Result
    from server.clock import Clock
    from server.logs import Log

MOST_FOLLOWING: Final = 10_000
"""Steps that follow of themselves on one message: an endless game of defaults ends in a parked match."""
RETRY_SECONDS: Final = 1.0
QUEUE: Final = 256

Work = Callable[[], Coroutine[Any, Any, None]]


class Teller(Protocol):
    """Someone who is answered."""

    def say(self, message: ServerMessage) -> None:
        """Queue a message, without waiting."""
        ...


class Table(Protocol):
    """What a host tells its table."""

    def clocks_changed(self) -> None:
        """Other seats are waited for now, or since another time."""
        ...

    async def finished(self, result: Result) -> None:
        """The match is over; its last step is durable and told."""
        ...

    def parked(self) -> None:
        """The match cannot go on."""
        ...


@dataclass(frozen=True)
class Pace:
    """How fast a table plays, in seconds."""

    decision: float = 60.0
    reaction: float = 3.0
    bot_pause: float = 0.4


class MatchHost:
    """Hosts one match that has started. All that changes it goes through `_queue`, one after another."""

    def __init__(self, ledger: Ledger, table: Table, clock: Clock, log: Log, pace: Pace, kept_frames: int) -> None:
        self._ledger = ledger
        self._match: Match[Any] = ledger.match
        self._table = table
        self._clock = clock
        self._log = log
        self._pace = pace
        self._kept_frames = kept_frames
        self._projector = Projector(self._match, secrets.token_hex(4))
        self.channels = Channels(self._projector, kept_frames)
        self.deadlines = Deadlines(pace.decision, pace.reaction)
        self.bots: dict[Seat, SeatedBot] = {}
        self.is_parked = False
        self._over = False
        self._queue: asyncio.Queue[Work] = asyncio.Queue(QUEUE)
        self._task: asyncio.Task[None] | None = None
        self._alarm: asyncio.Task[None] | None = None
        self.deadlines.observe(self._match, clock.now())

    @property
    def match(self) -> Match[Any]:
        """The match; change it only through this host."""
        return self._match

    # From outside

    def run(self) -> None:
        """Begin to host."""
        self._task = asyncio.create_task(self._serve())

    async def stop(self) -> None:
        """End hosting; what was being stored is stored or not, as after a crash."""
        for bot in self.bots.values():
            bot.stop()
        tasks = [task for task in (self._alarm, self._task) if task is not None]
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task

    def present(self, anyone: bool) -> None:
        """Clocks run while any person is connected."""
        if self.deadlines.time.running != anyone:
            self.deadlines.time.run(self._clock.now(), anyone)
            self._table.clocks_changed()
            self._arm()

    def act(self, seat: Seat, intent: Intent, teller: Teller) -> None:
        """A person's intent; `teller` gets an Ack or a Reject."""
        reply = Reply(intent.choice, dict(intent.fields))

        def refuse(refusal: Refusal) -> None:
            teller.say(Reject(intent.id, refusal.code, refusal.text))

        self._post(
            lambda: self._act(seat, intent.id, intent.prompt, reply, lambda: teller.say(Ack(intent.id)), refuse),
            lambda: refuse(_refusal("busy")),
        )

    def detail(self, seat: Seat, request: DetailRequest, teller: Teller) -> None:
        """A person asks for the next field of a choice."""
        self._post(lambda: self._detail(seat, request, teller))

    def seat_bot(self, bot: SeatedBot) -> None:
        """From now on this bot plays its seat."""
        before = self.bots.get(bot.seat)
        if before is not None:
            before.stop()
        self.bots[bot.seat] = bot
        self._post(self._nothing)

    def note(self, event: TableEvent) -> None:
        """Put a fact of the table into the log."""

        async def append() -> None:
            await self._commit(event)

        self._post(append)

    def _post(self, work: Work, full: Callable[[], None] = lambda: None) -> None:
        try:
            self._queue.put_nowait(work)
        except asyncio.QueueFull:
            full()

    # The task

    async def _serve(self) -> None:
        await self._guarded(self._nothing)
        while True:
            work = await self._queue.get()
            await self._guarded(work)

    async def _nothing(self) -> None:
        """Wake up."""

    async def _guarded(self, work: Work) -> None:
        """Do this and what follows of itself. Whatever goes wrong here concerns this match alone."""
        try:
            if not self.is_parked:
                await work()
                await self._follow()
            else:
                await work()
        except StoreError as problem:
            self._log.error("store", problem=str(problem))
            self._ring(self._clock.now() + RETRY_SECONDS)
        except Exception as problem:
            self._park(problem)

    def _park(self, problem: Exception) -> None:
        self.is_parked = True
        self._log.error("parked", problem=f"{type(problem).__name__}: {problem}", exc_info=problem)
        for bot in self.bots.values():
            bot.stop()
        self._table.parked()

    async def _follow(self) -> None:
        """Whatever now happens without anyone's asking."""
        for _ in range(MOST_FOLLOWING):
            due = self.deadlines.due(self._match, self._clock.now())
            if self._match.wants_round:
                await self._commit_or_void(RoundOpened())
            elif self._speak_for_automatic():
                continue
            elif due is not None and due[0] <= self._clock.now():
                await self._expire(due[1])
            else:
                break
        else:
            raise RuleBug("steps follow one another without end")
        await self._finish()
        self._arm()
        self._wake_bots()

    def _speak_for_automatic(self) -> bool:
        """Answer for seats of a moment that have no stop there; not durable, since it follows from the record."""
        match, question = self._match, self._match.question
        seats = [seat for seat in match.automatic() if seat not in match.sealed]
        if question is None or not seats:
            return False
        for seat in seats:
            settings = match.record.settings.get(seat)
            order = settings.orders.get(question.kind) if settings is not None else None
            reply = order or question.asks[seat].default
            match.hold(Answered(seat, secrets.token_bytes(16), question.id, reply))
        return True

    async def _expire(self, expiry: Expiry) -> None:
        try:
            await self._commit(expiry)
        except RuleBug as bug:
            error = self._fault(bug)
            if expiry.question >= 0:
                await self._commit(Void(error))
            else:
                self.deadlines.observe(self._match, self._clock.now(), expiry.seat)

    async def _commit_or_void(self, cause: RoundOpened) -> None:
        try:
            await self._commit(cause)
        except RuleBug as bug:
            await self._commit(Void(self._fault(bug)))

    async def _commit(self, cause: AnyCause, id: bytes | None = None, actor: int = -1) -> None:
        step = await self._ledger.commit(cause, id)
        if not isinstance(cause, TableEvent):
            actor = cause.seat if isinstance(cause, Expiry) else actor
            self.deadlines.observe(self._match, self._clock.now(), actor)
        await self._publish(step)
        with suppress(StoreError):
            await self._ledger.keep_snapshot()

    async def _publish(self, step: Step[Any]) -> None:
        try:
            frames = self._projector.advance(step)
        except Exception as problem:
            # the step has happened: a presenter's fault may cost a picture, never the match
            self._log.error("presenter", problem=str(problem), exc_info=problem)
            self._show_afresh()
        else:
            await self.channels.publish(frames)
        self._table.clocks_changed()

    def _show_afresh(self) -> None:
        viewers = self.channels.viewers
        self._projector = Projector(self._match, secrets.token_hex(4))
        self.channels = Channels(self._projector, self._kept_frames)
        for viewer, seat in viewers.items():
            self.channels.attach(viewer, seat)

    async def _finish(self) -> None:
        result = self._match.result
        if result is not None and not self._over:
            await self._table.finished(result)
            self._over = True

    # Acts

    async def _act(
        self,
        seat: Seat,
        id: bytes,
        prompt: str,
        reply: Reply,
        done: Callable[[], None],
        refuse: Callable[[Refusal], None],
    ) -> None:
        try:
            await self._do(seat, id, prompt, reply)
        except IllegalIntent as refused:
            await self._refuse(id, refused.refusal, done, refuse)
        except AlreadyDone:
            done()
        except StoreError:
            refuse(_refusal("store/unavailable"))
            raise
        except (RuleDiverged, LogDamaged, LostMatch):
            refuse(_refusal("match/parked"))
            raise
        except Exception as bug:
            error = self._fault(bug)
            refuse(Refusal("rules/fault", Text("refuse.rules/fault", {"error": error})))
        else:
            done()

    async def _do(self, seat: Seat, id: bytes, prompt: str, reply: Reply) -> None:
        if self.is_parked:
            raise IllegalIntent("match/parked")
        if self._over:
            raise IllegalIntent("match/over")
        if reply.choice != SETTINGS:
            self._check_prompt(seat, prompt)
        cause = cause_of(self._match, seat, id, reply)
        if isinstance(cause, Answered) and not self._match.closes(cause):
            await self._ledger.seal(cause)
        else:
            await self._commit(cause, id, seat)

    def _check_prompt(self, seat: Seat, prompt: str) -> None:
        shown = self._projector.prompt(seat)
        if prompt != (shown.id if shown is not None else ""):
            raise IllegalIntent("stale")

    async def _refuse(
        self, id: bytes, refusal: Refusal, done: Callable[[], None], refuse: Callable[[Refusal], None]
    ) -> None:
        """No; unless it is a resend of what has been done already."""
        if await self._ledger.knows(id):
            done()
        else:
            refuse(refusal)

    def _fault(self, bug: Exception) -> str:
        error = secrets.token_hex(4)
        self._log.error("rules", error=error, problem=f"{type(bug).__name__}: {bug}", exc_info=bug)
        return error

    async def _detail(self, seat: Seat, request: DetailRequest, teller: Teller) -> None:
        try:
            self._check_prompt(seat, request.prompt)
            field = detail_for(self._match, seat, request.choice, request.fields)
        except IllegalIntent as refused:
            teller.say(Detail(request.id, None, refused.refusal.code, refused.refusal.text))
        except Exception as bug:
            error = self._fault(bug)
            teller.say(Detail(request.id, None, "rules/fault", Text("refuse.rules/fault", {"error": error})))
        else:
            teller.say(Detail(request.id, field))

    # Bots

    def _wake_bots(self) -> None:
        if self._over:
            return
        for seat, bot in self.bots.items():
            prompt = self._projector.prompt(seat)
            if bot.busy or prompt is None or not prompt.choices or seat in self._match.sealed:
                continue
            view = SeatView(self._match, seat, dict(self._projector.scene(seat)), prompt)
            bot.think(view, self._answer_of(bot, prompt.id), self._failure_of(bot))

    def _answer_of(self, bot: SeatedBot, prompt: str) -> Callable[[Reply], None]:
        def answer(reply: Reply) -> None:
            self._post(lambda: self._bot_acts(bot, prompt, reply))

        return answer

    def _failure_of(self, bot: SeatedBot) -> Callable[[Exception], None]:
        def failed(problem: Exception) -> None:
            async def give_up() -> None:
                self._fault(problem)
                bot.answered(None, "failed")
                await self._default_for(bot)

            self._post(give_up)

        return failed

    async def _bot_acts(self, bot: SeatedBot, prompt: str, reply: Reply) -> None:
        if self.bots.get(bot.seat) is not bot:
            return
        refusals: list[str] = []
        id = secrets.token_bytes(16)
        await self._act(bot.seat, id, prompt, reply, lambda: None, lambda refusal: refusals.append(refusal.code))
        bot.answered(reply, refusals[0] if refusals else "")
        if bot.refusals >= PATIENCE:
            await self._default_for(bot)

    async def _default_for(self, bot: SeatedBot) -> None:
        """The table never waits for a bot that finds nothing to do."""
        bot.refusals = 0
        question = self._match.question
        if question is not None and bot.seat in question.asks:
            answer = Answered(bot.seat, secrets.token_bytes(16), question.id, question.asks[bot.seat].default)
            if self._match.closes(answer):
                await self._expire(Expiry(question.id))
            else:
                await self._ledger.seal(answer)
        elif question is None and bot.seat in self._match.may_act():
            await self._expire(Expiry(-1, bot.seat))

    # The alarm

    def _arm(self) -> None:
        due = None if self.is_parked or self._over else self.deadlines.due(self._match, self._clock.now())
        if due is None:
            if self._alarm is not None:
                self._alarm.cancel()
                self._alarm = None
            return
        self._ring(due[0])

    def _ring(self, at: float) -> None:
        if self._alarm is not None:
            self._alarm.cancel()

        async def ring() -> None:
            await self._clock.sleep(at - self._clock.now())
            await self._queue.put(self._nothing)

        self._alarm = asyncio.create_task(ring())


def _refusal(code: str) -> Refusal:
    return Refusal(code, Text(f"refuse.{code}"))
