"""Results, ratings and leaders as people are told them, over real sockets."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.wire import from_client as say
from protocol.wire.results import Leaders, PlayedView, RatingView, Results
from server.accounts.identities import ACCOUNTS
from server.lobby.commands.result_pages import PAGE_ROWS
from server.results.rating import SETTLED
from server.results.result_book import ResultBook
from tests.support.clients.wire import Client, rest_to_the_end, running, two_players
from tests.support.doubles.memory_store import MemoryStore
from tests.support.results.made import keep, leave_two_of_five, result

pytestmark = pytest.mark.waits


async def results(client: Client, who: str | None = None, before: int | None = None) -> Results:
    await client.say(say.GetResults(who=who, before=before))
    return await client.hear(Results)


async def test_a_finished_match_is_told_with_its_people_and_what_it_changed(tmp_path: Path) -> None:
    async with running(tmp_path, store=MemoryStore()) as run:
        ann, ben = await two_players(run, adds=True)
        await rest_to_the_end(ann, ben)
        mine = await results(ann)
        [row] = mine.results
        assert (mine.name, mine.older, row.number, row.name, row.unrated, row.replay) == ("Ann", 0, 1, "Duel", "", True)
        assert [seat.name for seat in row.seats] == ["Ann", "Ben"]
        [rating] = mine.ratings
        assert (rating.system, rating.matches, rating.new) == ("duel", 1, True)
        assert rating.points == 667 + (row.seats[0].change or 0)
        eve = await run.client("Eve")
        assert (await results(eve)).results == ()
        await run.server.store.delete_record(ACCOUNTS, ben.talk.you)
        theirs = await results(eve, ann.talk.you)
        assert [seat.name for seat in theirs.results[0].seats] == ["Ann", ""]
        assert (await results(eve, ben.talk.you)).name == ""


async def test_results_come_by_page_and_those_of_private_tables_to_their_people_alone(tmp_path: Path) -> None:
    store = MemoryStore()
    async with running(tmp_path, store=store) as run:
        ann, eve = await run.client("Ann"), await run.client("Eve")
        who, book = ann.talk.you, ResultBook(store)
        for number in range(1, PAGE_ROWS + 6):
            await keep(book, store, result(number, who, f"p{number}", private=number % 2 == 0))
        first = await results(ann)
        assert [row.number for row in first.results] == list(range(PAGE_ROWS + 5, 5, -1))
        rest = await results(ann, before=first.older)
        assert ([row.number for row in rest.results], rest.older) == ([5, 4, 3, 2, 1], 0)
        seen = await results(eve, who)
        assert ([row.number for row in seen.results], seen.older) == (list(range(PAGE_ROWS + 5, 5, -2)), first.older)


async def test_staying_power_is_told_and_may_be_asked_for_of_whoever_sits_down(tmp_path: Path) -> None:
    store = MemoryStore()
    async with running(tmp_path, store=store) as run:
        host, ann, ben = await run.client("Host"), await run.client("Ann"), await run.client("Ben")
        await leave_two_of_five(store, ann.talk.you)
        theirs = await results(ben, ann.talk.you)
        assert (theirs.played, theirs.begun, theirs.stayed) == ((PlayedView("duel", 5),), 5, 3)
        await host.create("two")
        await host.say(say.ChangeTable(staying=61))
        await host.until(lambda: host.talk.table is not None and host.talk.table.staying == 61)
        assert host.talk.table is not None
        table = host.talk.table.id
        await ann.say(say.JoinTable(table=table))
        assert await ann.problem() == "table/staying"
        await host.say(say.ChangeTable(staying=60))
        await host.until(lambda: host.talk.table is not None and host.talk.table.staying == 60)
        await ann.say(say.JoinTable(table=table))
        await ann.until(lambda: ann.talk.table is not None)
        await ann.say(say.LeaveTable())
        await host.say(say.ChangeTable(staying=100))
        await host.until(lambda: host.talk.table is not None and host.talk.table.staying == 100)
        # who has begun fewer matches has not shown yet what they do
        await ben.say(say.JoinTable(table=table))
        await ben.until(lambda: ben.talk.table is not None)


async def test_the_best_of_a_system_are_told(tmp_path: Path) -> None:
    store = MemoryStore()
    async with running(tmp_path, store=store) as run:
        ann, book, now = await run.client("Ann"), ResultBook(store), run.clock.wall()
        for number in range(1, SETTLED + 1):
            await keep(book, store, result(number, ann.talk.you, f"p{number}", ended=now + number))
        await ann.say(say.GetLeaders(system="duel"))
        [leader] = (await ann.hear(Leaders)).leaders
        [rating] = (await results(ann)).ratings
        assert (leader.who, leader.name, leader.rating) == (ann.talk.you, "Ann", rating)
        assert rating == RatingView("duel", rating.points, rating.spread, SETTLED)
        await ann.say(say.GetLeaders(system="chess"))
        assert await ann.problem() == "table/unknown-system"
