"""Texts kept by name: the newest first, over one of the same name, and no name leads out of the folder."""

from __future__ import annotations

import os
from pathlib import Path

from client.storage.named_files import MOST_BYTES, MOST_SHOWN, NamedFiles


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


def test_few_are_listed_and_none_is_read_beyond_its_bound(tmp_path: Path) -> None:
    files = NamedFiles(tmp_path, ".toml", "list")
    for number in range(MOST_SHOWN + 3):
        files.keep(f"n{number}", "a" * (MOST_BYTES + 5))
    assert len(files.names()) == MOST_SHOWN
    assert len(files.read("n0")) == MOST_BYTES
