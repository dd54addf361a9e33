"""Results of matches that were never played."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

import msgspec
from msgspec.structs import replace

from protocol.ids import MatchId
from protocol.text import Text
from server.results.career import Career, careers_of
from server.results.match_result import MatchResult, PlayerResult
from server.results.rating import Rating, worked_out
from server.results.result_book import CAREERS, RATINGS, RESULTS, ResultBook
from server.store.port import Store, StoredRecord
from tests.support.doubles.stored import records_of

TABLE: Final = "table"
PEOPLE: Final = ("ann", "ben", "dan", "eve")
HOUR: Final = 3600


def result(number: int, *people: str, ended: int = 0, system: str = "duel", private: bool = False) -> MatchResult:
    """Return the result of match `number`, an hour after the one before unless told; the first of the people has
    won."""
    players = [PlayerResult(who, who.title(), won=place == 0, score=-place) for place, who in enumerate(people)]
    match, at = MatchId(f"m{number}"), ended or number * HOUR
    return MatchResult(match, system, "two", "Duel", at, Text("duel.why"), tuple(players), private, rounds=3)


def drawn(seed: int, first: int = 1) -> Iterator[MatchResult]:
    """Yield results for ever, of two to four people, six hours apart."""
    chance = random.Random(seed)
    number = first
    while True:
        people = chance.sample(PEOPLE, chance.randint(2, 4))
        yield result(number, *people, ended=number * 6 * HOUR, system=chance.choice(("duel", "chess")))
        number += 1


async def end(store: Store, match: MatchId, also: Sequence[StoredRecord]) -> None:
    """Put the record that ends a match, together with those of its result."""
    await store.put_records([StoredRecord(TABLE, match, b"finished"), *also])


async def keep(book: ResultBook, store: Store, kept: MatchResult) -> None:
    """Keep a result with the record that ends its match."""
    await book.keep(kept, partial(end, store, kept.match))


async def leave_two_of_five(store: Store, who: str) -> None:
    """Let a person have begun five matches, of which they left two before the end."""
    book = ResultBook(store)
    for number in range(1, 6):
        ended = result(number, "x", who)
        gone = replace(ended.players[1], gone=number % 2 == 0)
        await keep(book, store, replace(ended, players=(ended.players[0], gone)))


async def results_in(store: Store) -> list[MatchResult]:
    """Return all results of a store."""
    return [msgspec.msgpack.decode(data, type=MatchResult) for data in (await records_of(store, RESULTS)).values()]


async def ratings_in(store: Store) -> list[Rating]:
    """Return all ratings of a store."""
    return [msgspec.msgpack.decode(data, type=Rating) for data in (await records_of(store, RATINGS)).values()]


async def check(store: Store) -> list[MatchResult]:
    """Check that all ratings and careers of a store follow from its results; return those in the order in which they
    are numbered."""
    results = sorted(await results_in(store), key=lambda one: one.number)
    assert {(rating.who, rating.system): rating for rating in await ratings_in(store)} == worked_out(results)
    kept = [msgspec.msgpack.decode(data, type=Career) for data in (await records_of(store, CAREERS)).values()]
    assert {career.who: career for career in kept} == careers_of(results)
    assert [one.number for one in results] == list(range(1, len(results) + 1))
    assert set(await records_of(store, TABLE)) == {one.match for one in results}
    return results
