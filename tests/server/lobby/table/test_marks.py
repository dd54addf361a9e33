"""Marks by which a player points at the table: their side sees them, nobody else can tell, and nothing keeps them."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.wire import from_client as say
from protocol.wire.from_server import PointedAt, Problem
from server.content.systems import find_systems, load
from tests.support.clients.programs import PLUGINS
from tests.support.clients.wire import Client, Running, running
from tests.support.servers.seats import three_players

HERE = [123_456, 654_321]


async def watcher(run: Running, at: Client) -> Client:
    assert at.talk.table is not None
    eve = await run.client("Eve")
    await eve.say(say.WatchTable(table=at.talk.table.id))
    await eve.until(lambda: eve.talk.table is not None)
    return eve


async def quiet(*clients: Client) -> None:
    """Wait until each has heard of all that has happened so far."""
    for _ in range(2):
        for client in clients:
            await client.pinged()
    for client in clients:
        client.heard.clear()


async def at_allies(run: Running) -> tuple[Client, Client, Client, Client]:
    """Ann and Ben on one side, Cem on the other, Eve watches."""
    ann, ben, cem = [await run.client(name) for name in ("Ann", "Ben", "Cem")]
    await ann.say(say.CreateTable(system="proving", scenario="allies", name="Field", private=False))
    await ann.arrived()
    assert ann.talk.table is not None
    for client in (ben, cem):
        await client.say(say.JoinTable(table=ann.talk.table.id))
        await client.arrived()
    eve = await watcher(run, ann)
    await quiet(ann, ben, cem, eve)
    return ann, ben, cem, eve


async def test_a_mark_is_seen_by_its_side_and_nobody_else_can_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(PLUGINS)
    async with running(tmp_path, systems=load(find_systems(["proving"]).values())) as run:
        ann, ben, cem, eve = await at_allies(run)
        assert cem.talk.table is not None
        assert [seat.side for seat in cem.talk.table.seats] == [0, 0, 1]
        before = len(cem.frames), len(eve.frames)
        await ann.say(say.PointAt(at=HERE))
        for client in (ann, ben):
            assert await client.hear(PointedAt) == PointedAt(0, (HERE[0], HERE[1]))
        for client, count in zip((cem, eve), before, strict=True):
            await client.pinged()
            assert len(client.frames) == count + 1  # the answer to the ping, nothing else
        await eve.say(say.PointAt(at=HERE))
        assert await eve.problem() == "talk/watching"
        assert str(HERE[0]) not in run.log.getvalue()


async def test_without_sides_all_see_it_and_who_points_again_at_once_is_refused(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, cem = await three_players(run)
        eve = await watcher(run, ann)
        await quiet(ann, ben, cem, eve)
        await ben.say(say.PointAt(at=HERE))
        for client in (ann, ben, cem, eve):
            assert (await client.hear(PointedAt)).seat == 1
        await ben.say(say.PointAt(at=HERE))
        assert (await ben.hear(Problem)).code == "busy"
        run.clock.advance(1)
        await ben.say(say.PointAt(at=HERE))
        assert (await ann.hear(PointedAt)).seat == 1
