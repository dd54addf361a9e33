"""Names at a table: its own, and those of people who are deleted."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from server.accounts.display_names import DELETED, clean_name, holds_one_of, own_table_name
from server.lobby.table.seat_changes import not_kept_for
from server.lobby.table.table_record import FINISHED, TableRecord


def title_of(table: TableRecord) -> str:
    """Return the name under which a table is shown: without one of its own that of its owner, as it stands in their
    seat."""
    return title_with(table, [seat.name for seat in table.seats])


def title_with(table: TableRecord, names: Sequence[str]) -> str:
    """Return the title of a table with these names in its seats."""
    number = table.seat_of(table.owner) if table.owner else -1
    return table.name or own_table_name(names[number] if number >= 0 else "")


def name_to_keep(wanted: str, owner: str, most: int, otherwise: str = "") -> str:
    """Return the name of its own that a table gets where this one is wanted: none, where it says only whose it is, so
    that it goes with the owner's name; `otherwise` where nothing readable is wanted."""
    name = clean_name(wanted, most, otherwise)
    return "" if name == own_table_name(owner) else name


def seats_of(table: TableRecord, who: str) -> list[int]:
    """Return the seats that bear the name of a person: they hold them, or gave them up."""
    return [number for number, seat in enumerate(table.seats) if who == (seat.who or seat.former)]


def without_name(table: TableRecord, who: str, alias: str, names: Collection[str] = ()) -> TableRecord:
    """Take the name of a person from a table that they have left, or that is finished; the table's own goes where it
    holds theirs, or one of `names`. A match that is not finished knows them as `alias`, so that nothing is kept of them
    when it ends."""
    table = not_kept_for(table, who)
    theirs = seats_of(table, who)
    if holds_one_of(table.name, {*names, *(table.seats[number].name for number in theirs)}):
        table = replace(table, name="")
    for number in theirs:
        table = table.with_seat(number, replace(table.seats[number], name=DELETED))
    if table.state == FINISHED:
        return table
    return replace(table, line_up=tuple(alias if one == who else one for one in table.line_up))
