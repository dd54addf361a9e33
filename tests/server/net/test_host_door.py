"""The door of a running server for the commands of its host: who is let in, what it does, and how many it bears."""

from __future__ import annotations

import asyncio
import json
import stat
from pathlib import Path

import pytest

from protocol.wire.from_server import Problem
from protocol.wire.order import Announcements, Moderating
from server.cli.admin import ask_server
from server.net.host_door import DOOR, LOOPBACK, MOST_BYTES, MOST_VISITORS, DoorPlace, read_place
from server.order.host_requests import (
    AnnounceByHost,
    AnyHostRequest,
    AppointModerator,
    BanPerson,
    DismissModerator,
    HostAnswer,
    ReadAudit,
)
from server.runtime.errors import CommandError
from tests.support.runs.patience import PATIENCE
from tests.support.servers.registration import cheaply, keeps

pytestmark = pytest.mark.waits


def door_of(folder: Path) -> DoorPlace:
    place = read_place(folder)
    assert place is not None
    return place


async def ask(folder: Path, request: AnyHostRequest) -> HostAnswer:
    answer = await ask_server(door_of(folder), request)
    assert answer.refused == ""
    return answer


async def said_to(folder: Path, line: bytes) -> bytes:
    """Return all that the door answers to a line."""
    async with asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection(LOOPBACK, door_of(folder).port)
        writer.write(line)
        found = await reader.read()
        writer.close()
        return found


async def test_the_host_acts_on_a_running_server_and_those_concerned_are_told_at_once(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann, eve = await run.client("Ann"), await run.client("Eve")
        await keeps(ann)
        await ask(tmp_path, AppointModerator("Ann"))
        assert (await ann.hear(Moderating)).moderates
        await ask(tmp_path, AnnounceByHost("Maintenance", 600))
        assert [row.text for row in (await eve.hear(Announcements)).rows] == ["Maintenance"]
        await ask(tmp_path, BanPerson(eve.talk.you, "spam"))
        assert (await eve.hear(Problem)).code == "session/banned"
        await ask(tmp_path, DismissModerator("Ann"))
        await ann.hear(Moderating, lambda told: not told.moderates)
        found = await ask(tmp_path, ReadAudit())
        assert [line.about["act"] for line in found.lines] == ["dismiss", "ban", "announce", "appoint"]


async def test_nobody_else_is_answered_anything_and_nothing_happens(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        file = tmp_path / DOOR
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        word = door_of(tmp_path).word.encode()
        announce = b'{"type":"announce","text":"Free beer"}\n'
        for line in (announce, b" " + announce, b"0" * len(word) + b" " + announce, b"\xff " + announce):
            assert await said_to(tmp_path, line) == b""
        assert await said_to(tmp_path, word + b" " + b"x" * MOST_BYTES * 2 + b"\n") == b""
        for bad in (b"{}", b'{"type":"announce","text":""}', b'{"type":"audit","most":100000}', b"\xff"):
            assert json.loads(await said_to(tmp_path, word + b" " + bad + b"\n"))["refused"]
        assert run.server.order.announcements.standing() == []
        assert await run.server.order.audit.page(None, 9) == []


async def test_more_visitors_than_a_few_are_turned_away_and_none_stays(tmp_path: Path) -> None:
    async with cheaply(tmp_path):
        place = door_of(tmp_path)
        async with asyncio.timeout(PATIENCE):
            visitors = [await asyncio.open_connection(LOOPBACK, place.port) for _ in range(MOST_VISITORS + 1)]
            # who says nothing is hung up on, in turn or at once
            assert [await reader.read() for reader, _ in visitors] == [b""] * len(visitors)
        for _, writer in visitors:
            writer.close()
        await ask(tmp_path, ReadAudit())


async def test_the_door_closes_with_its_server_and_leaves_the_place_of_another(tmp_path: Path) -> None:
    async with cheaply(tmp_path):
        place = door_of(tmp_path)
    assert read_place(tmp_path) is None
    with pytest.raises(ConnectionRefusedError):
        await ask_server(place, ReadAudit())
    async with cheaply(tmp_path):
        (tmp_path / DOOR).write_text('{"port":1,"word":"another"}')
    assert door_of(tmp_path).word == "another"


async def test_what_does_not_answer_as_a_server_is_said(tmp_path: Path) -> None:
    async def mute(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    silent = await asyncio.start_server(mute, LOOPBACK, 0)
    async with silent:
        with pytest.raises(CommandError, match="has not answered"):
            await ask_server(DoorPlace(silent.sockets[0].getsockname()[1], "word"), ReadAudit())
