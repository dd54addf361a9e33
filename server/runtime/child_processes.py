"""Processes beside the server that run its own modules: how many, and how they are started."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Final

NICE: Final = 10
"""People come before the work of children."""


def spare_cores() -> int:
    """Return the number of cores that this process may use, but for the one that serves people; at least 1."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores - 1)


def command(module: str) -> list[str]:
    """Return the command of a child that runs `main` of this module: it finds the modules that this process finds, and
    no others."""
    start = f"from importlib import import_module; import_module({module!r}).main()"
    return [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; {start}"]


def give_way() -> None:
    """In the child: run after all that serves people. Windows knows no such order."""
    with suppress(AttributeError):
        os.nice(NICE)
