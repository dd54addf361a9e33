"""Named points on an intent's way into the log, at each of which the fault tests kill a server.

A server may be given a function that is called at each point; by default nothing is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, get_args

CrashPoint = Literal[
    "received",
    "proposed",
    "answers-remembered",
    "begun",
    "inserted",
    "answers-dropped",
    "executed",
    "committed",
    "answer-sealed",
    "appended",
    "settled",
    "told",
]
"""In the order in which an intent passes them; `begun` to `committed` in the store's thread, once a transaction."""

CRASH_POINTS: Final[tuple[CrashPoint, ...]] = get_args(CrashPoint)
UNTOLD: Final[tuple[CrashPoint, ...]] = ("committed", "answer-sealed", "appended", "settled", "told")
"""Points at which something is durable that its sender has not been told of."""

Mark = Callable[[CrashPoint], None]


def unmarked(point: CrashPoint) -> None:
    """Ignore a point."""
