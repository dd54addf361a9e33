"""The suite that every store adapter passes: inherit StoreContract, or DurableStoreContract if it keeps things."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from protocol.ids import MatchId
from server.store.paging import each_record
from server.store.port import (
    KEPT_CHANGES,
    LATEST,
    LINE_BYTES,
    MOST_DUE,
    MOST_LINES,
    MOST_RECORDS,
    NAME_BYTES,
    NOBODY,
    PAGE_RECORDS,
    RECORD_BYTES,
    AlreadySealed,
    Appended,
    Conflict,
    DueTime,
    Duplicate,
    Fence,
    Fenced,
    KeptRecord,
    Line,
    LogEntry,
    MatchSnapshot,
    RecordChange,
    RecordConflict,
    RecordTooNew,
    Sealed,
    SealedAnswer,
    Store,
    StoredRecord,
    StoreUnavailable,
    Trimmed,
)
from tests.support.clients.programs import said_until_killed
from tests.support.doubles.store_child import MATCHES, OPENERS, step_of
from tests.support.doubles.stored import records_of

PASSING = {"short": 0.2, "long": 3600.0}
"""Keys of records that expire, with their seconds."""
MATCH = MatchId("m")
MATCH_OTHER = MatchId("other")


def cause(number: int) -> bytes:
    return number.to_bytes(16)


def steps(*numbers: int) -> list[LogEntry]:
    """Return the steps that `fill` appends."""
    return [LogEntry(number, cause(number), b"step") for number in numbers]


async def fill(store: Store, match: MatchId, count: int) -> Fence:
    """Open a match and append `count` steps, made by the causes 1 to `count`. Returns the fence."""
    fence = await store.open_match(match)
    for version in range(count):
        assert await store.append(match, fence, cause(version + 1), version, b"step") == Appended(version + 1)
    return fence


class StoreContract:
    """Contract of every store; a subclass has a fixture `store`, a new one for each test."""

    async def test_each_opening_raises_the_fence_of_that_match_alone(self, store: Store) -> None:
        fences = [await store.open_match(MATCH) for _ in range(3)]
        assert [fence.counter for fence in fences] == [1, 2, 3]
        assert len({fence.nonce for fence in fences}) == 3
        assert (await store.open_match(MATCH_OTHER)).counter == 1

    async def test_steps_are_read_as_they_were_appended(self, store: Store) -> None:
        fence = await store.open_match(MATCH)
        steps = [LogEntry(n + 1, cause(n), bytes([n]) * n) for n in range(4)]
        for version, made_by, step in steps:
            assert await store.append(MATCH, fence, made_by, version - 1, step) == Appended(version)
        assert await store.read(MATCH) == steps
        assert await store.read(MATCH, after=2) == steps[2:]
        assert await store.read(MATCH, after=4) == []
        assert await store.read(MATCH, after=1, most=2) == steps[1:3]
        assert await store.read(MATCH, after=3, most=5) == steps[3:]
        assert await store.read(MATCH, most=0) == await store.read(MATCH, after=-3, most=2) == []
        assert await store.version(MATCH) == 4
        assert [await store.find(MATCH, cause(n)) for n in (0, 3, 9)] == [1, 4, None]

    async def test_an_unknown_match_is_empty(self, store: Store) -> None:
        assert await store.read(MATCH) == [] == await store.sealed(MATCH)
        assert (await store.version(MATCH), await store.find(MATCH, cause(1)), await store.snapshot(MATCH)) == (
            0,
            None,
            None,
        )

    async def test_the_same_cause_makes_one_step_whatever_is_expected(self, store: Store) -> None:
        fence = await fill(store, MATCH, 3)
        for expected in (0, 1, 3, 99):
            assert await store.append(MATCH, fence, cause(2), expected, b"other") == Duplicate(2)
        assert [step.step for step in await store.read(MATCH)] == [b"step"] * 3

    async def test_causes_are_counted_match_by_match(self, store: Store) -> None:
        await fill(store, MATCH, 1)
        await fill(store, MATCH_OTHER, 1)
        assert len(await store.read(MATCH)) == len(await store.read(MATCH_OTHER)) == 1

    async def test_an_unexpected_version_is_a_conflict(self, store: Store) -> None:
        fence = await fill(store, MATCH, 2)
        for expected in (-1, 0, 1, 3):
            assert await store.append(MATCH, fence, cause(9), expected, b"late") == Conflict(2)
        assert await store.version(MATCH) == 2

    async def test_a_former_owner_learns_nothing_but_the_fence(self, store: Store) -> None:
        old = await fill(store, MATCH, 2)
        new = await store.open_match(MATCH)
        fenced = Fenced(new.counter)
        for fence in (old, Fence(new.counter, old.nonce), Fence(new.counter + 1, new.nonce), NOBODY):
            assert await store.append(MATCH, fence, cause(1), 2, b"dup") == fenced
            assert await store.append(MATCH, fence, cause(9), 0, b"conflict") == fenced
            assert await store.append(MATCH, fence, cause(9), 2, b"fit", closes="q") == fenced
            assert await store.seal(MATCH, fence, "q", 0, cause(9), b"answer") == fenced
        assert await store.sealed(MATCH) == []
        assert await store.append(MATCH, new, cause(9), 2, b"fit") == Appended(3)

    async def test_a_match_that_nobody_opened_takes_nothing(self, store: Store) -> None:
        for fence in (NOBODY, Fence(1, bytes(8))):
            assert await store.append(MATCH, fence, cause(1), 0, b"step") == Fenced(0)
            assert await store.seal(MATCH, fence, "q", 0, cause(1), b"answer") == Fenced(0)
        assert not await store.put_snapshot(MATCH, 0, b"state")
        assert (await store.open_match(MATCH)).counter == 1

    async def test_a_cause_has_sixteen_bytes(self, store: Store) -> None:
        fence = await store.open_match(MATCH)
        for wrong in (b"", b"x" * 15, b"x" * 17):
            with pytest.raises(ValueError, match="16 bytes"):
                await store.append(MATCH, fence, wrong, 0, b"step")
            with pytest.raises(ValueError, match="16 bytes"):
                await store.seal(MATCH, fence, "q", 0, wrong, b"answer")

    async def test_a_sealed_answer_stays_until_its_question_closes(self, store: Store) -> None:
        fence = await fill(store, MATCH, 1)
        assert await store.seal(MATCH, fence, "q2", 1, cause(10), b"other question") == Sealed()
        assert await store.seal(MATCH, fence, "q1", 3, cause(11), b"third seat") == Sealed()
        for _ in range(2):
            assert await store.seal(MATCH, fence, "q1", 0, cause(12), b"first thought") == Sealed()
            assert await store.seal(MATCH, fence, "q1", 0, cause(13), b"second thought") == AlreadySealed()
            assert await store.seal(MATCH, fence, "q1", 0, cause(13), b"first thought") == AlreadySealed()
            assert await store.seal(MATCH, fence, "q1", 0, cause(12), b"second thought") == AlreadySealed()
        assert await store.sealed(MATCH) == [
            SealedAnswer("q1", 0, cause(12), b"first thought"),
            SealedAnswer("q1", 3, cause(11), b"third seat"),
            SealedAnswer("q2", 1, cause(10), b"other question"),
        ]
        assert await store.version(MATCH) == 1
        assert await store.append(MATCH, fence, cause(20), 1, b"closing", closes="q1") == Appended(2)
        assert [answer.question for answer in await store.sealed(MATCH)] == ["q2"]

    async def test_a_step_that_is_not_taken_closes_nothing(self, store: Store) -> None:
        fence = await fill(store, MATCH, 2)
        await store.seal(MATCH, fence, "q", 0, cause(10), b"answer")
        assert await store.append(MATCH, fence, cause(1), 2, b"dup", closes="q") == Duplicate(1)
        assert await store.append(MATCH, fence, cause(9), 1, b"conflict", closes="q") == Conflict(2)
        assert await store.append(MATCH, fence, cause(9), 2, b"another", closes="p") == Appended(3)
        assert await store.append(MATCH, fence, cause(8), 3, b"none") == Appended(4)
        assert len(await store.sealed(MATCH)) == 1

    async def test_closing_a_question_touches_no_other_match(self, store: Store) -> None:
        fences = {match: await store.open_match(match) for match in (MATCH, MATCH_OTHER)}
        for match, fence in fences.items():
            await store.seal(match, fence, "q", 0, cause(10), b"answer")
        assert await store.append(MATCH, fences[MATCH], cause(1), 0, b"closing", closes="q") == Appended(1)
        assert (await store.sealed(MATCH), len(await store.sealed(MATCH_OTHER))) == ([], 1)

    async def test_the_newest_snapshot_is_kept(self, store: Store) -> None:
        await fill(store, MATCH, 3)
        assert await store.put_snapshot(MATCH, 2, b"two")
        assert not await store.put_snapshot(MATCH, 1, b"one")
        assert await store.snapshot(MATCH) == MatchSnapshot(2, b"two")
        assert await store.put_snapshot(MATCH, 3, b"three")
        assert await store.put_snapshot(MATCH, 3, b"three, written anew")
        assert not await store.put_snapshot(MATCH, 4, b"ahead of the stream")
        assert await store.snapshot(MATCH) == MatchSnapshot(3, b"three, written anew")

    async def test_a_deleted_match_is_gone_and_shut_to_its_former_owner(self, store: Store) -> None:
        fence = await fill(store, MATCH, 2)
        await fill(store, MATCH_OTHER, 2)
        await store.seal(MATCH, fence, "q", 0, cause(10), b"answer")
        await store.put_snapshot(MATCH, 2, b"two")
        await store.delete_match(MATCH)
        await store.delete_match(MatchId("never there"))
        assert await store.read(MATCH) == [] == await store.sealed(MATCH)
        assert await store.snapshot(MATCH) is None
        assert isinstance(await store.append(MATCH, fence, cause(3), 0, b"late"), Fenced)
        assert not await store.put_snapshot(MATCH, 2, b"late")
        assert await store.version(MATCH_OTHER) == 2
        fence = await store.open_match(MATCH)
        assert await store.append(MATCH, fence, cause(1), 0, b"anew") == Appended(1)

    async def test_records_are_kept_by_kind_and_key(self, store: Store) -> None:
        await store.put_record("table", "b", b"1")
        await store.put_records(
            [StoredRecord("table", "ä", b"2"), StoredRecord("table", "a", b"3"), StoredRecord("account", "a", b"4")]
        )
        await store.put_record("table", "b", b"5")
        assert list((await records_of(store, "table")).items()) == [("a", b"3"), ("b", b"5"), ("ä", b"2")]
        assert await records_of(store, "chat") == {}
        assert [await store.get_record(kind, "a") for kind in ("table", "account", "chat")] == [b"3", b"4", None]
        await store.delete_record("table", "a")
        await store.delete_record("table", "never there")
        assert await store.get_record("table", "a") is None
        assert await store.get_record("account", "a") == b"4"

    async def test_all_that_is_kept_can_be_listed(self, store: Store) -> None:
        for match in (MatchId("n"), MATCH, MatchId("ä"), MatchId("deleted")):
            await fill(store, match, 1)
        await store.open_match(MatchId("opened only"))
        await store.delete_match(MatchId("deleted"))
        assert await store.matches() == ["m", "n", "ä"]
        for kind in ("table", "account", "ä", "deleted"):
            await store.put_record(kind, "a", b"1")
        await store.delete_record("deleted", "a")
        assert await store.kinds() == ["account", "table", "ä"]

    async def test_records_are_put_together_or_not_at_all(self, store: Store) -> None:
        def broken() -> Iterator[StoredRecord]:
            yield StoredRecord("table", "a", b"1")
            raise LookupError("no second record")

        with pytest.raises(LookupError):
            await store.put_records(broken())
        assert await records_of(store, "table") == {}
        await store.put_records([])
        await store.put_records([StoredRecord("table", "a", b"first"), StoredRecord("table", "a", b"last")])
        assert await records_of(store, "table") == {"a": b"last"}

    async def test_a_record_is_put_only_over_the_version_that_is_expected(self, store: Store) -> None:
        [first] = await store.put_records([StoredRecord("table", "a", b"1", expected=0)])
        [second] = await store.put_records([StoredRecord("table", "a", b"2", expected=first)])
        assert await store.find_record("table", "a") == KeptRecord("a", b"2", second, 1)
        for wrong in (0, first, second + 1):
            batch = [StoredRecord("table", "b", b"3"), StoredRecord("table", "a", b"3", expected=wrong)]
            with pytest.raises(RecordConflict, match=r"The table 'a' has version .*nothing was stored") as refused:
                await store.put_records(batch)
            assert (refused.value.kind, refused.value.key, refused.value.found) == ("table", "a", second)
        assert await store.page("table") == [KeptRecord("a", b"2", second, 1)]
        with pytest.raises(RecordConflict, match="The table 'c' is not there, not 1"):
            await store.put_records([StoredRecord("table", "c", b"", expected=1)])

    async def test_a_record_that_is_made_anew_has_no_version_of_before(self, store: Store) -> None:
        [first] = await store.put_records([StoredRecord("table", "a", b"1")])
        await store.delete_record("table", "a")
        assert await store.find_record("table", "a") is None
        [second] = await store.put_records([StoredRecord("table", "a", b"2", expected=0)])
        assert second > first
        with pytest.raises(RecordConflict):
            await store.put_records([StoredRecord("table", "a", b"3", expected=first)])

    async def test_of_rivals_for_one_version_exactly_one_wins(self, store: Store) -> None:
        puts = [store.put_records([StoredRecord("table", "a", b"%d" % n, expected=0)]) for n in range(20)]
        outcomes = await asyncio.gather(*puts, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes].count(RecordConflict) == 19
        [winner] = [n for n, outcome in enumerate(outcomes) if isinstance(outcome, list)]
        assert await store.get_record("table", "a") == b"%d" % winner

    async def test_a_record_of_a_newer_program_may_only_be_read(self, store: Store) -> None:
        await store.put_records([StoredRecord("table", "a", b"new", schema=2)])
        batch = [StoredRecord("table", "b", b""), StoredRecord("table", "a", b"old", schema=1)]
        with pytest.raises(RecordTooNew, match="The table 'a' was written by a newer Eschaton"):
            await store.put_records(batch)
        with pytest.raises(RecordTooNew, match="layout 2, this one knows 1"):
            await store.delete_record("table", "a")
        [kept] = await store.page("table")
        assert (kept.data, kept.schema) == (b"new", 2)
        await store.put_records([StoredRecord("table", "a", b"newer", schema=3)])
        await store.delete_record("table", "a", schema=3)
        assert await store.page("table") == []

    async def test_pages_hold_every_record_once_in_the_order_of_keys(self, store: Store) -> None:
        keys = [f"{number:03}" for number in range(PAGE_RECORDS + 5)] + ["z", "ä", "\U0001f3b2"]
        for key in random.Random(1).sample(keys, len(keys)):
            await store.put_record("table", key, key.encode())
        await store.put_record("tabletop", "other", b"")
        for limit in (1, 7, PAGE_RECORDS, MOST_RECORDS):
            found, after = list[str](), None
            while records := await store.page("table", after, limit):
                assert len(records) <= limit
                found += [record.key for record in records]
                after = records[-1].key
            assert found == keys
        assert [record.key async for record in each_record(store, "table")] == keys
        assert [record.key for record in await store.page("table", "0035", 2)] == ["004", "005"]

    async def test_an_expired_record_is_never_read(self, store: Store) -> None:
        await store.put_records([StoredRecord("code", "a", b"1", seconds=0.3), StoredRecord("code", "b", b"2")])
        await store.put_records(
            [StoredRecord("code", "c", b"3", seconds=3600), StoredRecord("spent", "a", b"4", seconds=0.3)]
        )
        assert [record.key for record in await store.page("code")] == ["a", "b", "c"]
        await asyncio.sleep(0.4)
        assert [await store.get_record(kind, "a") for kind in ("code", "spent")] == [None, None]
        assert [record.key for record in await store.page("code", None, 2)] == ["b", "c"]
        assert (await store.page("spent"), await store.kinds()) == ([], ["code"])
        await store.put_records([StoredRecord("code", "a", b"5", expected=0)])
        assert [record.data for record in await store.page("code")] == [b"5", b"2", b"3"]

    async def test_the_last_putting_says_whether_a_record_expires(self, store: Store) -> None:
        await store.put_records([StoredRecord("code", key, b"1", seconds=0.3) for key in "ab"])
        await store.put_records([StoredRecord("code", "a", b"2")])
        await store.delete_record("code", "b")
        await asyncio.sleep(0.4)
        for other in range(3):
            await store.put_record("other", str(other), b"")
        assert [record.key for record in await store.page("code")] == ["a"]
        await store.put_records([StoredRecord("code", "a", b"3", seconds=0.001)])
        await asyncio.sleep(0.01)
        assert await store.find_record("code", "a") is None

    async def test_more_records_can_expire_than_are_swept_at_once(self, store: Store) -> None:
        await store.put_records([StoredRecord("code", str(n), b"", seconds=0.001) for n in range(100)])
        await asyncio.sleep(0.01)
        assert await store.page("code", None, 3) == []
        for number in range(10):
            await store.put_record("code", f"other {number}", b"")
        assert len(await store.page("code")) == 10

    async def test_lines_are_kept_up_to_a_bound(self, store: Store) -> None:
        assert await store.newest_lines("chat", 5) == []
        assert [await store.append_line("chat", b"%d" % n, 3) for n in range(1, 6)] == [1, 2, 3, 4, 5]
        assert await store.append_line("other", b"", 3) == 1
        assert await store.newest_lines("chat", 9) == [Line(3, b"3"), Line(4, b"4"), Line(5, b"5")]
        assert await store.newest_lines("chat", 1) == [Line(5, b"5")]
        assert await store.append_line("chat", b"6", 1) == 6
        assert await store.newest_lines("chat", 9) == [Line(6, b"6")]
        await store.delete_lines("chat")
        assert await store.newest_lines("chat", 9) == []
        assert await store.append_line("chat", b"1", 3) == 1

    async def test_lines_that_come_at_once_all_have_a_number(self, store: Store) -> None:
        numbers = await asyncio.gather(*[store.append_line("chat", b"%d" % n, 100) for n in range(50)])
        assert sorted(numbers) == list(range(1, 51))
        assert {line.number: line.line for line in await store.newest_lines("chat", 100)} == {
            number: b"%d" % n for n, number in enumerate(numbers)
        }

    async def test_a_reader_of_changes_misses_none(self, store: Store) -> None:
        begun = await store.changes("table", 0)
        assert isinstance(begun, Trimmed)
        await store.put_records([StoredRecord("table", "a", b""), StoredRecord("account", "a", b"")])
        await store.put_record("table", "b", b"")
        await store.delete_record("table", "a")
        await store.delete_record("table", "never there")
        found = await store.changes("table", begun.last)
        assert isinstance(found, list)
        assert [change.key for change in found] == ["a", "b", "a"]
        assert [change.number for change in found] == [begun.last + n for n in (1, 2, 3)]
        assert await store.changes("table", begun.last + 1, 1) == found[1:2]
        assert await store.changes("table", found[-1].number) == []
        assert await store.changes("table", found[-1].number + 1) == Trimmed(found[-1].number)

    async def test_a_reader_of_changes_that_are_trimmed_begins_anew(self, store: Store) -> None:
        batch = [StoredRecord("table", "a", b"")] * MOST_RECORDS
        for _ in range(KEPT_CHANGES // MOST_RECORDS):
            await store.put_records(batch)
        last = (await store.put_records(batch))[-1]
        assert await store.changes("table", 1) == await store.changes("table", last - KEPT_CHANGES - 1) == Trimmed(last)
        found = await store.changes("table", last - KEPT_CHANGES, MOST_RECORDS)
        assert isinstance(found, list)
        assert [change.number for change in found] == list(range(last - KEPT_CHANGES + 1, last - KEPT_CHANGES + 1001))
        assert await store.changes("table", last) == []

    async def test_due_keys_are_taken_once_the_earliest_first(self, store: Store) -> None:
        await store.put_due("archive", {"b": 20, "a": 20, "c": 10, "d": LATEST, "e": -LATEST})
        await store.put_due("archive", {"c": 30})
        await store.put_due("other", {"z": 1})
        await store.drop_due("archive", "never there")
        assert await store.take_due("archive", -LATEST, 9) == [DueTime("e", -LATEST)]
        assert await store.take_due("archive", 19, 9) == []
        assert await store.take_due("archive", 30, 2) == [DueTime("a", 20), DueTime("b", 20)]
        await store.drop_due("archive", "c")
        assert await store.take_due("archive", LATEST, 9) == [DueTime("d", LATEST)]
        assert await store.take_due("archive", LATEST, 9) == []
        assert await store.take_due("other", 1, 9) == [DueTime("z", 1)]

    async def test_each_due_key_goes_to_one_of_those_who_ask_at_once(self, store: Store) -> None:
        await store.put_due("archive", {str(n): n for n in range(100)})
        taken = await asyncio.gather(*[store.take_due("archive", 1000, 7) for _ in range(20)])
        assert sorted(int(due.key) for found in taken for due in found) == list(range(100))

    async def test_what_is_out_of_bounds_is_refused_in_plain_words(self, store: Store) -> None:
        long = "x" * (NAME_BYTES + 1)
        refused = [
            (store.put_records([StoredRecord("table", "a", b"")] * (MOST_RECORDS + 1)), "a number of records is 0 to"),
            (store.put_records([StoredRecord("table", long, b"")]), "a key has 1 to 512 bytes, this one 513"),
            (store.put_records([StoredRecord("", "a", b"")]), "a kind has 1 to 512 bytes, this one 0"),
            (store.put_records([StoredRecord("table", "\ud800", b"")]), "this cannot be stored"),
            (store.put_records([StoredRecord("table", "a", bytes(RECORD_BYTES + 1))]), "a record has"),
            (store.put_records([StoredRecord("table", "a", b"", expected=-1)]), "an expected version is"),
            (store.put_records([StoredRecord("table", "a", b"", schema=0)]), "a schema is"),
            (store.put_records([StoredRecord("table", "a", b"", seconds=0)]), "expires after 0.001 to"),
            (store.put_records([StoredRecord("table", "a", b"", seconds=float("nan"))]), "expires after 0.001 to"),
            (store.put_records([StoredRecord("table", "a", b"", expected=0)] * 2), "stands twice in a batch"),
            (store.page("table", None, 0), "a limit is 1 to"),
            (store.page("table", None, MOST_RECORDS + 1), "a limit is 1 to"),
            (store.page("table", ""), "a key has"),
            (store.changes("table", -1), "a number of a change is 0 to"),
            (store.append_line("chat", bytes(LINE_BYTES + 1), 1), "a line has"),
            (store.append_line("", b"", 1), "a name has"),
            (store.append_line("chat", b"", 0), "a number of lines is 1 to"),
            (store.newest_lines("chat", MOST_LINES + 1), "a number of lines is 1 to"),
            (store.put_due("archive", {"a": LATEST + 1}), "a due time is"),
            (store.put_due("archive", {str(n): 1 for n in range(MOST_DUE + 1)}), "a number of keys is 0 to"),
            (store.take_due("archive", 1, 0), "a number of keys is 1 to"),
        ]
        for call, why in refused:
            with pytest.raises(ValueError, match=why):
                await call
        assert (await store.kinds(), await store.newest_lines("chat", 1)) == ([], [])
        assert await store.take_due("archive", LATEST, 1) == []

    async def test_of_rivals_for_one_place_exactly_one_wins(self, store: Store) -> None:
        fence = await store.open_match(MATCH)
        rivals = [store.append(MATCH, fence, cause(n), 0, b"mine") for n in range(20)]
        results = await asyncio.gather(*rivals)
        assert sorted(results, key=str) == [Appended(1), *[Conflict(1)] * 19]
        winner = results.index(Appended(1))
        assert await store.find(MATCH, cause(winner)) == 1

    async def test_fifty_matches_at_once_do_not_mix(self, store: Store) -> None:
        async def play(match: MatchId) -> None:
            dice = random.Random(match)
            fence, version = await store.open_match(match), 0
            while version < 20:
                made_by = cause(dice.randrange(1, 40))
                before = await store.find(match, made_by)
                result = await store.append(match, fence, made_by, version, f"{match} {version + 1}".encode())
                assert result == (Appended(version + 1) if before is None else Duplicate(before))
                version += before is None
                assert await store.append(match, fence, cause(99), version + 1, b"early") == Conflict(version)

        names = [MatchId(f"match {number}") for number in range(50)]
        await asyncio.gather(*map(play, names))
        for name in names:
            wanted = [(version, f"{name} {version}".encode()) for version in range(1, 21)]
            assert [(step.version, step.step) for step in await store.read(name)] == wanted

    async def test_after_a_cancelled_append_a_retry_settles_it(self, store: Store) -> None:
        fence = await store.open_match(MATCH)
        for version in range(40):
            attempt = asyncio.ensure_future(store.append(MATCH, fence, cause(version), version, b"step"))
            for _ in range(version % 5):
                await asyncio.sleep(0)
            attempt.cancel()
            await asyncio.gather(attempt, return_exceptions=True)
            assert await store.version(MATCH) in (version, version + 1)
            retried = await store.append(MATCH, fence, cause(version), version, b"step")
            assert retried in (Appended(version + 1), Duplicate(version + 1))
        assert [step.cause for step in await store.read(MATCH)] == [cause(version) for version in range(40)]

    async def test_closing_finishes_what_was_asked_and_then_refuses(self, store: Store) -> None:
        fence = await store.open_match(MATCH)
        asked = [asyncio.ensure_future(store.append(MATCH, fence, cause(n), n, b"step")) for n in range(30)]
        await asyncio.sleep(0)
        await store.close()
        assert await asyncio.gather(*asked) == [Appended(n + 1) for n in range(30)]
        await store.close()
        for refused in (store.version(MATCH), store.open_match(MATCH), store.put_record("table", "a", b"")):
            with pytest.raises(StoreUnavailable, match="closed"):
                await refused


class DurableStoreContract(StoreContract):
    """Contract of adapters that keep acknowledged steps when the process dies."""

    adapter: ClassVar[str]
    """Its key in store_child.OPENERS."""

    @pytest.fixture
    def place(self, tmp_path: Path) -> str:
        """Return the place of a new store, as the opener takes it."""
        raise NotImplementedError

    async def open(self, place: str) -> Store:
        return await OPENERS[self.adapter](place)

    @pytest.fixture
    async def store(self, place: str) -> AsyncIterator[Store]:
        store = await self.open(place)
        yield store
        await store.close()

    async def test_reopening_keeps_everything(self, place: str) -> None:
        store = await self.open(place)
        fence = await fill(store, MATCH, 3)
        await store.seal(MATCH, fence, "q", 2, cause(10), b"answer")
        await store.put_snapshot(MATCH, 2, b"two")
        [version] = await store.put_records([StoredRecord("table", "a", b"1", schema=2)])
        await store.put_records([StoredRecord("code", key, b"1", seconds=seconds) for key, seconds in PASSING.items()])
        await store.append_line("chat", b"hello", 3)
        await store.put_due("archive", {"a": 1})
        await store.delete_match(MatchId("gone"))
        await store.close()
        await asyncio.sleep(PASSING["short"])
        store = await self.open(place)
        assert await store.read(MATCH) == [LogEntry(n, cause(n), b"step") for n in (1, 2, 3)]
        assert await store.sealed(MATCH) == [SealedAnswer("q", 2, cause(10), b"answer")]
        assert await store.snapshot(MATCH) == MatchSnapshot(2, b"two")
        assert await store.page("table") == [KeptRecord("a", b"1", version, 2)]
        assert await store.changes("table", version - 1) == [RecordChange(version, "a")]
        assert list(await records_of(store, "code")) == ["long"]
        assert await store.append_line("chat", b"again", 3) == 2
        assert await store.newest_lines("chat", 9) == [Line(1, b"hello"), Line(2, b"again")]
        assert await store.take_due("archive", 1, 1) == [DueTime("a", 1)]
        assert await store.append(MATCH, fence, cause(3), 2, b"step") == Duplicate(3)
        assert (await store.open_match(MATCH)).counter == fence.counter + 1
        await store.close()

    async def test_a_killed_process_loses_nothing_that_it_acknowledged(self, place: str) -> None:
        await self.kill_and_check(place, kills=5)

    @pytest.mark.long("store")
    async def test_a_process_killed_often_loses_nothing_that_it_acknowledged(self, place: str) -> None:
        await self.kill_and_check(place, kills=100)

    async def test_a_killed_process_leaves_records_lines_and_due_times_as_acknowledged(self, place: str) -> None:
        dice = random.Random(1)
        for _ in range(5):
            acknowledged = [
                int(line) for line in await until_killed("change", self.adapter, place, dice.randrange(1, 50))
            ]
            last = acknowledged[-1]
            store = await self.open(place)
            pair = {int(record.data) for record in await store.page("pair")}
            lines = await store.newest_lines("chat", 5)
            due = await store.take_due("due", LATEST, MOST_DUE)
            await store.close()
            assert pair in ({last}, {last + 1})
            assert b"%d" % last in [line.line for line in lines]
            assert [line.number for line in lines] == list(range(lines[0].number, lines[0].number + len(lines)))
            assert {int(taken.key) for taken in due} - set(acknowledged) <= {last + 1}
            assert set(acknowledged) <= {taken.at for taken in due}

    async def kill_and_check(self, place: str, kills: int) -> None:
        """Kill repeatedly; after each kill all steps acknowledged since the first are there, once, in place, and
        whole."""
        dice, acknowledged = random.Random(kills), dict[tuple[MatchId, int], bytes]()
        for number in range(kills):
            acknowledged |= await append_until_killed(self.adapter, place, after=dice.randrange(1, 150))
            store = await self.open(place)
            found = {(match, step.version): step for match in MATCHES for step in await store.read(match)}
            fences = [await store.open_match(match) for match in MATCHES]
            await store.close()
            assert {key: found[key].cause for key in acknowledged} == acknowledged
            assert all(step.step == step_of(step.cause) for step in found.values())
            # One step a match may have been made and not acknowledged when the process died.
            assert len(found) - len(acknowledged) <= len(MATCHES) * (number + 1)
            assert max(fence.counter for fence in fences) <= 2 * (number + 1)


async def append_until_killed(adapter: str, place: str, after: int) -> dict[tuple[MatchId, int], bytes]:
    """Kill an appending process after it printed `after` acknowledgements; return all that it printed: (match,
    version)."""
    acknowledged = [line.split() for line in await until_killed("append", adapter, place, after)]
    return {(MatchId(match), int(version)): bytes.fromhex(made_by) for match, version, made_by in acknowledged}


async def until_killed(act: str, adapter: str, place: str, after: int) -> list[str]:
    """Kill a process of store_child after it printed `after` lines; return all that it printed."""
    said = await said_until_killed(after, "tests.support.doubles.store_child", act, adapter, place)
    return [line.decode() for line in said]
