"""Lifetimes of tokens, the recheck of long-connected people, and names that nobody may have."""

from pathlib import Path

import pytest

from protocol.limits import Limits
from protocol.wire.from_server import Problem
from server.accounts.display_names import person_name
from tests.support.clients.wire import Client, Running, running

DAY = 24 * 3600


async def returns(run: Running, token: str | None) -> str:
    """Return the code with which this token is refused, empty where it is taken."""
    client = Client(run.port, "Ann", token)
    run.clients.append(client)
    await client.connect()
    return client.talk.ended.code if client.talk.ended is not None else ""


@pytest.mark.parametrize(("days", "code"), [(13.9, ""), (14.1, "session/unknown-token")])
async def test_a_token_ends_after_fourteen_days_away(tmp_path: Path, days: float, code: str) -> None:
    # a guest who never had a seat would be forgotten long before
    async with running(tmp_path, limits=Limits(guest_seconds=100 * DAY)) as run:
        ann = await run.client("Ann")
        await ann.close()
        run.clock.advance(days * DAY)
        assert await returns(run, ann.talk.token) == code


async def test_who_stays_connected_is_seen_and_sent_for_a_new_token_before_the_old_one_is_ninety_days_old(
    tmp_path: Path,
) -> None:
    async with running(tmp_path) as run:
        ann = await run.client("Ann")
        you = ann.talk.you
        for _ in range(7):
            run.clock.advance(10 * DAY)
            await answered(run)
        assert ann.closed is None
        run.clock.advance(10 * DAY)
        assert (await ann.hear(Problem)).code == "session/renew"
        await ann.until(lambda: ann.closed is not None)
        await ann.connect()
        assert ann.talk.you == you


async def answered(run: Running) -> None:
    """Wait until all that the clock has set off is stored: a newcomer's account is stored behind it."""
    other = await run.client("Ben")
    await other.close()


async def test_a_session_whose_tokens_are_gone_is_closed_within_half_an_hour(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await run.client("Ann")
        run.clock.advance(5)
        await answered(run)
        assert ann.talk.you is not None
        await run.server.store.delete_record("account", ann.talk.you)
        run.clock.advance(1800)
        assert (await ann.hear(Problem)).code == "session/over"
        await ann.until(lambda: ann.closed is not None)


WIDE = "\uff33\uff45\uff52\uff56\uff45\uff52"


@pytest.mark.parametrize("name", ["Server", "ADMIN", WIDE, "ad min", "  referee ", "Eschaton", "\u202eSystem"])
def test_nobody_is_called_like_the_server(name: str) -> None:
    assert person_name(name, 24) == "Guest"
    assert person_name(name + " Ann", 24) != "Guest"
