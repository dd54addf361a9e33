"""The book of results over each store: kept once, by person, with ratings that follow from them, whenever it dies."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from itertools import islice
from pathlib import Path

import pytest
from msgspec.structs import replace

from server.results.match_result import DAY
from server.results.rating import LEADING_SECONDS, SETTLED
from server.results.result_book import LEADER_ROWS, LEADERS, RATINGS, ResultBook
from server.store.port import Store, StoredRecord, StoreUnavailable
from tests.support.clients.programs import said_until_killed
from tests.support.doubles.memory_store import MemoryStore
from tests.support.doubles.redis_server import RedisServer
from tests.support.doubles.store_child import OPENERS
from tests.support.doubles.stored import records_of
from tests.support.results.made import HOUR, check, drawn, keep, result

pytestmark = pytest.mark.waits

BOOK_CHILD = "tests.support.results.book_child"


@pytest.fixture(params=["memory", "sqlite", "redis"])
async def store(request: pytest.FixtureRequest, tmp_path: Path, redis_server: RedisServer) -> AsyncIterator[Store]:
    """Return a new store of each kind."""
    if request.param == "memory":
        yield MemoryStore()
        return
    store = await OPENERS[request.param](redis_server.place() if request.param == "redis" else str(tmp_path / "db"))
    yield store
    await store.close()


async def numbers(book: ResultBook, who: str, before: int | None = None) -> list[int]:
    return [one.number async for one in book.each_of(who, before)]


async def test_a_result_counts_once_though_its_match_ends_twice(store: Store) -> None:
    book = ResultBook(store)
    await keep(book, store, result(1, "ann", "ben"))
    before = await book.ratings_of("ann")
    await keep(book, store, result(1, "ann", "ben"))
    await asyncio.gather(*[keep(ResultBook(store), store, result(2, "ann", "ben")) for _ in range(3)])
    assert [rating.matches for rating in [*before, *await book.ratings_of("ann")]] == [1, 2]
    assert len(await check(store)) == 2


async def test_results_are_read_by_person_the_newest_first(store: Store) -> None:
    book = ResultBook(store)
    for number, one in enumerate(islice(drawn(1), 12), start=1):
        await keep(book, store, one if number % 5 else replace(one, unrated="bots"))
    kept = await check(store)
    mine = [one.number for one in reversed(kept) if "ann" in one.people]
    assert await numbers(book, "ann") == mine
    assert await numbers(book, "ann", mine[3]) == mine[4:]
    assert await numbers(book, "an") == await numbers(book, "") == []
    assert {rating.system for rating in await book.ratings_of("ann")} == {"duel", "chess"}


async def test_books_that_write_at_once_all_count(store: Store) -> None:
    results = list(islice(drawn(3), 4))
    await asyncio.gather(*[keep(ResultBook(store), store, one) for one in results])
    assert len(await check(store)) == 4


async def test_what_ends_a_match_is_not_stored_without_its_result(store: Store) -> None:
    book = ResultBook(store)

    async def refuse(_: Sequence[StoredRecord]) -> None:
        raise StoreUnavailable("The disk is full.")

    with pytest.raises(StoreUnavailable):
        await book.keep(result(1, "ann", "ben"), refuse)
    assert await check(store) == []
    await keep(book, store, result(1, "ann", "ben"))
    assert len(await check(store)) == 1


async def test_the_same_people_are_rated_five_times_a_day() -> None:
    store = MemoryStore()
    book = ResultBook(store)
    for number in range(1, 8):
        await keep(book, store, result(number, "ann", "ben"))
    await keep(book, store, result(8, "ann", "ben", "eve"))
    await keep(book, store, result(9, "ann", "ben", ended=HOUR + DAY))
    assert [one.unrated for one in await check(store)] == [""] * 5 + ["often", "often", "", ""]


async def test_those_lead_who_have_ten_matches_in_ninety_days() -> None:
    store = MemoryStore()
    book = ResultBook(store)
    for number in range(1, SETTLED + 1):
        assert await book.leaders("duel", number * HOUR) == []
        await keep(book, store, result(number, "ann", f"p{number}", ended=number * HOUR))
    for number in range(1, SETTLED + 1):
        await keep(book, store, result(100 + number, "ben", f"q{number}", "r", ended=(20 + number) * HOUR))
    leaders = await book.leaders("duel", 31 * HOUR)
    assert [rating.who for rating in leaders] == ["ben", "ann", "r"]
    assert [rating.who for rating in await book.leaders("duel", HOUR + LEADING_SECONDS)] == ["ben", "r"]
    assert await book.leaders("chess", 31 * HOUR) == []
    assert [record.split(" ")[-1] for record in await records_of(store, LEADERS)] == ["ben", "ann", "r"]


async def test_a_place_that_a_dying_server_left_is_found_out() -> None:
    store = MemoryStore()
    book = ResultBook(store)
    for number in range(1, SETTLED + 1):
        await keep(book, store, result(number, "ann", f"p{number}"))
    [place] = await records_of(store, LEADERS)
    await store.put_records([StoredRecord(LEADERS, place.replace("ann", "eve"), b"eve")])
    left = await records_of(store, LEADERS)
    await keep(book, store, result(11, "ann", "p11"))
    await store.put_records([StoredRecord(LEADERS, key, data) for key, data in left.items()])
    assert [rating.who for rating in await book.leaders("duel", 11 * HOUR)] == ["ann"]
    assert len(await records_of(store, LEADERS)) == 1


async def test_leaders_fill_one_page() -> None:
    store = MemoryStore()
    book = ResultBook(store)
    people = [f"p{number:02}" for number in range(LEADER_ROWS + 4)]
    for number in range(1, SETTLED + 1):
        await keep(book, store, result(number, *people, ended=number * DAY))
    assert [rating.who for rating in await book.leaders("duel", 10 * DAY)] == people[:LEADER_ROWS]


async def test_fields_of_a_newer_program_are_carried_along() -> None:
    store = MemoryStore()
    book = ResultBook(store)
    newer = b"\x83" + b"\xa3who\xa3ann" + b"\xa6system\xa4duel" + b"\xa4more\x07"
    await store.put_record(RATINGS, "ann duel", newer)
    await keep(book, store, result(1, "ann", "ben"))
    assert b"\xa4more\x07" in (await records_of(store, RATINGS))["ann duel"]


async def test_a_kill_leaves_ratings_that_follow_from_the_results(tmp_path: Path) -> None:
    await kill_and_check("sqlite", str(tmp_path / "db"), kills=2)


@pytest.mark.long("store")
async def test_many_kills_leave_ratings_that_follow_from_the_results(tmp_path: Path, redis_server: RedisServer) -> None:
    await kill_and_check("sqlite", str(tmp_path / "db"), kills=50)
    await kill_and_check("redis", redis_server.place(), kills=20)


async def kill_and_check(adapter: str, place: str, kills: int) -> None:
    """Kill a process that keeps results again and again; what it has said is kept, and all ratings follow from it."""
    chance = random.Random(kills)
    for _ in range(kills):
        *_, last = await said_until_killed(chance.randrange(1, 20), BOOK_CHILD, adapter, place)
        store = await OPENERS[adapter](place)
        kept = await check(store)
        await store.close()
        assert int(last) <= len(kept) <= int(last) + 1
