"""What people do with their accounts, over real sockets: another name."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from protocol.wire import from_client as say
from protocol.wire.from_server import Renamed
from protocol.wire.people import PeoplePage
from server.lobby.table.table_record import TABLES, TableRecord
from server.store.sqlite.store import SqliteStore
from tests.support.clients.wire import Client
from tests.support.doubles.stored import records_of
from tests.support.servers.registration import cheaply, keeps, refusal

pytestmark = pytest.mark.waits


async def renames(client: Client, name: str) -> str:
    await client.say(say.Rename(name=name))
    return (await client.hear(Renamed)).name


async def may_rename(client: Client, name: str) -> str:
    await client.say(say.Rename(name=name))
    return await client.problem()


async def test_another_name_is_kept_by_the_same_password_and_shown_where_the_person_is(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann, ben = await run.client("Ann"), await run.client("Ben")
        await keeps(ann)
        await ann.create("two")
        assert ann.talk.table is not None
        await ben.say(say.JoinTable(table=ann.talk.table.id))
        await ben.until(lambda: ben.talk.table is not None)
        assert await renames(ann, "  Dora ") == "Dora"
        await ben.until(lambda: ben.talk.table is not None and ben.talk.table.seats[0].name == "Dora")
        assert await refusal(run, "Ann") == "session/not-signed-in"
        assert await refusal(run, "Dora") == ""


async def test_a_name_that_is_taken_reserved_or_the_same_is_refused(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann, ben = await run.client("Ann"), await run.client("Ben")
        await keeps(ann)
        assert await may_rename(ben, "\u0410nn") == "rename/taken"
        assert await may_rename(ben, "moderator") == "rename/reserved"
        assert await may_rename(ben, "Ben") == "rename/same"
        assert await renames(ben, "BEN") == "BEN"
        assert await renames(ben, "Cid") == "Cid"
        assert await may_rename(ben, "Dot") == "bound/renames-person"


async def test_a_name_given_up_is_kept_from_others_and_can_be_taken_back(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann, ben = await run.client("Ann"), await run.client("Ben")
        await keeps(ann)
        await renames(ann, "Dora")
        assert await may_rename(ben, "Ann") == "rename/taken"
        await ben.say(say.Relate(what="ask", name="Ann"))
        assert await ben.problem() == "people/unknown"
        assert await renames(ann, "Ann") == "Ann"
        assert await may_rename(ben, "Dora") == "rename/taken"


async def test_others_find_a_person_in_their_lists_by_the_name_of_now(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann, ben = await run.client("Ann"), await run.client("Ben")
        await ben.say(say.Relate(what="mute", who=ann.talk.you))
        await renames(ann, "Dora")
        await ben.say(say.GetPeople(list="muted"))
        assert [row.name for row in (await ben.hear(PeoplePage)).rows] == ["Dora"]


async def test_a_seat_whose_name_a_kill_has_left_behind_is_named_when_its_person_comes_back(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann = await run.client("Ann")
        await ann.create("two")
        token = ann.talk.token
    store = SqliteStore(tmp_path / "eschaton.db")
    [(id, data)] = (await records_of(store, TABLES)).items()
    table = msgspec.msgpack.decode(data, type=TableRecord)
    former = table.with_seat(0, replace(table.seats[0], name="Dora"))
    await store.put_record(TABLES, id, msgspec.msgpack.encode(former))
    await store.close()
    async with cheaply(tmp_path) as run:
        ann = await run.client("Ann", token)
        await ann.say(say.OpenTable(table=table.id))
        await ann.arrived()
        assert ann.talk.table is not None
        assert ann.talk.table.seats[0].name == "Ann"
