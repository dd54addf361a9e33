"""Tables with a beginning: people are told, the table opens, seats of the absent are freed, over restarts too."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.wire import from_client as say
from protocol.wire.dates import DateTold
from protocol.wire.from_server import TableView
from protocol.wire.seating import GetInvitations
from server.lobby.table.table_dates import MOST_SECONDS
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, Running, running

pytestmark = pytest.mark.waits

MINUTE, HOUR, DAY = 60, 3600, 24 * 3600


def view(client: Client) -> TableView:
    assert client.talk.table is not None
    return client.talk.table


async def come(run: Running, name: str, token: str | None = None) -> Client:
    """Return a client that wants to be told of dates."""
    client = await run.client(name, token)
    await client.say(GetInvitations())
    return client


async def dated(run: Running, seconds: int) -> tuple[Client, Client, int]:
    """Return Ann and Ben, who have promised to play so many seconds from now, Ben in the lobby, and when that is."""
    ann, ben = await come(run, "Ann"), await come(run, "Ben")
    await ann.create("three")
    begins = run.clock.wall() + seconds
    await ann.change(begins=begins)
    await ben.join(view(ann).code)
    assert view(ben).begins == begins
    await to_lobby(run, ben)
    return ann, ben, begins


async def to_lobby(run: Running, client: Client) -> None:
    """Let a client come back without looking at its table."""
    client.talk.table = client.talk.scene = None
    await client.connect()
    await client.say(GetInvitations())
    await client.pinged()


async def passed(run: Running, seconds: int, *clients: Client) -> None:
    """Let time pass, a minute after the other, so that no link is taken for dead."""
    for _ in range(seconds // MINUTE):
        run.clock.advance(MINUTE)
        for client in clients:
            await client.pinged()


def told(client: Client) -> list[tuple[int, bool, bool]]:
    found = [one for one in client.heard if isinstance(one, DateTold)]
    client.heard.clear()
    return [(one.begins, one.opened, one.freed) for one in found]


async def test_whoever_promised_and_is_here_is_told_a_day_and_an_hour_before_and_at_the_opening(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, begins = await dated(run, DAY + 5 * MINUTE)
        await passed(run, 4 * MINUTE, ben)
        assert told(ben) == []
        await passed(run, 2 * MINUTE, ben)
        assert told(ben) == [(begins, False, False)]
        run.clock.advance(23 * HOUR)
        assert await ben.hear(DateTold) == DateTold(view(ann).id, "Duel", begins)
        run.clock.advance(50 * MINUTE)
        assert (await ben.hear(DateTold)).opened
        await ben.pinged()
        assert told(ben) == []


async def test_a_match_with_a_date_starts_from_ten_minutes_before_on(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await come(run, "Ann")
        await ann.create("two")
        await ann.say(say.AddBot(kind="random"))
        await ann.change(begins=run.clock.wall() + HOUR)
        await ann.say(say.StartMatch())
        assert await ann.problem() == "table/not-yet"
        await passed(run, 50 * MINUTE, ann)
        await ann.say(say.StartMatch())
        await ann.my_turn()
        assert view(ann).begins == 0


async def test_seats_of_those_who_do_not_come_are_free_ten_minutes_after(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, begins = await dated(run, 20 * MINUTE)
        assert [seat.name for seat in view(ann).seats] == ["Ann", "Ben", ""]
        await passed(run, 29 * MINUTE, ann, ben)
        assert [seat.name for seat in view(ann).seats] == ["Ann", "Ben", ""]
        ben.heard.clear()
        await passed(run, 2 * MINUTE, ann, ben)
        await ann.until(lambda: not view(ann).seats[1].who)
        assert view(ann).begins == 0
        assert told(ben) == [(begins, False, True)]


async def test_a_promise_is_taken_back_by_leaving_and_another_may_have_the_seat(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, _ = await dated(run, DAY)
        await ben.say(say.OpenTable(table=view(ann).id))
        await ben.arrived()
        await ben.say(say.LeaveTable())
        assert await ben.left() == "left"
        await ann.until(lambda: not view(ann).seats[1].who)
        cid = await come(run, "Cid")
        await cid.join(view(ann).code)
        assert view(cid).seat == 1


async def test_the_owner_sets_a_date_ahead_and_all_are_told_when_it_moves(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, begins = await dated(run, 3 * DAY)
        now = run.clock.wall()
        for wrong in (now, now - DAY, now + MOST_SECONDS + DAY):
            await ann.say(say.ChangeTable(begins=wrong))
            assert await ann.problem() == "table/date"
        assert told(ben) == []
        await ann.change(begins=begins + HOUR)
        assert (await ben.hear(DateTold)).begins == begins + HOUR
        assert not [one for one in ann.heard if isinstance(one, DateTold)]
        await ann.change(begins=0)
        await ann.until(lambda: view(ann).begins == 0)


async def test_a_table_with_a_date_stays_while_nobody_is_there_and_a_restart_loses_nothing(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, begins = await dated(run, 2 * DAY)
        table = view(ann).id
        await ann.close()
        await ben.close()
    run.clock.advance(DAY + HOUR)
    async with running(tmp_path, clock=run.clock) as run:
        # a day before has passed while the server was away: it is told now, once
        ben = await come(run, "Ben", ben.talk.token)
        assert (await ben.hear(DateTold)).begins == begins
        await ben.close()
    async with running(tmp_path, clock=run.clock) as run:
        ben = await come(run, "Ben", ben.talk.token)
        await passed(run, 2 * MINUTE, ben)
        assert told(ben) == []
    run.clock.advance(DAY)
    async with running(tmp_path, clock=run.clock) as run:
        # the beginning has passed while the server was away: there are ten minutes to come, all the same
        ann = await come(run, "Ann", ann.talk.token)
        await ann.say(say.OpenTable(table=table))
        await ann.arrived()
        await passed(run, 9 * MINUTE, ann)
        assert [seat.name for seat in view(ann).seats] == ["Ann", "Ben", ""]
        await passed(run, 2 * MINUTE, ann)
        await ann.until(lambda: not view(ann).seats[1].who)


async def test_a_table_to_which_nobody_comes_is_gone_after_its_date(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, _ = await dated(run, HOUR)
        await ann.close()
        await passed(run, 10 * MINUTE, ben)
        assert len(run.server.lobby.tables()) == 1
        await passed(run, HOUR + 2 * MINUTE, ben)
        await until(lambda: not run.server.lobby.tables())
