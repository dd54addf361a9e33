"""Child processes that run modules of the server: how many, and how they are started."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Final

NICE: Final = 10
"""Added niceness of a child, so that serving people comes first."""


def spare_cores() -> int:
    """Return the number of cores that this process may use, less the one that serves people; at least 1."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores - 1)


def command(module: str) -> list[str]:
    """Return the command of a child that runs `main` of this module, with this process's own module search path."""
    start = f"from importlib import import_module; import_module({module!r}).main()"
    return [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; {start}"]


def give_way() -> None:
    """Lower the priority of this child below what serves people. Does nothing on Windows."""
    with suppress(AttributeError):
        os.nice(NICE)
