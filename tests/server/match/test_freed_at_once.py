"""A match that is over, or that falls asleep, is freed as the last one leaves, without a collection of garbage."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from weakref import ref

import pytest

from protocol.limits import Bucket, Limits
from protocol.wire import from_client as say
from protocol.wire.from_server import Detail, Proof
from server.content.systems import find_systems, load
from server.lobby.table.live_table import LiveTable
from tests.server.lobby.matches.test_sleeping_matches import minutes
from tests.server.lobby.table.test_roles import look, watching
from tests.server.lobby.test_deserted import PATIENT, leave
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, Running, running, two_players
from tests.support.runs.uncollected import of_matches, uncollected
from tests.support.soak.course import until_decided

QUICK = Limits(frames=Bucket(1000, 1000), handshakes_per_second=1000, sockets_per_address=1000, bot_seconds=0.1)


def parts_of(live: LiveTable) -> Callable[[], list[str]]:
    """Return a function that names the parts of this table's match that are still in memory."""
    host = live.host
    assert host is not None
    stepper = host._stepper
    journal = stepper.journal
    parts = (host, stepper, journal, journal.projector, host.channels, host.match)
    known = {type(part).__name__: ref(part) for part in parts}
    return lambda: [name for name, part in known.items() if part() is not None]


async def freed(live: LiveTable, leave_it: Callable[[], Awaitable[None]]) -> None:
    """Fail where anything of this table's match is in memory, or in cycles, after all have left it."""
    with uncollected() as left:
        parts = parts_of(live)
        assert parts()
        await leave_it()
        await until(lambda: live.host is None, 10)
        # tasks that were cancelled end in the next turns of the loop
        await until(lambda: not parts(), 10)
    assert not of_matches(left)


async def to_the_end(run: Running, ann: Client, ben: Client) -> None:
    """Play a duel, in which each draws and asks what is refused them, to its end."""
    for turn in range(6):
        player = (ann, ben)[turn % 2]
        await player.my_turn()
        assert player.prompt is not None
        await player.say(say.DetailRequest(id=turn, prompt=player.prompt.id, choice="rest"))
        assert (await player.hear(Detail)).code
        assert await player.intend("rest") == ""
        run.clock.advance(50)
    for player in (ann, ben):
        await player.until(lambda player=player: player.state == "finished")  # type: ignore[misc]  # a default has no type


async def test_a_duel_with_spectators_who_see_and_check_all(tmp_path: Path) -> None:
    async with running(tmp_path, limits=PATIENT) as run:
        ann, ben = await two_players(run, all_views=True)
        eve, dan = await watching(run, ann), await watching(run, ann, "Dan")
        [live] = run.server.lobby.tables()
        assert await look(eve, "all") == ""
        for client in (ann, dan):
            await client.say(say.GetProof(table=live.record.id))
            await client.hear(Proof)
        await to_the_end(run, ann, ben)

        async def all_leave() -> None:
            for client in (ann, ben, eve, dan):
                await leave(client)

        await freed(live, all_leave)
        # it is read again for who wants to see it, and then as before
        await eve.say(say.WatchTable(table=live.record.id))
        await eve.arrived()
        await freed(live, lambda: leave(eve))


async def test_a_match_whose_replay_is_still_to_be_written(tmp_path: Path) -> None:
    async with running(tmp_path, limits=PATIENT) as run:
        ann, ben = await two_players(run)
        [live] = run.server.lobby.tables()
        # other replays are being made
        async with run.server.lobby.matches._making:
            for turn in range(6):
                player = (ann, ben)[turn % 2]
                await player.my_turn()
                assert await player.intend("rest") == ""
                run.clock.advance(50)
            await until(lambda: live.is_over)

            async def all_leave() -> None:
                for client in (ann, ben):
                    await client.close()

            await freed(live, all_leave)
            assert live.record.state == "live"
            ann = await run.client("Ann", ann.talk.token)
            await ann.say(say.OpenTable(table=live.record.id))
            await ann.until(lambda: ann.talk.scene is not None and "result" in ann.talk.scene.nodes)
        await ann.until(lambda: ann.state == "finished")
        assert run.server.metrics.task_faults.get("finish") == 0
        assert [path.name for path in (tmp_path / "replays").iterdir()] == [live.record.replay]


async def test_a_match_that_falls_asleep(tmp_path: Path) -> None:
    async with running(tmp_path, limits=PATIENT) as run:
        ann, ben = await two_players(run, seconds=3600)
        eve = await run.client("Eve")
        [live] = run.server.lobby.tables()
        assert await ann.intend("draw") == ""

        async def rest() -> None:
            for player in (ann, ben):
                await player.close()
            await until(lambda: not live.sessions)
            assert await minutes(run.clock, eve, live)

        await freed(live, rest)


@pytest.mark.waits
@pytest.mark.parametrize(
    ("system", "scenario", "bots"),
    [
        ("action_cards", "harrow_cross", 3),
        pytest.param("one_page", "open_field_3000", 1, marks=pytest.mark.long("properties")),
    ],
)
async def test_matches_of_bots(tmp_path: Path, system: str, scenario: str, bots: int) -> None:
    systems = load(find_systems([system]).values())
    async with running(tmp_path, systems=systems, limits=QUICK) as run:
        ann = await run.client("Ann")
        await ann.say(say.CreateTable(system=system, scenario=scenario, name="Table"))
        await ann.arrived()
        await ann.say(say.ChangeTable(reaction_seconds=0))
        for _ in range(bots):
            await ann.say(say.AddBot(kind="random"))
        if system == "one_page":
            await ann.say(say.BringList())
        await ann.say(say.StartMatch())
        await ann.until(lambda: ann.state == "live")
        await ann.say(say.Concede())
        await until_decided(ann)
        await ann.until(lambda: ann.state == "finished")
        [live] = run.server.lobby.tables()
        await freed(live, lambda: leave(ann))
