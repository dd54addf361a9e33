"""The host's claim of its matches follows from its tables, and stays when it is started again."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from protocol.ids import TableId
from protocol.text import text
from protocol.wire import from_client as say
from protocol.wire.host_claim import HostClaim
from server.lobby.matches.host_claim import Tally
from server.lobby.table.table_record import FINISHED, LIVE, OPEN, TABLES, SeatRecord, TableRecord, finished
from server.store.sqlite.store import SqliteStore
from tests.server.lobby.matches.test_abandoned_matches import parked
from tests.support.clients.programs import until
from tests.support.clients.wire import Running, duel, running, two_players
from tests.support.doubles.clock import JumpingClock
from tests.support.servers.seats import all_see, call, cast, seen

SEATS = (SeatRecord("u1", "Ann", "", True), SeatRecord("u2", "Ben", "", True))
OPENED = TableRecord(TableId("t1"), "CODE", "Duel", "duel", "two", "u1", SEATS, 1, 1)
BEGUN = replace(OPENED, state=LIVE)
LEFT = replace(BEGUN, seats=tuple(SeatRecord("", seat.name, "", True, "random", 1, seat.who) for seat in SEATS))


async def claim(run: Running) -> HostClaim:
    """Return the claim that somebody who comes now is told."""
    client = await run.client("Zoe")
    welcome = client.talk.welcome
    assert welcome is not None
    assert welcome.claim is not None
    return welcome.claim


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (OPENED, HostClaim()),
        (BEGUN, HostClaim(begun=1)),
        (replace(BEGUN, given_up=True), HostClaim(begun=1, given_up=1)),
        (finished(BEGUN, text("result.last"), "r"), HostClaim(begun=1, ended=1)),
        (finished(replace(BEGUN, parked=7), text("result.last"), "r"), HostClaim(begun=1, ended=1)),
        (finished(BEGUN, None, "r"), HostClaim(begun=1, abandoned=1)),
        (finished(replace(BEGUN, parked=7), None, ""), HostClaim(begun=1, parked=1)),
        (finished(LEFT, text("result.last"), "r"), HostClaim(begun=1, bots=1)),
        (finished(LEFT, None, "r"), HostClaim(begun=1, bots=1)),
    ],
)
def test_a_table_counts_in_the_fields_that_its_record_gives(record: TableRecord, expected: HostClaim) -> None:
    tally = Tally()
    tally.put(record)
    assert tally.claim == expected


def test_a_table_counts_once_however_often_it_changes() -> None:
    tally = Tally()
    for record in (OPENED, BEGUN, BEGUN, replace(BEGUN, given_up=True), finished(BEGUN, None, "r")) * 3:
        tally.put(record)
    tally.put(replace(BEGUN, id="t2"))
    assert tally.claim == HostClaim(begun=2, abandoned=1)
    assert OPENED.state == OPEN


async def test_the_claim_is_told_in_the_welcome_and_survives_a_restart(tmp_path: Path) -> None:
    clock = JumpingClock()
    async with running(tmp_path, clock=clock) as run:
        assert await claim(run) == HostClaim()
        await two_players(run)
        ann, ben = await two_players(run)
        await call(ann, "end")
        await cast(ben, yes=True)
        await all_see(lambda view: view.state == "finished" and view.replay, ann, ben)
        assert await claim(run) == HostClaim(begun=2, abandoned=1)
    async with running(tmp_path, clock=clock) as run:
        assert await claim(run) == HostClaim(begun=2, abandoned=1)


async def test_a_match_that_all_have_left_to_bots_counts_apart(tmp_path: Path) -> None:
    async with running(tmp_path, bots_alone=True) as run:
        ann, ben = await two_players(run)
        await ann.say(say.LeaveTable())
        await ben.say(say.LeaveTable())
        for client in (ann, ben):
            await client.left()
        table = run.server.lobby.tables()[0]

        async def is_over() -> bool:
            run.clock.advance(1)
            await ann.pinged()
            return table.record.state == FINISHED

        await until(is_over)
        assert await claim(run) == HostClaim(begun=1, bots=1)


async def test_a_match_that_cannot_go_on_and_is_closed_is_no_abandoned_one(tmp_path: Path) -> None:
    clock = JumpingClock()
    ann, ben, _ = await parked(tmp_path, clock)
    async with running(tmp_path, clock=clock) as run:
        assert await claim(run) == HostClaim(begun=1)
        run.clients += [ann, ben]
        for client in (ann, ben):
            client.port = run.port
            await client.connect()
        await call(ann, "end")
        await ben.until(lambda: seen(ben).vote is not None)
        await cast(ben, yes=True)
        await all_see(lambda view: view.state == "finished", ann, ben)
        assert await claim(run) == HostClaim(begun=1, parked=1)


async def given_up(run: Running) -> TableId:
    """A match in which an act has been given up; its table."""
    ann, _ = await two_players(run)
    assert await ann.intend("trip") == ""
    await ann.my_turn("yes")
    run.clock.advance(60)
    await ann.my_turn("focus")
    return seen(ann).id


async def test_an_act_that_was_given_up_counts_at_once_and_for_good(tmp_path: Path) -> None:
    clock = JumpingClock()
    async with running(tmp_path, clock=clock, systems=duel(faulty=True)) as run:
        table = await given_up(run)
        await until(lambda: run.server.lobby.table(table).record.given_up)
        assert await claim(run) == HostClaim(begun=1, given_up=1)
    async with running(tmp_path, clock=clock, systems=duel(faulty=True)) as run:
        assert await claim(run) == HostClaim(begun=1, given_up=1)


async def test_a_server_that_died_before_it_had_counted_finds_it_in_the_log(tmp_path: Path) -> None:
    clock = JumpingClock()
    async with running(tmp_path, clock=clock, systems=duel(faulty=True)) as run:
        table = await given_up(run)
        await until(lambda: run.server.lobby.table(table).record.given_up)
        ann, ben = run.clients[:2]
    store = SqliteStore(tmp_path / "eschaton.db")
    data = await store.get_record(TABLES, table)
    assert data is not None
    assert b"given_up" in data
    before = replace(msgspec.msgpack.decode(data, type=TableRecord), given_up=False)
    await store.put_record(TABLES, table, msgspec.msgpack.encode(before))
    await store.close()
    async with running(tmp_path, clock=clock, systems=duel(faulty=True)) as run:
        run.clients += [ann, ben]
        for client in (ann, ben):
            client.port = run.port
            await client.connect()
        await call(ann, "end")
        await ben.until(lambda: seen(ben).vote is not None)
        await cast(ben, yes=True)
        await all_see(lambda view: view.state == "finished", ann, ben)
        assert await claim(run) == HostClaim(begun=1, abandoned=1, given_up=1)
