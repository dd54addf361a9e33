"""Spectators who have blocked one another: each is told the wishes of all but those whom they have blocked."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.wire import from_client as say
from protocol.wire.seating import AskSeat
from tests.support.clients.wire import Client, Running, running, two_players


async def spectator(run: Running, name: str, player: Client) -> Client:
    """Return a spectator of the player's table."""
    client = await run.client(name)
    assert player.talk.table is not None
    await client.say(say.WatchTable(table=player.talk.table.id))
    await client.arrived()
    return client


def wishes(client: Client, name: str) -> tuple[int, int]:
    """Return the seats that a spectator is said to wish to look into and to take over."""
    assert client.talk.table is not None
    return next((one.role.wants, one.asks) for one in client.talk.table.watchers if one.name == name)


@pytest.mark.parametrize("names", [("Cid", "Dan"), ("Dan", "Cid")])
@pytest.mark.parametrize(
    ("wish", "told"), [(say.LookAs(sees="seat", seat=0), (0, -1)), (AskSeat(seat=1), (-1, 1))], ids=["look", "take"]
)
async def test_of_two_who_see_the_same_one_who_blocked_the_asker_is_told_of_no_wish(
    tmp_path: Path, names: tuple[str, str], wish: say.Message, told: tuple[int, int]
) -> None:
    async with running(tmp_path) as run:
        ann, _ = await two_players(run)
        watching = {name: await spectator(run, name, ann) for name in ("Eve", *names)}
        eve, cid, dan = (watching[name] for name in ("Eve", "Cid", "Dan"))
        await cid.say(say.Relate(what="block", who=eve.talk.you))
        await cid.pinged()
        await eve.say(wish)
        await dan.until(lambda: wishes(dan, "Eve") == told)
        await eve.until(lambda: wishes(eve, "Eve") == told)
        await cid.pinged()
        assert wishes(cid, "Eve") == (-1, -1)
