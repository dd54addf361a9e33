"""Live matches that are not in memory: who and what has them read, and when they are put away again."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from protocol.ids import MatchId, TableId, match_of
from protocol.limits import Rate, Rates
from protocol.wire import from_client as say
from protocol.wire.from_server import Problem
from server.lobby.matches.sleeping_matches import AGAIN_SECONDS, ALONE_SECONDS, LOOK_SECONDS, NEAR_SECONDS, RESTING
from server.lobby.table.live_table import LiveTable
from server.store.port import LATEST, Fence, StoreUnavailable
from tests.server.lobby.test_deserted import PATIENT, TEN_MINUTES, leave, with_bots
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, Running, running, two_players
from tests.support.doubles.clock import JumpingClock
from tests.support.doubles.gated_store import GatedStore
from tests.support.doubles.memory_store import MemoryStore

TABLES = 4


async def played(data: Path, store: MemoryStore, clock: JumpingClock) -> list[tuple[Client, Client]]:
    """Return the pairs of players of some tables, where it is each time the first one's turn, after the server's
    end."""
    async with running(data, store=store, clock=clock, limits=PATIENT) as run:
        return [await two_players(run) for _ in range(TABLES)]


class LastingStore(MemoryStore):
    """A store in memory that outlives its server, and refuses to open matches while it is told to."""

    refuses = False
    asked = 0
    """Times that a match was to be opened."""

    async def close(self) -> None:
        """Stay open."""

    def damage(self, table: TableId) -> None:
        """Hold another last step of a match than was stored."""
        steps = self._streams[match_of(table)].steps
        steps[-1] = steps[-1]._replace(step=b"another")

    async def open_match(self, match: MatchId) -> Fence:
        self.asked += 1
        if self.refuses:
            raise StoreUnavailable("not now")
        return await super().open_match(match)


class SlowToOpen(LastingStore):
    """A store whose matches open when its gate does."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.gate.set()
        self.waiting = 0

    async def open_match(self, match: MatchId) -> Fence:
        self.waiting += 1
        await self.gate.wait()
        self.waiting -= 1
        return await super().open_match(match)


def asleep(run: Running) -> list[LiveTable]:
    return [live for live in run.server.lobby.tables() if live.is_asleep]


async def back(client: Client, run: Running) -> None:
    """Have a client of a former server come back to its table."""
    client.port = run.port
    run.clients.append(client)
    await client.connect()


def table_of(client: Client) -> TableId:
    assert client.talk.table is not None
    return client.talk.table.id


async def sleeping_pairs(run: Running, pairs: list[tuple[Client, Client]]) -> list[tuple[Client, Client]]:
    """Return the pairs whose matches sleep: all but one, which a start looks at, whether it can be read."""
    await until(lambda: len(asleep(run)) == TABLES - 1)
    sleeping = {live.record.id for live in asleep(run)}
    return [pair for pair in pairs if table_of(pair[0]) in sleeping]


async def test_matches_that_rest_are_read_as_people_come_and_one_by_one(tmp_path: Path) -> None:
    store, clock = LastingStore(), JumpingClock()
    pairs = await played(tmp_path, store, clock)
    async with running(tmp_path, store=store, clock=clock, limits=PATIENT) as run:
        ann, ben = (await sleeping_pairs(run, pairs))[0]
        await back(ann, run)
        assert len(asleep(run)) == TABLES - 2
        assert await ann.intend("rest") == ""
        await back(ben, run)
        await ben.my_turn()
        assert len(asleep(run)) == TABLES - 2
        assert len([line for line in run.lines if line["event"] == "resumed"]) == 2
        clock.advance(3600)
        await until(lambda: not asleep(run))


async def test_the_list_tells_whose_turn_it_is_though_nobody_is_at_the_table(tmp_path: Path) -> None:
    store, clock = LastingStore(), JumpingClock()
    pairs = await played(tmp_path, store, clock)
    async with running(tmp_path, store=store, clock=clock, limits=PATIENT) as run:
        for ann, _ in pairs:
            id = table_of(ann)
            again = Client(run.port, "Ann", ann.talk.token)
            run.clients.append(again)
            await again.connect()

            def waits(again: Client = again, id: str = id) -> bool:
                rows = again.talk.lobby.tables if again.talk.lobby is not None else ()
                return any(row.id == id and row.turn for row in rows)

            while not waits():
                clock.advance(0.5)
                await again.pinged()


async def test_bots_play_on_by_themselves_after_a_kill(tmp_path: Path) -> None:
    store, clock = LastingStore(), JumpingClock()
    async with running(tmp_path, store=store, clock=clock, limits=PATIENT) as run:
        ann = await with_bots(run)
        id = table_of(ann)
        assert id not in {due.key for due in await store.take_due(RESTING, LATEST, 10)}
        assert await ann.intend("rest") == ""
    # the last server has not noted that the match rests: so it is, too, after a kill
    await store.take_due(RESTING, LATEST, 10)
    async with running(tmp_path, store=store, clock=clock, limits=PATIENT) as run:
        [live] = run.server.lobby.tables()
        await until(lambda: 0 in live.waiting)


async def desert(run: Running) -> None:
    """Begin a match with bots, which its only person leaves; wait until the time of its end is kept."""
    await leave(await with_bots(run))
    [live] = run.server.lobby.tables()
    await until(lambda: run.server.lobby.sleeping.due_of(live) is not None)


async def test_a_deserted_match_ends_at_its_time_over_a_restart(tmp_path: Path) -> None:
    store, clock = LastingStore(), JumpingClock()
    async with running(tmp_path, store=store, clock=clock, limits=PATIENT) as run:
        await desert(run)
    clock.advance(TEN_MINUTES - 100)
    async with running(tmp_path, store=store, clock=clock, limits=PATIENT) as run:
        [live] = run.server.lobby.tables()
        # looked at once whether it can be read, which changes nothing
        await until(lambda: not live.is_asleep)
        await clock.until_sleeping(4)
        clock.advance(100 - NEAR_SECONDS - 1)
        assert live.record.state == "live"
        clock.advance(NEAR_SECONDS + 2)
        await until(lambda: live.record.state == "finished")


async def test_a_store_that_fails_ends_no_deserted_match_early(tmp_path: Path) -> None:
    store, clock = LastingStore(), JumpingClock()
    async with running(tmp_path, store=store, clock=clock, limits=PATIENT) as run:
        await desert(run)
    store.refuses = True
    async with running(tmp_path, store=store, clock=clock, limits=PATIENT) as run:
        [live] = run.server.lobby.tables()
        await until(lambda: [line for line in run.lines if line["event"] == "store"])
        store.refuses = False
        clock.advance(AGAIN_SECONDS)
        await until(lambda: not live.is_asleep)
        eve = await run.client("Eve")
        clock.advance(TEN_MINUTES - 100)
        for _ in range(10):
            await eve.pinged()
        assert live.record.state == "live"
        assert not live.record.deserted
        clock.advance(110)
        await until(lambda: live.record.state == "finished")


async def test_a_store_that_fails_is_asked_once_a_second_however_many_come(tmp_path: Path) -> None:
    store, clock = LastingStore(), JumpingClock()
    [(ann, _), *_] = await played(tmp_path, store, clock)
    store.refuses = True
    async with running(tmp_path, store=store, clock=clock, limits=PATIENT) as run:
        eve = await run.client("Eve")
        for _ in range(20):
            await eve.say(say.WatchTable(table=table_of(ann)))
            assert await eve.problem() == "store/unavailable"
        store.asked = 0
        clock.advance(AGAIN_SECONDS + NEAR_SECONDS)
        for _ in range(30):
            await eve.pinged()
        assert store.asked <= TABLES


async def test_two_who_come_at_once_have_a_match_read_once(tmp_path: Path) -> None:
    store, clock = LastingStore(), JumpingClock()
    pairs = await played(tmp_path, store, clock)
    async with running(tmp_path, store=store, clock=clock, limits=PATIENT) as run:
        ann, ben = (await sleeping_pairs(run, pairs))[0]
        store.asked = 0
        await asyncio.gather(back(ann, run), back(ben, run))
        assert store.asked == 1
        assert await ann.intend("rest") == ""
        await ben.my_turn()


async def test_a_damaged_match_is_told_as_parked_to_whoever_comes_and_harms_no_other(tmp_path: Path) -> None:
    store, clock = LastingStore(), JumpingClock()
    pairs = await played(tmp_path, store, clock)
    ann, ben = pairs[-1]
    store.damage(table_of(ann))
    async with running(tmp_path, store=store, clock=clock, limits=PATIENT) as run:
        await asyncio.gather(back(ann, run), back(ben, run))
        for player in (ann, ben):
            assert await player.problem() == "match/parked"
        live = run.server.lobby.table(table_of(ann))
        await until(lambda: live.record.parked)
        await back(pairs[0][0], run)
        assert await pairs[0][0].intend("rest") == ""
        clock.advance(3600)
        await until(lambda: not asleep(run))
        assert [line["match"] for line in run.lines if line["event"] == "parked"] == [live.record.match]


async def test_people_without_a_seat_have_so_many_matches_read(tmp_path: Path) -> None:
    store, clock = LastingStore(), JumpingClock()
    pairs = await played(tmp_path, store, clock)
    limits = replace(PATIENT, folds=Rates(Rate(1, 3600)))
    async with running(tmp_path, store=store, clock=clock, limits=limits) as run:
        first, second, *_ = await sleeping_pairs(run, pairs)
        eve = await run.client("Eve")
        await eve.say(say.JoinTable(table=table_of(first[0])))
        assert await eve.problem() == "table/no-bot-seat"
        for asked in (say.WatchTable(table=table_of(second[0])), say.JoinTable(table=table_of(second[0]))):
            eve.heard.clear()
            await eve.say(asked)
            assert await eve.problem() == "bound/folds-person"
        assert len(asleep(run)) == TABLES - 2
        for player in second:
            await back(player, run)
        assert await second[0].intend("rest") == ""


async def test_a_resume_has_a_match_read_before_the_welcome_for_those_with_a_seat_alone(tmp_path: Path) -> None:
    store, clock = LastingStore(), JumpingClock()
    await played(tmp_path, store, clock)
    async with running(tmp_path, store=store, clock=clock, limits=PATIENT) as run:
        await until(lambda: len(asleep(run)) == TABLES - 1)
        live = asleep(run)[0]
        await run.server.lobby.prepare("a stranger", live.record.id)
        assert live.is_asleep
        await run.server.lobby.prepare(live.record.people[0], live.record.id)
        assert not live.is_asleep


async def test_no_more_watch_than_may_when_all_wait_for_one_match(tmp_path: Path) -> None:
    store, clock = SlowToOpen(), JumpingClock()
    await played(tmp_path, store, clock)
    async with running(tmp_path, store=store, clock=clock, limits=replace(PATIENT, spectators=1)) as run:
        await until(lambda: len(asleep(run)) == TABLES - 1)
        table = next(live.record.id for live in asleep(run))
        eve, fay = await run.client("Eve"), await run.client("Fay")
        store.gate.clear()
        for watcher in (eve, fay):
            await watcher.say(say.WatchTable(table=table))
            await watcher.flush()
        await until(lambda: store.waiting)
        await (await run.client("Gus")).pinged()
        store.gate.set()
        live = run.server.lobby.table(table)
        await until(lambda: live.sessions)
        assert await fay.problem() == "table/watchers-full"
        assert len(live.sessions) == 1


async def minutes(clock: JumpingClock, client: Client, live: LiveTable) -> bool:
    """Let time pass after which a match at which nobody is has been put away; return True where it has been."""
    for _ in range(3 * round(ALONE_SECONDS / LOOK_SECONDS)):
        clock.advance(LOOK_SECONDS)
        await client.pinged()
    return live.is_asleep


async def test_a_match_at_which_nobody_is_is_put_away_and_read_again(tmp_path: Path) -> None:
    store, clock = LastingStore(), JumpingClock()
    async with running(tmp_path, store=store, clock=clock, limits=PATIENT) as run:
        ann, ben = await two_players(run, seconds=3600)
        eve = await run.client("Eve")
        [live] = run.server.lobby.tables()
        assert not await minutes(clock, eve, live)
        for player in (ann, ben):
            await player.close()
        await until(lambda: not live.sessions)
        assert await minutes(clock, eve, live)
        assert live.waiting == (0,)
        await back(ann, run)
        assert await ann.intend("rest") == ""
        await back(ben, run)
        await ben.my_turn()
        assert not await minutes(clock, eve, live)


async def test_a_store_that_fails_parks_nothing(tmp_path: Path) -> None:
    store, clock = LastingStore(), JumpingClock()
    [(ann, _), *_] = await played(tmp_path, store, clock)
    store.refuses = True
    async with running(tmp_path, store=store, clock=clock, limits=PATIENT) as run:
        eve = await run.client("Eve")
        await eve.say(say.WatchTable(table=table_of(ann)))
        assert await eve.problem() == "store/unavailable"
        assert len(asleep(run)) == TABLES
        store.refuses = False
        await back(ann, run)
        assert await ann.intend("rest") == ""
        clock.advance(3600)
        await until(lambda: not asleep(run))
        assert not [line for line in run.lines if line["event"] == "parked"]


async def test_people_are_told_of_the_end_before_anything_is_put_away(tmp_path: Path) -> None:
    store = GatedStore()
    async with running(tmp_path, store=store) as run:
        ann, ben = await two_players(run)
        store.gate.clear()
        store.reached.clear()
        act = asyncio.create_task(ann.intend("focus"))
        await store.reached.wait()
        closing = asyncio.create_task(run.server.close())
        assert (await ben.hear(Problem)).code == "server/restart"
        assert not act.done()
        assert ben.closed is None
        store.gate.set()
        assert await act == ""
        await closing
        await ben.until(lambda: ben.closed == (1012, "server/restart"))
        assert not [message for message in ben.heard if isinstance(message, Problem)]


@pytest.mark.waits
async def test_the_processes_of_bots_end_at_once(tmp_path: Path) -> None:
    async with running(tmp_path, limits=PATIENT) as run:
        ann = await with_bots(run)
        assert await ann.intend("rest") == ""
        await until(lambda: run.server.bot_workers.pids)
        [pid] = run.server.bot_workers.pids
        await run.server.close()
        assert not Path(f"/proc/{pid}").exists()
        assert not [line for line in run.lines if line["event"] == "bot-worker"]
