"""Tables that have not begun go when nobody is there, and nobody can open more of them than others bear."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from protocol.ids import MatchId, TableId
from protocol.limits import Bucket, Limits
from protocol.wire import from_client as say
from protocol.wire.from_server import Problem
from protocol.wire.table_lists import Lobby
from server.store.port import Fence, StoredRecord, StoreError
from server.store.sqlite.store import SqliteStore
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, Running, rest_to_the_end, running, two_players
from tests.support.doubles.stored import records_of
from tests.support.servers.seats import seen

GENEROUS = {"handshakes_per_second": 1000, "sockets_per_address": 1000}


class FailingStarts(SqliteStore):
    """Keeps no record, or begins no match, while it is told to fail so."""

    fails = ""

    async def put_records(self, records: Iterable[StoredRecord]) -> list[int]:
        batch = list(records)
        if self.fails == "records" and any(record.kind == "table" for record in batch):
            raise StoreError("not now")
        return await super().put_records(batch)

    async def open_match(self, match: MatchId) -> Fence:
        if self.fails == "steps":
            raise StoreError("not now")
        return await super().open_match(match)


async def rows(client: Client) -> list[str]:
    client.heard.clear()
    await client.say(say.ListTables())
    return [row.name for row in (await client.hear(Lobby)).tables]


async def until_rows(client: Client, names: list[str]) -> None:
    async def is_so() -> bool:
        return await rows(client) == names

    await until(is_so)


async def until_forgotten(run: Running) -> None:
    """Wait until the store has no table: what nobody is shown any more is deleted then."""

    async def is_so() -> bool:
        return not await records_of(run.server.store, "table")

    await until(is_so, 10)


async def opened(client: Client, name: str) -> TableId:
    """Open a table, and be at it; its id."""
    await client.say(say.CreateTable(system="duel", scenario="two", name=name))
    await client.until(lambda: client.talk.table is not None and client.talk.table.name == name)
    assert client.talk.table is not None
    return client.talk.table.id


async def gone(run: Running, client: Client, others: int) -> None:
    """Break the link of one; the server has noticed when this returns."""
    await client.close()
    await until(lambda: len(run.server.lobby.sessions()) == others)


async def test_a_table_that_all_have_left_before_the_start_goes_at_once(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, eve = await run.client("Ann"), await run.client("Ben"), await run.client("Eve")
        table = await opened(ann, "One")
        await ben.say(say.JoinTable(table=table))
        await ben.arrived()
        await ann.say(say.LeaveTable())
        assert await ann.left() == "left"
        assert await rows(eve) == ["One"]
        await ben.say(say.LeaveTable())
        await until_rows(eve, [])
        await until_forgotten(run)
        await eve.say(say.JoinTable(table=table))
        assert await eve.problem() == "table/unknown"


async def test_a_lost_link_has_a_minute_of_grace(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, eve = await run.client("Ann"), await run.client("Eve")
        table = await opened(ann, "One")
        await gone(run, ann, 1)
        run.clock.advance(59)
        assert await rows(eve) == ["One"]
        await ann.connect()
        await ann.say(say.OpenTable(table=table))
        await ann.arrived()
        run.clock.advance(600)
        assert await rows(eve) == ["One"]
        await gone(run, ann, 1)
        run.clock.advance(60)
        await until_rows(eve, [])


async def test_who_looks_at_another_table_keeps_both(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, eve = await run.client("Ann"), await run.client("Eve")
        await opened(ann, "One")
        await opened(ann, "Two")
        run.clock.advance(600)
        assert set(await rows(eve)) == {"One", "Two"}
        await gone(run, ann, 1)
        run.clock.advance(60)
        await until_rows(eve, [])


async def test_a_table_by_mail_stays_for_a_day_and_one_that_was_started_for_ever(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        eve, mia = await run.client("Eve"), await run.client("Mia")
        await opened(mia, "By mail")
        await mia.say(say.ChangeTable(mail=True))
        await mia.until(lambda: mia.talk.table is not None and mia.talk.table.mail)
        for left, client in ((3, mia), (2, ann), (1, ben)):
            await gone(run, client, left)
        run.clock.advance(24 * 3600 - 1)
        assert await rows(eve) == ["Duel", "By mail"]
        run.clock.advance(1)
        await until_rows(eve, ["Duel"])


async def test_after_a_restart_people_have_the_minute_again(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        await opened(await run.client("Ann"), "One")
    async with running(tmp_path) as run:
        eve = await run.client("Eve")
        assert await rows(eve) == ["One"]
        run.clock.advance(60)
        await until_rows(eve, [])


async def refused(client: Client) -> Problem:
    await client.say(say.CreateTable(system="duel", scenario="two", name="Duel"))
    return await client.hear(Problem)


async def of_three_addresses(run: Running) -> list[Client]:
    """Two people of one address, and one of each of two others."""
    far = Client(run.port, "Far", address="127.0.9.1")
    farther = Client(run.port, "Farther", address="127.0.9.2")
    for client in (far, farther):
        await client.connect()
        run.clients.append(client)
    return [await run.client("Ann"), await run.client("Ben"), far, farther]


async def test_a_person_an_address_and_the_server_have_so_many_tables(tmp_path: Path) -> None:
    limits = Limits(tables_per_account=2, tables_per_address=3, tables=4, **GENEROUS)  # type: ignore[arg-type]
    async with running(tmp_path, limits=limits) as run:
        ann, ben, far, farther = await of_three_addresses(run)
        for name in ("One", "Two"):
            await opened(ann, name)
        problem = await refused(ann)
        assert (problem.code, problem.text.a) == ("bound/tables-person", {"most": 2})
        await opened(ben, "Three")
        problem = await refused(ben)
        assert (problem.code, problem.text.a) == ("bound/tables-address", {"most": 3})
        await opened(far, "Four")
        problem = await refused(farther)
        assert (problem.code, problem.text.a) == ("bound/tables-server", {"most": 4})
        # what is left makes room
        await ann.say(say.LeaveTable())
        assert await ann.left() == "left"
        await opened(ben, "Five")


async def started(client: Client, name: str) -> None:
    """Open a table and start a match against a bot there."""
    await opened(client, name)
    await client.say(say.AddBot(kind="random"))
    await client.say(say.StartMatch())
    await client.my_turn()


async def cannot_start(client: Client) -> Problem:
    await opened(client, "No more")
    await client.say(say.AddBot(kind="random"))
    await client.say(say.StartMatch())
    return await client.hear(Problem)


async def test_a_person_an_address_and_the_server_have_so_many_live_matches(tmp_path: Path) -> None:
    most = {"matches_per_account": 2, "matches_per_address": 3, "matches": 4}
    limits = Limits(**most, frames=Bucket(1000, 1000), **GENEROUS)  # type: ignore[arg-type]
    async with running(tmp_path, limits=limits) as run:
        ann, ben, far, farther = await of_three_addresses(run)
        for name in ("One", "Two"):
            await started(ann, name)
        problem = await cannot_start(ann)
        assert (problem.code, problem.text.a) == ("bound/matches-person", {"most": 2})
        await started(ben, "Three")
        problem = await cannot_start(ben)
        assert (problem.code, problem.text.a) == ("bound/matches-address", {"most": 3})
        await started(far, "Four")
        problem = await cannot_start(farther)
        assert (problem.code, problem.text.a) == ("bound/matches-server", {"most": 4})
        # whoever leaves a match that others go on with has started it all the same
        [second] = [live for live in run.server.lobby.tables() if live.record.name == "Two"]
        await ben.say(say.JoinTable(table=second.record.id))
        await ben.until(lambda: ben.talk.table is not None and ben.talk.table.name == "Two")
        await ann.say(say.OpenTable(table=second.record.id))
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.name == "Two")
        await ann.say(say.LeaveTable())
        assert await ann.left() == "left"
        assert second.record.owner == ben.talk.you
        problem = await cannot_start(ann)
        assert problem.code == "bound/matches-person"
    # after a restart the owners count
    async with running(tmp_path, limits=limits) as run:
        run.clients += [ann, ben]
        for client in (ann, ben):
            client.port = run.port
            await client.connect()
        problem = await cannot_start(ben)
        assert problem.code == "bound/matches-person"


async def test_a_start_that_fails_and_a_match_that_ends_make_room(tmp_path: Path) -> None:
    limits = Limits(matches_per_account=1, **GENEROUS)  # type: ignore[arg-type]
    store = FailingStarts(tmp_path / "eschaton.db")
    async with running(tmp_path, limits=limits, store=store) as run:
        ann, ben = await run.client("Ann"), await run.client("Ben")
        await ben.join(await ann.create())
        await ben.ready()
        await ann.until(lambda: seen(ann).seats[1].ready)
        for way in ("records", "steps"):
            store.fails = way
            await ann.say(say.StartMatch())
            assert await ann.problem() in ("store/unavailable", "table/start-fault")
        store.fails = ""
        await ann.say(say.StartMatch())
        await ann.my_turn()
        await rest_to_the_end(ann, ben)
        await started(ann, "Next")


async def test_a_finished_match_makes_room(tmp_path: Path) -> None:
    limits = Limits(tables_per_account=1, **GENEROUS)  # type: ignore[arg-type]
    async with running(tmp_path, limits=limits) as run:
        ann, ben = await two_players(run)
        assert (await refused(ann)).code == "bound/tables-person"
        await rest_to_the_end(ann, ben)
        await opened(ann, "Next")
