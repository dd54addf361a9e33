"""Time that runs out, and clocks that stop while nobody is there."""

from pathlib import Path

from protocol.wire import from_client as say
from protocol.wire.from_server import Delta
from tests.support.clients.wire import Client, running, two_players


def notes(client: Client) -> list[str]:
    return [cue.text.k for message in client.heard if isinstance(message, Delta) for cue in message.cues]


def left(client: Client) -> int:
    """Milliseconds that the one whom the table waits for has left."""
    table = client.talk.table
    return table.clocks[0].left if table is not None and table.clocks else 0


async def test_when_time_runs_out_the_default_is_played(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run, seconds=20)
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.clocks != ())
        assert ann.talk.table is not None
        clock = ann.talk.table.clocks[0]
        assert clock.seat == 0
        assert clock.left == 20_000
        await run.clock.until_sleeping(2)
        run.clock.advance(19)
        assert await ann.intend("focus") == ""
        run.clock.advance(19)
        assert not ben.offers("rest")
        run.clock.advance(1)
        await ben.my_turn()


async def test_a_question_closes_at_its_deadline_with_the_default(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        await ann.intend("strike", target=["seat/1"])
        await ben.my_turn("yes")
        run.clock.advance(60)
        await ben.my_turn("strike")
        await ann.until(lambda: "log.expired" in notes(ann))


async def test_clocks_stop_while_no_person_is_connected(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        eve = await run.client("Eve")
        assert ann.talk.table is not None
        await eve.say(say.WatchTable(table=ann.talk.table.id))
        run.clock.advance(50)
        await ann.close()
        await ben.close()
        await eve.until(lambda: left(eve) == -1)
        run.clock.advance(3600)
        await ben.connect()
        await eve.until(lambda: left(eve) == 10_000)
        run.clock.advance(10)
        await ben.my_turn()


async def test_where_only_bots_play_the_clocks_run(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        await ann.say(say.LeaveTable())
        assert await ann.left() == "left"
        assert ben.talk.table is not None
        table = ben.talk.table.id
        await ben.say(say.LeaveTable())
        assert await ben.left() == "left"
        await ben.say(say.WatchTable(table=table))
        await ben.until(lambda: ben.talk.table is not None)
        for _ in range(5000):
            run.clock.advance(3)
            await ben.say(say.ListTables())
            ben.talk.lobby = None
            await ben.until(lambda: ben.talk.lobby is not None)
            if ben.talk.table is not None and ben.talk.table.state == "finished":
                break
        assert ben.talk.table is not None
        assert ben.talk.table.state == "finished"


async def test_neither_an_undo_nor_coming_back_gives_time(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        assert ann.talk.table is not None
        table = ann.talk.table.id
        run.clock.advance(20)
        assert await ann.intend("focus") == ""
        run.clock.advance(50)
        assert await ann.intend("core:undo") == ""
        await ann.cut()
        await ann.connect()
        await ann.say(say.OpenTable(table=table))
        assert await ann.intend("focus") == ""
        await ben.until(lambda: left(ben) == 10_000)
        run.clock.advance(10)
        await ben.my_turn()
