"""A removal by a table's owner holds: whoever was removed does not come back as somebody else from where they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.ids import TableId
from protocol.wire import from_client as say
from protocol.wire.from_server import Left
from server.runtime.address_marks import AddressMarks
from tests.support.clients.wire import Client, Running, running, two_players

pytestmark = pytest.mark.waits

AWAY, ELSEWHERE = "127.0.0.2", "127.0.0.3"


async def from_address(run: Running, name: str, address: str) -> Client:
    client = Client(run.port, name, address=address)
    await client.connect()
    run.clients.append(client)
    return client


async def removed(run: Running, ann: Client, address: str = AWAY) -> TableId:
    """Let somebody from this address sit down at Ann's table and be removed; return the table."""
    code = await ann.create("three")
    eve = await from_address(run, "Eve", address)
    await eve.join(code)
    await ann.until(lambda: ann.talk.table is not None and bool(ann.talk.table.seats[1].who))
    await ann.say(say.RemoveSeat(seat=1))
    await eve.hear(Left)
    await eve.close()
    assert ann.talk.table is not None
    return ann.talk.table.id


async def outcome(client: Client, message: say.Message) -> str:
    """Return the code of the refusal of a message by which one comes to a table, empty where one comes."""
    client.talk.table = None
    await client.say(message)
    await client.pinged()
    return await client.problem() if client.talk.table is None else ""


async def test_a_new_guest_from_where_somebody_was_removed_neither_sits_down_nor_watches(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await run.client("Ann")
        table = await removed(run, ann)
        again = await from_address(run, "Eva", AWAY)
        assert ann.talk.table is not None
        comes = (
            say.JoinTable(table=table),
            say.JoinTable(code=ann.talk.table.code),
            say.WatchTable(table=table),
            say.OpenTable(table=table),
        )
        for message in comes:
            assert await outcome(again, message) == "table/removed-address"
        ben = await from_address(run, "Ben", ELSEWHERE)
        assert await outcome(ben, say.JoinTable(table=table)) == ""
    async with running(tmp_path) as run:
        again = await from_address(run, "Eve", AWAY)
        assert await outcome(again, say.WatchTable(table=table)) == "table/removed-address"
    assert AWAY.encode() not in b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())


async def test_a_removed_spectator_stays_away_too_and_who_was_there_before_may_come_back(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await run.client("Ann")
        code = await ann.create("three")
        ben, eve = await from_address(run, "Ben", ELSEWHERE), await from_address(run, "Eve", AWAY)
        await ben.join(code)
        assert ann.talk.table is not None
        table = ann.talk.table.id
        assert await outcome(eve, say.WatchTable(table=table)) == ""
        await ann.say(say.RemoveWatcher(who=eve.talk.you))
        await eve.hear(Left)
        again = await from_address(run, "Eva", AWAY)
        assert await outcome(again, say.JoinTable(table=table)) == "table/removed-address"
        await ben.close()
        ben_there = Client(run.port, "Ben", ben.talk.token, address=AWAY)
        await ben_there.connect()
        run.clients.append(ben_there)
        assert await outcome(ben_there, say.OpenTable(table=table)) == ""


async def test_nobody_is_kept_out_who_comes_from_where_others_at_the_table_are(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await run.client("Ann")
        table = await removed(run, ann, "127.0.0.1")
        ben = await run.client("Ben")
        assert await outcome(ben, say.JoinTable(table=table)) == ""


async def test_no_mark_is_kept_of_a_match_that_has_ended(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, _ = await two_players(run)
        assert ann.talk.table is not None
        live = run.server.lobby.table(ann.talk.table.id)
        eve = await from_address(run, "Eve", AWAY)
        assert await outcome(eve, say.WatchTable(table=live.record.id)) == ""
        await ann.say(say.RemoveWatcher(who=eve.talk.you))
        await eve.hear(Left)
        assert len(live.record.barred) == 1
        for client in run.clients[:2]:
            await client.say(say.CallVote(what="end"))
            await client.say(say.CastVote(yes=True))
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.state == "finished")
        assert not live.record.barred


def test_marks_of_two_tables_tell_nothing_of_each_other_nor_without_the_key() -> None:
    marks = AddressMarks(b"k" * 32)
    assert marks.of(AWAY, "t1") == marks.of(AWAY, "t1")
    assert len({marks.of(AWAY, "t1"), marks.of(AWAY, "t2"), AddressMarks(b"x" * 32).of(AWAY, "t1")}) == 3
