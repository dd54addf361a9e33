"""Announcements of the host and of moderators as the server tells of them, and which of them the person has read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from protocol.wire.order import AnnouncementRow, Announcements

SOON_SECONDS: Final = 60.0
"""Before the moment that one is about, from which on it is shown again to those who have read it."""


class AnnouncementsHeard:
    """Announcements of one session, the newest first. `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._heard_at = 0.0
        self._read: set[str] = set()
        self.rows: Sequence[AnnouncementRow] = ()

    def begin(self) -> None:
        """Begin on a new link: a server that has any tells of them anew."""
        self.rows = ()

    def take(self, message: Announcements) -> None:
        """Take all that stand now."""
        self.rows, self._heard_at = message.rows, self._clock()

    def left(self, row: AnnouncementRow) -> float | None:
        """Return the seconds until the moment that one is about, None where it is about none."""
        return max(row.left / 1000 - (self._clock() - self._heard_at), 0.0) if row.left >= 0 else None

    def unread(self) -> AnnouncementRow | None:
        """Return the newest that the person has not read, None where there is none."""
        return next((row for row in self.rows if self.mark_of(row) not in self._read), None)

    def read(self, row: AnnouncementRow) -> None:
        """Note that the person has read one."""
        self._read.add(self.mark_of(row))

    def read_own(self, text: str) -> None:
        """Note that the person has read what they have announced themselves."""
        for row in self.rows:
            if row.text == text:
                self.read(row)

    def mark_of(self, row: AnnouncementRow) -> str:
        """Return a name for one as it is now, which it shares with no other nor with itself when its moment is near."""
        left = self.left(row)
        return f"{row.id} {left is not None and left <= SOON_SECONDS}"
