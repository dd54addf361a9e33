"""Moves that may be interrupted: along a declared way from halt to halt."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable


async def walk(halts: Iterable[int], go: Callable[[int], bool], meet: Callable[[int], Awaitable[None]]) -> bool:
    """Carry out a declared move from halt to halt; return True where it came to the last one.

    A halt is a place at which something may happen, in the way's own measure (hundredths along it, or corners): where
    the mover is first seen, where a reaction was aimed, the end. `go` moves it up to a halt, and returns False where
    that is no longer legal as the table stands now: the rest of the move is given up. `meet` resolves what happens at
    a halt; it may ask, roll, and hurt the mover. Which halts there are follows from the declared way and public facts.
    """
    for halt in sorted(set(halts)):
        if not go(halt):
            return False
        await meet(halt)
    return True
