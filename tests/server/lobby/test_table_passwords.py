"""Tables with a password: listed, and come to by the password, by a code, or by whoever was let in before."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.wire import from_client as say
from protocol.wire.client_message import Message
from protocol.wire.from_server import TableView
from protocol.wire.links import FollowLink
from protocol.wire.on_now import GetOnNow, OnNow
from protocol.wire.seating import KeepSeat, Rematch
from protocol.wire.table_lists import Found, FoundChange, TableRow
from tests.support.clients.wire import Client, Running, rest_to_the_end, running
from tests.support.servers.seats import seen

pytestmark = pytest.mark.waits

WORDS = "drei Hasen im Boot"


async def guarded(run: Running) -> tuple[Client, TableView]:
    """Return the owner of a table for three with a password, and the table."""
    ann = await run.client("Ann")
    await ann.create("three")
    await ann.say(say.ChangeTable(password=WORDS))
    await ann.until(lambda: seen(ann).guarded)
    return ann, seen(ann)


async def refused(client: Client, message: Message) -> str:
    await client.say(message)
    return await client.problem()


async def listed(client: Client) -> list[TableRow]:
    await client.say(say.FindTables())
    return [*(await client.hear(Found)).rows]


async def test_it_is_listed_and_whoever_comes_says_the_password_to_play_or_to_watch(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, table = await guarded(run)
        ben, eve = await run.client("Ben"), await run.client("Eve")
        assert [(row.id, row.guarded, row.private) for row in await listed(ben)] == [(table.id, True, False)]
        for client, kind in ((ben, say.JoinTable), (eve, say.WatchTable), (eve, say.OpenTable)):
            assert await refused(client, kind(table=table.id)) == "table/password"
        for client, kind in ((ben, say.JoinTable), (eve, say.WatchTable)):
            assert await refused(client, kind(table=table.id, password="drei Hasen")) == "table/wrong-password"
        assert len(seen(ann).seats[1].who) == 0
        # however it was typed
        await ben.say(say.JoinTable(table=table.id, password="drei Hasen im \uff22oot"))
        await ben.until(lambda: ben.talk.table is not None and ben.talk.table.seat == 1)
        await eve.say(say.WatchTable(table=table.id, password=WORDS))
        await eve.arrived()
        assert not seen(ben).code or seen(ben).code == table.code
        # whoever was let in comes back as they are
        await eve.say(say.LeaveTable())
        await eve.until(lambda: eve.talk.table is None)
        await eve.say(say.WatchTable(table=table.id))
        await eve.arrived()


async def test_codes_links_and_kept_seats_admit_without_it(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, table = await guarded(run)
        ben, cid, dora = [await run.client(name) for name in ("Ben", "Cid", "Dora")]
        await ann.say(KeepSeat(seat=2, who=cid.talk.you))
        await ann.until(lambda: seen(ann).seats[2].kept_for == cid.talk.you)
        await cid.say(say.JoinTable(table=table.id))
        await cid.until(lambda: cid.talk.table is not None and cid.talk.table.seat == 2)
        await ben.say(FollowLink(code=table.code))
        await ben.until(lambda: ben.talk.table is not None and ben.talk.table.seat == 1)
        # the last seat is taken, so that its code has done its work as a private table's has
        assert await refused(dora, say.WatchTable(code=table.code)) == "table/code-expired"


async def test_wrong_passwords_are_counted_with_guesses_at_codes(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        _, table = await guarded(run)
        eve = await run.client("Eve")
        codes = [await refused(eve, say.JoinTable(table=table.id, password=f"try {n}")) for n in range(6)]
        assert codes == ["table/wrong-password"] * 5 + ["table/code-tries"]
        assert await refused(eve, say.JoinTable(table=table.id, password=WORDS)) == "table/code-tries"
        run.clock.advance(60)
        await eve.say(say.JoinTable(table=table.id, password=WORDS))
        await eve.until(lambda: eve.talk.table is not None)


async def test_the_owner_alone_sets_it_and_takes_it_away_and_a_restart_keeps_it(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, table = await guarded(run)
        ben = await run.client("Ben")
        await ben.say(say.JoinTable(table=table.id, password=WORDS))
        await ben.until(lambda: ben.talk.table is not None)
        assert await refused(ben, say.ChangeTable(password="")) == "table/not-owner"
        token = ann.talk.token
        stored = await run.server.store.get_record("table", table.id)
        assert stored is not None
        assert WORDS.encode() not in stored
        [live] = run.server.lobby.tables()
        assert WORDS not in repr(live.record)
        assert "password=b" not in repr(live.record)
    async with running(tmp_path) as run:
        eve = await run.client("Eve")
        assert await refused(eve, say.JoinTable(table=table.id)) == "table/password"
        ann = await run.client("Ann", token)
        await ann.say(say.OpenTable(table=table.id))
        await ann.until(lambda: ann.talk.table is not None)
        await ann.say(say.ChangeTable(password=""))
        await ann.until(lambda: not seen(ann).guarded)
        await eve.say(say.JoinTable(table=table.id))
        await eve.until(lambda: eve.talk.table is not None)


async def test_a_match_with_a_password_is_not_on_now_for_others_and_its_result_is_theirs_alone(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, eve = [await run.client(name) for name in ("Ann", "Ben", "Eve")]
        await ben.join(await ann.create("two"))
        await ann.change(password=WORDS)
        await ben.ready()
        await ann.until(lambda: all(seat.ready or not seat.seat for seat in seen(ann).seats))
        await ann.say(say.StartMatch())
        await ann.my_turn()
        table = seen(ann).id
        await eve.say(GetOnNow())
        assert (await eve.hear(OnNow)).rows == ()
        assert [row.state for row in await listed(eve)] == ["live"]
        assert await refused(eve, say.WatchTable(table=table)) == "table/password"
        await rest_to_the_end(ann, ben)
        run.clock.advance(2)
        await eve.hear(FoundChange, lambda told: told.gone == (table,))
        assert await refused(eve, say.OpenTable(table=table)) == "table/unknown"
        # the next table of the same people has it, too
        await ann.say(Rematch())
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.state == "open")
        assert seen(ann).guarded
        for word, code in (("no", "table/wrong-password"), (WORDS, "table/kept")):
            assert await refused(eve, say.JoinTable(table=seen(ann).id, password=word)) == code
