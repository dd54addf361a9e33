"""The activity of a table's people while it is in memory: who is here, and who lets their time run out."""

from __future__ import annotations

from server.lobby.table.presence import PresenceTracker


class SeatActivity:
    """Activity of all seats. Nothing here is durable: after a restart everybody has their grace again, and an open vote
    its full time."""

    def __init__(self, now: float) -> None:
        self.presence = PresenceTracker(now)
        self.defaults: dict[int, int] = {}
        """Defaults in a row that were played for a person, by seat."""
        self.idle: set[str] = set()
        """People whose programs are connected while they do nothing: a bot stands in for them."""
        self.vote_ends = 0.0
        """When the open vote closes, in the clock's time."""
        self.deserted_since: float | None = None
        """Since when bots alone have been here, in the clock's time."""
        self.emptied: set[int] = set()
        """Conceding seats that have nothing on the table any more."""
        self.rests_until: dict[str, float] = {}
        """Until when somebody who has lost a vote calls no other."""
        self.asked_about: dict[int, tuple[float, int]] = {}
        """For which absence, and which run of defaults, the table has asked whether a bot should play."""

    def arrived(self, who: str) -> None:
        """Note that this person has come to the table."""
        self.presence.arrived(who)
        self.idle.discard(who)

    def acted(self, who: str) -> bool:
        """Note that this person acts. Return True where they were thought to be idle."""
        was_idle = who in self.idle
        self.idle.discard(who)
        return was_idle

    def begin_anew(self, seat: int) -> None:
        """Count defaults of this seat from none on: its person acts, or it has another one. The table may ask anew."""
        self.defaults.pop(seat, None)
        self.asked_about.pop(seat, None)

    def occasion(self, seat: int, who: str, defaults: int) -> tuple[float, int] | None:
        """Return the absence, or the run of defaults, for which a bot may be asked for; None where it has been."""
        gone = 0.0 if self.presence.is_here(who) else self.presence.gone_at(who)
        found = gone, self.defaults.get(seat, 0) // defaults
        return None if self.asked_about.get(seat) == found else found
