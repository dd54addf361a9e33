"""A disk that is full, may not be written or fails to sync: no acknowledgement, a clear refusal (within a second: `make
long PART=disk-faults`), and all goes on when it works again, without a restart; nothing is corrupt."""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from protocol.scene.nodes import Reply
from protocol.wire import from_client as say
from protocol.wire.from_server import Ack, ChatLine, Problem, Reject
from tests.support.clients.programs import run
from tests.support.doubles.disk import SYNCING, fill, make_read_only, no_small_disk, no_tampering, small_disk, tampered
from tests.support.faults.kills.crashing import CrashServer, Pair, check_file, check_match
from tests.support.runs.patience import PATIENCE

REFUSED = "store/unavailable"
needs_tampering = pytest.mark.skipif(bool(no_tampering()), reason=no_tampering() or "-")
needs_small_disk = pytest.mark.skipif(bool(no_small_disk()), reason=no_small_disk() or "-")


@asynccontextmanager
async def playing(data: Path, log: Path) -> AsyncIterator[Pair]:
    """Two players in the middle of an endless duel at a real server."""
    server = CrashServer(data, log)
    await server.open()
    pair = Pair(server)
    try:
        assert await server.serve()
        await pair.seat()
        for _ in range(4):
            await pair.play_on()
        # the question has closed, and nothing is being written any more
        await pair.players[0].my_turn("draw")
        yield pair
    finally:
        await pair.close()
        await server.close()


async def attempt(pair: Pair, choice: str) -> tuple[str, float]:
    """Ann makes a choice: the code of its refusal, empty where it was acknowledged, and after how many seconds."""
    ann = pair.players[0]
    await ann.my_turn(choice)
    begun = time.monotonic()
    id = ann.talk.intend(Reply(choice), secrets.token_bytes(16))
    await ann.flush()
    answer = await ann.answer(id)
    if isinstance(answer, Ack):
        pair.acts[id] = answer
    return answer.code if isinstance(answer, Reject) else "", time.monotonic() - begun


async def refused_for_a_while(pair: Pair, within: float = PATIENCE) -> None:
    """While the disk does not work: every act is refused at once, a table cannot be made, people can still talk."""
    ann, ben = pair.players
    for _ in range(5):
        code, seconds = await attempt(pair, "draw")
        assert code == REFUSED
        assert seconds <= within
    await ann.say(say.Chat(text="The disk is broken."))
    assert (await ben.hear(ChatLine)).text == "The disk is broken."
    await ann.say(say.CreateTable(system="duel", scenario="two", name="More"))
    assert (await ann.hear(Problem)).code == REFUSED


async def goes_on(pair: Pair) -> None:
    """The disk works again: so does the match, and all that was acknowledged is there once."""
    assert (await attempt(pair, "focus"))[0] == ""
    for _ in range(8):
        await pair.play_on()
    await pair.server.kill()
    check_file(pair.server.data / "eschaton.db")
    await check_match(pair)


in_each_way = pytest.mark.parametrize(
    ("calls", "how"),
    [(SYNCING, "error=EIO"), ("pwrite64", "error=EROFS"), ("pwrite64", "error=ENOSPC")],
    ids=["sync-fails", "read-only", "full"],
)


async def fail(folder: Path, calls: str, how: str, within: float) -> None:
    """Let calls to the disk of a server under play fail for a while."""
    data = folder / "data"
    data.mkdir()
    async with playing(data, folder / "server.log") as pair:
        async with tampered(pair.server.pid, calls, how):
            await refused_for_a_while(pair, within)
        await goes_on(pair)


@pytest.mark.waits(times=200)
@needs_tampering
@in_each_way
async def test_calls_to_the_disk_fail(tmp_path: Path, calls: str, how: str) -> None:
    await fail(tmp_path, calls, how, PATIENCE)


@needs_tampering
@in_each_way
@pytest.mark.long("disk-faults")
async def test_long_calls_to_the_disk_fail_and_the_refusal_comes_within_a_second(
    tmp_path: Path, calls: str, how: str
) -> None:
    await fail(tmp_path, calls, how, within=1.0)


@pytest.mark.waits(times=200)
@needs_small_disk
async def test_a_disk_of_a_megabyte_is_full(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk") as data:
        async with playing(data, tmp_path / "server.log") as pair:
            filler = fill(data)
            for _ in range(19):
                if (await attempt(pair, "draw"))[0] == REFUSED:
                    break
            await refused_for_a_while(pair)
            filler.unlink()
            await goes_on(pair)


@needs_small_disk
async def test_a_disk_that_may_only_be_read_is_named_at_the_start(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk") as disk:
        make_read_only(disk)
        place = ("--listen", "127.0.0.1:0", "--data", str(disk / "data"))
        assert await run(tmp_path, "server.cli.main", "serve", *place) == 1
        said = (tmp_path / "server.cli.main.log").read_text()
        assert "cannot be used" in said
        assert "Traceback" not in said
