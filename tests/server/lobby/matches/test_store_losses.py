"""A store that comes back without its last steps, as one may whose loss was accepted: counted, told, played on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

import pytest

from engine.core.match.causes import TableEvent
from engine.core.match.log import LogCodec
from protocol.ids import MatchId, TableId, match_of
from protocol.scene.nodes import Reply
from protocol.wire.from_client import GetProof
from protocol.wire.from_server import Problem, Proof
from server.lobby.matches.sleeping_matches import LOOK_SECONDS
from server.match.host import RETRY_SECONDS
from server.store.port import (
    NOBODY,
    Fence,
    LogEntry,
    MatchSnapshot,
    StoreDamaged,
    StoredRecord,
    StoreUnavailable,
)
from tests.server.lobby.test_deserted import PATIENT
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, Running, running, two_players
from tests.support.doubles.clock import JumpingClock
from tests.support.doubles.memory_store import MemoryStore
from tests.support.doubles.stored import records_of
from tests.support.systems.duel import Duel


class ForgettingStore(MemoryStore):
    """Forgets on demand what it acknowledged last, of matches and of tables; and says so where it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self._doubt = asyncio.Event()
        self.opens = asyncio.Event()
        """Matches can be opened."""
        self.opens.set()
        self.unread = 0
        """Times that it does not answer how a log goes on."""
        self.is_damaged = False

    async def read(self, match: MatchId, after: int = 0, most: int | None = None) -> list[LogEntry]:
        if self.unread:
            self.unread -= 1
            raise StoreUnavailable("The store is busy.")
        return await super().read(match, after, most)

    async def snapshot(self, match: MatchId) -> MatchSnapshot | None:
        if self.is_damaged:
            raise StoreDamaged("Something else lies here.")
        return await super().snapshot(match)

    async def put_records(self, records: Iterable[StoredRecord]) -> list[int]:
        if self.is_damaged:
            raise StoreDamaged("Something else lies here.")
        return await super().put_records(records)

    async def open_match(self, match: MatchId) -> Fence:
        await self.opens.wait()
        return await super().open_match(match)

    @property
    def may_lose(self) -> bool:
        return True

    def reopen(self) -> None:
        """Be there for the next server."""
        self._closed = False

    def exchange(self) -> None:
        """Hold another last step than was acknowledged."""
        for stream in self._streams.values():
            stream.steps[-1] = stream.steps[-1]._replace(step=b"another")
        self._doubt.set()

    def forget(self, steps: int, says_so: bool, *, fence: bool = False) -> None:
        for stream in self._streams.values():
            for gone in stream.steps[-steps:]:
                del stream.made[gone.cause]
            del stream.steps[-steps:]
            if fence:
                stream.fence = Fence(stream.fence.counter - 1, b"older") if stream.fence != NOBODY else NOBODY
        tables = self._records.get("table", {})
        self._records["table"] = {key: kept for key, kept in tables.items() if kept[0].schema > 1}
        if says_so:
            self._doubt.set()

    async def in_doubt(self) -> None:
        await self._doubt.wait()
        self._doubt.clear()


async def told(client: Client) -> object:
    """Return the number of steps that the client is told are gone."""
    problem = await client.hear(Problem, lambda said: said.code == "match/steps-lost")
    return problem.text.a["steps"]


async def plays_on(run: Running, ann: Client, ben: Client, store: ForgettingStore, table: TableId) -> None:
    """Both see the same match, which is that of the store, and go on with it."""
    await ann.my_turn()
    await ben.until(lambda: ben.scene.public.hash == ann.scene.public.hash)
    assert await ann.intend("rest") == ""
    await ben.my_turn()
    assert await ben.intend("focus") == ""
    host = next(live.host for live in run.server.lobby.tables())
    assert host is not None
    assert host.match.version == await store.version(match_of(table))


async def test_a_store_in_doubt_is_compared_and_those_at_the_table_are_told(tmp_path: Path) -> None:
    store = ForgettingStore()
    async with running(tmp_path, store=store) as run:
        ann, ben = await two_players(run)
        assert ann.talk.table is not None
        table = ann.talk.table.id
        before = ann.scene.public.hash
        assert await ann.intend("focus") == ""
        assert await ann.intend("focus") == ""
        store.forget(2, says_so=True)
        assert await told(ann) == await told(ben) == 2
        await ann.until(lambda: ann.scene.public.hash == before)
        await plays_on(run, ann, ben, store, table)
        assert table in await records_of(store, "table")
        assert run.server.metrics.steps_lost.get("store") == 2
        [line] = [line for line in run.lines if line["event"] == "steps-lost"]
        assert (line["match"], line["steps"]) == (table, 2)


async def test_a_store_that_does_not_answer_is_compared_again(tmp_path: Path) -> None:
    store = ForgettingStore()
    async with running(tmp_path, store=store) as run:
        ann, ben = await two_players(run)
        assert ann.talk.table is not None
        assert await ann.intend("focus") == ""
        store.unread = 2
        store.forget(1, says_so=True)
        await run.logged("store")
        for _ in range(20):  # less than the time for a decision: no step asks the store
            run.clock.advance(RETRY_SECONDS)
            await ann.pinged()
        assert run.server.metrics.steps_lost.get("store") == 1
        assert await told(ann) == await told(ben) == 1
        await plays_on(run, ann, ben, store, ann.talk.table.id)


async def test_a_match_whose_rest_is_damaged_is_parked(tmp_path: Path) -> None:
    store = ForgettingStore()
    async with running(tmp_path, store=store) as run:
        ann, _ = await two_players(run)
        assert await ann.intend("focus") == ""
        store.is_damaged = True
        store.forget(1, says_so=True)
        await ann.hear(Problem, lambda said: said.code == "match/parked")
        [line] = [line for line in run.lines if line["event"] == "parked"]
        assert "Something else lies here." in line["problem"]


async def test_a_table_that_may_only_be_read_keeps_no_other_from_being_compared(tmp_path: Path) -> None:
    store = ForgettingStore()
    async with running(tmp_path, store=store) as run:
        await two_players(run)
        [newer] = await store.page("table")
        await store.put_records([StoredRecord("table", newer.key, newer.data, schema=99)])
    store.reopen()
    async with running(tmp_path, store=store) as run:
        await run.logged("newer-table")
        ann, ben = await two_players(run)
        assert await ann.intend("focus") == ""
        store.forget(1, says_so=True)
        assert await told(ann) == await told(ben) == 1


async def test_a_gap_is_noticed_at_the_next_act_at_the_latest(tmp_path: Path) -> None:
    store = ForgettingStore()
    async with running(tmp_path, store=store) as run:
        ann, ben = await two_players(run)
        assert ann.talk.table is not None
        table = ann.talk.table.id
        for fence in (False, True):
            assert await ann.intend("focus") == ""
            store.forget(1, says_so=False, fence=fence)
            assert await ann.intend("focus") == "store/unavailable"
            assert await told(ann) == await told(ben) == 1
            await plays_on(run, ann, ben, store, table)
            await ben.intend("rest")
            await ann.my_turn()


async def test_those_at_a_table_are_told_at_the_start_that_a_second_may_be_lost(tmp_path: Path) -> None:
    async with running(tmp_path, store=ForgettingStore()) as run:
        ann, ben = await two_players(run)
        for client in (ann, ben):
            await client.hear(Problem, lambda said: said.code == "match/may-lose")


async def test_acts_are_refused_until_the_match_is_folded_again(tmp_path: Path) -> None:
    store = ForgettingStore()
    async with running(tmp_path, store=store) as run:
        ann, ben = await two_players(run)
        assert ann.talk.table is not None
        assert await ann.intend("focus") == ""
        store.opens.clear()
        store.forget(1, says_so=True)
        await run.logged("store")
        for _ in range(3):
            assert await ann.intend("focus") == "store/unavailable"
        store.opens.set()
        assert await told(ann) == await told(ben) == 1
        await plays_on(run, ann, ben, store, ann.talk.table.id)


async def test_a_match_that_is_folded_again_is_not_put_away(tmp_path: Path) -> None:
    store, clock = ForgettingStore(), JumpingClock()
    async with running(tmp_path, store=store, clock=clock, limits=PATIENT) as run:
        ann, ben = await two_players(run)
        eve = await run.client("Eve")
        assert await ann.intend("focus") == ""
        await ann.close()
        await ben.close()
        [live] = run.server.lobby.tables()
        await until(lambda: not live.sessions)
        store.opens.clear()
        store.forget(1, says_so=True)
        await run.logged("store")
        for _ in range(10):
            clock.advance(LOOK_SECONDS)
            await eve.pinged()
        assert not live.is_asleep
        store.opens.set()
        await run.logged("steps-lost")
        await ann.connect()
        await ann.my_turn()


async def test_another_last_step_than_was_told_is_noticed(tmp_path: Path) -> None:
    store = ForgettingStore()
    async with running(tmp_path, store=store) as run:
        ann, _ = await two_players(run)
        assert await ann.intend("focus") == ""
        store.exchange()
        await run.logged("parked")
        [line] = [line for line in run.lines if line["event"] == "store"]
        assert "the store has another step" in line["problem"]
        await ann.hear(Problem, lambda said: said.code == "match/parked")


async def draws(client: Client) -> Proof:
    """Draw, and return the facts that this makes known, which come before its acknowledgement."""
    client.talk.intend(Reply("draw", {}), bytes(16))
    await client.flush()
    return await client.hear(Proof)


async def test_facts_are_told_on_by_the_host_that_comes_after_a_loss(tmp_path: Path) -> None:
    store = ForgettingStore()
    async with running(tmp_path, store=store) as run:
        ann, _ = await two_players(run)
        assert ann.talk.table is not None
        table = ann.talk.table.id
        await ann.say(GetProof(table=table, after=0))
        count = len((await ann.hear(Proof)).facts)
        assert (await draws(ann)).first == count
        store.forget(1, says_so=True)
        assert await told(ann) == 1
        # what it had been told is more than there is now: it can see that something was taken back
        again = await ann.hear(Proof)
        assert (again.first, again.facts, again.more) == (count, (), False)
        await ann.my_turn()
        drawn = await draws(ann)
        assert drawn.first == count
        assert drawn.facts


async def test_a_store_that_lost_nothing_is_not_spoken_of(tmp_path: Path) -> None:
    store = ForgettingStore()
    async with running(tmp_path, store=store) as run:
        ann, _ = await two_players(run)
        assert ann.talk.table is not None
        stream = store._streams[match_of(ann.talk.table.id)]
        kept, made = list(stream.steps), dict(stream.made)
        store.forget(1, says_so=True)
        stream.steps, stream.made = kept, made
        await run.logged("store-in-doubt")
        assert await ann.intend("focus") == ""
        assert not any(isinstance(said, Problem) for said in ann.heard)


@pytest.mark.parametrize("says_so", [False, True])
async def test_what_was_lost_while_a_match_slept_is_told_when_it_is_read(tmp_path: Path, says_so: bool) -> None:
    store, clock = ForgettingStore(), JumpingClock()
    async with running(tmp_path, store=store, clock=clock, limits=PATIENT) as run:
        ann, ben = await two_players(run)
        eve = await run.client("Eve")
        assert await ann.intend("focus") == ""
        assert await ann.intend("focus") == ""
        await ann.close()
        await ben.close()
        [live] = run.server.lobby.tables()
        await until(lambda: not live.sessions)
        while not live.is_asleep:
            clock.advance(LOOK_SECONDS)
            await eve.pinged()
        store.forget(2, says_so=says_so)
        await ann.connect()
        await ann.my_turn()
        assert run.server.metrics.steps_lost.get("store") == 2
        [line] = [line for line in run.lines if line["event"] == "steps-lost"]
        assert (line["match"], line["steps"]) == (live.record.match, 2)
        codec = LogCodec(Duel())
        causes = [codec.decode(entry.step).cause for entry in await store.read(live.record.match)]
        notes = [cause for cause in causes if isinstance(cause, TableEvent)]
        assert [note.detail for note in notes if note.kind == "steps_lost"] == ["2"]
