"""Leaders of a match by the score that the scene shows. Needs no window."""

from __future__ import annotations

from collections.abc import Mapping

from protocol.scene.nodes import SeatNode


def leading(seats: Mapping[int, SeatNode]) -> tuple[frozenset[int], bool]:
    """Return the seats with the highest score, and True where they stand on different sides; nobody leads while nobody
    has scored, or while all are level."""
    most = max((node.score for node in seats.values()), default=0)
    if most <= 0:
        return frozenset(), False
    first = {seat: node for seat, node in seats.items() if node.score == most}
    sides = {node.side if node.side >= 0 else f"seat {seat}" for seat, node in first.items()}
    is_shared = len(sides) > 1
    return frozenset() if is_shared and len(first) == len(seats) else frozenset(first), is_shared
