"""Number, priority and imports of child processes that run modules of the server; protocol/child_commands.py starts
them."""

from __future__ import annotations

import os
from contextlib import suppress
from importlib import import_module
from operator import attrgetter
from typing import Any, Final

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


def imported(place: str) -> Any:
    """Return what stands at a place, MODULE:NAME; of a class, one made without arguments."""
    module, _, name = place.partition(":")
    found = attrgetter(name)(import_module(module))
    return found() if isinstance(found, type) else found
