"""The warning that the person's time runs out."""

from __future__ import annotations

from typing import Final

from protocol.wire.from_server import TableView

DELAY: Final = 2.0
"""Seconds by which a clock may come late and is still the one that was warned of."""


def time_up(table: TableView | None, came: float) -> float:
    """Return when the person's own clock runs out, 0 where it does not run. `came`: when the table's clocks came, in
    seconds of the session's clock."""
    if table is None:
        return 0.0
    left = next((clock.left for clock in table.clocks if clock.seat == table.seat and clock.left >= 0), -1)
    return came + left / 1000 if left >= 0 else 0.0


class TimeWarning:
    """The last warning of the person's clock. `until`: when the time runs out, in seconds of the session's clock, 0
    where none holds."""

    def __init__(self) -> None:
        self.until = 0.0
        self._clock = 0.0
        """When the clock that it is about runs out."""

    def take(self, until: float, own: float) -> None:
        """Take a warning; `own`: when the person's clock runs out."""
        self.until = until
        self._clock = max(until, own)

    def heed(self, own: float) -> None:
        """Take the person's clock as it is now: the warning goes where it does not run any more, or was started anew.
        A question to several seats ends with the first clock, before one's own."""
        if not 0.0 < own <= self._clock + DELAY:
            self.until = 0.0

    def forget(self) -> None:
        """Drop the warning: the person is at another table."""
        self.until = 0.0
