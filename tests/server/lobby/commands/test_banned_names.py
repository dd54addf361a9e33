"""Banned names, asked for in words of which the server would make them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from protocol.wire import from_client as say
from protocol.wire.order import OrderDone
from protocol.wire.order_requests import Sanction
from tests.support.clients.wire import Client, Running
from tests.support.servers.registration import cheaply, keeps

NAME = "Evelyn of the Long Name"
"""One character shorter than a name may be."""
WRITTEN = (f"{NAME} the Second", NAME.replace("v", "v\u00b7"))
"""Cut after NAME, and with a dot that no name may have."""


@asynccontextmanager
async def banned(folder: Path) -> AsyncIterator[Running]:
    """Run a server on which nobody may be called NAME."""
    async with cheaply(folder, moderators=("Mo",)) as run:
        mo, eve = await run.client("Mo"), await run.client(NAME)
        await keeps(mo)
        await mo.say(Sanction(who=eve.talk.you, what="ban", reason="spam", seconds=3600, also=["name"]))
        assert (await mo.hear(OrderDone)).name == NAME
        yield run


@pytest.mark.parametrize("written", WRITTEN)
async def test_nobody_is_renamed_to_a_banned_name_by_words_that_become_it(tmp_path: Path, written: str) -> None:
    async with banned(tmp_path) as run:
        ada = await run.client("Ada")
        await ada.say(say.Rename(name=written))
        assert await ada.problem() == "rename/reserved"


@pytest.mark.parametrize("written", WRITTEN)
async def test_a_guest_who_comes_by_such_words_leaves_no_account_behind(tmp_path: Path, written: str) -> None:
    async with banned(tmp_path) as run:
        guest = Client(run.port, written)
        run.clients.append(guest)
        await guest.connect()
        assert guest.talk.ended is not None
        assert guest.talk.ended.code == "session/name-banned"
        assert [one.name async for one in run.server._identities.each()].count(NAME) == 1
