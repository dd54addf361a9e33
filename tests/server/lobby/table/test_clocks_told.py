"""The messages to people at a table after a step: clocks, the same bytes for all; the table only where it changed."""

from pathlib import Path

from protocol.limits import Limits
from protocol.wire import from_client as say
from protocol.wire.codec import decode_message
from protocol.wire.from_server import Clocks, Role, TableView
from protocol.wire.server_message import ServerMessage
from tests.support.clients.wire import Client, Running, running, two_players


async def onlooker(run: Running, player: Client, count: int = 1) -> Client:
    """Eve, of whom all at the table have been told: now there are so many who look on."""
    eve = await run.client(f"Eve {count}")
    assert player.talk.table is not None
    await eve.say(say.WatchTable(table=player.talk.table.id))
    await player.until(lambda: player.talk.table is not None and player.talk.table.watching == count)
    await eve.until(lambda: eve.talk.table is not None)
    await eve.pinged()
    return eve


def frames_of(client: Client, kind: type[ServerMessage]) -> list[bytes]:
    return [frame for frame in client.frames if isinstance(decode_message(frame, Limits()), kind)]


def waits_for(client: Client, seat: int) -> bool:
    return client.talk.table is not None and [clock.seat for clock in client.talk.table.clocks] == [seat]


async def test_a_step_tells_the_clocks_to_all_in_the_same_bytes_and_the_table_to_nobody(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        eve = await onlooker(run, ann)
        await ben.pinged()
        for client in (ann, ben, eve):
            client.frames.clear()
        run.clock.advance(7)
        assert await ann.intend("rest") == ""
        await ben.my_turn()
        for client in (ann, ben, eve):
            await client.until(lambda client=client: waits_for(client, 1))  # type: ignore[misc]  # a default has no type
            assert not frames_of(client, TableView)
        assert frames_of(ann, Clocks) == frames_of(ben, Clocks)
        assert frames_of(eve, Clocks)[-1] == frames_of(ann, Clocks)[-1]


async def test_who_sees_all_late_is_told_no_clocks_of_now(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run, all_views=True)
        eve = await onlooker(run, ann)
        await eve.say(say.LookAs(sees="all"))
        await eve.until(lambda: eve.talk.table is not None and eve.talk.table.role == Role("all"))
        await eve.pinged()
        eve.frames.clear()
        eve.heard.clear()
        assert await ann.intend("rest") == ""
        await ben.my_turn()
        told = await eve.hear(TableView)
        assert told.clocks == ()
        assert told.behind == -1
        assert not frames_of(eve, Clocks)


async def test_a_newcomer_and_one_who_is_lost_are_shown_the_clocks_with_the_table(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        run.clock.advance(5)
        eve = await onlooker(run, ann)
        assert eve.talk.table is not None
        assert eve.talk.table.clocks[0].left == 55_000
        run.clock.advance(5)
        await ben.say(say.Resync(part="public", why="lost"))
        await ben.until(lambda: ben.talk.table is not None and ben.talk.table.clocks[0].left == 50_000)


async def test_a_spectator_beyond_those_named_changes_a_number_only(tmp_path: Path) -> None:
    limits = Limits(handshakes_per_second=1000, sockets_per_address=1000, watchers_named=2)
    async with running(tmp_path, limits=limits) as run:
        ann, _ = await two_players(run)
        onlookers = []
        for count in range(1, 4):
            ann.frames.clear()
            onlookers.append(await onlooker(run, ann, count))
        assert not frames_of(ann, TableView)
        assert len(frames_of(ann, Clocks)) == 1
        assert all(eve.talk.table is not None and eve.talk.table.watching == 3 for eve in onlookers)
        await onlookers[2].close()
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.watching == 2)
        assert not frames_of(ann, TableView)
        await onlookers[0].close()
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.watching == 1)
        assert ann.talk.table is not None
        assert [eve.who for eve in ann.talk.table.watchers] == [onlookers[1].talk.you]
