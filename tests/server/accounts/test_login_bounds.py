"""Logins beyond a person's bound: nothing is hashed or stored for them, and they count at their address."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from protocol.limits import Rate, Rates
from server.accounts.identities import ACCOUNTS
from server.store.port import KeptRecord
from tests.support.clients.wire import Client, Running
from tests.support.servers.registration import CHEAP, cheaply, keeps, refusal, signs_in

LIMITS = replace(CHEAP, logins=Rates(Rate(2, 600), Rate(5, 600), Rate(1000, 600)))
BEYOND, OF_THE_ADDRESS = "bound/logins-person", "bound/logins-address"


async def account_of(run: Running, client: Client) -> KeptRecord:
    """Return the account of a person as it is stored."""
    found = await run.server.store.find_record(ACCOUNTS, client.talk.you)
    assert found is not None
    return found


async def by_token(run: Running, token: str | None) -> str:
    """Return the code with which a greeting with this token is refused; empty where it is not."""
    client = Client(run.port, "Ann", token)
    await client.connect()
    ended = client.talk.ended
    await client.close()
    return ended.code if ended is not None else ""


async def test_by_token_nothing_is_stored_and_each_counts_at_the_address(tmp_path: Path) -> None:
    async with cheaply(tmp_path, LIMITS) as run:
        ann = await run.client("Ann")
        await ann.connect()
        await ann.pinged()
        before = await account_of(run, ann)
        for _ in range(3):
            assert await by_token(run, ann.talk.token) == BEYOND
        assert await account_of(run, ann) == before
        assert await by_token(run, None) == OF_THE_ADDRESS
        run.clock.advance(600 * 25 / 24)
        assert await by_token(run, ann.talk.token) == ""


async def test_by_password_no_hash_is_made_and_each_counts_at_the_address(tmp_path: Path) -> None:
    async with cheaply(tmp_path, LIMITS) as run:
        ann = await run.client("Ann")
        await keeps(ann)
        await (await signs_in(run)).pinged()
        before, signed_in = await account_of(run, ann), run.server.metrics.sign_ins.get("good")
        for password in ("seven grey herons", "a wrong password", "seven grey herons"):
            assert await refusal(run, password=password) == BEYOND
        assert run.server.metrics.sign_ins.get("good") == signed_in
        assert run.server.metrics.sign_ins.get("wrong") == 0
        assert await account_of(run, ann) == before
        assert await refusal(run) == OF_THE_ADDRESS
        assert await refusal(run, address="127.0.0.2") == BEYOND


async def test_guesses_at_a_password_use_up_no_logins_of_its_person(tmp_path: Path) -> None:
    async with cheaply(tmp_path, LIMITS) as run:
        ann = await run.client("Ann")
        await keeps(ann)
        for _ in range(3):
            assert await refusal(run, password="a wrong password", address="127.0.0.2") == "session/not-signed-in"
        assert await by_token(run, ann.talk.token) == ""
