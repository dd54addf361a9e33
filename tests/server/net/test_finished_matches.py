"""Cost of finished matches: folded once for all who come, and sent to one address up to a limit of megabytes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from protocol.fairness.replay_sections import signed_bytes
from protocol.ids import MatchId, TableId
from protocol.limits import HoldLimits, Limits, Rate, Rates
from protocol.wire import from_client as say
from protocol.wire.from_server import FilePart
from server.store.port import StoreUnavailable
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, Running, rest_to_the_end, running, two_players, until_put_away
from tests.support.doubles.memory_store import MemoryStore

GENEROUS = {"handshakes_per_second": 1000, "sockets_per_address": 1000}


async def played(data: Path) -> TableId:
    """Play a match to its end; return the id of its table, which everybody has left."""
    async with running(data) as run:
        players = await two_players(run)
        await rest_to_the_end(*players)
        await until_put_away(run.server.store)
        assert players[0].talk.table is not None
        return players[0].talk.table.id


class AwayStore(MemoryStore):
    """A store that says nothing of its matches while it is away."""

    is_away = False

    async def version(self, match: MatchId) -> int:
        if self.is_away:
            raise StoreUnavailable("not now")
        return await super().version(match)


async def test_a_finished_match_is_shown_once_the_store_is_back(tmp_path: Path) -> None:
    store = AwayStore()
    async with running(tmp_path, store=store) as run:
        players = await two_players(run)
        await rest_to_the_end(*players)
        await until_put_away(store)
        [live] = run.server.lobby.tables()
        for player in players:
            await player.close()
        await until(lambda: live.host is None)
        eve = await run.client("Eve")
        store.is_away = True
        await eve.say(say.WatchTable(table=live.record.id))
        assert await eve.problem() == "store/unavailable"
        store.is_away = False
        await eve.say(say.WatchTable(table=live.record.id))
        await eve.arrived()
        assert not live.is_parked


def folds(run: Running) -> int:
    return len([line for line in run.lines if line["event"] == "resumed"])


async def test_a_finished_match_is_folded_once_for_all_who_come_at_once(tmp_path: Path) -> None:
    table = await played(tmp_path)
    async with running(tmp_path) as run:
        clients = [await run.client(name) for name in ("Ann", "Ben", "Cleo", "Dan")]
        await asyncio.gather(*[client.say(say.WatchTable(table=table)) for client in clients])
        for client in clients:
            await client.arrived()
        assert folds(run) == 1
        await clients[0].say(say.OpenTable(table=table))
        await clients[0].pinged()
        assert folds(run) == 1


async def test_one_alone_who_looks_again_has_nothing_folded_anew(tmp_path: Path) -> None:
    table = await played(tmp_path)
    async with running(tmp_path) as run:
        ann = await run.client("Ann")
        for _ in range(3):
            await ann.say(say.OpenTable(table=table))
            await ann.pinged()
        assert folds(run) == 1
        assert run.server.lobby.table(table).host is not None


async def test_a_person_has_so_many_finished_matches_folded(tmp_path: Path) -> None:
    table = await played(tmp_path)
    limits = Limits(folds=Rates(Rate(2, 3600)), **GENEROUS)  # type: ignore[arg-type]
    async with running(tmp_path, limits=limits) as run:
        ann, ben = await run.client("Ann"), await run.client("Ben")
        for _ in range(2):
            await ann.say(say.WatchTable(table=table))
            await ann.arrived()
            await ann.say(say.LeaveTable())
            assert await ann.left() == "left"
        ann.heard.clear()
        await ann.say(say.WatchTable(table=table))
        assert await ann.problem() == "bound/folds-person"
        await ben.say(say.WatchTable(table=table))
        await ben.arrived()
        # it is there now
        await ann.say(say.WatchTable(table=table))
        await ann.arrived()


async def saved(client: Client, table: TableId) -> bytes:
    await client.say(say.GetReplay(table=table))
    parts = [await client.hear(FilePart)]
    while len(parts) < parts[0].parts:
        parts.append(await client.hear(FilePart))
    return b"".join(part.data for part in parts)


async def test_replays_are_sent_to_an_address_up_to_so_many_megabytes(tmp_path: Path) -> None:
    table = await played(tmp_path)
    stored = (tmp_path / "replays" / f"{table}.replay").read_bytes()
    most, data = 2.5 * len(stored) / 1e6, signed_bytes(stored)
    limits = Limits(replays=Rates(None, Rate(most, 3600)), file_part=1000, **GENEROUS)  # type: ignore[arg-type]
    async with running(tmp_path, limits=limits) as run:
        ann, ben = await run.client("Ann"), await run.client("Ben")
        assert signed_bytes(await saved(ann, table)) == data
        assert signed_bytes(await saved(ben, table)) == data
        await ann.say(say.GetReplay(table=table))
        assert await ann.problem() == "bound/replays-address"
        far = Client(run.port, "Far", address="127.0.9.1")
        run.clients.append(far)
        await far.connect()
        assert signed_bytes(await saved(far, table)) == data
        run.clock.advance(3600 * 25 / 24 + 1)
        assert signed_bytes(await saved(ann, table)) == data


async def test_a_person_has_so_many_seats(tmp_path: Path) -> None:
    limits = Limits(seats_held=HoldLimits(2, 3, 10), **GENEROUS)  # type: ignore[arg-type]
    async with running(tmp_path, limits=limits) as run:
        ann, ben, eve = await run.client("Ann"), await run.client("Ben"), await run.client("Eve")
        codes = [await ben.create("three")]
        ben.talk.table = None
        codes.append(await ben.create("three"))
        await ann.join(codes[0])
        ann.heard.clear()
        # the address has three: two of Ben's and Ann's
        await ann.say(say.JoinTable(code=codes[1]))
        assert await ann.problem() == "bound/seats-address"
        await ben.say(say.CreateTable(system="duel", scenario="two", name="Third"))
        assert await ben.problem() == "bound/seats-person"
        await ann.say(say.LeaveTable())
        assert await ann.left() == "left"
        await eve.join(codes[1])


async def test_a_server_has_so_many_connections(tmp_path: Path) -> None:
    limits = Limits(sockets=2, **GENEROUS)  # type: ignore[arg-type]
    async with running(tmp_path, limits=limits) as run:
        ann, _ = await run.client("Ann"), await run.client("Ben")
        with pytest.raises(Exception, match="429"):
            await run.client("Cleo")
        await ann.close()
        await until(lambda: len(run.server.lobby.sessions()) == 1, 10)
        await run.client("Cleo")
