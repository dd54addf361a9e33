"""Days and times in words of the language that the program speaks."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from client.text.spoken import SPOKEN

LATEST: Final = 1 << 33
"""Latest Unix time that is shown: a server may tell any."""


def day_of(when: int) -> str:
    """Return the day of a Unix time where the viewer is, of one out of bounds the nearest within them."""
    return SPOKEN.day(_local(when))


def time_of(when: int) -> str:
    """Return the day and the minute of a Unix time where the viewer is, within the same bounds."""
    return SPOKEN.minute(_local(when))


def noted_day(day: str) -> str:
    """Return a day that this program has written down (ISO 8601) in words; what is none as it is."""
    try:
        return SPOKEN.day(datetime.fromisoformat(day))
    except ValueError:
        return day


def _local(when: int) -> datetime:
    return datetime.fromtimestamp(min(max(when, 0), LATEST))
