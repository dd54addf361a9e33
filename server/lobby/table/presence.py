"""Who of a table's people is here, and since when the others are not. Reads no clock: every call says the time."""

from __future__ import annotations

from collections.abc import Iterable


class PresenceTracker:
    """People by id. Who has not been seen since `now` has been away since then."""

    def __init__(self, now: float) -> None:
        self._since = now
        self._gone: dict[str, float] = {}
        self._here: set[str] = set()

    def arrived(self, who: str) -> None:
        """A connection of this person looks at the table."""
        self._here.add(who)
        self._gone.pop(who, None)

    def left(self, who: str, now: float) -> None:
        """It does no more."""
        self._here.discard(who)
        self._gone[who] = now

    def forget(self, who: str) -> None:
        """It does no more, and nobody will ask since when: this person has no seat."""
        self._here.discard(who)
        self._gone.pop(who, None)

    def begin_anew(self, now: float) -> None:
        """The table goes on after a rest: those who are away have their grace again."""
        self._since = now
        self._gone.clear()

    def away(self, who: str, now: float) -> float:
        """Seconds since this person was here; 0 for one who is."""
        return 0.0 if who in self._here else max(now - self._gone.get(who, self._since), 0.0)

    def gone_at(self, who: str) -> float:
        """Since when this person is away."""
        return self._gone.get(who, self._since)

    def is_here(self, who: str) -> bool:
        """Whether this person is connected to the table."""
        return who in self._here

    def returns(self, people: Iterable[str], seconds: Iterable[float], now: float) -> float | None:
        """When one of `people` will next have been away for one of these times; None where nobody is."""
        marks = tuple(seconds)
        found = [self._gone.get(who, self._since) + mark for who in people if who not in self._here for mark in marks]
        return min((at for at in found if at > now), default=None)
