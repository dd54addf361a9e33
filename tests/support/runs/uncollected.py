"""Looks at what is freed without the garbage collector."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[list[str]]:
    """Collect no garbage within the block; afterwards the list names the types of all that it has left in cycles."""
    left: list[str] = []
    was_on = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield left
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        left += [f"{type(thing).__module__}.{type(thing).__qualname__}" for thing in gc.garbage]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        if was_on:
            gc.enable()


def of_matches(left: list[str]) -> list[str]:
    """Return those of these types that belong to matches: the state of one, its log, its views, its host."""
    return [name for name in left if name.startswith(("engine.", "server.match.", "tests.support.systems."))]
