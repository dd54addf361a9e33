"""Logins whose token is revoked, or whose account is deleted, before they are let in."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from protocol.wire import from_client as say
from protocol.wire.from_server import NameKept
from server.order.address_trail import CAME_FROM
from tests.support.clients.wire import Client
from tests.support.doubles.gated_records import GatedRecords
from tests.support.servers.registration import PASSWORD, cheaply, keeps


@pytest.mark.parametrize(
    "act",
    [say.Logout(), say.KeepName(password="nine brown owls", old=PASSWORD), say.DeleteAccount(password=PASSWORD)],
    ids=["logged out", "password changed", "deleted"],
)
async def test_a_login_under_way_is_refused_once_its_token_is_gone(tmp_path: Path, act: say.Message) -> None:
    store = GatedRecords(tmp_path, CAME_FROM)
    async with cheaply(tmp_path, store=store) as run:
        ann = await run.client("Ann")
        await keeps(ann)
        late = Client(run.port, "Ann")
        late.talk.password = PASSWORD
        run.clients.append(late)
        with store.shut():
            coming = asyncio.create_task(late.connect())
            await store.waiting()
            await ann.say(act)
            await ann.until(lambda: ann.closed is not None or any(isinstance(one, NameKept) for one in ann.heard))
        await coming
        assert late.talk.welcome is None
        assert late.talk.ended is not None
        assert late.talk.ended.code == "session/over"
        assert late.closed == (1008, "session/over")
        left = [] if ann.closed is not None else [ann.talk.you]
        assert [session.who for session in run.server.lobby.sessions()] == left
