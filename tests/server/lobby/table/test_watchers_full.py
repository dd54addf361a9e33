"""A table takes so many spectators, and no more, whichever way they come."""

from __future__ import annotations

from pathlib import Path

from protocol.limits import Limits
from protocol.wire import from_client as say
from tests.support.clients.wire import running, two_players
from tests.support.servers.seats import seen

LIMITS = Limits(handshakes_per_second=1000, sockets_per_address=1000, spectators=2)


async def test_the_third_spectator_of_two_is_refused_until_one_has_gone(tmp_path: Path) -> None:
    async with running(tmp_path, limits=LIMITS) as run:
        ann, ben = await two_players(run)
        table = seen(ann).id
        eve, fay, gus = [await run.client(name) for name in ("Eve", "Fay", "Gus")]
        for client in (eve, fay):
            await client.say(say.WatchTable(table=table))
            await client.arrived()
        await gus.say(say.WatchTable(table=table))
        assert await gus.problem() == "table/watchers-full"
        await gus.say(say.OpenTable(table=table))
        assert await gus.problem() == "table/watchers-full"
        # who plays is no spectator
        await ben.cut()
        await ben.connect()
        await ben.say(say.OpenTable(table=table))
        await ben.arrived()
        await eve.say(say.LeaveTable())
        assert await eve.left() == "left"
        await gus.say(say.WatchTable(table=table))
        await gus.arrived()
