"""When windows close and time runs out. Reads no clock: every call says what time it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.core.causes import Expiry
from protocol.from_server import ClockView

if TYPE_CHECKING:
    from engine.core.match import Match


class StoppableTime:
    """Seconds that pass only while someone is there."""

    def __init__(self) -> None:
        self._passed = 0.0
        self._since: float | None = None

    @property
    def running(self) -> bool:
        """Whether it passes."""
        return self._since is not None

    def at(self, now: float) -> float:
        """How much has passed."""
        return self._passed + (now - self._since if self._since is not None else 0.0)

    def run(self, now: float, on: bool) -> None:
        """Let it pass from now, or stop it."""
        if on and self._since is None:
            self._since = now
        elif not on and self._since is not None:
            self._passed += now - self._since
            self._since = None


@dataclass
class Deadlines:
    """Deadlines of one match. `seconds` is the time for a decision, `reaction_seconds` the least of sealed windows.

    A table with no reaction time at all has chosen speed before secrecy of who answers when: its votes, too, close
    with the last answer.
    """

    seconds: float
    reaction_seconds: float
    time: StoppableTime = field(default_factory=StoppableTime)
    _question: int = -1
    _opened: float = 0.0
    _since: dict[int, float] = field(default_factory=dict)

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that the table waits for, as of the last settled step."""
        return tuple(sorted(self._since))

    def observe(self, match: Match[Any], now: float, actor: int = -1) -> None:
        """A step of `actor` (-1: of nobody) is settled: clocks of those asked anew begin."""
        question = match.question
        passed = self.time.at(now)
        if question is not None:
            if question.id != self._question:
                self._question, self._opened = question.id, now
                self._since = {int(seat): passed for seat in question.asks}
            return
        self._question = -1
        waiting = [int(seat) for seat in match.may_act()]
        kept = {} if actor < 0 else {seat: t for seat, t in self._since.items() if seat != actor}
        self._since = {seat: kept.get(seat, passed) for seat in waiting}

    def due(self, match: Match[Any], now: float) -> tuple[float, Expiry] | None:
        """When, in the clock's time, something expires next, and what; None where nothing will by itself."""
        question = match.question
        if question is None:
            return self._turn_due(now)
        expiry = Expiry(question.id)
        answered = len(match.sealed) == len(question.asks)
        if answered and (question.window.kind == "sealed" or not self.reaction_seconds):
            return self._opened + self.reaction_seconds, expiry
        vote = question.window.kind == "vote"
        return self._left(
            self._first(), question.window.seconds if vote else self._patience(question.window.kind), now, expiry
        )

    def _patience(self, kind: str) -> float:
        return max(self.seconds, self.reaction_seconds) if kind == "sealed" else self.seconds

    def _first(self) -> float:
        return min(self._since.values(), default=0.0)

    def _turn_due(self, now: float) -> tuple[float, Expiry] | None:
        if not self._since:
            return None
        seat = min(self._since, key=lambda s: (self._since[s], s))
        return self._left(self._since[seat], self.seconds, now, Expiry(-1, seat))

    def _left(self, since: float, seconds: float, now: float, expiry: Expiry) -> tuple[float, Expiry] | None:
        if not self.time.running:
            return None
        return now + since + seconds - self.time.at(now), expiry

    def views(self, match: Match[Any], now: float) -> tuple[ClockView, ...]:
        """The clocks as the table shows them: public facts alone, the same whoever has answered."""
        passed, running = self.time.at(now), self.time.running
        question = match.question
        limit = self.seconds
        if question is not None:
            limit = question.window.seconds if question.window.kind == "vote" else self._patience(question.window.kind)
        return tuple(
            ClockView(seat, _milli(passed - since), _milli(since + limit - passed) if running else -1)
            for seat, since in sorted(self._since.items())
        )


def _milli(seconds: float) -> int:
    return max(0, round(seconds * 1000))
