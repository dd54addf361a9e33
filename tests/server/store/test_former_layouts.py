"""Stores that were made before records had versions: opened with accounts, tables and matches in place.

The folders in `former` are those of a server with a live match of Ann (who keeps her name) and Ben, in which Ann has
acted once and chatted, and a table of Eva that has not begun. `about.json` has their ids and tokens. Chat was sent to
those who were there, and never stored.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from protocol.ids import MatchId
from server.accounts.identities import ACCOUNTS, TOKENS
from server.cli.data.command_inputs import open_reader
from server.lobby.table.table_record import LIVE, OPEN, TABLES
from server.store.choice import open_store
from server.store.port import Store, StoreUnavailable
from tests.support.clients.wire import running
from tests.support.doubles.redis_server import RedisServer
from tests.support.doubles.stored import records_of

pytestmark = pytest.mark.waits

FORMER = Path(__file__).parent / "former"
LAYOUTS = {"sqlite": 4, "redis": 1}


class FormerData:
    """A copy of a former data folder; `place` is where its store is."""

    def __init__(self, adapter: str, folder: Path, place: str) -> None:
        self.layout = LAYOUTS[adapter]
        self.folder = folder
        self.place = place
        self.about: dict[str, Any] = json.loads((folder / "about.json").read_text())
        self.updated: list[int] = []

    async def open(self) -> Store:
        return await open_store(self.place, self.folder, on_update=self.updated.append)


@pytest.fixture(params=LAYOUTS)
def former(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FormerData]:
    adapter, folder = str(request.param), tmp_path / "data"
    shutil.copytree(FORMER / adapter, folder)
    for file in folder.iterdir():
        file.chmod(0o600)
    if adapter == "sqlite":
        yield FormerData(adapter, folder, "")
        return
    with closing(RedisServer(folder, ("--appendonly", "no"))) as server:
        for name, value in {"appendonly": "yes", "appendfsync": "always"}.items():
            assert server.say("CONFIG", "SET", name, value) == "+OK"
        yield FormerData(adapter, folder, server.first)


async def test_everything_of_a_former_store_is_in_place(former: FormerData) -> None:
    store, about = await former.open(), former.about
    assert former.updated == [former.layout]
    async with running(former.folder, store=store) as run:
        for name in ("Ann", "Ben", "Eva"):
            person = await run.client(name, about[name.lower()]["token"])
            assert person.talk.you == about[name.lower()]["id"]
            assert person.talk.welcome is not None
            assert person.talk.welcome.name == name
        stranger = await run.client("Ann")
        assert stranger.talk.welcome is not None
        assert stranger.talk.welcome.name != "Ann"
        states = {live.record.id: live.record.state for live in run.server.lobby.tables()}
        assert states == {about["live"]: LIVE, about["open"]: OPEN}
        [match] = await store.matches()
        assert await store.version(match) >= about["steps"][match]
        assert set(await records_of(store, ACCOUNTS)) == {
            stranger.talk.you,
            *(about[name]["id"] for name in ("ann", "ben", "eva")),
        }
    store = await former.open()
    assert former.updated == [former.layout]
    [live] = [record for record in await store.page(TABLES) if record.key == about["live"]]
    await store.close()
    assert live.version >= 1


async def test_a_former_store_is_read_as_it_is(former: FormerData) -> None:
    reader, about = await open_reader(former.folder, former.place), former.about
    first = await reader.page(TABLES, None, 1)
    found = first + await reader.page(TABLES, first[-1].key, 1)
    assert [record.key for record in found] == sorted((about["live"], about["open"]))
    assert {(record.version, record.schema) for record in found} == {(1, 1)}
    assert {ACCOUNTS, TABLES, TOKENS} <= set(await reader.kinds())
    assert {match: len(await reader.read(MatchId(match))) for match in await reader.matches()} == about["steps"]
    await reader.close()
    store = await former.open()
    assert former.updated == [former.layout]
    await store.close()


async def test_a_store_of_a_newer_layout_is_refused(redis: RedisServer, tmp_path: Path) -> None:
    redis.say("SET", "eschaton:layout", "3")
    with pytest.raises(StoreUnavailable, match="was written by a newer Eschaton"):
        await open_store(redis.first, tmp_path)
