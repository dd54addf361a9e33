"""Bounds of the replays that are kept: which go, which stay, and what their tables say."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

import pytest

from protocol.ids import TableId
from protocol.limits import Limits
from protocol.wire import from_client as say
from protocol.wire.from_server import FilePart, Problem
from server.lobby.matches import kept_replays
from server.lobby.matches.kept_replays import ReplayBounds
from server.lobby.table.table_record import TABLES
from server.store.port import StoredRecord
from tests.support.clients.programs import until
from tests.support.clients.wire import Running, rest_to_the_end, running, two_players, until_put_away
from tests.support.doubles.clock import JumpingClock
from tests.support.doubles.memory_store import MemoryStore

DAY = 24 * 3600


async def play(run: Running) -> TableId:
    """Play a match to its end, which its players then leave."""
    players = await two_players(run)
    await rest_to_the_end(*players)
    await until_put_away(run.server.store)
    assert players[0].talk.table is not None
    table = players[0].talk.table.id
    for player in players:
        await player.say(say.LeaveTable())
        await player.cut()
    await deserted(run, table)
    return table


async def deserted(run: Running, table: TableId) -> None:
    """Wait until nobody is at a table."""
    await until(lambda: not run.server.lobby.table(table).sessions)


def files(data: Path) -> set[str]:
    return {path.stem for path in (data / "replays").iterdir()}


async def test_the_longest_finished_goes_first_and_its_table_says_so(tmp_path: Path) -> None:
    clock = JumpingClock()
    async with running(tmp_path, clock=clock) as run:
        old = await play(run)
        clock.advance(60)
        new = await play(run)
        size = (tmp_path / "replays" / f"{new}.replay").stat().st_size
        changed = run.server.lobby.table(old).record.changed
        await held(run, ReplayBounds(size=size + 10))
        assert files(tmp_path) == {new}
        assert run.server.metrics.replays_removed.count == 1
        assert run.server.lobby.table(old).record.changed == changed
        eve = await run.client("Eve")
        await eve.say(say.GetReplay(table=old))
        assert (await eve.hear(Problem)).code == "replay/dropped"
        await eve.say(say.WatchTable(table=old))
        assert (await eve.hear(Problem)).code == "replay/dropped"
        assert eve.talk.table is not None
        assert not eve.talk.table.replay
        assert not eve.talk.table.replay_coming
    async with running(tmp_path, clock=clock) as run:
        assert run.server.lobby.table(old).record.replay_dropped
        assert not [line for line in run.lines if line["level"] == "error"]


async def test_age_is_counted_in_days_that_the_server_runs(tmp_path: Path) -> None:
    clock = JumpingClock()
    async with running(tmp_path, clock=clock) as run:
        table = await play(run)
        bounds = ReplayBounds(days=3)
        clock.advance(2 * DAY)
        await held(run, bounds)
        assert files(tmp_path) == {table}
        clock.advance(DAY + 1)
        await held(run, bounds)
        assert not files(tmp_path)


async def test_what_is_read_or_looked_at_stays(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        table = await play(run)
        everything = ReplayBounds(size=1)
        run.server.lobby.replays.begin_reading(f"{table}.replay")
        await held(run, everything)
        assert files(tmp_path) == {table}
        run.server.lobby.replays.end_reading(f"{table}.replay")
        eve = await run.client("Eve")
        await eve.say(say.WatchTable(table=table))
        await eve.arrived()
        await held(run, everything)
        assert files(tmp_path) == {table}
        await eve.cut()
        await deserted(run, table)
        await held(run, everything)
        assert not files(tmp_path)


async def test_a_replay_can_go_once_it_has_been_sent(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        table = await play(run)
        eve = await run.client("Eve")
        await eve.say(say.GetReplay(table=table))
        await eve.hear(FilePart)
        # the task that has sent it ends some turns of the loop later
        for _ in range(20):
            await eve.pinged()
            await held(run, ReplayBounds(size=1))
            if not files(tmp_path):
                break
        assert not files(tmp_path)


class SlowTables(MemoryStore):
    """A store in which tables wait for its gate."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.gate.set()
        self.waiting = 0

    async def put_records(self, records: Iterable[StoredRecord]) -> list[int]:
        batch = list(records)
        if any(record.kind == TABLES for record in batch):
            self.waiting += 1
            await self.gate.wait()
            self.waiting -= 1
        return await super().put_records(batch)


async def test_one_who_asks_for_a_replay_while_it_is_dropped_gets_all_of_it(tmp_path: Path) -> None:
    store = SlowTables()
    async with running(tmp_path, store=store, limits=Limits(file_part=100)) as run:
        table = await play(run)
        eve = await run.client("Eve")
        store.gate.clear()
        holding = asyncio.create_task(held(run, ReplayBounds(size=1)))
        await until(lambda: store.waiting)
        await eve.say(say.GetReplay(table=table))
        first = await eve.hear(FilePart)
        store.gate.set()
        await holding
        assert files(tmp_path) == {table}
        await eve.hear(FilePart, lambda part: part.part == first.parts - 1)
        await eve.pinged()
        await held(run, ReplayBounds(size=1))
        assert not files(tmp_path)


async def test_a_file_that_a_crash_has_left_goes_the_next_time(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        table = await play(run)
        file = tmp_path / "replays" / f"{table}.replay"
        data = file.read_bytes()
        await held(run, ReplayBounds(size=1))
        file.write_bytes(data)
        await held(run, ReplayBounds(size=1 << 30))
        assert not files(tmp_path)
        assert run.server.metrics.replays_removed.count == 1


async def test_a_match_whose_steps_are_in_the_store_keeps_its_replay(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        table = await play(run)
        match = run.server.lobby.table(table).record.match
        store = run.server.store
        await store.append(match, await store.open_match(match), bytes(16), 0, b"step")
        await held(run, ReplayBounds(size=1))
        assert files(tmp_path) == {table}


async def test_nothing_goes_without_bounds(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        await play(run)
        await run.server.lobby.replays.watch()
        assert len(files(tmp_path)) == 1


async def test_many_go_a_slice_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_replays, "SLICE", 1)
    clock = JumpingClock()
    async with running(tmp_path, clock=clock) as run:
        for _ in range(2):
            await play(run)
        task = asyncio.ensure_future(held(run, ReplayBounds(size=1)))

        def all_have_gone() -> bool:
            clock.advance(kept_replays.PAUSE_SECONDS)
            return task.done()

        await until(lambda: len(files(tmp_path)) == 1)
        assert not task.done()
        await until(all_have_gone)
        assert not files(tmp_path)


async def held(run: Running, bounds: ReplayBounds) -> None:
    """Have a server hold these bounds once."""
    kept = run.server.lobby.replays
    kept.bounds = bounds
    await kept.hold_bounds()
