"""Results that are worked out of the same numbers and places again and again, kept up to a count."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final, ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")
MOST: Final = 4096


def remembered(work: Callable[P, T], most: int = MOST) -> Callable[P, T]:
    """Return a function that keeps the `most` latest results of `work`, which follow from its hashable arguments alone.

    Whoever owns the function keeps the results alive: `work` must not lead back to its owner, or the two would stay in
    memory as a cycle.
    """
    return cast("Callable[P, T]", lru_cache(maxsize=most)(work))
