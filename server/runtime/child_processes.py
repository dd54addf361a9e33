"""Number and priority of child processes that run modules of the server; protocol/child_commands.py starts them."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Final

NICE: Final = 10
"""Added niceness of a child, so that serving people comes first."""


def spare_cores() -> int:
    """Return the number of cores that this process may use, less the one that serves people; at least 1."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores - 1)


def give_way() -> None:
    """Lower the priority of this child below what serves people. Does nothing on Windows."""
    with suppress(AttributeError):
        os.nice(NICE)
