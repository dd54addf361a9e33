"""Copies of immutable values with one part changed, for events that apply themselves to a state."""

from __future__ import annotations

from typing import TypeVar

import msgspec
from msgspec.structs import replace

T = TypeVar("T", bound=msgspec.Struct)


def changed_at(items: tuple[T, ...], place: int, **changes: object) -> tuple[T, ...]:
    """Copy `items` with some fields changed of the item at `place` (0 is the first)."""
    return (*items[:place], replace(items[place], **changes), *items[place + 1 :])
