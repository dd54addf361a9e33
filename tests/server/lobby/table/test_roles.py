"""Spectators with roles: who sees what, who agreed to it, and that the table is told."""

from __future__ import annotations

from pathlib import Path

from msgspec import convert

from protocol.wire import from_client as say
from protocol.wire.from_server import Problem, Role
from tests.support.clients.wire import Client, Running, running, two_players


async def watching(run: Running, ann: Client, name: str = "Eve") -> Client:
    """A spectator at the table of Ann."""
    eve = await run.client(name)
    assert ann.talk.table is not None
    await eve.say(say.WatchTable(table=ann.talk.table.id))
    await eve.until(lambda: eve.talk.scene is not None and eve.talk.scene.is_whole)
    return eve


def role(client: Client) -> Role:
    assert client.talk.table is not None
    return client.talk.table.role


async def look(client: Client, sees: str, seat: int | None = None) -> str:
    """Ask for another role; the code of the refusal, or empty."""
    client.heard.clear()
    await client.say(convert({"sees": sees, "seat": seat}, say.LookAs))
    await client.pinged()
    problems = [m for m in client.heard if isinstance(m, Problem)]
    return problems[0].code if problems else ""


def told_of(client: Client, eve: Client) -> Role:
    """Return the role of Eve that the table is told."""
    assert client.talk.table is not None
    return next(watcher.role for watcher in client.talk.table.watchers if watcher.who == eve.talk.you)


async def test_a_seat_is_looked_into_with_its_holders_consent_until_that_is_withdrawn(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        eve = await watching(run, ann)
        assert await ann.intend("draw") == ""
        assert not eve.scene.private.nodes
        await eve.say(say.LookAs(sees="seat", seat=0))
        for client in (ann, ben):
            await client.until(lambda client=client: told_of(client, eve).wants == 0)  # type: ignore[misc]  # a default has no type
        await eve.until(lambda: role(eve).wants == 0)
        assert not eve.scene.private.nodes, "asked is not granted"
        await ben.say(say.Consent(who=eve.talk.you, allow=True))
        assert await ben.problem() == "watch/not-asked"
        await ann.say(say.Consent(who=eve.talk.you, allow=True))
        await eve.until(lambda: role(eve) == Role("seat", 0))
        await eve.until(lambda: eve.scene.hashes == ann.scene.hashes)
        await ben.until(lambda: told_of(ben, eve) == Role("seat", 0))
        assert await ann.intend("focus") == ""
        await eve.until(lambda: eve.scene.hashes == ann.scene.hashes)
        assert await eve.intend("rest") == "match/no-seat"
        await ann.say(say.Consent(who=eve.talk.you, allow=False))
        await eve.until(lambda: role(eve) == Role() and not eve.scene.private.nodes)
        await eve.until(lambda: eve.scene.hashes[0] == ben.scene.hashes[0])
        assert eve.talk.drifts == 0


async def test_a_role_survives_a_lost_link_and_ends_with_the_seat_of_who_granted_it(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        eve = await watching(run, ann)
        await look(eve, "seat", 0)
        await ann.say(say.Consent(who=eve.talk.you, allow=True))
        await eve.until(lambda: role(eve).sees == "seat")
        await eve.cut()
        assert await ann.intend("draw") == ""
        await eve.connect()
        await eve.until(lambda: role(eve).sees == "seat" and eve.scene.hashes == ann.scene.hashes)
        await ann.say(say.LeaveTable())
        assert await ann.left() == "left"
        await eve.until(lambda: role(eve) == Role() and not eve.scene.private.nodes)
        assert ben.closed is None


async def test_whoever_has_sat_or_looked_may_not_do_the_other(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run, all_views=True)
        eve = await watching(run, ann)
        assert await look(ben, "all") == await look(ben, "seat", 0) == "watch/has-sat"
        assert await look(eve, "seat", 9) == "watch/no-person"
        assert await look(eve, "all") == ""
        await ben.say(say.LeaveTable())
        assert await ben.left() == "left"
        assert ann.talk.table is not None
        await ben.say(say.WatchTable(table=ann.talk.table.id))
        await ben.until(lambda: ben.talk.table is not None)
        assert await look(ben, "all") == await look(ben, "seat", 0) == "watch/has-sat"
        eve.heard.clear()
        await eve.say(say.JoinTable(table=ann.talk.table.id))
        assert await eve.problem() == "table/has-looked"


async def test_the_owner_says_at_set_up_what_spectators_may_ask_for(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, _ = await two_players(run, seat_views=False)
        eve = await watching(run, ann)
        assert await look(eve, "seat", 0) == await look(eve, "all") == "watch/not-allowed"
        assert ann.talk.table is not None
        assert not ann.talk.table.seat_views
        assert not ann.talk.table.all_views


async def test_all_is_seen_two_minutes_and_a_whole_round_late(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run, all_views=True, seconds=3600)
        eve = await watching(run, ann)
        assert await ann.intend("draw") == ""
        assert await look(eve, "all") == ""
        await eve.until(lambda: role(eve).sees == "all" and not eve.scene.nodes)
        assert eve.talk.table is not None
        assert eve.talk.table.behind == -1
        run.clock.advance(130)
        assert await look(eve, "all") == ""
        assert not eve.scene.nodes, "no round has passed"
        for _ in range(60):
            if "sheet/hidden" in eve.scene.nodes:
                break
            await ann.my_turn()
            await ann.intend("rest")
            await ben.my_turn()
            await ben.intend("rest")
            run.clock.advance(50)
            await eve.pinged()
        assert "sheet/hidden" in eve.scene.nodes
        assert not eve.scene.private.nodes
        assert eve.scene.prompt is None
        assert eve.talk.drifts == 0
