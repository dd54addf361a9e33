"""Books of receipts whose last record was cut off, by a crash or by a full disk: what is kept after it is read."""

from __future__ import annotations

import errno
import io
from pathlib import Path
from typing import Any

import pytest

from client.fairness.promises import SignedHead, promises
from client.fairness.receipts import ReceiptBook, read
from protocol.ids import MatchId
from protocol.proof.signed_texts import head_text
from tests.support.fairness.signing import HOST

MATCH = MatchId("m1")
HEADS = [bytes([version]) * 32 for version in range(4)]


def book(folder: Path) -> ReceiptBook:
    return ReceiptBook(folder, MATCH, HOST.public, 0)


def keep(book: ReceiptBook, version: int) -> None:
    """Keep a head that the host has signed."""
    book.keep("head", version, HEADS[version], HOST.sign(head_text(MATCH, version, HEADS[version])))


def kept(folder: Path) -> list[object]:
    """Return what the only file in a folder proves."""
    [path] = folder.iterdir()
    return list(promises(read(path.read_bytes())))


def test_what_is_kept_after_a_crash_is_read_wherever_it_has_cut_the_record_before(tmp_path: Path) -> None:
    keep(book(tmp_path), 1)
    [path] = tmp_path.iterdir()
    whole = path.read_bytes()
    keep(book(tmp_path), 2)
    record = path.read_bytes()[len(whole) :]
    for cut in range(len(record)):
        path.write_bytes(whole + record[:cut])
        keep(book(tmp_path), 3)
        assert kept(tmp_path) == [SignedHead(1, HEADS[1]), SignedHead(3, HEADS[3])], cut


def test_bytes_that_are_no_object_do_not_hide_what_is_kept_after_them(tmp_path: Path) -> None:
    keep(book(tmp_path), 1)
    [path] = tmp_path.iterdir()
    path.write_bytes(path.read_bytes() + b"\xc1\xc1")
    keep(book(tmp_path), 2)
    assert kept(tmp_path) == [SignedHead(1, HEADS[1]), SignedHead(2, HEADS[2])]


class FullDisk(io.FileIO):
    """File on a disk that is full before its last bytes are written."""

    def write(self, data: Any) -> int:
        super().write(bytes(data)[:-5])
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_write_that_fails_leaves_the_book_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = book(tmp_path)
    keep(first, 1)
    [path] = tmp_path.iterdir()
    whole = path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", lambda path, mode: FullDisk(path, mode))
        keep(first, 2)
    assert first.problem == "No space left on device"
    assert path.read_bytes() == whole


def test_a_write_that_fails_takes_nothing_from_another_window_of_the_profile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, other = book(tmp_path), book(tmp_path)
    keep(other, 1)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", lambda path, mode: FullDisk(path, mode))
        keep(mine, 2)
    assert kept(tmp_path) == [SignedHead(1, HEADS[1])]
