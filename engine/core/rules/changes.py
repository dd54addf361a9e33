"""Copies of what never changes, with one part of it changed: how events say what became of a state."""

from __future__ import annotations

from typing import TypeVar

import msgspec
from msgspec.structs import replace

T = TypeVar("T", bound=msgspec.Struct)


def changed_at(items: tuple[T, ...], place: int, **changes: object) -> tuple[T, ...]:
    """The same items, with some fields of the one at `place` (0 is the first) changed."""
    return (*items[:place], replace(items[place], **changes), *items[place + 1 :])
