"""`fsck` works ratings and careers out anew from the results, and names those that do not come out."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec.structs import replace

from server.accounts.identities import ACCOUNTS, Account
from server.cli.data.fsck import Finding, Host, examine
from server.results.result_book import CAREERS, RATINGS, RESULTS, ResultBook
from tests.support.doubles.memory_store import MemoryStore
from tests.support.results.made import keep, result


async def ratings_found(store: MemoryStore, replays: Path) -> list[Finding]:
    found = [finding async for finding in examine(store, Host({}, None, None, replays))]
    return [finding for finding in found if finding.place in (CAREERS, RATINGS, RESULTS)]


async def test_a_rating_that_does_not_follow_from_the_results_is_named(tmp_path: Path) -> None:
    store = MemoryStore()
    book = ResultBook(store)
    for number in range(1, 4):
        await keep(book, store, result(number, "ann", "ben"))
    assert await ratings_found(store, tmp_path) == []
    [rating] = await book.ratings_of("ann")
    await store.put_record(RATINGS, "ann duel", msgspec.msgpack.encode(replace(rating, matches=4)))
    [finding] = await ratings_found(store, tmp_path)
    assert finding == Finding(RATINGS, "the rating of ann at duel does not follow from the results")
    await store.put_record(RATINGS, "ann duel", msgspec.msgpack.encode(rating))
    career = await book.career_of("ann")
    await store.put_record(CAREERS, "ann", msgspec.msgpack.encode(replace(career, stayed=())))
    [finding] = await ratings_found(store, tmp_path)
    assert finding == Finding(CAREERS, "the career of ann does not follow from the results")
    await store.put_record(CAREERS, "ann", msgspec.msgpack.encode(career))
    # one whose account is deleted has no rating any more
    await store.delete_record(RATINGS, "ann duel")
    assert await ratings_found(store, tmp_path) == []
    await store.put_record(ACCOUNTS, "ann", msgspec.msgpack.encode(Account("ann", "Ann")))
    assert [finding.place for finding in await ratings_found(store, tmp_path)] == [RATINGS]
    await store.put_record(RESULTS, "m1", b"\xc1")
    [finding] = await ratings_found(store, tmp_path)
    assert (finding.place, finding.harmless) == (RESULTS, False)
