"""Steps: a long answer worked out piece by piece, so that whoever asks may do other things in between."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")

Steps = Generator[None, None, T]
"""An answer that is ready when the steps have come to their end."""


def finished(steps: Steps[T]) -> T:
    """Take all steps at once, and return the answer."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            answer: T = end.value
            return answer
