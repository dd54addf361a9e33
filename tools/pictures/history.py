"""Results of a month that four people are said to have played, put into the store of a server that is not running."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from protocol.ids import MatchId
from protocol.text import Text
from server.results.match_result import MatchResult, PlayerResult
from server.results.result_book import ResultBook
from server.store.choice import open_store
from server.store.port import Store, StoredRecord

MATCHES: Final = 26
HOURS_APART: Final = 27
SEED: Final = 7


class Played(NamedTuple):
    """Scenario in which a match was played, with the name of its table."""

    system: str
    scenario: str
    table: str


PLAYED: Final = (
    Played("action_cards", "harrow_cross", "Friday evening"),
    Played("action_cards", "dyke_end", "Dyke, once more"),
    Played("one_page", "open_field_3000", "Open field"),
    Played("action_cards", "salt_road", "Salt and smoke"),
    Played("apocalypse_earth", "the_hummvees", "Hummvees by mail"),
)


async def remember(data: Path, people: Sequence[str]) -> None:
    """Put the month's results of these people, by their ids, into the store in `data`."""
    store, chance, now = await open_store("", data), random.Random(SEED), int(time.time())
    book = ResultBook(store)
    try:
        for number in range(MATCHES):
            played = PLAYED[number % len(PLAYED)] if number % 2 else PLAYED[0]
            count = 2 if played.system != "action_cards" else chance.randint(3, len(people))
            ranking = sorted(chance.sample(range(len(people)), count), key=lambda who: who + chance.random() * 3)
            ended = now - (MATCHES - number) * HOURS_APART * 3600
            result = _result(number, played, [people[who] for who in ranking], ended)
            await book.keep(result, partial(_end, store))
    finally:
        await store.close()


def _result(number: int, played: Played, ranking: Sequence[str], ended: int) -> MatchResult:
    """Return the result of a match that the first of these people has won; of the one in the middle of the month the
    third has gone."""
    players = tuple(
        PlayerResult(who, "", won=place == 0, score=3 - place, gone=number == MATCHES // 2 and place == 2)
        for place, who in enumerate(ranking)
    )
    match, rounds = MatchId(f"month{number}"), 5 + number % 4
    return MatchResult(match, played.system, played.scenario, played.table, ended, Text(""), players, rounds=rounds)


async def _end(store: Store, also: Sequence[StoredRecord]) -> None:
    await store.put_records(list(also))
