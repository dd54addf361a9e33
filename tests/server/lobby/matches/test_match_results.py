"""Finished matches are in the book of results, and count for ratings where they should."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from protocol.ids import TableId
from protocol.scene.nodes import Result, SeatResult, SideResult
from protocol.text import Text
from protocol.wire import from_client as say
from server.lobby.matches.match_results import DiceRounds, MatchOutcome, match_result
from server.lobby.table.table_record import SeatRecord, TableRecord, finished
from server.results.match_result import MatchResult
from server.results.rating import Rating
from server.results.result_book import RATINGS, RESULTS
from server.store.port import Store, StoredRecord, StoreUnavailable
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, Running, rest_to_the_end, running, two_players
from tests.support.doubles.memory_store import MemoryStore
from tests.support.doubles.stored import records_of
from tests.support.results.made import ratings_in, results_in

pytestmark = pytest.mark.waits


class RefusingStore(MemoryStore):
    """Store in memory that refuses the first result."""

    refused = 0

    async def put_records(self, records: Iterable[StoredRecord]) -> list[int]:
        batch = list(records)
        if not self.refused and any(record.kind == RESULTS for record in batch):
            self.refused += 1
            raise StoreUnavailable("The disk is full.")
        return await super().put_records(batch)


async def result_in(store: Store) -> MatchResult:
    """Return the only result that is kept."""
    [result] = await results_in(store)
    return result


async def rating_of_each(store: Store) -> dict[str, Rating]:
    """Return all ratings, by person."""
    return {rating.who: rating for rating in await ratings_in(store)}


async def until_refused(run: Running, store: RefusingStore) -> tuple[Client, Client]:
    """Return Ann and Ben, whose match is over, and its result is not stored yet."""
    ann, ben = await two_players(run, adds=True)
    for turn in range(6):
        player = (ann, ben)[turn % 2]
        await player.my_turn()
        assert await player.intend("rest") == ""
    await until(lambda: store.refused == 1)
    return ann, ben


async def test_a_match_of_two_is_rated_once_though_its_end_is_carried_out_twice(tmp_path: Path) -> None:
    store = RefusingStore()
    async with running(tmp_path, store=store) as run:
        ann, ben = await until_refused(run, store)
        assert await records_of(store, RATINGS) == {}
        await run.logged("store")
        run.clock.advance(60)
        for player in (ann, ben):
            await player.until(lambda player=player: player.state == "finished")  # type: ignore[misc]  # as in wire.py
        result = await result_in(store)
        assert (result.unrated, result.number, result.bare) == ("", 1, 0)
        assert result.rounds > 0
        ratings = await rating_of_each(store)
        assert {who: rating.matches for who, rating in ratings.items()} == {ann.talk.you: 1, ben.talk.you: 1}
        assert [ratings[seat.who].skill for seat in result.players] == [seat.after for seat in result.players]


async def test_whoever_leaves_while_the_end_is_written_has_not_given_up(tmp_path: Path) -> None:
    store = RefusingStore()
    async with running(tmp_path, store=store) as run:
        _, ben = await until_refused(run, store)
        who, table = ben.talk.you, ben.talk.table
        assert table is not None
        await ben.say(say.Concede())
        assert await ben.problem() == "vote/no-match"
        await ben.say(say.LeaveTable())
        assert await ben.left() == "left"
        assert run.server.lobby.table(table.id).record.seat_of(who) == 1


async def test_a_restart_counts_nothing_again(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run, adds=True)
        await rest_to_the_end(ann, ben)
        before = await rating_of_each(run.server.store)
    async with running(tmp_path) as run:
        assert ann.talk.table is not None
        eve = await run.client("Eve")
        await eve.say(say.WatchTable(table=ann.talk.table.id))
        await eve.until(lambda: eve.state == "finished")
        assert await rating_of_each(run.server.store) == before
        assert len(before) == 2


async def test_dice_without_a_part_of_anybody_are_not_rated(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        await rest_to_the_end(*await two_players(run))
        result = await result_in(run.server.store)
        assert (result.unrated, result.bare) == ("unproven", result.rounds)
        assert await rating_of_each(run.server.store) == {}


SCORES = Result(Text("done"), (SeatResult(0, won=False, score=2), SeatResult(1, won=True, score=5)))


def seated(*people: str) -> tuple[SeatRecord, ...]:
    return tuple(SeatRecord(who, who.title(), bot="" if who else "hard") for who in people)


def outcome(*people: str, line_up: tuple[str, ...] = ("ann", "ben"), result: Result | None = SCORES) -> MatchOutcome:
    """Return the end of a match at whose seats these people are then, "" for a bot."""
    table = TableRecord(TableId("t"), "CODE", "Duel", "duel", "two", "ann", seated(*people), 1, 2, line_up=line_up)
    return MatchOutcome(table, (), result, DiceRounds(4, 0))


def result_of(end: MatchOutcome, **changes: Any) -> MatchResult:
    return match_result(end, finished(replace(end.table, **changes), Text("done"), "t.replay"))


def test_scores_and_wins_are_those_of_seats_or_of_their_sides() -> None:
    alone = result_of(outcome("ann", "ben"))
    assert [(p.who, p.won, p.score, p.side) for p in alone.players] == [("ann", False, 2, -1), ("ben", True, 5, -1)]
    assert (alone.unrated, alone.rounds, alone.table) == ("", 4, "Duel")
    sides = replace(SCORES, sides=(SideResult(0, won=True, score=9), SideResult(1, won=False, score=7)))
    allied = result_of(outcome("ann", "ben", result=sides)._replace(sides=(1, 0)))
    assert [(p.won, p.score, p.side) for p in allied.players] == [(False, 7, 1), (True, 9, 0)]


def test_whoever_gave_a_seat_up_or_lost_it_to_another_has_gone() -> None:
    for others in ("", "eve"):
        result = result_of(outcome("ann", others))
        assert [(player.who, player.gone) for player in result.players] == [("ann", False), ("ben", True)]
        assert result.unrated == ""
    stands_in = outcome("ann", "ben")
    away = stands_in.table.with_seat(1, replace(stands_in.table.seats[1], bot="hard"))
    assert not any(player.gone for player in result_of(stands_in._replace(table=away)).players)


def test_a_match_counts_only_where_people_played_it_out_with_dice_of_their_own() -> None:
    assert result_of(outcome("ann", "ben", line_up=("ann", ""))).unrated == "bots"
    assert result_of(outcome("ann", "", line_up=())).unrated == "bots"
    assert result_of(outcome("ann", "ben", line_up=())).unrated == ""
    assert result_of(outcome("ann", "ben", result=None)).unrated == "ended"
    assert result_of(outcome("ann", "ben", result=None), parked=7).unrated == "parked"
    assert result_of(outcome("ann", "ben"), given_up=True).unrated == "unproven"
    assert result_of(outcome("ann", "ben"), rated=False).unrated == "chosen"
    assert result_of(outcome("ann", "ben")._replace(dice=DiceRounds(4, 1))).unrated == "unproven"
    assert result_of(outcome("ann", "ben")._replace(sides=(0, 0))).unrated == "alone"
