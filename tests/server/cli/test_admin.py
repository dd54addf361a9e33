"""`eschaton-server admin` on a server that is stopped, and on one that runs in a process of its own."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from server.cli import main
from server.net.host_door import DOOR
from server.runtime.former_keys import KEY
from server.runtime.signing import HostKey
from server.store.choice import open_store
from tests.server.cli.test_process import serving
from tests.support.clients.wire import Client
from tests.support.doubles.redis_server import RedisServer
from tests.support.servers.registration import cheaply, keeps

pytestmark = pytest.mark.waits

AWAY = "127.0.7.2"


def admin(folder: Path, *words: str) -> int:
    """Run the program as the host would."""
    return main.main(["admin", *words, "--data", str(folder)])


async def in_thread(folder: Path, *words: str) -> int:
    return await asyncio.to_thread(admin, folder, *words)


async def peopled(folder: Path) -> str:
    """Have a server run there with Ann, who keeps her name, and Eve, whose id is returned; then stop it."""
    async with cheaply(folder) as run:
        await keeps(await run.client("Ann"))
        return (await run.client("Eve")).talk.you


async def test_the_host_acts_on_a_stopped_server_and_reads_it_in_the_audit_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    eve = await peopled(tmp_path)
    for words in (
        ("appoint", "Ann"),
        ("ban", eve, "--reason", "spam", "--for-ever", "--also", "network", "--also", "name"),
        ("announce", "Maintenance", "--minutes", "10"),
        ("dismiss", "Ann"),
    ):
        assert await in_thread(tmp_path, *words) == 0
    capsys.readouterr()
    assert await in_thread(tmp_path, "bans", "--json") == 0
    [ban] = map(json.loads, capsys.readouterr().out.splitlines())
    assert (ban["who"], ban["name"], ban["reason"], ban["also"]) == (eve, "Eve", "spam", ["name", "network"])
    assert await in_thread(tmp_path, "audit", "--json") == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["act"] for one in found] == ["dismiss", "announce", "ban", "appoint"]
    assert await in_thread(tmp_path, "lift", ban["id"], "--reason", "a mistake") == 0
    assert capsys.readouterr().out == "The ban of Eve is lifted.\n"
    assert await in_thread(tmp_path, "announcements") == 0
    id, _, rest = capsys.readouterr().out.partition("  ")
    assert rest.endswith("  Maintenance\n")
    assert await in_thread(tmp_path, "take-back", id) == 0


async def test_what_is_refused_is_said_with_its_status(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert await in_thread(tmp_path, "bans") == 1
    assert "no server has run there" in capsys.readouterr().err
    await peopled(tmp_path)
    wrong = {
        ("ban", "Ann", "--reason", "spam"): (2, "--hours N, or --for-ever"),
        ("ban", "Ann", "--reason", "spam", "--hours", "1", "--for-ever"): (2, "--hours N, or --for-ever"),
        ("ban", "Ann", "--reason", "", "--hours", "1"): (2, "reason"),
        ("ban", "Bob", "--reason", "spam", "--hours", "1"): (1, "nobody with the id or the kept name 'Bob'"),
        ("lift", "s1", "--reason", "spam"): (1, "ended already"),
        ("lift", "no such id", "--reason", "spam"): (2, "id"),
        ("announce", "w" * 201): (2, "text"),
        ("take-back", "a1"): (1, "stands no more"),
        ("appoint", "Bob"): (1, "nobody"),
        ("dismiss", "Ann"): (1, "no moderator"),
    }
    for words, (status, why) in wrong.items():
        assert await in_thread(tmp_path, *words) == status, words
        assert why in capsys.readouterr().err, words


async def test_on_a_running_server_it_goes_by_its_door_and_a_file_that_a_kill_has_left_is_no_door(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with serving(tmp_path) as (process, _):
        assert await in_thread(tmp_path, "announce", "Maintenance") == 0
        process.kill()
        await process.wait()
    assert (tmp_path / DOOR).is_file()
    capsys.readouterr()
    assert await in_thread(tmp_path, "announcements") == 0
    assert capsys.readouterr().out.endswith("  Maintenance\n")


async def test_what_redis_keeps_is_acted_on_under_the_lease_of_a_server(
    tmp_path: Path, redis_server: RedisServer, capsys: pytest.CaptureFixture[str]
) -> None:
    HostKey.at(tmp_path / KEY)
    database = redis_server.place()
    place = ("--store", database)
    assert await in_thread(tmp_path, "announce", "Maintenance", *place) == 0
    capsys.readouterr()
    assert await in_thread(tmp_path, "audit", *place) == 0
    assert capsys.readouterr().out.endswith("the host: announce Maintenance\n")
    store = await open_store(database, tmp_path)
    try:
        assert await in_thread(tmp_path, "audit", *place) == 1
        assert "Another server uses" in capsys.readouterr().err
    finally:
        await store.close()


async def test_no_address_is_in_any_file_however_a_ban_by_network_is_made(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        eve = Client(run.port, "Eve", address=AWAY)
        run.clients.append(eve)
        await eve.connect()
        who = eve.talk.you
    assert await in_thread(tmp_path, "ban", who, "--reason", "spam", "--for-ever", "--also", "network") == 0
    async with cheaply(tmp_path) as run:
        ada = Client(run.port, "Ada", address="127.0.7.9")
        run.clients.append(ada)
        await ada.connect()
        assert ada.talk.ended is not None
        assert ada.talk.ended.code == "session/banned"
    found = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert AWAY.encode() not in found
    assert b"127.0.7." not in found
