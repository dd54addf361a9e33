"""Careers: matches against people counted by system, and the newest 50 if they were played to the end."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from server.results.career import STAYING_MATCHES, Career, MatchCount, careers_of, counted
from server.results.match_result import MatchResult
from server.results.result_book import CAREERS, RESULTS, ResultBook
from server.store.port import Store, StoreDamaged
from tests.support.results.made import keep, result


def left(number: int, *people: str) -> MatchResult:
    """Return a result of which the last of the people has gone."""
    ended = result(number, *people)
    *others, last = ended.players
    return replace(ended, players=(*others, replace(last, gone=True)))


def test_matches_are_counted_by_system_and_wins_only_for_those_who_stayed() -> None:
    career = counted(counted(Career("ann"), result(1, "ann", "ben")), result(2, "ben", "ann", system="chess"))
    assert career.played == {"duel": MatchCount(1, 1), "chess": MatchCount(1, 0)}
    winner, other = result(3, "ann", "ben").players
    gone = replace(result(3), players=(replace(winner, gone=True), other))
    assert counted(career, gone).played["duel"] == MatchCount(2, 1)


def test_staying_power_is_that_of_the_newest_matches() -> None:
    career = Career("ben")
    assert career.staying == 100
    for number in range(1, 4):
        career = counted(career, left(number, "ann", "ben"))
    career = counted(career, result(4, "ann", "ben"))
    assert (career.staying, career.stayed) == (25, (False, False, False, True))
    for number in range(5, 5 + STAYING_MATCHES):
        career = counted(career, result(number, "ann", "ben"))
    assert (career.staying, len(career.stayed), career.played["duel"].matches) == (100, STAYING_MATCHES, 54)


def test_a_match_against_bots_counts_nothing() -> None:
    ended = result(1, "ann", "ben")
    alone = replace(ended, players=(ended.players[0], replace(ended.players[1], who="")))
    assert counted(Career("ann"), alone) == Career("ann")


@pytest.mark.waits
async def test_a_career_is_put_with_the_result_and_counted_anew_where_it_is_missing(store: Store) -> None:
    book = ResultBook(store)
    ended = [result(1, "ann", "ben"), left(2, "ben", "ann"), result(3, "ann", "ben", "dan")]
    for one in ended[:2]:
        await keep(book, store, one)
    await store.delete_record(CAREERS, "ann")
    assert (await book.career_of("ann")).stayed == (True, False)
    await keep(book, store, ended[2])
    numbered = [replace(one, number=number) for number, one in enumerate(ended, start=1)]
    assert {who: await book.career_of(who) for who in ("ann", "ben", "dan")} == careers_of(numbered)


@pytest.mark.waits
async def test_a_damaged_career_and_a_damaged_result_are_named(store: Store) -> None:
    book = ResultBook(store)
    await keep(book, store, result(1, "ann", "ben"))
    await store.put_record(CAREERS, "ann", b"\xc1")
    with pytest.raises(StoreDamaged, match="career ann"):
        await book.career_of("ann")
    await store.put_record(RESULTS, "m1", b"\xc1")
    with pytest.raises(StoreDamaged, match="result m1"):
        await book.page_of("ben", None, 1)
