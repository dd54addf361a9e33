"""The clock of one person among bots: none, unless it was asked for, until a second person plays."""

from pathlib import Path

import pytest

from protocol.wire import from_client as say
from tests.support.clients.wire import Client, Running, running

HOUR = 3600


async def alone(run: Running, *, solo_clock: bool) -> Client:
    """Return Ann at a duel against a bot, in her turn."""
    ann = await run.client("Ann")
    await ann.create()
    await ann.change(bank=0, seconds=20, solo_clock=solo_clock)
    await ann.say(say.AddBot(kind="hard"))
    await ann.until(lambda: ann.talk.table is not None and bool(ann.talk.table.seats[1].bot))
    await ann.say(say.StartMatch())
    await ann.my_turn()
    return ann


def left(client: Client) -> int:
    """Return the milliseconds of the one who is waited for, -1 where no clock runs."""
    table = client.talk.table
    return table.clocks[0].left if table is not None and table.clocks else 0


@pytest.mark.waits
async def test_no_clock_runs_where_bots_alone_wait(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await alone(run, solo_clock=False)
        await ann.until(lambda: left(ann) == -1)
        assert ann.talk.table is not None
        assert [seat.bank for seat in ann.talk.table.seats] == [-1, -1]
        run.clock.advance(HOUR)
        await ann.pinged()
        assert ann.offers("rest")


@pytest.mark.waits
async def test_a_clock_that_is_asked_for_runs_against_bots_too(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await alone(run, solo_clock=True)
        await ann.until(lambda: left(ann) == 20_000)


@pytest.mark.waits
async def test_the_clock_begins_with_all_its_time_when_a_second_person_sits_down(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await alone(run, solo_clock=False)
        run.clock.advance(HOUR)
        ben = await run.client("Ben")
        assert ann.talk.table is not None
        await ben.join(ann.talk.table.code)
        await ann.until(lambda: left(ann) == 20_000)
        await ben.say(say.LeaveTable())
        assert await ben.left() == "left"
        await ann.until(lambda: left(ann) == -1)
