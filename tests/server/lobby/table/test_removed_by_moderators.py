"""Removals by moderators, which the owner of a table cannot undo."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from protocol.ids import TableId
from protocol.wire import from_client as say
from protocol.wire.from_server import Left
from protocol.wire.order import OrderDone
from protocol.wire.order_requests import RemovePerson
from protocol.wire.seating import KeepSeat
from server.lobby.table import seat_changes, seating
from server.lobby.table.table_record import LIVE, SeatRecord, TableRecord
from server.lobby.table.views import may_come, may_see
from server.runtime.refusals import Refused
from tests.support.clients.wire import Client
from tests.support.servers.registration import cheaply, keeps

SEATS = SeatRecord("ann", "Ann"), SeatRecord("", "Bot", bot="random"), SeatRecord()
TABLE = TableRecord(TableId("t"), "c", "n", "s", "x", "ann", SEATS, 0, 0, removed=("eve",))


async def outcome(client: Client, message: say.Message) -> str:
    await client.say(message)
    return await client.problem()


async def test_the_owner_keeps_no_seat_for_whom_a_moderator_has_removed(tmp_path: Path) -> None:
    async with cheaply(tmp_path, moderators=("Mo",)) as run:
        mo, ann, ben = [await run.client(name) for name in ("Mo", "Ann", "Ben")]
        await keeps(mo)
        code = await ann.create("two")
        await ben.join(code)
        await mo.say(RemovePerson(who=ben.talk.you, reason="cheats"))
        await mo.hear(OrderDone)
        await ben.hear(Left)
        assert await outcome(ann, KeepSeat(seat=1, who=ben.talk.you)) == "seat/removed"
        assert ann.talk.table is not None
        assert await outcome(ben, say.JoinTable(table=ann.talk.table.id)) == "table/unknown"
        assert await outcome(ben, say.JoinTable(code=code)) == "table/removed"
        assert await outcome(ben, say.WatchTable(code=code)) == "table/removed"


async def test_the_owner_keeps_a_seat_for_whom_they_have_removed_themselves(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann, ben = await run.client("Ann"), await run.client("Ben")
        await ben.join(await ann.create("two"))
        await ann.say(say.RemoveSeat(seat=1))
        await ben.hear(Left)
        await ann.say(KeepSeat(seat=1, who=ben.talk.you))
        await ann.pinged()
        assert ann.talk.table is not None
        await ben.say(say.JoinTable(table=ann.talk.table.id))
        await ben.arrived()


@pytest.mark.parametrize(
    "take",
    [
        lambda table: seat_changes.join(table, "eve", "Eve", 24),
        lambda table: seating.take_over(replace(table, state=LIVE), 1, "eve", "Eve", 24),
        lambda table: seat_changes.move_seat(table, "ann", "eve", "Eve"),
    ],
    ids=["join", "take over", "seat code"],
)
def test_whom_a_moderator_has_removed_takes_no_seat(take: Callable[[TableRecord], TableRecord]) -> None:
    with pytest.raises(Refused, match="table/removed"):
        take(TABLE)


def test_whom_a_moderator_has_removed_neither_sees_the_table_nor_comes_to_it() -> None:
    assert not may_see(TABLE, "eve")
    assert not may_come(TABLE, "eve")


def test_who_is_shut_out_by_both_is_so_once() -> None:
    assert replace(TABLE, banned=("eve", "bob")).shut_out == ("eve", "bob")


def test_a_table_that_was_stored_before_has_nobody_whom_moderators_removed() -> None:
    fields = msgspec.to_builtins(replace(TABLE, banned=("eve",)), builtin_types=(bytes,))
    del fields["removed"]
    before = msgspec.msgpack.decode(msgspec.msgpack.encode(fields), type=TableRecord)
    assert (before.removed, before.shut_out) == ((), ("eve",))
