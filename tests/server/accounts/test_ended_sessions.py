"""Ended sessions and names given up, which the accounts of people keep no longer than docs/privacy.md says."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from protocol.wire import from_client as say
from protocol.wire.from_server import Renamed
from server.accounts.account_expiry import SWEEP_SECONDS
from server.accounts.identities import ACCOUNTS, TOKENS, Account, Device, read_account
from tests.support.clients.programs import until
from tests.support.clients.wire import Running
from tests.support.doubles.clock import JumpingClock
from tests.support.doubles.memory_store import MemoryStore
from tests.support.doubles.stored import records_of
from tests.support.servers.registration import cheaply, keeps, signs_in

DAY = 24 * 3600


@asynccontextmanager
async def timed(folder: Path) -> AsyncIterator[Running]:
    """Run a server whose store goes by the clock of the server."""
    clock = JumpingClock()
    async with cheaply(folder, clock=clock, store=MemoryStore(lambda: clock.wall() * 1000)) as run:
        yield run


async def account_of(run: Running) -> Account:
    """Return the only account, as it is stored."""
    [data] = (await records_of(run.server.store, ACCOUNTS)).values()
    return read_account(data)


async def swept(run: Running, is_so: Callable[[Account], bool]) -> Account:
    """Let hours pass until this holds of the only account."""

    async def holds() -> bool:
        run.clock.advance(SWEEP_SECONDS)
        return is_so(await account_of(run))

    await until(holds, 10)
    return await account_of(run)


async def test_sessions_that_have_ended_are_dropped_within_the_hour_and_make_nobody_older(tmp_path: Path) -> None:
    async with timed(tmp_path) as run:
        ann = await run.client("Ann")
        await keeps(ann)
        await ann.close()
        run.clock.advance(10 * DAY)
        await (await signs_in(run)).close()
        before = await account_of(run)
        assert len(before.devices) == 2
        run.clock.advance(5 * DAY)
        after = await swept(run, lambda account: len(account.devices) == 1)
        assert after.seen == before.seen
        assert set(await records_of(run.server.store, TOKENS)) == set(after.tokens)
        run.clock.advance(10 * DAY)
        after = await swept(run, lambda account: not account.devices)
        assert after.seen == before.seen
        assert not await records_of(run.server.store, TOKENS)


async def test_a_session_that_was_here_last_makes_nobody_older_when_it_is_dropped_before_others(tmp_path: Path) -> None:
    async with timed(tmp_path) as run:
        now = run.clock.wall()
        old, new = Device(("old",), seen=now, made=now - 90 * DAY), Device(("new",), seen=now - DAY, made=now - DAY)
        account = Account("ann", "Ann", (old, new), password="hash")
        await run.server.store.put_record(ACCOUNTS, "ann", msgspec.msgpack.encode(account))
        after = await swept(run, lambda account: account.devices == (new,))
        assert after.seen == now


async def test_names_given_up_go_from_the_account_when_they_are_free_again(tmp_path: Path) -> None:
    async with timed(tmp_path) as run:
        ann = await run.client("Ann")
        await keeps(ann)
        await ann.say(say.Rename(name="Dora"))
        await ann.hear(Renamed)
        run.clock.advance(29 * DAY)
        assert (await account_of(run)).former == ("Ann",)
        run.clock.advance(2 * DAY)
        await swept(run, lambda account: not account.former)
        assert (await account_of(run)).name == "Dora"
