"""Disks that fill up or fail (reliability.md, test 15): no acknowledgement, a plain refusal, and the store goes on."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from protocol.ids import MatchId
from server.store.port import Appended, LogEntry, StoreUnavailable
from server.store.sqlite.store import SqliteStore
from tests.support.doubles.disk import no_file_grows_beyond
from tests.support.doubles.store_child import step_of
from tests.support.doubles.store_contract import cause, fill
from tests.support.runs.patience import PATIENCE

MATCH = MatchId("m")


async def test_a_failing_write_is_refused_and_the_store_goes_on(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "eschaton.db")
    fence = await fill(store, MATCH, 3)
    commits = store.commits
    with no_file_grows_beyond((tmp_path / "eschaton.db-wal").stat().st_size + 10_000):
        for _ in range(3):
            with pytest.raises(StoreUnavailable, match=r"disk that holds .*eschaton\.db .*nothing was stored"):
                await store.append(MATCH, fence, cause(4), 3, bytes(50_000))
            assert await store.version(MATCH) == 3
    assert store.commits == commits
    assert await store.append(MATCH, fence, cause(4), 3, b"step") == Appended(4)
    await store.close()
    store = SqliteStore(tmp_path / "eschaton.db")
    assert await store.read(MATCH) == [LogEntry(n, cause(n), b"step") for n in (1, 2, 3, 4)]
    await store.close()


async def read_back(path: Path, count: int) -> None:
    """Check that the steps of store_child.persist are all there."""
    store = SqliteStore(path)
    wanted = [LogEntry(n + 1, n.to_bytes(16), step_of(n.to_bytes(16), 4_000)) for n in range(count)]
    assert await store.read(MatchId("north")) == wanted
    await store.close()


def persist(path: Path, count: int, *ballast: str) -> list[str]:
    return [
        sys.executable,
        "-m",
        "tests.support.doubles.store_child",
        "persist",
        "sqlite",
        str(path),
        str(count),
        *ballast,
    ]


def works(command: list[str]) -> bool:
    return bool(shutil.which(command[0])) and not subprocess.run(command, capture_output=True, check=False).returncode


def refusals(command: list[str]) -> int:
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


async def test_a_full_disk_is_refused_and_the_store_goes_on(tmp_path: Path) -> None:
    """Use a file system of 8 MB, in a name space of its own: 7 MB are ballast, which the child deletes."""
    tmpfs = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
    mount = f"mount -t tmpfs -o size=8m tmpfs '{tmp_path}'"
    if not works([*tmpfs, mount]):
        pytest.skip("this user may not mount a tmpfs of his own")
    ballast, path, kept = tmp_path / "ballast", tmp_path / "eschaton.db", tmp_path.with_name("kept.db")
    script = f"{mount} && head -c 7000000 /dev/zero > '{ballast}' && \"$@\" && cp '{path}' '{kept}'"
    assert refusals([*tmpfs, script, "child", *persist(path, 300, str(ballast))]) >= 1
    await read_back(kept, 300)


async def test_a_sync_that_fails_is_refused_and_the_store_goes_on(tmp_path: Path) -> None:
    inject = "inject=fdatasync,fsync:error=EIO:when=40..60"
    strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync,fsync", "-e", inject]
    if not works([*strace, "true"]):
        pytest.skip("strace is missing or not permitted")
    path = tmp_path / "eschaton.db"
    assert refusals([*strace, *persist(path, 100)]) >= 10
    await read_back(path, 100)
