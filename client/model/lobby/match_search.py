"""Search for players by a quick match: what is wished for, how the search stands, and the match that is offered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec.structs import replace

from protocol.text import Text
from protocol.wire.from_client import ConfirmMatch, FillWithBots, Message, SeekMatch, StopSeeking
from protocol.wire.quick_match import MatchOffered, Seeking

FILL_SECONDS: Final = 60.0
"""Seconds after which bots may fill the seats."""
MOST_LISTS: Final = 4
LIST_BYTES: Final = 12_000
"""Of all army lists together, so that they fit into one message."""
LINES, LETTERS = 250, 200
"""Most lines of a list that can be sent, and letters of a line."""


class MatchSearch:
    """Search of one session. `say` sends a message, `tell` shows words of the server, `clock` gives seconds."""

    def __init__(
        self, say: Callable[[Message], object], tell: Callable[[Text], object], clock: Callable[[], float]
    ) -> None:
        self._say = say
        self._tell = tell
        self._clock = clock
        self._began = 0.0
        self._due = 0.0
        self.is_known = False
        """True where the server puts people together."""
        self.is_on = False
        self.offer: MatchOffered | None = None
        self.systems: set[str] | None = None
        """Systems that are wished for; None: all that the server has."""
        self.seats: set[int] = {2, 3, 4, 5, 6}
        self.mail = False
        self.rated = False
        self.ranked = False

    def begin(self, *, is_known: bool) -> None:
        """Begin on a new link: a search ends with the one before."""
        self.is_known, self.is_on, self.offer = is_known, False, None

    def seek(self, systems: Sequence[str], lists: Sequence[str]) -> None:
        """Look for players for a match of one of these systems, with these army lists, as files have them."""
        wish = SeekMatch(systems=list(systems), seats=sorted(self.seats), lists=sendable(lists))
        terms = {"ranked": True} if self.ranked else {"mail": self.mail, "rated": self.is_rated}
        self._say(replace(wish, **terms))

    def stop(self) -> None:
        """Look no more, or refuse the match that is offered."""
        self._say(StopSeeking())

    def leave(self) -> None:
        """Look no more where one goes to a table by another way."""
        if self.is_on:
            self.stop()

    def confirm(self) -> None:
        """Consent to the match that is offered."""
        if self.offer is not None:
            self._say(ConfirmMatch(match=self.offer.id))

    def fill(self) -> None:
        """Play against bots."""
        self._say(FillWithBots())

    def take(self, message: Seeking | MatchOffered) -> None:
        """Take how the search stands, or an offer."""
        if isinstance(message, MatchOffered):
            self.offer, self._due = message, self._clock() + message.left / 1000
            return
        self.is_on, self.offer = message.on, None
        self._began = self._clock() - message.waited / 1000
        if message.why is not None:
            self._tell(message.why)

    @property
    def is_rated(self) -> bool:
        """True where the match is to count for ratings, as none by mail does."""
        return self.ranked or (self.rated and not self.mail)

    @property
    def waited(self) -> float:
        """Seconds of the search so far."""
        return self._clock() - self._began

    @property
    def left(self) -> float:
        """Seconds to confirm the match that is offered."""
        return max(self._due - self._clock(), 0.0)

    @property
    def may_fill(self) -> bool:
        """True where bots may fill the seats: they play in no ranked match."""
        return self.is_on and not self.ranked and self.offer is None and self.waited >= FILL_SECONDS


def sendable(lists: Sequence[str]) -> list[list[str]]:
    """Return the first army lists that fit into a message, by their lines."""
    found: list[list[str]] = []
    room = LIST_BYTES
    for written in lists:
        lines, size = written.splitlines(), len(written.encode())
        if (
            len(found) < MOST_LISTS
            and size <= room
            and len(lines) <= LINES
            and max(map(len, lines), default=0) <= LETTERS
        ):
            found.append(lines)
            room -= size
    return found
