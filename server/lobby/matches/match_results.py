"""The results of matches, made of their tables as they end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from engine.core.match.causes import RoundOpened
from engine.core.rules.sides import Sides
from protocol.scene.nodes import Result
from protocol.text import Text
from server.accounts.display_names import BOT_NAME
from server.lobby.table import table_record
from server.lobby.table.table_record import TableRecord
from server.match.stored_causes import causes_in
from server.results.match_result import (
    ALONE,
    BOTS,
    CHOSEN,
    ENDED,
    PARKED,
    UNPROVEN,
    MatchResult,
    PlayerResult,
    teams_of,
)


class DiceRounds(NamedTuple):
    """Rounds of the dice of a match: how many, and how many of them rest on the host alone."""

    rounds: int = 0
    bare: int = 0


class MatchOutcome(NamedTuple):
    """The end of a match. `table`, `sides`: as they stood then, since seats may change hands while the replay is
    written; without a `result` it did not end by its rules."""

    table: TableRecord
    sides: Sides
    result: Result | None = None
    dice: DiceRounds = DiceRounds()


def dice_rounds(steps: Iterable[bytes]) -> DiceRounds:
    """Count the rounds of dice in the steps of a log, as stored."""
    opened = list(causes_in(steps, RoundOpened))
    return DiceRounds(len(opened), sum(not any(cause.get("links", ())) for cause in opened))


def match_result(outcome: MatchOutcome, finished: TableRecord) -> MatchResult:
    """Return the result of a match whose table is `finished`."""
    players = tuple(_players(outcome))
    return MatchResult(
        match=finished.match,
        system=finished.system,
        scenario=finished.scenario,
        table=finished.name,
        ended=finished.changed,
        why=finished.result or Text(table_record.ENDED),
        players=players,
        private=finished.is_guarded,
        rounds=outcome.dice.rounds,
        bare=outcome.dice.bare,
        unrated=_why_unrated(outcome, finished, players),
        ranked=finished.ranked,
    )


def _players(outcome: MatchOutcome) -> Iterator[PlayerResult]:
    """Yield the outcome of each seat."""
    table, result = outcome.table, outcome.result
    # a match that was begun before its line-up was kept is taken as one of those who hold its seats
    line_up = table.line_up or tuple(seat.who for seat in table.seats)
    seats = {one.seat: one for one in result.seats} if result is not None else {}
    sides = {one.side: one for one in result.sides} if result is not None else {}
    for number, seat in enumerate(table.seats):
        who, side = line_up[number], outcome.sides[number] if outcome.sides else -1
        found = sides.get(side) or seats.get(number)
        won, score = (found.won, found.score) if found is not None else (False, 0)
        # people are looked up by their id, and whoever came for a bot is none of those who played
        name = "" if who else BOT_NAME if seat.who or seat.former else seat.name
        yield PlayerResult(who, name, side, won, score, gone=bool(who) and seat.who != who)


def _why_unrated(outcome: MatchOutcome, finished: TableRecord, players: Sequence[PlayerResult]) -> str:
    """Return the reason why a match does not count for ratings, whoever played it; empty where it does."""
    if not all(player.who for player in players):
        return BOTS
    if not finished.rated:
        return CHOSEN
    if finished.parked:
        return PARKED
    if outcome.result is None:
        return ENDED
    if finished.mail or finished.given_up or outcome.dice.bare:
        return UNPROVEN
    return ALONE if len(teams_of(players)) < 2 else ""
