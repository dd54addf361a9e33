"""Sides of a table: the seats that see and win together, and how they are called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from client.text.phrases import phrase
from protocol.wire.from_server import TableView


def side_name(side: int) -> str:
    """Return what a side is called: A, B, C ... Empty for a seat that stands alone."""
    return phrase("side.name", side=chr(ord("A") + side)) if side >= 0 else ""


def with_side(side: int, words: str) -> str:
    """Return the name of a seat's side before words about the seat; the words alone of a seat that stands alone."""
    return f"{side_name(side)}: {words}" if side >= 0 else words


def in_words(seats: int, sides: Sequence[int]) -> str:
    """Return how many play, and where they stand together how many against how many."""
    if not sides:
        return phrase("players.alone") if seats == 1 else phrase("players.seats", seats=seats)
    return phrase(
        "players.sides", sides=phrase("players.against").join(str(n) for _, n in sorted(Counter(sides).items()))
    )


def allies_of(view: TableView, seat: int) -> tuple[int, ...]:
    """Return the seats of a seat's side, its own among them; none for a spectator."""
    own = next((one for one in view.seats if one.seat == seat), None)
    if own is None:
        return ()
    return tuple([one.seat for one in view.seats if one is own or one.side == own.side >= 0])
