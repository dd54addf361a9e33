"""Short stacks in the debug mode of asyncio, which keeps where each future, task and callback was made."""

from __future__ import annotations

import asyncio.constants
import traceback
from collections.abc import Iterable, Iterator
from itertools import islice
from traceback import FrameSummary, StackSummary
from types import FrameType
from typing import Final

DEPTH: Final = 3
"""Frames kept of each: the call and its two callers. Whole stacks with their source lines took 40 percent of the CPU
time of the tests that wait, and to look whether the sources had changed a fifth of what was left."""

_walk_stack = traceback.walk_stack


def shorten() -> None:
    """Keep no more than DEPTH frames of a stack from now on, whose source lines are read where it is printed.
    Tracebacks of exceptions stay whole."""
    asyncio.constants.DEBUG_STACK_DEPTH = DEPTH  # type: ignore[misc]  # a constant of the library
    traceback.walk_stack = _walk_briefly  # type: ignore[assignment]  # the same for whoever calls it
    StackSummary.extract = classmethod(_extract_briefly)  # type: ignore[method-assign,assignment]  # as above


def _walk_briefly(frame: FrameType | None) -> Iterator[tuple[FrameType, int]]:
    return _walk_stack(None) if frame is None else islice(_walk_stack(frame), DEPTH)


def _extract_briefly(
    summary: type[StackSummary], /, frames: Iterable[tuple[FrameType, int]], *, limit: int | None = None, **_: object
) -> StackSummary:
    """Return frames without a look at their sources."""
    return summary(
        FrameSummary(frame.f_code.co_filename, line, frame.f_code.co_name, lookup_line=False)
        for frame, line in islice(frames, limit)
    )
