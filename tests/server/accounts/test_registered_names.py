"""Names kept with a password: the guest stays the same person, can sign in from anywhere, and nobody else has the
name."""

import threading
from dataclasses import replace as changed
from pathlib import Path

import msgspec
import pytest

from protocol.wire import from_client as say
from server.accounts.identities import ACCOUNTS, Account, Device, Login, read_account
from server.accounts.name_keepers import LOOKS, digest
from server.cli.data.export import exported
from server.cli.data.fsck import Host, examine
from server.store.port import Store
from server.store.redis.store import RedisStore
from server.store.sqlite.store import SqliteStore
from tests.support.clients.wire import Client, duel
from tests.support.doubles.redis_server import RedisServer
from tests.support.doubles.stored import records_of
from tests.support.servers.registration import CHEAP, PASSWORD, cheaply, keeps, may_keep, refusal, signs_in

OTHER = "nine brown owls"


async def account_of(store: Store, client: Client) -> Account:
    data = await store.get_record(ACCOUNTS, client.talk.you)
    assert data is not None
    return read_account(data)


@pytest.mark.parametrize("kind", ["sqlite", "redis"])
async def test_a_guest_keeps_his_name_and_is_the_same_person_on_another_computer(
    tmp_path: Path, kind: str, redis_server: RedisServer
) -> None:
    place = redis_server.place()

    async def opened() -> Store:
        return SqliteStore(tmp_path / "a.db") if kind == "sqlite" else await RedisStore.open(place)

    async with cheaply(tmp_path, store=await opened()) as run:
        ann = await run.client("Ann")
        await ann.create("two")
        assert await keeps(ann) == "Ann"
        assert ann.talk.table is not None
        you, table = ann.talk.you, ann.talk.table.id
    async with cheaply(tmp_path, store=await opened()) as run:
        away = await signs_in(run, " ann ")
        assert (away.talk.you, away.talk.welcome and away.talk.welcome.name) == (you, "Ann")
        assert away.talk.welcome is not None
        assert away.talk.welcome.kept
        await away.say(say.OpenTable(table=table))
        await away.until(lambda: away.talk.table is not None and away.talk.table.seat == 0)
        back = await run.client("Ann", ann.talk.token)
        assert back.talk.you == you  # both devices are known from now on
        again = await run.client("Other name", away.talk.token)
        assert again.talk.you == you
        assert again.talk.welcome is not None
        assert again.talk.welcome.name == "Ann"


async def test_a_kept_name_is_one_persons_whatever_its_spelling(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann, late = await run.client("Ann Lee"), await run.client("ann lee")
        await keeps(ann)
        assert await may_keep(late) == "password/taken"
        for name in ("Ann Lee", "ANN  LEE", "\uff21nnLee", "a n n l e e", "\u0410nn L\u0435e", "Ann\u3164Lee"):
            guest = await run.client(name)
            assert guest.talk.welcome is not None, name
            assert guest.talk.welcome.name.endswith(" (guest)"), name
            assert await may_keep(guest) == "password/no-name"
        nobody = await run.client("Server")
        assert await may_keep(nobody) == "password/no-name"
        assert (await run.client("Ann", late.talk.token)).talk.you == late.talk.you


async def test_a_name_kept_before_looks_were_compared_is_guarded_by_them_from_the_next_login_on(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann = await run.client("Ann")
        await keeps(ann)
        [key] = await records_of(run.server.store, LOOKS)
        await run.server.store.delete_record(LOOKS, key)
        await ann.connect()
        guest = await run.client("\u0410nn")
        assert guest.talk.welcome is not None
        assert guest.talk.welcome.name.endswith(" (guest)")


async def test_of_two_who_keep_a_name_at_once_one_does(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        both = [await run.client("Ann"), await run.client("Ann")]
        for one in both:
            await one.say(say.KeepName(password=PASSWORD))
        for one in both:
            await one.pinged()
        accounts = [await account_of(run.server.store, one) for one in both]
        assert sum(bool(account.password) for account in accounts) == 1


async def test_a_new_password_needs_the_old_one_and_ends_all_other_sessions_at_once(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        first = await run.client("Ann")
        await keeps(first)
        old = first.talk.token
        second = await signs_in(run)
        assert await may_keep(second, OTHER) == "session/not-signed-in"
        assert await may_keep(second, OTHER, "a wrong one") == "session/not-signed-in"
        assert await keeps(second, OTHER, PASSWORD) == "Ann"
        third = Client(run.port, "Ann", old)
        await third.connect()
        assert third.talk.ended is not None
        assert third.talk.ended.code == "session/unknown-token"
        await third.close()
        assert await refusal(run) == "session/not-signed-in"
        assert await refusal(run, password=OTHER) == ""


async def test_whoever_comes_by_the_old_token_while_the_password_changes_is_closed_when_it_has(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        first = await run.client("Ann")
        await keeps(first)
        hashes, is_free = run.server._registered_names._passwords._pool, threading.Event()
        hashes.submit(is_free.wait)
        await first.say(say.KeepName(password=OTHER, old=PASSWORD))
        second = Client(run.port, "Ann", first.talk.token)
        run.clients.append(second)
        await second.connect()
        assert second.closed is None
        assert second.talk.you == first.talk.you
        is_free.set()
        await second.until(lambda: second.closed is not None)
        assert second.talk.ended is not None
        assert second.talk.ended.code == "session/password-changed"
        assert run.server.lobby.connections(first.talk.you) == []
        assert await refusal(run, password=OTHER) == ""


@pytest.mark.waits(times=200)
async def test_logging_out_ends_every_session(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        first = await run.client("Ann")
        await keeps(first)
        second = await signs_in(run)
        [here] = run.server.lobby.connections(first.talk.you)
        await first.until(lambda: first.closed is not None)
        assert here.device == digest(second.talk.token or "")
        await second.say(say.Logout())
        await second.until(lambda: second.closed is not None)
        assert (await account_of(run.server.store, second)).tokens == ()
        assert await refusal(run) == ""


async def test_weak_passwords_are_refused_and_changes_are_counted(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann = await run.client("Ann")
        codes = [await may_keep(ann, password) for password in ("short", "password1", "23.11.2026")]
        assert codes == ["password/short", "password/common", "password/date"]
        await keeps(ann)
        await keeps(ann, OTHER, PASSWORD)
        assert await may_keep(ann, PASSWORD, OTHER) == "password/tries"


async def test_a_hash_is_made_anew_on_signing_in_when_hashes_cost_more(tmp_path: Path) -> None:
    async with cheaply(tmp_path, store=SqliteStore(tmp_path / "a.db")) as run:
        ann = await run.client("Ann")
        await keeps(ann)
    dearer = changed(CHEAP, password_kib=64)
    async with cheaply(tmp_path, dearer, store=SqliteStore(tmp_path / "a.db")) as run:
        assert "m=8," in (await account_of(run.server.store, ann)).password
        assert await refusal(run) == ""
        assert "m=64," in (await account_of(run.server.store, ann)).password
        assert await refusal(run) == ""


async def test_coming_back_by_token_never_runs_a_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with cheaply(tmp_path) as run:
        ann = await run.client("Ann")
        await keeps(ann)
        monkeypatch.setattr(run.server._registered_names._passwords, "_run", None)
        await ann.connect()
        assert ann.talk.welcome is not None
        assert ann.talk.welcome.kept


async def test_neither_log_nor_export_nor_check_shows_a_password_its_hash_or_who_failed(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann = await run.client("Ann Lee")
        await keeps(ann)
        assert await refusal(run, "Ann Lee", OTHER) == "session/not-signed-in"
        assert await refusal(run, "Ann Lee") == ""
        store = run.server.store
        stored = (await account_of(store, ann)).password
        assert stored.startswith("$argon2id$")
        async for line in exported(store, tmp_path):
            assert stored not in str(line)
            assert "password" not in line
        host = Host(duel(), None, None, tmp_path)  # type: ignore[arg-type]  # neither key is looked at
        assert not [finding async for finding in examine(store, host)]
        refused = [line for line in run.lines if line["event"] == "sign-in-refused"]
        assert [line["outcome"] for line in refused] == ["wrong"]
        log = run.log.getvalue()
        assert not any(word in log for word in (PASSWORD, OTHER, stored, "Ann Lee", "annlee"))
        assert 'eschaton_sign_ins_total{outcome="wrong"} 1.0' in run.server.metrics.exposition().decode()
        assert 'eschaton_sign_ins_total{outcome="good"} 1.0' in run.server.metrics.exposition().decode()


def test_accounts_that_were_stored_with_one_device_are_read() -> None:
    old = msgspec.msgpack.encode({"id": "a1", "name": "Ann", "tokens": ("x", "y"), "seen": 5, "made": 4})
    assert read_account(old) == Account("a1", "Ann", (Device(("x", "y"), 5, 4),))


def test_what_is_printed_of_a_person_and_a_login_shows_no_secret() -> None:
    account = Account("a1", "Ann", (Device(("hash-of-token",)),), "hash-of-password")
    printed = repr(Login(account, "token"))
    assert "Ann" in printed
    assert not any(word in printed for word in ("hash-of", "token"))
