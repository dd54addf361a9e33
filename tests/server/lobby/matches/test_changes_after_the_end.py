"""Changes of tables whose match is over."""

from __future__ import annotations

from pathlib import Path

from protocol.wire import from_client as say
from server.lobby.lobby import DAY
from server.lobby.table.table_record import FOR_EVER, TableRecord
from tests.support.clients.wire import Client, Running, rest_to_the_end, running, two_players

AWAY = "127.0.7.2"


async def finished(run: Running) -> tuple[Client, TableRecord]:
    """Return the owner of a private table whose match has ended a day ago, and its record."""
    ann, ben = await two_players(run, private=True)
    await rest_to_the_end(ann, ben)
    run.clock.advance(DAY)
    return ann, record_of(run, ann)


def record_of(run: Running, client: Client) -> TableRecord:
    assert client.talk.table is not None
    return run.server.lobby.table(client.talk.table.id).record


async def spectator(run: Running, code: str) -> Client:
    """Return somebody who comes from elsewhere to see the replay, by its code."""
    eve = Client(run.port, "Eve", address=AWAY)
    run.clients.append(eve)
    await eve.connect()
    await eve.say(say.WatchTable(code=code))
    await eve.arrived()
    return eve


async def test_another_code_of_a_private_replay_works_for_ever(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, before = await finished(run)
        await ann.say(say.NewCode())
        await ann.pinged()
        after = record_of(run, ann)
        assert after.code != before.code
        assert after.code_ends == FOR_EVER


async def test_who_is_sent_away_from_a_replay_leaves_no_mark_of_their_address(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, before = await finished(run)
        eve = await spectator(run, before.code)
        await ann.say(say.RemoveWatcher(who=eve.talk.you))
        assert await eve.left() == "removed"
        after = record_of(run, ann)
        assert (after.banned, after.barred) == ((eve.talk.you,), ())


async def test_a_finished_table_that_is_changed_stays_as_old_as_it_is(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, before = await finished(run)
        eve = await spectator(run, before.code)
        await ann.say(say.RemoveWatcher(who=eve.talk.you))
        await ann.say(say.NewCode())
        await ann.pinged()
        after = record_of(run, ann)
        assert after.changed == before.changed
        assert after != before
