"""Tables with a beginning that go before it: the watch over dates forgets them, and goes on with all others."""

from __future__ import annotations

from pathlib import Path

from protocol.wire import from_client as say
from protocol.wire.dates import DateTold
from protocol.wire.from_server import TableView
from protocol.wire.seating import GetInvitations
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, Running, running

MINUTE, HOUR = 60, 3600


def view(client: Client) -> TableView:
    assert client.talk.table is not None
    return client.talk.table


async def dated(run: Running, name: str) -> Client:
    """Return the owner of a table that begins in an hour."""
    owner = await run.client(name)
    await owner.say(GetInvitations())
    await owner.create("three")
    await owner.change(begins=run.clock.wall() + HOUR)
    return owner


async def passed(run: Running, seconds: int, client: Client) -> None:
    """Let time pass, a minute after the other, so that the link is not taken for dead."""
    for _ in range(seconds // MINUTE):
        run.clock.advance(MINUTE)
        await client.pinged()


async def test_seats_at_other_tables_are_freed_after_a_table_with_a_date_has_gone(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await dated(run, "Ann"), await dated(run, "Ben")
        # a table of Ben's alone stays while he looks at the lobby
        begins, bens = view(ben).begins, view(ben).id
        ben.talk.table = ben.talk.scene = None
        await ben.connect()
        await ben.say(GetInvitations())
        await ann.say(say.LeaveTable())
        await until(lambda: [live.record.id for live in run.server.lobby.tables()] == [bens])
        await passed(run, HOUR + 12 * MINUTE, ben)
        assert await ben.hear(DateTold, lambda told: told.freed) == DateTold(bens, "Duel", begins, freed=True)
