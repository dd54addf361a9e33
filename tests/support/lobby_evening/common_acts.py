"""Acts of an evening that several features have in common."""

from __future__ import annotations

from arcade import key as keys

from tests.support.lobby_evening.evening import Evening
from tests.support.lobby_evening.visitor import Visitor


async def open_table(four: Evening, owner: Visitor, *, seats: int) -> None:
    """Let somebody open a table of so many seats."""
    await four.take(owner, "Create table")
    await four.told(owner, lambda table: table.state == "open" and owner.can("Scenario"))
    while owner.table is not None and len(owner.table.seats) != seats:
        before = owner.table.scenario
        await four.take(owner, "Scenario")
        await four.told(owner, lambda table: table.scenario != before)  # noqa: B023 - waited for at once


async def seated(four: Evening, visitor: Visitor) -> None:
    """Wait until somebody has a seat."""
    await four.told(visitor, lambda table: table.seat >= 0)


async def go_back(four: Evening, *visitors: Visitor) -> None:
    """Let these people go back to the table where they are."""
    for visitor in visitors:
        await four.take(visitor, "Back to the table")
    await four.until(lambda: not any(visitor.is_in_lobby for visitor in visitors))


async def answer_notice(four: Evening, visitor: Visitor, yes: str) -> None:
    """Say yes to the notice at the top of the window."""
    await four.until(lambda: visitor.can(yes))
    if visitor.way == "mouse":
        visitor.take(yes)
    else:
        visitor.hand.press(keys.J, keys.MOD_CTRL)
