"""The wishes of a table's players for the pace of its bots: the slowest holds."""

from __future__ import annotations

from collections.abc import Callable

from server.lobby.table.table_record import TableRecord
from server.match.bots.pace import ActPace
from server.runtime.clock import Clock


class BotWishes:
    """Wishes of one table, by person, kept in memory alone. `record` gives the table as it is; `fixed`: the seconds of
    a server that hurries, or does not, whatever anybody wishes."""

    def __init__(self, record: Callable[[], TableRecord], clock: Clock, fixed: float | None) -> None:
        self._record = record
        self._wishes: dict[str, int] = {}
        self.pace = ActPace(clock, self.milliseconds / 1000, fixed)

    @property
    def milliseconds(self) -> int:
        """The pace now: the slowest wish of those who play, or what the table says."""
        record = self._record()
        return max((self._wishes[who] for who in record.people if who in self._wishes), default=record.bot_pace)

    def wish(self, who: str, milliseconds: int) -> None:
        """Take the wish of a person."""
        self._wishes[who] = milliseconds
        self.changed()

    def changed(self) -> None:
        """Take note of another wish, or of other players."""
        self.pace.seconds = self.milliseconds / 1000
