"""The files of a profile that hold its entropy chains."""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from client.storage.entropy_files import MOST_FILES, SUFFIX, EntropyFiles
from protocol.fairness.contributor import OwnEntropyChain
from protocol.ids import MatchId

HOST = b"h" * 32
CHAIN = OwnEntropyChain(MatchId("match"), b"o" * 32, b"s" * 32, b"k" * 32)
OPENED = replace(CHAIN, round=3, version=9, head=b"e" * 32)
Patch = pytest.MonkeyPatch


def files_in(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def load(files: EntropyFiles, chain: OwnEntropyChain = CHAIN) -> OwnEntropyChain | None:
    return files.load(HOST, chain.match, chain.origin)


def test_what_was_saved_is_loaded_again_by_another_window(tmp_path: Path) -> None:
    assert load(EntropyFiles(tmp_path / "not yet")) is None
    for before, chain in ((None, CHAIN), (CHAIN, OPENED)):
        assert EntropyFiles(tmp_path).save(HOST, chain, before)
        assert load(EntropyFiles(tmp_path)) == chain
    assert len(files_in(tmp_path)) == 1


def test_host_match_and_beginning_each_have_a_chain_of_their_own(tmp_path: Path) -> None:
    files = EntropyFiles(tmp_path)
    files.save(HOST, CHAIN, None)
    assert files.load(b"x" * 32, CHAIN.match, CHAIN.origin) is None
    assert files.load(HOST, MatchId("other"), CHAIN.origin) is None
    assert files.load(HOST, CHAIN.match, bytes(32)) is None
    other = replace(CHAIN, match="other")
    assert files.save(HOST, other, None)
    assert (load(files), load(files, other)) == (CHAIN, other)


def test_only_what_was_looked_at_is_replaced(tmp_path: Path) -> None:
    one, two = EntropyFiles(tmp_path), EntropyFiles(tmp_path)
    one.save(HOST, CHAIN, None)
    assert not two.save(HOST, OPENED, None)
    assert one.save(HOST, OPENED, CHAIN)
    assert not two.save(HOST, replace(OPENED, head=b"f" * 32), CHAIN)
    assert load(two) == OPENED


def test_a_window_that_was_held_up_cannot_take_a_number_that_was_used(tmp_path: Path, monkeypatch: Patch) -> None:
    """Both have looked; while the second is about to write, the first writes twice, and its older file is removed."""
    one, two = EntropyFiles(tmp_path), EntropyFiles(tmp_path)
    one.save(HOST, CHAIN, None)
    later = replace(OPENED, round=4)
    honest, held = os.open, [True]

    def opening(path: str | Path, flags: int, mode: int = 0o777) -> int:
        if held and flags & os.O_EXCL:
            held.clear()
            assert one.save(HOST, OPENED, CHAIN)
            assert one.save(HOST, later, OPENED)
        return honest(path, flags, mode)

    monkeypatch.setattr(os, "open", opening)
    assert not two.save(HOST, replace(OPENED, head=b"f" * 32), CHAIN)
    assert load(one) == load(two) == later
    assert len(files_in(tmp_path)) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="modes of files are another matter there")
def test_a_file_is_for_its_owner_alone_whatever_the_mask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        EntropyFiles(tmp_path).save(HOST, CHAIN, None)
    finally:
        os.umask(before)
    [path] = files_in(tmp_path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_is_whole_and_on_the_disk_before_it_counts(tmp_path: Path, monkeypatch: Patch) -> None:
    files, synced = EntropyFiles(tmp_path), []
    files.save(HOST, CHAIN, None)
    [older] = files_in(tmp_path)
    honest = os.fsync

    def sync(handle: int) -> None:
        if stat.S_ISREG(os.fstat(handle).st_mode):
            # whole, and the one before still there
            synced.append((os.fstat(handle).st_size > 100, older.exists()))
        honest(handle)

    monkeypatch.setattr(os, "fsync", sync)
    assert files.save(HOST, OPENED, CHAIN)
    assert synced == [(True, True)]
    assert not older.exists()


def test_what_a_full_disk_does_not_take_leaves_what_was_there(tmp_path: Path, monkeypatch: Patch) -> None:
    files = EntropyFiles(tmp_path)
    files.save(HOST, CHAIN, None)

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        files.save(HOST, OPENED, CHAIN)
    assert load(files) == CHAIN
    assert len(files_in(tmp_path)) == 1


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OSError, match="file"):
        EntropyFiles(tmp_path / "file").save(HOST, CHAIN, None)


def whole(*changes: tuple[int, object]) -> bytes:
    fields: list[object] = [1, *msgspec.structs.astuple(CHAIN)]
    for place, value in changes:
        fields[place] = value
    return msgspec.msgpack.encode(fields)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"nonsense",
        whole()[:-5],
        whole((0, 2)),
        whole((1, "other")),
        whole((2, bytes(32))),
        whole((3, b"short")),
        whole((4, b"")),
        whole((5, "three")),
    ],
)
def test_what_cannot_be_read_counts_as_nothing_and_is_replaced(tmp_path: Path, data: bytes) -> None:
    files = EntropyFiles(tmp_path)
    files.save(HOST, CHAIN, None)
    [path] = files_in(tmp_path)
    path.write_bytes(data)
    assert load(files) is None
    fresh = replace(CHAIN, seed=b"f" * 32)
    assert not files.save(HOST, fresh, CHAIN)
    assert files.save(HOST, fresh, None)
    assert load(files) == fresh


def test_of_many_matches_the_oldest_go(tmp_path: Path) -> None:
    files = EntropyFiles(tmp_path)
    chains = [replace(CHAIN, match=f"match {number}") for number in range(MOST_FILES + 2)]
    for age, chain in enumerate(chains):
        files.save(HOST, chain, None)
        newest = max(tmp_path.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_ctime_ns)
        os.utime(newest, (age, age))
    assert len(files_in(tmp_path)) == MOST_FILES
    assert [load(files, chain) is not None for chain in chains] == [False, False, *[True] * MOST_FILES]
