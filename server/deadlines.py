"""When windows close and time runs out. Reads no clock: every call says what time it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

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


class ClockWarning(NamedTuple):
    """At `at` these seats are to be told that the default is played at `due`."""

    at: float
    seats: tuple[int, ...]
    due: float


@dataclass
class Deadlines:
    """Deadlines of one match. `seconds` is the time for a decision (None: no clock at all), `reaction_seconds` the
    least of sealed windows, `banks` what each seat has in reserve, in seconds.

    A bank is drawn on where one seat alone is waited for: its turn, or a choice asked of it alone. Secret and joint
    questions last the same for all that they ask, so that the time spent tells nothing of who has answered.
    A table with no reaction time at all has chosen speed before secrecy of who answers when: its votes, too, close
    with the last answer; so they do where there is no clock.
    """

    seconds: float | None
    reaction_seconds: float
    banks: dict[int, float] = field(default_factory=dict)
    warning_seconds: float = 10.0
    time: StoppableTime = field(default_factory=StoppableTime)
    _question: int = -1
    _opened: float = 0.0
    _since: dict[int, float] = field(default_factory=dict)
    _draws: bool = False
    _warned: tuple[int, float] | None = None

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that the table waits for, as of the last settled step."""
        return tuple(sorted(self._since))

    def observe(self, match: Match[Any], now: float, actor: int = -1) -> tuple[int, ...]:
        """A step of `actor` (-1: of nobody) is settled: clocks of those asked anew begin.

        Returns the seats whose bank has become smaller.
        """
        question = match.question
        if question is not None and question.id == self._question:
            return ()
        passed = self.time.at(now)
        before, drew = self._since, self._draws
        if question is not None:
            self._question, self._opened = question.id, now
            self._since = {int(seat): passed for seat in question.asks}
            self._draws = len(question.asks) == 1 and question.window.kind == "choice" and not question.moment
        else:
            self._question = -1
            kept = {} if actor < 0 else {seat: t for seat, t in before.items() if seat != actor}
            self._since = {int(seat): kept.get(int(seat), passed) for seat in match.may_act()}
            self._draws = True
        return self._charge(before, passed) if drew else ()

    def _charge(self, before: dict[int, float], passed: float) -> tuple[int, ...]:
        """Take from the banks what decisions that are over have cost beyond their own time."""
        if self.seconds is None:
            return ()
        charged = []
        for seat, since in before.items():
            over = passed - since - self.seconds
            if over > 0 and self._since.get(seat) != since and self.banks.get(seat):
                self.banks[seat] = max(0.0, self.banks[seat] - over)
                charged.append(seat)
        return tuple(charged)

    def left(self, seats: int) -> tuple[int, ...]:
        """Milliseconds in the bank of each seat."""
        return tuple(_milli(self.banks.get(seat, 0.0)) for seat in range(seats))

    def stop(self) -> None:
        """Nobody is waited for any more."""
        self._since = {}

    def due(self, match: Match[Any], now: float) -> tuple[float, Expiry] | None:
        """When, in the clock's time, something expires next, and what; None where nothing will by itself."""
        question = match.question
        if question is not None and self.time.running and len(match.sealed) == len(question.asks):
            at_once = not self.reaction_seconds or self.seconds is None
            if question.window.kind == "sealed" or at_once:
                return self._opened + self.reaction_seconds, Expiry(question.id)
        return self._deadline(match, now)

    def _deadline(self, match: Match[Any], now: float) -> tuple[float, Expiry] | None:
        """When the time of somebody is up, whoever has answered in secret."""
        if not self._since or self.seconds is None or not self.time.running:
            return None
        ends = {seat: since + (self._patience(match, seat) or 0.0) for seat, since in self._since.items()}
        seat = min(ends, key=lambda s: (ends[s], s))
        question = match.question
        expiry = Expiry(-1, seat) if question is None else Expiry(question.id)
        return now + ends[seat] - self.time.at(now), expiry

    def _patience(self, match: Match[Any], seat: int) -> float | None:
        """How long this seat may take, its bank included; None where it may take for ever."""
        window = match.question.window if match.question is not None else None
        if self.seconds is None:
            return None
        if window is not None and window.kind == "vote":
            return window.seconds
        if window is not None and window.kind == "sealed":
            return max(self.seconds, self.reaction_seconds)
        return self.seconds + self._bank(seat)

    def _bank(self, seat: int) -> float:
        return self.banks.get(seat, 0.0) if self._draws else 0.0

    # Warnings

    def warning(self, match: Match[Any], now: float) -> ClockWarning | None:
        """The next warning; None where it has been given, or nobody's time runs."""
        due = self._deadline(match, now)
        if due is None:
            return None
        seats = (due[1].seat,) if due[1].question < 0 else self.waiting
        patience = self._patience(match, seats[0])
        if patience is None or self._warned == self._occasion(seats[0]):
            return None
        return ClockWarning(due[0] - min(self.warning_seconds, patience / 2), seats, due[0])

    def warned(self, seat: int) -> None:
        """The seats that are waited for with this one have been warned; once for each decision."""
        self._warned = self._occasion(seat)

    def _occasion(self, seat: int) -> tuple[int, float]:
        return seat, self._since.get(seat, 0.0)

    def views(self, match: Match[Any], now: float) -> tuple[ClockView, ...]:
        """The clocks as the table shows them: public facts alone, the same whoever has answered."""
        passed, shown = self.time.at(now), []
        for seat, since in sorted(self._since.items()):
            patience = self._patience(match, seat)
            left = -1 if patience is None or not self.time.running else _milli(since + patience - passed)
            bank = min(_milli(self._bank(seat)), max(left, 0))
            shown.append(ClockView(seat, _milli(passed - since), left, bank))
        return tuple(shown)


def _milli(seconds: float) -> int:
    return max(0, round(seconds * 1000))
