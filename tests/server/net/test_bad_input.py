"""Bad input: each kind has its own code, changes nothing, and other tables never notice."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgpack
import pytest

from protocol.limits import Bucket, Limits
from protocol.version import VERSION
from protocol.wire import from_client as say
from protocol.wire.from_server import Problem, Reject
from tests.support.clients.wire import Client, Running, running, two_players


def packed(**message: object) -> bytes:
    data: bytes = msgpack.packb(message)
    return data


@asynccontextmanager
async def two_tables(tmp_path: Path) -> AsyncIterator[tuple[Running, Client, Client]]:
    """Give a match with Ann, and another one that Eva watches, whose picture must stay as it was."""
    async with running(tmp_path) as run:
        ann, _ = await two_players(run)
        eva, _ = await two_players(run)
        before = state(ann), state(eva)
        yield run, ann, eva
        assert await eva.intend("core:undo") == "undo/started"
        assert state(eva) == before[1]
        if ann.closed is not None:
            await ann.connect()
        await ann.say(say.Resync())
        await ann.until(lambda: ann.talk.scene is not None and ann.talk.scene.is_whole)
        assert state(ann) == before[0]
        assert not [line for line in run.lines if line["level"] == "error"]


def state(client: Client) -> object:
    assert client.talk.scene is not None
    return client.talk.scene.hashes


FATAL = {
    "not msgpack": (b"\xc1", "frame/unreadable"),
    "no map": (b"\x93\x01\x02\x03", "frame/unreadable"),
    "cut short": (packed(t="ping", n=1)[:-1], "frame/unreadable"),
    "too large": (packed(t="chat", text="x" * 20_000), "frame/too-large"),
    "too deep": (packed(t="ping", n=[[[[[[[[[[[]]]]]]]]]]]), "frame/too-deep"),
    "hello again": (packed(t="hello", version=VERSION, name="Ann"), "session/hello-once"),
}


@pytest.mark.parametrize("case", FATAL)
async def test_an_unreadable_frame_ends_the_connection(tmp_path: Path, case: str) -> None:
    frame, code = FATAL[case]
    async with two_tables(tmp_path) as (_, ann, _):
        await ann.raw(frame)
        problem = await ann.hear(Problem)
        assert problem.code == code
        assert problem.fatal
        await ann.until(lambda: ann.closed is not None)


MENDABLE = {
    "unknown kind": (packed(t="cheat"), "frame/unknown-type"),
    "unknown field": (packed(t="ping", n=1, speed=3), "frame/unknown-field"),
    "field out of bounds": (packed(t="ping", n=-1), "frame/bad-field"),
    "field of another type": (packed(t="ready", ready="yes"), "frame/bad-field"),
    "no such table": (packed(t="open", table="nowhere"), "table/unknown"),
    "no such system": (packed(t="create", system="chess", scenario="two", name="x"), "table/unknown-system"),
    "no such replay": (packed(t="replay", table="nowhere"), "table/unknown"),
    "start again": (packed(t="start"), "table/started"),
    "change after the start": (packed(t="change", name="x"), "table/started"),
    "no such seat": (packed(t="remove_seat", seat=9), "table/no-seat"),
}


@pytest.mark.parametrize("case", MENDABLE)
async def test_what_cannot_be_done_has_its_code(tmp_path: Path, case: str) -> None:
    frame, code = MENDABLE[case]
    async with two_tables(tmp_path) as (_, ann, _):
        await ann.raw(frame)
        problem = await ann.hear(Problem)
        assert problem.code == code
        assert not problem.fatal
        assert ann.talk.format(problem.text) not in (problem.text.k, "")


async def test_an_intent_with_an_unknown_field_is_rejected_by_its_id(tmp_path: Path) -> None:
    async with two_tables(tmp_path) as (_, ann, _):
        await ann.raw(packed(t="intent", id=b"i" * 16, prompt="", choice="rest", fields={}, force=True))
        rejected = await ann.hear(Reject)
        assert (rejected.id, rejected.code) == (b"i" * 16, "frame/unknown-field")


async def test_text_frames_are_not_taken(tmp_path: Path) -> None:
    async with two_tables(tmp_path) as (_, ann, _):
        await ann.raw("hello")
        assert await ann.problem() == "frame/text"
        await ann.until(lambda: ann.closed == (1003, "frame/text"))


async def test_a_huge_frame_is_not_even_read(tmp_path: Path) -> None:
    async with two_tables(tmp_path) as (_, ann, _):
        await ann.raw(bytes(100_000))
        await ann.until(lambda: ann.closed is not None and ann.closed[0] == 1009)


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (packed(t="hello", version=VERSION + 1, name="Ann"), "frame/wrong-version"),
        (packed(t="ping", n=1), "session/hello-first"),
        (packed(t="hello", version=VERSION, name="Ann", token="stolen"), "session/unknown-token"),
        (packed(t="hello", version=VERSION), "frame/bad-field"),
    ],
)
async def test_a_bad_greeting_ends_the_connection(tmp_path: Path, frame: bytes, code: str) -> None:
    async with running(tmp_path) as run:
        eve = Client(run.port)
        run.clients.append(eve)
        await eve.connect(greet=False)
        await eve.raw(frame)
        problem = await eve.hear(Problem)
        assert problem.code == code
        assert problem.fatal
        await eve.until(lambda: eve.closed is not None)


async def test_too_many_intents_are_busy_and_a_flood_is_closed(tmp_path: Path) -> None:
    limits = Limits(handshakes_per_second=1000, sockets_per_address=1000, intents=Bucket(1, 2), overflow_factor=2)
    async with running(tmp_path, limits=limits) as run:
        ann, ben = await two_players(run)
        assert [await ann.intend("focus") for _ in range(3)] == ["", "", "busy"]
        for number in range(4):
            await ann.raw(packed(t="intent", id=bytes([number]) * 16, prompt="", choice="rest"))
        assert (await ann.hear(Problem)).code == "session/flood"
        await ann.until(lambda: ann.closed == (1008, "session/flood"))
        await ben.say(say.Ping(n=1))


async def test_bytes_of_chance_never_make_a_fault(tmp_path: Path) -> None:
    """Cut and bend frames in every place: an answer or a close follows, never an error in the log."""
    async with running(tmp_path) as run:
        good = packed(t="intent", id=b"i" * 16, prompt="p", choice="c", fields={"a": [1, 2], "b": {"c": "d"}})
        eve = await run.client("Eve")
        for place in range(0, len(good), 2):
            for change in (0x00, 0x7F, 0xC1, 0xFF):
                if eve.closed is not None:
                    await eve.connect()
                run.clock.advance(5)
                await eve.raw(good[:place] + bytes([change]) + good[place + 1 :])
        assert not [line for line in run.lines if line["level"] == "error"]
