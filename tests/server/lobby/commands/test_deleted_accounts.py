"""Deletion of accounts, over real sockets and through both stores: nothing is left of them but their matches."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from protocol.ids import TableId
from protocol.wire import from_client as say
from protocol.wire.people import PeoplePage
from protocol.wire.results import Results
from server.accounts.display_names import DELETED
from server.accounts.identities import ACCOUNTS, TOKENS, read_account
from server.accounts.name_keepers import LOOKS, NAMES
from server.lobby.table.table_chat import list_of
from server.store.port import Store, StoreUnavailable
from server.store.redis.store import RedisStore
from server.store.sqlite.store import SqliteStore
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, Running, rest_to_the_end, two_players
from tests.support.doubles.memory_store import MemoryStore
from tests.support.doubles.redis_server import RedisServer
from tests.support.doubles.stored import records_of
from tests.support.servers.registration import PASSWORD, cheaply, keeps, refusal

pytestmark = pytest.mark.waits


async def deletes(run: Running, client: Client, password: str | None = None) -> None:
    """Delete an account; nothing of it is left when this returns."""
    await client.say(say.DeleteAccount(password=password))
    await client.until(lambda: client.closed is not None)
    assert client.talk.ended is not None
    assert client.talk.ended.code == "session/deleted"
    await until(lambda: not run.server._account_expiry._soon, 20)


async def everything(store: Store) -> str:
    """Return all records of a store, and what was said at its tables, as one text."""
    found = [repr(await records_of(store, kind)) for kind in await store.kinds()]
    for table in await records_of(store, "table"):
        found.append(repr(await store.newest_lines(list_of(TableId(table)), 100)))
    return "\n".join(found)


@pytest.mark.parametrize("kind", ["sqlite", "redis"])
async def test_of_a_deleted_person_only_matches_are_left_without_a_name(
    tmp_path: Path, kind: str, redis_server: RedisServer
) -> None:
    store: Store = SqliteStore(tmp_path / "a.db") if kind == "sqlite" else await RedisStore.open(redis_server.place())
    async with cheaply(tmp_path, store=store) as run:
        ann, ben = await two_players(run, adds=True)
        await keeps(ann)
        await keeps(ben)
        await ben.say(say.Relate(what="mute", who=ann.talk.you))
        for words in ("Words of Zed", "More of them"):
            await ann.say(say.Chat(text=words))
        await ben.say(say.Chat(text="Answer of Ben"))
        await ann.say(say.Chat(text="Lobby words of Zed", where="lobby"))
        await rest_to_the_end(ann, ben)
        assert "Ann" in await everything(store)
        [ended] = [live.record.changed for live in run.server.lobby.tables()]
        run.clock.advance(5)
        await ann.say(say.Rename(name="Zebulon"))
        await ann.pinged()
        await deletes(run, ann, PASSWORD)
        [record] = [run.server.lobby.table(TableId(id)).record for id in await records_of(store, "table")]
        assert ended == record.changed
        left = await everything(store)
        assert not [word for word in ("Ann", "Zebulon", "of Zed", "More of them") if word in left]
        assert "Answer of Ben" in left
        assert ann.talk.you not in {**await records_of(store, ACCOUNTS), **await records_of(store, "career")}
        for kept in (NAMES, LOOKS):
            assert set((await records_of(store, kept)).values()) == {ben.talk.you.encode()}
        await ben.say(say.GetResults())
        [row] = (await ben.hear(Results)).results
        assert {seat.name for seat in row.seats} == {"", "Ben"}
        await ben.say(say.GetPeople(list="muted"))
        assert [person.name for person in (await ben.hear(PeoplePage)).rows] == [""]
        assert await refusal(run, "Zebulon") == "session/not-signed-in"
        new = await run.client("Ann")
        assert new.talk.welcome is not None
        assert new.talk.welcome.name == "Ann"


async def test_the_password_of_a_kept_name_is_asked_for_and_a_guest_needs_none(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann, ben = await run.client("Ann"), await run.client("Ben")
        await keeps(ann)
        for password in (None, "not the password"):
            await ann.say(say.DeleteAccount(password=password))
            assert await ann.problem() == "session/not-signed-in"
        await deletes(run, ben)
        back = await run.client("Ben", ben.talk.token)
        assert back.talk.ended is not None
        assert back.talk.ended.code == "session/unknown-token"
        assert set(await records_of(run.server.store, ACCOUNTS)) == {ann.talk.you}


async def test_a_match_that_is_on_goes_on_with_a_bot_and_is_kept_without_the_deleted(tmp_path: Path) -> None:
    async with cheaply(tmp_path, store=MemoryStore()) as run:
        ann, ben = await two_players(run, adds=True)
        await deletes(run, ann)
        await ben.until(lambda: ben.talk.table is not None and ben.talk.table.seats[0].bot != "")
        assert ben.talk.table is not None
        assert ben.talk.table.seats[0].name == DELETED
        await ben.say(say.CallVote(what="end"))
        await ben.until(lambda: ben.talk.table is not None and ben.talk.table.state == "finished")
        left = await everything(run.server.store)
        assert "Ann" not in left
        assert f"{ann.talk.you} " not in left


async def test_what_a_kill_has_left_of_a_deleted_person_goes_with_the_next_start(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann, store = await run.client("Ann"), run.server.store
        await keeps(ann)
        [data] = (await records_of(store, ACCOUNTS)).values()
        # as it stands between the answer and the rest of the deletion
        await store.put_record(ACCOUNTS, ann.talk.you, msgspec.msgpack.encode(replace(read_account(data), gone=True)))
        assert await refusal(run) == "session/not-signed-in"
    async with cheaply(tmp_path) as run:
        store = run.server.store

        async def is_gone() -> bool:
            return not any([await records_of(store, kind) for kind in (ACCOUNTS, NAMES, LOOKS, TOKENS)])

        await until(is_gone, 20)


async def test_a_deletion_that_the_store_refuses_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with cheaply(tmp_path) as run:
        ann = await run.client("Ann")

        async def refuse(*_: object) -> bool:
            raise StoreUnavailable("The disk is full.")

        with monkeypatch.context() as patched:
            patched.setattr(run.server._identities._store, "put_records", refuse)
            await ann.say(say.DeleteAccount())
            assert await ann.problem() == "store/unavailable"
        assert set(await records_of(run.server.store, ACCOUNTS)) == {ann.talk.you}
