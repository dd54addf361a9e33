"""The presence of a table's people: who is here, and since when the others are not. Every call says the time."""

from __future__ import annotations

from collections.abc import Iterable


class PresenceTracker:
    """Presence by id of person. One who has not been seen since `now` has been away since then."""

    def __init__(self, now: float) -> None:
        self._since = now
        self._gone: dict[str, float] = {}
        self._here: set[str] = set()

    def arrived(self, who: str) -> None:
        """Note that a connection of this person looks at the table."""
        self._here.add(who)
        self._gone.pop(who, None)

    def left(self, who: str, now: float) -> None:
        """Note that this person looks at the table no more."""
        self._here.discard(who)
        self._gone[who] = now

    def forget(self, who: str) -> None:
        """Forget a person without a seat who looks at the table no more."""
        self._here.discard(who)
        self._gone.pop(who, None)

    def begin_anew(self, now: float) -> None:
        """Give those who are away their grace again: the table goes on after a rest."""
        self._since = now
        self._gone.clear()

    def away(self, who: str, now: float) -> float:
        """Return the seconds since this person was here; 0 for one who is."""
        return 0.0 if who in self._here else max(now - self._gone.get(who, self._since), 0.0)

    def gone_at(self, who: str) -> float:
        """Return the time since which this person is away."""
        return self._gone.get(who, self._since)

    def is_here(self, who: str) -> bool:
        """Return True where this person is connected to the table."""
        return who in self._here

    def returns(self, people: Iterable[str], seconds: Iterable[float], now: float) -> float | None:
        """Return the next time at which one of `people` will have been away for one of these spans; None where nobody
        is."""
        marks = tuple(seconds)
        found = [self._gone.get(who, self._since) + mark for who in people if who not in self._here for mark in marks]
        return min((at for at in found if at > now), default=None)
