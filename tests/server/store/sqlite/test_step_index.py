"""The index of steps, which is in memory alone: after a start, a failure, a deletion, and damage."""

import asyncio
import hashlib
import sqlite3
import tracemalloc
from contextlib import closing
from itertools import takewhile
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from protocol.ids import MatchId
from server.store.port import (
    CAUSE_BYTES,
    Appended,
    AppendResult,
    Conflict,
    Duplicate,
    Fence,
    Sealed,
    StoreDamaged,
    StoreUnavailable,
)
from server.store.sqlite.reader import SqliteReader
from server.store.sqlite.step_index import IndexDraft, MatchSteps, StepIndex
from server.store.sqlite.store import SqliteStore
from tests.support.doubles.disk import no_file_grows_beyond
from tests.support.doubles.store_contract import cause, fill, steps

MATCH = MatchId("m")
MATCH_THROUGH = MatchId("through")
MATCH_O = MatchId("o")
MATCH_N = MatchId("n")
MATCH_EARLY = MatchId("early")
MATCH_IN = MatchId("in")
LEAST_LOOKS = 10
"""Of each of those who read a match while it is written."""
MOST_LIVES = 100


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "eschaton.db"


# Transactions that fail, and matches that go


async def test_what_failed_is_known_nowhere(path: Path) -> None:
    store = SqliteStore(path)
    fences = {match: await fill(store, match, 3) for match in (MATCH, MATCH_N)}
    asked = [(match, number) for number in (4, 5) for match in (MATCH, MATCH_N)]
    with no_file_grows_beyond(path.with_name(path.name + "-wal").stat().st_size + 10_000):
        for _ in range(3):
            refused = await asyncio.gather(
                *(store.append(match, fences[match], cause(n), n - 1, bytes(50_000)) for match, n in asked),
                return_exceptions=True,
            )
            assert [type(problem) for problem in refused] == [StoreUnavailable] * 4
            assert [await store.find(MATCH, cause(n)) for n in (3, 4, 5)] == [3, None, None]
            assert await store.read(MATCH) == steps(1, 2, 3)
            assert await store.version(MATCH_N) == 3
    assert await store.append(MATCH, fences[MATCH], cause(9), 4, b"early") == Conflict(3)
    taken = [await store.append(match, fences[match], cause(n), n - 1, b"step") for match, n in asked]
    assert taken == [Appended(n) for _, n in asked]
    assert await store.append(MATCH, fences[MATCH], cause(4), 5, b"again") == Duplicate(4)
    for _ in range(2):
        assert await store.read(MATCH) == await store.read(MATCH_N) == steps(1, 2, 3, 4, 5)
        await store.close()
        store = SqliteStore(path)
    await store.close()


async def test_a_deletion_that_failed_has_taken_nothing(path: Path) -> None:
    store = SqliteStore(path)
    fence = await store.open_match(MATCH)
    for n in range(1, 41):
        await store.append(MATCH, fence, cause(n), n - 1, bytes(3_000))
    with (
        no_file_grows_beyond(path.with_name(path.name + "-wal").stat().st_size + 5_000),
        pytest.raises(StoreUnavailable),
    ):
        await store.delete_match(MATCH)
    assert (await store.version(MATCH), await store.find(MATCH, cause(40))) == (40, 40)
    assert [step.version for step in await store.read(MATCH)] == [*range(1, 41)]
    assert await store.append(MATCH, fence, cause(7), 0, b"again") == Duplicate(7)
    assert await store.append(MATCH, fence, cause(41), 40, b"step") == Appended(41)
    await store.delete_match(MATCH)
    assert (await store.version(MATCH), await store.find(MATCH, cause(40)), await store.matches()) == (0, None, [])
    await store.close()


async def test_a_deleted_match_begins_anew_in_the_same_commit(path: Path) -> None:
    store = SqliteStore(path)
    fence = await fill(store, MATCH, 3)
    await fill(store, MATCH_N, 2)
    commits = store.commits

    async def append() -> AppendResult:
        return await store.append(MATCH, fence, cause(4), 3, b"step")

    last, deleted, opened, refused = await asyncio.gather(
        append(),  # in the turn in which the others are asked, and not in this one
        store.delete_match(MATCH),
        store.open_match(MATCH),
        store.put_snapshot(MATCH, 1, b"late"),
    )
    assert (last, deleted, refused, store.commits) == (Appended(4), None, False, commits + 1)
    assert [await store.append(MATCH, opened, cause(n), n - 1, b"step") for n in (1, 2)] == [Appended(1), Appended(2)]
    for _ in range(2):
        assert await store.read(MATCH) == await store.read(MATCH_N) == steps(1, 2)
        assert [await store.find(MATCH, cause(n)) for n in (1, 2, 3, 4)] == [1, 2, None, None]
        await store.close()
        store = SqliteStore(path)
    await store.close()


async def test_no_row_is_given_twice(path: Path) -> None:
    """Check that a row of a deleted match is not used again, or a concurrent reader would be shown another match's
    step."""
    store = SqliteStore(path)
    for _ in range(3):
        await fill(store, MATCH, 2)
        await store.delete_match(MATCH)
    await fill(store, MATCH, 2)
    await store.close()
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("SELECT id FROM steps").fetchall() == [(7,), (8,)]


async def test_a_batch_of_more_matches_than_are_remembered(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.store.sqlite.step_writer.MOST_POSITIONS", 1)
    store = SqliteStore(path)
    fences = {match: await store.open_match(match) for match in (MATCH, MATCH_N, MATCH_O)}
    asked = [(match, n) for n in range(1, 5) for match in (MATCH, MATCH_N, MATCH_O)]
    taken = await asyncio.gather(*(store.append(m, fences[m], cause(n), n - 1, b"step") for m, n in asked))
    assert taken == [Appended(n) for _, n in asked]
    assert await store.read(MATCH_O) == steps(1, 2, 3, 4)
    await store.close()


@pytest.mark.slow
@pytest.mark.parametrize(("lives", "steps"), [(3, 12), pytest.param(6, 25, marks=pytest.mark.long("store"))])
async def test_who_reads_while_it_is_written_sees_all_that_was_acknowledged_and_nothing_else(
    path: Path, lives: int, steps: int
) -> None:
    """Read while a match is written, deleted and made anew; the steps of each of its lives are different."""
    store = SqliteStore(path)
    told = 0, 0
    done = False
    looks = [0, 0]

    async def write() -> None:
        nonlocal told, done
        # on a busy machine readers come seldom
        for life in takewhile(lambda life: life < lives or min(looks) <= LEAST_LOOKS, range(MOST_LIVES)):
            fence = await store.open_match(MATCH)
            for n in range(1, steps + 1):
                assert await store.append(MATCH, fence, cause(n), n - 1, bytes([life])) == Appended(n)
                told = life, n
            told = life + 1, 0
            await store.delete_match(MATCH)
        done = True

    async def read(reader: int) -> None:
        while not done:
            before = told
            found = await store.read(MATCH)
            found_lives = {step.step[0] for step in found}
            assert [step.version for step in found] == [*range(1, len(found) + 1)]
            assert len(found_lives) <= 1
            if found_lives == {before[0]} or (not found_lives and told == before):
                assert len(found) >= before[1]
            looks[reader] += 1
            assert await store.find(MATCH, cause(9)) in (9, None)

    writing = asyncio.create_task(write())
    await asyncio.gather(*map(read, range(len(looks))))
    await writing
    assert min(looks) > LEAST_LOOKS
    await store.close()


# Damage


def tear(path: Path, step: bytes) -> None:
    """Spoil the page that holds a step."""
    whole = path.read_bytes()
    page = whole.index(step) // 4096 * 4096
    path.write_bytes(whole[:page] + b"\xff" * 4096 + whole[page + 4096 :])


async def torn(path: Path) -> dict[MatchId, Fence]:
    """Write three matches, of which one page is torn, and return their fences.

    `early` ends before that page, `through` goes on behind it and has nothing in it, `in` goes on behind it and has a
    step in it.
    """
    store = SqliteStore(path)
    fences = {match: await store.open_match(match) for match in (MATCH_EARLY, MATCH_THROUGH, MATCH_IN)}
    order = [*[MATCH_EARLY, MATCH_THROUGH, MATCH_IN] * 10, *[MATCH_IN] * 40, *[MATCH_THROUGH, MATCH_IN] * 10]
    for n, match in enumerate(order):
        version = order[:n].count(match) + 1
        step = f"{match} {version} ".encode() * 60
        assert await store.append(match, fences[match], cause(version), version - 1, step) == Appended(version)
    await store.close()
    tear(path, b"in 30 ")
    return fences


async def test_a_torn_page_harms_the_matches_that_may_have_steps_in_it(path: Path) -> None:
    fences = await torn(path)
    store = SqliteStore(path)
    assert [step.version for step in await store.read(MATCH_THROUGH)] == [*range(1, 21)]
    assert await store.append(MATCH_THROUGH, fences[MATCH_THROUGH], cause(15), 20, b"again") == Duplicate(15)
    assert await store.append(MATCH_THROUGH, fences[MATCH_THROUGH], cause(31), 20, b"step") == Appended(21)
    assert await store.seal(MATCH_IN, fences[MATCH_IN], "q", 1, cause(40), b"answer") == Sealed()
    for match in (MATCH_EARLY, MATCH_IN):
        fence = await store.open_match(match)
        for asked in (
            store.read(match),
            store.version(match),
            store.find(match, cause(1)),
            store.append(match, fence, cause(70), 60, b"step"),
            store.put_snapshot(match, 1, b"state"),
            store.delete_match(match),
        ):
            with pytest.raises(StoreDamaged, match="Restore it from a copy"):
                await asked
    await fill(store, MatchId("new"), 3)
    assert await store.read(MatchId("new")) == steps(1, 2, 3)
    assert await store.version(MATCH_THROUGH) == 21
    assert await store.matches() == ["early", "in", "new", "through"]
    await store.delete_match(MATCH_THROUGH)
    assert await store.append(MATCH_THROUGH, await store.open_match(MATCH_THROUGH), cause(1), 0, b"anew") == Appended(1)
    await store.close()


async def test_a_torn_page_is_told_by_who_only_reads(path: Path) -> None:
    await torn(path)
    reader = SqliteReader(path)
    assert any("malformed" in problem for problem in reader.problems())
    assert len(await reader.read(MATCH_THROUGH)) == 20
    with pytest.raises(StoreDamaged, match="may lie"):
        await reader.read(MATCH_EARLY)
    await reader.close()


async def test_a_step_that_has_become_another_matchs_is_not_taken_for_its_own(path: Path) -> None:
    store = SqliteStore(path)
    for match in (MATCH, MATCH_N):
        await fill(store, match, 3)
    await fill(store, MATCH_O, 2)
    await store.close()
    with closing(sqlite3.connect(path)) as other:
        other.execute("UPDATE steps SET match = 3 WHERE match = 2 AND version = 3")
        other.commit()
    store = SqliteStore(path)
    with pytest.raises(StoreDamaged, match="The step 3 of match o"):
        await store.read(MATCH_O)
    assert await store.read(MATCH) == steps(1, 2, 3)
    await store.close()


async def test_a_step_that_has_gone_from_under_the_store_is_no_duplicate(path: Path) -> None:
    store = SqliteStore(path)
    fence = await fill(store, MATCH, 3)
    with closing(sqlite3.connect(path)) as other:
        other.execute("DELETE FROM steps WHERE version = 2")
        other.commit()
    with pytest.raises(StoreDamaged, match="is gone"):
        await store.append(MATCH, fence, cause(2), 1, b"step")
    assert await store.find(MATCH, cause(2)) is None
    assert await store.append(MATCH, fence, cause(4), 3, b"step") == Appended(4)
    await store.close()


# The index itself


def digest_of(number: int) -> bytes:
    """Return a cause as random as those of acts."""
    return hashlib.sha256(b"%d" % number).digest()[:CAUSE_BYTES]


def test_a_cause_is_found_where_it_is_one_and_not_across_two() -> None:
    first, second = bytes(range(16)), bytes(range(100, 116))
    across = first[5:] + second[:5]
    known = MatchSteps()
    known.add(10, 1, first)
    known.add(20, 2, second)
    assert [known.row_of(made_by) for made_by in (first, second, across)] == [10, 20, None]
    known.add(30, 3, across)
    assert known.row_of(across) == 30


@given(st.lists(st.integers(0, 600), max_size=600), st.integers(1, 40))
def test_a_draft_finds_every_cause_and_no_other(made: list[int], at_once: int) -> None:
    index, rows = StepIndex(), dict[bytes, int]()
    draft = IndexDraft(index)
    for number, one in enumerate(made):
        name = digest_of(one)
        assert draft.row_of(1, name) == rows.get(name)
        if name not in rows:
            rows[name] = draft.new_row()
            draft.add(rows[name], 1, len(rows), name)
        if number % at_once == 0:
            draft.settle()


def test_a_draft_is_known_to_nobody_until_it_is_durable() -> None:
    index = StepIndex()
    draft = IndexDraft(index)
    draft.add(draft.new_row(), 1, 1, cause(1))
    assert (draft.version(1), draft.row_of(1, cause(1)), index.steps(1)) == (1, 1, None)
    draft.clear()
    assert (draft.version(1), draft.row_of(1, cause(1)), draft.new_row()) == (0, None, 2)
    draft.add(2, 1, 1, cause(2))
    draft.settle()
    draft.drop(1)
    assert (draft.version(1), draft.rows(1), index.numbers()) == (0, [], {1})
    draft.add(draft.new_row(), 1, 1, cause(3))
    draft.settle()
    assert (draft.rows(1), draft.row_of(1, cause(2)), draft.row_of(1, cause(3))) == ([3], None, 3)


def test_a_step_takes_little_memory() -> None:
    tracemalloc.start()
    try:
        draft = IndexDraft(StepIndex())
        before, _ = tracemalloc.get_traced_memory()
        for n in range(20_000):
            assert draft.row_of(n % 50, digest_of(n)) is None
            draft.add(draft.new_row(), n % 50, n // 50 + 1, digest_of(n))
            if n % 8 == 0:
                draft.settle()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (after - before) / 20_000 < 60
