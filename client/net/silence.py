"""A server's silence: whether it has said anything since something was said to it. Needs no clock of its own."""

from __future__ import annotations

from typing import Final

ASKED_AFTER: Final = 1.0
"""Seconds of silence after which the server is asked whether it is there, since not all that is said has an answer."""
SILENT_AFTER: Final = 3.0
"""Seconds of silence after which the person is told."""


class Silence:
    """Seconds since something was said that nothing has followed. Times are of one clock, in seconds."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._has_asked = False

    def said(self, now: float) -> None:
        """Take note that something was said."""
        if self._since is None:
            self._since, self._has_asked = now, False

    def heard(self) -> None:
        """Take note that the server has said something, or that the link has ended."""
        self._since = None

    def asks(self, now: float) -> bool:
        """Return True, once in each silence, when it is time to ask whether the server is there."""
        if self._since is None or self._has_asked or now - self._since < ASKED_AFTER:
            return False
        self._has_asked = True
        return True

    def is_long(self, now: float) -> bool:
        """Return True if it is time to tell the person."""
        return self._since is not None and now - self._since >= SILENT_AFTER
