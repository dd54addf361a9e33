"""Rights are checked for each message: whoever has none changes nothing; of two who want one thing, one gets it."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from protocol.ids import TableId
from protocol.wire import from_client as say
from protocol.wire.codec import encode_request
from protocol.wire.from_client import Message
from protocol.wire.from_server import Problem
from tests.support.clients.wire import Client, Running, running, two_players
from tests.support.doubles.stored import records_of
from tests.support.examples.messages import FROM_CLIENT

OF_EVERYBODY = {
    say.Hello,
    say.TokenKept,
    say.Logout,
    say.DeleteAccount,
    say.ListTables,
    say.Ping,
    say.CreateTable,
    say.Chat,
    say.Resync,
}
"""What concerns the sender alone, or the table he is at already."""


async def everything(run: Running) -> object:
    """Return all that is stored about tables, and the states of the matches."""
    matches = [live.host.match for live in run.server.lobby.tables() if live.host is not None]
    return await records_of(run.server.store, "table"), [(match.version, match.head) for match in matches]


def aimed(message: Message, table: TableId, faction: str) -> Message:
    """Return an example of a message that means this table, and something that its owner could do there."""
    meant = {"table": table, "seat": 0, "faction": faction, "scenario": "two", "kind": "random", "code": None}
    return replace(message, **{name: meant[name] for name in message.__struct_fields__ if name in meant})


RIGHTS = [message for message in FROM_CLIENT if type(message) not in OF_EVERYBODY]


@pytest.mark.parametrize("where", ["stranger", "watcher"])
async def test_who_has_no_seat_changes_nothing_with_any_message(tmp_path: Path, where: str) -> None:
    async with running(tmp_path) as run:
        # a second passes for each message, and nobody's time for a decision may run out meanwhile
        ann, _ = await two_players(run, seconds=3600)
        assert ann.talk.table is not None
        table = ann.talk.table.id
        other = await run.client("Ann")
        opened = await run.client("Owner")
        await opened.create("three", private=True)
        assert opened.talk.table is not None
        if where == "watcher":
            await other.say(say.WatchTable(table=table))
            await other.arrived()
        before = await everything(run)
        for target in (table, opened.talk.table.id):
            for example in RIGHTS:
                if isinstance(example, say.LeaveTable | say.LookAs):
                    continue
                run.clock.advance(1)
                await other.raw(encode_request(aimed(example, target, "red")))
                await settled(other)
                assert await everything(run) == before, example
        assert not [line for line in run.lines if line["level"] == "error"]


async def settled(client: Client) -> None:
    """Wait until all that was sent has been handled."""
    await client.say(say.ListTables())
    client.talk.lobby = None
    await client.until(lambda: client.talk.lobby is not None)


async def test_of_many_who_want_the_last_seat_one_gets_it(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await run.client("Ann")
        code = await ann.create("two")
        others = [await run.client(f"P{number}") for number in range(8)]
        await asyncio.gather(*(other.say(say.JoinTable(code=code)) for other in others))
        for other in others:
            await other.until(lambda other=other: other.talk.table is not None or problems(other) != [])  # type: ignore[misc]  # a default has no type
        assert sum(other.talk.table is not None for other in others) == 1
        assert sorted(code for other in others for code in problems(other)) == ["table/full"] * 7


def problems(client: Client) -> list[str]:
    return [message.code for message in client.heard if isinstance(message, Problem)]


async def test_a_match_that_is_started_twice_at_once_starts_once(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await run.client("Ann"), await run.client("Ben")
        await ben.join(await ann.create("two"))
        await ben.ready()
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.seats[1].ready)
        for _ in range(3):
            await ann.raw(encode_request(say.StartMatch()))
        await ann.my_turn()
        assert await ann.problem() == await ann.problem() == "table/started"
        [record] = (await records_of(run.server.store, "table")).values()
        assert msgspec.msgpack.decode(record)["state"] == "live"
