"""However a match ends, its secret is opened, and its dice can be checked."""

from __future__ import annotations

from pathlib import Path

from client.fairness import verify
from protocol.ids import TableId, match_of
from protocol.wire import from_client as say
from protocol.wire.from_server import FilePart, Problem
from server.lobby.matches.abandoned_matches import PARKED_SECONDS
from server.store.sqlite.store import SqliteStore
from tests.support.clients.wire import Client, duel, running, two_players
from tests.support.doubles.clock import JumpingClock
from tests.support.servers.hours import HOUR, hours
from tests.support.servers.seats import all_see, call, cast, seen

DAMAGE = b"\x94\x09\xc0\x90\xc0"


async def parked(tmp_path: Path, clock: JumpingClock) -> tuple[Client, Client, TableId]:
    """A match with some dice, after whose last step stands what nobody can read."""
    async with running(tmp_path, clock=clock) as run:
        ann, ben = await two_players(run)
        await ann.intend("draw")
        assert ann.talk.table is not None
        table = ann.talk.table.id
    store = SqliteStore(tmp_path / "eschaton.db")
    fence = await store.open_match(match_of(table))
    version = len(await store.read(match_of(table)))
    await store.append(match_of(table), fence, b"x" * 16, version, DAMAGE)
    await store.close()
    return ann, ben, table


def holds(tmp_path: Path) -> str:
    [file] = (tmp_path / "replays").iterdir()
    return verify.check(file.read_bytes())[0]


async def test_a_match_that_stays_parked_is_opened_within_a_day_over_any_restart(tmp_path: Path) -> None:
    clock = JumpingClock()
    ann, _, table = await parked(tmp_path, clock)
    async with running(tmp_path, clock=clock) as run:
        await hours(clock, 12)
        assert not list((tmp_path / "replays").iterdir())
    async with running(tmp_path, clock=clock) as run:
        await hours(clock, int(PARKED_SECONDS / HOUR) - 12 + 1)
        run.clients.append(ann)
        ann.port = run.port
        await ann.connect()
        await ann.until(
            lambda: (
                (lobby := ann.talk.lobby) is not None
                and any(row.id == table and row.state == "finished" for row in lobby.tables)
            )
        )
    assert holds(tmp_path).startswith("Everything holds")


async def test_a_parked_match_that_is_ended_by_vote_is_over_and_its_secrets_are_opened(tmp_path: Path) -> None:
    clock = JumpingClock()
    ann, ben, table = await parked(tmp_path, clock)
    async with running(tmp_path, clock=clock) as run:
        run.clients += [ann, ben]
        for client in (ann, ben):
            client.port = run.port
            await client.connect()
            await client.hear(Problem, lambda problem: problem.code == "match/parked")
        await call(ann, "end")
        await ben.until(lambda: seen(ben).vote is not None)
        await cast(ben, yes=True)
        await all_see(lambda view: view.state == "finished", ann, ben)
        assert await ann.intend("focus") == "match/none"
        await hours(clock, 1)
        assert holds(tmp_path).startswith("Everything holds")
    async with running(tmp_path, clock=clock) as run:
        cleo = await run.client("Cleo")
        lobby = cleo.talk.lobby
        assert lobby is not None
        assert [(row.id, row.state) for row in lobby.tables] == [(table, "finished")]
        assert not [line for line in run.lines if line["event"] == "parked"]
        await cleo.say(say.GetReplay(table=table))
        assert (await cleo.hear(FilePart)).parts >= 1


async def test_a_match_whose_rules_are_gone_is_opened_all_the_same(tmp_path: Path) -> None:
    clock = JumpingClock()
    async with running(tmp_path, clock=clock) as run:
        ann, ben = await two_players(run)
        await ann.intend("draw")
        await ben.say(say.ListTables())
    async with running(tmp_path, clock=clock, systems={"another": duel()["duel"]}):
        await hours(clock, int(PARKED_SECONDS / HOUR) + 2)
    assert "2 cards" in holds(tmp_path) or "4 cards" in holds(tmp_path)
