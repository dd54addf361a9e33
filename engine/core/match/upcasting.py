"""Readers of older layouts that every rule system may need (see `formerly` in events.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Entry = Mapping[str, Any]


def roll_before(earlier: Sequence[Entry], faces: Sequence[int]) -> tuple[int, int, bool]:
    """Return the number (round, n, hidden) of the roll behind an entry of an older layout, which stored its faces and
    not its number: the newest roll before it in its step. Raises ValueError where that one fell otherwise."""
    rolled = next((entry for entry in reversed(earlier) if entry["e"] == "core.dice"), None)
    if rolled is None or list(rolled["faces"]) != list(faces):
        raise ValueError(f"no roll in this step came before an entry that shows {list(faces)}")
    return rolled["round"], rolled["n"], rolled.get("to", {}).get("seats") is not None
