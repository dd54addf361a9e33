"""Logins of people who are renamed before they are let in."""

from __future__ import annotations

import asyncio
from pathlib import Path

from protocol.wire import from_client as say
from protocol.wire.from_server import Renamed
from server.order.address_trail import CAME_FROM
from tests.support.clients.wire import Client
from tests.support.doubles.gated_records import GatedRecords
from tests.support.servers.registration import PASSWORD, cheaply, keeps


async def test_whoever_is_renamed_while_they_log_in_comes_in_by_the_new_name(tmp_path: Path) -> None:
    store = GatedRecords(tmp_path, CAME_FROM)
    async with cheaply(tmp_path, store=store) as run:
        ann = await run.client("Ann")
        await keeps(ann)
        await ann.create("two")
        late = Client(run.port, "Ann")
        late.talk.password = PASSWORD
        run.clients.append(late)
        with store.shut():
            coming = asyncio.create_task(late.connect())
            await store.waiting()
            await ann.say(say.Rename(name="Dora"))
            await ann.hear(Renamed)
            await ann.pinged()
        await coming
        assert late.talk.welcome is not None
        assert late.talk.welcome.name == "Dora"
        await late.pinged()
        assert [session.name for session in run.server.lobby.sessions()] == ["Dora"]
        [live] = run.server.lobby.unfinished_of(late.talk.you)
        assert live.record.seats[0].name == "Dora"
