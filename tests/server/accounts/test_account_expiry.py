"""Expiry of accounts: guests who did nothing after a day, who played after 90, names that nobody used after a year."""

from __future__ import annotations

from pathlib import Path

import msgspec

from protocol.limits import Limits, Rate, Rates
from protocol.wire import from_client as say
from server.accounts.account_expiry import SWEEP_SECONDS
from server.accounts.identities import ACCOUNTS, TOKENS, read_account
from server.accounts.name_keepers import LOOKS, NAMES
from server.store.sqlite.store import SqliteStore
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, Running, running, two_players
from tests.support.doubles.stored import records_of
from tests.support.servers.registration import CHEAP, cheaply, keeps, may_keep, signs_in

DAY = 24 * 3600


async def known(run: Running) -> set[str]:
    return set(await records_of(run.server.store, ACCOUNTS))


async def gone(run: Running, *clients: Client) -> None:
    """Break links; the server has noticed when this returns."""
    left = len(run.server.lobby.sessions()) - len(clients)
    for client in clients:
        await client.close()
    await until(lambda: len(run.server.lobby.sessions()) == left, 10)


async def later(run: Running, seconds: float, accounts: set[str]) -> None:
    """Let time pass, and wait until only these accounts are left."""
    run.clock.advance(seconds)

    async def is_so() -> bool:
        if await known(run) == accounts:
            return True
        # it may not have been asleep yet
        run.clock.advance(SWEEP_SECONDS)
        return False

    await until(is_so, 10)


async def test_a_guest_who_did_nothing_is_forgotten_after_a_day_and_others_after_90(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        idle, watcher, here = await run.client("Idle"), await run.client("Eve"), await run.client("Here")
        assert ann.talk.table is not None
        await watcher.say(say.WatchTable(table=ann.talk.table.id))
        await watcher.arrived()
        players = {ann.talk.you, ben.talk.you}
        await gone(run, ann, ben, idle, watcher)
        run.clock.advance(DAY - SWEEP_SECONDS)
        back = await run.client("Idle", idle.talk.token)
        assert back.talk.you == idle.talk.you
        await gone(run, back)
        # a day after each was last here; who is connected stays
        await later(run, 2 * SWEEP_SECONDS, players | {idle.talk.you, here.talk.you})
        await later(run, DAY, players | {here.talk.you})
        assert len(await records_of(run.server.store, TOKENS)) <= 2 * 3
        again = await run.client("Idle", back.talk.token)
        assert again.talk.ended is not None
        assert again.talk.ended.code == "session/unknown-token"
        assert (await run.client("Ann", ann.talk.token)).talk.you == ann.talk.you
        await gone(run, run.clients[-1])
        # a link is renewed long before, and who does not come back goes a day later
        await later(run, 91 * DAY, set())


async def test_a_guest_is_forgotten_by_the_server_that_follows(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        idle = await run.client("Idle")
        clock = run.clock
    clock.advance(60)
    async with running(tmp_path, clock=clock) as run:
        assert await known(run) == {idle.talk.you}
        await later(run, DAY + SWEEP_SECONDS, set())


async def test_a_kept_name_that_nobody_used_for_a_year_is_free_again(tmp_path: Path) -> None:
    limits = Limits(**{**vars(CHEAP), "token_seconds": 10**9, "token_idle_seconds": 10**9})
    async with cheaply(tmp_path, limits=limits) as run:
        ann = await run.client("Ann")
        assert await keeps(ann) == "Ann"
        await gone(run, ann)
        run.clock.advance(300 * DAY)
        back = await signs_in(run)
        assert back.talk.you == ann.talk.you
        await gone(run, back)
        run.clock.advance(300 * DAY)
        assert ann.talk.you in await known(run)
        await later(run, 70 * DAY, set())
        assert not await records_of(run.server.store, NAMES)
        assert not await records_of(run.server.store, LOOKS)
        new = await run.client("Ann")
        assert new.talk.welcome is not None
        assert new.talk.welcome.name == "Ann"
        assert await keeps(new) == "Ann"


async def test_logging_out_makes_nobody_older(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann = await run.client("Ann")
        assert await keeps(ann) == "Ann"
        await ann.say(say.Logout())
        await until(lambda: not run.server.lobby.sessions(), 10)
        clock, id = run.clock, ann.talk.you
    clock.advance(60)
    async with cheaply(tmp_path, clock=clock) as run:
        await gone(run, await run.client("Idle"))
        await later(run, 30 * DAY, {id})
        assert (await signs_in(run)).talk.you == id
        await gone(run, run.clients[-1])
        await later(run, 400 * DAY, set())


async def test_who_logged_out_before_that_was_stored_is_counted_from_now_on(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "eschaton.db")
    await store.put_record(ACCOUNTS, "1", msgspec.msgpack.encode({"id": "1", "name": "Ann", "password": "hash"}))
    async with cheaply(tmp_path, store=store) as run:

        async def is_dated() -> bool:
            [record] = await store.page(ACCOUNTS)
            return read_account(record.data).seen > 0

        await until(is_dated, 10)
        run.clock.advance(300 * DAY)
        await later(run, 100 * DAY, set())


async def test_an_address_keeps_three_names_a_day(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        for name in ("Ann", "Ben", "Cleo"):
            assert await keeps(await run.client(name)) == name
        fourth = await run.client("Dan")
        assert await may_keep(fourth) == "bound/names-address"
        far = Client(run.port, "Eve", address="127.0.9.1")
        run.clients.append(far)
        await far.connect()
        assert await keeps(far) == "Eve"
        run.clock.advance(25 * 3600)
        assert await keeps(fourth) == "Dan"


async def test_an_address_brings_so_many_new_guests(tmp_path: Path) -> None:
    limits = Limits(guests=Rates(None, Rate(2, 3600), Rate(3, 3600)), handshakes_per_second=1000)
    async with running(tmp_path, limits=limits) as run:
        ann, _ = await run.client("Ann"), await run.client("Ben")
        refused = await run.client("Cleo")
        assert refused.talk.ended is not None
        assert refused.talk.ended.code == "bound/guests-address"
        assert (await run.client("Ann", ann.talk.token)).talk.you == ann.talk.you
        far, farther = (Client(run.port, name, address=f"127.0.9.{n}") for n, name in enumerate(("Eve", "Flo"), 1))
        for client in (far, farther):
            run.clients.append(client)
            await client.connect()
        assert far.talk.ended is None
        assert farther.talk.ended is not None
        assert farther.talk.ended.code == "bound/guests-server"
