"""The SQLite store: the contract, and what is its own: shared commits, bad values, ownership of the file."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from protocol.ids import MatchId
from server.store.port import (
    Appended,
    Duplicate,
    Fence,
    Fenced,
    StoreDamaged,
    StoredRecord,
    StoreInUse,
    StoreUnavailable,
)
from server.store.sqlite.data_file import MIGRATIONS
from server.store.sqlite.store import SqliteStore
from tests.support.doubles.memory_store import MemoryStore
from tests.support.doubles.store_contract import DurableStoreContract, cause, fill
from tests.support.doubles.store_operations import OPERATIONS, Operation, answers
from tests.support.doubles.stored import records_of

MATCH = MatchId("m")
MATCH_N = MatchId("n")

pytestmark = pytest.mark.waits


class TestSqliteStore(DurableStoreContract):
    adapter = "sqlite"

    @pytest.fixture
    def place(self, tmp_path: Path) -> str:
        return str(tmp_path / "data" / "eschaton.db")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "eschaton.db"


@contextmanager
def another_writer(path: Path) -> Iterator[None]:
    """Hold SQLite's write lock, so that the store's next commit cannot begin."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


async def test_matches_share_commits(path: Path) -> None:
    store = SqliteStore(path)
    fences = {match: await store.open_match(match) for match in [MatchId(f"m{number}") for number in range(100)]}
    before = store.commits
    with another_writer(path):
        jobs = [asyncio.ensure_future(store.append(match, fences[match], cause(1), 0, b"step")) for match in fences]
        await asyncio.sleep(0)
        assert store.commits == before
    assert await asyncio.gather(*jobs) == [Appended(1)] * 100
    assert store.commits - before <= 2  # the one that had begun, and the one for all that came meanwhile
    await store.close()


async def test_a_bad_value_harms_no_other_operation_of_its_commit(path: Path) -> None:
    store = SqliteStore(path)
    fence = await store.open_match(MATCH)
    worse: bytes = "not bytes"  # type: ignore[assignment]  # that is the test
    with another_writer(path):
        jobs: list[asyncio.Future[object]] = [
            asyncio.ensure_future(job)
            for job in (
                store.append(MATCH, fence, cause(1), 0, b"step"),
                store.put_records([StoredRecord("table", "a", b"1"), StoredRecord("table", "b", worse)]),
                store.seal(MATCH, fence, "q", 2**70, cause(2), b"answer"),
                store.put_record("table", "\ud800", b"no such character"),
                store.append(MATCH, fence, cause(3), 1, b"step"),
            )
        ]
        await asyncio.sleep(0)
    results = await asyncio.gather(*jobs, return_exceptions=True)
    assert (results[0], results[4]) == (Appended(1), Appended(2))
    assert [type(result) for result in results[1:4]] == [ValueError] * 3
    assert await records_of(store, "table") == {}
    assert len(await store.read(MATCH)) == 2
    with pytest.raises(ValueError, match="cannot be stored"):
        await store.get_record("table", "\ud800")
    await store.close()


async def test_a_full_queue_is_refused_and_nothing_accepted_is_lost(path: Path) -> None:
    store = SqliteStore(path, limit=10)
    keys = [f"{number:02}" for number in range(50)]
    with another_writer(path):
        jobs = [asyncio.create_task(store.put_record("table", key, b"1")) for key in keys]
        await asyncio.sleep(0)
    results = await asyncio.gather(*jobs, return_exceptions=True)
    taken = [key for key, result in zip(keys, results, strict=True) if result is None]
    assert 10 <= len(taken) <= 20  # what waited, and what the writer had already taken up
    assert all("busy" in str(result) for result in results if result is not None)
    assert list(await records_of(store, "table")) == taken
    await store.close()


async def test_a_second_server_is_refused_until_the_first_has_closed(path: Path) -> None:
    first = SqliteStore(path)
    with pytest.raises(StoreInUse, match=r"Another server is using .*eschaton\.db"):
        SqliteStore(path)
    await first.close()
    await SqliteStore(path).close()


async def test_only_its_owner_may_read_the_file(tmp_path: Path) -> None:
    path = tmp_path / "new" / "eschaton.db"
    store = SqliteStore(path)
    await store.put_record("table", "a", b"1")
    assert path.parent.stat().st_mode & 0o077 == 0
    assert {file.name for file in path.parent.glob("eschaton.db*") if file.stat().st_mode & 0o077} <= {
        path.name + ".lock"
    }
    await store.close()


async def test_a_file_that_is_no_database_is_damaged(path: Path) -> None:
    path.write_bytes(b"Dear diary, " * 1000)
    with pytest.raises(StoreDamaged, match="damaged or not a data file"):
        SqliteStore(path)
    assert path.read_bytes().startswith(b"Dear diary")


async def test_a_torn_page_is_damage_and_not_an_empty_match(path: Path) -> None:
    store = SqliteStore(path)
    await fill(store, MATCH, 200)
    await store.close()
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (size - 4096))
    store = SqliteStore(path)
    with pytest.raises(StoreDamaged):
        await store.read(MATCH)
    with pytest.raises(StoreDamaged):
        await store.open_match(MATCH)
    await store.close()


async def test_another_programs_file_is_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(StoreDamaged, match="another program"):
        SqliteStore(path)
    assert path.read_bytes() == before


async def test_a_file_of_an_older_version_is_brought_up_to_date(path: Path) -> None:
    with closing(sqlite3.connect(path)) as older:
        older.executescript(f"BEGIN; {MIGRATIONS[0]}; PRAGMA user_version = 1; COMMIT")
        older.execute("INSERT INTO matches (name, fence) VALUES ('m', 7)")
        older.commit()
    store = SqliteStore(path)
    assert (await store.append(MATCH, Fence(7, b"wrong"), cause(1), 0, b"step")) == Fenced(7)
    assert (await fill(store, MATCH, 2)).counter == 8
    await store.close()


async def test_a_newer_file_is_refused(path: Path) -> None:
    await SqliteStore(path).close()
    with closing(sqlite3.connect(path)) as newer:
        newer.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreUnavailable, match="newer Eschaton"):
        SqliteStore(path)


async def test_a_place_where_no_file_can_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for path in (tmp_path, tmp_path / "file" / "eschaton.db"):
        with pytest.raises(StoreUnavailable, match="cannot be"):
            SqliteStore(path)


@given(operations=OPERATIONS, together=st.sampled_from([1, 5, 40]))
def test_file_and_memory_answer_alike(
    operations: list[Operation], together: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("alike") / "eschaton.db"

    async def both() -> tuple[list[object], list[object]]:
        on_disk = await answers(SqliteStore(path), operations, together)
        return on_disk, await answers(MemoryStore(), operations, together)

    on_disk, in_memory = asyncio.run(both())
    assert on_disk == in_memory


async def test_what_is_asked_in_one_turn_is_one_commit(path: Path) -> None:
    store = SqliteStore(path)
    fence = await fill(store, MATCH, 3)
    before = store.commits
    asked = [store.append(MATCH, fence, cause(n), n - 1, b"step", closes="q") for n in range(4, 40)]
    assert await asyncio.gather(*asked) == [Appended(n) for n in range(4, 40)]
    assert store.commits == before + 1
    await store.close()


async def test_a_resent_cause_harms_no_other_operation_of_its_commit(path: Path) -> None:
    """Send a cause again: no key in the file refuses it, but it is found in memory before anything of it is written."""
    store = SqliteStore(path)
    fences = {match: await fill(store, match, 3) for match in (MATCH, MATCH_N)}
    await store.seal(MATCH_N, fences[MATCH_N], "q", 0, cause(9), b"answer")
    results = await asyncio.gather(
        store.append(MATCH_N, fences[MATCH_N], cause(4), 3, b"step", closes="q"),
        store.append(MATCH, fences[MATCH], cause(2), 3, b"once more"),
        store.append(MATCH, fences[MATCH], cause(4), 3, b"step"),
        store.append(MATCH, fences[MATCH], cause(5), 4, b"step"),
    )
    assert [*results] == [Appended(4), Duplicate(2), Appended(4), Appended(5)]
    assert [step.step for step in await store.read(MATCH)] == [b"step"] * 5
    assert await store.sealed(MATCH_N) == []
    await store.close()
