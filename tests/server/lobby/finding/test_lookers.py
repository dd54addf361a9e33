"""Whoever looks at a page of tables is told what changes on it, once a second, and of its own games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from protocol.limits import HoldLimits, Limits
from protocol.wire import from_client as say
from protocol.wire.table_lists import Counts, Found, FoundChange, Lobby, MyGames
from server.lobby.finding.lookers import GATHER_SECONDS
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, Running, running, two_players

OF_TABLES = (Lobby, Found, FoundChange, MyGames)


async def find(client: Client, **filters: Any) -> Found:
    await client.pinged()
    client.heard.clear()
    await client.say(say.FindTables(**filters))
    return await client.hear(Found, keep=True)


async def told(run: Running, client: Client, seconds: float = 2.0) -> list[object]:
    """Return what a client is told of tables in this time."""
    await client.pinged()
    client.heard.clear()
    for _ in range(round(seconds / GATHER_SECONDS)):
        run.clock.advance(GATHER_SECONDS)
        await client.pinged()
        await client.pinged()
    return [message for message in client.heard if isinstance(message, OF_TABLES)]


def shown(client: Client) -> list[str]:
    return [row.name for row in client.talk.found.page]


async def opened(run: Running, name: str, **options: Any) -> Client:
    """Return the owner of a new table."""
    owner = await run.client("Olga")
    await owner.say(say.CreateTable(system="duel", scenario="two", name=name))
    await owner.until(lambda: owner.talk.table is not None)
    if options:
        await owner.change(**options)
    return owner


async def test_a_search_shows_what_passes_its_filters_and_is_kept_up_by_what_changes_there(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        await opened(run, "Mill", mail=True)
        moon = await opened(run, "Moon")
        eve = await run.client("Eve")
        found = await find(eve, mail=True)
        assert ([row.name for row in found.rows], found.counts) == (["Mill"], Counts(open=1))
        assert (await find(eve, words="moo", seats=2, free=1, rated=True, language="en")).counts.total == 1
        assert shown(eve) == ["Moon"]
        await told(run, eve)
        await opened(run, "Half moon")
        [change] = await told(run, eve)
        assert isinstance(change, FoundChange)
        assert [row.name for row in change.rows] == ["Half moon"]
        await moon.change(name="Sun")
        [change] = await told(run, eve)
        assert isinstance(change, FoundChange)
        assert (change.rows, len(change.gone), change.counts.total) == ((), 1, 1)
        assert shown(eve) == ["Half moon"]
        await moon.change(seconds=30)
        assert await told(run, eve) == []


async def test_a_page_is_shown_in_the_moment_in_which_a_table_of_it_goes(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        mill = await opened(run, "Mill")
        moon = await opened(run, "Moon")
        eve = await run.client("Eve")
        await find(eve)
        await mill.say(say.LeaveTable())
        await until(lambda: len(run.server.lobby.tables()) == 1)
        await moon.change(private=True)
        # a page of the same search that nobody has looked at yet
        assert (await find(eve)).rows
        assert [row.name for row in (await find(eve, first=50)).rows] == []
        other = await run.client("Ida")
        assert [row.name for row in (await find(other, seats=2)).rows] == []


async def test_many_changes_come_as_one_and_once_a_second_at_most(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        eve = await run.client("Eve")
        await find(eve)
        owners = [await opened(run, f"Table {number}") for number in range(4)]
        [change] = await told(run, eve)
        assert isinstance(change, FoundChange)
        assert len(change.rows) == 4
        counted = []
        for seconds in range(6):
            await owners[0].change(seconds=30 + seconds)
            counted.append(len(await told(run, eve, GATHER_SECONDS)))
        assert sum(counted) == 3, counted


async def test_own_games_come_beside_the_page_those_that_wait_for_me_first(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        await find(ann)
        assert [(row.name, row.mine, row.turn) for row in ann.talk.found.mine] == [("Duel", True, True)]
        assert [(row.name, row.mine, row.turn) for row in ann.talk.found.page] == [("Duel", False, False)]
        assert ann.talk.lobby is not None
        assert [row.mine for row in ann.talk.lobby.tables] == [True]
        await find(ben)
        assert await ann.intend("rest") == ""
        [games, change] = await told(run, ben)
        assert isinstance(games, MyGames)
        assert isinstance(change, FoundChange)
        assert [row.turn for row in games.rows] == [True]
        # whoever acts at their table looks at that
        assert await told(run, ann) == []


async def test_a_private_table_is_on_no_page_but_among_the_games_of_whom_it_let_in(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        owner = await opened(run, "Secret", private=True)
        assert owner.talk.table is not None
        eve = await run.client("Eve")
        assert (await find(eve)).rows == ()
        await eve.say(say.WatchTable(code=owner.talk.table.code))
        await eve.arrived()
        await eve.say(say.LeaveTable())
        assert await eve.left() == "left"
        assert (await find(eve)).rows == ()
        assert [(row.name, row.mine) for row in eve.talk.found.mine] == [("Secret", False)]


async def test_who_was_sent_away_finds_that_table_no_more_and_others_do(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        owner = await opened(run, "Mill")
        eve, bob = await run.client("Eve"), await run.client("Bob")
        assert owner.talk.table is not None
        await eve.say(say.WatchTable(table=owner.talk.table.id))
        await eve.arrived()
        await owner.say(say.RemoveWatcher(who=eve.talk.you))
        assert await eve.left() == "removed"
        assert [row.name for row in (await find(bob)).rows] == ["Mill"]
        assert (await find(eve)).rows == ()
        await owner.change(seconds=30)
        await told(run, eve)
        assert shown(eve) == []


async def test_who_comes_back_to_the_lobby_sees_the_page_as_it_is_now(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        mill = await opened(run, "Mill")
        assert mill.talk.table is not None
        eve = await run.client("Eve")
        await find(eve)
        await eve.say(say.WatchTable(table=mill.talk.table.id))
        await eve.arrived()
        await opened(run, "Moon")
        await opened(run, "Sun")
        # a look at the list beside a table ends with the first act there, which a spectator has none of
        await told(run, eve)
        await eve.say(say.LeaveTable())
        await told(run, eve)
        assert sorted(shown(eve)) == ["Mill", "Moon", "Sun"]


async def test_searches_are_bounded_and_looking_without_filters_is_not(tmp_path: Path) -> None:
    limits = Limits(handshakes_per_second=1000, looks_held=HoldLimits(1, 2, 9))
    async with running(tmp_path, limits=limits) as run:
        clients = [await run.client(name) for name in ("Ann", "Ben", "Cid")]
        for client, words in zip(clients, ("mill", "moon"), strict=False):
            await find(client, words=words)
        await clients[2].say(say.FindTables(words="sun"))
        assert await clients[2].problem() == "bound/looks-address"
        assert (await find(clients[2])).rows == ()
        await find(clients[1])
        await find(clients[2], words="sun")


async def test_programs_that_know_no_search_are_told_the_list_as_before(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        old, eve = await run.client("Old"), await run.client("Eve")
        await told(run, old)
        await find(eve)
        await opened(run, "Mill")
        assert {type(message) for message in await told(run, old)} == {Lobby}
        assert old.talk.lobby is not None
        assert [row.name for row in old.talk.lobby.tables] == ["Mill"] == shown(eve)
