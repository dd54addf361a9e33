"""Names that stand beside a replay: those that its people have when it is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from protocol.fairness.replay import Names
from server.accounts.display_names import DELETED, unique_name
from server.lobby.table.table_names import title_with

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from server.lobby.table.table_record import TableRecord


async def names_beside(table: TableRecord, name_of: Callable[[str], Awaitable[str]], most: int) -> Names:
    """Return the names of a table and of all who hold its seats, or gave them up. `name_of`: the name of a person now,
    empty where they are deleted, with at most `most` characters. Raises what `name_of` raises."""
    names: list[str] = []
    for seat in table.seats:
        who = seat.who or seat.former
        name = (await name_of(who) if who else seat.name) or DELETED
        names.append(name if name == DELETED else unique_name(name, names, most))
    return Names(title_with(table, names), tuple(names))
