"""Days and times in words."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

LATEST: Final = 1 << 33
"""Latest Unix time that is shown: a server may tell any."""


def day_of(when: int) -> str:
    """Return the day of a Unix time where the viewer is (ISO 8601), of one out of bounds the nearest within them."""
    return date.fromtimestamp(min(max(when, 0), LATEST)).isoformat()


def time_of(when: int) -> str:
    """Return the day and the minute of a Unix time where the viewer is, within the same bounds."""
    return f"{datetime.fromtimestamp(min(max(when, 0), LATEST)):%Y-%m-%d %H:%M}"
