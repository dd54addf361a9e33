"""A match played in memory by programs: for simulation, tests and search. Windows close as soon as all have
answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Generic, TypeVar

from engine.core.bots.bot import Bot, run_inline
from engine.core.match.causes import Answered, AnyCause, Expiry, RoundOpened, Start
from engine.core.match.folded_match import Step
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.questions import Question
from engine.core.view.projection import Projector, SceneChanges
from engine.core.view.prompts import cause_of, detail_for
from protocol.ids import NodeId
from protocol.scene.fields import AnyField
from protocol.scene.nodes import AnyNode, Prompt, Reply

S = TypeVar("S")

MOST_REFUSALS: Final = 30
"""The number of refused replies in a row after which the seat's time counts as run out."""


class SelfPlayView(Generic[S]):
    """The view of a bot in this process: the same nodes and prompt as over the wire."""

    def __init__(self, play: SelfPlay[S], seat: Seat, prompt: Prompt) -> None:
        self.seat = int(seat)
        self.prompt = prompt
        self._play = play

    @property
    def nodes(self) -> Mapping[NodeId, AnyNode]:
        """The scene by node id."""
        return self._play.projector.scene(Seat(self.seat))

    @property
    def known(self) -> S:
        """The state as the seat knows it."""
        return self._play.match.known(Seat(self.seat))

    async def detail(self, choice: str, fields: Mapping[str, object], *, bare: bool = False) -> AnyField | None:
        """Return the next field of a choice; None where it is refused."""
        try:
            return detail_for(self._play.match, Seat(self.seat), choice, fields, bare=bare)
        except IllegalIntent:
            return None

    def is_due(self) -> bool:
        """Return False: there is no deadline."""
        return False


class SelfPlay(Generic[S]):
    """The driver of one match. `on_step` is called with every settled step and the changes of each viewer's scene;
    without `watched`, where only bots look at the table, those changes are not worked out."""

    def __init__(
        self,
        match: Match[S],
        on_step: Callable[[Step[S], SceneChanges | None], None] | None = None,
        *,
        watched: bool = True,
    ) -> None:
        self.match = match
        self.projector: Projector[S]
        self.intents = 0
        self._on_step = on_step
        self._watched = watched
        self._refusals = 0

    def begin(self, start: Start) -> None:
        """Start the match. The first step has no changes of scenes: viewers begin with the picture after it."""
        first = self._settle(start)
        self.projector = Projector(self.match, "play", watched=self._watched)
        if self._on_step:
            self._on_step(first, None)
        self._open_rounds()

    def submit(self, seat: Seat, reply: Reply, id: bytes = bytes(16)) -> None:
        """Play a reply of this seat, as from its client. Raises IllegalIntent."""
        cause = cause_of(self.match, seat, id, reply)
        if not isinstance(cause, Answered) or self.match.closes(cause):
            self.do(cause)
        elif self.match.hold(cause):
            self.do(Expiry(question=cause.question))
        self.intents += 1

    def do(self, cause: AnyCause) -> None:
        """Play one step, and the rounds of dice that it stops for. Raises IllegalIntent, RuleBug."""
        self._tell(self._settle(cause))
        self._open_rounds()

    def expire(self) -> None:
        """Let time run out for whatever the table waits for."""
        question = self.match.question
        if question is not None:
            self.do(Expiry(question=question.id))
        else:
            self.do(Expiry(seat=self.match.may_act()[0]))

    def decide(self, bots: Mapping[Seat, Bot]) -> bool:
        """Play one decision of one bot that the table waits for; return False when the match is over."""
        seat = self.next_seat()
        prompt = self.projector.prompt(seat) if seat is not None else None
        if seat is None or prompt is None or not prompt.choices:
            return False
        bot = bots[seat]
        reply = run_inline(bot.decide(SelfPlayView(self, seat, prompt)))
        try:
            self.submit(seat, reply)
            self._refusals = 0
        except IllegalIntent as refused:
            bot.refused(reply, refused.refusal.code)
            self._refusals += 1
            if self._refusals >= MOST_REFUSALS:
                self._refusals = 0
                self.expire()
        return True

    def play(self, bots: Mapping[Seat, Bot], most: int = 100_000) -> None:
        """Play to the end, at most `most` decisions."""
        for _ in range(most):
            if not self.decide(bots):
                return

    def next_seat(self) -> Seat | None:
        """Return the first seat that has not answered, or may act; None when the match is over."""
        question: Question | None = self.match.question
        if question is not None:
            return next(seat for seat in question.asks if seat not in self.match.sealed)
        waiting = self.match.may_act()
        return waiting[0] if waiting else None

    def _settle(self, cause: AnyCause) -> Step[S]:
        step = self.match.propose(cause)
        self.match.settle(step)
        return step

    def _tell(self, step: Step[S]) -> None:
        frames: SceneChanges | None = None
        if self._watched:
            frames = self.projector.advance(step)
        else:
            self.projector.invalidate()
        if self._on_step:
            self._on_step(step, frames)

    def _open_rounds(self) -> None:
        while self.match.wants_round:
            self._tell(self._settle(RoundOpened()))
