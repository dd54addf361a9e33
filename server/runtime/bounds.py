"""Bounds: budgets of what a person, an address or the whole server may use in a time, hold, guess or fail at.

Limits are something else: fixed sizes of one message, table or process (protocol/limits.py, which also holds the sizes
of these budgets). The port answers at once from what it knows; an implementation that several processes share may be
behind by a second.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Final, Literal, NamedTuple, NoReturn, Protocol

from protocol.limits import HoldLimits, Limits, Rate, Rates
from protocol.token_buckets import PerKey, bucket_per_key
from server.runtime.clock import Clock
from server.runtime.failures import FailureWindow
from server.runtime.refusals import Refused

SLOTS: Final = 24
"""Slots of a rate's span: what was taken counts for up to a slot longer than the span."""
MINUTE: Final = 60
HOUR: Final = 3600
ANY: Final = 1e-9
"""Least amount that can be taken."""
Scope = Literal["person", "address", "server"]


class Asker(NamedTuple):
    """The sender of a request. `person`: their account, empty before the login."""

    person: str
    address: str


class Bounds(Protocol):
    """Counters of what is taken at a rate (`Limits.rates`), held (`Limits.held`) and guessed (`Limits.guesses`), each
    by its kind, and of failed sign-ins.

    A refusal is Refused("bound/KIND-SCOPE") with `most`, and of a rate `span` and `wait`: it names the bound.
    """

    def spend(self, kind: str, asker: Asker, amount: float = 1.0) -> None:
        """Take so much of a rate, in its unit; more than the whole rate counts as the whole rate.

        Raises Refused, and takes nothing, where so much is not left.
        """
        ...

    def spend_own(self, kind: str, person: str) -> None:
        """Take one of a person's own rate, where the address and the server have been counted before it was known who
        asks. Raises Refused, and takes nothing, where one is not left."""
        ...

    def afford_own(self, kind: str, person: str) -> None:
        """Raise Refused where nothing of a person's own rate is left."""
        ...

    def spend_together(self, kinds: Sequence[str], askers: Sequence[Asker]) -> None:
        """Take one of each of these rates for what these people start together: once of each of them, of each address,
        and in all. Raises Refused, and takes nothing, where one is not left."""
        ...

    def afford(self, kind: str, asker: Asker) -> None:
        """Raise Refused where nothing of a rate is left."""
        ...

    def charge(self, kind: str, asker: Asker, amount: float) -> None:
        """Take what has been used already, even where less is left."""
        ...

    def check(self, kind: str, asker: Asker) -> None:
        """Raise Refused where one more cannot be held."""
        ...

    def hold(self, kind: str, thing: str, person: str, address: str = "") -> None:
        """Count a thing as this person's, held from this address (empty: from where it was held before, if known). One
        that is held already changes hands."""
        ...

    def release(self, kind: str, thing: str) -> None:
        """Count a thing no more; ignore one that is not held."""
        ...

    def guess(self, kind: str, *guessers: str) -> bool:
        """Count a guess at a secret (`Limits.guesses`) by each of these accounts and addresses. Return False where one
        of them has guessed too often."""
        ...

    def may_sign_in(self, name: str, address: str) -> bool:
        """Return True where neither this name nor this address has failed too often lately."""
        ...

    def sign_in_begun(self, name: str, address: str) -> None:
        """Count a sign-in as failed until it is taken back, so that many at once get no further than one after
        another."""
        ...

    def sign_in_good(self, name: str, address: str) -> None:
        """Take back the newest failure of this name and of this address."""
        ...


class RateWindow:
    """The use of one rate within its span: at most `rate.most` in any `rate.seconds`, unless more is charged."""

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self.used = 0.0
        """Amount that counts, as of the last call."""
        self._width = rate.seconds / SLOTS
        self._slots: list[tuple[int, float]] = []
        self._newest = -1
        """Number of the slot of the last call; what was taken in it stands in `_taken`, and in no slot yet."""
        self._taken = 0.0

    def left(self, now: float) -> float:
        """Return how much can still be taken; negative where more was charged."""
        number = int(now / self._width)
        if number != self._newest:
            self._go_on(number)
        return self.rate.most - self.used

    def _go_on(self, number: int) -> None:
        """Make this slot the newest, and drop those that are too old."""
        slots = self._slots
        if self._taken:
            slots.append((self._newest, self._taken))
        self._newest, self._taken = number, 0.0
        while slots and slots[0][0] < number - SLOTS:
            self.used -= slots.pop(0)[1]
        if not slots:
            self.used = 0.0

    def take(self, now: float, amount: float) -> None:
        """Count so much as taken now; `left` must have been called for the same time."""
        self._taken += amount
        self.used += amount

    def wait(self, now: float, amount: float) -> float:
        """Return the seconds until so much can be taken."""
        missing, due = amount - self.left(now), now
        for number, taken in (*self._slots, (self._newest, self._taken)):
            if missing <= 0:
                break
            missing -= taken
            due = (number + SLOTS + 1) * self._width
        return due - now

    def is_forgiven(self, now: float) -> bool:
        """Return True where nothing counts any more."""
        return self.left(now) >= self.rate.most


class _Spent:
    """Windows of one kind of rate."""

    def __init__(self, rates: Rates) -> None:
        self._of_persons = _windows(rates.person)
        self._of_addresses = _windows(rates.address)
        self._of_server = RateWindow(rates.server) if rates.server is not None else None

    def of(self, asker: Asker, now: float) -> list[tuple[Scope, RateWindow]]:
        """Return the windows that count this request; those of a person only after the login."""
        found = self.of_person(asker.person, now)
        if self._of_addresses is not None:
            found.append(("address", self._of_addresses.of(asker.address, now)))
        if self._of_server is not None:
            found.append(("server", self._of_server))
        return found

    def of_person(self, person: str, now: float) -> list[tuple[Scope, RateWindow]]:
        """Return the window of this person alone, where there is one."""
        return [("person", self._of_persons.of(person, now))] if self._of_persons is not None and person else []


def _windows(rate: Rate | None) -> PerKey[RateWindow] | None:
    return None if rate is None else PerKey(lambda now: RateWindow(rate))


class _Held:
    """Held things of one kind."""

    def __init__(self, most: HoldLimits) -> None:
        self.most = most
        self.things: dict[str, Asker] = {}
        self.of_persons: Counter[str] = Counter()
        self.of_addresses: Counter[str] = Counter()

    def hold(self, thing: str, person: str, address: str) -> None:
        before = self.things.get(thing)
        self.release(thing)
        holder = Asker(person, address or (before.address if before is not None else ""))
        self.things[thing] = holder
        self.of_persons[holder.person] += 1
        self.of_addresses[holder.address] += 1

    def release(self, thing: str) -> None:
        holder = self.things.pop(thing, None)
        if holder is None:
            return
        for counts, key in ((self.of_persons, holder.person), (self.of_addresses, holder.address)):
            counts[key] -= 1
            if not counts[key]:
                del counts[key]


class MemoryBounds:
    """Bounds in the memory of this process, forgotten at its end.

    Held things are counted anew at the next start, from addresses that are not known then.
    """

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self._clock = clock
        self._spent = {kind: _Spent(rates) for kind, rates in limits.rates().items()}
        self._held = {kind: _Held(most) for kind, most in limits.held().items()}
        self._guesses = {kind: bucket_per_key(rate) for kind, rate in limits.guesses().items()}
        seconds = limits.failure_seconds
        self._failed_names = PerKey(lambda _: FailureWindow(limits.failures, seconds))
        self._failed_addresses = PerKey(lambda _: FailureWindow(limits.failures_per_address, seconds))

    def spend(self, kind: str, asker: Asker, amount: float = 1.0) -> None:
        now = self._clock.now()
        windows = self._spent[kind].of(asker, now)
        for scope, window in windows:
            if window.left(now) < min(amount, window.rate.most):
                _refuse_rate(kind, scope, window, now, min(amount, window.rate.most))
        for _, window in windows:
            window.take(now, amount)

    def spend_own(self, kind: str, person: str) -> None:
        self.afford_own(kind, person)
        now = self._clock.now()
        for _, window in self._spent[kind].of_person(person, now):
            window.take(now, 1.0)

    def afford_own(self, kind: str, person: str) -> None:
        now = self._clock.now()
        for scope, window in self._spent[kind].of_person(person, now):
            if window.left(now) < 1.0:
                _refuse_rate(kind, scope, window, now, 1.0)

    def spend_together(self, kinds: Sequence[str], askers: Sequence[Asker]) -> None:
        now = self._clock.now()
        for kind, asker in product(kinds, askers):
            for scope, window in self._spent[kind].of(asker, now):
                if window.left(now) < 1.0:
                    _refuse_rate(kind, scope, window, now, 1.0)
        taken: list[RateWindow] = []
        for kind, asker in product(kinds, askers):
            for _, window in self._spent[kind].of(asker, now):
                if window not in taken:
                    window.left(now)
                    window.take(now, 1.0)
                    taken.append(window)

    def afford(self, kind: str, asker: Asker) -> None:
        now = self._clock.now()
        for scope, window in self._spent[kind].of(asker, now):
            if window.left(now) <= 0:
                _refuse_rate(kind, scope, window, now, ANY)

    def charge(self, kind: str, asker: Asker, amount: float) -> None:
        now = self._clock.now()
        for _, window in self._spent[kind].of(asker, now):
            window.left(now)
            window.take(now, amount)

    def check(self, kind: str, asker: Asker) -> None:
        held = self._held[kind]
        if held.of_persons[asker.person] >= held.most.person:
            raise Refused(f"bound/{kind}-person", most=held.most.person)
        if held.of_addresses[asker.address] >= held.most.address:
            raise Refused(f"bound/{kind}-address", most=held.most.address)
        if len(held.things) >= held.most.server:
            raise Refused(f"bound/{kind}-server", most=held.most.server)

    def hold(self, kind: str, thing: str, person: str, address: str = "") -> None:
        self._held[kind].hold(thing, person, address)

    def release(self, kind: str, thing: str) -> None:
        self._held[kind].release(thing)

    def guess(self, kind: str, *guessers: str) -> bool:
        now = self._clock.now()
        taken = [self._guesses[kind].of(guesser, now).take(now) for guesser in guessers]
        return all(taken)

    def may_sign_in(self, name: str, address: str) -> bool:
        now = self._clock.now()
        return not any(failures.is_full(now) for failures in self._failures(name, address, now))

    def sign_in_begun(self, name: str, address: str) -> None:
        now = self._clock.now()
        for failures in self._failures(name, address, now):
            failures.add(now)

    def sign_in_good(self, name: str, address: str) -> None:
        now = self._clock.now()
        for failures in self._failures(name, address, now):
            failures.is_forgiven(now)
            failures.take_back()

    def _failures(self, name: str, address: str, now: float) -> tuple[FailureWindow, FailureWindow]:
        return self._failed_names.of(name, now), self._failed_addresses.of(address, now)


def _refuse_rate(kind: str, scope: Scope, window: RateWindow, now: float, amount: float) -> NoReturn:
    rate = window.rate
    span, wait = span_text(rate.seconds), span_text(window.wait(now, amount))
    raise Refused(f"bound/{kind}-{scope}", most=round(rate.most), span=span, wait=wait)


def span_text(seconds: float) -> str:
    """Return a span of time as people of all languages read it, rounded up: "40 s", "12 min", "3 h"."""
    whole = max(1, -int(-seconds // 1))
    if whole < 2 * MINUTE:
        return f"{whole} s"
    if whole < 2 * HOUR:
        return f"{-(-whole // MINUTE)} min"
    return f"{-(-whole // HOUR)} h"
