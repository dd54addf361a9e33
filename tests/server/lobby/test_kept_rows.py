"""Kept seats in lists of tables: those for whom they are kept are told, unless they have blocked who keeps them."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from protocol.ids import TableId
from protocol.limits import Limits
from protocol.wire import from_client as say
from protocol.wire.codec import decode_message
from protocol.wire.seating import KeepSeat
from protocol.wire.table_lists import Lobby, TableRow
from server.lobby.directory import MemoryTableDirectory
from server.lobby.table.table_record import SeatRecord, TableRecord
from tests.support.clients.wire import Client, running

BLOCKED = {("blocker", "ann")}


def table(id: str, *kept: str, private: bool = False, admitted: tuple[str, ...] = ()) -> TableRecord:
    """Make a table of Ann's with seats that are kept for some."""
    seats = (SeatRecord(who="ann", name="ann"), *[SeatRecord(kept_for=who, name=who) for who in kept], SeatRecord())
    at = TableId(id)
    return TableRecord(at, id, id, "duel", "field", "ann", seats, 0, 0, private=private, admitted=admitted)


def directory_of(*tables: TableRecord) -> MemoryTableDirectory:
    directory = MemoryTableDirectory(lambda table: None, lambda by, who: (by, who) in BLOCKED)
    for one in tables:
        directory.put(one)
    return directory


def told(directory: MemoryTableDirectory, who: str) -> list[tuple[str, bool]]:
    """Return the tables of the list that this person gets, and if a seat is kept for them there."""
    message = decode_message(directory.listed(who, 0), Limits())
    assert isinstance(message, Lobby)
    assert message.tables == directory.rows(who, 0)
    return kept(message.tables)


def kept(rows: tuple[TableRow, ...] | list[TableRow]) -> list[tuple[str, bool]]:
    return [(row.id, row.kept) for row in rows]


@pytest.mark.parametrize("first", ["friend", "stranger"])
def test_whoever_asks_first_a_kept_seat_is_told_to_those_alone_for_whom_it_is_kept(first: str) -> None:
    directory = directory_of(table("a", "friend"), table("b"))
    told(directory, first)
    assert told(directory, "friend") == [("a", True), ("b", False)]
    assert told(directory, "stranger") == [("a", False), ("b", False)]
    assert told(directory, "ann") == [("a", False), ("b", False)]


def test_rows_are_the_same_objects_for_all_for_whom_nothing_is_kept() -> None:
    directory = directory_of(table("a", "friend"), table("b"))
    assert directory.listed("stranger", 0) is directory.listed("another", 0)
    row = directory.row(TableId("a"))
    told(directory, "friend")
    assert directory.row(TableId("a")) == row


def test_who_has_blocked_the_owner_is_told_of_no_kept_seat() -> None:
    directory = directory_of(
        table("a", "blocker"),
        table("b", "blocker", private=True),
        table("c", "blocker", private=True, admitted=("blocker",)),
    )
    assert told(directory, "blocker") == [("a", False), ("c", False)]
    assert kept(directory.own("blocker")) == [("c", False)]


def test_own_rows_are_those_of_kept_seats_and_private_tables_too() -> None:
    directory = directory_of(table("a", "friend"), table("b", "friend", private=True), table("c"))
    assert kept(directory.own("friend")) == [("a", True), ("b", True)]
    assert told(directory, "friend") == [("a", True), ("b", True), ("c", False)]


def shown(client: Client) -> list[bool]:
    return [row.kept for row in client.talk.lobby.tables] if client.talk.lobby is not None else []


def shows(client: Client, *, is_kept: bool) -> bool:
    """Return True once the list has one table, and tells so of a seat there."""
    return shown(client) == [is_kept]


async def test_lists_over_the_wire_tell_of_kept_seats_to_the_right_person(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, cid, eve = [await run.client(name) for name in ("Ann", "Ben", "Cid", "Eve")]
        await cid.say(say.Relate(what="block", who=ann.talk.you))
        await cid.pinged()
        await ann.create("three")
        for seat, guest in ((1, ben), (2, cid)):
            await ann.say(KeepSeat(seat=seat, who=guest.talk.you))
            await ann.pinged()
        for client, is_kept in ((ben, True), (cid, False), (eve, False)):
            await client.say(say.ListTables())
            await client.until(partial(shows, client, is_kept=is_kept))
            await client.pinged()
            assert shown(client) == [is_kept]
