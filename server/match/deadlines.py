"""The clocks of a match: when windows close, time runs out and warnings are due. Every call says the time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import msgspec

from engine.core.match.causes import Expiry
from engine.core.match.match import Match
from engine.core.rules.questions import Question
from protocol.wire.from_server import ClockView

NO_SEAT: Final = -2


class StoppableTime:
    """Seconds that pass only while someone is there."""

    def __init__(self) -> None:
        self.running = False
        """Whether it passes."""
        self._passed = 0.0
        self._since = 0.0

    def at(self, now: float) -> float:
        """Return the seconds that have passed."""
        return self._passed + (now - self._since) if self.running else self._passed

    def run(self, now: float, *, on: bool) -> None:
        """Let time pass from now on, or stop it."""
        if self.running != on:
            self._passed, self._since, self.running = self.at(now), now, on


class DueWarning(msgspec.Struct, frozen=True):
    """A warning: at `at` these seats are to be told that the default is played at `due`."""

    at: float
    seats: tuple[int, ...]
    due: float


class Due(NamedTuple):
    """The expiry that happens at `at`, in the clock's time."""

    at: float
    expiry: Expiry


@dataclass(frozen=True)
class TimeSettings:
    """The times of a table, in seconds. `decision`: for one decision, None without a clock; `reaction`: the least of a
    sealed window; `banks`: the reserve of each seat; `warning`: how long before the end a seat is warned; `delayed`:
    how far behind the delayed view is, None where there is none."""

    decision: float | None = 60.0
    reaction: float = 3.0
    banks: Mapping[int, float] = field(default_factory=dict)
    warning: float = 10.0
    delayed: float | None = None


class Agenda(msgspec.Struct, frozen=True):
    """The next expiry, None where nothing expires by itself; and the next warning, None where it has been given or no
    seat's time runs."""

    due: Due | None
    warning: DueWarning | None

    @property
    def at(self) -> float | None:
        """Time of the first of them, None where there is neither."""
        if self.due is None or self.warning is None:
            return self.due.at if self.due is not None else None
        return min(self.due.at, self.warning.at)


@dataclass
class Deadlines:
    """Deadlines of one match. `seconds` is the time for a decision (None: no clock at all), `reaction_seconds` the
    least of sealed windows, `banks` what each seat has in reserve, in seconds.

    A bank is drawn on where one seat alone is waited for: its turn, or a choice asked of it alone. Secret and joint
    questions last the same for all that they ask, so that the time spent tells nothing of who has answered.
    Time is given for what is done, not for what is done again: an undo gives none, nor does an act that takes the place
    of one that was taken back.
    A table with no reaction time at all has chosen speed before secrecy of who answers when: its votes, too, close
    with the last answer; so they do where there is no clock.
    """

    seconds: float | None
    reaction_seconds: float
    banks: dict[int, float] = field(default_factory=dict)
    warning_seconds: float = 10.0
    time: StoppableTime = field(default_factory=StoppableTime)
    waiting: tuple[int, ...] = ()
    """The seats that the table waits for, as of the last settled step."""
    _question: int = -1
    _opened: float = 0.0
    _since: dict[int, float] = field(default_factory=dict)
    _patience: dict[int, float] = field(default_factory=dict)
    """How long the seats that are waited for may take, banks included; nothing where they may take for ever."""
    _first: tuple[float, int] | None = None
    """When the first of them has to be ready, in stoppable time, and which."""
    _early: float = 0.0
    """How long before that its seat is to be warned; 0 once it has been."""
    _draws: bool = False
    _warned: tuple[int, float] | None = None
    _left: tuple[int, ...] = ()
    _acts: dict[int, int] = field(default_factory=dict)
    """By seats whose acts can be taken back, for how many of them in a row time has been given."""

    def observe(self, match: Match[Any], now: float, actor: int = -1, *, undone: bool = False) -> tuple[int, ...]:
        """A step of `actor` (-1: of nobody) is settled: clocks of those asked anew begin. `undone`: it took back an
        act.

        Returns the seats whose bank has become smaller.
        """
        question = match.question
        if question is not None and question.id == self._question:
            return ()
        passed = self.time.at(now)
        before, drew = self._since, self._draws
        if question is not None:
            self._question, self._opened = question.id, now
            asked = [int(seat) for seat in question.asks]
            self._draws = len(asked) == 1 and question.window.kind == "choice" and not question.moment
            # a secret or joint question lasts the same for all that it asks, whoever has acted again
            again = self._seat_done_again(match) if self._draws else NO_SEAT
            self._since = {seat: before[seat] if seat == again and seat in before else passed for seat in asked}
        else:
            self._question = -1
            self._since = {}
            acted = actor if self._is_new(match, actor, undone=undone) else NO_SEAT
            for seat in match.may_act():
                goes_on = actor >= 0 and seat != acted and seat in before
                self._since[seat] = before[seat] if goes_on else passed
            self._draws = True
        self.waiting = tuple(sorted(self._since))
        charged = self._charge(before, passed) if drew else ()
        self._measure_out(question)
        return charged

    def set_time(self, match: Match[Any], seconds: float | None, now: float) -> bool:
        """Give this time for each decision from now on (None: no clock), and the whole of it to those who are waited
        for. Return False where nothing changes."""
        if seconds == self.seconds:
            return False
        self.seconds = seconds
        self._since = dict.fromkeys(self._since, self.time.at(now))
        self._measure_out(match.question)
        return True

    def _is_new(self, match: Match[Any], actor: int, *, undone: bool) -> bool:
        """Return True where no time has been given before for the act just done."""
        if undone:
            return False
        if not self._acts and not match.undo.points:
            return True
        depth, reached = match.undo.depth(actor), self._acts.get(actor, 0)
        if not match.is_apart:
            self._acts = {seat: given for seat, given in self._acts.items() if match.undo.depth(seat)}
        if depth:
            self._acts[actor] = max(depth, reached)
        return depth == 0 or depth > reached

    def _seat_done_again(self, match: Match[Any]) -> int:
        """Return the seat whose act that waits for an answer takes the place of one for which time was given, NO_SEAT
        where it takes none."""
        seat = match.pending.seat if match.pending is not None else NO_SEAT
        return seat if match.undo.depth(seat) < self._acts.get(seat, 0) else NO_SEAT

    def _measure_out(self, question: Question | None) -> None:
        self._patience, self._first = {}, None
        own = self.seconds if question is None else self._own_time(question)
        if own is None:
            return
        banks = self.banks if self._draws else {}
        for seat in self.waiting:
            left = self._patience[seat] = own + banks.get(seat, 0.0) if banks else own
            ready = self._since[seat] + left, seat
            if self._first is None or ready < self._first:
                self._first = ready
        self._look_ahead()

    def _own_time(self, question: Question) -> float | None:
        """Return the seconds that each seat asked may take, banks apart; None for ever. A question to those who are
        connected keeps its time at a table without a clock, too: the others do not wait for it any longer."""
        window = question.window
        if window.kind == "vote" and (self.seconds is not None or window.present):
            return window.seconds
        if window.kind == "sealed" and self.seconds is not None:
            return max(self.seconds, self.reaction_seconds)
        return self.seconds

    def _look_ahead(self) -> None:
        if self._first is not None:
            seat = self._first[1]
            is_warned = self._warned == (seat, self._since[seat])
            self._early = 0.0 if is_warned else min(self.warning_seconds, self._patience[seat] / 2)

    def _charge(self, before: dict[int, float], passed: float) -> tuple[int, ...]:
        """Take from the banks what decisions that are over have cost beyond their own time."""
        if self.seconds is None or not self.banks:
            return ()
        charged = []
        for seat, since in before.items():
            over = passed - since - self.seconds
            if over > 0 and self._since.get(seat) != since and self.banks.get(seat):
                self.banks[seat] = max(0.0, self.banks[seat] - over)
                self._left = ()
                charged.append(seat)
        return tuple(charged)

    def left(self, seats: int) -> tuple[int, ...]:
        """Return the milliseconds in the bank of each seat."""
        if len(self._left) != seats:
            self._left = tuple(self.bank(seat) for seat in range(seats))
        return self._left

    def bank(self, seat: int) -> int:
        """Return the milliseconds in the bank of this seat."""
        return _milli(self.banks.get(seat, 0.0))

    def stop(self) -> None:
        """Wait for no seat any more."""
        self._since, self.waiting, self._patience, self._first = {}, (), {}, None

    def at(self, match: Match[Any], now: float) -> float | None:
        """Return the time at which `next` has something due, None where nothing will be by itself. Every step asks
        this."""
        if match.question is not None:
            return self.next(match, now).at
        if self._first is None or not self.time.running:
            return None
        return now + self._first[0] - self.time.at(now) - self._early

    def next(self, match: Match[Any], now: float) -> Agenda:
        """Return what time brings next, in the clock's time."""
        deadline = self._deadline(match, now)
        return Agenda(self._due(match, deadline), self._warning(deadline))

    def _due(self, match: Match[Any], deadline: Due | None) -> Due | None:
        question = match.question
        if question is not None and self.time.running and len(match.sealed) == len(question.asks):
            at_once = not self.reaction_seconds or self.seconds is None
            if question.window.kind == "sealed" or at_once:
                return Due(self._opened + self.reaction_seconds, Expiry(question.id))
        return deadline

    def _deadline(self, match: Match[Any], now: float) -> Due | None:
        """Return the expiry of the seat whose time is up first, whoever has answered in secret."""
        first = self._first
        if first is None or not self.time.running:
            return None
        question = match.question
        expiry = Expiry(-1, first[1]) if question is None else Expiry(question.id)
        return Due(now + first[0] - self.time.at(now), expiry)

    # Warnings

    def _warning(self, deadline: Due | None) -> DueWarning | None:
        if deadline is None or not self._early:
            return None
        seats = (deadline.expiry.seat,) if deadline.expiry.question < 0 else self.waiting
        return DueWarning(deadline.at - self._early, seats, deadline.at)

    def warned(self) -> None:
        """Note that the seats whose time is up first have been warned; once for each decision."""
        if self._first is not None:
            seat = self._first[1]
            self._warned = seat, self._since[seat]
            self._look_ahead()

    def views(self, now: float) -> tuple[ClockView, ...]:
        """Return the clocks as the table shows them: public facts alone, the same whoever has answered."""
        passed, shown = self.time.at(now), []
        for seat in self.waiting:
            since = self._since[seat]
            runs = self.time.running and seat in self._patience
            left = _milli(since + self._patience[seat] - passed) if runs else -1
            bank = min(self.bank(seat), left) if self.banks and self._draws and left > 0 else 0
            shown.append(ClockView(seat, _milli(passed - since), left, bank))
        return tuple(shown)


def _milli(seconds: float) -> int:
    return round(seconds * 1000) if seconds > 0 else 0
