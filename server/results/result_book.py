"""The book of results: finished matches by id and by person, ratings by person and system, and who leads.

Its records, all put in one batch with what ends the match: a result by match id; its number, by person, the newest
first; the rating and the career of each person; their place among those who lead. Of two servers that write at once one
begins anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Final, Generic, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from protocol.ids import MatchId
from server.results.career import Career, careers_of, counted
from server.results.match_result import DAY, MOST_A_DAY, OFTEN, MatchResult, without_name, without_names
from server.results.rating import Rating, count
from server.store.numbered_records import Put
from server.store.paging import each_beginning, falling
from server.store.port import RecordConflict, Store, StoredRecord, StoreError
from server.store.record_form import NOTHING_UNKNOWN, encode_record, read_record, unknown_fields

RESULTS: Final = "result"
"""Kind of the results, by match id."""
PLAYED: Final = "played"
"""Kind of the match ids of a person's results, by "PERSON NUMBER", so that the newest is the first."""
RATINGS: Final = "rating"
"""Kind of the ratings, by "PERSON SYSTEM"."""
CAREERS: Final = "career"
"""Kind of the careers, by person."""
LEADERS: Final = "leader"
"""Kind of the places of those who lead, by "SYSTEM POINTS PERSON", so that the best is the first."""
LAST: Final = "last-result"
"""Kind and key of the number of the last result."""
LEADER_ROWS: Final = 50
_TRIES: Final = 10

T = TypeVar("T", bound=msgspec.Struct)


class _Stored(NamedTuple, Generic[T]):
    """A rating or career with the version and the unknown fields of its record."""

    record: T
    version: int = 0
    unknown: Mapping[str, Any] = NOTHING_UNKNOWN


class ResultBook:
    """The results of one store, and the ratings that follow from them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._writing = asyncio.Lock()

    # Writing

    async def keep(self, result: MatchResult, put: Put) -> None:
        """Have `put` end a match, now, and store its result, which changes ratings where it counts; of one whose result
        is kept only the end. Raises StoreError, and what `put` raises: then nothing is stored."""
        async with self._writing:
            for left in reversed(range(_TRIES)):
                try:
                    await self._keep(result, put)
                    return
                except RecordConflict as conflict:
                    # of another server that keeps a result at this moment
                    if not left or conflict.kind not in (RESULTS, RATINGS, CAREERS, LAST):
                        raise

    async def _keep(self, result: MatchResult, put: Put) -> None:
        if await self._store.find_record(RESULTS, result.match) is not None:
            await put(())
            return
        last = await self._store.find_record(LAST, LAST)
        number = 1 + (int(last.data) if last is not None else 0)
        result = replace(result, number=number, unrated=result.unrated or await self._often(result))
        kept = {} if result.unrated else {who: await self._rating(who, result.system) for who in sorted(result.people)}
        before, after = {who: found.record for who, found in kept.items()}, dict[str, Rating]()
        if kept:
            result, after = count(result, before)
        records = [StoredRecord(LAST, LAST, b"%d" % number, last.version if last is not None else 0)]
        records.append(StoredRecord(RESULTS, result.match, msgspec.msgpack.encode(result), 0))
        records += [StoredRecord(PLAYED, f"{who} {falling(number)}", result.match.encode()) for who in result.people]
        for who in sorted(result.people):
            career = await self._career(who)
            data = encode_record(counted(career.record, result), career.unknown)
            records.append(StoredRecord(CAREERS, who, data, career.version))
        for who, rating in after.items():
            data = encode_record(rating, kept[who].unknown)
            records.append(StoredRecord(RATINGS, f"{who} {rating.system}", data, kept[who].version))
            if rating.leads_until > result.ended:
                seconds = rating.leads_until - result.ended
                records.append(StoredRecord(LEADERS, _place(rating), who.encode(), seconds=seconds))
        await put(records)
        for who, rating in after.items():
            if _place(before[who]) != _place(rating):
                # what is left here is found out when it is read
                with suppress(StoreError):
                    await self._store.delete_record(LEADERS, _place(before[who]))

    async def _often(self, result: MatchResult) -> str:
        """Return OFTEN where these people have had their rated matches of a day, else an empty string."""
        rated = 0
        async for other in self.each_of(min(result.people, default="")):
            if other.ended <= result.ended - DAY:
                break
            rated += not other.unrated and other.people == result.people
        return OFTEN if rated >= MOST_A_DAY else ""

    async def forget(self, who: str) -> None:
        """Delete the ratings and the career of a person, and their name from their results, which stay. Raises
        StoreError; a part may be gone then, and the rest goes next time."""
        for rating in await self.ratings_of(who):
            await self._store.delete_record(LEADERS, _place(rating))
            await self._store.delete_record(RATINGS, f"{who} {rating.system}")
        await self._store.delete_record(CAREERS, who)
        async for place in each_beginning(self._store, PLAYED, f"{who} "):
            await self._amend(MatchId(place.data.decode()), partial(without_name, who=who))
            await self._store.delete_record(PLAYED, place.key)

    async def strike(self, match: MatchId, seats: Collection[int], is_theirs: Callable[[str], bool]) -> None:
        """Delete the names of these seats from the result of a match, and that of its table where that holds their
        name, too: of people who came into a match that others had begun, nothing else leads there. Raises
        StoreError."""
        await self._amend(
            match, lambda result: without_names(result, seats, untitled=bool(result.table) and is_theirs(result.table))
        )

    async def _amend(self, match: MatchId, change: Callable[[MatchResult], MatchResult]) -> None:
        """Change the result of a match, if it has one."""
        found = await self._store.find_record(RESULTS, match)
        if found is None:
            return
        before = read_record(RESULTS, match, found.data, MatchResult)
        after = change(before)
        if after != before:
            data = encode_record(after, unknown_fields(found.data, MatchResult))
            await self._store.put_records([StoredRecord(RESULTS, match, data, found.version)])

    # Reading

    async def each_of(self, who: str, before: int | None = None) -> AsyncIterator[MatchResult]:
        """Yield the results of a person, the newest first; those with a number below `before`. Raises StoreError."""
        after = None if before is None else f"{who} {falling(before)}"
        async for place in each_beginning(self._store, PLAYED, f"{who} ", after, LEADER_ROWS):
            found = await self._store.get_record(RESULTS, place.data.decode())
            if found is not None:
                yield read_record(RESULTS, place.data.decode(), found, MatchResult)

    async def page_of(self, who: str, before: int | None, most: int) -> list[MatchResult]:
        """Return the newest results of a person with numbers below `before`, at most so many. Raises StoreError."""
        found: list[MatchResult] = []
        async for result in self.each_of(who, before):
            found.append(result)
            if len(found) == most:
                break
        return found

    async def ratings_of(self, who: str) -> list[Rating]:
        """Return the ratings of a person, by system. Raises StoreError."""
        found = each_beginning(self._store, RATINGS, f"{who} ", limit=LEADER_ROWS)
        return [read_record(RATINGS, record.key, record.data, Rating) async for record in found]

    async def career_of(self, who: str) -> Career:
        """Return the matches of a person, counted. Raises StoreError."""
        return (await self._career(who)).record

    async def leaders(self, system: str, now: int) -> list[Rating]:
        """Return the best at a system, of those who have played enough of late; LEADER_ROWS at most. Raises
        StoreError."""
        leaders: list[Rating] = []
        async for place in each_beginning(self._store, LEADERS, f"{system} ", limit=LEADER_ROWS):
            rating = (await self._rating(place.data.decode(), system)).record
            if _place(rating) != place.key:
                await self._store.delete_record(LEADERS, place.key)
            elif rating.leads_until > now:
                leaders.append(rating)
                if len(leaders) == LEADER_ROWS:
                    break
        return leaders

    async def _rating(self, who: str, system: str) -> _Stored[Rating]:
        return await self._stored(RATINGS, f"{who} {system}", Rating(who, system))

    async def _career(self, who: str) -> _Stored[Career]:
        found = await self._stored(CAREERS, who, Career(who))
        if found.version:
            return found
        # of matches that ended before they were counted
        results = [result async for result in self.each_of(who)]
        return _Stored(careers_of(results).get(who, found.record))

    async def _stored(self, kind: str, key: str, fresh: T) -> _Stored[T]:
        """Return a record, or where there is none a fresh one."""
        found = await self._store.find_record(kind, key)
        if found is None:
            return _Stored(fresh)
        record = read_record(kind, key, found.data, type(fresh))
        return _Stored(record, found.version, unknown_fields(found.data, type(fresh)))


def _place(rating: Rating) -> str:
    """Return the key of a rating among those who lead."""
    return f"{rating.system} {falling(rating.skill.points)} {rating.who}"
