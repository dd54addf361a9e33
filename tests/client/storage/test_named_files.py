"""Texts kept by name: the newest first, over one of the same name, and no name leads out of the folder."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from client.storage.named_files import MOST_BYTES, MOST_NAME, NamedFiles


def test_what_is_kept_is_listed_newest_first_read_and_forgotten(tmp_path: Path) -> None:
    files = NamedFiles(tmp_path / "lists", ".toml", "list")
    assert files.names() == []
    for number, name in enumerate(("One", "Two", "One")):
        assert files.keep(name, f"text {number}") == name
        os.utime(tmp_path / "lists" / f"{name}.toml", (number, number))
    (tmp_path / "lists" / "other.json").write_text("{}")
    assert files.names() == ["One", "Two"]
    assert files.read("One") == "text 2"
    files.forget("One")
    files.forget("One")
    assert files.names() == ["Two"]


def test_a_name_is_that_of_one_file_in_the_folder(tmp_path: Path) -> None:
    files = NamedFiles(tmp_path / "lists", ".toml", "list")
    assert files.keep("../../Ash/Black ", "a") == "Ash-Black"
    assert files.keep("ℵ", "b") == "list"
    assert sorted(path.name for path in (tmp_path / "lists").iterdir()) == ["Ash-Black.toml", "list.toml"]


def test_all_are_listed_and_none_is_read_beyond_its_bound(tmp_path: Path) -> None:
    files = NamedFiles(tmp_path, ".toml", "list")
    for number in range(30):
        files.keep(f"n{number}", "a" * (MOST_BYTES + 5))
    assert len(files.names()) == 30
    assert len(files.read("n0")) == MOST_BYTES


def test_only_what_may_be_written_over_is(tmp_path: Path) -> None:
    files, longest = NamedFiles(tmp_path, ".toml", "list"), "n" * MOST_NAME
    for name in ("Black", "Black-2", longest):
        files.keep(name, "of another game")
    assert files.keep("Black", "mine", over=()) == "Black-3"
    assert files.keep("Black-3", "newer", over=("Black-3",)) == "Black-3"
    assert files.keep("White", "mine", over=()) == "White"
    assert files.keep(longest, "mine", over=()) == f"{longest[:-2]}-2"
    assert [files.read(name) for name in ("Black", "Black-3", longest)] == [
        "of another game",
        "newer",
        "of another game",
    ]


def test_a_write_that_fails_leaves_what_was_kept_and_no_other_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = NamedFiles(tmp_path, ".toml", "list")
    files.keep("Black", "of yesterday")

    def fail(path: Path, data: Any, *_: Any) -> int:
        """Write a part, as on a disk that is full then."""
        with path.open("wb") as file:
            file.write(data[:3] if isinstance(data, bytes) else data[:3].encode())
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", fail)
        patch.setattr(Path, "write_text", fail)
        with pytest.raises(OSError, match="No space left"):
            files.keep("Black", "of today")
    assert files.read("Black") == "of yesterday"
    assert files.names() == ["Black"]
    assert [path.name for path in tmp_path.iterdir()] == ["Black.toml"]


def test_what_a_write_that_was_cut_off_has_left_is_not_listed(tmp_path: Path) -> None:
    files = NamedFiles(tmp_path, ".toml", "list")
    files.keep("Black", "whole")
    (tmp_path / ".Black-x1y2.toml").write_text("ha")
    assert files.names() == ["Black"]
