"""A changed list of tables is told to those who look at it, and only where they do not know it."""

from pathlib import Path

from protocol.limits import Limits
from protocol.wire import from_client as say
from protocol.wire.codec import decode_message
from protocol.wire.table_lists import Lobby
from server.lobby.lobby import TELL_SECONDS
from tests.support.clients.wire import Client, Running, running, two_players


def names(client: Client) -> set[str]:
    return {row.name for row in client.talk.lobby.tables} if client.talk.lobby is not None else set()


async def told(run: Running, client: Client) -> bool:
    """Return True where the list comes within the time in which it is told, and some more."""
    client.frames.clear()
    for _ in range(6):
        await client.pinged()
        run.clock.advance(TELL_SECONDS)
    await client.pinged()
    return any(isinstance(decode_message(frame, Limits()), Lobby) for frame in client.frames)


async def new_table(client: Client, name: str) -> None:
    await client.say(say.CreateTable(system="duel", scenario="two", name=name))
    await client.until(lambda: client.talk.table is not None and client.talk.table.name == name)


async def test_only_who_looks_at_the_lobby_is_told_of_its_tables(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, _ = await two_players(run)
        eve, owner = await run.client("Eve"), await run.client("Owner")
        await told(run, eve)
        await new_table(owner, "One")
        assert await told(run, eve)
        assert "One" in names(eve)
        assert not await told(run, ann)
        assert "One" not in names(ann)
        await ann.say(say.ListTables())
        await ann.until(lambda: "One" in names(ann))
        await new_table(owner, "Two")
        assert await told(run, ann)
        assert "Two" in names(ann)
        # whoever acts at his table looks at that
        assert await ann.intend("rest") == ""
        await told(run, eve)
        await new_table(owner, "Three")
        assert not await told(run, ann)
        await ann.say(say.LeaveTable())
        assert await ann.left() == "left"
        await told(run, ann)
        assert "Three" in names(ann)


async def test_a_spectator_who_leaves_sees_what_has_changed_meanwhile(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, _ = await two_players(run)
        eve, owner = await run.client("Eve"), await run.client("Owner")
        assert ann.talk.table is not None
        await eve.say(say.WatchTable(table=ann.talk.table.id))
        await eve.arrived()
        await new_table(owner, "One")
        assert not await told(run, eve)
        await eve.say(say.LeaveTable())
        assert await told(run, eve)
        assert "One" in names(eve)


async def test_who_comes_back_after_a_broken_link_may_have_been_looking_at_the_lobby(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, _ = await two_players(run)
        owner = await run.client("Owner")
        await ann.connect()
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.seats[0].connected)
        await ann.my_turn()
        await new_table(owner, "One")
        assert await told(run, ann)
        assert "One" in names(ann)


async def test_a_step_after_which_the_same_seat_is_waited_for_changes_nothing_in_the_lobby(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, _ = await two_players(run)
        eve = await run.client("Eve")
        await told(run, eve)
        assert await ann.intend("focus") == ""
        assert not await told(run, eve)
        assert await ann.intend("rest") == ""
        assert await told(run, eve)
        assert eve.talk.lobby is not None
        assert [row.waits for row in eve.talk.lobby.tables] == [("Ben",)]
