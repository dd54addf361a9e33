"""Dice may take the last figure of a player before he has had a card: he then plays no more in this match, and what it
was to show of him is not to be seen. The company meets for another evening."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, TypeVar

from tests.support.company import Company, Spectator
from tests.support.programs import ServerProgram

T = TypeVar("T")

EVENINGS: Final = 3
"""In matches between bots one evening in forty goes so for the seat that is hit soonest, for most seats far fewer."""


class Fallen(Exception):
    """The last figure of one who was to play on has fallen: nothing is shown by this evening."""


async def meet(
    folder: Path, evening: Callable[[Company], Awaitable[T]], server: type[ServerProgram] = ServerProgram
) -> T:
    """What an evening comes to, the first on which nobody falls too soon. Raises AssertionError."""
    for number in range(EVENINGS):
        async with Company(folder / f"evening-{number}", server=server) as company:
            try:
                return await evening(company)
            except Fallen:
                continue
    raise AssertionError(f"somebody fell too soon on {EVENINGS} evenings in a row")


async def see_a_card(company: Company, watcher: Spectator, seat: int, before: int, seconds: float) -> None:
    """Until the spectator of a live match has seen this seat play more than `before` cards. Raises Fallen."""
    await company.wait(lambda: watcher.cards_of(seat) > before or not watcher.stands(seat), seconds)
    if watcher.cards_of(seat) <= before:
        raise Fallen
