"""Sides: seats that see and win together.

The sides of a match are a number for each seat; there are none where each seat stands alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from engine.core.rules.audience import Audience, Seat
from protocol.scene.nodes import SeatResult, SideResult

Sides: TypeAlias = tuple[int, ...]
ALONE: Final[Sides] = ()


def side_of(sides: Sides, seat: int) -> int:
    """Return the side of a seat: of one that stands alone its own number."""
    return sides[seat] if sides else seat


def allies_of(sides: Sides, seat: int) -> tuple[Seat, ...]:
    """Return the seats of a seat's side, its own among them."""
    if not sides:
        return (Seat(seat),)
    return tuple([Seat(other) for other, side in enumerate(sides) if side == sides[seat]])


def side_with_allies(sides: Sides, seat: int) -> int | None:
    """Return the side of a seat, None where nobody else is of it."""
    return side_of(sides, seat) if len(allies_of(sides, seat)) > 1 else None


def are_enemies(sides: Sides, one: int, other: int) -> bool:
    """Tell whether two seats are of different sides."""
    return sides[one] != sides[other] if sides else one != other


def audience_of(sides: Sides, audience: Audience) -> Audience:
    """Return an audience with the allies of all its seats: what one may know, its side knows."""
    if not sides or not audience.seats:
        return audience
    known = {side_of(sides, seat) for seat in audience.seats}
    return Audience(tuple([seat for seat, side in enumerate(sides) if side in known]))


def fault_of(sides: Sequence[int], seats: int) -> str:
    """Return what is wrong with the sides of a scenario, "" where nothing is: one number for each seat, counted from 0
    without a gap."""
    if not sides:
        return ""
    if len(sides) != seats:
        return f"sides of {len(sides)} seats, of {seats}"
    if set(sides) != set(range(max(sides) + 1)):
        return f"sides are numbered from 0 without a gap: {list(sides)}"
    return ""


def side_results(sides: Sides, seats: Iterable[SeatResult]) -> tuple[SideResult, ...]:
    """Return the outcome of each side: the sum of its seats' scores, and whether it won, as all its
    seats do. Empty where each stands alone."""
    found = list(seats)
    return tuple(
        [
            SideResult(side, all(one.won for one in own), sum(one.score for one in own))
            for side in sorted(set(sides))
            if (own := [one for one in found if side_of(sides, one.seat) == side])
        ]
    )
