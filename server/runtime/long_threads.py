"""Long work of the interpreter in a thread, which gives the interpreter back to the loop soon and often."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

SWITCH_SECONDS: Final = 0.0005
"""How long such a thread keeps the interpreter from the loop. With the interpreter's own 5 ms, an act that needs it
some ten times waits 50 to 100 ms for its answer."""

P = ParamSpec("P")
T = TypeVar("T")

_usual = sys.getswitchinterval()
_at_work = 0


async def in_thread(work: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Do as asyncio.to_thread, for work of more than some milliseconds. When cancelled, the thread goes on, with the
    interpreter's own interval if no other such work is at hand."""
    global _at_work
    _at_work += 1
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        return await asyncio.to_thread(work, *args, **named)
    finally:
        _at_work -= 1
        if not _at_work:
            sys.setswitchinterval(_usual)
